"""Two curators answer thirty items, some of them blind; agreement is scikit-learn's. A third one settles what
they differ on, and gold and precision become what was worked out by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from sklearn.metrics import cohen_kappa_score
from typer.testing import CliRunner

from core.cli import cli
from core.review.disputes import disputes
from core.review.frames import Wanted, open_frame
from core.store import frames, gold, ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.review import Desk
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, add_corpus, add_run, draft, ontology

CONCEPTS = {SEIZURE: "seizure", HYPOTONIA: "hypotonia", CATARACT: "cataract"}
TEXT = "Note {n}: a seizure at night, marked hypotonia, a cataract of the left eye."
PASSAGES = 10
REJECTED = {"alpha": {3, 11, 20}, "beta": {3, 7, 14, 20, 26}}
"""Numbers of items in the order of the queue that each curator says are not there."""
KEPT = {7, 11}
"""Of those on which they differ, what the third curator says is there; 14 and 26 are not."""


def verb(path: Path, *words: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["--workspace", str(path), *words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.output)
    return found


@pytest.fixture
def ward(tmp_path: Path) -> tuple[Path, list[int]]:
    """A workspace, and its thirty items in the order of the queue."""
    path = tmp_path / "ward.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        texts = {f"d{n:02}": TEXT.format(n=n) for n in range(PASSAGES)}
        at = add_corpus(workspace, texts)
        drafts = {
            at[d]: [draft(c, text, quote) for c, quote in CONCEPTS.items()] for d, text in texts.items()
        }
        add_run(workspace, drafts)
        open_frame(workspace, Wanted("alpha", "thirty", blind=0.2, decoys=False))
        rows = workspace.db.execute(
            "SELECT i.id FROM items i JOIN proposals p ON p.item_id = i.id"
            " JOIN evidence e ON e.proposal_id = p.id ORDER BY i.passage_id, e.start"
        )
        items = [int(row[0]) for row in rows]
    assert len(items) == 30
    return path, items


def in_turn(desk: Desk, items: list[int], blind: set[int]) -> Iterator[int]:
    """The items as the desk brings them: passage by passage, those first that are answered blind."""
    for at in range(0, len(items), 3):
        left = set(items[at : at + 3])
        while left:
            first = "|".join(map(str, left & blind or left))
            expect(desk.page.locator(".desk")).to_have_attribute("data-item", re.compile(f"^({first})$"))
            desk.drawn()
            left.remove(desk.current)
            yield desk.current


def test_two_curators_a_third_one_and_the_gold_they_make(
    ward: tuple[Path, list[int]], app_server: StartApp, browser: Browser, page: Page
) -> None:
    path, items = ward
    url = app_server(path).url
    with open_workspace(path) as workspace:
        blind = {unit.item_id for unit in frames.units(workspace, "thirty") if unit.blind}
    assert 3 <= len(blind) <= 12
    others = browser.new_context()  # beside the third one's
    for curator, rejected in REJECTED.items():
        seat = others.new_page()
        desk = Desk(seat, url, path, curator, "?concept_labels.corpus=ward&concept_labels.answers=Two")
        for item in in_turn(desk, items, blind):
            if items.index(item) in rejected:
                desk.press("x")
            elif item in blind:
                expect(seat.locator(".card")).to_contain_text("Blind check")
                desk.press("a", "Enter")
            else:
                desk.press("a")
        desk.saved()
        desk.wait_for_decisions(30)
        assert {d.item_id for d in desk.log() if d.blind and d.curator == curator} == blind
        seat.close()
    others.close()
    _agreement(path, items)
    _settle(path, items, url, page)
    _gold(path, items)


def _agreement(path: Path, items: list[int]) -> None:
    """As scikit-learn makes of what is exported; every item was answered by both."""
    out = path.with_name("log.jsonl")
    verb(path, "export", "decisions", "--out", str(out))
    said: dict[str, dict[tuple[str, str], str]] = {"alpha": {}, "beta": {}}
    for row in map(json.loads, out.read_text("utf-8").splitlines()):
        said[row["curator"]][row["doc_id"], row["concept"]] = (
            "absent" if row["answer"] is None else "affirmed"
        )
    keys = sorted(said["alpha"])
    assert len(keys) == len(said["beta"]) == 30
    wanted = cohen_kappa_score([said["alpha"][k] for k in keys], [said["beta"][k] for k in keys])
    found = verb(path, "agreement", "--corpus", "ward", "--universe", "judged", "--field", "status")
    assert found["estimates"]["kappa:Alpha, Beta"]["value"] == pytest.approx(wanted, abs=1e-9)
    # by hand: both absent 2, both present 24, differ 4; observed 26/30, expected (27*25 + 3*5) / 900
    assert wanted == pytest.approx((26 / 30 - 690 / 900) / (1 - 690 / 900))


def _settle(path: Path, items: list[int], url: str, page: Page) -> None:
    with open_workspace(path) as workspace:
        order = [one.item for one in disputes(workspace, "ward", "concept").open]
    assert set(order) == {items[n] for n in (7, 11, 14, 26)}
    desk = Desk(page, url, path, "gamma", "adjudication?adjudication.corpus=ward")
    for item in order:
        desk.shows(item)
        words = "It stands" if items.index(item) in KEPT else "It does not stand"
        desk.press(page.locator(".option", has_text=words).locator("kbd").first.inner_text())
    desk.saved()
    desk.wait_for_decisions(4)


def _gold(path: Path, items: list[int]) -> None:
    with open_workspace(path) as workspace:
        found = gold.gold_set(workspace, "reviewed@now:adjudicated", "ward")
    absent = REJECTED["alpha"] & REJECTED["beta"] | {14, 26}
    assert sum(map(len, found.rejected.values())) == len(absent) == 4
    assert sum(map(len, found.documents.values())) == 26
    before = verb(path, "evaluate", "alpha", "--gold", "reviewed@now:agreed")
    after = verb(path, "evaluate", "alpha", "--gold", "reviewed@now:adjudicated")
    assert precision(before) == pytest.approx(24 / 26)  # what both said alike
    assert precision(after) == pytest.approx(26 / 30)


def precision(found: dict[str, Any]) -> float:
    value: float = found["families"]["corpus"]["estimates"]["micro_precision"]["value"]
    return value
