"""One exchange with the page: leases, acknowledgements, refusals, blindness."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core import review
from core.errors import InputError
from core.records import Action, Answer, Assertion, ConceptClass, NewDecision
from core.review import desk
from core.review.walks.concept import Filters
from core.review.walks.walk import Listed
from core.store import Workspace, decisions, open_workspace, queue
from tests.review.clinic import (
    CATARACT,
    FOCAL,
    HYPOTONIA,
    SEIZURE,
    TEXTS,
    add_corpus,
    add_run,
    draft,
    furnish,
    item,
)

HERE = Filters("ward")


class Tab:
    """A browser tab, as far as the server can tell."""

    def __init__(self, workspace: Workspace, curator: str, name: str, filters: Filters = HERE):
        self.workspace, self.curator, self.name, self.filters = workspace, curator, name, filters
        self.queue: str | None = None
        self.held: list[int] = []
        self.events = 0

    def say(self, *events: dict[str, Any], **message: Any) -> dict[str, Any]:
        sent = {"desk": self.name, "queue": self.queue, "held": self.held, "events": list(events), **message}
        reply = review.serve(self.workspace, json.loads(json.dumps(sent)), self.filters, self.curator)
        json.dumps(reply)  # it travels as JSON
        self.queue = reply.get("queue", self.queue)
        self.held += [i for i in reply.get("page", []) if i not in self.held]
        return reply

    def event(self, item_id: int, action: str, **fields: Any) -> dict[str, Any]:
        self.events += 1
        row = queue.items(self.workspace, [item_id])[item_id]
        shown = [
            r[0] for r in self.workspace.db.execute("SELECT id FROM proposals WHERE item_id = ?", (item_id,))
        ]
        return {
            "cid": f"{self.name}-{self.events}",
            "workspace": review.identity(self.workspace),
            "curator": self.curator,
            "action": action,
            "item": item_id,
            "passage": row.passage_id,
            "concept": row.subject,
            "shown": shown,
            "proposal": shown[-1] if shown else None,
            "ms": 900,
            **fields,
        }


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    return furnish(workspace)


def log(workspace: Workspace) -> list[tuple[str, str, int]]:
    return [(d.curator, d.action.value, d.item_id) for d in decisions.decisions(workspace)]


# --- leases -----------------------------------------------------------------------------------------------


def test_two_tabs_never_hold_the_same_item(workspace: Workspace, at: dict[str, int]) -> None:
    alpha, beta, alpha2 = (
        Tab(workspace, "alpha", "t1"),
        Tab(workspace, "beta", "t2"),
        Tab(workspace, "alpha", "t3"),
    )
    pages = [tab.say(want=2)["page"] for tab in (alpha, beta, alpha2)]
    assert [len(p) for p in pages] == [2, 2, 2]
    assert len({i for page in pages for i in page}) == 6
    last = Tab(workspace, "beta", "t4").say(want=2)
    assert last["page"] == []
    assert last["end"]


def test_leases_run_out_and_are_renewed(
    workspace: Workspace, at: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(desk.time, "time", lambda: clock[0])
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    page = alpha.say(want=3)["page"]
    clock[0] += desk.LEASE_SECONDS - 1
    assert alpha.say(beat=True)["elsewhere"] == []
    clock[0] += desk.LEASE_SECONDS - 1  # would have run out without the renewal
    assert not set(beta.say(want=9)["page"]) & set(page)
    clock[0] += desk.LEASE_SECONDS + 1
    assert set(page) <= set(beta.say(want=9)["page"])
    assert set(alpha.say(beat=True)["elsewhere"]) == set(page)


def test_what_others_answered_after_a_lease_ran_out_is_not_asked_again(
    workspace: Workspace, at: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a laptop slept; the item on the screen stays there."""
    clock = [1000.0]
    monkeypatch.setattr(desk.time, "time", lambda: clock[0])
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    page = alpha.say(want=3)["page"]
    clock[0] += desk.LEASE_SECONDS + 1
    assert set(page) < set(beta.say(want=9)["page"])
    beta.held = []
    beta.say(beta.event(page[0], "accept"), beta.event(page[1], "reject"), beat=True)
    assert alpha.say(beat=True, current=page[0])["elsewhere"] == [page[1]]


def test_who_has_answered_an_item_holds_it_no_longer(workspace: Workspace, at: dict[str, int]) -> None:
    """Also where they shut the browser with the last answer: it says nothing more."""
    twice = Filters("ward", answers=2)
    alpha, beta = Tab(workspace, "alpha", "t1", twice), Tab(workspace, "beta", "t2", twice)
    page = alpha.say(want=9)["page"]
    assert len(page) == 6
    for one in page:
        alpha.say(alpha.event(one, "accept"))
    assert set(beta.say(want=9)["page"]) == set(page)


def test_a_lease_taken_while_the_clock_was_ahead_ends_after_ninety_seconds(
    workspace: Workspace, at: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    day, clock = 86_400.0, [1000.0 + 86_400.0]
    monkeypatch.setattr(desk.time, "time", lambda: clock[0])
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    page = alpha.say(want=3)["page"]
    clock[0] -= day
    assert not set(beta.say(want=9)["page"]) & set(page)  # alpha may well be at work
    clock[0] += desk.LEASE_SECONDS + 1  # and would have renewed them by now
    assert set(page) <= set(beta.say(want=9)["page"])


def test_one_curator_in_two_tabs_never_answers_one_item_twice(
    workspace: Workspace, at: dict[str, int]
) -> None:
    """Where two answers are wanted, they are two people's."""
    two = Filters("ward", answers=2)
    first = Tab(workspace, "alpha", "t1", two).say(want=2)["page"]
    second = Tab(workspace, "alpha", "t2", two).say(want=2)["page"]
    assert len(first) == len(second) == 2
    assert not set(first) & set(second)


def test_a_page_that_asks_for_no_more_is_not_told_that_there_is_more(
    workspace: Workspace, at: dict[str, int]
) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    assert alpha.say(want=9)["end"]
    assert "end" not in alpha.say(beat=True, want=0)  # it would wait for the rest for ever


def test_decided_and_dropped_items_are_given_back(workspace: Workspace, at: dict[str, int]) -> None:
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    page = alpha.say(want=6)["page"]
    alpha.held = page[1:3]
    alpha.say(alpha.event(page[0], "accept"), beat=True)
    assert set(beta.say(want=6)["page"]) == set(page[3:])


def test_a_tab_that_says_goodbye_leaves_everything_to_others(
    workspace: Workspace, at: dict[str, int]
) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]
    alpha.held = []
    alpha.say(beat=True)
    assert Tab(workspace, "alpha", "t2").say(want=6)["page"] == page


def test_two_answers_per_item_means_two_curators_but_not_three(
    workspace: Workspace, at: dict[str, int]
) -> None:
    two = Filters("ward", answers=2)
    decisions.add_curator(workspace, "gamma", "Carl")
    tabs = [Tab(workspace, who, who, two) for who in ("alpha", "beta", "gamma")]
    first, second, third = (tab.say(want=6)["page"] for tab in tabs)
    assert first == second
    assert third == []
    tabs[0].say(tabs[0].event(first[0], "accept"))
    tabs[0].held = []
    tabs[0].say(beat=True)
    assert third == []
    assert tabs[2].say(want=6)["page"] == first[1:]


def test_leases_leave_the_revision_alone(workspace: Workspace, at: dict[str, int]) -> None:
    before = workspace.revision()
    Tab(workspace, "alpha", "t1").say(want=3)
    assert workspace.revision() == before


# --- acknowledgements -------------------------------------------------------------------------------------


def test_accept_stores_what_was_shown(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]
    reply = alpha.say(alpha.event(page[1], "accept"))
    assert reply["acks"] == {"t1-1": [1, page[1]]}
    stored = next(decisions.decisions(workspace))
    assert stored.action is Action.ACCEPT
    assert stored.answer is not None
    assert stored.answer.to_json() == {
        "concept": CATARACT,
        "label": "Cataract",
        "assertion": "negated",
        "class": "explicit",
        "spans": [[44, 52, "cataract"]],
    }
    assert stored.milliseconds == 900
    assert stored.base.startswith("proposals:")
    assert reply["progress"] == {
        "done": 1,
        "total": 6,
        "mine": 1,
        "settled": 1,
        "unsure": 0,
        "median": 900,
    }


def test_events_sent_again_are_acknowledged_and_stored_once(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]
    events = [alpha.event(i, "reject") for i in page[:3]]
    first = alpha.say(*events)
    again = alpha.say(*events, alpha.event(page[3], "reject"))
    assert again["acks"].items() >= first["acks"].items()
    assert [row[2] for row in log(workspace)] == page[:4]


def test_events_reach_another_session_after_a_restart(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]
    event = alpha.event(page[2], "accept")
    with open_workspace(workspace.path) as later:  # another connection, as after a restart of the server
        reply = review.serve(
            later,
            {"desk": "t9", "former": ["t1"], "queue": None, "current": page[2], "want": 2, "events": [event]},
            HERE,
            "alpha",
        )
    assert reply["acks"] == {"t1-1": [1, page[2]]}
    assert reply["page"] == [page[2], page[0], page[1]]  # its own leases, taken over


def test_undo_before_the_number_is_known(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]
    accept = alpha.event(page[0], "accept")
    undo = alpha.event(page[0], "undo", undoes_cid=accept["cid"])
    reply = alpha.say(accept, undo, alpha.event(page[0], "reject"))
    assert list(reply["acks"]) == ["t1-1", "t1-2", "t1-3"]
    assert reply["refused"] == {}
    assert [action for _, action, _ in log(workspace)] == ["accept", "undo", "reject"]
    assert [row["action"] for row in reply["history"]] == ["reject"]


def test_fix_that_changes_nothing_is_an_accept(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]
    same = {"concept": SEIZURE, "assertion": "affirmed", "class": "explicit", "spans": [[19, 26]]}
    other = {**same, "concept": FOCAL, "spans": [[13, 26]]}
    assert TEXTS["d1"][19:26] == "seizure"
    alpha.say(alpha.event(page[0], "fix", answer=same))
    alpha.say(alpha.event(page[0], "fix", answer=other))
    first, second = decisions.decisions(workspace)
    assert first.action is Action.ACCEPT
    assert second.action is Action.FIX
    assert second.answer is not None
    assert (second.answer.label, second.answer.spans[0].quote) == ("Focal-onset seizure", "focal seizure")


def test_adding_a_concept_makes_its_item(workspace: Workspace, at: dict[str, int]) -> None:
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    page = alpha.say(want=1)["page"]
    answer = {"concept": FOCAL, "assertion": "affirmed", "class": "explicit", "spans": [[13, 26]]}
    added = {
        **alpha.event(page[0], "add"),
        "item": None,
        "concept": FOCAL,
        "shown": [],
        "proposal": None,
        "answer": answer,
    }
    reply = alpha.say(added)
    _, new = reply["acks"]["t1-1"]
    assert queue.items(workspace, [new])[new].subject == FOCAL
    mine = alpha.say(current=new)["passages"][0]["items"]
    theirs = beta.say(current=page[0])["passages"][0]["items"]
    assert [i["concept"] for i in mine] == [SEIZURE, CATARACT, HYPOTONIA, FOCAL]
    assert [i["concept"] for i in theirs] == [SEIZURE, CATARACT, HYPOTONIA]
    assert beta.say(current=new)["unknown"] == new  # blindness: not even that it exists


def test_passages_are_closed_and_reopened(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=1)["page"]
    fields = {"item": None, "concept": None, "shown": [], "proposal": None}
    close = {**alpha.event(page[0], "close"), **fields}
    assert alpha.say(close)["refused"] == {}
    assert alpha.say(current=page[0])["passages"][0]["closed"]
    assert not Tab(workspace, "beta", "t2").say(current=page[0])["passages"][0]["closed"]
    alpha.say({**alpha.event(page[0], "reopen"), **fields})
    assert not alpha.say(current=page[0])["passages"][0]["closed"]


# --- refusals ---------------------------------------------------------------------------------------------


def refusal(tab: Tab, event: dict[str, Any]) -> str:
    before = log(tab.workspace)
    reply = tab.say(event)
    assert log(tab.workspace) == before
    assert reply["acks"] == {}
    return str(reply["refused"][event["cid"]])


def test_what_does_not_match_is_refused_with_a_reason(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]

    def wrong(**fields: Any) -> str:
        return refusal(alpha, {**alpha.event(page[0], "accept"), **fields})

    assert "another workspace" in wrong(workspace="elsewhere.1")
    assert "'beta'" in wrong(curator="beta")
    assert "not what the screen showed" in wrong(item=page[1])
    assert "not what the screen showed" in wrong(concept=CATARACT)
    assert "not what the screen showed" in wrong(item=999_999)
    other = alpha.event(page[1], "accept")
    assert "does not belong" in wrong(proposal=other["proposal"], shown=other["shown"])
    assert "unreadable (action)" in wrong(action="delete everything")
    assert "unreadable (verdict)" in wrong(verdict="yes")
    nowhere = {"concept": SEIZURE, "assertion": "affirmed", "class": "explicit", "spans": [[0, 9999]]}
    assert "outside the passage" in wrong(action="fix", answer=nowhere)
    unknown = {"concept": "HP:9999999", "assertion": "affirmed", "class": "explicit"}
    assert "no concept HP:9999999" in wrong(action="fix", answer=unknown)


def test_one_bad_event_does_not_hold_up_the_others(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=6)["page"]
    good, bad, more = (alpha.event(i, "reject") for i in page[:3])
    reply = alpha.say(good, {**bad, "concept": "HP:0"}, more, "nonsense")  # type: ignore[arg-type]
    assert list(reply["refused"]) == [bad["cid"]]
    assert set(reply["acks"]) == {good["cid"], more["cid"]}


def test_undo_of_another_item_or_curator_is_refused(workspace: Workspace, at: dict[str, int]) -> None:
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    page = alpha.say(want=6)["page"]
    alpha.say(alpha.event(page[0], "accept"))
    assert "is not about item" in refusal(alpha, alpha.event(page[1], "undo", undoes=1))
    assert "Only the curator" in refusal(beta, beta.event(page[0], "undo", undoes=1))
    assert "nothing to undo" in refusal(alpha, alpha.event(page[0], "undo", undoes_cid="never"))


def test_a_message_that_makes_no_sense_is_answered(workspace: Workspace, at: dict[str, int]) -> None:
    for raw in (None, [], {"desk": ""}, {"desk": "x", "want": 10**9}, {"desk": "x", "surprise": 1}):
        assert "unreadable" in review.serve(workspace, raw, HERE, "alpha")["problem"]


def test_a_full_disk_is_said_and_nothing_is_acknowledged(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=3)["page"]
    workspace.db.execute("VACUUM")  # no room in pages that are free
    pages = workspace.db.execute("PRAGMA page_count").fetchone()[0]
    event = alpha.event(page[0], "note", note="x" * 9_000)
    workspace.db.execute(f"PRAGMA max_page_count = {pages}")
    reply = alpha.say(event)
    assert "disk is full" in reply["problem"]
    assert reply["acks"] == {}
    workspace.db.execute("PRAGMA max_page_count = 1000000")
    assert list(alpha.say(event)["acks"]) == [event["cid"]]


# --- what is shown ----------------------------------------------------------------------------------------


def test_nobody_sees_anothers_answer_before_giving_one(workspace: Workspace, at: dict[str, int]) -> None:
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    page = alpha.say(want=6)["page"]
    alpha.say(alpha.event(page[0], "note", note="ANNAS NOTE"), alpha.event(page[0], "unsure"))
    theirs = beta.say(current=page[0], want=0)
    assert "ANNAS" not in json.dumps(theirs)
    assert [i["mine"] for i in theirs["passages"][0]["items"]] == [[], [], []]
    assert theirs["history"] == []
    after = beta.say(beta.event(page[0], "accept"))
    assert after["shared"] == ["t2-1"]
    assert after["progress"].pop("unsure") == 0  # of the own ones
    assert "unsure" not in json.dumps({k: v for k, v in after.items() if k != "queue"})


def test_a_link_leads_to_its_item_and_on_from_there(workspace: Workspace, at: dict[str, int]) -> None:
    wanted = item(workspace, at["d2"], HYPOTONIA)
    reply = Tab(workspace, "alpha", "t1").say(current=wanted, want=3)
    assert reply["page"][0] == wanted
    assert len(reply["page"]) == 4
    assert at["d2"] in [p["id"] for p in reply["passages"]]
    assert Tab(workspace, "alpha", "t2").say(current=424242, want=1)["unknown"] == 424242


def test_another_queue_replaces_what_was_held(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    first = alpha.say(want=2)
    alpha.filters = Filters("ward", order=review.Order.CONFIDENCE)
    second = alpha.say(want=2, after=first["page"][-1])
    assert second["queue"] != first["queue"]
    assert second["page"][0] == item(workspace, at["d2"], HYPOTONIA)  # from its start, not behind `after`


def test_a_list_is_walked_in_its_order_whether_answered_or_not(
    workspace: Workspace, at: dict[str, int]
) -> None:
    """Once, to its end; without what does not exist or only somebody else has added."""
    ids = [item(workspace, at["d3"], CATARACT), item(workspace, at["d1"], HYPOTONIA)]
    mine = NewDecision("x", "alpha", Action.REJECT, item_id=ids[0])
    said = Answer(FOCAL, "Focal-onset seizure", Assertion.AFFIRMED, ConceptClass.EXPLICIT)
    theirs = NewDecision("y", "beta", Action.ADD, passage_id=at["d3"], subject=FOCAL, answer=said)
    assert all(done.number for done in decisions.append(workspace, [mine, theirs]))
    listed = Listed("Two to look at", (ids[0], 999_999, item(workspace, at["d3"], FOCAL), ids[1], ids[0]))
    alpha = Tab(workspace, "alpha", "t1", Filters("ward", branch=FOCAL, listed=listed))
    reply = alpha.say(want=9)
    assert reply["page"] == ids
    assert reply["listed"] == {"name": "Two to look at", "of": "items", "ids": ids, "lacking": 0}
    assert reply["again"]
    assert reply["end"]
    assert (reply["progress"]["mine"], reply["progress"]["total"]) == (1, 2)
    assert alpha.say(want=9, after=ids[1])["page"] == []
    assert Tab(workspace, "alpha", "t1").say(want=1)["listed"] is None


def test_a_list_is_the_same_for_whoever_looks_at_it(workspace: Workspace, at: dict[str, int]) -> None:
    """Nobody's lease takes an item out of it; only one tab of a curator has it at a time."""
    ids = tuple(item(workspace, at[doc], SEIZURE) for doc in ("d2", "d1"))
    filters = Filters("ward", listed=Listed("Shared", ids))
    alpha, beta = (Tab(workspace, name, f"{name}-1", filters) for name in ("alpha", "beta"))
    assert alpha.say(want=9)["page"] == list(ids)
    assert beta.say(want=9)["page"] == list(ids)
    assert alpha.say(beat=True)["elsewhere"] == []
    assert Tab(workspace, "beta", "beta-2", filters).say(want=9)["page"] == []
    queued = Tab(workspace, "beta", "beta-1").say(want=9)["page"]
    assert not {*ids} & {*queued}, "in the queue they are alpha's as long as alpha looks at them"


@pytest.mark.parametrize("count", [0, 1001])
def test_a_list_holds_between_one_item_and_a_thousand(count: int) -> None:
    with pytest.raises(InputError, match="1 to 1000 items"):
        Listed("", tuple(range(count)))


def test_the_unsure_ones_are_gone_through_once(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1", Filters("ward", show=review.Show.REJECTED))
    ids = [item(workspace, at["d1"], c) for c in (SEIZURE, CATARACT, HYPOTONIA)]
    alpha.say(*(alpha.event(i, "unsure") for i in ids), alpha.event(ids[1], "reject"))
    reply = alpha.say(want=9, unsure=True)
    assert reply["page"] == [ids[0], ids[2]]
    assert reply["end"]
    assert reply["progress"]["unsure"] == 2
    assert alpha.say(alpha.event(ids[2], "unsure"), want=9, unsure=True, after=ids[2], held=[])["page"] == []
    alpha.held = []
    assert alpha.say(want=9)["page"] == [ids[1]]  # back to the queue


def test_passages_decided_but_not_marked_as_done_are_told_at_the_end(
    workspace: Workspace, at: dict[str, int]
) -> None:
    """Only those of which this curator has decided everything that any run proposes, and is sure."""
    add_run(workspace, {at["d3"]: [draft(SEIZURE, TEXTS["d3"], "note")]}, "beta")
    alpha = Tab(workspace, "alpha", "t1", Filters("ward", run="alpha"))
    page = alpha.say(want=9)["page"]
    first, second = page[:3], page[3:5]
    assert (
        alpha.say(*(alpha.event(i, "reject") for i in page))["unclosed"]["count"] == 0
    )  # not at the end yet
    alpha.held = []
    assert alpha.say()["unclosed"] == {"count": 2, "first": first[0]}
    alpha.say(alpha.event(second[1], "unsure"))
    assert alpha.say()["unclosed"] == {"count": 1, "first": first[0]}
    close = alpha.event(first[0], "close", item=None, concept=None, shown=[], proposal=None)
    assert alpha.say(close)["unclosed"] == {"count": 0, "first": None}
    beta = Tab(workspace, "beta", "t2", Filters("ward", run="alpha"))
    assert beta.say()["unclosed"]["count"] == 0
    assert beta.say()["unclosed"]["count"] == 0


def test_own_additions_are_a_queue_and_filtered_as_answered(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    page = alpha.say(want=1)["page"]
    answer = {"concept": FOCAL, "assertion": "negated", "class": "explicit", "spans": [[13, 26]]}
    fields = {"item": None, "concept": FOCAL, "shown": [], "proposal": None, "answer": answer}
    new = alpha.say({**alpha.event(page[0], "add"), **fields})["acks"]["t1-1"][1]

    def added(curator: str, **filters: Any) -> list[int]:
        given = Filters("ward", show=review.Show.ADDED, **filters)
        found: list[int] = Tab(workspace, curator, "t2", given).say(want=9)["page"]
        return found

    assert added("alpha") == added("alpha", assertion=Assertion.NEGATED, passage=at["d1"]) == [new]
    assert added("alpha", branch=SEIZURE) == [new]
    assert added("alpha", assertion=Assertion.AFFIRMED) == added("alpha", passage=at["d2"]) == []
    assert added("alpha", run="alpha") == added("beta") == []  # no run proposed it; beta does not know of it


def test_a_document_is_found_by_its_id(workspace: Workspace, at: dict[str, int]) -> None:
    """Just this id first, then ids that begin with the text, then those that hold it; to its first item in
    queue order."""
    more = add_corpus(workspace, {"xd1": "cataract", "D10": "cataract", "empty": "none"}, "ward2")
    drafts = {more[d]: [draft(CATARACT, "cataract", "cataract")] for d in ("xd1", "D10")}
    add_run(workspace, drafts, "other", corpus="ward2")
    alpha = Tab(workspace, "alpha", "t1", Filters("ward2"))

    def found(tab: Tab, text: str) -> list[tuple[str, int | None]]:
        look = tab.say(look={"id": "q", "kind": "document", "text": text})["look"]
        assert look["id"] == "q"
        return [(row["doc"], row["item"]) for row in look["rows"]]

    ten, x = (item(workspace, more[d], CATARACT) for d in ("D10", "xd1"))
    assert found(alpha, " d1 ") == [("D10", ten), ("xd1", x)]
    assert found(alpha, "empty") == [("empty", None)]
    assert found(alpha, "d3") == found(alpha, "%") == []  # of the other corpus
    ward = Tab(workspace, "alpha", "t2", Filters("ward", order=review.Order.CONFIDENCE))
    assert found(ward, "d2") == [("d2", item(workspace, at["d2"], HYPOTONIA))]


def test_a_queue_is_taken_up_where_it_was_left(workspace: Workspace, at: dict[str, int]) -> None:
    """After a link to an item elsewhere, and after another queue: from its place on, then from its start."""
    first = Tab(workspace, "alpha", "t1").say(want=6)
    page, place = first["page"], first["page"][3]
    again = Tab(workspace, "alpha", "t1").say(want=6, current=page[1], places={first["queue"]: place})
    assert again["page"] == [page[1], *page[3:], page[0], page[2]]
    other = Tab(workspace, "alpha", "t1", Filters("ward", order=review.Order.CONFIDENCE))
    assert other.say(want=6, places={first["queue"]: place})["page"][0] != place


def test_passages_the_browser_has_are_not_sent_again(workspace: Workspace, at: dict[str, int]) -> None:
    alpha = Tab(workspace, "alpha", "t1")
    assert [p["id"] for p in alpha.say(want=4, have=[at["d1"]])["passages"]] == [at["d2"]]


def test_ungrounded_evidence_has_no_place_and_says_so(workspace: Workspace, at: dict[str, int]) -> None:
    add_run(workspace, {at["d3"]: [draft(SEIZURE, TEXTS["d3"], "a fit")]}, "beta")
    page = Tab(workspace, "alpha", "t1").say(want=1)
    shown = next(i for i in page["passages"][0]["items"] if i["id"] == page["page"][0])
    assert shown["concept"] == SEIZURE
    assert shown["why"] == "Ungrounded: a quote does not stand in the text."
    assert shown["proposals"][0]["evidence"] == [
        {"quote": "a fit", "start": None, "end": None, "assertion": None}
    ]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, "All 2 runs agree."),
        ({"assertion": Assertion.UNCERTAIN}, "Runs differ on it."),
        ({"repaired": True}, "Repaired: the model's reply was not in the agreed form."),
        ({"concept_class": ConceptClass.NOT_RELEVANT}, "Runs differ on it."),
    ],
)
def test_one_line_says_why_an_item_is_seen(
    workspace: Workspace, at: dict[str, int], change: dict[str, Any], why: str
) -> None:
    add_run(workspace, {at["d3"]: [draft(CATARACT, TEXTS["d3"], "cataract", **change)]}, "beta")
    wanted = item(workspace, at["d3"], CATARACT)
    reply = Tab(workspace, "alpha", "t1").say(current=wanted)
    assert [i["why"] for i in reply["passages"][0]["items"] if i["id"] == wanted] == [why]
    alone = Tab(workspace, "beta", "t2").say(current=item(workspace, at["d1"], SEIZURE))
    assert alone["passages"][0]["items"][0]["why"] == "1 of 2 runs propose it."


def test_history_holds_the_last_ten_of_this_curator(workspace: Workspace) -> None:
    texts = {f"d{n}": "seizure" for n in range(12)}
    furnish(workspace)
    at = add_corpus(workspace, texts, "long")
    add_run(
        workspace, {p: [draft(SEIZURE, "seizure", "seizure")] for p in at.values()}, "gamma", corpus="long"
    )
    ids = [item(workspace, p, SEIZURE) for p in at.values()]
    new = [NewDecision(f"c{i}", "alpha", Action.REJECT, item_id=i) for i in ids]
    decisions.append(workspace, [*new, NewDecision("b", "beta", Action.REJECT, item_id=ids[0])])
    rows = Tab(workspace, "alpha", "t1").say()["history"]
    assert [row["item"] for row in rows] == ids[:1:-1]
    assert {row["label"] for row in rows} == {"Seizure"}
