"""The labelled sentences: what their files hold, and that the extractor keeps what it reached on them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from core.records import ClaimType
from tests.benchmarks.quality_claims import LABELLED, articles, extracted, judged, labelled, scores

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", LABELLED)
def test_a_file_says_by_which_rule_it_was_labelled_and_holds_no_text(name: str) -> None:
    head, *rows = map(json.loads, (HERE / name).read_text(encoding="utf-8").splitlines())
    assert {"about", "labelled", "rule", "types", "seed"} <= head.keys()
    assert set(head["types"]) == {kind.value for kind in ClaimType}
    assert len(rows) >= 200
    for row in rows:
        typed = {"type"} if row["claim"] else set()
        assert row.keys() == {"source", "doc_id", "start", "end", "digest", "claim"} | typed
        assert 0 <= row["start"] < row["end"]
        assert len(row["digest"]) == 16


def test_no_abstract_is_in_both_files() -> None:
    first, second = ({row["doc_id"] for row in labelled(name)} for name in LABELLED)
    assert not first & second


@pytest.mark.shared_data
@pytest.mark.parametrize(("name", "least"), [(LABELLED[0], 0.90), (LABELLED[1], 0.88)])
def test_claims_are_told_from_other_sentences_as_well_as_before(
    shared_data: Path, name: str, least: float
) -> None:
    """Floors a little below what `tests/benchmarks/quality_claims.py` prints, so that a loss is noticed."""
    rows = labelled(name)
    texts = {
        uid: article
        for source in {row["source"] for row in rows}
        for uid, article in articles(shared_data, source).items()
    }
    table, _ = judged(rows, texts, extracted)
    assert Counter(row["doc_id"] for row in rows).keys() <= texts.keys()
    assert scores(table.sum(axis=0, keepdims=True))[0, 2] >= least
