"""Slices of an evaluation: rows, notes, and what every cell opens."""

import pytest

from core.evaluate import Settings, evaluate
from core.evaluate.families.inputs import Known
from core.ontology.lineage import Lineage
from core.records import Assertion, GoldSet

YES, NO = Assertion.AFFIRMED, Assertion.NEGATED
LINEAGE = Lineage(
    ["root", "x", "y", "a", "b", "stray"],
    [("x", "root"), ("y", "root"), ("a", "x"), ("b", "x"), ("b", "y")],
)
GOLD = GoldSet(
    "imported:g@1",
    {"d1": {"a": YES, "b": YES}, "d2": {"b": NO}, "d3": {"stray": YES}, "d4": {}},
    frozenset(["d1", "d2", "d3", "d4"]),
)
SAID = {"d1": {"a": YES}, "d2": {"b": YES}, "d3": {"root": YES}, "d4": {}}
"""d1: a right, b missed. d2: b spurious, for gold denies it. d3: stray missed, root spurious. d4: nothing."""
KNOWN = Known(
    lineage=lambda: LINEAGE,
    root="root",
    texts=lambda: {"d1": "1", "d2": "1 2", "d3": "1 2 3", "d4": "1 2 3 4"},
)
LABELS = {"x": "Branch x", "y": "<b>y</b>"}


def sliced(by=(), known=KNOWN, gold=GOLD):
    chosen = Settings(families=("corpus", "slices"), bootstrap=0, by=by)
    return evaluate(gold, SAID, chosen, known=known, labels=LABELS).families["slices"]


def table(result, name):
    return next(t for t in result.tables if t.name == name)


def test_branches_count_a_concept_in_each_and_say_how_much_that_adds():
    """x: a right, b missed (d1), b spurious (d2). y: the b's alone. In none: stray missed, root spurious."""
    found = table(sliced(("branch",)), "branch")
    assert [row[:6] for row in found.rows] == [
        ("Branch x", 2, 1, 1, 1, 2),
        ("<b>y</b>", 2, 0, 1, 1, 1),
        ("in no branch", 1, 0, 1, 1, 1),
    ]
    assert "2 more than the 5 right" in found.note
    assert sliced(("branch",)).estimates["surplus"].value == 2
    assert found.chart.kind == "treemap"


def test_the_root_is_found_where_nobody_names_it():
    lonely = Lineage([c for c in LINEAGE.curies if c != "stray"], [(c, p) for c in "ab" for p in "x"])
    whole = Known(lineage=lambda: LINEAGE)
    assert len(table(sliced(("branch",), whole), "branch").rows) == 3
    assert sliced(("branch",), Known(lineage=lambda: lonely, root="zzz")).absent


def test_lengths_are_cut_at_printed_quartiles():
    """Lengths 1, 2, 3, 4: quartiles 1.75, 2.5, 3.25, and a document in each slice."""
    found = table(sliced(("length",)), "length")
    assert [row[:5] for row in found.rows] == [
        ("up to 1.75", 1, 1, 0, 1),
        ("1.75 to 2.5", 1, 0, 1, 0),
        ("2.5 to 3.25", 1, 0, 1, 1),
        ("over 3.25", 1, 0, 0, 0),
    ]
    assert "1.75, 2.5 and 3.25" in found.note
    assert found.rows[3][9].value == 1, "a vacuous document is right (V1)"


def test_statuses_are_cut_on_both_sides():
    """d2's b is denied by gold and affirmed here: missed as negated, spurious as affirmed."""
    found = {row[0]: row[1:5] for row in table(sliced(("assertion",)), "assertion").rows}
    assert found["affirmed"] == (3, 1, 2, 2)
    assert found["negated"] == (1, 0, 0, 1)
    (uncertain,) = (r for r in table(sliced(("assertion",)), "assertion").rows if r[0] == "uncertain")
    assert (uncertain[6].value, uncertain[8].value) == (None, None), "rule U0"


def test_all_slices_where_none_is_named_and_every_cell_opens():
    result = sliced()
    assert [t.name for t in result.tables] == ["branch", "length", "assertion"]
    for made in result.tables:
        for row, keys in zip(made.rows, made.opens, strict=True):
            for cell, key in zip(row, keys, strict=True):
                items = result.open(key) if key is not None else None
                if isinstance(cell, int) and items is not None:
                    assert len(items) == cell, key
    for name in result.estimates:
        result.open(name)
    assert {i.id for i in result.open("surplus")} == {"b"}
    (denied,) = result.open("fn:assertion:negated")
    assert (denied.doc_id, denied.id, denied.detail) == ("d2", "b", "gold negated, proposed affirmed")
    for unknown in ("nothing", "f1:moon:x"):
        with pytest.raises(KeyError):
            result.open(unknown)


def test_what_cannot_be_cut_is_said_and_the_rest_is_cut():
    result = sliced(known=Known())
    assert [t.name for t in result.tables] == ["assertion"]
    assert len(result.notes) == 2
    assert "ontology" in sliced(("branch",), Known()).absent
    assert "texts" in sliced(("length",), Known(texts=lambda: {"d1": ""})).absent


def test_no_complete_document_has_no_values():
    """Reviewed gold that nobody has closed yet."""
    result = sliced(gold=GoldSet("reviewed@1:curator=alpha", {}, frozenset()))
    assert all(row[8].value is None for made in result.tables for row in made.rows)
