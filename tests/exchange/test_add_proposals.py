"""Silver in: one proposal for each document and concept, evidence kept, everything odd counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError
from core.exchange import add_proposals
from core.records import Assertion, ConceptClass, Evidence, Proposal
from core.store import Workspace, corpora, proposals, runs
from tests.exchange.conftest import TEXTS, label

LABELS = [
    {
        "doc_id": "d1",
        "annotations": [
            label(
                "HP:0001250",
                assertion_status="negated",
                text_span="seizures",
                start_offset=3,
                end_offset=11,
                confidence=0.99,
                reason="no",
            ),
            label(
                "HP:0002279",
                assertion_status="uncertain",
                text_span="seizures",
                start_offset=20,
                end_offset=28,
                confidence=0.3,
            ),
            label(
                "HP:0001250",
                text_span="seizure",
                start_offset=20,
                end_offset=27,
                confidence=0.4,
                reason="later",
                **{"class": "logically_implicit"},
            ),
            label("HP:0001250", text_span="convulsions", start_offset=3, end_offset=11, confidence=0.6),
            label("HP:0009999", label="Made up"),
        ],
    },
    {
        "doc_id": "d2",
        "text": TEXTS["d2"],
        "annotations": [label("HP:0000957", label="Coffee spots", text_span="spots")],
    },
]


def stored(workspace: Workspace, run: str) -> dict[tuple[str, str], Proposal]:
    doc_ids = {p: d for d, p in corpora.passage_ids(workspace, "tiny").items()}
    return {(doc_ids[one.passage_id], one.concept): one for one in proposals.of_run(workspace, run)}


def test_labels_become_proposals(corpus: Workspace, write) -> None:
    report = add_proposals(
        corpus, write("silver.jsonl", LABELS), run="r1", source="tool 1.0", corpus="tiny", ontology="hp"
    )
    found = stored(corpus, "r1")
    assert set(found) == {("d1", "HP:0001250"), ("d1", "HP:0009999"), ("d2", "HP:0000957")}

    seizure = found["d1", "HP:0001250"]
    assert (seizure.label, seizure.assertion) == ("Seizure", Assertion.AFFIRMED)
    # class and confidence of the affirmed labels, not of the negated or the uncertain one
    assert (seizure.concept_class, seizure.confidence) == (ConceptClass.LOGICALLY_IMPLICIT, 0.6)
    assert seizure.reason == "no; later"
    assert seizure.evidence == (
        Evidence("seizures", 3, 11, True, Assertion.NEGATED),
        Evidence("seizures", 20, 28, True, Assertion.UNCERTAIN),
        Evidence("seizure", 20, 27, True),
        Evidence("convulsions", 3, 11, False),
    )
    made_up = found["d1", "HP:0009999"]
    assert (made_up.label, made_up.confidence, made_up.evidence) == ("Made up", None, ())
    spots = found["d2", "HP:0000957"]
    assert spots.label == "Cafe-au-lait spot"
    assert "'Coffee spots'" in str(spots.reason)
    assert spots.evidence == (Evidence("spots", 34, 39, True),)

    assert (report.documents, report.silent, report.labels, report.proposals) == (2, 1, 6, 3)
    assert (report.ungrounded, report.renamed, report.unclassified) == (1, 1, 2)
    assert report.unknown == {"HP:0009999": 1}
    assert report.ontology == "hp@1"
    run = runs.find_run(corpus, "r1")
    assert (run.kind, run.source, run.status, run.digest) == ("imported", "tool 1.0", "done", report.digest)
    assert run.settings["file"] == "silver.jsonl"
    assert "HP:0009999" in str(report)
    assert "not in the text, kept as ungrounded evidence: 1." in str(report)


def test_silence_is_an_answer(corpus: Workspace, write) -> None:
    add_proposals(corpus, write("s.jsonl", LABELS), run="r1", source="t", corpus="tiny")
    said = runs.predictions(corpus, "r1")
    assert said["d3"] == {}
    # without an ontology an alternative id stays what it is
    assert said["d1"] == {
        "HP:0001250": Assertion.AFFIRMED,
        "HP:0002279": Assertion.UNCERTAIN,
        "HP:0009999": Assertion.AFFIRMED,
    }


def test_an_item_is_shared_by_runs(corpus: Workspace, write) -> None:
    for run in ("r1", "r2"):
        add_proposals(corpus, write("s.jsonl", LABELS), run=run, source="t", corpus="tiny", ontology="hp")
    first, second = stored(corpus, "r1"), stored(corpus, "r2")
    assert {k: p.item_id for k, p in first.items()} == {k: p.item_id for k, p in second.items()}


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"doc_id": "d9", "annotations": []}, "doc_id"),
        ({"doc_id": "d1", "text": TEXTS["d1"] + ".", "annotations": []}, "text"),
        ({"doc_id": "d2", "text": TEXTS["d2"].replace("e\u0301", "\u00e9"), "annotations": []}, "text"),
        ({"doc_id": "d1", "annotations": [label("HP:1", confidence=7)]}, r"annotations\[0\].confidence"),
        (
            {"doc_id": "d1", "annotations": [label("HP:1", start_offset=3, end_offset=900)]},
            r"annotations\[0\]",
        ),
    ],
)
def test_one_bad_row_and_nothing_is_stored(corpus: Workspace, write, row, field) -> None:
    path = write("s.jsonl", [LABELS[1], row] if row["doc_id"] != "d2" else [row])
    with pytest.raises(InputError, match=rf"s\.jsonl, line \d, document '{row['doc_id']}', {field}:"):
        add_proposals(corpus, path, run="r1", source="t", corpus="tiny")
    assert runs.list_runs(corpus) == []
    assert corpus.db.execute("SELECT count(*) FROM items").fetchone()[0] == 0


def test_skip_bad(corpus: Workspace, write) -> None:
    path = write("s.jsonl", [{"doc_id": "d9", "annotations": []}, *LABELS])
    report = add_proposals(corpus, path, run="r1", source="t", corpus="tiny", skip_bad=True)
    assert (report.documents, report.faults) == (2, 1)
    assert Path(str(report.rejects)).read_text().count("\n") == 1


def test_what_is_missing_is_named(corpus: Workspace, write) -> None:
    path = write("s.jsonl", LABELS)
    with pytest.raises(NotFoundError, match="Known: tiny"):
        add_proposals(corpus, path, run="r1", source="t", corpus="tin")
    with pytest.raises(NotFoundError, match="Known: hp@1"):
        add_proposals(corpus, path, run="r1", source="t", corpus="tiny", ontology="go")
    with pytest.raises(InputError, match="cannot name a run"):
        add_proposals(corpus, path, run="r 1", source="t", corpus="tiny")
    add_proposals(corpus, path, run="r1", source="t", corpus="tiny")
    with pytest.raises(InputError, match="'r1' exists already"):
        add_proposals(corpus, path, run="r1", source="t", corpus="tiny")


def test_any_format_says_the_same(corpus: Workspace, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(
        "doc_id,hpo_id,text_span,start_offset,end_offset\nd1,HP:0001250,seizures,20,28\n"
    )
    (tmp_path / "s.pubtator").write_text("d1\t20\t28\tseizures\tX\tHP:0001250\n")
    for name in ("s.csv", "s.pubtator"):
        run = name.replace(".", "-")
        report = add_proposals(corpus, tmp_path / name, run=run, source="t", corpus="tiny")
        assert (report.proposals, report.ungrounded) == (1, 0)
        assert stored(corpus, run)["d1", "HP:0001250"].evidence == (Evidence("seizures", 20, 28, True),)


def test_skip_bad_leaves_out_the_label_and_not_its_document(corpus: Workspace, write) -> None:
    bad = [
        label("HP:0001250", text_span="seizures", start_offset=20, end_offset=28),
        label("HP:0004322", confidence=7),
        label("epilepsy"),
        label("HP:0001250", start_offset=3, end_offset=900),
        "HP:0001250",
        label("HP_0004322", text_span="short stature"),
    ]
    path = write("s.jsonl", [{"doc_id": "d1", "annotations": bad}, {"doc_id": "d9", "annotations": []}])
    with pytest.raises(InputError, match=r"annotations\[1\].confidence"):
        add_proposals(corpus, path, run="r1", source="t", corpus="tiny")
    report = add_proposals(corpus, path, run="r1", source="t", corpus="tiny", ontology="hp", skip_bad=True)
    assert (report.documents, report.labels, report.proposals, report.faults) == (1, 2, 2, 5)
    found = stored(corpus, "r1")
    assert found["d1", "HP:0001250"].evidence == (Evidence("seizures", 20, 28, True),)
    assert found["d1", "HP:0004322"].evidence == (Evidence("short stature", 35, 48, True),)
    rejects = [json.loads(line) for line in Path(str(report.rejects)).read_text().splitlines()]
    assert [(r["doc_id"], r["field"], r["row"]) for r in rejects] == [
        ("d1", "annotations[1].confidence", bad[1]),
        ("d1", "annotations[2].concept_id", bad[2]),
        ("d1", "annotations[4]", bad[4]),
        ("d1", "annotations[3]", bad[3]),
        ("d9", "doc_id", {"doc_id": "d9", "annotations": []}),
    ]


def test_skip_bad_goes_by_line_where_a_label_is_a_line(corpus: Workspace, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(
        "doc_id,hpo_id,text_span,start_offset,end_offset\n"
        "d1,HP:0001250,seizures,20,28\nd1,HP:0001250,seizures,x,28\n"
    )
    (tmp_path / "s.pubtator").write_text(
        "d1\t20\t28\tseizures\tX\tHP:0001250\nd1\tx\t28\tseizures\tX\tHP:0001250\n"
    )
    for name, row in (("s.csv", {"start_offset": "x"}), ("s.pubtator", "d1\tx\t28\tseizures\tX\tHP:0001250")):
        run = name.replace(".", "-")
        report = add_proposals(corpus, tmp_path / name, run=run, source="t", corpus="tiny", skip_bad=True)
        assert (report.proposals, report.faults) == (1, 1)
        (reject,) = map(json.loads, Path(str(report.rejects)).read_text().splitlines())
        assert (reject["line"], reject["doc_id"]) == (3 if name == "s.csv" else 2, "d1")
        assert reject["row"] == row or reject["row"].items() >= row.items()


def test_a_text_that_differs_by_white_space_is_aligned_and_told(corpus: Workspace, write) -> None:
    text = TEXTS["d1"].replace("Later, ", "\n\nLater,\u00a0")  # two more characters before the mention
    row = label("HP:0001250", text_span="seizures", start_offset=22, end_offset=30)
    path = write("s.jsonl", [{"doc_id": "d1", "text": text, "annotations": [row]}])
    report = add_proposals(corpus, path, run="r1", source="t", corpus="tiny")
    assert stored(corpus, "r1")["d1", "HP:0001250"].evidence == (Evidence("seizures", 20, 28, True),)
    assert "Texts that differ by white space only, offsets moved (d1): 1." in str(report)


def test_another_difference_is_named_with_its_document_and_place(corpus: Workspace, write) -> None:
    text = TEXTS["d1"].replace("Later", "  Earlier")
    path = write("s.jsonl", [{"doc_id": "d1", "text": text, "annotations": []}])
    words = r"document 'd1', text: the text differs .* from character 15 on: 'Earlier.* against 'Later, "
    with pytest.raises(InputError, match=words):
        add_proposals(corpus, path, run="r1", source="t", corpus="tiny")


def test_passages_without_ids_are_found_by_their_text(corpus: Workspace, tmp_path: Path) -> None:
    passages = [
        {"passage": TEXTS["d3"] + " ", "HPA concepts": [{"id": "HP_0001250", "name": "Fits"}]},
        {"passage": "Unheard of.", "HPA concepts": []},
    ]
    path = tmp_path / "ald.json"
    path.write_text(json.dumps(passages))
    report = add_proposals(
        corpus, path, run="r1", source="t", corpus="tiny", ontology="hp", format="hi-ald", skip_bad=True
    )
    assert {name: one.label for name, one in stored(corpus, "r1").items()} == {
        ("d3", "HP:0001250"): "Seizure"
    }
    assert report.rejected == (
        "ald.json, line 1, document '2', text: no document to label has this text: 'Unheard of.'",
    )


def test_a_folder_of_answers_is_one_run(corpus: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "d1.txt").write_text("[20:28]\tHP:0001250\tSeizure\tseizures")
    (folder / "d2").write_text("")
    report = add_proposals(corpus, folder, run="r1", source="t", corpus="tiny", format="fasthpocr")
    assert (report.documents, report.silent, report.proposals) == (2, 1, 1)
    settings = runs.find_run(corpus, "r1").settings
    assert settings["file"] == "out"
    (folder / "d2").write_text("[0:3]\tHP:0001945\tFever\tMot")
    add_proposals(corpus, folder, run="r2", source="t", corpus="tiny", format="fasthpocr")
    assert runs.find_run(corpus, "r2").settings["sha256"] != settings["sha256"]
