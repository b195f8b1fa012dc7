"""Random sittings at the desk of concept labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule
from playwright.sync_api import Browser, expect

from core.records import Action, Assertion, ConceptClass
from core.records import Answer as Stored
from core.store import ontologies, open_workspace
from tests.browser.concept_model import ASSERTIONS, CLASSES, GROUPS, MEANT, Answer, ConceptModel
from tests.browser.conftest import StartApp
from tests.browser.desk_model import Saved
from tests.browser.review import select
from tests.browser.sitting import House, Sitting, only, sit
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, add_corpus, add_run, draft, item, ontology

TEXT = "Note {}: a seizure 😀 at two years, later hypotonia of both eyes, and no cataract."
QUOTES = ("both eyes", "two years", "seizure 😀 at")
"""Words that a curator may select."""
SCREEN = """() => {
  const host = [...document.querySelectorAll('*')].find((e) => e.shadowRoot?.querySelector('.desk'))
  const root = host.shadowRoot
  const panel = root.querySelector('.slot-side .panel')
  const place = panel ?? root.querySelector('.card')
  const on = (name) => place?.querySelector(`[role=radiogroup][aria-label="${name}"] [aria-checked=true]`)
  const last = (node) => node?.dataset.key.split(' ').at(-1) ?? null
  let heading = null
  const rows = [...(panel?.querySelectorAll('.rows li') ?? [])].flatMap((node) => {
    if (node.classList.contains('group')) heading = node.textContent
    return node.classList.contains('group') ? [] : [[node.dataset.concept, heading]]
  })
  const names = {Fix: 'fix', 'Add a concept': 'add', Note: 'note'}
  return {
    item: Number(root.querySelector('.desk').dataset.item || 0),
    panel: root.querySelector('.help') ? 'help' : panel ? names[panel.ariaLabel] : null,
    selected: root.querySelector('.slot-selection q')?.textContent ?? null,
    kind: last(on('Class')),
    assertion: last(on('Status')),
    rows,
    chosen: panel?.querySelector('[role=option][aria-selected=true]')?.dataset.concept ?? null,
    quotes: [...(panel?.querySelectorAll('.spans q') ?? [])].map((node) => node.textContent),
    typed: panel?.querySelector('input')?.value.trim() ?? '',
    disabled: panel?.querySelector('.foot button')?.disabled ?? null,
  }
}"""


def free(sitting: Any) -> bool:
    return sitting.model.panel is None


def choosing(sitting: Any) -> bool:
    return sitting.model.open is not None


class ConceptSitting(Sitting):
    address = "?concept_labels.corpus=CORPUS"
    model: ConceptModel

    def furnish(self, corpus: str) -> ConceptModel:
        """Three passages with three proposals each, of which one has no evidence in the text."""
        texts = {f"{corpus}-{n}": TEXT.format(n) for n in range(3)}
        proposed: dict[int, Answer] = {}
        self.passages: dict[int, int] = {}
        self.added: dict[int, set[str]] = {}
        with open_workspace(self.house.path) as workspace:
            at = add_corpus(workspace, texts, corpus)
            drafts = {
                at[doc]: [
                    draft(SEIZURE, text, "seizure"),
                    draft(HYPOTONIA, text, "hypotonia", concept_class=ConceptClass.PRAGMATICALLY_IMPLICIT),
                    draft(CATARACT, text, "cataract", assertion=Assertion.NEGATED),
                ]
                for doc, text in texts.items()
            }
            add_run(workspace, drafts, f"run-{corpus}", corpus=corpus)
            for passage, made in drafts.items():
                for one in made:
                    spans = tuple((e.start, e.end) for e in one.evidence if e.start is not None)
                    answer = Answer(one.concept, one.concept_class.value, one.assertion.value, spans)  # type: ignore[arg-type]
                    number = item(workspace, passage, one.concept)
                    proposed[number], self.passages[number] = answer, passage
        return ConceptModel(proposed=proposed)

    def screen(self) -> dict[str, Any]:
        return dict(self.page.evaluate(SCREEN))

    def text(self) -> str:
        return str(self.page.locator(".slot-text .text").evaluate("(node) => node.textContent"))

    # --- the card -----------------------------------------------------------------------------------------

    @rule(pointed=st.booleans())
    @only(free)
    def accept(self, pointed: bool) -> None:
        if item := self.item:
            self.answer("a", pointed)
            self.model.accept(item)

    @rule(place=st.integers(0, 3), pointed=st.booleans())
    @only(free)
    def set_class(self, place: int, pointed: bool) -> None:
        if item := self.item:
            kind = CLASSES[place]
            self.hit(self.page.locator(f'[data-key="Class {kind}"]')) if pointed else self.press(
                str(place + 1)
            )
            self.model.set_class(item, kind)

    @rule(place=st.integers(0, 2), pointed=st.booleans())
    @only(free)
    def set_status(self, place: int, pointed: bool) -> None:
        if not (item := self.item):
            return
        if pointed:
            self.hit(self.page.locator(f'[data-key="Status {ASSERTIONS[place]}"]'))
            self.model.set_status(item, ASSERTIONS[place])
        else:
            self.press("t")
            self.model.turn_status(item)

    @rule(place=st.integers(0, 2))
    @only(free)
    def select_text(self, place: int) -> None:
        if self.touch or not self.item:
            return
        quote = QUOTES[place]
        select(self.page, quote)
        expect(self.page.locator(".slot-selection q")).to_have_text(quote)
        start = self.text().index(quote)
        self.model.selection = (start, start + len(quote))

    @rule()
    @only(lambda self: free(self) and self.model.selection is not None)
    def drop_selection(self) -> None:
        self.press("Escape")
        self.model.selection = None

    # --- the panel ----------------------------------------------------------------------------------------

    @rule(key=st.sampled_from("fffbd"), pointed=st.booleans())
    @only(free)
    def fix(self, key: str, pointed: bool) -> None:
        if item := self.item:
            self.answer("f", pointed) if key == "f" else self.press(key)
            self.model.fix(item, GROUPS.get(key))
            self.settle()

    @rule()
    @only(free)
    def add(self) -> None:
        if self.item:
            words = self.text()[slice(*self.model.selection)] if self.model.selection else ""
            self.press("m")
            self.model.add(words)
            self.settle()

    def settle(self) -> None:
        """The rows answer what stands in the box."""
        expect(self.page.locator('.rows[aria-busy="true"]')).to_have_count(0)

    @rule(text=st.sampled_from(sorted(MEANT)))
    @only(choosing)
    def search(self, text: str) -> None:
        if self.model.open and self.model.open.writing:
            self.press("Control+a")
        elif self.model.open and self.model.open.typed:
            return
        self.page.keyboard.type(text)
        self.settle()
        self.model.type(text)

    @rule(digit=st.integers(0, 9))
    @only(lambda self: choosing(self) and not self.model.open.writing)
    def pick_by_digit(self, digit: int) -> None:
        rows = self.screen()["rows"]
        self.press(str(digit))
        at = digit if self.model.panel == "fix" else digit - 1
        if 0 <= at < len(rows):
            self.model.pick(rows[at][0])
        else:
            self.model.miss()

    @rule(by=st.sampled_from([1, -1]))
    @only(choosing)
    def pick_by_arrow(self, by: int) -> None:
        seen = self.screen()
        concepts = [concept for concept, _ in seen["rows"]]
        self.press("ArrowDown" if by == 1 else "ArrowUp")
        if concepts:
            kept = 0 if self.model.panel == "fix" else -1
            at = concepts.index(seen["chosen"]) if seen["chosen"] else kept
            self.model.pick(concepts[max(0, min(len(concepts) - 1, at + by))])

    @rule(place=st.integers(0, 4))
    @only(choosing)
    def point_at_row(self, place: int) -> None:
        rows = self.screen()["rows"]
        if place < len(rows):
            self.hit(self.page.locator(".panel [role=option]").nth(place))
            self.model.pick(rows[place][0])
            self.model.stop_writing()

    @rule(name=st.sampled_from(["Class", "Status"]), place=st.integers(0, 3))
    @only(choosing)
    def set_in_panel(self, name: str, place: int) -> None:
        values = CLASSES if name == "Class" else ASSERTIONS
        value = values[place % len(values)]
        self.hit(self.page.locator(f'.panel [data-key="{name} {value}"]'))
        self.model.set_in_panel(**{"kind" if name == "Class" else "assertion": value})

    @rule(place=st.integers(0, 2))
    @only(lambda self: choosing(self) and self.model.open.answer.spans)
    def remove_evidence(self, place: int) -> None:
        spans = self.model.open.answer.spans if self.model.open else ()
        at = place % len(spans)
        self.hit(self.page.locator(".panel .spans .chip button").nth(at))
        self.model.remove_span(spans[at])

    @rule(place=st.integers(0, 2))
    @only(lambda self: choosing(self) and not self.touch)
    def select_evidence(self, place: int) -> None:
        quote = QUOTES[place]
        select(self.page, quote)
        expect(self.page.locator(".panel .spans q", has_text=quote)).to_have_count(1)
        start = self.text().index(quote)
        self.model.add_span((start, start + len(quote)))

    @rule(pointed=st.booleans())
    @only(choosing)
    def save(self, pointed: bool) -> None:
        """By the button, which is off where nothing is chosen, or by Enter."""
        item, seen = self.item, self.screen()
        rows = [(concept, heading) for concept, heading in seen["rows"]]
        if self.model.panel == "add" and self.model.open.chosen(rows) in self.added.get(
            self.passages[item], ()
        ):
            return self.leave()
        if not pointed:
            self.press("Enter")
        elif not seen["disabled"]:
            self.hit(self.page.locator(".panel .foot button").first)
        if pointed and seen["disabled"]:
            return
        concept = self.model.save(rows)
        if concept and self.model.panel == "add":
            self.add_to_passage(item, concept)

    def add_to_passage(self, item: int, concept: str) -> None:
        """What is proposed there already is shown instead of added again."""
        answer = replace(self.model.open.answer, concept=concept)
        self.model.leave()
        if concept in (SEIZURE, HYPOTONIA, CATARACT):
            [there] = [
                i
                for i, p in self.passages.items()
                if p == self.passages[item] and self.model.proposed[i].concept == concept
            ]
            self.desk.shows(there)
        else:
            self.added.setdefault(self.passages[item], set()).add(concept)
            self.model.saved.append(Saved(0, Action.ADD, answer))

    @rule()
    @only(choosing)
    def leave(self) -> None:
        if self.model.open and self.model.open.writing and self.model.open.typed:
            self.press("Escape")  # empties the box
            self.model.type("")
            self.model.stop_writing()
            self.settle()
        else:
            self.press("Escape")
            self.model.leave()

    # --- what must hold -----------------------------------------------------------------------------------

    @invariant()
    def panel_agrees(self) -> None:
        """What is chosen, and what of it is saved, stands on the screen."""
        panel, seen = self.model.open, self.screen()
        if panel is None:
            return
        rows = [(concept, heading) for concept, heading in seen["rows"]]
        concept = panel.chosen(rows)
        assert (seen["chosen"], seen["disabled"]) == (concept, concept is None)
        assert (seen["kind"], seen["assertion"]) == (panel.answer.kind, panel.answer.assertion)
        text = self.text()
        assert seen["quotes"] == [text[start:end] for start, end in panel.answer.spans]
        assert seen["typed"] == panel.typed

    def compare(self, item: int, seen: dict[str, Any]) -> None:
        assert (seen["kind"], seen["assertion"]) == self.model.card(item)
        marked = self.text()[slice(*self.model.selection)] if self.model.selection else None
        assert seen["selected"] == marked

    def said(self, answer: Any) -> Answer | None:
        if answer is None:
            return None
        assert isinstance(answer, Stored)
        spans = tuple((span.start, span.end) for span in answer.spans)
        return Answer(answer.concept, answer.concept_class.value, answer.assertion.value, spans)


@pytest.fixture(scope="module")
def house(
    module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> Iterator[House]:
    path = tmp_path_factory.mktemp("sittings") / "concepts.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
    house = House(module_app_server, path, browser)
    yield house
    house.close()


@pytest.mark.flaky(reruns=0)  # a second go would draw other actions
def test_what_is_saved_is_what_was_chosen(house: House) -> None:
    sit(ConceptSitting, house)
