"""Oracle runs: offline and asked, resumed, named everywhere, and kept from curators and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError, NotFoundError
from core.evaluate import Settings, evaluate_run
from core.exchange import export
from core.pipeline import background
from core.records import Annotation, Assertion, Document, Span
from core.store import Workspace, corpora, proposals, queue, runs
from core.store.gold import gold_set
from tests.llm.server import scripted_server
from tests.pipeline import ward

YES, NO = Assertion.AFFIRMED, Assertion.NEGATED
GOLD = "imported:c@1"
TEXTS = {
    "d0": "A seizure was seen. There was no ataxia.",
    "d1": "Ataxia was noted. Headache is known.",
    "d2": "Nothing of note.",
}
SAID = {"d0": {"X:2": "Seizure", "X:3": "ataxia"}, "d1": {"X:4": "Headache"}, "d2": {}}
STATUS = {"X:3": NO}
"""Gold: d0 seizure, no ataxia; d1 headache, and of ataxia it knows nothing; d2 nothing."""


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    ward.fill(workspace, 0)
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "n")
        stored = dict(corpora.insert_passages(db, corpus, [Document(d, t) for d, t in TEXTS.items()]))
        annotations = [
            (passage, Annotation(concept, None, STATUS.get(concept, YES), _place(document, words)))
            for passage, document in stored.items()
            for concept, words in SAID[document.doc_id].items()
        ]
        corpora.add_annotation_set(db, "c", "1", corpus, annotations, exhaustive=True, sha256="1" * 64)
    return workspace


def _place(document: Document, words: str) -> Span:
    start = document.text.lower().index(words.lower())
    return Span(start, start + len(words), document.text[start : start + len(words)])


def label(workspace: Workspace, oracle: str, url: str = "", **options: Any) -> dict[str, dict[str, str]]:
    chosen = {"corpus": "n", "offline": not url, "oracle": oracle, "gold": GOLD, **options}
    report = ward.label(workspace, url, **chosen)
    assert report.status == "done"
    assert report.oracle == f"gold {oracle} of {GOLD}"
    return runs.predictions(workspace, "r")


def recall(workspace: Workspace) -> tuple[float | None, float | None]:
    found = evaluate_run(workspace, "r", GOLD, Settings(bootstrap=0)).before
    return found.estimate("micro_precision").value, found.estimate("micro_recall").value


# --- what they label ----------------------------------------------------------------------------------------


def test_offline_gold_sentences_leave_out_what_stands_elsewhere(filled: Workspace) -> None:
    found = label(filled, "sentences")
    assert found == {"d0": {"X:2": YES, "X:3": NO}, "d1": {"X:4": YES}, "d2": {}}
    assert recall(filled) == (1.0, 1.0)


def test_offline_gold_candidates_are_judged_by_the_later_stages(filled: Workspace) -> None:
    assert label(filled, "candidates") == {"d0": {"X:2": YES, "X:3": NO}, "d1": {"X:4": YES}, "d2": {}}


def test_asked_gold_candidates_lose_what_the_model_drops(filled: Workspace) -> None:
    """The scripted model calls every headache irrelevant: recall 1 of 2, and nothing wrong is left."""
    with scripted_server(ward.scripted) as server:
        found = label(filled, "candidates", server.url)
        asked = {ward.asked_for(request.body) for request in server.requests}
    assert found == {"d0": {"X:2": YES, "X:3": NO}, "d1": {}, "d2": {}}
    assert not asked & {"Claims", "Names"}, "the first stage asks nothing"
    assert recall(filled) == (1.0, 0.5)


def test_asked_gold_sentences_ask_for_names_alone(filled: Workspace) -> None:
    with scripted_server(ward.scripted) as server:
        found = label(filled, "sentences", server.url, stages=("generate",))
        asked = [ward.asked_for(request.body) for request in server.requests]
    assert found == {"d0": {"X:2": YES, "X:3": NO}, "d1": {"X:4": YES}, "d2": {}}
    assert asked == ["Names"] * 2, "the two sentences of d0 in one call"


def test_asked_gold_statuses_outweigh_the_models(filled: Workspace) -> None:
    def wrong(body: dict[str, Any]) -> Any:
        return ward.scripted(body).replace("negated", "affirmed")

    with scripted_server(wrong) as server:
        plain = ward.label(filled, server.url, corpus="n", run="plain")
        found = label(filled, "assertions", server.url)
    assert plain.oracle is None
    assert runs.predictions(filled, "plain")["d0"]["X:3"] == YES
    assert found["d0"]["X:3"] == NO
    assert found["d1"]["X:3"] == YES, "gold says nothing of it"


# --- never mistaken for a labelling -------------------------------------------------------------------------


def test_run_and_settings_name_the_oracle_and_the_gold(filled: Workspace) -> None:
    ward.label(filled, "", corpus="n", offline=True, oracle="candidates", gold=GOLD, run=None)
    (made,) = runs.list_runs(filled)
    assert made.id.endswith("-oracle-candidates")
    assert made.source.endswith(f"oracle: gold candidates of {GOLD}")
    assert made.settings["oracle"] == {"takes": "candidates", "gold": GOLD}


def test_a_run_cannot_go_on_as_an_oracle_or_without_its_oracle(filled: Workspace) -> None:
    label(filled, "candidates")
    for other in ({"oracle": None, "gold": None}, {"oracle": "sentences", "gold": GOLD}):
        with pytest.raises(InputError, match="made from other inputs: oracle"):
            ward.label(filled, "", corpus="n", offline=True, **other)


def test_no_curator_is_shown_what_an_oracle_proposes(filled: Workspace) -> None:
    label(filled, "candidates")
    assert queue.run_names(filled) == []
    assert list(queue.proposal_columns(filled, 0)) == []
    items = [p.item_id for p in proposals.of_run(filled, "r")]
    assert len(items) == 3
    assert proposals.of_items(filled, items) == {}
    assert queue.visible(filled, items, "alpha") == set()
    ward.label(filled, "", corpus="n", offline=True, run="plain")
    assert [name.id for name in queue.run_names(filled)] == ["plain"]
    shown = proposals.of_items(filled, items)
    assert {p.run for held in shown.values() for p in held} == {"plain"}


def test_proposals_are_exported_only_by_those_who_say_so(filled: Workspace, tmp_path: Path) -> None:
    label(filled, "candidates")
    out = tmp_path / "out.json"
    with pytest.raises(InputError, match="--oracle"):
        export(filled, "proposals", out, run="r")
    assert not out.exists()
    manifest = export(filled, "proposals", out, run="r", oracle=True)
    assert manifest.run is not None
    assert "oracle" in manifest.run.source
    assert f"gold candidates of {GOLD}" in out.read_text("utf-8")


def test_a_page_resumes_an_oracle_run_as_one(filled: Workspace) -> None:
    label(filled, "sentences")
    words = background.arguments(background.options_of(runs.find_run(filled, "r")))
    assert {"--oracle=sentences", f"--gold={GOLD}"} <= set(words)


# --- which gold ---------------------------------------------------------------------------------------------


def test_reviewed_gold_is_pinned_and_open_documents_are_left_out(filled: Workspace) -> None:
    from core.records import Action, Answer, ConceptClass, NewDecision
    from core.store import decisions

    decisions.add_curator(filled, "alpha", "Alpha")
    ids = corpora.passage_ids(filled, "n")
    answer = Answer("X:3", "Ataxia", NO, ConceptClass.EXPLICIT)
    decisions.append(
        filled,
        [
            NewDecision("1", "alpha", Action.ADD, passage_id=ids["d0"], subject="X:3", answer=answer),
            NewDecision("2", "alpha", Action.CLOSE, passage_id=ids["d0"]),
            NewDecision("3", "alpha", Action.ADD, passage_id=ids["d1"], subject="X:3", answer=answer),
        ],
    )
    reference = gold_set(filled, "reviewed@now:curator=alpha", "n").reference
    report = ward.label(
        filled, "", corpus="n", offline=True, oracle="candidates", gold="reviewed@now:curator=alpha"
    )
    assert report.oracle == f"gold candidates of {reference}"
    assert runs.predictions(filled, "r") == {"d0": {"X:3": NO}, "d1": {}, "d2": {}}
    with pytest.raises(InputError, match="where it stands"):
        ward.label(filled, "", corpus="n", offline=True, oracle="sentences", gold=reference, run="s")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"oracle": "answers", "gold": GOLD}, "candidates"),
        ({"oracle": "candidates", "gold": None}, "--gold"),
        ({"oracle": None, "gold": GOLD}, "--oracle"),
        ({"oracle": "sentences", "gold": GOLD, "direct": True}, "--direct"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_stored(
    filled: Workspace, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        ward.label(filled, "", corpus="n", offline=True, **options)
    assert runs.list_runs(filled) == []


def test_gold_of_another_corpus_is_not_found(filled: Workspace) -> None:
    with pytest.raises(NotFoundError, match="gold"):
        ward.label(filled, "", corpus="c", offline=True, oracle="candidates", gold=GOLD)
