"""Linked mentions and ranked edges from files to families: values by hand, items, refusals
(metric-definitions 3.2 to 3.4)."""

import json

import pytest

from core.errors import InputError
from core.evaluate import (
    Options,
    Scope,
    Settings,
    evaluation_tables,
    report_html,
    report_markdown,
    score_given,
)
from core.evaluate.inputs.mentions import catalogue, evaluate_mentions
from core.metrics import BESIDE
from core.ontology.lineage import Lineage

PLAIN = Settings(about="mentions", bootstrap=0)
IS_A = [("X:2", "X:1"), ("X:3", "X:1"), ("X:4", "X:2"), ("X:5", "X:4")]
SCOPE = Scope({"X:old": "X:2"}, name="older@1", lineage=lambda: Lineage({c for e in IS_A for c in e}, IS_A))


def close(value):
    return pytest.approx(value, abs=1e-9)


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def link(mention, concept, doc=None):
    return {"mention_id": mention, "concept_id": concept, "doc_id": doc, "text": f"words of {mention}"}


GOLD = [
    link("m1", "NIL", "d1"),
    link("m2", "NIL", "d1"),
    link("m3", "X:1", "d2"),
    link("m4", "X:2", "d2"),
    link("m4", "X:3", "d2"),  # a mention of two concepts is two items
    link("m5", "X:4", "d3"),
]
SAID = [
    link("m1", "NIL"),
    link("m2", "X:1"),
    link("m3", "X:1"),
    link("m4", "X:2"),
    link("m5", None),
    link("m9", "X:1"),
]
"""Right: m1, m3, m4 as X:2. 6 items: 2 NIL, 4 concepts; predicted 1 NIL, 4 concepts (m4 for both of its)."""


def linked(tmp_path, gold=GOLD, said=SAID, settings=PLAIN, scope=None):
    files = write(tmp_path / "said.jsonl", *said), write(tmp_path / "gold.jsonl", *gold)
    return evaluate_mentions(*files, settings, scope)


def values(result):
    return {name: e.value for name, e in result.estimates.items()}


def test_discovery_by_hand(tmp_path):
    found = linked(tmp_path)
    assert values(found.families["discovery"]) == {
        "accuracy": close(3 / 6),
        "nil_precision": close(1 / 1),
        "nil_recall": close(1 / 2),
        "nil_f1": close(2 / 3),
        "in_kb_precision": close(2 / 4),
        "in_kb_recall": close(2 / 4),
        "in_kb_f1": close(2 / 4),
        "in_kb_detection_precision": close(3 / 4),
        "in_kb_detection_recall": close(3 / 4),
        "in_kb_detection_f1": close(3 / 4),
    }
    assert found.beside == {"mentions": 5, "items": 6, "unpredicted_mentions": 0, "unscored_mentions": 1}
    assert found.to_json()["rows"][-1] == {
        "mention_id": "m5",
        "doc_id": "d3",
        "gold": "X:4",
        "predicted": None,
    }


def test_every_cell_of_discovery_opens_as_many_mentions_as_it_counts(tmp_path):
    result = linked(tmp_path).families["discovery"]
    strata, confusion, overall = result.tables
    counted = 0
    for table in (strata, confusion, overall):
        for row, cells in enumerate(table.rows):
            for column, cell in enumerate(cells):
                key = table.key_at(row, column)
                if key is not None and isinstance(cell, int):
                    assert len(result.open(key)) == cell, key
                    counted += 1
    assert counted == 9 + 8 + 2
    assert [row[1:] for row in confusion.rows] == [(1, 0, 1, 0), (0, 2, 1, 1)]
    (item,) = result.open("confusion:concept:other")
    assert (item.doc_id, item.id, item.detail) == ("d2", "m4", "“words of m4”: gold X:3, predicted X:2")
    for key in ("confusion:concept", "confusion:nil:maybe", "elsewhere"):
        with pytest.raises(KeyError):
            result.open(key)


def test_intervals_resample_documents_as_the_gold_names_them(tmp_path):
    # d1 1 of 2 right, d2 2 of 3, d3 0 of 1: all of a sample from d2 gives 2/3, all from d3 gives 0
    found = linked(tmp_path, settings=Settings(about="mentions", bootstrap=2000, level=0.99))
    accuracy = found.families["discovery"].estimates["accuracy"]
    assert (accuracy.low, accuracy.high) == (close(0.0), close(2 / 3))
    assert "documents, as the gold names them" in found.notes[0]
    alone = linked(tmp_path, [{**row, "doc_id": None} for row in GOLD])
    assert "too narrow" in alone.notes[0]
    assert found.families["discovery"].resampled["accuracy"].shape == (2000,)


def test_with_the_older_version_what_it_lacks_is_nil_and_old_ids_are_read_as_the_new_ones(tmp_path):
    gold = [link("m1", "X:99"), link("m2", "X:old"), link("m3", "X:2")]
    said = [link("m1", "NIL"), link("m2", "X:2"), link("m3", "X:old")]
    assert values(linked(tmp_path, gold, said).families["discovery"])["accuracy"] == 0
    found = linked(tmp_path, gold, said, scope=SCOPE)
    assert values(found.families["discovery"])["accuracy"] == 1
    assert "older@1 does not hold, read as NIL: 1." in found.notes[1]


def edges(mention, *held, doc=None):
    rows = [dict(zip(("parent", "child", "score"), edge, strict=False)) for edge in held]
    return {"mention_id": mention, "doc_id": doc, "edges": rows}


RIGHT = [
    {"metadata": {"edges": 40}},
    edges("m1", ("X:1", "X:2"), doc="d1"),
    edges("m1", ("X:1", None), doc="d1"),  # one edge a line is the same as all in one
    edges("m2", ("X:1", "X:2"), doc="d2"),
    edges("m3", doc="d2"),
]
RANKED = [
    edges("m1", ("X:1", "X:3"), ("X:1", "X:2"), ("X:1", "X:2"), ("X:2", "X:3"), ("X:1", None)),
    edges("m2", ("X:2", "X:3")),
    edges("m4", ("X:2", "X:3")),
]
"""As in tests/metrics/test_placement.py: ranks 2, 4 and none; M = 2, G = 3, N = 40."""


def placed(tmp_path, gold=RIGHT, said=RANKED, settings=PLAIN, scope=None):
    files = write(tmp_path / "said.jsonl", *said), write(tmp_path / "gold.jsonl", *gold)
    return evaluate_mentions(*files, settings, scope)


def test_placement_by_hand(tmp_path):
    found = placed(tmp_path)
    result = found.families["placement"]
    got = values(result)
    assert got["precision:5"] == close(2 / (5 * 2))
    assert got["recall:5"] == close(2 / 3)
    assert got["mr"] == close((2 + 4 + 40) / 3)
    assert got["mrr"] == close((1 / 2 + 1 / 4) / 3)
    assert got["mrr_scaled"] == close((1 + 1 + 1 / 4) / 3)
    assert found.beside == {
        "mentions": 2,
        "gold_edges": 3,
        "edges_in_the_catalogue": 40,
        "mentions_without_gold_edges": 1,
        "unranked_mentions": 0,
        "unscored_mentions": 1,
    }
    cuts, ranks, where = result.tables
    assert [row[1] for row in cuts.rows] == [0, 2, 2, 2]
    assert [row[1] for row in where.rows] == [0, 2, 0, 0, 0, 1]
    for table in (cuts, where):
        for row, cells in enumerate(table.rows):
            assert len(result.open(table.key_at(row, 1))) == cells[1]
    assert [item.detail for item in result.open(ranks.key_at(0, 1))] == ["rank 4", "rank 2", "not ranked"]
    for key in ("hits:7", "bin:9", "mean"):
        with pytest.raises(KeyError):
            result.open(key)


def test_scores_order_a_ranking_and_equal_ones_by_parent_and_child(tmp_path):
    said = [edges("m1", ("X:2", "X:3", 0.5), ("X:1", "X:2", 0.5), ("X:1", None, 0.9))]
    found = placed(tmp_path, said=said)
    assert [row["rank"] for row in found.to_json()["rows"]] == [1, 2, None]


def test_without_the_size_of_the_catalogue_ranks_are_undefined_where_an_edge_is_unranked(tmp_path):
    found = placed(tmp_path, gold=RIGHT[1:], settings=Settings(about="mentions", bootstrap=100)).families[
        "placement"
    ]
    got = found.estimates
    assert [name for name, e in got.items() if e.value is None] == ["mr", "mr_macro", "mrr_scaled"]
    assert "catalogue is not known" in got["mr"].reason
    assert got["mrr"].low is not None
    whole = placed(tmp_path, gold=RIGHT[1:3]).families["placement"]
    assert values(whole)["mr"] == close(3)


def test_the_catalogue_of_an_ontology(tmp_path):
    # 5 concepts without a child; one step 1-2, 1-3, 2-4, 4-5; two steps 1-4, 2-5
    assert catalogue(SCOPE.lineage()) == 5 + 4 + 2
    found = placed(tmp_path, gold=RIGHT[1:], scope=SCOPE)
    assert values(found.families["placement"])["mr"] == close((2 + 4 + 11) / 3)
    assert "Edges in the catalogue: 11, counted in older@1" in found.notes[1]


def test_what_cannot_be_scored_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"said\.jsonl holds mentions with edges and gold\.jsonl holds"):
        linked(tmp_path, said=RANKED)
    with pytest.raises(InputError, match="share no mention"):
        linked(tmp_path, said=[link("m8", "X:1")])
    with pytest.raises(InputError, match="mention 'm1': gold has a concept, or NIL"):
        linked(tmp_path, gold=[link("m1", None)])
    with pytest.raises(InputError, match="two predictions for mention 'm1'"):
        linked(tmp_path, said=[link("m1", "X:1"), link("m1", "X:2")])
    with pytest.raises(InputError, match="mention 'm1' in two documents"):
        linked(tmp_path, gold=[link("m1", "X:1", "d1"), link("m1", "X:2", "d2")])
    with pytest.raises(InputError, match="more edges than the 3 of the catalogue"):
        placed(tmp_path, gold=[{"metadata": {"edges": 3}}, *RIGHT[1:]])
    for bad in ({"bootstrap": -1}, {"seed": -1}, {"level": 1.0}):
        with pytest.raises(InputError):
            Settings(about="mentions", **bad)


def test_given_by_name_reports_and_tables(tmp_path, workspace):
    said, gold = write(tmp_path / "said.jsonl", *SAID), write(tmp_path / "gold.jsonl", *GOLD)
    found = score_given(None, str(said), str(gold), Options(counting={"bootstrap": 100, "seed": 3}))
    assert found.settings.to_json() == {"bootstrap": 100, "seed": 3, "level": 0.95}
    assert evaluation_tables(found)[0].title.startswith("file:said.jsonl@")
    assert set(found.families["discovery"].estimates) == set(BESIDE["discovery"].metrics)
    for text in (report_markdown(found), report_html(found, figures=False)):
        assert "out-of-KB (NIL)" in text
        assert "resample documents" in text
    with pytest.raises(InputError, match=r"said.jsonl holds mentions, which are scored against a file"):
        score_given(workspace, str(said), "reviewed@now:agreed")


def test_two_new_concepts_of_one_mention_stay_two_items(tmp_path):
    """X:10 and X:11 are both NIL in the older version: one right of three items, not one of two."""
    gold = [link("m1", "X:10", "d1"), link("m1", "X:11", "d1"), link("m2", "X:3", "d1")]
    said = [link("m1", "X:1"), link("m2", "X:3")]
    found = linked(tmp_path, gold, said, scope=SCOPE)
    result = found.families["discovery"]
    assert result.estimates["accuracy"].value == close(1 / 3)
    assert (found.beside["items"], len(found.rows)) == (3, 3)
    missed = [item.detail for item in result.open("nil_recall")]
    assert [("X:10" in detail, "X:11" in detail) for detail in missed] == [(True, False), (False, True)]
    # a row that stands twice is one item still
    assert linked(tmp_path, [*gold, gold[0]], said, scope=SCOPE).beside["items"] == 3
