"""Claims, pairs, their labels, and what people decide about them."""

from __future__ import annotations

from uuid import uuid4

import pytest

from core.records import (
    Action,
    Axis,
    ConflictType,
    ItemKind,
    NewDecision,
    Origin,
    PairAnswer,
    Span,
    Tier,
)
from core.store import Workspace, claims, decisions, gold, pairs, runs
from core.store.chain import verify
from core.store.connect import sqlite3
from core.store.curators import add_curator
from core.store.settled import settled
from tests.store.pairing import CORPUS, NORMALISED, RUN, Paired, answer, label, pair_up


@pytest.fixture
def paired(workspace: Workspace) -> Paired:
    for curator in ("alpha", "beta"):
        add_curator(workspace, curator, curator)
    return pair_up(workspace)


def say(
    workspace: Workspace, curator: str, action: Action, item: int | None = None, **fields: object
) -> decisions.Outcome:
    new = NewDecision(client_id=uuid4().hex, curator=curator, action=action, item_id=item, **fields)  # type: ignore[arg-type]
    return decisions.append(workspace, [new])[0]


def test_claims_come_back_in_the_frame_of_the_normalised_text(workspace: Workspace, paired: Paired) -> None:
    found = list(claims.claims(workspace, RUN))
    assert [c.text for c in found] == list(NORMALISED)
    assert [c.year for c in found] == [2000, 2001, 2002, 2003]
    row = workspace.db.execute(
        "SELECT original_id, offset_map FROM texts WHERE id = ?", (found[0].text_id,)
    ).fetchone()
    assert (
        row[0]
        == workspace.db.execute(
            "SELECT text_id FROM passages WHERE id = ?", (paired.passages[0],)
        ).fetchone()[0]
    )
    assert row[1] == "[[0,47,0,48]]"
    unchanged = workspace.db.execute(
        "SELECT text_id FROM passages WHERE id = ?", (paired.passages[1],)
    ).fetchone()[0]
    assert found[1].text_id == unchanged


def test_pairs_and_labels_come_back_as_they_went_in(workspace: Workspace, paired: Paired) -> None:
    first, second = paired.pairs
    assert (first.a.article_uid, first.b.article_uid) == ("art0", "art1")
    assert first.scores.combined == 0.695
    assert (first.tier, second.tier) == (Tier.PILOT, Tier.FULL)
    assert [p.id for p in pairs.pairs(workspace, RUN, lacking=Origin.MODEL)] == [second.id]
    assert [p.id for p in pairs.pairs(workspace, RUN, tier=Tier.PILOT)] == [first.id]
    of_first = pairs.labels_of_items(workspace, [first.item_id])[first.item_id]
    assert [one.label.origin for one in of_first] == [Origin.MODEL, Origin.HEURISTIC]
    assert of_first[1].label == label()
    [task] = pairs.tasks(workspace, [first])
    assert (task.a.text, task.b.text) == NORMALISED[:2]
    assert (task.a.title, task.a.year, task.a.sections[0].label) == ("Title 0", 2000, "RESULTS")


def test_texts_of_claims_come_with_their_rows_and_passages(workspace: Workspace, paired: Paired) -> None:
    found = list(claims.claims(workspace, RUN))
    texts = list(claims.claim_texts(workspace, RUN))
    assert texts == list(zip([claim.id for claim in found], paired.passages, NORMALISED, strict=True))
    assert list(claims.claim_texts(workspace, "another run")) == []


def test_pairs_among_some_claims_have_both_claims_among_them(workspace: Workspace, paired: Paired) -> None:
    first, second = paired.pairs
    sides = {side: (first.a.id, first.b.id, second.a.id, second.b.id)[at] for at, side in enumerate("abcd")}
    for chosen, among in (
        ("abcd", [first, second]),
        ("abc", [first]),
        ("ac", []),
        ("cd", [second]),
        ("", []),
    ):
        asked = [sides[side] for side in chosen]
        assert [pair.id for pair in pairs.pairs_among(workspace, RUN, asked)] == [pair.id for pair in among]
    assert pairs.pairs_among(workspace, "another run", sides.values()) == []


def test_the_same_two_claims_are_one_item_in_every_run(workspace: Workspace, paired: Paired) -> None:
    first = paired.pairs[0]
    corpus_id = workspace.db.execute("SELECT id FROM corpora").fetchone()[0]
    with workspace.write() as db:
        runs.begin_run(
            db,
            "again",
            kind="conflicts",
            source="s",
            corpus_id=corpus_id,
            ontology_id=None,
            settings={},
            fingerprint="g",
        )
        claims.insert_claims(db, "again", [first.a, first.b])
    a, b = claims.claims(workspace, "again")
    with workspace.write() as db:
        pairs.insert_pairs(db, "again", [type(first)(first.pair_id, "trials", a, b, first.scores)])
    assert [
        (run, p.item_id) for run, p in pairs.pairs_of_items(workspace, [first.item_id])[first.item_id]
    ] == [
        (RUN, first.item_id),
        ("again", first.item_id),
    ]


def test_a_second_label_of_an_origin_is_refused(workspace: Workspace, paired: Paired) -> None:
    with pytest.raises(sqlite3.IntegrityError), workspace.write() as db:
        pairs.insert_labels(db, RUN, [(paired.pairs[0], label(), None)])


def test_a_decision_answers_the_labels_shown_and_is_part_of_the_chain(
    workspace: Workspace, paired: Paired
) -> None:
    first = paired.pairs[0]
    shown = tuple(sorted(paired.labels[f"{first.pair_id}:{o}"] for o in ("model", "heuristic")))
    text = NORMALISED[1]
    at = text.index("Peru")
    said = answer(first, spans_b=(Span(at, at + 4, "Peru"),))
    assert say(workspace, "alpha", Action.FIX, first.item_id, shown=shown, answer=said).number == 1
    [stored] = decisions.decisions(workspace)
    assert stored.base == f"proposals:{shown[0]},{shown[1]}"
    assert stored.answer == said
    assert verify(workspace).problems == ()
    with workspace.write() as db:
        db.execute("DROP TRIGGER proposals_no_update")
        db.execute("UPDATE proposals SET reason = 'altered' WHERE id = ?", (shown[0],))
    assert any("Decision 1" in p for p in verify(workspace).problems)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"conflict_type": ConflictType.NO_CONFLICT}, "nothing for axes to explain"),
        ({"confounder": Axis.STUDY_DESIGN}, "one of the ticked axes"),
        ({"spans_a": (Span(0, 4, "That"),)}, "abstract A"),
        ({"pair_id": "pair-other"}, "pair-other"),
    ],
)
def test_an_answer_that_cannot_stand_is_refused(
    workspace: Workspace, paired: Paired, fields: dict[str, object], words: str
) -> None:
    first = paired.pairs[0]
    outcome = say(workspace, "alpha", Action.FIX, first.item_id, answer=answer(first, **fields))
    assert outcome.number is None
    assert words in str(outcome.refused)


def test_policies_settle_a_pair(workspace: Workspace, paired: Paired) -> None:
    first, second = (p.pair_id for p in paired.pairs)
    one, two = paired.pairs
    say(workspace, "alpha", Action.FIX, one.item_id, answer=answer(one))
    say(workspace, "alpha", Action.REJECT, two.item_id)
    alone = settled(workspace, CORPUS, ItemKind.PAIR)
    assert (set(alone.answers), alone.rejected, alone.disputed) == ({first}, {second}, set())
    assert settled(workspace, CORPUS, ItemKind.PAIR, "agreed").disputed == {first, second}
    say(workspace, "beta", Action.FIX, one.item_id, answer=answer(one, reconciliation="In other words."))
    number = say(
        workspace,
        "beta",
        Action.ACCEPT,
        two.item_id,
        answer=PairAnswer(second, True, ConflictType.NO_CONFLICT),
    ).number
    both = settled(workspace, CORPUS, ItemKind.PAIR, "agreed")
    assert both.answers[first].reconciliation == "In other words."
    assert both.disputed == {second}
    assert settled(workspace, CORPUS, ItemKind.PAIR).disputed == {second}
    assert settled(workspace, CORPUS, ItemKind.PAIR, "curator=beta").answers.keys() == {first, second}
    assert settled(workspace, CORPUS, ItemKind.PAIR, "any", 2).rejected == {second}
    say(workspace, "alpha", Action.ADJUDICATE, two.item_id)
    assert settled(workspace, CORPUS, ItemKind.PAIR, "adjudicated").rejected == {second}
    say(workspace, "beta", Action.UNDO, two.item_id, undoes=number)
    assert settled(workspace, CORPUS, ItemKind.PAIR, "curator=beta").answers.keys() == {first}


def test_concept_gold_and_history_hold_no_pairs(workspace: Workspace, paired: Paired) -> None:
    one = paired.pairs[0]
    say(workspace, "alpha", Action.FIX, one.item_id, answer=answer(one))
    say(workspace, "alpha", Action.CLOSE, passage_id=paired.passages[0])
    assert decisions.history(workspace, "alpha")[0].action is Action.CLOSE
    assert len(decisions.history(workspace, "alpha")) == 1
    found = gold.gold_set(workspace, "reviewed@now:curator=alpha", CORPUS)
    assert found.documents == {"art0": {}}


def test_a_digest_covers_claims_pairs_and_labels(workspace: Workspace, paired: Paired) -> None:
    with workspace.write() as db:
        digest = runs.finish_run(db, RUN)
        assert runs.run_digest(db, RUN) == digest
        for table in ("claims", "pairs", "proposals", "evidence"):
            db.execute(f"DROP TRIGGER {table}_no_update")
        for change in (
            "UPDATE claims SET confidence = .4 WHERE id = 1",
            "UPDATE pairs SET score = .6 WHERE id = 1",
            "UPDATE proposals SET reason = 'x' WHERE id = 1",
            "UPDATE evidence SET role = 'x'",
        ):
            db.execute("SAVEPOINT altered")
            db.execute(change)
            assert runs.run_digest(db, RUN) != digest
            db.execute("ROLLBACK TO altered")
        assert runs.run_digest(db, RUN) == digest


@pytest.mark.parametrize(
    "fields",
    [
        {"comparable": False},
        {"conflict_type": ConflictType.DIRECT_CONTRADICTION},
        {"axes": (Axis.GEOGRAPHY, Axis.STUDY_DESIGN)},
        {"confounder": None},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_curators_who_differ_in_what_counts_settle_nothing(
    workspace: Workspace, paired: Paired, fields: dict[str, object]
) -> None:
    one = paired.pairs[0]
    say(workspace, "alpha", Action.FIX, one.item_id, answer=answer(one))
    say(workspace, "beta", Action.FIX, one.item_id, answer=answer(one, **fields))
    found = settled(workspace, CORPUS, ItemKind.PAIR, "agreed")
    assert (found.disputed, found.answers) == ({one.pair_id}, {})
