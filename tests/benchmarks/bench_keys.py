"""Keys and seconds per decision, in Chromium: what the program needs beside the curator's own thinking.

    python tests/benchmarks/bench_keys.py [--times 20]

Accept, fix to a near concept, add a missed concept (its words are selected by mouse), classify a false
positive, adjudicate a pair, accept the same words in two passages at once, keep a narrower concept and reject
the broader one inside it. Keys are counted as pressed; the time runs from the first key until the next item
is on the screen (of an added concept: until it is among the last decisions), p50 and p95. Goal: at most three
keys where no text is typed. Baseline: accept, the one key that every desk has.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, sync_playwright

from core.records import Action, Axis, Draft
from core.store import decisions, ontologies, open_workspace
from tests.benchmarks.bench_review import spread
from tests.browser.conftest import AppServer
from tests.browser.review import Desk, select
from tests.conftest import QUIET, system_chromium
from tests.review import audit_ward
from tests.review.clinic import FOCAL, SEIZURE, add_labelled, draft, ontology
from tests.store import pairing
from tests.store.making import say

TEXT = "Note {n}: a seizure at night, marked hypotonia, a cataract of the left eye."
MOST_KEYS = 3
Step = Callable[[Desk], tuple[str, ...]]
"""Decides the item on the screen; the keys that it pressed."""


def prepare(path: Path, times: int) -> None:
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in ("accept", "fix", "add"):
            texts = {f"{corpus}{n}": TEXT.format(n=n) for n in range(times + 1)}
            add_labelled(workspace, corpus, texts, lambda text: [draft(SEIZURE, text, "seizure")])
        alike = {f"alike{n}": f"Note {n}: a seizure of kind {n // 2}." for n in range(2 * times + 2)}
        add_labelled(workspace, "alike", alike, lambda text: [draft(SEIZURE, text, text.split(": ")[1][:-1])])
        inside = {f"inside{n}": f"Note {n}: a focal-onset seizure." for n in range(times + 1)}
        add_labelled(workspace, "inside", inside, nested)
        for n in range(times // 4 + 1):
            audit_ward.furnish(workspace, f"audit{n}")
        for name in ("alpha", "beta"):
            decisions.add_curator(workspace, name, name.title())
        for n in range(times // 2 + 1):
            for pair in pairing.pair_up(workspace, f"pairs{n}", f"run-pairs{n}").pairs:
                say(workspace, "alpha", Action.FIX, pair.item_id, answer=pairing.answer(pair))
                axes = {"axes": (Axis.POPULATION_COHORT,), "confounder": Axis.POPULATION_COHORT}
                say(workspace, "beta", Action.FIX, pair.item_id, answer=pairing.answer(pair, **axes))


def nested(text: str) -> list[Draft]:
    return [draft(FOCAL, text, "focal-onset seizure"), draft(SEIZURE, text, "seizure")]


def keyed(*keys: str) -> Step:
    def press(desk: Desk) -> tuple[str, ...]:
        desk.press(*keys)
        return keys

    return press


def fix(desk: Desk) -> tuple[str, ...]:
    desk.press("f")
    desk.page.locator('[role="option"]').nth(1).wait_for()
    desk.press("2", "Enter")
    return ("f", "2", "Enter")


def together(desk: Desk) -> tuple[str, ...]:
    desk.press("l")
    desk.page.locator(".alike [role=checkbox]").nth(1).wait_for()
    desk.press("a")
    return "l", "a"


def moves(desk: Desk, step: Step, times: int) -> Iterator[tuple[float, int]]:
    """(seconds, keys) of each decision."""
    for _ in range(times):
        desk.page.wait_for_timeout(250)  # somebody reads; what is looked up ahead arrives
        item = desk.current
        if not item:
            return
        start = time.perf_counter()
        keys = step(desk)
        while desk.current == item:
            time.sleep(0.002)
        yield time.perf_counter() - start, len(keys)


def adding(desk: Desk, times: int) -> Iterator[tuple[float, int]]:
    for n in range(times):
        select(desk.page, "hypotonia")
        desk.see("Evidence for this item")
        start = time.perf_counter()
        desk.press("m")
        desk.page.locator('[role="option"][aria-selected="true"]').wait_for()
        desk.press("Enter")
        desk.page.locator(".slot-history li", has_text="Hypotonia").nth(min(n, 9)).wait_for()
        yield time.perf_counter() - start, 2
        desk.saved()
        desk.press("j")
        desk.page.wait_for_timeout(250)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=20)
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        path = Path(place) / "keys.db"
        prepare(path, times)
        server = AppServer(path, path.with_suffix(".log"), {}, fork=False)
        server.start()
        browser = driver.chromium.launch(executable_path=system_chromium(), args=[*QUIET, "--no-sandbox"])

        def desk(browser: Browser, query: str) -> Desk:
            return Desk(browser.new_page(), server.url, path, "gamma", query)

        found: dict[str, list[tuple[float, int]]] = {}
        first = desk(browser, "?concept_labels.corpus=accept")
        found["accept (baseline)"] = list(moves(first, keyed("a"), times))
        found["fix to a near concept"] = list(moves(desk(browser, "?concept_labels.corpus=fix"), fix, times))
        found["add a missed concept"] = list(
            adding(desk(browser, "?concept_labels.corpus=add"), min(times, 9))
        )
        found["classify a false positive"] = [
            one
            for n in range(times // 4 + 1)
            for one in moves(desk(browser, f"false_positives?false_positives.set=audit{n}"), keyed("4"), 3)
        ]
        found["adjudicate a pair"] = [
            one
            for n in range(times // 2 + 1)
            for one in moves(desk(browser, f"adjudication?adjudication.corpus=pairs{n}"), keyed("1"), 1)
        ]
        for name, corpus, step in (
            ("same words in two passages", "alike", together),
            ("keep the narrower concept", "inside", keyed("y")),
        ):
            found[name] = list(moves(desk(browser, f"?concept_labels.corpus={corpus}"), step, times))
        browser.close()
        server.kill()
    base = spread([seconds for seconds, _ in found["accept (baseline)"]])[1]
    print(f"{'':<28}{'keys':>6}{'n':>6}{'p50 s':>10}{'p95 s':>10}{'p95 / accept':>14}")
    for name, rows in found.items():
        p50, p95 = spread([seconds for seconds, _ in rows])
        keys = max(n for _, n in rows)
        print(f"{name:<28}{keys:>6}{len(rows):>6}{p50:>10.3f}{p95:>10.3f}{p95 / base:>14.1f}")
    sys.exit(any(keys > MOST_KEYS for rows in found.values() for _, keys in rows))


if __name__ == "__main__":
    main()
