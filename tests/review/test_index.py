"""What is queued, in which order, and who is given what."""

from __future__ import annotations

import pytest

from core import review
from core.records import Action, Assertion, ConceptClass, NewDecision
from core.review.walks.concept import Filters, Order, index_of
from core.review.walks.walk import Progress, Show
from core.store import Workspace, decisions
from tests.review.clinic import CATARACT, EYE, FOCAL, HYPOTONIA, SEIZURE, TEXTS, add_run, draft, furnish

HERE = Filters("ward")


def names(workspace: Workspace, filters: Filters) -> list[str]:
    """The queue as `doc concept`, in words that a reader can check against `furnish`."""
    ontology = review.ontology_of(workspace, "ward")
    assert ontology is not None
    order = index_of(workspace).order(filters, review.terms_of(workspace, ontology).branch)
    words = {SEIZURE: "seizure", CATARACT: "cataract", HYPOTONIA: "hypotonia", FOCAL: "focal"}
    found = []
    for item in order:
        doc, concept = workspace.db.execute(
            "SELECT p.doc_id, i.subject FROM items i JOIN passages p ON p.id = i.passage_id WHERE i.id = ?",
            (int(item),),
        ).fetchone()
        found.append(f"{doc} {words[concept]}")
    return found


def judge(workspace: Workspace, curator: str, item: int, action: Action = Action.REJECT) -> int:
    outcome = decisions.append(
        workspace, [NewDecision(f"{curator}-{item}-{action}", curator, action, item_id=item)]
    )[0]
    assert outcome.number is not None, outcome.refused
    return outcome.number


def offered(workspace: Workspace, filters: Filters, curator: str, after: int | None = None) -> list[int]:
    index = index_of(workspace)
    order = index.order(filters, lambda concept: frozenset({concept}))
    return [item for item, _ in index.open_items(order, filters, curator, after)]


def test_document_order_goes_by_place_in_the_text(workspace: Workspace) -> None:
    furnish(workspace)
    assert names(workspace, HERE) == [
        "d1 seizure",
        "d1 cataract",
        "d1 hypotonia",
        "d2 seizure",
        "d2 hypotonia",
        "d3 cataract",
    ]


def test_least_confident_first(workspace: Workspace) -> None:
    furnish(workspace)
    assert names(workspace, Filters("ward", order=Order.CONFIDENCE)) == [
        "d2 hypotonia",  # 0.3
        "d1 seizure",  # 0.6
        "d1 hypotonia",  # 0.7
        "d2 seizure",  # 0.8
        "d3 cataract",  # 0.9
        "d1 cataract",  # 0.95
    ]


def test_where_runs_differ_comes_before_where_one_is_silent(workspace: Workspace) -> None:
    at = furnish(workspace)
    second = {
        at["d1"]: [draft(SEIZURE, TEXTS["d1"], "seizure"), draft(CATARACT, TEXTS["d1"], "cataract")],
        at["d3"]: [draft(CATARACT, TEXTS["d3"], "cataract")],
    }
    add_run(workspace, second, "beta")
    queue = names(workspace, Filters("ward", order=Order.DISAGREEMENT))
    assert queue[0] == "d1 cataract"  # alpha says negated, beta affirmed
    assert queue[1:4] == ["d2 hypotonia", "d1 hypotonia", "d2 seizure"]  # alpha alone; least confident first
    assert queue[4:] == ["d1 seizure", "d3 cataract"]  # both runs say the same


@pytest.mark.parametrize("order", list(Order))
def test_ungrounded_and_repaired_come_first_in_every_order(workspace: Workspace, order: Order) -> None:
    at = furnish(workspace)
    flagged = {
        at["d2"]: [draft(CATARACT, TEXTS["d2"], "clouded lenses", confidence=0.99)],
        at["d3"]: [draft(SEIZURE, TEXTS["d3"], "note", confidence=0.99, repaired=True)],
    }
    add_run(workspace, flagged, "beta")
    assert set(names(workspace, Filters("ward", order=order))[:2]) == {"d2 cataract", "d3 seizure"}


def test_filters_narrow_the_queue(workspace: Workspace) -> None:
    at = furnish(workspace)
    implied = draft(FOCAL, TEXTS["d2"], "began", concept_class=ConceptClass.LOGICALLY_IMPLICIT)
    add_run(workspace, {at["d2"]: [implied]}, "beta")
    assert names(workspace, Filters("ward", run="beta")) == ["d2 focal"]
    assert names(workspace, Filters("ward", concept_class=ConceptClass.LOGICALLY_IMPLICIT)) == ["d2 focal"]
    assert names(workspace, Filters("ward", branch=EYE)) == ["d1 cataract", "d3 cataract"]
    assert names(workspace, Filters("ward", branch=SEIZURE)) == ["d1 seizure", "d2 seizure", "d2 focal"]
    assert names(workspace, Filters("ward", band=review.Band.LOW)) == ["d2 hypotonia"]
    assert names(workspace, Filters("ward", band=review.Band.MEDIUM)) == ["d1 seizure", "d1 hypotonia"]
    assert names(workspace, Filters("ward", assertion=Assertion.NEGATED)) == ["d1 cataract"]
    assert names(workspace, Filters("ward", assertion=Assertion.UNCERTAIN)) == ["d2 hypotonia"]
    assert names(workspace, Filters("ward", passage=at["d3"])) == ["d3 cataract"]
    assert names(workspace, Filters("elsewhere")) == []


def test_a_new_run_is_seen_without_reading_the_old_ones_again(workspace: Workspace) -> None:
    at = furnish(workspace)
    assert len(names(workspace, HERE)) == 6
    add_run(workspace, {at["d3"]: [draft(SEIZURE, TEXTS["d3"], "note")]}, "beta")
    assert names(workspace, HERE)[-2:] == ["d3 seizure", "d3 cataract"]


def test_what_is_decided_is_offered_to_nobody_else_unless_two_should_answer(workspace: Workspace) -> None:
    furnish(workspace)
    everything = offered(workspace, HERE, "alpha")
    judge(workspace, "alpha", everything[0])
    assert offered(workspace, HERE, "alpha") == everything[1:]
    assert offered(workspace, HERE, "beta") == everything[1:]
    two = Filters("ward", answers=2)
    assert offered(workspace, two, "alpha") == everything[1:]
    assert offered(workspace, two, "beta") == everything


def test_undo_offers_the_item_again(workspace: Workspace) -> None:
    furnish(workspace)
    everything = offered(workspace, HERE, "alpha")
    number = judge(workspace, "alpha", everything[0])
    assert everything[0] not in offered(workspace, HERE, "alpha")
    decisions.append(workspace, [NewDecision("back", "alpha", Action.UNDO, undoes=number)])
    assert offered(workspace, HERE, "alpha") == everything


def test_the_queue_goes_on_behind_a_place_and_then_from_the_start(workspace: Workspace) -> None:
    furnish(workspace)
    everything = offered(workspace, HERE, "alpha")
    assert offered(workspace, HERE, "alpha", after=everything[3]) == everything[4:] + everything[:4]


def test_unsure_ones_can_be_asked_for(workspace: Workspace) -> None:
    furnish(workspace)
    everything = offered(workspace, HERE, "alpha")
    judge(workspace, "alpha", everything[1], Action.UNSURE)
    judge(workspace, "alpha", everything[2], Action.REJECT)
    judge(workspace, "beta", everything[4], Action.UNSURE)
    assert offered(workspace, Filters("ward", show=Show.UNSURE), "alpha") == [everything[1]]
    assert offered(workspace, Filters("ward", show=Show.ALL), "alpha") == everything


def test_outcomes_are_those_of_the_own_answers(workspace: Workspace) -> None:
    """What another curator answered neither shows nor hides an item."""
    furnish(workspace)
    everything = offered(workspace, Filters("ward", show=Show.ALL), "alpha")
    reject, unsure = judge(workspace, "alpha", everything[3]), Action.UNSURE
    judge(workspace, "alpha", everything[1], unsure)
    for other in everything:
        judge(workspace, "beta", other)

    def shown(show: Show) -> list[int]:
        return offered(workspace, Filters("ward", show=show), "alpha")

    assert shown(Show.REJECTED) == [everything[3]]
    assert shown(Show.UNSURE) == [everything[1]]
    assert shown(Show.DECIDED) == [everything[1], everything[3]]
    assert shown(Show.ACCEPTED) == shown(Show.FIXED) == []
    decisions.append(workspace, [NewDecision("back", "alpha", Action.UNDO, undoes=reject)])
    assert shown(Show.REJECTED) == []


def test_progress_counts_what_needs_nothing_more(workspace: Workspace) -> None:
    furnish(workspace)
    index = index_of(workspace)
    order = index.order(HERE, lambda concept: frozenset({concept}))
    judge(workspace, "alpha", int(order[0]))
    judge(workspace, "beta", int(order[1]))
    index = index_of(workspace)
    judge(workspace, "alpha", int(order[2]), Action.UNSURE)
    index = index_of(workspace)
    assert index.progress(order, HERE, "alpha") == Progress(done=3, total=6, mine=2, settled=3, unsure=1)
    assert index.progress(order, Filters("ward", answers=2), "alpha") == Progress(2, 6, 2, 0, 1)


def test_two_workspaces_never_mix(workspace: Workspace, tmp_path_factory: pytest.TempPathFactory) -> None:
    from core.store import open_workspace

    furnish(workspace)
    with open_workspace(tmp_path_factory.mktemp("other") / "other.db") as other:
        at = furnish(other)
        add_run(other, {at["d3"]: [draft(SEIZURE, TEXTS["d3"], "note")]}, "beta")
        assert (len(names(workspace, HERE)), len(names(other, HERE))) == (6, 7)


def test_negated_and_affirmed_of_one_run_are_no_disagreement(workspace: Workspace) -> None:
    at = furnish(workspace)
    same = draft(CATARACT, TEXTS["d1"], "cataract", assertion=Assertion.NEGATED)
    add_run(workspace, {at["d1"]: [same]}, "beta")
    queue = names(workspace, Filters("ward", order=Order.DISAGREEMENT))
    assert queue[-1] == "d1 cataract"  # the only item on which both runs speak, and they agree
