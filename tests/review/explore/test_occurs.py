"""Where a concept occurs: every number by hand from the ward's table and the audit's."""

from __future__ import annotations

from core.records import Action, ErrorAnswer, ErrorType, NewDecision
from core.review.explore import occurrences
from core.review.explore.occurs import Of
from core.store import Workspace, decisions
from tests.evaluate import ward
from tests.review.audit_ward import furnish
from tests.review.clinic import CATARACT, SEIZURE


def test_proposals_answers_and_gold_of_a_concept_under_all_its_ids(workspace: Workspace) -> None:
    ward.review(workspace, ward.fill(workspace))
    found = occurrences(workspace, [ward.A, ward.OLD_A], "alpha")
    told = [(one.of, one.name, one.corpus, one.number, len(one.items)) for one in found.counts]
    assert told == [
        (Of.RUN, ward.RUN, "ward", 2, 2),
        (Of.ANSWER, "accept", "ward", 1, 1),
        (Of.GOLD, "ward@1", "ward", 2, 2),
    ]
    assert (found.blind, found.withheld) == (0, 0)
    of_b = occurrences(workspace, [ward.B], None).counts
    assert [(one.of, one.number, one.items) for one in of_b] == [(Of.GOLD, 1, of_b[0].items)]


def test_what_audits_found(workspace: Workspace) -> None:
    items = furnish(workspace)
    decisions.add_curator(workspace, "ada", "Ada")
    subjects = {
        row[0]: row[1] for row in workspace.db.execute("SELECT id, subject FROM items WHERE kind = 'error'")
    }
    of_seizure = [one for one in items if subjects[one].endswith(SEIZURE)]
    assert len(of_seizure) == 2
    for one in of_seizure:
        answer = ErrorAnswer(ErrorType.CONTEXT)
        new = NewDecision(f"c{one}", "ada", Action.CLASSIFY_ERROR, item_id=one, answer=answer)
        assert decisions.append(workspace, [new])[0].number
    found = occurrences(workspace, [SEIZURE], "ada")
    [errors] = [one for one in found.counts if one.of is Of.ERROR]
    assert (errors.name, errors.number, sorted(map(int, filter(None, errors.items)))) == (
        "E-3",
        2,
        sorted(of_seizure),
    )
    others = occurrences(workspace, [SEIZURE], "ben")
    assert ([one.of for one in others.counts if one.of is Of.ERROR], others.withheld) == ([], 2)
    assert not [one for one in occurrences(workspace, [CATARACT], "ada").counts if one.of is Of.ERROR]
