"""Family assertions on statuses and mentions: what is scored, and what every cell opens."""

import pytest

from core.evaluate import Settings, evaluate
from core.evaluate.families.inputs import Known, Mention
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.records import Assertion, GoldSet

A, N, U, O = Assertion  # noqa: E741
CHOSEN = Settings(families=("corpus", "assertions"), bootstrap=100)

GOLD = {"d1": {"X:1": A, "X:2": N, "X:3": U}, "d2": {"X:1": A, "X:2": A}, "d3": {}}
SAID = {"d1": {"X:1": A, "X:2": A, "X:4": N}, "d2": {"X:1": N, "X:2": A}}
# joint: 2 of 5 gold and 5 proposed; term: X:1 and X:2 of d1, X:1 and X:2 of d2: 4 of 5 and 5


def family(gold=GOLD, said=SAID, **more):
    given = GoldSet("imported:toy@1", gold, frozenset(gold))
    return evaluate(given, said, CHOSEN, **more).families["assertions"]


def table(result, name):
    return next(t for t in result.tables if t.name == name)


def cells(result):
    """(cell, key) of everything that opens."""
    for t in result.tables:
        for row, keys in zip(t.rows, t.opens, strict=True):
            yield from ((cell, key) for cell, key in zip(row, keys, strict=True) if key)


def test_values_by_hand():
    found = family().estimates
    assert found["joint_f1"].value == pytest.approx(2 / 5, abs=1e-9)
    assert found["term_f1"].value == pytest.approx(4 / 5, abs=1e-9)
    assert found["accuracy"].value == pytest.approx(2 / 4, abs=1e-9)
    # affirmed: 2 right, X:2 of d1 spurious, X:1 of d2 missed; negated: none right; uncertain: X:3 missed
    assert found["f1:affirmed"].value == pytest.approx(2 / 3, abs=1e-9)
    assert found["f1:negated"].value == found["f1:uncertain"].value == 0.0
    assert found["mean_f1"].value == pytest.approx(2 / 9, abs=1e-9)
    assert found["joint_f1"].n == 3
    assert found["joint_f1"].low <= found["joint_f1"].value <= found["joint_f1"].high


def test_the_statuses_that_count_elsewhere_do_not_matter_here():
    only = Settings(families=("corpus", "assertions"), assertions=(A,), bootstrap=0)
    given = GoldSet("imported:toy@1", GOLD, frozenset(GOLD))
    found = evaluate(given, SAID, only).families["assertions"].estimates
    assert {n: e.value for n, e in found.items()} == {n: e.value for n, e in family().estimates.items()}


def test_another_persons_findings_are_compared_only_where_that_is_asked_for():
    # X:5 of d1: the gold gives it to a relative, the run to the patient; X:6 the other way round; X:7 both
    gold = {**GOLD, "d1": {**GOLD["d1"], "X:5": O, "X:6": A, "X:7": O}}
    said = {**SAID, "d1": {**SAID["d1"], "X:5": A, "X:6": O, "X:7": O}}
    given = GoldSet("imported:toy@1", gold, frozenset(gold))
    usual = evaluate(given, said, CHOSEN).families["assertions"]
    confusion = table(usual, "confusion")
    assert confusion.columns == ("gold", "affirmed", "negated", "uncertain")
    assert confusion.rows == [("affirmed", 2, 1, 0), ("negated", 1, 0, 0), ("uncertain", 0, 0, 0)]
    assert not any(name.endswith(":other_person") for name in usual.estimates)

    named = Settings(families=("corpus", "assertions"), assertions=(A, U, O), bootstrap=100)
    asked = evaluate(given, said, named).families["assertions"]
    confusion = table(asked, "confusion")
    assert confusion.columns == ("gold", "affirmed", "negated", "uncertain", "other_person")
    assert [row[1:] for row in confusion.rows] == [(2, 1, 0, 1), (1, 0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 1)]
    assert asked.estimates["f1:other_person"].value == pytest.approx(1 / 2, abs=1e-9)
    assert asked.estimates["accuracy"].value == pytest.approx(3 / 7, abs=1e-9)
    assert asked.open("confusion:other_person:affirmed") == [
        Item("d1", "X:5", "confused", "gold other_person, proposed affirmed")
    ]


def test_the_confusion_matrix_has_gold_rows_and_opens_exactly_what_it_counts():
    result = family()
    confusion = table(result, "confusion")
    assert confusion.columns == ("gold", "affirmed", "negated", "uncertain")
    assert confusion.rows == [("affirmed", 2, 1, 0), ("negated", 1, 0, 0), ("uncertain", 0, 0, 0)]
    assert (confusion.chart.kind, confusion.chart.x) == ("heatmap", "gold")
    assert confusion.key_at(0, 2) == "confusion:affirmed:negated"
    assert result.open("confusion:affirmed:negated") == [
        Item("d2", "X:1", "confused", "gold affirmed, proposed negated")
    ]
    assert result.open("confusion:negated:affirmed") == [
        Item("d1", "X:2", "confused", "gold negated, proposed affirmed")
    ]
    assert [(i.doc_id, i.id, i.outcome) for i in result.open("confusion:affirmed:affirmed")] == [
        ("d1", "X:1", "tp"),
        ("d2", "X:2", "tp"),
    ]
    assert result.open("confusion:uncertain:negated") == []


def test_every_cell_opens_as_many_items_as_it_counts_and_every_value_opens():
    mentions = {d: [Mention(0, 1, c, s) for c, s in held.items()] for d, held in GOLD.items()}
    proposed = {d: [Mention(0, 1, c, s) for c, s in held.items()] * 2 for d, held in SAID.items()}
    result = family(
        known=Known(gold_mentions=lambda: mentions, predicted_mentions=lambda: {"d3": [], **proposed})
    )
    counts = [(cell, key) for cell, key in cells(result) if not isinstance(cell, Estimate)]
    assert len(counts) == 3 * 5 + 3 * 5 + 9
    for cell, key in counts:
        assert len(result.open(key)) == cell, key
    for name in result.estimates:
        opened = result.open(name)
        assert opened == sorted(opened, key=lambda item: (item.doc_id, item.id)), name
    assert {key for cell, key in cells(result) if isinstance(cell, Estimate)} == set(result.estimates)


def test_what_stands_behind_a_value_of_one_status():
    assert family().open("f1:affirmed") == [
        Item("d1", "X:1", "tp", "gold affirmed, proposed affirmed"),
        Item("d1", "X:2", "fp", "gold negated, proposed affirmed"),
        Item("d2", "X:1", "fn", "gold affirmed, proposed negated"),
        Item("d2", "X:2", "tp", "gold affirmed, proposed affirmed"),
    ]
    assert family().open("joint_fn")[1] == Item("d1", "X:3", "fn", "gold uncertain, not proposed")
    assert family().open("term_fp") == [Item("d1", "X:4", "fp", "proposed negated")]


def test_mentions_are_counted_as_often_as_they_occur():
    gold = {"d": {"X:1": A}}
    known = Known(
        gold_mentions=lambda: {"d": [Mention(i, i + 1, "X:1", A) for i in range(3)]},
        predicted_mentions=lambda: {"d": [Mention(0, 1, "X:1", A)] * 2 + [Mention(5, 6, "X:1", N)]},
    )
    result = family(gold, gold, known=known)
    assert result.estimates["joint_mention_f1"].value == pytest.approx(2 / 3, abs=1e-9)
    assert result.open("joint_mention_f1") == [
        *[Item("d", "X:1", "tp", "affirmed: 3 in gold, 2 proposed")] * 2,
        Item("d", "X:1", "fn", "affirmed: 3 in gold, 2 proposed"),
        Item("d", "X:1", "fp", "negated: 0 in gold, 1 proposed"),
    ]


def test_without_mentions_their_row_is_a_dash_and_opens_nothing():
    result = family()
    row, keys = (list(getattr(table(result, "joint"), part))[2] for part in ("rows", "opens"))
    assert row[1].value is None
    assert row[4:] == (None,) * 5
    assert keys[4:] == (None,) * 5


def test_open_documents_are_not_scored_and_neither_is_what_nobody_decided():
    reviewed = GoldSet(
        "reviewed@7:curator=alpha",
        documents={"closed": {"X:1": N}, "open": {"X:2": A}},
        recall_documents=frozenset({"closed"}),
        unsettled={"closed": frozenset({"X:9"})},
    )
    said = {"closed": {"X:1": A, "X:9": A}, "open": {"X:2": A}}
    result = evaluate(reviewed, said, CHOSEN).families["assertions"]
    assert [i[:3] for i in result.open("joint_f1")] == [("closed", "X:1", "fp"), ("closed", "X:1", "fn")]
    assert result.estimates["joint_f1"].n == 1


def test_no_complete_document_no_value():
    reviewed = GoldSet(
        "reviewed@7:curator=alpha", documents={"open": {"X:2": A}}, recall_documents=frozenset()
    )
    result = evaluate(reviewed, {"open": {"X:2": A}}, CHOSEN).families["assertions"]
    assert {e.value for e in result.estimates.values()} == {None}
    assert all(e.reason for e in result.estimates.values())
    assert result.open("joint_f1") == []


@pytest.mark.parametrize(
    "key", ["", "joint", "joint_x", "confusion:affirmed", "confusion:a:b", "f1:denied", "x:y"]
)
def test_an_unknown_key_is_refused(key):
    with pytest.raises(KeyError):
        family().open(key)
