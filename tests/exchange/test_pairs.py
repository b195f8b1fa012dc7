"""Claim pairs in and out of a workspace: located, ordered, merged, refused by name; re-imported equal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.conflicts.identity import claim_id
from core.errors import InputError
from core.exchange import add_corpus, add_pairs, export
from core.exchange.pair_rows import pair_rows
from core.formats.decisions import read_decisions
from core.formats.manifest import Manifest
from core.formats.pair import PairAnswerPart
from core.formats.pairs import PairRow, read_pairs
from core.records import (
    Action,
    Axis,
    ConflictType,
    Direction,
    NewDecision,
    Origin,
    PairAnswer,
    PairSort,
    Span,
)
from core.store import Workspace, claims, corpora, open_workspace, pairs, runs
from core.store.chain import verify
from core.store.decisions import add_curator, append

DEMO = Path(__file__).parents[2] / "data" / "demo" / "abstract_pairs.jsonl"
A = "Background.  Alpha lowered beta in 12 mice [3]. Nothing else changed in any of the groups."
B = "Alpha raised beta in 30 rats, and nobody was able to say why that should have been."
ROW: dict[str, Any] = {
    "pair_id": "theirs-1",
    "domain": "genomics",
    "claim_a_text": "Alpha lowered beta in 12 mice [3].",
    "claim_a_article_uid": "u1",
    "claim_b_text": "Alpha raised beta in 30 rats",
    "claim_b_article_uid": "u2",
    "abstract_a": A,
    "abstract_b": B,
    "pub_year_a": 2001,
    "journal_b": "A journal",
    "entities": ["alpha", "beta", "gamma"],
    "conflict_type": "contextual_contradiction",
    "divergence_axes": ["organism_strain_lineage"],
    "dominant_confounder": "organism_strain_lineage",
    "evidence_spans": [
        {"article_uid": "u1", "text": "12 mice"},
        {"article_uid": "u2", "text": "nobody was able"},
    ],
    "confidence": 0.9,
    "annotator_id": "some-model",
}
Lines = Callable[..., Path]


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    def make(*rows: dict[str, Any], name: str = "pairs.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return make


def add(workspace: Workspace, path: Path, **options: Any):
    fields = {"run": "theirs", "source": "their tool", "corpus": "pairs"} | options
    return add_pairs(workspace, path, **fields)


def test_a_new_corpus_is_made_of_the_abstracts(workspace: Workspace, lines: Lines) -> None:
    report = add(workspace, lines(ROW))
    assert (report.pairs, report.claims, report.articles, report.added) == (1, 2, 2, 2)
    assert report.labels == {"model": 1}
    first, second = corpora.passages(workspace, "pairs")
    assert (first.doc_id, first.text, first.meta) == ("u1", A, {"domain": "genomics", "year": 2001})
    assert (second.doc_id, second.meta) == ("u2", {"domain": "genomics", "journal": "A journal"})
    run = runs.find_run(workspace, "theirs")
    assert (run.kind, run.source, run.status, run.settings["imported"]) == (
        "conflicts",
        "their tool",
        "done",
        True,
    )
    assert verify(workspace).problems == ()


def test_claims_stand_in_the_text_that_the_pipeline_would_read(workspace: Workspace, lines: Lines) -> None:
    """Double space and bracketed citation go when an abstract is normalised; offsets follow."""
    add(workspace, lines(ROW))
    clean = "Background. Alpha lowered beta in 12 mice. Nothing else changed in any of the groups."
    one, two = claims.claims(workspace, "theirs")
    assert (one.text, one.start, one.end) == ("Alpha lowered beta in 12 mice.", 12, 42)
    assert one.claim_id == claim_id("u1", clean, 12, 42)
    assert one.entities == ("alpha", "beta", "gamma")  # gamma stands in neither claim
    assert (two.text, two.direction) == ("Alpha raised beta in 30 rats", Direction.UNCLEAR)
    (label,) = pairs.labels(workspace, "theirs")
    assert [(s.side, s.quote, s.start, s.level) for s in label.label.evidence] == [
        ("a", "12 mice", 34, "claim"),
        ("b", "nobody was able", B.index("nobody"), "abstract"),
    ]
    assert (label.label.origin, label.label.annotator, label.label.confidence) == (
        Origin.MODEL,
        "some-model",
        0.9,
    )


def test_side_a_is_the_claim_that_comes_first(workspace: Workspace, lines: Lines) -> None:
    swapped = {
        "claim_a_article_uid": "u9",
        "claim_b_article_uid": "u2",
        "evidence_spans": [{"article_uid": "u9", "text": "12 mice"}],
    }
    add(workspace, lines(ROW | swapped))
    (pair,) = pairs.pairs(workspace, "theirs")
    assert (pair.a.article_uid, pair.b.article_uid) == ("u2", "u9")
    (label,) = pairs.labels(workspace, "theirs")
    assert [(s.side, s.quote) for s in label.label.evidence] == [("b", "12 mice")]


def test_one_pair_has_one_label_of_a_model_and_one_of_a_rule(workspace: Workspace, lines: Lines) -> None:
    rule = {"label_origin": "heuristic", "annotator_id": "rules", "confidence": 0.4}
    again = {"pair_id": "theirs-2", "confidence": 0.95, "annotator_id": "better"}
    report = add(workspace, lines(ROW, ROW | rule, ROW | again))
    assert (report.pairs, report.merged) == (1, 1)
    assert [label.label.annotator for label in pairs.labels(workspace, "theirs")] == ["better", "rules"]
    (row,) = pair_rows(workspace, "theirs")
    assert row.annotator_id == "better"


def test_off_schema_labels_are_made_to_fit_and_flagged(workspace: Workspace, lines: Lines) -> None:
    report = add(workspace, lines(ROW | {"conflict_type": "disagreement"}))
    assert report.repaired == 1
    (label,) = pairs.labels(workspace, "theirs")
    assert (label.label.conflict_type, label.label.repaired) == (ConflictType.NO_CONFLICT, True)


def test_articles_of_a_corpus_are_found_by_uid(workspace: Workspace, lines: Lines, tmp_path: Path) -> None:
    corpus = tmp_path / "articles.jsonl"
    corpus.write_text(
        "".join(json.dumps({"doc_id": d, "text": t}) + "\n" for d, t in (("u1", A), ("u2", B))), "utf-8"
    )
    add_corpus(workspace, corpus, name="held", domain="genomics")
    without = {name: value for name, value in ROW.items() if not name.startswith("abstract")}
    clean = "Background. Alpha lowered beta in 12 mice. Nothing else changed in any of the groups."
    for number, row in enumerate((ROW, without, ROW | {"claim_a_text": "Alpha lowered beta in 12 mice."})):
        row = row | ({"abstract_a": clean} if number == 2 else {})
        report = add(workspace, lines(row), run=f"run{number}", corpus="held")
        assert report.added == 0
    found = {pair.pair_id for n in range(3) for pair in pairs.pairs(workspace, f"run{n}")}
    assert len(found) == 1  # one item, whichever spelling of the abstract a file has


@pytest.mark.parametrize(
    ("change", "field", "cause"),
    [
        (
            {"claim_a_article_uid": "u7", "evidence_spans": []},
            "claim_a_article_uid",
            "there is no article 'u7'",
        ),
        ({"abstract_b": B + " More."}, "abstract_b", "from character 83 on"),
        (
            {"claim_b_text": "Alpha did nothing", "abstract_b": None},
            "claim_b_text",
            "does not occur in article",
        ),
        ({"conflict_type": "x", "label_origin": "person"}, "conflict_type", "expected"),
    ],
)
def test_faults_name_line_and_field_and_nothing_is_stored(
    workspace: Workspace, lines: Lines, change: dict[str, Any], field: str, cause: str
) -> None:
    add(workspace, lines(ROW), run="first")
    path = lines(ROW, ROW | change)
    with pytest.raises(InputError, match=rf"pairs.jsonl, line 2, {field}: .*{cause}"):
        add(workspace, path)
    assert [run.id for run in runs.list_runs(workspace)] == ["first"]
    report = add(workspace, path, skip_bad=True)
    assert (report.pairs, report.faults) == (1, 1)
    assert report.rejects is not None
    (rejected,) = map(json.loads, Path(report.rejects).read_text("utf-8").splitlines())
    assert (rejected["line"], rejected["field"]) == (2, field)


def test_one_claim_on_both_sides_is_refused(workspace: Workspace, lines: Lines) -> None:
    twice = {f"{n}_b": ROW[f"{n}_a"] for n in ("abstract",)} | {
        "claim_b_text": ROW["claim_a_text"],
        "claim_b_article_uid": "u1",
        "evidence_spans": [],
    }
    with pytest.raises(InputError, match="both sides are the same claim"):
        add(workspace, lines(ROW | twice))
    assert corpora.list_corpora(workspace) == []


def test_a_claim_that_is_said_to_have_no_entities_has_none(workspace: Workspace, lines: Lines) -> None:
    add(workspace, lines(ROW | {"claim_a_entities": []}))
    assert [c.entities for c in claims.claims(workspace, "theirs")] == [(), ("alpha", "beta", "gamma")]


# --- out and in again -------------------------------------------------------------------------------------


def without_run(rows: Any) -> list[PairRow]:
    return [row.model_copy(update={"run": None}) for row in rows]


def test_the_demonstration_comes_in_goes_out_and_comes_in_equal(workspace: Workspace, tmp_path: Path) -> None:
    add(workspace, DEMO, run="demo-pairs")
    manifest = export(workspace, "proposals", tmp_path / "out.jsonl.gz", run="demo-pairs")
    assert manifest.counts["pairs"] == 12
    assert (manifest.corpus, manifest.run and manifest.run.kind) == ("pairs", "conflicts")
    Manifest.model_validate_json((tmp_path / "out.jsonl.gz.manifest.json").read_text("utf-8"))
    written = list(read_pairs(tmp_path / "out.jsonl.gz"))
    assert written == list(pair_rows(workspace, "demo-pairs"))
    assert {row.label_origin for row in written if isinstance(row, PairRow)} == {"person"}
    with open_workspace(tmp_path / "other.db") as other:
        add(other, tmp_path / "out.jsonl.gz", run="again", corpus="again")
        assert without_run(pair_rows(other, "again")) == without_run(written)
        theirs = {c.claim_id: c for c in claims.claims(other, "again")}
        for ours in claims.claims(workspace, "demo-pairs"):
            found = theirs[ours.claim_id]
            assert (found.cues, found.slots, found.section) == (ours.cues, ours.slots, ours.section)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (None, ["three", "one", "four", "two"]),
        (PairSort.LIKELIHOOD, ["three", "one", "four", "two"]),
        (PairSort.SCORE, ["two", "one", "three", "four"]),
        (PairSort.TIER, ["four", "three", "one", "two"]),
        (PairSort.FILE, ["three", "one", "two", "four"]),
    ],
)
def test_proposals_are_written_in_the_order_asked_for(
    workspace: Workspace, lines: Lines, tmp_path: Path, order: PairSort | None, expected: list[str]
) -> None:
    """Pairs of a file are stored by domain, then likelihood, then score: genomics holds all but `four`."""
    rows = [
        {"pair_id": "one", "conflict_likelihood": 0.25, "combined_score": 0.5, "tier": "full"},
        {"pair_id": "two", "combined_score": 0.9, "tier": "full"},
        {"pair_id": "three", "conflict_likelihood": 0.75, "combined_score": 0.4, "tier": "full"},
        {"pair_id": "four", "combined_score": 0.1, "tier": "pilot", "domain": "oncology"},
    ]
    for number, row in enumerate(rows):
        uids = {f"claim_{side}_article_uid": f"{side}{number}" for side in "ab"}
        rows[number] = {**ROW, "evidence_spans": [], "notes": row["pair_id"], **uids, **row}
    add_pairs(workspace, lines(*rows), run="r", source="s", corpus="c")
    export(workspace, "proposals", tmp_path / "out.jsonl", run="r", order=order)
    out = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [row["notes"] for row in out] == expected
    told = {row["notes"]: row["conflict_likelihood"] for row in out}
    assert told == {"one": 0.25, "two": None, "three": 0.75, "four": None}
    assert not verify(workspace).problems


def test_a_likelihood_that_was_altered_is_noticed(workspace: Workspace, lines: Lines) -> None:
    add_pairs(workspace, lines({**ROW, "conflict_likelihood": 0.25}), run="r", source="s", corpus="c")
    with workspace.write() as db:
        db.execute("DROP TRIGGER pairs_no_update")
        db.execute("UPDATE pairs SET likelihood = 0.5")
    assert verify(workspace).problems


def test_only_proposals_of_pairs_can_be_ordered(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leave --order out"):
        export(workspace, "decisions", tmp_path / "out.jsonl", order=PairSort.SCORE)


def test_gold_is_what_people_settled_and_comes_back(workspace: Workspace, tmp_path: Path) -> None:
    add(workspace, DEMO, run="demo-pairs")
    first, second, third, *_ = pairs.pairs(workspace, "demo-pairs")
    add_curator(workspace, "alpha", "Alpha")
    start = first.a.start
    quote = first.a.text[:12]
    answer = PairAnswer(
        first.pair_id,
        True,
        ConflictType.CONTEXTUAL_CONTRADICTION,
        (Axis.GEOGRAPHY, Axis.STUDY_DESIGN),
        Axis.GEOGRAPHY,
        "Two places.",
        (Span(start, start + 12, quote),),
        (),
    )
    sent = [
        NewDecision("c1", "alpha", Action.FIX, item_id=first.item_id, answer=answer),
        NewDecision("c2", "alpha", Action.REJECT, item_id=second.item_id),
        NewDecision("c3", "alpha", Action.UNSURE, item_id=third.item_id, note="Odd."),
    ]
    assert [outcome.refused for outcome in append(workspace, sent)] == [None] * 3
    for name in ("gold.jsonl", "gold.json"):
        manifest = export(workspace, "gold", tmp_path / name, run="demo-pairs")
        assert (manifest.gold, manifest.counts["pairs"]) == ("reviewed@3:any", 1)
        (row,) = read_pairs(tmp_path / name)
        assert isinstance(row, PairRow)
        assert (row.pair_id, row.label_origin, row.seen_by_person) == (first.pair_id, "person", True)
        assert row.divergence_axes == [Axis.GEOGRAPHY, Axis.STUDY_DESIGN]
        assert [(s.text, s.start, s.frame) for s in row.evidence_spans] == [(quote, 0, "claim_text")]
        assert row.annotator_id is None
    by_name = export(workspace, "gold", tmp_path / "g.jsonl", gold="reviewed@now:curator=alpha")
    assert by_name.gold == "reviewed@3:curator=alpha"
    assert export(workspace, "gold", tmp_path / "g.jsonl", gold="reviewed@2:agreed").counts["pairs"] == 0
    with open_workspace(tmp_path / "other.db") as other:
        add(other, tmp_path / "gold.jsonl", run="gold", corpus="again")
        (back,) = pairs.labels(other, "gold")
        assert (back.label.conflict_type, back.label.axes, back.label.confounder) == (
            answer.conflict_type,
            answer.axes,
            answer.confounder,
        )
        assert without_run(pair_rows(other, "gold")) == without_run([row])


@pytest.mark.parametrize("name", ["log.json", "log.jsonl", "log.csv"])
def test_decisions_on_pairs_are_written_and_read_back_equal(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    add(workspace, DEMO, run="demo-pairs")
    pair = next(pairs.pairs(workspace, "demo-pairs"))
    add_curator(workspace, "alpha", "Alpha")
    end = pair.b.start + 5
    answer = PairAnswer(
        pair.pair_id,
        False,
        ConflictType.NO_CONFLICT,
        spans_b=(Span(pair.b.start, end, pair.b.text[:5]),),
        reconciliation='=1+1, "quoted"',
    )
    append(
        workspace,
        [
            NewDecision("c1", "alpha", Action.ACCEPT, item_id=pair.item_id, answer=answer, milliseconds=7),
            NewDecision("c2", "alpha", Action.UNDO, undoes=1),
        ],
    )
    export(workspace, "decisions", tmp_path / name)
    first, second = read_decisions(tmp_path / name, name.rpartition(".")[2])
    assert isinstance(first.answer, PairAnswerPart)
    value = first.answer.model_dump(mode="json")
    assert PairAnswer.from_json(value) == answer
    assert (first.doc_id, first.concept, first.milliseconds) == (pair.a.article_uid, pair.pair_id, 7)
    assert (second.action, second.undoes, second.answer) == ("undo", 1, None)
