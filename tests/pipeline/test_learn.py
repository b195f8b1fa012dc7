"""Learning in a workspace: from gold and from decisions, what never teaches, and what a run keeps of it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.concepts.ablation import Row
from core.concepts.profile import Hypernyms
from core.encode import Match
from core.errors import InputError, NotFoundError
from core.evaluate import Options, Settings, compare_on_gold, evaluate_run, score_ablation, score_several
from core.evaluate.estimated import estimated
from core.evaluate.training_sizes import Size, score_sizes
from core.pipeline import ConceptsSettings, annotate, background, run_concepts
from core.pipeline.learn import curve, learn
from core.pipeline.taught import silence
from core.records import (
    Action,
    Annotation,
    Answer,
    Assertion,
    Concept,
    ConceptClass,
    Document,
    Ontology,
    Span,
    Synonym,
)
from core.records.learned import LearnedSet
from core.review.frames import Wanted, open_frame
from core.store import Workspace, corpora, decisions, frames, learned, ontologies, proposals, runs
from tests.store.making import answer as answered
from tests.store.making import say

TERMS = (
    Concept("X:1", "Phenotype"),
    Concept("X:2", "Seizure", parents=("X:1",)),
    Concept("X:3", "Ataxia", parents=("X:1",), alt_ids=("X:30",)),
)
TEXTS = {
    "d0": "A wobbly gait.",
    "d1": "He had a wobbly gait and a seizure.",
    "d2": "No wobbly gait; a seizure was thought of.",
    "d3": "Seizure clinic, routine visit.",
    "e0": "A wobbly gait again.",
    "e1": "A seizure.",
}
GOLD = {"d0": ("X:30",), "d1": ("X:3", "X:2"), "d2": (), "d3": ()}


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    fill(workspace)
    return workspace


def fill(workspace: Workspace) -> None:
    """Two corpora with gold, `rest` with the texts of `c` and more; a run of the dictionary on each."""
    ontologies.add_ontology(workspace, Ontology("toy", "1", "X:1", "0" * 64, TERMS))
    with workspace.write() as db:
        for corpus in ("c", "rest"):
            made = corpora.create_corpus(db, corpus)
            texts = TEXTS if corpus == "rest" else {d: t for d, t in TEXTS.items() if d in GOLD}
            stored = corpora.insert_passages(db, made, (Document(d, text) for d, text in texts.items()))
            ids = {document.doc_id: number for number, document in stored}
            gold = {**GOLD, "e0": ("X:3",), "e1": ("X:2",)} if corpus == "rest" else GOLD
            marked = [(ids[d], mark(d, concept)) for d, concepts in gold.items() for concept in concepts]
            corpora.add_annotation_set(db, corpus, "1", made, marked, exhaustive=True, sha256="0" * 64)
    for corpus in ("c", "rest"):
        annotate(workspace, corpus=corpus, ontology="toy")


def mark(doc_id: str, concept: str) -> Annotation:
    quote = "seizure" if concept == "X:2" else "wobbly gait"
    start = TEXTS[doc_id].lower().index(quote)
    return Annotation(concept, concept, Assertion.AFFIRMED, Span(start, start + len(quote), quote))


def test_names_are_learned_from_gold_and_found_elsewhere(filled: Workspace) -> None:
    report = learn(filled, gold="imported:c", ontology="toy", name="gaits")
    assert (report.learned, report.gold, report.documents) == ("gaits@1", "imported:c@1", 4)
    assert (report.names, report.head) == (1, None)
    held = learned.read(filled, learned.find(filled, "gaits"))
    name = next(one for one in held.known if one.name)
    # X:30 is an old id of X:3; "no wobbly gait" says nothing of a text that denies it
    assert (name.concept, name.words, name.kept, name.seen, name.by) == ("X:3", "wobbly gait", 2, 2, ("c@1",))
    run = annotate(filled, corpus="rest", ontology="toy", learned="gaits")
    assert run.run == "lexicon-rest-toy-gaits"
    assert runs.predictions(filled, run.run)["e0"] == {"X:3": Assertion.AFFIRMED}
    assert runs.predictions(filled, "lexicon-rest-toy")["e0"] == {}
    assert learn(filled, gold="imported:c", ontology="toy", name="gaits").learned == "gaits@1", "the same"


def test_a_score_leaves_out_what_was_learned_from(filled: Workspace) -> None:
    learn(filled, gold="imported:c", ontology="toy", name="gaits")
    run = annotate(filled, corpus="rest", ontology="toy", learned="gaits").run
    apart = evaluate_run(filled, run, "imported:rest", Settings(bootstrap=0)).before
    assert {o.doc_id for o in apart.outcomes} == {"e0", "e1"}, "the texts of d0 to d3 were learned from"
    assert apart.beside["learned_from"] == 4
    assert any("learned from them: 4" in note for note in apart.notes)
    assert apart.to_json()["settings"]["in_sample"] is False
    whole = evaluate_run(filled, run, "imported:rest", Settings(bootstrap=0, in_sample=True)).before
    assert len(whole.outcomes) == 6
    assert whole.beside["learned_from"] == 0
    assert whole.to_json()["settings"]["in_sample"] is True
    found = compare_on_gold(filled, "lexicon-rest-toy", run, "imported:rest", Settings(bootstrap=0))
    assert found.documents == 2, "both runs are compared where neither has learned"
    assert (found.to_json()["learned_from"], found.to_json()["in_sample"]) == (4, False)
    assert any("learned from them: 4" in note for note in found.result.notes)
    annotate(filled, corpus="rest", ontology="toy", run="again")
    several = score_several(filled, ["lexicon-rest-toy", run, "again"], "imported:rest", Settings())
    assert several.to_json()["learned_from"] == 4
    assert "learned from them: 4" in (several.tables()[0].note or "")
    rows = [(Row(("generate",)), "again"), (Row(("generate", "classify")), run)]
    ablation = score_ablation(filled, rows, "imported:rest", Settings(bootstrap=0))
    assert {len(line.evaluation.outcomes) for line in ablation.lines} == {2}
    assert any("learned from them: 4" in note for note in ablation.notes)
    plain = evaluate_run(filled, "lexicon-rest-toy", "imported:rest", Settings(bootstrap=0)).before
    assert (len(plain.outcomes), plain.beside["learned_from"]) == (6, 0)


def test_a_score_on_nothing_else_is_refused(filled: Workspace) -> None:
    learn(filled, gold="imported:c", ontology="toy", name="gaits")
    run = annotate(filled, corpus="c", ontology="toy", learned="gaits").run
    with pytest.raises(InputError, match=r"learned from all 4 documents .* --in-sample"):
        evaluate_run(filled, run, "imported:c")


def test_a_run_keeps_the_set_and_what_was_silent(filled: Workspace) -> None:
    learn(filled, gold="imported:c", ontology="toy", name="gaits")
    before = annotate(filled, corpus="rest", ontology="toy", learned="gaits").run
    done = silence(filled, "gaits", "Wobbly  gaits", concept="X:3")
    assert (done.words, done.muted) == ("wobbly gait", True)
    with pytest.raises(InputError, match=r"other inputs: learned of muted was None"):
        annotate(filled, corpus="rest", ontology="toy", learned="gaits")
    after = annotate(filled, corpus="rest", ontology="toy", learned="gaits@1", run="silent").run
    used = runs.find_run(filled, after).settings["learned"]
    assert used["set"] == "gaits@1"
    assert used["digest"] == learned.find(filled, "gaits").digest
    assert runs.predictions(filled, before)["e0"] != {}
    assert runs.predictions(filled, after)["e0"] == {}
    silence(filled, "gaits", "wobbly gait", concept="X:3", muted=False)
    assert learned.silent(filled, "gaits") == frozenset()
    again = annotate(filled, corpus="rest", ontology="toy", learned="gaits", run="again").run
    assert runs.predictions(filled, again)["e0"] != {}
    with pytest.raises(InputError, match="is not silenced"):
        silence(filled, "gaits", "wobbly gait", muted=False)
    with pytest.raises(InputError, match="holds no word"):
        silence(filled, "gaits", "...")


def add(workspace: Workspace, doc_id: str, concept: str, how: ConceptClass = ConceptClass.EXPLICIT) -> None:
    """Ana adds a concept with the words that say it, or let her infer it."""
    marked = mark(doc_id, concept).span
    assert marked is not None
    answer = Answer(concept, concept, Assertion.AFFIRMED, how, (marked,))
    decide(workspace, Action.ADD, doc_id, concept, answer)


def decide(
    workspace: Workspace, action: Action, doc_id: str, concept: str, answer: Answer | None = None
) -> None:
    passage = corpora.passage_ids(workspace, "rest")[doc_id]
    if action is Action.ADD:
        say(workspace, "ana", action, passage_id=passage, subject=concept, answer=answer)
    else:
        item, proposal = workspace.db.execute(
            "SELECT i.id, p.id FROM items i JOIN proposals p ON p.item_id = i.id"
            " WHERE i.passage_id = ? AND i.subject = ?",
            (passage, concept),
        ).fetchone()
        say(workspace, "ana", action, item, shown=(proposal,), answer=answer)


@pytest.fixture
def reviewed(filled: Workspace) -> Workspace:
    """Ana adds a gait in two documents of the corpus `rest`, accepts a seizure and rejects another."""
    decisions.add_curator(filled, "ana", "Ana")
    add(filled, "d0", "X:3")
    add(filled, "e0", "X:3")
    decide(filled, Action.ACCEPT, "e1", "X:2", answered("X:2"))
    decide(filled, Action.REJECT, "d3", "X:2")
    return filled


def test_decisions_teach_what_was_judged_alone(reviewed: Workspace) -> None:
    report = learn(reviewed, gold="reviewed@now:curator=ana", ontology="toy", name="ana")
    assert (report.gold, report.corpus, report.documents) == ("reviewed@4:curator=ana", "rest", 4)
    known = {(k.concept, k.words): k for k in learned.read(reviewed, learned.find(reviewed, "ana")).known}
    assert (known["X:3", "wobbly gait"].kept, known["X:3", "wobbly gait"].seen) == (2, 2)
    assert known["X:3", "wobbly gait"].by == ("ana",)
    assert (known["X:2", "seizure"].kept, known["X:2", "seizure"].seen) == (1, 2), "d1 was judged by nobody"
    assert known["X:2", "seizure"].name is None


def test_what_is_inferred_names_nothing(reviewed: Workspace) -> None:
    """The words that let a curator infer a concept are no name of it."""
    add(reviewed, "d1", "X:3", ConceptClass.PRAGMATICALLY_IMPLICIT)
    learn(reviewed, gold="reviewed@now:curator=ana", ontology="toy", name="ana")
    held = learned.read(reviewed, learned.find(reviewed, "ana"))
    # d1 counts, for "wobbly gait" stands there too and ataxia is present; it brings no name of its own
    assert next(k for k in held.known if k.words == "wobbly gait").kept == 3


def test_blind_units_never_teach(reviewed: Workspace) -> None:
    open_frame(reviewed, Wanted("lexicon-rest-toy", "half", blind=1.0))
    report = learn(reviewed, gold="reviewed@now:curator=ana", ontology="toy", name="ana")
    held = learned.read(reviewed, learned.find(reviewed, "ana"))
    assert {k.concept for k in held.known} == {"X:3"}, "all proposals, of seizures, are blind units"
    assert report.blind > 0
    assert report.documents == 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"gold": "imported:none"}, NotFoundError, "gold set"),
        ({"gold": "reviewed@now:curator=ana"}, InputError, r"decided in no corpus.*--corpus"),
        ({"name": "../x"}, InputError, "cannot name a learned set"),
        ({"ontology": "go"}, NotFoundError, "ontology"),
        ({"root": "X:9"}, NotFoundError, "root"),
    ],
)
def test_what_cannot_be_learned_is_refused_and_leaves_nothing(
    filled: Workspace, arguments: dict[str, str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        learn(filled, **({"gold": "imported:c", "ontology": "toy", "name": "x"} | arguments))
    assert learned.list_sets(filled) == []
    with pytest.raises(NotFoundError, match="learned set"):
        annotate(filled, corpus="rest", ontology="toy", learned="x", run="bad")
    assert "bad" not in [run.id for run in runs.list_runs(filled)]


def test_a_set_of_another_ontology_is_refused(filled: Workspace) -> None:
    learn(filled, gold="imported:c", ontology="toy", name="gaits")
    other = (Concept("Y:1", "Phenotype"), Concept("Y:2", "Seizure", parents=("Y:1",)))
    ontologies.add_ontology(filled, Ontology("other", "1", "Y:1", "1" * 64, other))
    with pytest.raises(InputError, match="names no concept of this ontology"):
        annotate(filled, corpus="rest", ontology="other", learned="gaits")


class NoVectors:
    """A matcher that knows no name: the stages by words alone."""

    def nearest(self, names: Sequence[str], k: int = 1) -> list[list[Match]]:
        return [[] for _ in names]


def test_a_run_of_stages_uses_it_and_can_be_taken_up_again(filled: Workspace) -> None:
    learn(filled, gold="imported:c", ontology="toy", name="gaits")
    settings = ConceptsSettings(
        corpus="rest",
        ontology="toy",
        profile="hpa",
        root="X:1",
        offline=True,
        stages=("generate", "classify"),
        learned="gaits",
        hypernyms=Hypernyms.DROP,
        threshold=0.7,
    )
    run = run_concepts(filled, settings, matcher=NoVectors()).run
    assert run == "hpa-rest-toy-offline-gaits"
    assert runs.predictions(filled, run)["e0"] == {"X:3": Assertion.AFFIRMED}
    made = runs.find_run(filled, run)
    options = background.options_of(made)
    assert runs.fingerprint(background.planned_by(filled, options, None).inputs) == made.fingerprint
    told = background.arguments(options)
    assert {"--learned=gaits@1", "--hypernyms=none"} <= set(told)


STAGED = ConceptsSettings(
    corpus="notes", ontology="fever", profile="hpa", root="X:1", offline=True, threshold=0.7
)


def with_set(workspace: Workspace, **held: Any) -> str:
    """A set by hand, without names, for an ontology with a narrower seizure; and a text that tells of one."""
    terms = (*TERMS, Concept("X:4", "Febrile seizure", parents=("X:2",)))
    ontologies.add_ontology(workspace, Ontology("fever", "1", "X:1", "2" * 64, terms))
    body = {
        "ontology": "fever@1",
        "ontology_sha256": "2" * 64,
        "root": "X:1",
        "known": (),
        "gold": "imported:g@1",
        "corpus": "notes",
        "documents": (),
        "gain": {"documents": 0, "folds": 0},
    }
    with workspace.write() as db:
        made = corpora.create_corpus(db, "notes")
        list(corpora.insert_passages(db, made, [Document("n0", "A febrile seizure, and ataxia.")]))
        return learned.add(db, "byhand", LearnedSet.model_validate(body | held)).reference


def test_a_learned_rule_for_broader_concepts_holds_unless_another_is_named(workspace: Workspace) -> None:
    used = with_set(workspace, hypernyms="keep_named_apart")

    def said(run: str, **options: Any) -> set[str]:
        annotate(workspace, corpus="notes", ontology="fever", learned=used, run=run, **options)
        return set(runs.predictions(workspace, run)["n0"])

    assert said("a") == {"X:4", "X:3"}
    assert said("b", hypernyms=Hypernyms.KEEP) == {"X:4", "X:2", "X:3"}
    settings = replace(STAGED, stages=("generate", "relabel"), learned=used)
    run = run_concepts(workspace, settings, matcher=NoVectors()).run
    assert set(runs.predictions(workspace, run)["n0"]) == {"X:4", "X:3"}


def test_the_stages_after_the_first_go_by_the_head(workspace: Workspace) -> None:
    """By hand: what stands inside a longer name only has a chance of 0.2, all else of 0.8."""
    head = {"kind": "logistic", "features": ["inside a longer name only"], "weights": [-2.7726]}
    used = with_set(workspace, head={**head, "intercept": 1.3863, "least": 0.5})
    for stages, left in ((("generate",), {"X:2", "X:3", "X:4"}), (("generate", "classify"), {"X:3", "X:4"})):
        settings = replace(STAGED, stages=stages, learned=used, run="-".join(stages))
        run = run_concepts(workspace, settings, matcher=NoVectors()).run
        assert set(runs.predictions(workspace, run)["n0"]) == left
    annotate(workspace, corpus="notes", ontology="fever", learned=used, run="once")
    assert set(runs.predictions(workspace, "once")["n0"]) == {"X:3", "X:4"}


def test_a_head_that_asks_for_unknown_features_is_refused(workspace: Workspace) -> None:
    head = {"kind": "logistic", "features": ["phase of the moon"], "weights": [1.0], "least": 0.5}
    used = with_set(workspace, head=head)
    with pytest.raises(InputError, match=r"'phase of the moon', which this version does not know"):
        annotate(workspace, corpus="notes", ontology="fever", learned=used)


def test_sizes_are_compared_on_documents_that_taught_none(filled: Workspace, tmp_path: Path) -> None:
    learn(filled, gold="imported:c", ontology="toy", name="gaits")
    taught = annotate(filled, corpus="rest", ontology="toy", learned="gaits").run
    (tmp_path / "tree.json").write_text(json.dumps({"X:1": [2], "X:2": [0], "X:3": [1]}))
    said = [{"concept_id": "X:1", "label": "x"}]
    for size in (1, 2):
        held = [{"doc_id": f"t{n}", "text": "A word.", "annotations": said} for n in range(size)]
        (tmp_path / f"{size}.json").write_text(json.dumps({"metadata": {}, "documents": held}))
    sizes = [Size(run, tmp_path / f"{n}.json") for n, run in ((1, "lexicon-rest-toy"), (2, taught))]
    options = Options(index=tmp_path / "tree.json", counting={"bootstrap": 0})
    plain, with_names = score_sizes(filled, sizes, "imported:rest", options).points
    assert (plain.units, with_names.units) == (2, 2), "e0 and e1, each with one concept"


def test_a_curve_tells_what_more_review_brings(workspace: Workspace) -> None:
    """Twelve documents; every other one says a wobbly gait, which the ontology has no name for."""
    ontologies.add_ontology(workspace, Ontology("toy", "1", "X:1", "0" * 64, TERMS))
    texts = {f"d{n:02}": f"Visit {n}: " + ("a wobbly gait.", "no seizure clinic.")[n % 2] for n in range(12)}
    with workspace.write() as db:
        made = corpora.create_corpus(db, "ward")
        list(corpora.insert_passages(db, made, (Document(d, text) for d, text in texts.items())))
    decisions.add_curator(workspace, "ana", "Ana")
    with pytest.raises(InputError, match="decided in no corpus"):
        curve(workspace, gold="reviewed@now:curator=ana", ontology="toy")
    for doc_id, passage in corpora.passage_ids(workspace, "ward").items():
        at = texts[doc_id].find("wobbly gait")
        if at >= 0:
            span = Span(at, at + 11, "wobbly gait")
            gait = Answer("X:3", "Ataxia", Assertion.AFFIRMED, ConceptClass.EXPLICIT, (span,))
            say(workspace, "ana", Action.ADD, passage_id=passage, subject="X:3", answer=gait)
        say(workspace, "ana", Action.CLOSE, passage_id=passage)
    steps: list[tuple[int, int]] = []
    found = curve(
        workspace,
        gold="reviewed@now:curator=ana",
        ontology="toy",
        progress=lambda done, total: steps.append((done, total)),
    )
    assert steps[-1] == (50, 50), "ten splits of four shares, and five with no additions, five with mistakes"
    assert (found.documents, found.points[0].names.value) == (12, 0.0)
    last = found.points[-1]
    assert (last.names.value, last.names.low, last.names.high) == (1.0, 1.0, 1.0)
    assert last.documents == pytest.approx(9.6), "four fifths of twelve"
    assert last.decisions == pytest.approx(4.8), "six additions"
    assert [(kind.action, kind.decisions, kind.gain.value) for kind in found.kinds] == [(Action.ADD, 6, 1.0)]
    assert found.kinds[0].gain_with_head == found.kinds[0].gain, (
        "no head can be learned from twelve documents"
    )
    assert found.further.value is None, "twelve documents are too few to look fifty further"


def test_a_curator_who_teaches_what_they_review_does_not_lift_the_blind_slice(workspace: Workspace) -> None:
    """Ben accepts all that he is shown, and answers rightly what he is asked blind. Each run learns from him.

    Half of the proposals are wrong ("spell" is no seizure). Were the blind answers to teach, the words would
    be dropped, and what stays proposed would look right.
    """
    terms = (*TERMS[:1], Concept("X:2", "Seizure", parents=("X:1",), synonyms=(Synonym("Spell", "RELATED"),)))
    ontologies.add_ontology(workspace, Ontology("toy", "1", "X:1", "0" * 64, terms))
    texts = {f"d{n:02}": f"Visit {n}: a {('spell', 'seizure')[n % 2]}." for n in range(40)}
    with workspace.write() as db:
        made = corpora.create_corpus(db, "rest")
        list(corpora.insert_passages(db, made, (Document(d, text) for d, text in texts.items())))
    decisions.add_curator(workspace, "ben", "Ben")
    estimates, learned_last = [], None
    for turn in range(3):
        run = annotate(workspace, corpus="rest", ontology="toy", learned=learned_last, run=f"run{turn}").run
        frame = open_frame(workspace, Wanted(run, f"frame{turn}", blind=0.8, seed="7"))
        for unit in frames.units(workspace, frame.name):
            answer_as_ben(workspace, unit)
        blind = [u for u in frames.units(workspace, frame.name) if u.blind]
        held = [said for unit in blind if (said := last_word(workspace, unit.item_id or 0))]
        told = estimated(workspace, frame.name)
        assert told.counted == 40
        if turn:
            assert 0 < told.learned_from < told.counted, "blind ones never taught"
            assert "lie in documents that the run was learned from" in " ".join(told.notes())
        else:
            assert told.learned_from == 0
        estimates.append(sum(action != Action.REJECT for action in held) / len(held))
        learned_last = learn(
            workspace, gold="reviewed@now:curator=ben", ontology="toy", name="loop", corpus="rest"
        ).learned
    assert 0.3 < estimates[0] < 0.7
    assert estimates[1:] == [estimates[0]] * 2


def answer_as_ben(workspace: Workspace, unit: frames.Unit) -> None:
    item = unit.item_id or 0
    if last_word(workspace, item) is not None:
        return
    (proposal,) = proposals.of_items(workspace, [item])[item][:1]
    if not unit.blind:
        say(workspace, "ben", Action.ACCEPT, item, shown=(proposal.id,), answer=answered("X:2"))
    elif "spell" in corpora.passage(workspace, unit.passage_id).text:
        say(workspace, "ben", Action.REJECT, item, blind=True)
    else:
        say(workspace, "ben", Action.ACCEPT, item, blind=True, answer=answered("X:2"))


def last_word(workspace: Workspace, item: int) -> Action | None:
    said = [d.action for d in decisions.standing(workspace) if d.item_id == item]
    return said[-1] if said else None
