"""Family spans on mentions: what is scored, and what every cell opens."""

import pytest

from core.evaluate import Settings, evaluate
from core.evaluate.families.inputs import Known, Mention
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.records import Assertion, GoldSet

A, N, U, _ = Assertion
CHOSEN = Settings(families=("corpus", "spans"), bootstrap=100)

GOLD = {
    "d1": [Mention(0, 5, "X:1", A, "fever"), Mention(10, 15, "X:2", A, "cough"), Mention(20, 24, "X:3", A)],
    "d2": [Mention(0, 4, "X:1", A)],
    "d3": [],
}
SAID = {
    "d1": [Mention(0, 5, "X:1", A, "fever"), Mention(10, 18, "X:2", A), Mention(20, 24, "X:4", A)],
    "d2": [Mention(9, 12, "X:1", A)],
    "d3": [],
}
# strict: 1 of 4 and 4; exact: 2; type: 2; partial: 3; half credit: 1 + 0.5 + 1 = 2.5


def statuses(mentions):
    return {d: {m.concept: m.assertion for m in held} for d, held in mentions.items()}


def family(gold=GOLD, said=SAID, chosen=CHOSEN):
    given = GoldSet("imported:toy@1", statuses(gold), frozenset(gold))
    known = Known(gold_mentions=lambda: gold, predicted_mentions=lambda: said)
    return evaluate(given, statuses(said), chosen, known=known).families["spans"]


def test_values_by_hand():
    found = family().estimates
    expected = {"strict": 1, "exact": 2, "partial": 3, "type": 2, "partial_semeval": 2.5}
    for tier, credit in expected.items():
        for measure in ("precision", "recall", "f1"):
            assert found[f"{tier}_{measure}"].value == pytest.approx(credit / 4, abs=1e-9)
    assert found["strict_f1"].n == 3
    assert found["strict_f1"].low <= 0.25 <= found["strict_f1"].high


def test_every_cell_opens_as_many_items_as_it_counts_and_every_value_opens():
    result = family()
    opened = 0
    for table in result.tables:
        for row, keys in zip(table.rows, table.opens, strict=True):
            for cell, key in zip(row, keys, strict=True):
                if isinstance(cell, int) and key:
                    assert len(result.open(key)) == cell, key
                    opened += 1
                elif key:
                    assert isinstance(cell, Estimate) or key.endswith("_credit")
                    result.open(key)
    assert opened == 5 * 5 + 6
    for name in result.estimates:
        items = result.open(name)
        assert [i.doc_id for i in items] == sorted(i.doc_id for i in items)


def test_what_stands_behind_a_value_in_order_of_place():
    assert family().open("type_f1") == [
        Item("d1", "X:1", "tp", '0 to 5, "fever"'),
        Item("d1", "X:2", "tp", '10 to 18; gold 10 to 15, "cough"'),
        Item("d1", "X:3", "fn", "20 to 24"),
        Item("d1", "X:4", "fp", "20 to 24"),
        Item("d2", "X:1", "fn", "0 to 4"),
        Item("d2", "X:1", "fp", "9 to 12"),
    ]
    assert family().open("exact_tp")[1] == Item("d1", "X:4", "tp", "20 to 24; gold 20 to 24 as X:3")


def test_what_became_of_every_mention():
    overlaps = next(t for t in family().tables if t.name == "overlaps")
    assert overlaps.rows == [
        ("same span, same concept", 1),
        ("same span, other concept", 1),
        ("other span, same concept", 1),
        ("other span, other concept", 0),
        ("spurious", 1),
        ("missed", 1),
    ]
    assert family().open("overlap:concept") == [Item("d1", "X:4", "tp", "20 to 24; gold 20 to 24 as X:3")]


def test_only_mentions_of_the_statuses_that_count():
    gold = {"d": [Mention(0, 5, "X:1", A), Mention(6, 9, "X:2", N)]}
    affirmed = Settings(families=("corpus", "spans"), assertions=(A,), bootstrap=0)
    everything = Settings(families=("corpus", "spans"), assertions=(A, N, U), bootstrap=0)
    assert len(family(gold, gold, affirmed).open("strict_tp")) == 1
    assert len(family(gold, gold, everything).open("strict_tp")) == 2


def test_labels_without_places_are_in_no_number_and_counted():
    gold = {"d": [Mention(0, 5, "X:1", A), Mention(None, None, "X:2", A)]}
    said = {"d": [Mention(0, 5, "X:1", A)]}
    result = family(gold, said)
    assert result.estimates["strict_f1"].value == 1.0
    assert result.notes == ("Labels without offsets, in no number: 1 of the gold, 0 proposed.",)
    assert family().notes == ()


def test_where_a_side_has_no_places_nothing_is_scored_and_it_says_which():
    whole = {"d": [Mention(None, None, "X:1", A)]}
    placed = {"d": [Mention(0, 5, "X:1", A)]}
    assert "The gold names concepts of whole documents only" in family(whole, placed).absent
    assert "The prediction names concepts of whole documents only" in family(placed, whole).absent
    assert family(placed, {"d": []}).absent is None


def test_without_mentions_it_says_what_to_give():
    given = GoldSet("imported:toy@1", statuses(GOLD), frozenset(GOLD))
    result = evaluate(given, statuses(SAID), CHOSEN).families["spans"]
    assert "start and end offsets" in result.absent
    assert result.estimates == {}


def test_nothing_on_either_side_is_one():
    assert {e.value for e in family({"d": []}, {"d": []}).estimates.values()} == {1.0}


@pytest.mark.parametrize("key", ["", "strict", "strict_x", "overlap:x", "loose_f1"])
def test_an_unknown_key_is_refused(key):
    with pytest.raises(KeyError):
        family().open(key)
