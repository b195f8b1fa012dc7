"""Reviewing claim pairs: two abstracts, one label, by keyboard."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from core.exchange import add_pairs, export
from core.formats.decisions import read_decisions
from core.kinds.names import NAMES
from core.records import PRIMARY_AXES, Action, Axis, ConflictType, ItemKind, PairAnswer, PairLabel, Span
from core.store import decisions, open_workspace, pairs
from core.store.settled import settled
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import PATIENCE, Desk, click, no_dialogs, outside_requests, select
from tests.browser.test_review_hostile import HOSTILE, any_name
from tests.repeats import times
from tests.review.pairs.library import (
    IN_DENMARK,
    IN_VIETNAM,
    LONG,
    LOWERED,
    UNCHANGED,
    Draft,
    Library,
    contextual,
    many,
    shelve,
)

ALL = times(32, 100)
"""Pairs that are decided by keyboard one after the other."""
EACH = 6
"""Pairs of one test at the desk at which tests go on one behind the other."""
QUEUES = {"all": ALL, "shared": 14 * EACH, "rules": 6, "link": 6, "reload": 6, "two": 60}
PRIMARY = "pgymdblwe"
"""Keys of the nine primary axes, in their order."""


Seat = tuple[Desk, Page, tuple[int, ...]]
"""A desk at work, its page, and the pairs of a test."""


@dataclass
class House(Ward):
    shelves: dict[str, Library]

    def items(self, corpus: str) -> tuple[int, ...]:
        """In queue order."""
        return self.shelves[corpus].items


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> House:
    path = tmp_path_factory.mktemp("pairs") / "pairs.db"
    shelves = many(path, QUEUES)
    return House(module_app_server(path), path, shelves)


@pytest.fixture(scope="module")
def sitting(house: House, module_page: Page) -> tuple[Desk, Iterator[int]]:
    """A desk, and where tests begin at it."""
    return house.desk(module_page, "shared", kind="conflict"), iter(range(0, 14 * EACH, EACH))


@pytest.fixture
def seat(house: House, sitting: tuple[Desk, Iterator[int]]) -> Seat:
    """A desk that goes on at pairs of this test's own, its page, and these pairs."""
    desk, places = sitting
    begin = next(places)
    ids = house.items("shared")[begin : begin + EACH]
    return desk.begin_at(ids[0]), desk.page, ids


def ticked(page: Page) -> list[str]:
    boxes = page.locator('.axis[aria-checked="true"]').all()
    return [(box.get_attribute("data-key") or "").removeprefix("axis ") for box in boxes]


def on(page: Page, group: str) -> Locator:
    """The choice that holds in a group."""
    return page.get_by_role("radiogroup", name=group).locator('[aria-checked="true"]')


def chosen_type(page: Page) -> str:
    return page.locator('.types [aria-checked="true"]').get_attribute("data-key") or ""


def test_many_pairs_by_keyboard_are_stored_exported_and_read_back(
    house: House, page: Page, tmp_path: Path
) -> None:
    desk, ids = house.desk(page, "all", "alpha", "conflict"), house.items("all")
    expect(page.get_by_role("dialog")).to_have_count(0)  # a fresh server knows its pages
    flow = ("a", "3d8a", "1a", "2xx", "s", "q4uf", "x", "5a")
    """Accept; untick design, another confounder, save; no conflict; ..."""
    for n, item in enumerate(ids):
        desk.shows(item)
        keys = flow[n % len(flow)]
        if keys == "2xx":
            keys = "2pgdf"  # a direct contradiction has no axes here
        desk.press(*keys)
    found = desk.wait_for_decisions(ALL)
    desk.saved()
    desk.see(f"{ALL} / {ALL}")
    actions = (Action.ACCEPT, *[Action.FIX] * 3, Action.UNSURE, Action.FIX, Action.REJECT, Action.FIX)
    verdict = dict(zip(flow, actions, strict=True))
    assert found == [(item, verdict[flow[n % len(flow)]]) for n, item in enumerate(ids)]
    assert max(Counter(item for item, _ in found).values()) == 1
    said = {d.item_id: d.answer for d in desk.log()}
    accepted, changed, none, direct, _, other, _, weak = (said[item] for item in ids[:8])
    assert isinstance(accepted, PairAnswer)
    assert accepted.axes == (Axis.POPULATION_COHORT, Axis.GEOGRAPHY, Axis.STUDY_DESIGN)
    assert accepted.confounder is Axis.POPULATION_COHORT
    assert {s.quote for s in accepted.spans_a} == {LOWERED, "adults aged over 65 years"}
    assert {s.quote for s in accepted.spans_b} == {UNCHANGED, "children under 12 years"}
    assert isinstance(changed, PairAnswer)
    assert changed == replace(
        accepted, pair_id=changed.pair_id, axes=accepted.axes[:2], confounder=Axis.GEOGRAPHY
    )
    assert isinstance(none, PairAnswer)
    assert (none.conflict_type, none.axes, none.confounder) == (ConflictType.NO_CONFLICT, (), None)
    assert isinstance(direct, PairAnswer)
    assert (direct.conflict_type, direct.axes) == (ConflictType.DIRECT_CONTRADICTION, ())
    assert isinstance(other, PairAnswer)
    assert (other.conflict_type, other.axes) == (
        ConflictType.UNDERSPECIFIED_APPARENT_CONTRADICTION,
        (Axis.UNKNOWN_LATENT_FACTOR,),
    )
    assert isinstance(weak, PairAnswer)
    assert weak.conflict_type is ConflictType.EVIDENCE_INSUFFICIENCY

    positive = {answer.pair_id: answer for answer in said.values() if isinstance(answer, PairAnswer)}
    with open_workspace(house.workspace) as workspace:
        log = tmp_path / "decisions.json"
        export(workspace, "decisions", log)
        rows = [row for row in read_decisions(log, "json") if row.curator == "alpha"]
        assert [row.action for row in rows][:ALL] == [action for _, action in found]
        mine = settled(workspace, "all", ItemKind.PAIR, "curator=alpha")
        assert mine.answers == positive
        assert len(mine.rejected) == ALL // len(flow)
        file = tmp_path / "gold.jsonl"
        export(workspace, "gold", file, run="run-all", gold="reviewed@now:curator=alpha")
    with open_workspace(tmp_path / "other.db") as other:
        add_pairs(other, file, run="back", source="people", corpus="all")
        back = {pair.item_id: pair for pair in pairs.pairs(other, "back")}
        read = [_as_answer(back[one.item_id].pair_id, one.label) for one in pairs.labels(other, "back")]
    assert {answer.pair_id: answer for answer in read} == positive


def _as_answer(pair_id: str, label: PairLabel) -> PairAnswer:
    spans: dict[str, list[Span]] = {"a": [], "b": []}
    for one in label.evidence:
        assert one.start is not None
        assert one.end is not None
        spans[one.side].append(Span(one.start, one.end, one.quote))
    return PairAnswer(
        pair_id,
        label.comparable,
        label.conflict_type,
        label.axes,
        label.confounder,
        label.reconciliation,
        tuple(sorted(spans["a"], key=lambda s: s.start)),
        tuple(sorted(spans["b"], key=lambda s: s.start)),
    )


def test_every_key_of_the_form(seat: Seat) -> None:
    desk, page, ids = seat
    assert chosen_type(page) == "type contextual_contradiction"
    names = [t.value for t in ConflictType]
    for n, name in enumerate(names, start=1):
        desk.press(str(n))
        expect(page.locator('.types [aria-checked="true"]')).to_have_attribute("data-key", f"type {name}")
    expect(page.locator(".slot-card-guide")).to_contain_text("Look for")
    expect(page.locator(".slot-card-guide")).to_contain_text("Boundary")
    desk.press("p", "g", "d")  # the proposed ones off
    assert ticked(page) == []
    desk.press(*PRIMARY, *"itvu")
    order = [axis.value for axis in PRIMARY_AXES]
    assert ticked(page)[:9] == order
    assert len(ticked(page)) == 13
    expect(page.locator(".hint")).to_contain_text("Unknown")
    offered = page.get_by_role("radiogroup", name="Mostly").get_by_role("radio")
    assert offered.count() == 14  # thirteen axes, and none
    desk.press("8", "8")
    expect(on(page, "Mostly")).to_have_text("Geography")
    desk.press("7")
    expect(on(page, "Comparable")).to_have_text("No")
    desk.see("Claims that cannot be compared hardly conflict.")  # a doubt, and saved all the same
    desk.press("9")
    page.keyboard.press("Control+a")
    page.keyboard.type("A long story, axszjk 123.")
    page.keyboard.press("Control+Enter")
    desk.press("f")
    desk.shows(ids[1])
    desk.wait_for_decisions(1)
    [stored] = desk.log()
    assert stored.action is Action.FIX
    answer = stored.answer
    assert isinstance(answer, PairAnswer)
    assert answer.conflict_type is ConflictType.UNRESOLVED_SCIENTIFIC_CONTROVERSY
    assert set(answer.axes) == set(Axis)
    assert answer.confounder is Axis.GEOGRAPHY
    assert not answer.comparable
    assert answer.reconciliation == "A long story, axszjk 123."

    expect(page.locator('.labels [aria-checked="true"]')).to_contain_text("Model")
    desk.press("q")
    expect(page.locator('.labels [aria-checked="true"]')).to_contain_text("Heuristic")
    assert chosen_type(page) == "type direct_contradiction"
    desk.press("f")  # nothing is changed: no silent decision
    desk.see("Nothing is changed yet.")
    desk.press("j", "j", "k")
    desk.shows(ids[2])
    desk.press("n")
    page.keyboard.type("ask a virologist")
    desk.press("Enter")
    desk.press("r")
    found = desk.wait_for_decisions(3)
    assert found[1:] == [(ids[2], Action.NOTE), (ids[2], Action.REJECT)]
    desk.press("h")
    desk.see("Undo your last decision, on whichever pair")
    desk.press("a", "1", "x")  # nothing is decided under the help
    desk.press("h")
    desk.saved()
    assert len(desk.log()) == 3


def test_keys_are_printed_on_what_they_do(seat: Seat) -> None:
    _, page, _ = seat
    answers = ("Accept A", "Reject X", "Fix F", "Unsure S", "Undo Z", "Next J", "Back K", "Note N", "Help H")
    for name in answers:
        assert page.get_by_role("button", name=name, exact=True).count(), name
    for n, kind in enumerate(ConflictType, start=1):
        assert page.get_by_role("radio", name=f"{n} {NAMES[kind]}", exact=True).count(), kind
    chips = page.get_by_role("checkbox").all()
    assert len(chips) == 13
    assert [chip.locator("kbd").inner_text() for chip in chips] == [*PRIMARY.upper(), *"ITVU"]
    for chip in chips:
        assert "Such as: " in (chip.get_attribute("title") or "")
    desk_of_screen = page.locator(".desk")
    expect(desk_of_screen.get_by_text("Archive of Invented Trials")).to_be_visible()
    expect(desk_of_screen.get_by_text("2016", exact=True)).to_be_visible()
    expect(desk_of_screen.get_by_text("efficacy claim").first).to_be_visible()
    page.locator(".why summary").click()
    for words in ("Likeness", "direction: decreased / unchanged", "infectious disease", "scripted-model"):
        expect(page.locator(".why")).to_contain_text(words)
    here = page.locator(".desk").get_attribute("data-item")
    assert page.locator(".origin").get_attribute("href") == f"runs?run=run-shared&pair={here}"


def test_inconsistent_combinations_are_explained_and_never_saved(house: House, page: Page) -> None:
    desk, ids = house.desk(page, "rules", "delta", "conflict"), house.items("rules")
    desk.shows(ids[0])
    desk.press("p")  # the dominant confounder is unticked, so there is none
    desk.see("Population was the dominant confounder, too; there is none now.")
    desk.press("p", "8", "1")
    desk.see("Without a conflict there is nothing for axes to explain")
    assert ticked(page) == []
    expect(page.locator('.axis[aria-disabled="true"]')).to_have_count(13)
    expect(page.locator(".axes").first).to_be_hidden()  # folded away
    expect(page.get_by_role("radiogroup", name="Mostly")).to_have_count(0)
    desk.press("b")
    expect(page.locator(".told")).to_contain_text("untick them, or choose a type")
    assert ticked(page) == []
    desk.press("8")
    desk.see("tick one first")
    page.get_by_text("Axes: none").click()
    expect(page.locator(".axes").first).to_be_visible()  # to be looked at
    page.locator('[data-key="axis disease_subtype"]').click(force=True)
    assert ticked(page) == []
    page.get_by_text("Axes: none").click()
    desk.press("3")  # brings back what was ticked
    expect(page.locator(".axes").first).to_be_visible()
    assert ticked(page) == ["population_cohort", "geography", "study_design"]
    desk.press("2")
    desk.see("Where a stated axis explains the difference, the contradiction is contextual.")
    desk.press("z")
    desk.see("There is nothing to undo.")
    assert desk.log() == []
    desk.press("1", "a")
    desk.shows(ids[1])
    desk.wait_for_decisions(1)
    answer = desk.log()[0].answer
    assert isinstance(answer, PairAnswer)
    assert (answer.conflict_type, answer.axes, answer.confounder) == (ConflictType.NO_CONFLICT, (), None)


def test_keys_are_inert_while_somebody_writes(seat: Seat) -> None:
    desk, page, ids = seat
    click(page.get_by_label("Curator"))
    page.keyboard.type("a real xylophone szjk")
    page.keyboard.press("Escape")
    page.locator(".headline").first.click()
    desk.press("9")
    page.keyboard.press("Control+a")
    page.keyboard.type("axszjk 123 pgymdblweitvu")
    page.keyboard.press("Enter")
    page.keyboard.type("second line")
    page.reload()  # what was written and not saved is there again
    desk.ready()
    desk.shows(ids[0])
    box = page.get_by_label("Reconciliation")
    assert box.input_value() == "axszjk 123 pgymdblweitvu\nsecond line"
    assert chosen_type(page) == "type contextual_contradiction"
    desk.press("9")
    expect(box).to_be_focused()
    desk.press("Escape")
    expect(box).not_to_be_focused()
    for held in ("Control", "Alt", "Shift", "Meta"):
        page.keyboard.press(f"{held}+x")
    assert desk.current == ids[0]
    assert desk.log() == []
    desk.press("x")  # the box is left: keys work again
    assert desk.wait_for_decisions(1) == [(ids[0], Action.REJECT)]


def test_evidence_is_marked_on_either_side_and_words_are_found(house: House, seat: Seat) -> None:
    desk, page, ids = seat
    a, b = '.text[data-side="a"]', '.text[data-side="b"]'
    assert page.locator(f"{a} .on-claim").first.is_visible()
    assert "".join(page.locator(f"{a} .on-claim").all_text_contents()) == LOWERED
    assert page.locator(a).text_content() == house.shelves["shared"].texts[ids[0]][0]
    select(page, "Denmark", within=a)
    desk.see("Mark as evidence")
    desk.press("Enter")
    select(page, "Vietnam in 2019", within=b)
    page.get_by_role("button", name="Mark as evidence").click()
    marked = page.locator('.side[data-side="b"] .evidence li.solid')
    expect(marked).to_have_text(re.compile("Vietnam in 2019"))
    select(page, "Nausea", within=a)
    desk.press("Escape")  # left: nothing is marked
    gone = page.locator('.side[data-side="a"] .evidence li').filter(has_text="adults aged over 65 years")
    gone.get_by_title("Take this evidence away").click()
    row = page.locator('.slot-table tr[data-axis="geography"]')
    assert "differs" in (row.get_attribute("class") or "")
    row.get_by_role("button", name="Vietnam").click()
    expect(page.locator(f"{b} .pulse")).to_have_text("Vietnam")
    desk.press("f")
    desk.shows(ids[1])
    desk.wait_for_decisions(1)
    answer = desk.log()[0].answer
    assert isinstance(answer, PairAnswer)
    assert [s.quote for s in answer.spans_a] == ["Denmark", LOWERED]
    assert [s.quote for s in answer.spans_b] == ["children under 12 years", "Vietnam in 2019", UNCHANGED]


def test_undo_brings_back_what_was_changed(seat: Seat) -> None:
    desk, page, ids = seat
    desk.press("a", "4", "u", "f", "x", "z", "z")  # faster than any answer of the server
    desk.shows(ids[1])
    assert chosen_type(page) == "type underspecified_apparent_contradiction"
    assert "unknown_latent_factor" in ticked(page)
    desk.wait_for_decisions(5)
    desk.saved()
    page.reload()
    desk.ready()
    desk.press("z")
    desk.shows(ids[0])
    found = desk.wait_for_decisions(6)
    assert [a for _, a in found] == [Action.ACCEPT, Action.FIX, Action.REJECT, *[Action.UNDO] * 3]
    assert [i for i, _ in found] == [ids[0], ids[1], ids[2], ids[2], ids[1], ids[0]]


def test_a_link_leads_to_a_pair(house: House, page: Page) -> None:
    ids = house.items("link")
    desk = house.desk(page, "link", "theta", "conflict", more=f"&item={ids[4]}")
    desk.shows(ids[4])
    desk.press("a")
    desk.saved()
    page.locator(".slot-history li button").first.click()
    desk.shows(ids[4])
    desk.see("Your answer:")
    concept = page.locator(".slot-history").inner_text()
    assert "Contextual contradiction" in concept
    assert "link-0008 / link-0009" in concept
    page.goto(f"{house.server.url}/conflict_labels?conflict_labels.corpus=link&item=999999")
    desk.see("There is no item 999999 in this workspace")
    desk.ready()


def test_reload_with_unsent_decisions_loses_nothing(house: House, page: Page) -> None:
    desk, ids = house.desk(page, "reload", "iota", "conflict"), house.items("reload")
    desk.shows(ids[0])
    house.server.freeze()
    desk.press("a", "5", "f", "s")
    desk.see("3 saving")
    assert desk.answers() == []
    house.server.restart()
    # a fresh server, and the other page: it takes these decisions, too
    page.goto(f"{house.server.url}/concept_labels")
    page.get_by_text("There is nothing to review yet").wait_for()
    page.get_by_role("link", name="Conflict labels").click()
    desk.ready()
    found = desk.wait_for_decisions(3)
    assert found == list(zip(ids, (Action.ACCEPT, Action.FIX, Action.UNSURE), strict=False))
    desk.shows(ids[3])


def test_two_browsers_never_share_a_pair(house: House, context: BrowserContext, browser: Browser) -> None:
    contexts = [context, browser.new_context()]
    desks = [
        house.desk(contexts[0].new_page(), "two", "kappa", "conflict"),
        house.desk(contexts[1].new_page(), "two", "lambda", "conflict"),
        house.desk(contexts[0].new_page(), "two", "kappa", "conflict"),
    ]
    shown: list[int] = []
    for desk in itertools.islice(itertools.cycle(desks), 75):
        if desk.current:
            shown.append(desk.current)
            desk.press("a")
    for desk in desks:
        desk.saved()
    assert len(set(shown)) == len(shown)
    assert len(shown) >= 54
    with open_workspace(house.workspace) as workspace:
        said = [d.item_id for d in decisions.decisions(workspace) if d.curator in ("kappa", "lambda")]
    assert sorted(said) == sorted(shown)
    contexts[1].close()


def test_a_narrow_screen_shows_both_or_one_side(seat: Seat) -> None:
    desk, page, _ = seat
    page.set_viewport_size({"width": 420, "height": 900})
    a, b = (page.locator(f'.side[data-side="{side}"]') for side in "ab")
    expect(a).to_be_visible()
    expect(b).to_be_visible()
    top_a, top_b = a.bounding_box(), b.bounding_box()
    assert top_a is not None
    assert top_b is not None
    assert top_b["y"] >= top_a["y"] + top_a["height"]  # A over B
    page.get_by_role("radiogroup", name="Show").get_by_role("radio", name="B", exact=True).click()
    expect(a).to_be_hidden()
    page.locator(".gist").click()  # the table is in the sheet
    page.locator('.slot-table tr[data-axis="geography"]').get_by_role("button", name="Denmark").click()
    expect(a).to_be_visible()  # where the words are
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    desk.press("a")
    desk.wait_for_decisions(1)


def test_the_claim_of_a_long_abstract_is_in_view_and_hostile_texts_are_text(
    app_server: StartApp, workspace_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    any_name(monkeypatch)
    drafts = []
    for n, text in enumerate(HOSTILE):
        a, b = f"{LONG} {text} {IN_DENMARK} {text}", f"{LONG} {IN_VIETNAM} {text}"
        label = contextual(
            a,
            b,
            reconciliation=f"Note {text}",
            notes=text,
            annotator=f"m {text}",
            repairs=(text,),
            repaired=True,
        )
        titles = (f"A {text}", f"B {text}")
        drafts.append(Draft(a, b, (label,), score=0.9 - n / 100, domain=f"d {text}", titles=titles))
    any_name(monkeypatch)
    with open_workspace(workspace_path) as workspace:
        library = shelve(workspace, drafts, run="run <img src=x onerror=alert(10)>")
        decisions.add_curator(workspace, "evil", HOSTILE[0])
    url = app_server(workspace_path).url
    outside = outside_requests(page, url)
    with no_dialogs(page):
        page.goto(url)
        page.get_by_role("link", name="Conflict labels").wait_for(timeout=PATIENCE)
        desk = Desk(page, url, workspace_path, "eve", "conflict_labels")
        page.locator(".why summary").click()
        for n, text in enumerate(HOSTILE):
            desk.shows(library.items[n])
            assert page.locator('.text[data-side="a"]').text_content() == drafts[n].a
            assert page.locator('.text[data-side="b"]').text_content() == drafts[n].b
            assert page.locator(".headline").all_text_contents() == [f"A {text}", f"B {text}"]
            assert page.get_by_label("Reconciliation").input_value().startswith("Note ")
            expect(page.locator(".why dd").nth(1)).to_have_text(f"m {text}", use_inner_text=False)
            for side in "ab":
                pane = page.locator(f".slot-text-{side}").bounding_box()
                claim = page.locator(f".slot-text-{side} .on-claim").first.bounding_box()
                assert pane is not None
                assert claim is not None
                assert pane["y"] <= claim["y"] <= pane["y"] + pane["height"]
            desk.press("j")
        click(page.get_by_text("Filter and order"))
        page.get_by_label("Domain").wait_for()
        page.wait_for_timeout(300)
        page.keyboard.press("Escape")
        desk.press("k")
        read = page.locator(".slot-text-b").evaluate("(pane) => (pane.scrollTop = 3)")
        page.set_viewport_size({"width": 1400, "height": 980})  # a text stays as it was scrolled
        page.wait_for_timeout(300)
        assert page.locator(".slot-text-b").evaluate("(pane) => pane.scrollTop") == read
        assert page.locator("a[href*='evil'], a[href^='javascript'], img[src*='evil']").count() == 0
    assert outside == []
