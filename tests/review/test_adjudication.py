"""What an adjudicator is shown, and what their page may store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.exchange import add_decisions, export
from core.kinds.names import NAMES
from core.records import Action, Assertion, Axis, Cause, ConceptClass, ItemKind
from core.review import desk
from core.review.disputes import disputes
from core.review.events import identity
from core.review.walks.adjudication import AdjudicationFilters
from core.review.walks.walk import Show
from core.store import Workspace, decisions, open_workspace
from core.store.chain import verify
from tests.store import making, pairing
from tests.store.making import CONCEPTS, answer, say, span_of

SEIZURE, ATAXIA, FEVER, HEADACHE = CONCEPTS


class Judge:
    """The page of an adjudicator, without a browser."""

    def __init__(self, workspace: Workspace, filters: AdjudicationFilters, curator: str = "gamma"):
        self.workspace, self.filters, self.curator = workspace, filters, curator
        self.sent = 0

    def serve(self, *events: dict[str, Any], **more: Any) -> dict[str, Any]:
        raw = json.loads(json.dumps({"desk": self.curator, "events": events, **more}))
        return desk.serve(self.workspace, raw, self.filters, self.curator)

    def queue(self) -> list[int]:
        return list(self.serve(want=10)["page"])

    def item(self, item: int) -> dict[str, Any]:
        [sheet] = self.serve(current=item, want=1)["passages"][:1]
        return next(one for one in sheet["items"] if one["id"] == item)

    def event(self, item: dict[str, Any], action: str, **fields: Any) -> dict[str, Any]:
        self.sent += 1
        return {
            "kind": "adjudication",
            "cid": f"{self.curator}-{self.sent}",
            "workspace": identity(self.workspace),
            "curator": self.curator,
            "action": action,
            "item": item["id"],
            "passage": item["passage"],
            "concept": item["concept"],
            **fields,
        }

    def rule(self, item: dict[str, Any], chosen: dict[str, str], **fields: Any) -> dict[str, Any]:
        return self.serve(self.event(item, "adjudicate", chosen=chosen, **{"heard": item["heard"], **fields}))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with open_workspace(tmp_path / "w.db") as workspace:
        yield workspace


@pytest.fixture
def house(workspace: Workspace) -> making.Furniture:
    """Seizure: affirmed and uncertain; ataxia: one of two says it is there; fever: both alike."""
    house = making.furnish(workspace, 1)
    text = making.TEXT.format(n=0)
    spans = (span_of(text, SEIZURE),)
    say(
        workspace, "alpha", Action.ACCEPT, house.item(), answer=answer(SEIZURE, spans=spans), milliseconds=900
    )
    say(
        workspace,
        "beta",
        Action.FIX,
        house.item(),
        answer=answer(SEIZURE, Assertion.UNCERTAIN),
        note="<b>maybe</b>",
        milliseconds=5000,
    )
    say(workspace, "alpha", Action.ACCEPT, house.item(concept=1), answer=answer(ATAXIA))
    say(workspace, "beta", Action.REJECT, house.item(concept=1))
    for curator in ("alpha", "beta"):
        say(workspace, curator, Action.ACCEPT, house.item(concept=2), answer=answer(FEVER))
    return house


@pytest.fixture
def judge(workspace: Workspace) -> Judge:
    return Judge(workspace, AdjudicationFilters("cases"))


def test_it_walks_what_they_differ_on_and_nothing_else(house: making.Furniture, judge: Judge) -> None:
    assert set(judge.queue()) == {house.item(), house.item(concept=1)}
    progress = judge.serve()["progress"]
    assert (progress["done"], progress["total"], progress["mine"]) == (0, 2, 0)


def test_a_sheet_shows_differences_and_no_names(house: making.Furniture, judge: Judge) -> None:
    item = judge.item(house.item())
    [field] = item["fields"]
    assert (field["name"], item["parts"]) == ("answer", [])
    assert [(one["keys"], one["code"]) for one in field["options"]] == [("1", "A"), ("2", "B")]
    by_status = {one["name"]: one for one in field["options"]}
    assert by_status["affirmed"]["short"] == "1 curator, in under 2 s"
    assert by_status["uncertain"]["short"] == "1 curator"
    assert by_status["uncertain"]["notes"] == ["<b>maybe</b>"]
    assert item["same"] == [("Concept", f"Seizure ({SEIZURE})"), ("Class", "explicit")]
    assert item["why"] == "2 curators, 2 answers."
    everything = json.dumps(judge.serve(want=10, current=house.item()))
    assert "alpha" not in everything
    assert "beta" not in everything


def test_the_evidence_of_each_answer_is_marked(house: making.Furniture, judge: Judge) -> None:
    reply = judge.serve(current=house.item(), want=1)
    [text] = reply["passages"][0]["texts"]
    item = reply["passages"][0]["items"][0]
    at = next(i for i, says in enumerate(item["answers"]) if says["assertion"] == "affirmed")
    span = span_of(making.TEXT.format(n=0), SEIZURE)
    assert text["marks"] == [[span.start, span.end, at]]


def test_a_ruling_is_stored_with_cause_and_counts_for_everybody(
    workspace: Workspace, house: making.Furniture, judge: Judge
) -> None:
    item = judge.item(house.item())
    reply = judge.rule(
        item, {"assertion": "affirmed"}, cause="ambiguous_text", update_guideline=True, note="See the report."
    )
    assert reply["refused"] == {}
    stored = decisions.standing(workspace)[-1]
    assert (stored.action, stored.curator, stored.item_id) == (Action.ADJUDICATE, "gamma", house.item())
    text = making.TEXT.format(n=0)
    assert stored.answer == answer(SEIZURE, spans=(span_of(text, SEIZURE),))
    assert (stored.cause, stored.update_guideline, stored.note) == (
        Cause.AMBIGUOUS_TEXT,
        True,
        "See the report.",
    )
    assert reply["progress"]["done"] == 1
    assert [row["action"] for row in reply["history"]] == ["adjudicate"]
    assert Judge(workspace, judge.filters, "alpha").queue() == [house.item(concept=1)]
    judge.serve(judge.event(item, "undo", undoes=stored.number))
    assert set(Judge(workspace, judge.filters, "alpha").queue()) == {house.item(), house.item(concept=1)}


def test_what_does_not_stand_is_ruled_out(
    workspace: Workspace, house: making.Furniture, judge: Judge
) -> None:
    item = judge.item(house.item(concept=1))
    assert {one["name"] for one in item["fields"][0]["options"]} == {"It stands", "It does not stand"}
    assert judge.rule(item, {"present": "no"})["refused"] == {}
    assert decisions.standing(workspace)[-1].answer is None
    mine = Judge(workspace, AdjudicationFilters("cases", show=Show.DECIDED))
    assert mine.queue() == [house.item(concept=1)]


def test_nothing_is_ruled_that_was_not_on_the_screen(
    workspace: Workspace, house: making.Furniture, judge: Judge
) -> None:
    item = judge.item(house.item())
    before = len(decisions.standing(workspace))
    for change in (
        {"chosen": {"assertion": "negated"}},
        {"chosen": {}},
        {"concept": "HP:0000001"},
        {"passage": 999},
        {"item": 999},
        {"heard": item["heard"] - 1},
    ):
        event = judge.event(item, "adjudicate", chosen={"assertion": "affirmed"}, heard=item["heard"])
        assert judge.serve(event | change)["refused"], change
    say(workspace, "alpha", Action.UNSURE, house.item())
    [said] = judge.rule(item, {"assertion": "affirmed"})["refused"].values()
    assert "after it was shown" in said
    assert len(decisions.standing(workspace)) == before + 1


def test_an_item_that_nobody_disputes_is_not_shown(house: making.Furniture, judge: Judge) -> None:
    reply = judge.serve(current=house.item(concept=2), want=0)
    assert reply["unknown"] == house.item(concept=2)
    assert all(one["id"] != house.item(concept=2) for one in reply["passages"])


def test_curators_see_what_was_ruled_otherwise(
    workspace: Workspace, house: making.Furniture, judge: Judge
) -> None:
    judge.rule(judge.item(house.item()), {"assertion": "affirmed"}, cause="edge_case")
    found = judge_disputes(workspace)
    assert [
        (one.item, voice.says and voice.says["assertion"]) for one, voice in found.overturned("beta")
    ] == [(house.item(), "uncertain")]
    assert found.overturned("alpha") == []


def judge_disputes(workspace: Workspace) -> Any:

    return disputes(workspace, "cases", ItemKind.CONCEPT)


def test_pairs_show_both_texts_and_every_field_that_differs(workspace: Workspace) -> None:
    for name in making.CURATORS:
        decisions.add_curator(workspace, name, name.title())
    pair = pairing.pair_up(workspace).pairs[0]
    one = pairing.answer(pair)
    other = pairing.answer(pair, axes=(Axis.POPULATION_COHORT,), confounder=Axis.POPULATION_COHORT)
    say(workspace, "alpha", Action.FIX, pair.item_id, answer=one)
    say(workspace, "beta", Action.FIX, pair.item_id, answer=other)
    judge = Judge(workspace, AdjudicationFilters(pairing.CORPUS, of=ItemKind.PAIR))
    reply = judge.serve(want=1)
    [sheet] = reply["passages"]
    assert [text["doc"] for text in sheet["texts"]] == [pair.a.article_uid, pair.b.article_uid]
    [item] = sheet["items"]
    assert [field["name"] for field in item["parts"]] == ["axes", "confounder"]
    assert [name for name, _ in item["fields"][0]["options"][0]["lines"]] == [
        "Divergence axes",
        "Dominant confounder",
    ]
    words = {option["name"] for option in item["parts"][0]["options"]}
    assert words == {NAMES[Axis.GEOGRAPHY], NAMES[Axis.POPULATION_COHORT]}
    assert judge.rule(item, {"axes": "population_cohort", "confounder": "geography"})["refused"]
    assert judge.rule(item, item["answers"][0])["refused"] == {}
    assert decisions.standing(workspace)[-1].answer in (one, other)


def test_a_class_alone_can_differ(workspace: Workspace, house: making.Furniture, judge: Judge) -> None:
    item = house.item(concept=3)
    say(workspace, "alpha", Action.ACCEPT, item, answer=answer(HEADACHE))
    say(
        workspace,
        "beta",
        Action.FIX,
        item,
        answer=answer(HEADACHE, concept_class=ConceptClass.LOGICALLY_IMPLICIT),
    )
    shown = judge.item(item)
    assert {option["name"] for option in shown["fields"][0]["options"]} == {"explicit", "logically implicit"}


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
def test_a_ruling_goes_with_the_log_into_another_workspace(
    workspace: Workspace, house: making.Furniture, judge: Judge, tmp_path: Path, suffix: str
) -> None:
    item = judge.item(house.item())
    judge.rule(item, {"assertion": "affirmed"}, cause="guideline_gap", update_guideline=True, note="Say so.")
    export(workspace, "decisions", tmp_path / f"log.{suffix}")
    with open_workspace(tmp_path / "other.db") as other:
        making.furnish(other, 1)
        assert add_decisions(other, tmp_path / f"log.{suffix}").stored == 7
        there, here = (
            [(d.action, d.answer, d.note, d.cause, d.update_guideline) for d in decisions.standing(one)]
            for one in (other, workspace)
        )
        assert there == here
        assert there[-1][3:] == (Cause.GUIDELINE_GAP, True)
        assert verify(other).problems == ()
