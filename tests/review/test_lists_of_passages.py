"""A list of passages: each is decided and closed, one behind the other, in the order given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from core.evaluate.estimated import estimated
from core.records import Document
from core.review.frames import Wanted, next_units, open_frame
from core.review.lists import LAST
from core.review.views.passages import EMPTY, LIST
from core.review.walks.pair import PairFilters
from core.review.walks.walk import Listed
from core.store import Workspace, corpora, frames, queue
from core.store.blind import wholes
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
from tests.review.test_blind import scanned
from tests.review.test_desk import HERE, Tab
from tests.review.test_unlisted import Reader

FRAME = Wanted("alpha", "notes", unit="passage", blind=0.0)


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    """Of d1 three are proposed, of d2 two, of d3 one, and none of the empty one, which belongs to the run."""
    at = furnish(workspace)
    with workspace.write() as db:
        ward = corpora.corpus(workspace, "ward").id
        [(passage, _)] = corpora.insert_passages(db, ward, [Document("d0", "Nothing.", title="Note d0")])
    return at | {"d0": passage}


def whole(workspace: Workspace, passage: int) -> int:
    return wholes(workspace, [passage])[passage]


def tab(
    workspace: Workspace, *passages: int, curator: str = "alpha", name: str = "t1", **more: Any
) -> Reader:
    listed = Listed("Frame notes", passages, "passages")
    return Reader(workspace, curator, name, replace(HERE, listed=listed, **more))


def sheets(reply: dict[str, Any]) -> dict[int, list[Any]]:
    """Passage -> the concepts of its items, and why it comes as a whole."""
    return {
        sheet["id"]: [one["why"] if one.get("whole") else one["concept"] for one in sheet["items"]]
        for sheet in reply["passages"]
    }


def at_once(reader: Tab, items: Iterable[int]) -> list[dict[str, Any]]:
    return [reader.event(one, "reject") for one in items]


def test_each_is_gone_through_and_closed_in_the_order_given(workspace: Workspace, at: dict[str, int]) -> None:
    d0, d1, d2, d3 = (at[doc] for doc in ("d0", "d1", "d2", "d3"))
    reader = tab(workspace, d3, d0, d2)
    reply = reader.say(want=9)
    of_d3, of_d2 = item(workspace, d3, CATARACT), [item(workspace, d2, one) for one in (SEIZURE, HYPOTONIA)]
    last = {passage: whole(workspace, passage) for passage in (d0, d2, d3)}
    assert reply["page"] == [of_d3, last[d3], last[d0], *of_d2, last[d2]]
    assert sheets(reply) == {d3: [CATARACT, LAST], d0: [EMPTY], d2: [SEIZURE, HYPOTONIA, LAST]}
    assert reply["listed"] == {"name": "Frame notes", "of": "passages", "ids": [d3, d0, d2], "lacking": 0}
    assert (reply["again"], reply["progress"]["total"], reply["progress"]["done"]) == (False, 3, 0)
    reply = reader.say(*at_once(reader, [of_d3]), current=last[d3], have=[d0, d2, d3])
    assert (reply["progress"]["done"], reply["instead"]) == (0, None), "decided, and not closed"
    reply = reader.say(reader.of_passage(d3, "close", blind=False), current=last[d0], have=[d0, d2, d3])
    assert (reply["progress"]["done"], reply["refused"]) == (1, {})
    again = tab(workspace, d3, d0, d2, name="t2")
    again.queue = None
    reader.say(held=[])
    reply = Reader(workspace, "alpha", "t3", reader.filters).say(want=9)
    assert reply["listed"]["ids"] == [d3, d0, d2], "the place stays"
    reader.say(reader.of_passage(d0, "close", blind=False), *at_once(reader, of_d2))
    reply = reader.say(reader.of_passage(d2, "close", blind=False), want=9, held=[])
    assert (reply["page"], reply["end"], reply["progress"]["done"]) == ([], True, 3)
    assert d1 not in reply["listed"]["ids"]


def test_a_frame_is_estimated_from_what_is_closed_in_its_list(
    workspace: Workspace, at: dict[str, int]
) -> None:
    """An empty passage does not hold it up."""
    made = add_corpus(workspace, {"e1": "Nothing.", "e2": "Nothing but cataract."}, "empty")
    found = {made["e2"]: [draft(CATARACT, "Nothing but cataract.", "cataract")]}
    add_run(workspace, found, "one", corpus="empty")
    open_frame(workspace, replace(FRAME, run="one", name="one"))
    passages = [unit.passage_id for unit in next_units(workspace, "one")]
    assert len(passages) == 2
    reader = tab(workspace, *passages, corpus="empty")
    reply = reader.say(want=9)
    for passage in passages:
        items = [row.id for row in queue.items_of_passages(workspace, [passage])]
        reader.say(*at_once(reader, items), reader.of_passage(passage, "close", blind=False))
    assert reply["listed"]["ids"] == passages
    assert (estimated(workspace, "one").counted, next_units(workspace, "one")) == (2, [])


def test_one_that_is_to_be_listed_comes_as_a_whole_and_then_with_its_items(
    workspace: Workspace, at: dict[str, int]
) -> None:
    d1, d2 = at["d1"], at["d2"]
    open_frame(workspace, replace(FRAME, blind=1.0))
    reader = tab(workspace, d1, d2)
    reply = reader.say(want=9)
    stand = whole(workspace, d1)
    assert reply["page"] == [stand, whole(workspace, d2)]
    assert sheets(reply) == {d1: [LIST], d2: [LIST]}
    reply = reader.say(reader.add(d1, SEIZURE), reader.add(d1, FOCAL), current=stand, have=[d1, d2])
    assert reply["instead"] is None
    reply = reader.say(reader.of_passage(d1, "reopen"), current=stand, have=[d2])
    open_now = [item(workspace, d1, one) for one in (CATARACT, HYPOTONIA)]
    assert reply["instead"] == [stand, [*open_now, stand]]
    assert sheets(reply)[d1][-1] == LAST
    reply = reader.say(current=stand, have=[d1, d2])
    assert reply["instead"] is None, "whoever goes on past open items is not led back"
    reply = reader.say(current=stand, have=[d2])
    assert reply["instead"] == [stand, [*open_now, stand]], "as after a reload"


def test_what_is_answered_is_not_asked_again(workspace: Workspace, at: dict[str, int]) -> None:
    """Nor what others have answered left out: who closes a passage has decided all that is proposed there."""
    d1 = at["d1"]
    first, second, third = (item(workspace, d1, one) for one in (SEIZURE, CATARACT, HYPOTONIA))
    mine, theirs = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    mine.say(mine.event(first, "accept"), mine.event(second, "unsure"))
    theirs.say(theirs.event(third, "accept"))
    mine.say(held=[])
    assert tab(workspace, d1, name="t3").say(want=9)["page"] == [third, whole(workspace, d1)]


def test_a_passage_that_was_closed_with_open_items_has_these_left(
    workspace: Workspace, at: dict[str, int]
) -> None:
    d2 = at["d2"]
    reader = tab(workspace, d2)
    left = [item(workspace, d2, one) for one in (SEIZURE, HYPOTONIA)]
    reply = reader.say(reader.of_passage(d2, "close", blind=False), want=9)
    assert (reply["page"], reply["progress"]["done"]) == (left, 0)
    reply = reader.say(*at_once(reader, left))
    assert reply["progress"]["done"] == 1


def test_a_workspace_that_is_only_read_says_what_it_cannot_show(
    workspace: Workspace, at: dict[str, int]
) -> None:
    open_frame(workspace, replace(FRAME, blind=1.0, seed="2"))
    blind = {unit.passage_id for unit in frames.units(workspace, "notes")}
    assert blind == {at["d0"], at["d1"], at["d2"], at["d3"]}
    made = add_corpus(workspace, TEXTS | {"d0": "Nothing."}, "shown")
    add_run(workspace, {made["d1"]: [draft(SEIZURE, TEXTS["d1"], "seizure")]}, "plain", corpus="shown")
    workspace.read_only = True
    reply = tab(workspace, *blind).say(want=9)
    assert (reply["listed"]["ids"], reply["listed"]["lacking"]) == ([], 4)
    reply = tab(workspace, made["d0"], made["d1"], corpus="shown").say(want=9)
    assert (reply["listed"]["ids"], reply["listed"]["lacking"]) == ([made["d1"]], 1)
    assert reply["problem"] is None


def test_an_address_that_somebody_made_up_harms_nothing(workspace: Workspace, at: dict[str, int]) -> None:
    """Passages of another corpus or of none; passages where the page has none."""
    other = add_corpus(workspace, {"o1": "Nothing."}, "other")["o1"]
    reply = tab(workspace, 999_999, other, at["d3"], 2**62, at["d3"]).say(want=9)
    assert (reply["listed"]["ids"], reply["listed"]["lacking"]) == ([at["d3"]], 4)
    pairs = PairFilters("ward", listed=Listed("x", (at["d3"],), "passages"))
    reply = Tab(workspace, "alpha", "t9", pairs).say(want=9)  # type: ignore[arg-type]
    assert (reply["page"], reply["listed"]["lacking"]) == ([], 1)


def test_no_message_of_such_a_list_reads_a_whole_table(workspace: Workspace, at: dict[str, int]) -> None:
    open_frame(workspace, replace(FRAME, blind=0.5))
    reader = tab(workspace, *at.values())
    reader.say(want=9)

    def act() -> None:
        reader.say(reader.of_passage(at["d0"], "close", blind=False), current=reader.held[0], want=9)
        reader.say(current=reader.held[1], want=9)

    assert scanned(workspace, act) == set()


def test_items_come_in_the_order_of_the_text(workspace: Workspace, at: dict[str, int]) -> None:
    """Whichever run proposed them first: hypotonia is told last in d1, and was proposed before all others."""
    text = "No cataract. A seizure. Low tone."
    made = add_corpus(workspace, {"x1": text}, "late")["x1"]
    places = ((HYPOTONIA, "Low tone"), (SEIZURE, "seizure"), (CATARACT, "cataract"))
    add_run(workspace, {made: [draft(one, text, words) for one, words in places]}, "late", corpus="late")
    page = tab(workspace, made, corpus="late").say(want=9)["page"]
    assert page == [*(item(workspace, made, one) for one, _ in reversed(places)), whole(workspace, made)]
