"""Gold as a query over decisions: worked examples for every policy, pins, and before against after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError, NotFoundError
from core.records import Action, Annotation, Assertion, ConceptClass, Document
from core.store import Workspace, corpora, decisions, gold, runs
from tests.store.making import CONCEPTS, Furniture, add_run, answer, documents, furnish, say

SEIZURE, ATAXIA, FEVER, HEADACHE = CONCEPTS
AFFIRMED, NEGATED, UNCERTAIN = Assertion.AFFIRMED, Assertion.NEGATED, Assertion.UNCERTAIN


@pytest.fixture
def house(workspace: Workspace) -> Furniture:
    """Every passage has all four concepts proposed."""
    return furnish(workspace)


def accept(
    workspace: Workspace, curator: str, item: int, concept: str, assertion: Assertion = AFFIRMED
) -> int:
    return say(workspace, curator, Action.ACCEPT, item, answer=answer(concept, assertion))


def read(workspace: Workspace, policy: str, number: int | str = "now") -> tuple[dict, dict, set, int]:
    """(statuses, rejected, documents for recall, excluded) of reviewed gold."""
    found = gold.gold_set(workspace, f"reviewed@{number}:{policy}", "cases")
    rejected = {doc: set(concepts) for doc, concepts in found.rejected.items()}
    return found.documents, rejected, set(found.recall_documents), found.excluded


# --- one curator ------------------------------------------------------------------------------------------


def test_curators_gold_is_what_that_curator_answered(workspace: Workspace, house: Furniture) -> None:
    accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    accept(workspace, "alpha", house.item(0, 2), FEVER, NEGATED)
    say(workspace, "alpha", Action.REJECT, house.item(0, 1))
    say(workspace, "alpha", Action.UNSURE, house.item(0, 3))
    say(workspace, "beta", Action.REJECT, house.item(0, 0))
    say(workspace, "alpha", Action.CLOSE, passage_id=house.passages[0])
    say(workspace, "alpha", Action.CLOSE, passage_id=house.passages[1])
    assert read(workspace, "curator=alpha") == (
        {"doc-0": {SEIZURE: AFFIRMED, FEVER: NEGATED}, "doc-1": {}},
        {"doc-0": {ATAXIA}},
        {"doc-0", "doc-1"},
        1,
    )
    assert read(workspace, "curator=beta") == ({"doc-0": {}}, {"doc-0": {SEIZURE}}, set(), 0)
    assert read(workspace, "curator=gamma") == ({}, {}, set(), 0)


def test_fix_moves_the_answer_to_another_concept(workspace: Workspace, house: Furniture) -> None:
    say(workspace, "alpha", Action.FIX, house.item(0, 0), answer=answer("HP:0007359", UNCERTAIN))
    assert read(workspace, "curator=alpha")[:2] == (
        {"doc-0": {"HP:0007359": UNCERTAIN}},
        {"doc-0": {SEIZURE}},
    )


def test_fix_of_status_alone_keeps_the_concept(workspace: Workspace, house: Furniture) -> None:
    say(workspace, "alpha", Action.FIX, house.item(0, 0), answer=answer(SEIZURE, NEGATED))
    assert read(workspace, "curator=alpha")[:2] == ({"doc-0": {SEIZURE: NEGATED}}, {})


def test_latest_word_on_a_concept_stands_wherever_it_was_said(workspace: Workspace, house: Furniture) -> None:
    say(workspace, "alpha", Action.FIX, house.item(0, 0), answer=answer(ATAXIA))
    assert read(workspace, "curator=alpha")[0] == {"doc-0": {ATAXIA: AFFIRMED}}
    say(workspace, "alpha", Action.REJECT, house.item(0, 1))  # ataxia's own item
    assert read(workspace, "curator=alpha")[:2] == ({"doc-0": {}}, {"doc-0": {SEIZURE, ATAXIA}})
    fixed = say(workspace, "alpha", Action.FIX, house.item(0, 2), answer=answer(ATAXIA, UNCERTAIN))
    assert read(workspace, "curator=alpha")[0] == {"doc-0": {ATAXIA: UNCERTAIN}}
    say(workspace, "alpha", Action.UNDO, undoes=fixed)
    assert read(workspace, "curator=alpha")[:2] == ({"doc-0": {}}, {"doc-0": {SEIZURE, ATAXIA}})


def test_changed_mind_takes_back_what_a_fix_had_said(workspace: Workspace, house: Furniture) -> None:
    say(workspace, "alpha", Action.FIX, house.item(0, 0), answer=answer("HP:0007359"))
    accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    assert read(workspace, "curator=alpha")[:2] == ({"doc-0": {SEIZURE: AFFIRMED}}, {})


def test_unsure_and_undone_are_neither_present_nor_absent(workspace: Workspace, house: Furniture) -> None:
    number = accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    say(workspace, "alpha", Action.UNDO, undoes=number)
    assert read(workspace, "curator=alpha") == ({}, {}, set(), 0)
    say(workspace, "alpha", Action.UNSURE, house.item(0, 0))
    assert read(workspace, "curator=alpha") == ({}, {}, set(), 1)


def test_note_leaves_gold_alone(workspace: Workspace, house: Furniture) -> None:
    accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    before = read(workspace, "curator=alpha")
    say(workspace, "alpha", Action.NOTE, house.item(0, 0), note="mild")
    assert read(workspace, "curator=alpha") == before


def test_reopened_passage_leaves_recall_until_closed_again(workspace: Workspace, house: Furniture) -> None:
    for action, complete in ((Action.CLOSE, {"doc-0"}), (Action.REOPEN, set()), (Action.CLOSE, {"doc-0"})):
        say(workspace, "alpha", action, passage_id=house.passages[0])
        assert read(workspace, "curator=alpha")[2] == complete


def test_other_corpora_stay_out(workspace: Workspace, house: Furniture) -> None:
    with workspace.write() as db:
        other = corpora.create_corpus(db, "other")
        [(passage, _)] = corpora.insert_passages(db, other, documents(1))
    say(workspace, "alpha", Action.ADD, passage_id=passage, subject=SEIZURE, answer=answer())
    assert read(workspace, "curator=alpha") == ({}, {}, set(), 0)


# --- agreement --------------------------------------------------------------------------------------------


def test_agreed_is_what_two_answered_alike_in_status_too(workspace: Workspace, house: Furniture) -> None:
    for who in ("alpha", "beta"):
        accept(workspace, who, house.item(0, 0), SEIZURE)  # alike
        say(workspace, who, Action.REJECT, house.item(0, 1))  # alike: absent
        accept(
            workspace, who, house.item(0, 2), FEVER, NEGATED if who == "alpha" else UNCERTAIN
        )  # status differs
    accept(workspace, "alpha", house.item(0, 3), HEADACHE)  # seen by one
    accept(workspace, "alpha", house.item(1, 0), SEIZURE)  # disagreed
    say(workspace, "beta", Action.REJECT, house.item(1, 0))
    accept(workspace, "alpha", house.item(1, 1), ATAXIA)  # one is unsure
    say(workspace, "beta", Action.UNSURE, house.item(1, 1))
    assert read(workspace, "agreed") == ({"doc-0": {SEIZURE: AFFIRMED}}, {"doc-0": {ATAXIA}}, set(), 4)


def test_third_voice_against_breaks_an_agreement(workspace: Workspace, house: Furniture) -> None:
    accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    accept(workspace, "beta", house.item(0, 0), SEIZURE)
    assert read(workspace, "agreed")[0] == {"doc-0": {SEIZURE: AFFIRMED}}
    say(workspace, "gamma", Action.REJECT, house.item(0, 0))
    assert read(workspace, "agreed") == ({}, {}, set(), 1)


def test_document_is_complete_once_two_have_closed_it(workspace: Workspace, house: Furniture) -> None:
    say(workspace, "alpha", Action.CLOSE, passage_id=house.passages[0])
    assert read(workspace, "agreed")[2] == set()
    say(workspace, "beta", Action.CLOSE, passage_id=house.passages[0])
    assert read(workspace, "agreed")[2] == {"doc-0"}


def test_agreement_counts_however_the_concept_was_reached(workspace: Workspace, house: Furniture) -> None:
    """One fixes another item to it, one adds it: the same answer."""
    say(workspace, "alpha", Action.FIX, house.item(0, 0), answer=answer("HP:0007359"))
    say(
        workspace,
        "beta",
        Action.ADD,
        passage_id=house.passages[0],
        subject="HP:0007359",
        answer=answer("HP:0007359"),
    )
    statuses, rejected, _, excluded = read(workspace, "agreed")
    assert (statuses, rejected, excluded) == (
        {"doc-0": {"HP:0007359": AFFIRMED}},
        {},
        1,
    )  # seizure: one voice


def test_closing_without_adding_what_nobody_proposed_says_absent(workspace: Workspace) -> None:
    house = furnish(workspace, concepts=(SEIZURE,))
    passage = house.passages[0]
    say(workspace, "alpha", Action.ADD, passage_id=passage, subject=FEVER, answer=answer(FEVER))
    assert read(workspace, "agreed") == ({}, {}, set(), 1)
    say(workspace, "beta", Action.CLOSE, passage_id=passage)  # against alpha: no fever here
    assert read(workspace, "agreed") == ({}, {}, set(), 1)
    say(workspace, "alpha", Action.REJECT, house_item(workspace, passage, FEVER))
    assert read(workspace, "agreed") == ({"doc-0": {}}, {"doc-0": {FEVER}}, set(), 0)


def test_in_a_closed_passage_only_what_was_open_at_its_closing_stays_unsettled(workspace: Workspace) -> None:
    house = furnish(workspace, concepts=(SEIZURE, ATAXIA))
    say(workspace, "alpha", Action.REJECT, house_item(workspace, house.passages[0], SEIZURE))
    say(workspace, "alpha", Action.CLOSE, passage_id=house.passages[0])
    with workspace.write() as db:
        add_run(db, house.corpus_id, "later", {house.passages[0]: "No fever."}, (FEVER,))
    found = gold.gold_set(workspace, "reviewed@now:curator=alpha", "cases")
    assert found.unsettled == {"doc-0": frozenset({ATAXIA})}  # and so a later fever is wrong


def test_what_is_accepted_as_not_relevant_is_absent(workspace: Workspace, house: Furniture) -> None:
    said = answer(SEIZURE)
    irrelevant = replace(said, concept_class=ConceptClass.NOT_RELEVANT)
    say(workspace, "alpha", Action.FIX, house_item(workspace, house.passages[0], SEIZURE), answer=irrelevant)
    assert read(workspace, "curator=alpha")[:2] == ({"doc-0": {}}, {"doc-0": {SEIZURE}})


def test_closing_says_nothing_on_a_proposal_that_was_left_undecided(
    workspace: Workspace, house: Furniture
) -> None:
    say(workspace, "alpha", Action.REJECT, house.item(0, 0))
    say(workspace, "beta", Action.CLOSE, passage_id=house.passages[0])
    assert read(workspace, "agreed") == ({}, {}, set(), 1)


def house_item(workspace: Workspace, passage: int, concept: str) -> int:
    row = workspace.db.execute(
        "SELECT id FROM items WHERE passage_id = ? AND subject = ?", (passage, concept)
    )
    return int(row.fetchone()[0])


# --- adjudication -----------------------------------------------------------------------------------------


def test_adjudication_settles_what_was_not_agreed_and_overrules_what_was(
    workspace: Workspace, house: Furniture
) -> None:
    for who in ("alpha", "beta"):
        accept(workspace, who, house.item(0, 1), ATAXIA)
    accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    say(workspace, "beta", Action.REJECT, house.item(0, 0))
    assert read(workspace, "adjudicated") == read(workspace, "agreed")
    say(workspace, "gamma", Action.ADJUDICATE, house.item(0, 0), answer=answer(SEIZURE, UNCERTAIN))
    assert read(workspace, "adjudicated") == ({"doc-0": {ATAXIA: AFFIRMED, SEIZURE: UNCERTAIN}}, {}, set(), 0)
    say(workspace, "gamma", Action.ADJUDICATE, house.item(0, 1))  # without an answer: absent
    assert read(workspace, "adjudicated") == ({"doc-0": {SEIZURE: UNCERTAIN}}, {"doc-0": {ATAXIA}}, set(), 0)
    assert read(workspace, "agreed")[0] == {"doc-0": {ATAXIA: AFFIRMED}}


def test_last_ruling_on_an_item_replaces_the_one_before_whoever_gives_it(
    workspace: Workspace, house: Furniture
) -> None:
    say(workspace, "gamma", Action.ADJUDICATE, house.item(0, 0), answer=answer("HP:0007359"))
    assert read(workspace, "adjudicated")[:2] == ({"doc-0": {"HP:0007359": AFFIRMED}}, {"doc-0": {SEIZURE}})
    second = say(workspace, "beta", Action.ADJUDICATE, house.item(0, 0), answer=answer(SEIZURE))
    assert read(workspace, "adjudicated")[:2] == ({"doc-0": {SEIZURE: AFFIRMED}}, {})
    say(workspace, "beta", Action.UNDO, undoes=second)
    assert read(workspace, "adjudicated")[:2] == ({"doc-0": {"HP:0007359": AFFIRMED}}, {"doc-0": {SEIZURE}})


# --- pins -------------------------------------------------------------------------------------------------


def test_pinned_gold_does_not_change_with_what_comes_later(workspace: Workspace) -> None:
    house = furnish(workspace, concepts=(SEIZURE,))
    passage = house.passages[0]
    accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    say(workspace, "alpha", Action.ADD, passage_id=passage, subject=FEVER, answer=answer(FEVER))
    say(workspace, "alpha", Action.REJECT, house_item(workspace, passage, FEVER))
    say(workspace, "beta", Action.CLOSE, passage_id=passage)
    pin = decisions.chain_head(workspace)[0]
    policies = ("curator=alpha", "curator=beta", "agreed", "adjudicated")
    before = {policy: read(workspace, policy, pin) for policy in policies}
    assert before["agreed"][1] == {"doc-0": {FEVER}}

    say(workspace, "alpha", Action.UNDO, undoes=1)
    say(workspace, "beta", Action.REOPEN, passage_id=passage)
    accept(workspace, "beta", house.item(0, 0), SEIZURE, NEGATED)
    say(workspace, "gamma", Action.ADJUDICATE, house.item(0, 0))
    text = corpora.passage(workspace, passage).text
    with workspace.write() as db:  # a later run proposes what beta had closed the passage without
        add_run(db, house.corpus_id, "run-2", {passage: text}, (FEVER, ATAXIA))

    assert {policy: read(workspace, policy, pin) for policy in policies} == before
    assert gold.gold_set(workspace, "reviewed@now:agreed", "cases").reference == "reviewed@8:agreed"


def test_every_number_can_be_pinned_and_none_beyond_the_head(workspace: Workspace, house: Furniture) -> None:
    accept(workspace, "alpha", house.item(0, 0), SEIZURE)
    accept(workspace, "alpha", house.item(0, 1), ATAXIA)
    assert [len(read(workspace, "curator=alpha", n)[0].get("doc-0", {})) for n in (0, 1, 2)] == [0, 1, 2]
    with pytest.raises(NotFoundError, match="1 to 2"):
        read(workspace, "curator=alpha", 3)


# --- references -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "reviewed",
        "reviewed@now",
        "reviewed@x:agreed",
        "reviewed@-1:agreed",
        "reviewed@1:most",
        "gold.json",
        f"reviewed@{'9' * 5000}:agreed",
        "reviewed@١:agreed",
        "reviewed@1:curator=",
    ],
)
def test_what_is_no_reference_is_refused(workspace: Workspace, house: Furniture, reference: str) -> None:
    with pytest.raises(InputError, match="no gold reference"):
        gold.gold_set(workspace, reference, "cases")


def test_unknown_sets_and_curators_are_named(workspace: Workspace, house: Furniture) -> None:
    with pytest.raises(NotFoundError, match="Known: alpha, beta, gamma"):
        read(workspace, "curator=delta")
    with pytest.raises(NotFoundError, match="imported:cases@1"):
        gold.gold_set(workspace, "imported:cases@2", "cases")


def test_references_on_offer(workspace: Workspace, house: Furniture) -> None:
    assert gold.list_references(workspace, "cases") == ["imported:cases@1"]
    say(workspace, "alpha", Action.REJECT, house.item())
    assert gold.list_references(workspace, "cases") == ["imported:cases@1", "reviewed@now:curator=alpha"]
    say(workspace, "beta", Action.REJECT, house.item())
    offered = gold.list_references(workspace, "cases")
    assert offered[-2:] == ["reviewed@now:agreed", "reviewed@now:adjudicated"]
    for reference in offered:
        assert gold.gold_set(workspace, reference, "cases").documents


def test_imported_gold_holds_every_document_and_the_strongest_status(workspace: Workspace) -> None:
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "notes")
        ids = [p for p, _ in corpora.insert_passages(db, corpus, [Document("a", "x"), Document("b", "y")])]
        said = [(ids[0], Annotation(SEIZURE, assertion=s)) for s in (NEGATED, AFFIRMED, UNCERTAIN)]
        said += [(ids[0], Annotation(FEVER, assertion=s)) for s in (NEGATED, UNCERTAIN)]
        for version in ("1", "v@2"):
            corpora.add_annotation_set(
                db, "notes", version, corpus, said if version == "1" else [], exhaustive=True, sha256="0" * 64
            )
    first = gold.gold_set(workspace, "imported:notes@1", "notes")
    assert first.documents == {"a": {SEIZURE: AFFIRMED, FEVER: UNCERTAIN}, "b": {}}
    assert first.recall_documents == {"a", "b"}
    assert gold.gold_set(workspace, "imported:notes@v@2", "notes").documents == {"a": {}, "b": {}}
    assert gold.gold_set(workspace, "imported:notes", "notes").reference == "imported:notes@v@2"


# --- before and after review ------------------------------------------------------------------------------


def test_corrected_run_differs_from_the_raw_one_by_what_was_decided(
    workspace: Workspace, house: Furniture
) -> None:
    """Raw: all four in every document, fever negated. Alpha rejects one, fixes one to another concept, turns
    a status, adds one, and leaves the rest alone."""
    say(workspace, "alpha", Action.REJECT, house.item(0, 0))
    say(workspace, "alpha", Action.FIX, house.item(0, 1), answer=answer("HP:0002066"))
    accept(workspace, "alpha", house.item(0, 2), FEVER, AFFIRMED)
    say(
        workspace,
        "alpha",
        Action.ADD,
        passage_id=house.passages[1],
        subject="HP:1",
        answer=answer("HP:1", UNCERTAIN),
    )
    raw = {SEIZURE: AFFIRMED, ATAXIA: AFFIRMED, FEVER: NEGATED, HEADACHE: AFFIRMED}
    assert runs.predictions(workspace, "run-1") == {"doc-0": raw, "doc-1": raw, "doc-2": raw}
    after = gold.corrected(workspace, "run-1", "curator=alpha")
    assert after == {
        "doc-0": {"HP:0002066": AFFIRMED, FEVER: AFFIRMED, HEADACHE: AFFIRMED},
        "doc-1": raw | {"HP:1": UNCERTAIN},
        "doc-2": raw,
    }
    assert gold.corrected(workspace, "run-1", "curator=alpha", 1)["doc-0"] == {
        ATAXIA: AFFIRMED,
        FEVER: NEGATED,
        HEADACHE: AFFIRMED,
    }
    assert gold.corrected(workspace, "run-1", "curator=beta") == runs.predictions(workspace, "run-1")
