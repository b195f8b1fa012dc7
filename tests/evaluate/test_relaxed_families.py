"""Relaxed matching, bounds, thresholds and AUPRC of an evaluation: values by hand, and what every cell opens.

R           d1  gold X V     proposed X 0.90, Q 0.60    X exact, Q near V
├─ P        d2  gold Y       proposed P 0.85, Z 0.30    P parent of Y, Z its sibling
│  ├─ X     d3  gold         proposed
│  ├─ Y     d4  gold open    proposed Z, decided: in nothing here
│  └─ Z
└─ Q        information: P 1 - ln 4 / ln 7, Q 1 - ln 2 / ln 7, leaves 1
   └─ V     lin(Q, V) = 2 IC(Q) / (1 + IC(Q)) = 0.783; lin(P, Y) = 0.447; lin(Y, Z) = IC(P) = 0.288
"""

from math import log

import pytest

from core.charts import Table
from core.evaluate.families import EVALUATORS
from core.evaluate.families.inputs import Inputs, Known
from core.evaluate.settings import Settings
from core.metrics import FAMILIES, METRICS
from core.metrics.definition import Estimate
from core.metrics.documents import Item, compare
from core.ontology.lineage import Lineage

IS_A = [("X:P", "X:R"), ("X:Q", "X:R"), ("X:X", "X:P"), ("X:Y", "X:P"), ("X:Z", "X:P"), ("X:V", "X:Q")]
GOLD = {"d1": {"X:X", "X:V"}, "d2": {"X:Y"}, "d3": set()}
SAID = {"d1": {"X:X", "X:Q"}, "d2": {"X:P", "X:Z"}, "d4": {"X:Z"}}
SURE = {"d1": {"X:X": 0.9, "X:Q": 0.6}, "d2": {"X:P": 0.85, "X:Z": 0.3}, "d4": {"X:Z": 1.0}}
LABELS = {"X:V": "Vertigo", "X:Q": "<b>Queasy</b>"}
IC_Q = 1 - log(2) / log(7)
NEAR = 2 * IC_Q / (1 + IC_Q)
NAMES = ("relaxed", "bounds", "thresholds", "auprc")


def inputs(gold=GOLD, said=SAID, confidences=SURE, links=IS_A, **options) -> Inputs:
    outcomes = compare(gold, said, decided=said, complete=set(gold))
    lineage = Lineage({c for link in links for c in link}, links) if links else None
    known = Known(
        confidences=(lambda: confidences) if confidences else None,
        lineage=(lambda: lineage) if lineage else None,
    )
    return Inputs(Settings(**{"bootstrap": 200} | options), outcomes, {}, {}, LABELS, known)


def result(family, **given):
    return EVALUATORS[family](inputs(**given))


def values(found):
    return {name: estimate.value for name, estimate in found.estimates.items()}


def table(found, name) -> Table:
    return next(t for t in found.tables if t.name == name)


def close(value):
    return pytest.approx(value, abs=1e-9)


def test_relaxed_by_hand():
    found = result("relaxed")
    credit = 1 + NEAR + 0.5
    assert found.estimates["precision"].value == close(credit / 4)
    assert found.estimates["recall"].value == close(credit / 3)
    assert found.estimates["f1"].value == close(2 * credit / 7)
    assert found.estimates["macro_recall"].value == close(((1 + NEAR) / 2 + 0.5 + 1) / 3)
    assert found.estimates["f1"].n == 3  # d4, whose gold is open, is not there
    assert found.estimates["f1"].low is not None
    (exact, _, _) = table(found, "ratios").rows
    assert exact[:2] == ("Precision", 0.25)
    assert [row[:2] for row in table(found, "types").rows] == [
        ("exact", 1),
        ("semantic", 1),
        ("parent or child", 1),
        ("no match (spurious)", 1),
        ("gold without a match", 0),
    ]


def test_near_misses_name_both_concepts():
    found = result("relaxed")
    semantic = found.open("semantic")
    assert semantic == [Item("d1", "X:Q", "semantic", "gold X:V (Vertigo), credit 0.783")]
    assert found.open("hierarchical") == [Item("d2", "X:P", "hierarchical", "gold X:Y, credit 0.500")]
    assert found.open("exact") == [Item("d1", "X:X", "tp")]
    assert found.open("no_match") == [Item("d2", "X:Z", "fp")]
    assert found.open("unmatched_gold") == []
    assert found.open("pair:X:Q|X:V") == semantic
    rows = table(found, "near_misses").rows
    assert [row[:4] for row in rows] == [
        ("X:P", "X:Y", "parent or child", 1),
        ("X:Q (<b>Queasy</b>)", "X:V (Vertigo)", "semantic", 1),
    ]
    assert rows[1][5:7] == (close(NEAR), close(IC_Q))  # similarity; information in common
    assert rows[1][7:] == ("X:Q (<b>Queasy</b>)", 0, 1), "gold lies one step below what was proposed"


def test_similarity_threshold_and_information_are_options():
    # lineage: V over Q: depth 1: 2 / (2 + 1) = 2/3 < 0.7, so Q is V's parent and no more
    assert values(result("relaxed", similarity="lineage"))["precision"] == close((1 + 0.5 + 0.5) / 4)
    # 1 / (1 + 1 - IC(Q)) = 0.737
    assert values(result("relaxed", similarity="jiang_conrath"))["precision"] == close(
        (1 + 1 / (2 - IC_Q) + 0.5) / 4
    )
    assert values(result("relaxed", alike=0.8))["precision"] == close((1 + 0.5 + 0.5) / 4)
    # gold documents: V 1, X 1, Y 1; masses of 1 + documents: V 2, Q 3, all 10; lin > 0.7 all the same
    q, v = 1 - log(3) / log(10), 1 - log(2) / log(10)
    assert values(result("relaxed", information="corpus"))["precision"] == close((1.5 + 2 * q / (q + v)) / 4)
    assert "from the gold documents" in result("relaxed", information="corpus").notes[0]


def test_bounds_by_hand():
    found = values(result("bounds"))
    assert found["conservative:precision"] == close(1 / 4)
    assert found["optimistic:precision"] == close(1 / 2)
    assert found["expected:precision"] == close(3 / 8)
    assert found["conservative:recall"] == found["optimistic:recall"] == close(1 / 3)
    assert values(result("bounds", sure=0.6))["optimistic:precision"] == close(1 / 3)
    assert result("bounds").open("sure") == [Item("d2", "X:P", "fp", "confidence 0.850")]
    assert [i.id for i in result("bounds").open("forgiven")] == ["X:Q", "X:Z"]


def test_bounds_without_confidences_say_so():
    found = result("bounds", confidences=None)
    assert values(found)["optimistic:precision"] == 1
    assert any("no confidence" in note for note in found.notes)
    assert not any("no confidence" in note for note in result("bounds").notes)


def test_thresholds_by_hand():
    found = result("thresholds")
    assert [row[:2] for row in table(found, "table").rows] == [
        (0.5, 2),
        (0.6, 2),
        (0.7, 2),
        (0.8, 1),
        (0.9, 1),
        (1.0, 1),
    ]
    assert values(found)["f1:0.5"] == close(4 / 7)
    assert values(found)["mean_f1"] == close((3 * 4 / 7 + 3 * 2 / 7) / 6)
    # points (1/3, 1/4) and (2/3, 2/4)
    assert values(found)["seed_literal_area"] == close(1 / 3 * (1 / 4 + 2 / 4) / 2)
    assert found.open("matched:0.5") == [
        Item("d1", "X:Q", "semantic", "gold X:V (Vertigo), similarity 0.783"),
        Item("d1", "X:X", "tp"),
    ]
    assert [(i.id, i.outcome) for i in found.open("recall:1.0")] == [
        ("X:V", "fn"),
        ("X:X", "tp"),
        ("X:Y", "fn"),
    ]


def test_auprc_by_hand():
    # X right at 0.9, then nothing: 1 * 1/3; two of three gold concepts are never proposed
    found = result("auprc")
    assert values(found) == {"auprc": close(1 / 3), "share_found": close(1 / 3)}
    assert [row[:3] for row in table(found, "curve").rows] == [
        (0.9, 1, 1),
        (0.85, 2, 1),
        (0.6, 3, 1),
        (0.3, 4, 1),
    ]
    assert found.open("point:1") == [Item("d2", "X:P", "fp", "confidence 0.850")]
    assert [(i.id, i.outcome) for i in found.open("share_found")] == [
        ("X:V", "fn"),
        ("X:X", "tp"),
        ("X:Y", "fn"),
    ]


def test_predictions_without_a_confidence_come_last_and_are_counted():
    found = result("auprc", confidences={"d2": {"X:Z": 0.3}})
    assert [row[:3] for row in table(found, "curve").rows] == [(0.3, 1, 0), (None, 4, 1)]
    assert found.notes == ("Predictions without a confidence, entered last and together: 3.",)


def test_a_long_curve_is_thinned_to_its_ends_and_still_opens_everything():
    gold = {f"d{i:03}": {"X:X"} for i in range(500)}
    sure = {d: {"X:X": i / 1000} for i, d in enumerate(gold)}
    found = result("auprc", gold=gold, said=gold, confidences=sure)
    curve = table(found, "curve")
    assert len(curve.rows) == 100
    assert curve.rows[-1][1:] == (500, 500, 1.0, 1.0)
    assert "100 of 500" in curve.note
    opened = [item for row in curve.opens for item in found.open(row[1])]
    assert sorted(item.doc_id for item in opened) == sorted(gold)


@pytest.mark.parametrize("family", ["relaxed", "thresholds"])
def test_without_an_ontology_it_says_what_to_give(family):
    found = result(family, links=None)
    assert "Name the ontology." in found.absent
    assert found.estimates == {}


def test_without_confidences_there_is_no_curve():
    assert "confidence" in result("auprc", confidences=None).absent
    assert "confidence" in result("auprc", confidences={"d9": {"X:X": 1.0}}).absent


@pytest.mark.parametrize("family", NAMES)
def test_without_complete_documents_every_value_says_why(family):
    found = result(family, gold={})
    assert found.estimates
    assert all(e.value is None and e.reason for e in found.estimates.values())
    for shown in found.tables:
        for key in (key for row in shown.opens for key in row if key):
            assert found.open(key) == []


@pytest.mark.parametrize("family", NAMES)
def test_every_number_opens_its_items(family):
    found = result(family)
    for shown in found.tables:
        for row, keys in zip(shown.rows, shown.opens, strict=True):
            for cell, key in zip(row, keys, strict=True):
                if isinstance(cell, Estimate) or (isinstance(cell, int) and cell is not row[0]):
                    assert key, f"{shown.name}: {cell} opens nothing"
                if key:
                    items = found.open(key)
                    assert items == sorted(items, key=lambda item: (item.doc_id, str(item.id)))
                    assert "d4" not in {item.doc_id for item in items}
    for name in found.estimates:
        assert found.open(name) or found.estimates[name].value in (0, None)
    counts = {"types": 1, "table": 1, "counts": 1}
    for shown in found.tables:
        at = counts.get(shown.name)
        for row, keys in zip(shown.rows, shown.opens, strict=True):
            assert at is None or len(found.open(keys[at])) == row[at]
    if family == "relaxed":
        misses = table(found, "near_misses")
        assert all(
            len(found.open(key)) == row[3]
            for row, keys in zip(misses.rows, misses.opens, strict=True)
            for key in keys
            if key
        )


@pytest.mark.parametrize("family", NAMES)
def test_unknown_keys_are_refused(family):
    found = result(family)
    for key in (
        "nothing",
        "pair:X:X|X:X",
        "exact_",
        "macro_exact",
        "f1:0.55",
        "point:99",
        "conservative",
        "",
    ):
        with pytest.raises(KeyError):
            found.open(key)


@pytest.mark.parametrize("family", NAMES)
def test_every_estimate_and_every_help_is_registered(family):
    found = result(family)
    assert {name.partition(":")[0] for name in found.estimates} <= FAMILIES[family].metrics.keys()
    helped = [(shown, head) for shown in found.tables for head in shown.help]
    assert all(head in shown.columns and shown.help[head] in METRICS for shown, head in helped)
    assert found.to_json()["estimates"].keys() == found.estimates.keys()


@pytest.mark.parametrize("family", NAMES)
def test_order_of_input_does_not_matter(family):
    backwards = {"gold": dict(reversed(GOLD.items())), "said": dict(reversed(SAID.items()))}
    assert result(family, **backwards).estimates == result(family).estimates
