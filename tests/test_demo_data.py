"""The demonstration data keep what `data/README.md` and their own headers say of them."""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
import warnings
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.formats.documents import DocumentsFile

DEMO = Path(__file__).parents[1] / "data" / "demo"
ROOT = "HP:0000118"

# S4 Tables 14, 15 and 23: the six conflict types, the thirteen axes, the eight claim types.
CONFLICT_TYPES = {
    "no_conflict",
    "direct_contradiction",
    "contextual_contradiction",
    "underspecified_apparent_contradiction",
    "evidence_insufficiency",
    "unresolved_scientific_controversy",
}
AXES = {
    "population_cohort",
    "geography",
    "year_time_period",
    "assay_measurement_protocol",
    "study_design",
    "dosage_intervention",
    "disease_subtype",
    "organism_strain_lineage",
    "gene_mutation_molecular_background",
    "clinical_setting",
    "sample_source",
    "endpoint_definition",
    "unknown_latent_factor",
}
CLAIM_TYPES = {
    "factual",
    "efficacy",
    "prognostic",
    "correlational",
    "prevalence",
    "causal",
    "mechanistic",
    "recommendation",
}


def terms_of(lines: list[str]) -> dict[str, dict[str, Any]]:
    """The term stanzas of an OBO file by plain splitting: id to name, def, synonyms, is_a, obsolete."""
    terms: dict[str, dict[str, Any]] = {}
    term: dict[str, Any] = {}
    for line in lines:
        key, _, value = line.partition(": ")
        if line.startswith("["):
            term = {"name": "", "def": "", "synonyms": {}, "is_a": set(), "obsolete": False}
        elif key == "id" and value.startswith("HP:"):
            terms[value] = term
        elif key == "name":
            term["name"] = value
        elif key == "def":
            term["def"] = value[1 : value.rindex('"')]
        elif key == "is_a":
            term["is_a"].add(value.partition(" ! ")[0].strip())
        elif key == "is_obsolete":
            term["obsolete"] = value == "true"
        elif key == "synonym":
            closing = value.rindex('" ')
            scope, *kind = value[closing + 2 : value.rindex("[")].split()
            term["synonyms"][value[1:closing]] = (scope, kind[0] if kind else None)
    return terms


@pytest.fixture(scope="module")
def demo() -> dict[str, dict[str, Any]]:
    return terms_of((DEMO / "hpo-demo.obo").read_text(encoding="utf-8").split("\n"))


@pytest.fixture(scope="module")
def passages() -> dict[str, Any]:
    return json.loads((DEMO / "passages.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pairs() -> list[dict[str, Any]]:
    lines = (DEMO / "abstract_pairs.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


# --- the ontology -----------------------------------------------------------------------------------------


def test_ontology_loads_in_pronto_without_a_warning(demo: dict[str, Any]) -> None:
    import pronto

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ontology = pronto.Ontology(str(DEMO / "hpo-demo.obo"))
    assert ontology.metadata.ontology == "hpo-demo"
    assert ontology.metadata.data_version == "demo-1"
    assert {t.id: t.name for t in ontology.terms()} == {curie: t["name"] for curie, t in demo.items()}
    assert {t.id for t in ontology[ROOT].subclasses()} == set(demo)


def test_ontology_is_one_tree_of_terms_with_several_branches(demo: dict[str, Any]) -> None:
    assert 180 <= len(demo) <= 230
    assert [curie for curie, term in demo.items() if not term["is_a"]] == [ROOT]
    assert set().union(*(t["is_a"] for t in demo.values())) <= set(demo)
    branches = {t["name"] for t in demo.values() if ROOT in t["is_a"]}
    assert len(branches) >= 12
    assert {"Growth abnormality", "Abnormality of the eye", "Abnormality of the nervous system"} <= branches


def test_header_says_what_the_file_is() -> None:
    header = (DEMO / "hpo-demo.obo").read_text(encoding="utf-8").partition("[Term]")[0]
    for words in ("release 2024-02-08", "https://hpo.jax.org/license", "extract", "written for this project"):
        assert words in header


def read_release(folder: Path, name: str) -> dict[str, dict[str, Any]]:
    with gzip.open(folder / "ontology" / name, "rt", encoding="utf-8") as file:
        return terms_of(file.read().split("\n"))


@pytest.fixture(scope="module")
def releases(shared_data: Path) -> list[dict[str, dict[str, Any]]]:
    """HPO 2024-02-08 (rebuilt), 2017-04-13 and 2015-01-27."""
    names = ("hp-2024-02-08-rebuilt.obo.gz", "hp-2017-04-13.obo.gz", "hp-2015-01-27.obo.gz")
    return [read_release(shared_data, name) for name in names]


@pytest.mark.shared_data
def test_labels_and_hierarchy_are_those_of_the_release(
    demo: dict[str, Any], releases: list[dict[str, Any]]
) -> None:
    newest, middle, _ = releases
    assert not [curie for curie in demo if newest[curie]["obsolete"]]
    assert not [curie for curie in demo if curie in middle and middle[curie]["obsolete"]]
    assert {c: t["name"] for c, t in demo.items()} == {c: newest[c]["name"] for c in demo}
    # every direct edge between two terms of the extract, and no other
    expected = {c: newest[c]["is_a"] & set(demo) for c in demo}
    assert {c: t["is_a"] for c, t in demo.items()} == expected


@pytest.mark.shared_data
def test_synonyms_occur_in_a_release(demo: dict[str, Any], releases: list[dict[str, Any]]) -> None:
    def names(term: dict[str, Any]) -> set[str]:
        return {s.lower() for s in term["synonyms"]} | {term["name"].lower()}

    checked = 0
    for curie, term in demo.items():
        known = set().union(*(names(release[curie]) for release in releases if curie in release))
        assert {s.lower() for s in term["synonyms"]} <= known, curie
        in_2017 = releases[1].get(curie, {"synonyms": {}})["synonyms"]
        for text, (scope, kind) in term["synonyms"].items():
            if text in in_2017:
                assert scope == in_2017[text][0], (curie, text)
                assert (kind == "layperson") == (in_2017[text][1] == "layperson"), (curie, text)
                checked += 1
    assert checked > 300


@pytest.mark.shared_data
def test_definitions_share_no_phrase_with_the_release(
    demo: dict[str, Any], releases: list[dict[str, Any]]
) -> None:
    def phrases(text: str, length: int = 6) -> set[tuple[str, ...]]:
        words = re.findall(r"\w+", text.lower())
        return {tuple(words[i : i + length]) for i in range(max(1, len(words) - length + 1))} - {()}

    assert sum(bool(t["def"]) for t in demo.values()) > 100
    for curie, term in demo.items():
        for release in releases:
            if curie in release:
                assert not phrases(term["def"]) & phrases(release[curie]["def"]), curie


# --- the passages -----------------------------------------------------------------------------------------


def annotations(passages: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(d, a) for d in passages["documents"] for a in d["annotations"]]


@pytest.mark.parametrize(("file", "count"), [("passages.json", 40), ("abstracts.json", 24)])
def test_files_are_concept_documents(file: str, count: int) -> None:
    read = DocumentsFile.model_validate_json((DEMO / file).read_bytes())
    assert len({d.doc_id for d in read.documents}) == len(read.documents) == count
    assert all(d.title and d.article and d.text for d in read.documents)
    assert read.metadata.language == "en"


def test_passages_are_of_the_promised_length(passages: dict[str, Any]) -> None:
    lengths = {d["doc_id"]: len(d["text"].split()) for d in passages["documents"]}
    assert {k: n for k, n in lengths.items() if not 60 <= n <= 180} == {}


def test_every_span_is_where_the_file_says(passages: dict[str, Any]) -> None:
    for document, a in annotations(passages):
        found = document["text"][a["start_offset"] : a["end_offset"]]
        assert found == a["text_span"] == a["text_span"].strip() != "", (document["doc_id"], a)


def test_no_annotation_occurs_twice(passages: dict[str, Any]) -> None:
    seen = Counter(
        (d["doc_id"], a["concept_id"], a["start_offset"], a["end_offset"]) for d, a in annotations(passages)
    )
    assert max(seen.values()) == 1


def test_every_concept_is_in_the_demo_ontology_under_its_label(
    passages: dict[str, Any], demo: dict[str, Any]
) -> None:
    for document, a in annotations(passages):
        assert demo[a["concept_id"]]["name"] == a["label"], document["doc_id"]
    used = {a["concept_id"] for _, a in annotations(passages)}
    assert len(used) > 100
    assert all(demo[curie]["def"] for curie in used)


def test_passages_show_what_they_are_there_to_show(passages: dict[str, Any]) -> None:
    metadata = passages["metadata"]
    assert metadata["is_exhaustively_annotated"] is True
    assert "by hand" in metadata["annotation_guidelines"]
    assert "not for measuring" in metadata["annotation_guidelines"]
    statuses = Counter(a["assertion_status"] for _, a in annotations(passages))
    assert statuses.keys() == {"affirmed", "negated", "uncertain"}
    assert min(statuses.values()) >= 10
    classes = Counter(a["class"] for _, a in annotations(passages))
    assert classes.keys() == {"explicit", "logically_implicit", "pragmatically_implicit"}
    assert min(classes.values()) >= 20
    assert sum(not d["annotations"] for d in passages["documents"]) == 2
    assert len({d["article"] for d in passages["documents"]}) < 40, "some articles have several passages"


def test_some_mentions_overlap(passages: dict[str, Any]) -> None:
    overlapping = 0
    for d in passages["documents"]:
        spans = sorted((a["start_offset"], a["end_offset"]) for a in d["annotations"])
        overlapping += any(b[0] < a[1] for a, b in pairwise(spans))
    assert overlapping >= 4


def test_one_passage_tells_code_points_from_bytes_and_utf16(passages: dict[str, Any]) -> None:
    def telling(document: dict[str, Any]) -> bool:
        before = document["text"][: max((a["start_offset"] for a in document["annotations"]), default=0)]
        combining = any(unicodedata.combining(c) for c in before)
        greek = any("GREEK" in unicodedata.name(c, "") for c in before)
        return combining and greek and any(ord(c) > 0xFFFF for c in before)

    assert sum(map(telling, passages["documents"])) == 1


# --- the silver labels ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def silver() -> dict[str, Any]:
    return json.loads((DEMO / "silver.json").read_text(encoding="utf-8"))


def test_silver_says_that_it_was_written_by_hand(silver: dict[str, Any]) -> None:
    guidelines = silver["metadata"]["annotation_guidelines"]
    assert "Written by hand for the demonstration, in the manner of a careless model" in guidelines
    assert "no machine made these labels" in guidelines
    assert "not for measuring" in silver["metadata"]["provenance"]


def test_silver_names_known_concepts_and_quotes_its_texts(
    silver: dict[str, Any], passages: dict[str, Any], demo: dict[str, Any]
) -> None:
    texts = {d["doc_id"]: d["text"] for d in passages["documents"]}
    assert {d["doc_id"] for d in silver["documents"]} == set(texts)
    for document, a in annotations(silver):
        assert demo[a["concept_id"]]["name"] == a["label"]
        found = texts[document["doc_id"]][a["start_offset"] : a["end_offset"]]
        assert found == a["text_span"], (document["doc_id"], a)
        assert 0 < a["confidence"] < 1
    assert max(Counter((d["doc_id"], a["concept_id"]) for d, a in annotations(silver)).values()) == 1
    assert 100 <= sum(1 for _ in annotations(silver)) <= 320


def test_what_gold_lacks_is_told_in_its_guidelines(passages: dict[str, Any]) -> None:
    told = passages["metadata"]["annotation_guidelines"]
    assert "Epistaxis in demo-033 and Constipation in demo-035" in told
    held = {(d["doc_id"], a["label"]) for d, a in annotations(passages)}
    assert not held & {("demo-033", "Epistaxis"), ("demo-035", "Constipation")}


# --- the decisions ----------------------------------------------------------------------------------------


def test_decisions_are_of_three_curators_without_names_or_stopwatch() -> None:
    rows = [json.loads(line) for line in (DEMO / "decisions.jsonl").read_text("utf-8").splitlines()]
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    assert {row["curator"] for row in rows} == {"curator-a", "curator-b", "curator-c"}
    assert {row["action"] for row in rows if row["curator"] == "curator-c"} == {"adjudicate"}
    assert {row["milliseconds"] for row in rows} == {None}, "nobody was timed"


# --- the claim pairs --------------------------------------------------------------------------------------


def test_abstracts_are_those_of_the_pairs(pairs: list[dict[str, Any]]) -> None:
    corpus = json.loads((DEMO / "abstracts.json").read_text(encoding="utf-8"))
    of_pairs = {
        r[f"claim_{s}_article_uid"]: (r[f"title_{s}"], r[f"abstract_{s}"]) for r in pairs for s in "ab"
    }
    assert len(pairs) == 12
    assert {d["doc_id"]: (d["title"], d["text"]) for d in corpus["documents"]} == of_pairs
    assert not any(d["annotations"] for d in corpus["documents"])
    assert all(90 <= len(text.split()) <= 160 for _, text in of_pairs.values())


def test_pairs_are_labelled_within_the_schema_and_show_all_of_it(pairs: list[dict[str, Any]]) -> None:
    assert {r["conflict_type"] for r in pairs} == CONFLICT_TYPES
    assert {axis for r in pairs for axis in r["divergence_axes"]} == AXES
    assert {r[f"claim_{s}_type"] for r in pairs for s in "ab"} <= CLAIM_TYPES
    assert len({r["domain"] for r in pairs}) == 5
    for key in ("pair_id", "example_id"):
        assert len({r[key] for r in pairs}) == 12


def test_silver_labels_are_of_the_same_pairs_and_say_that_they_were_written_by_hand(
    pairs: list[dict[str, Any]],
) -> None:
    rows = [json.loads(line) for line in (DEMO / "silver_pairs.jsonl").read_text("utf-8").splitlines()]
    claims = [key for key in pairs[0] if key.startswith("claim_")]
    assert [[r[key] for key in claims] for r in rows] == [[r[key] for key in claims] for r in pairs]
    assert {r["conflict_type"] for r in rows} == CONFLICT_TYPES
    assert {r["label_origin"] for r in rows} == {"person"}
    assert all("no machine made them" in r["provenance"] for r in rows)


def test_labels_of_a_pair_are_consistent(pairs: list[dict[str, Any]]) -> None:
    for r in pairs:
        axes, confounder = r["divergence_axes"], r["dominant_confounder"]
        assert len(set(axes)) == len(axes), r["pair_id"]
        assert confounder is None or confounder in axes, r["pair_id"]
        if r["conflict_type"] in ("no_conflict", "direct_contradiction"):
            assert (axes, confounder) == ([], None), r["pair_id"]
        if r["conflict_type"] == "contextual_contradiction":
            assert confounder, r["pair_id"]
        assert r["reconciliation"]
        assert "by hand" in r["provenance"]
        assert "not for measuring" in r["provenance"]


def test_claims_and_evidence_stand_where_the_pair_says(pairs: list[dict[str, Any]]) -> None:
    for r in pairs:
        claims = {}
        for s in "ab":
            start, end = r[f"claim_{s}_sentence_start"], r[f"claim_{s}_sentence_end"]
            assert r[f"abstract_{s}"][start:end] == r[f"claim_{s}_text"]
            claims[r[f"claim_{s}_article_uid"]] = r[f"claim_{s}_text"]
            abstract = r[f"abstract_{s}"].lower() + r[f"title_{s}"].lower()
            assert all(entity.lower() in abstract for entity in r["entities"]), r["pair_id"]
        for span in r["evidence_spans"]:
            assert span["frame"] == "claim_text"
            assert span["role"] in ("finding", "context")
            assert claims[span["article_uid"]][span["start"] : span["end"]] == span["text"] != ""
        assert {span["article_uid"] for span in r["evidence_spans"]} == set(claims), r["pair_id"]
