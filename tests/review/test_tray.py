"""The guideline at the desk: each decision carries its revision; what was said under an older one is told."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from core import review
from core.records import Action, Decision, NewDecision
from core.review import tray
from core.review.views.passages import passage_views
from core.store import Workspace, decisions, guidelines
from tests.review.clinic import CATARACT, EYE, HYPOTONIA, SEIZURE, TEXTS, add_run, draft, furnish, item
from tests.review.pairs import library
from tests.review.pairs.test_pair_desk import Tab as PairTab
from tests.review.test_desk import Tab

FIRST, SECOND = "Only what the patient has counts.", "Only what the patient has counts.\nNo family."


def revision(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def state(workspace: Workspace, text: str, profile: str = "hpa") -> None:
    with workspace.write() as db:
        guidelines.add_guideline(db, profile, text, origin="person")


def name(workspace: Workspace, run: str, profile: str, source: str | None = None) -> None:
    """The run is one of a task profile."""
    settings = {"profile": profile, "options": {"profile": source or profile}}
    with workspace.write() as db:
        db.execute("UPDATE runs SET settings = ? WHERE id = ?", (json.dumps(settings), run))


def last(workspace: Workspace) -> Decision:
    return list(decisions.decisions(workspace))[-1]


def ask(tab: Any, about: int | str) -> dict[str, Any]:
    asked = {"id": "q", "kind": "guideline", "text": str(about), "corpus": "n", "concept": "", "final": False}
    [row] = tab.say(look=asked)["look"]["rows"]
    return dict(row)


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    made = furnish(workspace)
    name(workspace, "alpha", "hpa")
    return made


def test_no_guideline_no_revision(workspace: Workspace, at: dict[str, int]) -> None:
    """The shipped profile hpa has no text of its own, and a run may name no profile at all."""
    tab = Tab(workspace, "alpha", "t")
    first = tab.say(want=1)["page"][0]
    told = ask(tab, first)
    assert (told["profile"], told["text"], told["revision"], told["older"]) == ("hpa", "", None, 0)
    tab.say(tab.event(first, "accept"))
    assert last(workspace).guideline_revision is None
    with workspace.write() as db:
        db.execute("UPDATE runs SET settings = '{}'")
    assert ask(tab, first)["profile"] is None


def test_a_decision_carries_the_revision_in_force_whatever_the_browser_says(
    workspace: Workspace, at: dict[str, int]
) -> None:
    state(workspace, FIRST)
    tab = Tab(workspace, "alpha", "t")
    first, second = tab.say(want=2)["page"]
    tray_ = ask(tab, first)
    assert (tray_["text"], tray_["revision"], tray_["reference"]) == (FIRST, revision(FIRST), "hpa@1")
    tab.say(tab.event(first, "accept"))
    assert last(workspace).guideline_revision == revision(FIRST)
    forged = tab.say(tab.event(second, "accept", guideline_revision="0" * 12))
    assert "unreadable" in forged["refused"]["t-2"]
    state(workspace, SECOND)
    tab.say(tab.event(second, "reject"))
    assert last(workspace).guideline_revision == revision(SECOND)


def test_what_nobody_proposed_goes_by_the_guideline_of_its_corpus(
    workspace: Workspace, at: dict[str, int]
) -> None:
    state(workspace, FIRST)
    tab = Tab(workspace, "alpha", "t")
    whole = {"item": None, "concept": None, "shown": [], "proposal": None}
    assert tab.say(tab.event(item(workspace, at["d1"], SEIZURE), "close", **whole))["refused"] == {}
    assert last(workspace).action is Action.CLOSE
    assert last(workspace).guideline_revision == revision(FIRST)
    assert ask(tab, "")["revision"] == revision(FIRST)


def test_an_event_of_an_impossible_passage_is_refused_alone(workspace: Workspace, at: dict[str, int]) -> None:
    tab = Tab(workspace, "alpha", "t")
    first = tab.say(want=1)["page"][0]
    whole = {"item": None, "concept": None, "shown": [], "proposal": None, "passage": 2**70}
    reply = tab.say(tab.event(first, "close", **whole), tab.event(first, "accept"))
    assert (list(reply["refused"]), list(reply["acks"])) == (["t-1"], ["t-2"])


def test_an_item_goes_by_the_profile_of_the_newest_run_that_proposes_it(
    workspace: Workspace, at: dict[str, int], tmp_path: Path
) -> None:
    """A profile of a file has its own text, until the file is gone."""
    own = tmp_path / "eyes.yaml"
    words = "title: T\nkind: k\nkind_singular: k\ndescription: d\nexamples: [E]\ndefault_stages: [generate]\n"
    own.write_text(f"name: eyes\n{words}guideline: Eyes only.\n", "utf-8")
    eye = draft(EYE, TEXTS["d3"], "cataract")
    add_run(workspace, {at["d3"]: [eye, draft(CATARACT, TEXTS["d3"], "cataract")]}, "eyes")
    name(workspace, "eyes", "eyes", str(own))
    state(workspace, FIRST)
    tab = Tab(workspace, "alpha", "t")
    assert ask(tab, item(workspace, at["d3"], CATARACT))["text"] == "Eyes only."
    assert ask(tab, item(workspace, at["d1"], CATARACT))["text"] == FIRST
    assert tray.in_force(workspace, "concept") == {revision("Eyes only."), revision(FIRST)}
    own.write_text(f"name: eyes\n{words}guideline: Eyes and lids.\n", "utf-8")
    assert ask(tab, item(workspace, at["d3"], EYE))["text"] == "Eyes and lids."
    own.unlink()
    assert ask(tab, item(workspace, at["d3"], EYE))["revision"] is None


def found(workspace: Workspace, known: review.Older | None = None, curator: str = "alpha") -> review.Older:
    return review.older(workspace, review.identity(workspace), curator, "concept", known)


def test_the_work_list_holds_what_stands_under_an_older_revision_and_nothing_else(
    workspace: Workspace, at: dict[str, int]
) -> None:
    ids = [item(workspace, at[doc], concept) for doc, concept in (("d1", SEIZURE), ("d1", CATARACT))]
    ids += [item(workspace, at[doc], concept) for doc, concept in (("d1", HYPOTONIA), ("d2", SEIZURE))]
    tab = Tab(workspace, "alpha", "t")
    tab.say(want=6)
    tab.say(tab.event(ids[0], "accept"))  # under none
    state(workspace, FIRST)
    for one in ids[1:]:
        tab.say(tab.event(one, "accept"))
    tab.say(tab.event(ids[3], "undo", undoes=last(workspace).number))
    known = found(workspace)
    assert known.items == {}
    state(workspace, SECOND)
    known = found(workspace, known)
    assert list(known.items) == [ids[1], ids[2]]
    assert found(workspace, curator="beta").items == {}
    assert ask(tab, ids[1])["older"] == 2
    tab.say(tab.event(ids[1], "accept"))  # the same once more, under the new one: no repeat
    assert last(workspace).guideline_revision == revision(SECOND)
    known = found(workspace, known)
    assert list(known.items) == [ids[2]] == list(found(workspace).items)
    tab.say(tab.event(ids[1], "undo", undoes=last(workspace).number))
    known = found(workspace, known)
    assert list(known.items) == [ids[1], ids[2]] == list(found(workspace).items)
    state(workspace, FIRST)  # as it was: a text is told by its letters
    assert found(workspace, known).items == {}


def test_the_same_answer_under_the_same_guideline_is_a_repeat(
    workspace: Workspace, at: dict[str, int]
) -> None:
    on = item(workspace, at["d1"], SEIZURE)

    def say(cid: str, under: str | None) -> decisions.Outcome:
        new = NewDecision(cid, "alpha", Action.REJECT, item_id=on, guideline_revision=under)
        return decisions.append(workspace, [new])[0]

    assert [say("a", "r1").repeat, say("b", "r1").repeat, say("c", None).repeat] == [False, True, True]
    assert [say("d", "r2").repeat, say("e", "r2").repeat] == [False, True]
    assert [d.client_id for d in decisions.decisions(workspace)] == ["a", "d"]


def test_the_card_is_told_which_answer_is_older(workspace: Workspace, at: dict[str, int]) -> None:
    state(workspace, FIRST)
    tab = Tab(workspace, "alpha", "t")
    first, second = tab.say(want=2)["page"]
    tab.say(tab.event(first, "accept"))
    state(workspace, SECOND)
    tab.say(tab.event(second, "accept"))
    views = passage_views(workspace, "alpha", [at["d1"]])[0]["items"]
    told = {one["id"]: [said.get("older", False) for said in one["mine"]] for one in views}
    assert (told[first], told[second]) == ([True], [False])


def test_pairs_carry_the_guideline_of_a_run_of_conflicts_alone(workspace: Workspace) -> None:
    library.furnish(workspace)
    tab = PairTab(workspace, "alpha", "t")
    first, second = tab.say(want=2)["page"][:2]
    assert ask(tab, first)["profile"] is None
    tab.say(tab.event(first, "reject"))
    assert last(workspace).guideline_revision is None
    name(workspace, "alpha", "hpa")
    state(workspace, FIRST)
    assert ask(tab, second)["revision"] == revision(FIRST)
    tab.say(tab.event(second, "reject"))
    assert last(workspace).guideline_revision == revision(FIRST)
