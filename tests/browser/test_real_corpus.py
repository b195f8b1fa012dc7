"""Real texts at both desks: the exported log of decisions holds what stood on the screen, nothing else.

Fifty labels by keyboard, twenty by touch on a phone, twenty claim pairs. The workspace is made as by a user.
That takes minutes, so this runs with `--nightly`; the random sittings watch the same in the usual run.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ROOT, StartApp
from tests.browser.review import Desk, select
from tests.browser.sitting import PHONE, point_at
from tests.browser.test_concept_sittings import SCREEN as CONCEPT_SCREEN
from tests.browser.test_pair_sittings import SCREEN as PAIR_SCREEN
from tests.repeats import times

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.skipif(not times(0, 1), reason="it takes minutes: run it with --nightly"),
    pytest.mark.flaky(reruns=0),
]
SEED = 20261122
ABSTRACTS = 300
CARD = """() => {
  const host = [...document.querySelectorAll('*')].find((e) => e.shadowRoot?.querySelector('.desk'))
  const card = host.shadowRoot.querySelector('.card')
  return {
    concept: card.querySelector('h2.label code').textContent,
    quotes: [...card.querySelectorAll('.evidence li:not(.ungrounded) q')].map((node) => node.textContent),
  }
}"""
SEARCHES = ("short stature", "sezure", "floppy baby", "HP0000252", "cardiac murmur")


@pytest.fixture(scope="module")
def served(
    shared_data: Path, module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    path = tmp_path_factory.mktemp("real") / "real.db"
    abstracts = path.with_name("abstracts.jsonl")
    trials = shared_data / "abstracts" / "rct_abstracts_open.jsonl.gz"
    abstracts.write_bytes(b"".join(first_lines(trials, ABSTRACTS)))
    hpo = next((shared_data / "ontology").glob("hp-2024-*.obo.gz"))
    cases = shared_data / "raghpo" / "raghpo_csc_first20.json"
    touchstone(path, "ontology", "add", str(hpo), "--name", "hp", "--root", "HP:0000118")
    touchstone(path, "corpus", "add", str(cases), "--name", "cases")
    touchstone(path, "annotate", "--corpus", "cases", "--ontology", "hp")
    touchstone(path, "corpus", "add", str(abstracts), "--name", "trials", "--domain", "clinical_trials")
    touchstone(path, "run", "conflicts", "--corpus", "trials", "--offline", "--run", "pairs")
    return module_app_server(path).url, path


def first_lines(path: Path, count: int) -> list[bytes]:
    import gzip
    import itertools

    with gzip.open(path) as file:
        return list(itertools.islice(file, count))


def touchstone(workspace: Path, *words: str) -> None:
    command = [sys.executable, "-m", "core.cli", "--workspace", str(workspace), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def exported(workspace: Path, curator: str) -> list[dict[str, Any]]:
    out = workspace.with_name(f"{curator}.jsonl")
    touchstone(workspace, "export", "decisions", "--out", str(out))
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return [row for row in rows if row.get("curator") == curator]


class Curator:
    """Decides at random and writes down what the screen shows when a decision is made."""

    def __init__(self, page: Page, desk: Desk, touch: bool):
        self.page, self.desk, self.touch = page, desk, touch
        self.chance = random.Random(SEED)
        self.seen: list[dict[str, Any]] = []

    def press(self, key: str, selector: str) -> None:
        """By key, or by a tap on what bears it."""
        if self.touch:
            point_at(self.page.locator(selector).first, touch=True)
        else:
            self.desk.press(key)

    def on_card(self, action: str) -> None:
        screen, card = self.page.evaluate(CONCEPT_SCREEN), self.page.evaluate(CARD)
        self._write(action, card["concept"], screen["kind"], screen["assertion"], card["quotes"])

    def in_panel(self) -> bool:
        """Save, if something is chosen; else leave."""
        expect(self.page.locator('.rows[aria-busy="true"]')).to_have_count(0)
        screen = self.page.evaluate(CONCEPT_SCREEN)
        if screen["chosen"]:
            label = self.page.locator(".panel .foot button").first.inner_text()
            action = "accept" if label.startswith("Accept") else "fix"
            self._write(action, screen["chosen"], screen["kind"], screen["assertion"], screen["quotes"])
            self.press("Enter", ".panel .foot button")
        else:
            self.desk.press(*["Escape"] * (2 if screen["typed"] else 1))
        return bool(screen["chosen"])

    def _write(self, action: str, concept: str, kind: str, assertion: str, quotes: list[str]) -> None:
        self.seen.append(
            {"action": action, "concept": concept, "class": kind, "assertion": assertion, "quotes": quotes}
        )

    def decide(self) -> None:
        item = self.desk.current
        way = self.chance.choice("aacctffbdwx")
        if way == "c":
            place = self.chance.randrange(4)
            self.press(str(place + 1), f'[role=radio][data-key^="Class"] >> nth={place}')
        if way == "t" and not self.touch:
            self.desk.press("t")
        if way in "act":
            changed = self.page.locator(".main button.accept").inner_text().startswith("Accept changed")
            self.on_card("fix" if changed else "accept")
            self.press("a", ".main button.accept")
        elif way == "x":
            self.seen.append({"action": "reject"})
            self.press("x", ".main button.reject")
        elif way in "fbdw":
            self.fix(way)
        if self.desk.current == item:  # nothing was chosen in the panel
            self.seen.append({"action": "unsure"})
            self.press("s", ".main button.unsure")
        expect(self.page.locator(".desk")).not_to_have_attribute("data-item", str(item))

    def fix(self, way: str) -> None:
        """Keep the concept with another status, or take a row, or search for one."""
        if self.touch or way in "fw":
            self.press("f", ".main button.fix")
        else:
            self.desk.press(way)
        self.page.locator(".panel [role=option]").first.wait_for()
        if way == "f":
            self.press_radio()
        elif way == "w":
            self.page.locator(".panel input").fill(self.chance.choice(SEARCHES))
            if self.touch or self.chance.random() < 0.5:
                expect(self.page.locator('.rows[aria-busy="true"]')).to_have_count(0)
                self.pick()
        self.in_panel()

    def press_radio(self) -> None:
        choice = self.page.locator('.panel [role=radio][data-key^="Status"]').nth(self.chance.randrange(3))
        point_at(choice, self.touch)

    def pick(self) -> None:
        row = self.page.locator(".panel [role=option]").nth(self.chance.randrange(1, 3))
        if row.count():
            point_at(row, touch=True) if self.touch else self.desk.press("ArrowDown")


def said(row: dict[str, Any]) -> dict[str, Any]:
    answer = row["answer"]
    if answer is None:
        return {"action": row["action"]}
    quotes = [quote for _, _, quote in answer["spans"]]
    kept = {key: answer[key] for key in ("concept", "class", "assertion")}
    return {"action": row["action"], **kept, "quotes": quotes}


@pytest.mark.parametrize(("touch", "count"), [(False, 50), (True, 20)], ids=["keyboard", "touch"])
def test_labels(served: tuple[str, Path], browser: Browser, touch: bool, count: int) -> None:
    url, path = served
    context = browser.new_context(has_touch=touch)
    page = context.new_page()
    name = "touch" if touch else "keys"
    desk = Desk(page, url, path, name, "?concept_labels.corpus=cases")
    if touch:
        page.set_viewport_size(PHONE)
    curator = Curator(page, desk, touch)
    for _ in range(count):
        curator.decide()
    desk.wait_for_decisions(count)
    assert [said(row) for row in exported(path, name)] == curator.seen
    assert len(curator.seen) == count
    context.close()


def test_pairs(served: tuple[str, Path], page: Page) -> None:
    url, path = served
    desk = Desk(page, url, path, "pairs", "conflict_labels?conflict_labels.corpus=trials")
    chance, seen = random.Random(SEED), []
    for n in range(20):
        item = desk.current
        for key in chance.sample("123456pgymdblw7q", 3):
            desk.press(key)
        if n % 4 == 0:
            text = str(page.locator(".slot-text-a .text").evaluate("(node) => node.textContent"))
            select(page, text[40:60].strip(), within=".slot-text-a .text")
            page.locator(".slot-selection q").wait_for()
            desk.press("Enter")
        screen = page.evaluate(PAIR_SCREEN)
        quotes = [
            [node.inner_text() for node in page.locator(f".slot-spans-{side} .quote q").all()]
            for side in "ab"
        ]
        desk.press("a")
        if desk.current == item:  # it cannot be saved as it is
            desk.press("x")
            seen.append(None)
        else:
            confounder = screen["confounder"] if screen["axes"] else "none"
            seen.append((screen["type"], set(screen["axes"]), confounder, screen["comparable"], quotes))
    desk.wait_for_decisions(20)
    found = [row["answer"] for row in exported(path, "pairs")]
    assert [
        answer
        and (
            answer["conflict_type"],
            set(answer["axes"]),
            answer["confounder"] or "none",
            "yes" if answer["comparable"] else "no",
            [[quote for _, _, quote in answer[f"spans_{side}"]] for side in "ab"],
        )
        for answer in found
    ] == seen
