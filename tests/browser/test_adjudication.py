"""Adjudication: what curators differ on is ruled by digits, as one answer or by fields; no name is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.records import Action, Assertion, Axis, Cause, ConceptClass, ItemKind
from core.review.disputes import disputes
from core.store import decisions, gold, open_workspace
from pages.widgets.desk.chosen import list_address
from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import Desk
from tests.browser.test_phone import settle, unseen
from tests.store import making, pairing
from tests.store.making import CONCEPTS, Furniture, answer, say, span_of

CASES = ("digits", "fields", "undo", "small", "listed", "learn")


@dataclass
class Bench:
    """One server over a corpus for each test."""

    server: AppServer
    workspace: Path
    houses: dict[str, Furniture]
    pair: int

    def desk(self, page: Page, corpus: str, curator: str = "", more: str = "") -> Desk:
        query = f"adjudication?adjudication.corpus={corpus}{more}"
        return Desk(page, self.server.url, self.workspace, curator or f"judge-{corpus}", query)

    def rulings(self, corpus: str) -> list[decisions.Decision]:
        with open_workspace(self.workspace) as workspace:
            held = set(self.houses[corpus].items.values()) if corpus in self.houses else {self.pair}
            return [
                d
                for d in decisions.standing(workspace)
                if d.action is Action.ADJUDICATE and d.item_id in held
            ]


def differ(workspace: object, house: Furniture) -> None:
    """Seizure has two statuses, ataxia is there or not, fever alike; headache has two classes, too."""
    text = making.TEXT.format(n=0)
    seizure, ataxia, fever, headache = (house.item(concept=n) for n in range(4))

    def of(concept: str, **fields: object) -> object:
        return answer(concept, spans=(span_of(text, concept),), **fields)  # type: ignore[arg-type]

    for curator, action, item, given in (
        ("alpha", Action.ACCEPT, seizure, of(CONCEPTS[0])),
        ("beta", Action.FIX, seizure, of(CONCEPTS[0], assertion=Assertion.UNCERTAIN)),
        ("alpha", Action.ACCEPT, ataxia, of(CONCEPTS[1])),
        ("beta", Action.REJECT, ataxia, None),
        ("alpha", Action.ACCEPT, fever, of(CONCEPTS[2])),
        ("beta", Action.ACCEPT, fever, of(CONCEPTS[2])),
        ("alpha", Action.ACCEPT, headache, of(CONCEPTS[3])),
        (
            "beta",
            Action.FIX,
            headache,
            of(CONCEPTS[3], assertion=Assertion.UNCERTAIN, concept_class=ConceptClass.LOGICALLY_IMPLICIT),
        ),
    ):
        say(workspace, curator, action, item, answer=given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def bench(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    path = tmp_path_factory.mktemp("bench") / "bench.db"
    with open_workspace(path) as workspace:
        houses = {}
        for corpus in CASES:
            houses[corpus] = making.furnish(workspace, 1, corpus=corpus, run=f"run-{corpus}")
            differ(workspace, houses[corpus])
        pair = pairing.pair_up(workspace).pairs[0]
        say(workspace, "alpha", Action.FIX, pair.item_id, answer=pairing.answer(pair))
        other = pairing.answer(pair, axes=(Axis.POPULATION_COHORT,), confounder=Axis.POPULATION_COHORT)
        say(workspace, "beta", Action.FIX, pair.item_id, answer=other)
    return Bench(module_app_server(path), path, houses, pair.item_id)


def letter(page: Page, words: str) -> str:
    """The key of the answer that says this."""
    option = page.locator(".option", has_text=words).first
    return option.locator("kbd").inner_text()


def test_a_digit_takes_an_answer_with_its_cause_and_gold_follows(bench: Bench, page: Page) -> None:
    house = bench.houses["digits"]
    seizure, ataxia, headache = (house.item(concept=n) for n in (0, 1, 3))
    desk = bench.desk(page, "digits")
    with open_workspace(bench.workspace) as workspace:
        order = [one.item for one in disputes(workspace, "digits", ItemKind.CONCEPT).open]
    assert set(order) == {seizure, ataxia, headache}
    wanted = {seizure: "uncertain", ataxia: "It does not stand", headache: "affirmed"}
    for item in order:
        desk.shows(item)
        expect(page.locator(".card")).to_contain_text("Curators disagree")
        key = letter(page, wanted[item])
        if item == seizure:
            desk.press("w", "l")
            expect(page.get_by_role("button", name="Guideline gap")).to_have_attribute("aria-pressed", "true")
        desk.press(key)
    desk.saved()
    desk.see("Every item of this queue is decided")
    assert "alpha" not in page.locator(".desk").inner_text().lower()
    found = {d.item_id: d for d in bench.rulings("digits")}
    first = found[seizure].answer
    assert (found[seizure].cause, found[seizure].update_guideline) == (Cause.GUIDELINE_GAP, True)
    assert first == answer(
        CONCEPTS[0], Assertion.UNCERTAIN, spans=(span_of(making.TEXT.format(n=0), CONCEPTS[0]),)
    )
    assert found[ataxia].answer is None
    with open_workspace(bench.workspace) as workspace:
        held = gold.gold_set(workspace, "reviewed@now:adjudicated", "digits")
    assert held.documents["doc-0"] == {
        CONCEPTS[0]: Assertion.UNCERTAIN,
        CONCEPTS[2]: Assertion.AFFIRMED,
        CONCEPTS[3]: Assertion.AFFIRMED,
    }
    assert held.rejected["doc-0"] == frozenset({CONCEPTS[1]})


def test_field_by_field_takes_one_value_of_each(bench: Bench, page: Page) -> None:
    headache = bench.houses["fields"].item(concept=3)
    desk = bench.desk(page, "fields", more=f"&item={headache}")
    desk.shows(headache)
    desk.press("f")
    for words in ("uncertain", "explicit"):
        desk.press(letter(page, words))
    desk.saved()
    [ruling] = bench.rulings("fields")
    assert ruling.answer.assertion is Assertion.UNCERTAIN  # type: ignore[union-attr]
    assert ruling.answer.concept_class is ConceptClass.EXPLICIT  # type: ignore[union-attr]


def test_a_pair_is_ruled_by_one_key(bench: Bench, page: Page) -> None:
    desk = bench.desk(page, pairing.CORPUS, more="&adjudication.of=pair")
    desk.shows(bench.pair)
    expect(page.locator(".pane")).to_have_count(2)
    desk.press(letter(page, "Population"))
    desk.saved()
    [ruling] = bench.rulings(pairing.CORPUS)
    assert ruling.answer.axes == (Axis.POPULATION_COHORT,)  # type: ignore[union-attr]
    assert ruling.answer.confounder is Axis.POPULATION_COHORT  # type: ignore[union-attr]


def test_a_ruling_is_taken_back_and_keys_of_other_desks_do_nothing(bench: Bench, page: Page) -> None:
    desk = bench.desk(page, "undo")
    first = desk.current
    desk.press("s", "a", "x", "9")
    desk.drawn()
    assert desk.current == first
    desk.press("1")
    desk.saved()
    assert len(bench.rulings("undo")) == 1
    desk.press("z")
    desk.saved()
    desk.shows(first)
    assert bench.rulings("undo") == []


def test_a_small_screen_shows_the_text_and_the_answers_together(bench: Bench, page: Page) -> None:
    desk = bench.desk(page, "small")
    settle(page, 420, 860)
    assert unseen(page, ".mark", ".label", ".option") == []
    page.locator(".option").first.click()
    desk.saved()
    assert len(bench.rulings("small")) == 1


def test_a_list_is_walked_in_its_order_and_nothing_else_is_shown(bench: Bench, page: Page) -> None:
    house = bench.houses["listed"]
    ataxia, fever, seizure = (house.item(concept=n) for n in (1, 2, 0))
    address = list_address("adjudication", "Settle these", [ataxia, fever, seizure], "listed")
    query = "&".join(f"{key}={value}" for key, value in address.items())
    desk = Desk(page, bench.server.url, bench.workspace, "judge-listed", f"adjudication?{query}")
    desk.shows(ataxia)
    desk.press("j")
    desk.shows(seizure)  # nobody differs on fever


def test_a_curator_sees_what_was_ruled_otherwise_and_why(bench: Bench, page: Page) -> None:
    house = bench.houses["learn"]
    with open_workspace(bench.workspace) as workspace:
        found = disputes(workspace, "learn", ItemKind.CONCEPT).of(house.item())
        assert found is not None
        kept = next(voice.answer for voice in found.voices if voice.curator == "alpha")
        say(workspace, "gamma", Action.ADJUDICATE, house.item(), answer=kept, cause=Cause.EDGE_CASE)
    desk = bench.desk(page, "learn", "beta")
    page.get_by_text("One answer of yours was ruled otherwise").click()
    link = page.get_by_role("link", name="Review this one")
    expect(link).to_be_visible()
    assert f"concept_labels.items={house.item()}" in (link.get_attribute("href") or "")
    desk.drawn()
