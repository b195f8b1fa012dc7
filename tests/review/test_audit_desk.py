"""Apparent false positives and changes of gold on the desk: their order, who sees them, what is stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core import review
from core.kinds.concept import answer_of
from core.kinds.error import spoken_of
from core.kinds.gold_change import change_of
from core.records import Action, ErrorAnswer, ErrorType, ItemKind
from core.review.walks.listing import ListingFilters
from core.review.walks.walk import Listed, Show
from core.store import Workspace, corpora, decisions, proposals, queue
from tests.review.audit_ward import drawn, furnish
from tests.review.clinic import CATARACT, FOCAL, HYPOTONIA, SEIZURE, item

ERRORS = ListingFilters("error", "ward", "ward")
CHANGES = ListingFilters("gold_change", "ward")


@pytest.fixture
def drawn_items(workspace: Workspace) -> list[int]:
    for curator in ("alpha", "beta", "gamma"):
        decisions.add_curator(workspace, curator, curator.title())
    return furnish(workspace)


class Tab:
    """A browser tab, as far as the server can tell."""

    def __init__(self, workspace: Workspace, curator: str, filters: ListingFilters = ERRORS):
        self.workspace, self.curator, self.filters = workspace, curator, filters
        self.said = 0

    def ask(self, *events: dict[str, Any], **message: Any) -> dict[str, Any]:
        sent = {"desk": f"{self.curator}-{self.filters.kind}", "events": list(events), **message}
        reply = review.serve(self.workspace, json.loads(json.dumps(sent)), self.filters, self.curator)
        return dict(json.loads(json.dumps(reply)))

    def sheet(self, item_id: int) -> dict[str, Any]:
        """The item as its page shows it."""
        reply = self.ask(current=item_id)
        return next(one for sheet in reply["passages"] for one in sheet["items"] if one["id"] == item_id)

    def event(self, item_id: int, action: str, **fields: Any) -> dict[str, Any]:
        self.said += 1
        row = queue.items(self.workspace, [item_id], self.filters.kind)[item_id]
        return {
            "kind": self.filters.kind,
            "cid": f"{self.curator}-{self.filters.kind}-{self.said}",
            "workspace": review.identity(self.workspace),
            "curator": self.curator,
            "action": action,
            "item": item_id,
            "passage": row.passage_id,
            "concept": row.subject,
            **fields,
        }

    def classify(self, item_id: int, error: str, **fields: Any) -> dict[str, Any]:
        return self.ask(self.event(item_id, "classify_error", answer={"error": error}, **fields))


def place(workspace: Workspace, item_id: int) -> tuple[int, str]:
    """(passage, concept) of an apparent false positive."""
    row = queue.items(workspace, [item_id], ItemKind.ERROR)[item_id]
    return row.passage_id, spoken_of(row.subject)[1]


def about(workspace: Workspace, items: list[int], concept: str, text: str) -> int:
    """The item of a concept in the passage of these words."""
    found = {one: place(workspace, one) for one in items}
    texts = {one: corpora.passage(workspace, found[one][0]).text for one in items}
    return next(one for one in items if found[one][1] == concept and text in texts[one])


# --- the walk ---------------------------------------------------------------------------------------------


def test_a_set_is_walked_in_the_order_of_its_draw_to_its_size(
    workspace: Workspace, drawn_items: list[int]
) -> None:
    reply = Tab(workspace, "alpha").ask(want=9)
    assert reply["page"] == drawn_items
    assert (reply["progress"]["total"], reply["progress"]["done"]) == (4, 0)
    shorter = drawn(workspace, "ward", "short", size=2)
    short = Tab(workspace, "beta", ListingFilters("error", "ward", "short", show=Show.ALL)).ask()
    assert short["progress"]["total"] == 2
    assert shorter == drawn_items[:2]  # the same seed draws the same


def test_why_names_every_set_that_an_item_is_audited_in(workspace: Workspace, drawn_items: list[int]) -> None:
    drawn(workspace, "ward", "short", size=2)
    tab = Tab(workspace, "alpha")
    assert tab.sheet(drawn_items[1])["why"] == "Audit set ward: 2 of 4; Audit set short: 2 of 2."
    assert tab.sheet(drawn_items[3])["why"] == "Audit set ward: 4 of 4."


def test_what_is_answered_is_not_offered_again_and_can_be_looked_at(
    workspace: Workspace, drawn_items: list[int]
) -> None:
    alpha = Tab(workspace, "alpha")
    alpha.classify(drawn_items[0], "E-4")
    alpha.ask(alpha.event(drawn_items[1], "unsure"))
    reply = alpha.ask(want=9)
    assert reply["page"] == drawn_items[2:]
    assert (reply["progress"]["done"], reply["progress"]["unsure"]) == (2, 1)
    unsure = Tab(workspace, "alpha", ListingFilters("error", "ward", "ward", show=Show.UNSURE))
    assert unsure.ask(want=9)["page"] == [drawn_items[1]]


def test_a_list_of_items_is_walked_as_it_is(workspace: Workspace, drawn_items: list[int]) -> None:
    concept = item(workspace, place(workspace, drawn_items[0])[0], SEIZURE)
    wanted = (drawn_items[3], concept, drawn_items[1])  # the concept's own item is of another desk
    listed = ListingFilters("error", "ward", listed=Listed("Two of them", wanted))
    reply = Tab(workspace, "alpha", listed).ask(want=9)
    told = {"name": "Two of them", "of": "items", "ids": [drawn_items[3], drawn_items[1]], "lacking": 0}
    assert reply["listed"] == told
    assert reply["page"] == [drawn_items[3], drawn_items[1]]


# --- what is stored ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [one.value for one in ErrorType])
def test_an_answer_is_stored_as_it_was_given(
    workspace: Workspace, drawn_items: list[int], error: str
) -> None:
    tab = Tab(workspace, "alpha")
    shown = [one["id"] for one in tab.sheet(drawn_items[0])["proposals"]]
    reply = tab.classify(drawn_items[0], error, shown=shown, proposal=shown[0], ms=700)
    assert reply["refused"] == {}
    [stored] = decisions.standing(workspace)
    assert stored.action is Action.CLASSIFY_ERROR
    assert stored.answer == ErrorAnswer(ErrorType(error))
    assert (stored.item_id, stored.kind, stored.milliseconds) == (drawn_items[0], "error", 700)
    assert stored.base == f"item:{drawn_items[0]}"  # runs propose the concept, which is another item


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"concept": f"error-imported:ward@1 {FOCAL}"}, "not what the screen showed"),
        ({"passage": 999}, "not what the screen showed"),
        ({"answer": None}, "came without the answer"),
        ({"answer": {"error": "E-6"}}, "unreadable"),
        ({"action": "accept"}, "does not apply to an error"),
        ({"action": "adjudicate"}, "does not apply to an error"),
        ({"curator": "beta"}, "decided by 'beta'"),
        ({"kind": "gold_change"}, "unreadable"),
    ],
)
def test_what_does_not_fit_the_item_is_refused_in_words(
    workspace: Workspace, drawn_items: list[int], sent: dict[str, Any], told: str
) -> None:
    tab = Tab(workspace, "alpha")
    event = tab.event(drawn_items[0], "classify_error", answer={"error": "E-1"}) | sent
    [reason] = tab.ask(event)["refused"].values()
    assert told in reason
    assert decisions.standing(workspace) == []


def test_an_item_of_another_kind_is_not_taken_for_one(workspace: Workspace, drawn_items: list[int]) -> None:
    tab = Tab(workspace, "alpha")
    passage, concept = place(workspace, drawn_items[0])
    own = item(workspace, passage, concept)
    event = tab.event(drawn_items[0], "classify_error", answer={"error": "E-1"})
    [reason] = tab.ask(event | {"item": own, "concept": concept})["refused"].values()
    assert "not what the screen showed" in reason


def test_history_says_what_was_answered(workspace: Workspace, drawn_items: list[int]) -> None:
    tab = Tab(workspace, "alpha")
    label = tab.sheet(drawn_items[0])["label"]
    [row] = tab.classify(drawn_items[0], "E-5")["history"]
    assert (row["action"], row["label"]) == ("classify_error", f"{label}: Inferential overreach")


# --- what is shown ----------------------------------------------------------------------------------------


def test_the_lineage_runs_from_broad_to_narrow_and_only_it_proposes(
    workspace: Workspace, drawn_items: list[int]
) -> None:
    tab = Tab(workspace, "alpha")
    broad = tab.sheet(about(workspace, drawn_items, SEIZURE, "focal"))
    assert broad["proposed"] == {"error": "E-1"}
    assert [(one["concept"], one["supported"]) for one in broad["aid"]["lineage"]] == [
        (SEIZURE, False),
        (FOCAL, True),
    ]
    [supported] = broad["aid"]["supported"]
    assert (supported["concept"], supported["label"]) == (FOCAL, "Focal-onset seizure")
    assert not broad["aid"]["other_branch"]
    other = tab.sheet(about(workspace, drawn_items, CATARACT, "clinic"))
    assert (other["proposed"], other["aid"]["lineage"]) == ({}, [])
    assert other["aid"]["other_branch"]
    [[start, end]] = other["aid"]["triggers"]
    assert "Her seizures began at six. She was seen in the cataract clinic."[start:end] == "cataract"


def test_nobody_sees_what_another_curator_answered(workspace: Workspace, drawn_items: list[int]) -> None:
    """Neither the answer nor the note, nor what a missing gold of another's would support."""
    beta, alpha = Tab(workspace, "beta"), Tab(workspace, "alpha")
    hypotonia = about(workspace, drawn_items, HYPOTONIA, "focal")
    beta.classify(hypotonia, "missing_gold")
    beta.ask(beta.event(hypotonia, "note", note="a word of beta's"))
    seizure = about(workspace, drawn_items, SEIZURE, "focal")
    mine, theirs = alpha.sheet(seizure), beta.sheet(seizure)
    assert [one["concept"] for one in theirs["aid"]["supported"]] == [FOCAL, HYPOTONIA]
    assert [one["concept"] for one in mine["aid"]["supported"]] == [FOCAL]
    both = Tab(workspace, "alpha", ListingFilters("error", "ward", "ward", show=Show.ALL)).ask(want=9)
    assert all(one["mine"] == [] for sheet in both["passages"] for one in sheet["items"])
    assert "beta" not in json.dumps(both)
    assert both["history"] == []


# --- changes of gold --------------------------------------------------------------------------------------


@pytest.fixture
def missing(workspace: Workspace, drawn_items: list[int]) -> int:
    """What alpha says that gold lacks."""
    found = about(workspace, drawn_items, HYPOTONIA, "focal")
    Tab(workspace, "alpha").classify(found, "missing_gold")
    return found


def change(workspace: Workspace, of: int) -> int:
    passage, concept = place(workspace, of)
    return item(workspace, passage, change_of("imported:ward@1", concept))


def test_a_change_waits_for_a_second_curator_and_never_for_the_first(
    workspace: Workspace, missing: int
) -> None:
    alpha, beta = Tab(workspace, "alpha", CHANGES), Tab(workspace, "beta", CHANGES)
    first = beta.ask(want=9)
    wanted = change(workspace, missing)
    assert first["page"] == [wanted]
    assert "alpha" not in json.dumps(first)
    assert alpha.ask(want=9)["page"] == []
    assert alpha.ask(want=9)["progress"]["total"] == 0
    linked = alpha.ask(current=wanted, want=9)
    assert (linked["unknown"], linked["page"]) == (wanted, [])
    listed = ListingFilters("gold_change", "ward", listed=Listed("By a link", (wanted,)))
    assert Tab(workspace, "alpha", listed).ask(want=9)["page"] == []
    asked = {"id": "1", "kind": "document", "text": "a1"}
    assert alpha.ask(look=asked)["look"]["rows"][0]["item"] is None
    assert beta.ask(look=asked)["look"]["rows"][0]["item"] == wanted


def test_accepting_a_change_stores_what_the_run_proposes(workspace: Workspace, missing: int) -> None:
    beta = Tab(workspace, "beta", CHANGES)
    beta.ask(want=9)
    wanted = change(workspace, missing)
    shown = beta.sheet(wanted)
    event = beta.event(wanted, "accept", shown=[shown["proposals"][0]["id"]])
    assert beta.ask(event | {"proposal": shown["proposals"][0]["id"]})["refused"] == {}
    [stored] = [one for one in decisions.standing(workspace) if one.curator == "beta"]
    passage, concept = place(workspace, missing)
    [said] = proposals.of_items(workspace, [item(workspace, passage, concept)]).values()
    assert stored.answer == answer_of(said[0])
    assert stored.answer is not None
    assert [span.quote for span in stored.answer.spans] == ["hypotonia"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("action", "told"), [("fix", "does not apply"), ("accept", "does not belong"), ("add", "does not apply")]
)
def test_a_change_is_accepted_as_proposed_or_not_at_all(
    workspace: Workspace, missing: int, action: str, told: str
) -> None:
    beta = Tab(workspace, "beta", CHANGES)
    beta.ask(want=9)
    [reason] = beta.ask(beta.event(change(workspace, missing), action))["refused"].values()
    assert told in reason


def test_a_change_whose_finder_takes_it_back_waits_no_longer(workspace: Workspace, missing: int) -> None:
    beta = Tab(workspace, "beta", CHANGES)
    assert len(beta.ask(want=9)["page"]) == 1
    [found] = decisions.standing(workspace)
    alpha = Tab(workspace, "alpha")
    alpha.ask(alpha.event(missing, "undo", undoes=found.number, cid="back"))
    assert beta.ask(want=9)["progress"]["total"] == 0
    Tab(workspace, "beta").classify(missing, "E-3")  # another answer finds nothing missing
    assert beta.ask(want=9)["progress"]["total"] == 0
