"""Audit sets by hand: what is drawn, in which order, whose answer counts, and what the machine proposes.

| passage | gold                     | run                         | apparent false positives           |
| d1      | focal, cataract (negated)| seizure, hypotonia, no cataract | seizure (above focal), hypotonia |
| d2      | seizure                  | seizure, hypotonia?         | hypotonia                          |
| d3      | hypotonia                | cataract                    | cataract (in another branch)       |
"""

from __future__ import annotations

import hashlib

import pytest

from core.errors import InputError, NotFoundError
from core.evaluate.estimated import estimated
from core.evaluate.reviewed import evaluate_run
from core.evaluate.settings import Settings
from core.records import (
    Action,
    Answer,
    Assertion,
    ConceptClass,
    ErrorType,
    NewDecision,
    Span,
)
from core.review.audit import Audit, aid, audited, draw_audit
from core.review.frames import Wanted, next_units, open_frame
from core.store import Workspace, decisions, frames
from core.store.chain import verify
from core.store.curators import add_curator
from tests.review.auditing import GOLD, change, drawn, item, say, with_gold
from tests.review.clinic import CATARACT, EYE, FOCAL, HYPOTONIA, NERVOUS, SEIZURE, add_run, draft

APPARENT = {("d1", SEIZURE), ("d1", HYPOTONIA), ("d2", HYPOTONIA), ("d3", CATARACT)}


@pytest.fixture
def places(workspace: Workspace) -> dict[str, int]:
    return with_gold(workspace)


# --- what is drawn ----------------------------------------------------------------------------------------


def test_a_set_holds_what_the_metrics_count_as_false_positive(
    workspace: Workspace, places: dict[str, int]
) -> None:
    assert set(drawn(workspace)) == APPARENT
    found = evaluate_run(workspace, "alpha", GOLD, Settings(bootstrap=0)).before
    assert {(o.doc_id, concept) for o in found.outcomes for concept in o.fp} == APPARENT


def test_of_reviewed_gold_only_what_is_settled_is_drawn(workspace: Workspace, places: dict[str, int]) -> None:
    """d1 is closed with an added focal seizure and nothing accepted; of d2 the seizure alone is rejected."""
    added = Answer(FOCAL, "x", Assertion.AFFIRMED, ConceptClass.EXPLICIT)
    incoming = [
        NewDecision("1", "alpha", Action.ADD, passage_id=places["d1"], subject=FOCAL, answer=added),
        NewDecision("2", "alpha", Action.REJECT, passage_id=places["d1"], subject=SEIZURE),
        NewDecision("3", "alpha", Action.UNSURE, passage_id=places["d1"], subject=HYPOTONIA),
        NewDecision("4", "alpha", Action.CLOSE, passage_id=places["d1"]),
        NewDecision("5", "alpha", Action.REJECT, passage_id=places["d2"], subject=SEIZURE),
    ]
    assert all(done.number for done in decisions.append(workspace, incoming))
    wanted = Audit("alpha", "reviewed@now:curator=alpha", 2, name="a")
    frame = draw_audit(workspace, wanted)
    assert frame.scope["gold"] == "reviewed@5:curator=alpha"  # pinned
    assert {(one.doc_id, one.concept) for one in audited(workspace, "a")} == {
        ("d1", SEIZURE),
        ("d2", SEIZURE),
    }
    found = evaluate_run(workspace, "alpha", frame.scope["gold"], Settings(bootstrap=0)).before
    assert {(o.doc_id, c) for o in found.outcomes for c in o.fp} == {("d1", SEIZURE), ("d2", SEIZURE)}
    decisions.append(workspace, [NewDecision("6", "alpha", Action.REOPEN, passage_id=places["d1"])])
    assert [one.proposed for one in audited(workspace, "a") if one.doc_id == "d1"] == [ErrorType.GRANULARITY]


def test_the_order_is_that_of_the_hashes_and_a_larger_set_extends_a_smaller_one(
    workspace: Workspace, places: dict[str, int]
) -> None:
    expected = sorted(APPARENT, key=lambda at: hashlib.sha256(f"7|ward/{at[0]}/{at[1]}".encode()).hexdigest())
    assert drawn(workspace, "two", 2, seed="7") == expected[:2]
    assert drawn(workspace, "four", 4, seed="7") == expected
    assert drawn(workspace, "again", 4, seed="7") == expected
    assert drawn(workspace, "other", 4, seed="8") != expected
    frame = frames.find_audit(workspace, "two")
    assert (frame.size, frame.unit, frame.policy) == (4, "item", "random")
    assert frame.scope == {
        "assertions": ["affirmed", "uncertain"],
        "gold": GOLD,
        "by": None,
        "size": 2,
    }
    assert verify(workspace).problems == ()


def test_items_are_made_once(workspace: Workspace, places: dict[str, int]) -> None:
    drawn(workspace, "one")
    drawn(workspace, "two", seed="8")
    count = workspace.db.execute("SELECT count(*) FROM items WHERE kind = 'error'").fetchone()[0]
    assert count == 4


def test_by_branch_every_beginning_is_in_proportion(workspace: Workspace, places: dict[str, int]) -> None:
    """Three of four lie in the nervous system: ranks 1/6, 3/6, 5/6 there, 1/2 in the eye, which comes in the
    middle: before or after the second, by its hash."""
    found = [concept for _, concept in drawn(workspace, by="branch")]
    assert found.index(CATARACT) in (1, 2)
    rows = audited(workspace, "a")
    assert {one.stratum for one in rows if one.concept == CATARACT} == {"Abnormality of the eye"}
    assert {one.branch for one in rows if one.concept != CATARACT} == {"Abnormality of the nervous system"}


@pytest.mark.parametrize(("by", "strata"), [("class", {"explicit"}), ("stage", {"lexicon"}), (None, {None})])
def test_by_class_and_stage(
    workspace: Workspace, places: dict[str, int], by: str | None, strata: set[str | None]
) -> None:
    assert set(drawn(workspace, by=by)) == APPARENT
    assert {one.stratum for one in audited(workspace, "a")} == strata


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Audit("alpha", GOLD, 5, name="a"), "has 4 apparent false positives against imported:ward@1: 5"),
        (Audit("alpha", GOLD, 0, name="a"), "Give a size from 1"),
        (Audit("alpha", GOLD, 1, by="length", name="a"), "Choose one of: class, branch, stage"),
        (Audit("alpha", GOLD, 1, name="a b"), "cannot name a frame"),
        (Audit("alpha", "estimated@now:x", 1, name="a"), "holds figures of a whole run, and no labels"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    workspace: Workspace, places: dict[str, int], wanted: Audit, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        draw_audit(workspace, wanted)
    assert frames.list_frames(workspace, audits=True) == []
    assert not workspace.db.execute("SELECT 1 FROM items WHERE kind = 'error'").fetchall()


def test_unknown_runs_golds_sets_and_decisions_are_told(workspace: Workspace, places: dict[str, int]) -> None:
    with pytest.raises(NotFoundError, match="alpha"):
        draw_audit(workspace, Audit("none", GOLD, 1, name="a"))
    with pytest.raises(NotFoundError, match="imported:ward@1"):
        draw_audit(workspace, Audit("alpha", "imported:none@1", 1, name="a"))
    drawn(workspace)
    with pytest.raises(NotFoundError, match="Known: a"):
        audited(workspace, "b")
    with pytest.raises(NotFoundError):
        audited(workspace, "a", 9)
    with pytest.raises(InputError, match="exists already"):
        draw_audit(workspace, Audit("alpha", GOLD, 1, name="a"))


def test_a_set_is_no_frame_of_proposals(workspace: Workspace, places: dict[str, int]) -> None:
    drawn(workspace)
    open_frame(workspace, Wanted("alpha", "pilot"))
    assert [frame.name for frame in frames.list_frames(workspace)] == ["pilot"]
    assert [frame.name for frame in frames.list_frames(workspace, audits=True)] == ["a"]
    for asked in (estimated, next_units):
        with pytest.raises(InputError, match="`touchstone audit show a`"):
            asked(workspace, "a")
    with pytest.raises(InputError, match="`touchstone budget show pilot`"):
        audited(workspace, "pilot")


# --- what is said of it -----------------------------------------------------------------------------------


def test_the_standing_answer_of_who_answered_first_counts(
    workspace: Workspace, places: dict[str, int]
) -> None:
    drawn(workspace)
    on = item(workspace, "d2", HYPOTONIA)
    first = say(workspace, "alpha", on, ErrorType.CONTEXT)
    say(workspace, "beta", on, ErrorType.OVERREACH)

    def now(at: int | None = None) -> tuple[ErrorType | None, str | None, bool]:
        one = next(x for x in audited(workspace, "a", at) if x.item_id == on)
        return one.error, one.curator, one.unsure

    assert now(0) == (None, None, False)
    assert now() == (ErrorType.CONTEXT, "alpha", False)
    say(workspace, "alpha", on, ErrorType.TRIGGER)
    assert now() == (ErrorType.TRIGGER, "alpha", False)
    say(workspace, "alpha", on, None)
    assert now() == (None, "alpha", True)
    assert now(first) == (ErrorType.CONTEXT, "alpha", False)


# --- the aid ----------------------------------------------------------------------------------------------


def test_the_same_lineage_is_proposed_and_another_branch_is_a_hint(
    workspace: Workspace, places: dict[str, int]
) -> None:
    drawn(workspace)
    above = aid(workspace, item(workspace, "d1", SEIZURE), "alpha")
    assert above.supported == ((FOCAL, "Focal-onset seizure"),)  # the negated cataract supports nothing
    assert above.lineage is not None
    assert above.lineage.relation == "ancestor"
    assert above.lineage.path == ((SEIZURE, "Seizure"), (FOCAL, "Focal-onset seizure"))
    assert (above.proposed, above.other_branch) == (ErrorType.GRANULARITY, False)
    beside = aid(workspace, item(workspace, "d1", HYPOTONIA), "alpha")
    assert (beside.proposed, beside.lineage, beside.other_branch) == (None, None, False)
    apart = aid(workspace, item(workspace, "d3", CATARACT), "alpha")
    assert (apart.proposed, apart.other_branch) == (None, True)
    assert apart.supported == ((HYPOTONIA, "Hypotonia"),)
    shown = {(one.doc_id, one.concept): (one.proposed, one.path) for one in audited(workspace, "a")}
    assert shown["d1", SEIZURE] == (ErrorType.GRANULARITY, above.lineage.path)
    assert [at for at, (proposed, _) in shown.items() if proposed] == [("d1", SEIZURE)]


def test_below_a_supported_concept_the_path_leads_up(workspace: Workspace, places: dict[str, int]) -> None:
    add_run(workspace, {places["d2"]: [draft(FOCAL), draft(NERVOUS)], places["d3"]: [draft(EYE)]}, "beta")
    draw_audit(workspace, Audit("beta", GOLD, 3, name="b"))
    below = aid(workspace, item(workspace, "d2", FOCAL, "b"), "alpha")
    assert below.lineage is not None
    assert below.lineage.relation == "descendant"
    assert [concept for concept, _ in below.lineage.path] == [FOCAL, SEIZURE]
    two_up = aid(workspace, item(workspace, "d2", NERVOUS, "b"), "alpha")
    assert two_up.lineage is not None
    assert [concept for concept, _ in two_up.lineage.path] == [NERVOUS, SEIZURE]
    assert aid(workspace, item(workspace, "d3", EYE, "b"), "alpha").other_branch


def test_own_missing_gold_counts_at_once_and_that_of_others_once_confirmed(
    workspace: Workspace, places: dict[str, int]
) -> None:
    """With cataract supported, the abnormality of the eye that is proposed beside it is its ancestor."""
    add_curator(workspace, "gamma", "Gamma")
    add_run(workspace, {places["d3"]: [draft(CATARACT), draft(EYE)]}, "beta")
    draw_audit(workspace, Audit("beta", GOLD, 2, name="b"))
    eye, cataract = item(workspace, "d3", EYE, "b"), item(workspace, "d3", CATARACT, "b")

    def proposed(curator: str) -> ErrorType | None:
        return aid(workspace, eye, curator).proposed

    assert proposed("alpha") is None
    said = say(workspace, "alpha", cataract, ErrorType.MISSING_GOLD)
    assert proposed("alpha") is ErrorType.GRANULARITY
    assert proposed("beta") is None  # who has not answered does not see what another one did
    assert [one.proposed for one in audited(workspace, "b")] == [None, None]
    change(workspace, "alpha", places["d3"], CATARACT, Action.ACCEPT)
    assert proposed("beta") is None  # nobody confirms what only they found
    accepted = change(workspace, "beta", places["d3"], CATARACT, Action.ACCEPT)
    assert proposed("gamma") is ErrorType.GRANULARITY
    assert aid(workspace, cataract, "gamma").proposed is None  # supported by now, so no error of depth
    found = {one.concept: one.proposed for one in audited(workspace, "b")}
    assert found == {EYE: ErrorType.GRANULARITY, CATARACT: None}
    assert {one.proposed for one in audited(workspace, "b", accepted - 1)} == {None}
    decisions.append(workspace, [NewDecision("u", "alpha", Action.UNDO, undoes=said)])
    assert proposed("gamma") is None


def test_triggers_are_words_of_its_names_and_quoted_evidence(
    workspace: Workspace, places: dict[str, int]
) -> None:
    drawn(workspace)
    found = aid(workspace, item(workspace, "d1", SEIZURE), "alpha").triggers
    assert found == (Span(19, 26, "seizure"),)
    add_run(workspace, {places["d3"]: [draft(EYE, "Nothing of note but cataract.", "note")]}, "beta")
    draw_audit(workspace, Audit("beta", GOLD, 1, name="b"))
    assert [x.quote for x in aid(workspace, item(workspace, "d3", EYE, "b"), "alpha").triggers] == ["note"]


def test_an_aid_is_for_errors_alone(workspace: Workspace, places: dict[str, int]) -> None:
    concept = workspace.db.execute("SELECT id FROM items WHERE kind = 'concept'").fetchone()[0]
    for unknown in (concept, 999):
        with pytest.raises(NotFoundError, match="no apparent false positive"):
            aid(workspace, unknown, "alpha")
