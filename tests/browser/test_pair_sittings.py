"""Random sittings at the desk of claim pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule
from playwright.sync_api import Browser

from core.records import Axis, PairAnswer
from core.store import open_workspace
from tests.browser.conftest import StartApp
from tests.browser.pair_model import AXIS_KEYS, TYPES, Answer, PairModel
from tests.browser.review import PATIENCE, select
from tests.browser.sitting import House, Sitting, only, sit
from tests.review.pairs.library import IN_DENMARK, IN_VIETNAM, Draft, contextual, direct, shelve

QUOTES = {
    "a": ("aged over 65 years", "18 hospitals in Denmark", "zetavir"),
    "b": ("rapid antigen test", "Vietnam in 2019", "zetavir"),
}
"""Words of the two abstracts that a curator may mark."""
SCREEN = """async () => {
  // the lists of evidence follow one frame behind the texts and the form, and a reply may draw all anew:
  // what two frames show alike is on the screen
  const frame = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next, 1)))
  const host = [...document.querySelectorAll('*')].find((e) => e.shadowRoot?.querySelector('.desk'))
  const root = host.shadowRoot
  const on = (name) => root.querySelector(`[role=radiogroup][aria-label="${name}"] [aria-checked=true]`)
  const last = (node) => node?.dataset.key.split(' ').at(-1) ?? null
  const spans = (side) => [...root.querySelectorAll(`.slot-spans-${side} .quote`)].map(last)
  const read = () => {
    const labels = [...root.querySelectorAll('.labels [role=radio]')]
    return {
      item: Number(root.querySelector('.desk').dataset.item || 0),
      panel: root.querySelector('.help') ? 'help' : root.querySelector('.panel.note') ? 'note' : null,
      selected: Boolean(root.querySelector('.slot-selection q')),
      label: labels.length ? labels.findIndex((node) => node.ariaChecked === 'true') : 0,
      type: last(root.querySelector('.types [aria-checked=true]')),
      axes: [...root.querySelectorAll('.axis[aria-checked=true]')].map(last),
      confounder: last(on('Mostly')),
      comparable: last(on('Comparable')),
      text: root.querySelector('.slot-card-box textarea')?.value,
      spans: {a: spans('a'), b: spans('b')},
    }
  }
  await frame()
  for (let seen = read(); ; ) {
    await frame()
    const again = read()
    if (JSON.stringify(again) === JSON.stringify(seen)) return again
    seen = again
  }
}"""


def free(sitting: Sitting) -> bool:
    return sitting.model.panel is None


class PairSitting(Sitting):
    address = "conflict_labels?conflict_labels.corpus=CORPUS"
    model: PairModel

    def furnish(self, corpus: str) -> PairModel:
        """Six pairs: labelled twice, twice with axes in an order of their own, or once."""
        drafts = []
        for n in range(6):
            a, b = f"{IN_DENMARK} Report {corpus} {n}.", f"{IN_VIETNAM} Report {corpus} {n}."
            main = contextual(a, b)
            turned = contextual(a, b, axes=main.axes[::-1], comparable=False)
            labels = ((main, direct(a, b)), (turned, direct(a, b)), (main,))[n % 3]
            drafts.append(Draft(a, b, labels, score=0.9 - n / 1000))
        with open_workspace(self.house.path) as workspace:
            made = shelve(workspace, drafts, corpus=corpus, run=f"run-{corpus}")
        labels_of = zip(made.items, (draft.labels for draft in drafts), strict=True)
        return PairModel(labels=dict(labels_of))

    def screen(self) -> dict[str, Any]:
        return dict(self.page.evaluate(SCREEN))

    @rule(key=st.sampled_from("af"), pointed=st.booleans())
    @only(free)
    def save(self, key: str, pointed: bool) -> None:
        if item := self.item:
            self.answer(key, pointed)
            self.model.accept(item) if key == "a" else self.model.fix(item)

    @rule(place=st.integers(0, 5), pointed=st.booleans())
    @only(free)
    def set_type(self, place: int, pointed: bool) -> None:
        if item := self.item:
            button = self.page.locator(".types [role=radio]").nth(place)
            self.hit(button) if pointed else self.press(str(place + 1))
            self.model.set_type(item, TYPES[place])

    @rule(key=st.sampled_from(sorted(AXIS_KEYS)), pointed=st.booleans())
    @only(free)
    def tick(self, key: str, pointed: bool) -> None:
        if item := self.item:
            axis = AXIS_KEYS[key]
            self.hit(self.page.locator(f'[data-key="axis {axis}"]')) if pointed else self.press(key)
            self.model.toggle(item, axis)

    @rule(pointed=st.booleans())
    @only(free)
    def compare_them(self, pointed: bool) -> None:
        if item := self.item:
            comparable = not self.model.form(item).comparable
            name = "Comparable yes" if comparable else "Comparable no"
            self.hit(self.page.locator(f'[data-key="{name}"]')) if pointed else self.press("7")
            self.model.set_comparable(item, comparable)

    @rule()
    @only(free)
    def next_confounder(self) -> None:
        if item := self.item:
            self.press("8")
            self.model.next_confounder(item)

    @rule(place=st.integers(0, 13))
    @only(free)
    def point_at_a_confounder(self, place: int) -> None:
        if (item := self.item) and (axes := self.model.form(item).axes):
            chosen = [*sorted(axes), None][place % (len(axes) + 1)]
            self.hit(self.page.locator(f'[data-key="Mostly {chosen or "none"}"]'))
            self.model.set_confounder(item, chosen)

    @rule()
    @only(free)
    def other_label(self) -> None:
        if item := self.item:
            self.press("q")
            if len(self.model.labels[item]) > 1:
                self.model.choose_label(item, 1 - self.model.form(item).label)

    @rule(text=st.sampled_from(["", "Doses differ.", "a1x é 😀", "  spaced  "]))
    @only(free)
    def write(self, text: str) -> None:
        if item := self.item:
            self.press("9", "Control+a", "Delete")
            self.page.keyboard.type(text)
            self.press("Escape")
            self.model.write(item, text)

    @rule(side=st.sampled_from("ab"), place=st.integers(0, 2))
    @only(lambda self: free(self) and not self.touch)
    def select(self, side: str, place: int) -> None:
        if not self.item:
            return
        quote, region = QUOTES[side][place], f".slot-text-{side} .text"
        text = str(self.page.locator(region).evaluate("(node) => node.textContent"))
        select(self.page, quote, within=region)
        self.page.locator(".slot-selection q", has_text=quote).wait_for(timeout=PATIENCE)
        start = text.index(quote)
        self.model.selection = (side, (start, start + len(quote)))

    @rule(take=st.booleans())
    @only(lambda self: free(self) and self.model.selection is not None)
    def mark(self, take: bool) -> None:
        item = self.item
        self.press("Enter" if take else "Escape")
        if take:
            self.model.mark(item)
        self.model.selection = None

    @rule(side=st.sampled_from("ab"), place=st.integers(0, 3))
    @only(free)
    def unmark(self, side: str, place: int) -> None:
        if not (item := self.item) or not (spans := self.model.form(item).spans[side]) or self.touch:
            return
        start, end = spans[place % len(spans)]
        row = self.page.locator(f'.slot-spans-{side} li:has([data-key="span {side} {start},{end}"])')
        self.hit(row.locator("button").last)
        self.model.unmark(item, side, (start, end))

    def compare(self, item: int, seen: dict[str, Any]) -> None:
        form = self.model.form(item)
        confounder = (form.confounder or "none") if form.axes else None
        assert (seen["label"], seen["type"], set(seen["axes"])) == (form.label, form.type, form.axes)
        assert (seen["confounder"], seen["text"]) == (confounder, form.text)
        assert seen["comparable"] == ("yes" if form.comparable else "no")
        for side, spans in form.spans.items():
            assert sorted(seen["spans"][side]) == sorted(f"{start},{end}" for start, end in spans)
        assert seen["selected"] == (self.model.selection is not None)

    def said(self, answer: Any) -> Answer | None:
        if answer is None:
            return None
        assert isinstance(answer, PairAnswer)
        sides = [tuple(sorted((s.start, s.end) for s in side)) for side in (answer.spans_a, answer.spans_b)]
        return Answer(
            answer.conflict_type.value,
            tuple(axis.value for axis in Axis if axis in answer.axes),
            answer.confounder.value if answer.confounder else None,
            answer.comparable,
            answer.reconciliation,
            (sides[0], sides[1]),
        )


@pytest.fixture(scope="module")
def house(
    module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> Iterator[House]:
    house = House(module_app_server, tmp_path_factory.mktemp("sittings") / "pairs.db", browser)
    yield house
    house.close()


@pytest.mark.flaky(reruns=0)  # a second go would draw other actions
def test_what_is_saved_is_what_was_chosen(house: House) -> None:
    sit(PairSitting, house)
