"""Counts of a release on four rows counted by hand, and the card that tells them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from core.conflicts.package.card import Card, card
from core.conflicts.package.features import features
from core.conflicts.package.fields import described, families
from core.conflicts.package.licences import one_licence
from core.conflicts.package.phrases import is_clause
from core.conflicts.package.statistics import Construction, Tally, tokens
from core.formats.pairs import PairRow
from core.metrics.leakage import audit
from core.records import PRIMARY_AXES, Axis, ClaimType, ConflictType


def row(number: int, kind: str, axes: list[str], confounder: str | None = None, **more: Any) -> PairRow:
    value: dict[str, Any] = {
        "pair_id": f"p{number}",
        "domain": "amr",
        "claim_a_text": "Alpha rose by 2.5%.",  # Alpha rose by 2 . 5 % . -> 8 tokens
        "claim_a_article_uid": f"a{number}",
        "claim_b_text": "Beta fell.",  # 3 tokens
        "claim_b_article_uid": "shared",
        "abstract_a": "Alpha rose by 2.5%.",
        "abstract_b": "We looked. Beta fell.",  # 6 tokens
        "conflict_type": kind,
        "divergence_axes": axes,
        "dominant_confounder": confounder,
    }
    return PairRow.model_validate(value | more)


@pytest.fixture
def tally() -> Tally:
    found = Tally()
    two = ["geography", "study_design"]
    found.add("train", row(1, "contextual_contradiction", two, "geography"))
    found.add("train", row(2, "no_conflict", [], label_origin="heuristic"))
    found.add("dev", row(3, "contextual_contradiction", ["geography"], "geography", domain="genomics"))
    found.add("test", row(4, "no_conflict", [], label_origin="person", seen_by_person=True, abstract_a=None))
    return found


CONSTRUCTION = {
    "amr": Construction({"pubmed": 5, "europepmc": 2}, abstracts=7, claims=9, candidate_pairs=6),
    "oncology": Construction({"pubmed": 1}, abstracts=1),
}
CLAIMS = {("amr", ClaimType.FACTUAL): 6, ("amr", ClaimType.CAUSAL): 3, ("genomics", ClaimType.FACTUAL): 3}


def test_tables_counted_by_hand(tally: Tally) -> None:
    found = tally.to_json(CONSTRUCTION, CLAIMS)
    assert found["examples"] == {"train": 2, "dev": 1, "test": 1, "total": 4}
    assert found["domains"]["amr"] == {
        "sources": {"europepmc": 2, "pubmed": 5},
        "abstracts": 7,
        "claims": 9,
        "candidate_pairs": 6,
        "final_pairs": 3,
        "train": 2,
        "dev": 0,
        "test": 1,
    }
    assert found["domains"]["oncology"]["final_pairs"] == 0
    assert found["domains"]["genomics"]["candidate_pairs"] == 0
    assert list(found["conflict_types"]) == [kind.value for kind in ConflictType]
    assert found["conflict_types"]["contextual_contradiction"] == {"train": 1, "dev": 1, "test": 0}
    assert found["divergence_axes"]["geography"] == {"train": 1, "dev": 1, "test": 0}
    assert list(found["divergence_axes"]) == [axis.value for axis in Axis]
    assert found["dominant_confounders"] == {"geography": 2, "none": 2}
    assert found["label_origins"]["model"] == {"train": 1, "dev": 1, "test": 0}
    assert found["seen_by_person"] == {"train": 0, "dev": 0, "test": 1}
    assert found["axes_per_example"] == 3 / 4
    assert found["claim_tokens"] == {"mean": (8 + 3) / 2, "median": 5.5, "n": 8}
    # side a of three rows has 8 tokens, side b of four has 6
    assert found["abstract_tokens"] == {"mean": (3 * 8 + 4 * 6) / 7, "median": 6, "n": 7}
    assert found["claim_types"]["factual"] == {"count": 9, "share": 9 / 12}
    assert found["claim_types"]["mechanistic"] == {"count": 0, "share": 0.0}
    assert found["claims_by_domain"] == {"amr": 9, "genomics": 3}


def test_thresholds_are_inclusive() -> None:
    found = Tally()
    for number in range(100):
        axes = ["geography"] if number < 40 else ["study_design"] if number < 79 else []
        found.add("test", row(number, "contextual_contradiction", axes))
    for number in range(99):
        found.add("test", row(number, "no_conflict", []))
    said = found.to_json({}, {})["evaluable"]
    assert said["classes"] == ["contextual_contradiction"]
    assert said["exploratory"][:2] == ["no_conflict", "direct_contradiction"]
    assert said["axes_reached"] == ["geography"]
    assert len(said["primary_axes"]) == 9
    assert said["primary_axes_not_reached"] == [a.value for a in PRIMARY_AXES if a is not Axis.GEOGRAPHY]


def test_nothing_has_no_means() -> None:
    found = Tally().to_json({}, {})
    assert found["axes_per_example"] is None
    assert found["claim_tokens"] == {"mean": None, "median": None, "n": 0}
    assert found["claim_types"]["factual"] == {"count": 0, "share": None}


def test_tokens_are_words_and_signs() -> None:
    assert [tokens(text) for text in ("", "p < 0.05", "naïve T-cells")] == [0, 5, 4]


def test_columns_are_those_of_the_schema() -> None:
    found = features()
    assert [one["name"] for one in found] == list(PairRow.model_fields)
    by_name = {one.pop("name"): one for one in found}
    assert by_name["pub_year_a"] == {"dtype": "int64"}
    names = {str(number): kind.value for number, kind in enumerate(ConflictType)}
    assert by_name["conflict_type"] == {"dtype": {"class_label": {"names": names}}}
    assert by_name["divergence_axes"] == {"sequence": "string"}
    assert [one["name"] for one in by_name["claim_a_slots"]["struct"]][-1] == "numbers"
    assert by_name["evidence_spans"]["list"][2] == {"name": "start", "dtype": "int64"}


def test_every_column_is_described() -> None:
    told = families(list(PairRow.model_fields))
    assert [name for _, names in told for name in sorted(names)] != []
    assert {name for _, names in told for name in names} == set(PairRow.model_fields)
    assert described("claim_b_text") == described("claim_a_text")


@pytest.mark.parametrize(
    ("licences", "named"),
    [
        ({}, "unknown"),
        ({"CC BY": 2, "": 1}, "unknown"),
        ({"cc-by": 3}, "cc-by-4.0"),
        ({"cc by": 1, "cc0": 1}, "other"),
    ],
)
def test_the_hub_gets_one_licence(licences: dict[str, int], named: str) -> None:
    assert one_licence(licences) == named


@pytest.mark.parametrize("words", ["low-dose aspirin", "early mobilisation after surgery of the hip"])
def test_a_name_is_no_clause(words: str) -> None:
    assert not is_clause(words)


@pytest.mark.parametrize("words", ["patients who took aspirin had fewer strokes", " ".join(["word"] * 15)])
def test_a_clause_is_told_from_a_name(words: str) -> None:
    assert is_clause(words)


def test_the_card_says_who_looked_and_what_it_is_not_enough_for(tally: Tally) -> None:
    manifest: dict[str, Any] = {
        "leakage_mode": "article-disjoint",
        "allow_heuristic": False,
        "heuristic_confidence_threshold": 0.45,
        "heuristic_confidence_threshold_of_conflicts": 0.167,
        "left_out": {"pairs": 3, "reviewed": 1, "by_domain": {"amr": 3}},
        "per_domain": 2500,
        "seed": 13,
        "touchstone": "0",
        "gold": "reviewed@7:any",
        "source": {"run": "r", "made_by": "some-model", "corpus": "c", "articles": 8},
        "duplicates": {"duplicated_ids": 2, "surplus_rows": 3, "with_differing_types": 1},
    }
    leakage = {"test against train": audit([], []).to_json()}
    text = card(
        Card(
            "A title",
            manifest,
            tally.to_json(CONSTRUCTION, CLAIMS),
            leakage,
            annotators=["some-model"],
            curators=1,
            confidential=True,
        )
    )
    front, body = text.split("---\n")[1:3]
    assert yaml.safe_load(front)["configs"] == [
        {
            "config_name": "default",
            "default": True,
            "data_files": [{"split": s, "path": f"{s}.jsonl"} for s in ("train", "dev", "test")],
        }
    ]
    for words in (
        "People judged 1 of 4 pairs (1 person in all; reference `reviewed@7:any`)",
        "Evaluable classes: none.",
        "licence of the texts is unknown",
        "marked confidential",
        "3 rows were removed, and 1 of these ids had differing conflict types",
        "| amr | europepmc 2, pubmed 5 | 7 | 9 | 6 | 3 |",
        "| factual | 9 | 75.0 % |",
        "3 pairs that join articles of two splits were left out",
    ):
        assert words in body, words
