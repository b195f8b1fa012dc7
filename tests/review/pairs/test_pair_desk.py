"""One exchange with the page of claim pairs: what is shown, stored, refused; blindness."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core import review
from core.exchange import add_pairs
from core.records import Action, Axis, ConflictType, PairAnswer, Span
from core.review import PairFilters
from core.store import Workspace, decisions, pairs
from tests.review import clinic
from tests.review.pairs.library import (
    IN_DENMARK,
    LOWERED,
    UNCHANGED,
    Draft,
    Library,
    contextual,
    furnish,
    shelve,
)

HERE = PairFilters("trials")
POPULATION, GEOGRAPHY = Axis.POPULATION_COHORT, Axis.GEOGRAPHY


class Tab:
    """A browser tab, as far as the server can tell."""

    def __init__(self, workspace: Workspace, curator: str, name: str, filters: Any = HERE):
        self.workspace, self.curator, self.name, self.filters = workspace, curator, name, filters
        self.queue: str | None = None
        self.held: list[int] = []
        self.views: dict[int, dict[str, Any]] = {}
        self.events = 0

    def say(self, *events: dict[str, Any], **message: Any) -> dict[str, Any]:
        sent = {"desk": self.name, "queue": self.queue, "held": self.held, "events": list(events), **message}
        reply = review.serve(self.workspace, json.loads(json.dumps(sent)), self.filters, self.curator)
        json.dumps(reply)  # it travels as JSON
        self.queue = reply.get("queue", self.queue)
        self.held += [i for i in reply.get("page", []) if i not in self.held]
        self.views |= {i["id"]: i for sheet in reply.get("passages", []) for i in sheet["items"]}
        return reply

    def event(self, item: int, action: str, **fields: Any) -> dict[str, Any]:
        self.events += 1
        view = self.views[item]
        shown = [one["id"] for one in view["proposals"]]
        return {
            "cid": f"{self.name}-{self.events}",
            "kind": "pair",
            "workspace": review.identity(self.workspace),
            "curator": self.curator,
            "action": action,
            "item": item,
            "passage": view["passage"],
            "concept": view["concept"],
            "shown": shown,
            "ms": 900,
            **({"proposal": shown[0]} if shown and action in ("accept", "fix") else {}),
            **fields,
        }


@pytest.fixture
def library(workspace: Workspace) -> Library:
    return furnish(workspace)


@pytest.fixture
def tab(workspace: Workspace, library: Library) -> Tab:
    tab = Tab(workspace, "alpha", "one")
    tab.say(want=9)
    return tab


def answer(**fields: Any) -> dict[str, Any]:
    return {
        "comparable": True,
        "conflict_type": "contextual_contradiction",
        "axes": ["geography"],
        "confounder": "geography",
        "reconciliation": "Two countries.",
        "spans_a": [],
        "spans_b": [],
        **fields,
    }


def test_a_pair_comes_with_all_that_the_page_shows(tab: Tab, library: Library) -> None:
    assert tab.held == list(library.items)
    view = tab.views[library.items[1]]
    a, b = view["sides"]["a"], view["sides"]["b"]
    assert a["text"][a["claim"]["start"] : a["claim"]["end"]] == LOWERED
    assert b["text"][b["claim"]["start"] : b["claim"]["end"]] == UNCHANGED
    assert (a["year"], b["year"]) == (2016, 2020)
    assert (a["claim"]["direction"], b["claim"]["negated"]) == ("decreased", True)
    assert [p["origin"] for p in view["proposals"]] == ["model", "heuristic"]
    assert [e["level"] for e in view["proposals"][0]["evidence"]] == ["claim", "abstract"] * 2
    assert view["scores"] == {
        "sim": 0.81,
        "dis": 0.7,
        "ent": 0.5,
        "type": 1.0,
        "year": 0.02,
        "combined": 0.5,
    }
    rows = {row["axis"]: row for row in view["table"]}
    assert rows["geography"]["differs"]
    for side, text in (("a", a["text"]), ("b", b["text"])):
        for row in view["table"]:
            for cue in row[side]:
                assert text[cue["start"] : cue["end"]] == cue["quote"]
    assert [cue["quote"] for cue in rows["geography"]["a"]] == ["Denmark"]
    assert [cue["quote"] for cue in rows["geography"]["b"]] == ["Vietnam"]


def test_one_line_says_why_a_pair_is_seen(tab: Tab, library: Library) -> None:
    said = [tab.views[item]["why"] for item in library.items]
    assert said[0].startswith("Repaired")
    assert said[1] == "Annotators differ on the type."
    assert said[2] == "Development set."
    assert said[3].endswith("Only the heuristic has labelled it.")


def test_quotes_that_do_not_stand_have_no_place_and_say_so(workspace: Workspace, library: Library) -> None:
    lost = contextual("elsewhere", IN_DENMARK)
    shelf = shelve(workspace, [Draft(IN_DENMARK, UNCHANGED, (lost,))], corpus="lost", run="lost")
    tab = Tab(workspace, "alpha", "one", PairFilters("lost"))
    tab.say(want=1)
    [view] = tab.views.values()
    assert view["why"].startswith("Ungrounded")
    assert [e["start"] is None for e in view["proposals"][0]["evidence"]] == [True, True, True, True]
    assert view["id"] == shelf.items[0]


def test_accepting_stores_the_label_and_what_was_shown(tab: Tab, library: Library) -> None:
    item = library.items[1]
    event = tab.event(item, "accept")
    reply = tab.say(event)
    assert event["cid"] in reply["acks"]
    [stored] = decisions.decisions(tab.workspace)
    assert stored.base == "proposals:" + ",".join(str(i) for i in sorted(event["shown"]))
    label = pairs.labels_of_items(tab.workspace, [item])[item][0].label
    said = stored.answer
    assert isinstance(said, PairAnswer)
    assert (said.conflict_type, said.axes, said.confounder) == (
        label.conflict_type,
        label.axes,
        label.confounder,
    )
    assert {s.quote for s in said.spans_a} == {LOWERED, "adults aged over 65 years"}
    assert reply["history"][0]["label"] == "Contextual contradiction"
    assert reply["progress"] == {
        "done": 1,
        "total": 4,
        "mine": 1,
        "settled": 1,
        "unsure": 0,
        "median": 900,
    }


def test_a_fix_stores_what_was_changed_and_one_that_changes_nothing_is_an_accept(
    tab: Tab, library: Library
) -> None:
    first, second = library.items[:2]
    label = tab.views[second]["proposals"][0]
    spans = {
        f"spans_{side}": [[e["start"], e["end"]] for e in label["evidence"] if e["side"] == side]
        for side in "ab"
    }
    same = answer(
        **{name: label[name] for name in ("axes", "confounder", "reconciliation")},
        conflict_type=label["type"],
        **spans,
    )
    place = IN_DENMARK.index("Denmark")
    changed = answer(axes=["study_design", "geography"], spans_a=[[place, place + 7]])
    tab.say(tab.event(first, "fix", answer=changed), tab.event(second, "fix", answer=same))
    fixed, accepted = decisions.decisions(tab.workspace)
    assert (fixed.action, accepted.action) == (Action.FIX, Action.ACCEPT)
    assert fixed.answer == PairAnswer(
        tab.views[first]["concept"],
        True,
        ConflictType.CONTEXTUAL_CONTRADICTION,
        (GEOGRAPHY, Axis.STUDY_DESIGN),  # in the order of the axes
        GEOGRAPHY,
        "Two countries.",
        (Span(place, place + 7, "Denmark"),),
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"answer": answer(conflict_type="no_conflict")}, "nothing for axes to explain"),
        ({"answer": answer(axes=["study_design"])}, "must be one of the ticked axes"),
        ({"answer": answer(spans_a=[[0, 100_000]])}, "lies outside abstract A"),
        ({"answer": answer(axes=["weather"])}, "unreadable (answer.axes.0)"),
        ({"answer": None}, "without the answer"),
        ({"concept": "pair-other"}, "not what the screen showed"),
        ({"passage": 1_000}, "not what the screen showed"),
        ({"item": None}, "not what the screen showed"),
        ({"item": None, "action": "reject", "answer": None}, "not what the screen showed"),
        ({"item": 10_000, "action": "close", "answer": None}, "not what the screen showed"),
        ({"proposal": 1_000}, "does not belong to item"),
        ({"workspace": "another"}, "another workspace"),
        ({"curator": "beta"}, "decided by 'beta'"),
        ({"action": "close"}, "does not apply to a pair"),
        ({"action": "add"}, "there is none to add"),
        ({"kind": "concept"}, "unreadable"),
        ({"kind": "placement"}, "unreadable (kind)"),
    ],
)
def test_what_cannot_stand_is_refused_with_a_reason(
    tab: Tab, library: Library, fields: dict[str, Any], words: str
) -> None:
    event = tab.event(library.items[0], "fix", answer=answer()) | fields
    good = tab.event(library.items[3], "reject")
    reply = tab.say(event, good)
    assert words in reply["refused"][event["cid"]]
    assert good["cid"] in reply["acks"]  # one bad event holds up no other
    assert [d.action for d in decisions.decisions(tab.workspace)] == [Action.REJECT]


def test_events_sent_again_are_stored_once_and_undone_by_name(tab: Tab, library: Library) -> None:
    item = library.items[0]
    unsure = tab.event(item, "unsure")
    undo = tab.event(item, "undo", undoes_cid=unsure["cid"])
    for _ in range(3):
        reply = tab.say(unsure, undo)
        assert set(reply["acks"]) == {unsure["cid"], undo["cid"]}
    assert [d.action for d in decisions.decisions(tab.workspace)] == [Action.UNSURE, Action.UNDO]
    assert reply["history"] == []


def test_two_tabs_never_hold_the_same_pair(workspace: Workspace, library: Library) -> None:
    one, two = Tab(workspace, "alpha", "one"), Tab(workspace, "beta", "two")
    one.say(want=3)
    two.say(want=3)
    assert one.held == list(library.items[:3])
    assert two.held == [library.items[3]]


def test_nobody_sees_anothers_answer_before_giving_one(workspace: Workspace, library: Library) -> None:
    two_each = PairFilters("trials", answers=2)
    one, two = Tab(workspace, "alpha", "one", two_each), Tab(workspace, "beta", "two", two_each)
    one.say(want=4)
    event = one.event(library.items[0], "fix", answer=answer(reconciliation="A secret."))
    one.held.remove(library.items[0])
    one.say(event, beat=True)  # what is decided is given back
    reply = two.say(want=4)
    assert "A secret." not in json.dumps(reply)
    assert two.views[library.items[0]]["mine"] == []
    reply = two.say(event := two.event(library.items[0], "reject"))
    assert reply["shared"] == [event["cid"]]
    assert "A secret." not in json.dumps(reply)


def test_any_page_takes_what_another_could_not_send(workspace: Workspace, tab: Tab, library: Library) -> None:
    clinic.furnish_beside(workspace)
    concepts = Tab(workspace, "alpha", "three", review.Filters("ward"))
    reply = concepts.say(tab.event(library.items[2], "accept"), want=1)
    assert len(reply["acks"]) == 1
    assert reply["history"] == []  # of concepts, there is none yet
    assert reply["progress"]["median"] is None
    assert reply["page"] != []


def test_a_page_shows_no_item_of_the_other_kind(workspace: Workspace, tab: Tab, library: Library) -> None:
    clinic.furnish_beside(workspace)
    concepts = Tab(workspace, "alpha", "three", review.Filters("ward"))
    reply = concepts.say(current=library.items[0], want=1)
    assert reply["unknown"] == library.items[0]
    item = reply["page"][0]
    reply = Tab(workspace, "alpha", "four").say(current=item)
    assert reply["unknown"] == item
    assert reply["passages"] == []


def test_the_guide_holds_the_words_of_definitions_and_records() -> None:
    guide = review.pair_guide()
    assert [row["value"] for row in guide["types"]] == [kind.value for kind in ConflictType]
    assert len(guide["axes"]) == 13
    assert [row["provisional"] for row in guide["axes"]] == [False] * 9 + [True] * 4
    assert guide["doubts"]["true contextual_contradiction none"]
    assert guide["doubts"]["true direct_contradiction named"]
    assert "true direct_contradiction unknown" not in guide["doubts"]
    assert "true no_conflict none" not in guide["doubts"]
    json.dumps(guide)


def test_labels_of_a_file_say_so(workspace: Workspace) -> None:
    file = Path(__file__).parents[3] / "data" / "demo" / "abstract_pairs.jsonl"
    add_pairs(workspace, file, run="given", source="demo", corpus="articles")
    decisions.add_curator(workspace, "alpha", "Alpha")
    tab = Tab(workspace, "alpha", "one", PairFilters("articles"))
    tab.say(want=1)
    [view] = tab.views.values()
    assert view["proposals"][0]["origin"] == "imported"
    assert view["why"] == "Imported label: hand-written for the demonstration."
    assert not view["scored"]


def test_the_same_axes_in_another_order_are_the_same_answer(workspace: Workspace) -> None:
    label = contextual(IN_DENMARK, IN_DENMARK)
    named = label.axes[::-1]
    made = shelve(
        workspace,
        [Draft(IN_DENMARK, f"{IN_DENMARK} {UNCHANGED}", (replace(label, axes=named, evidence=()),))],
        corpus="turned",
        run="turned",
    )
    decisions.add_curator(workspace, "alpha", "Alpha")
    tab = Tab(workspace, "alpha", "one", PairFilters("turned"))
    tab.say(want=9)
    [item] = made.items
    same = answer(
        axes=[axis.value for axis in label.axes],
        confounder=label.confounder.value if label.confounder else None,
        reconciliation=label.reconciliation,
    )
    tab.say(tab.event(item, "fix", answer=same))
    [decision] = decisions.decisions(workspace)
    assert decision.action is Action.ACCEPT
    assert isinstance(decision.answer, PairAnswer)
    assert decision.answer.axes == label.axes
