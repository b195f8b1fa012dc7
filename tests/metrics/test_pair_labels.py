"""Schema repair of predictions, counted; gold outside the schema is an error (metric-definitions 9.1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.pair_labels import AXES, CLASSES, SPACES, Label, Repairs, checked, repaired
from core.records import Axis, ConflictType


def test_six_types_in_this_order():
    assert [c.value for c in CLASSES] == [
        "no_conflict",
        "direct_contradiction",
        "contextual_contradiction",
        "underspecified_apparent_contradiction",
        "evidence_insufficiency",
        "unresolved_scientific_controversy",
    ]


def test_thirteen_axes_and_nine_primary_ones():
    provisional = {
        "dosage_intervention",
        "gene_mutation_molecular_background",
        "sample_source",
        "unknown_latent_factor",
    }
    assert len(AXES) == 13
    assert SPACES["all"] == AXES
    assert {a.value for a in AXES} - {a.value for a in SPACES["primary"]} == provisional
    assert len(SPACES["primary"]) == 9


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ((None, [], None), Repairs(missing_type=1)),
        (("contextual", [], None), Repairs(unknown_type=1)),
        (("No_Conflict", [], None), Repairs(unknown_type=1)),  # compared as written
        ((7, [], None), Repairs(unknown_type=1)),
        (("no_conflict", ["diet", "geography", "weather"], None), Repairs(axes=2)),  # R39
        (("no_conflict", [None, {"axis": "geography"}], None), Repairs(axes=2)),
        (("no_conflict", "diet", None), Repairs(axes=1)),
        (("no_conflict", [], "diet"), Repairs(confounder=1)),
        ((None, ["x"], "y"), Repairs(missing_type=1, axes=1, confounder=1)),
    ],
)
def test_what_does_not_fit_is_counted(given, counts):
    label, found = repaired(*given)
    assert found == counts
    assert label.conflict_type is ConflictType.NO_CONFLICT
    assert label.confounder is None
    assert label.axes <= {Axis.GEOGRAPHY}


def test_nothing_else_is_mended():
    """no_conflict may name axes, and the confounder need not be one of them."""
    label, found = repaired("no_conflict", ["geography", "geography"], "study_design")
    assert label == Label(ConflictType.NO_CONFLICT, frozenset({Axis.GEOGRAPHY}), Axis.STUDY_DESIGN)
    assert found == Repairs()


def test_axes_may_be_missing_or_one_name():
    assert repaired("no_conflict", None, None)[0].axes == frozenset()
    assert repaired("no_conflict", "geography", None) == (
        Label(ConflictType.NO_CONFLICT, frozenset({Axis.GEOGRAPHY})),
        Repairs(),
    )


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((None, [], None), "None"),
        (("contextual", [], None), "'contextual'"),
        (("no_conflict", ["diet"], None), "'diet'"),
        (("no_conflict", [], "diet"), "'diet'"),
    ],
)
def test_gold_outside_the_schema_is_an_error(given, says):
    with pytest.raises(ValueError, match=says):
        checked(*given)


def test_gold_within_the_schema_is_a_label():
    assert checked("direct_contradiction", ["geography"], "geography") == Label(
        ConflictType.DIRECT_CONTRADICTION, frozenset({Axis.GEOGRAPHY}), Axis.GEOGRAPHY
    )


def test_repairs_add_up():
    assert Repairs(1, 0, 2, 3).plus(Repairs(0, 1, 1, 1)) == Repairs(1, 1, 3, 4)


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from([a.value for a in AXES]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


@given(anything, anything, anything)
def test_any_json_becomes_a_label_that_needs_no_repair(kind, axes, confounder):
    label, _ = repaired(kind, axes, confounder)
    again, repairs = repaired(
        label.conflict_type.value,
        [axis.value for axis in label.axes],
        label.confounder.value if label.confounder else None,
    )
    assert (again, repairs) == (label, Repairs())
