"""Conflict review at 50,000 pairs: the desk against native buttons, and the server behind it.

    python tests/benchmarks/bench_pairs.py [--presses 60] [--pairs 50000]

As `bench_review.py`, whose stop-watch it uses: key press to next pair painted, in one Chromium, presses
interleaved and half a second apart; the native page shows what the desk shows (both abstracts, both labels,
contexts lined up, the last ten decisions) with `st.text` and `st.button(shortcut=)`. Goal: a tenth of it or
less, at p50 and at p95. Then the server's share: building the queue, one prefetched page, storing one
decision. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Page, sync_playwright

from core import review
from core.conflicts.identity import claim_id, pair_id
from core.records import (
    Article,
    CandidatePair,
    Claim,
    ClaimType,
    Document,
    Normalised,
    Origin,
    PairLabel,
    Scores,
    Tier,
)
from core.review.walks import pair as indexing
from core.store import claims, corpora, decisions, open_workspace, pairs, runs
from tests.benchmarks.bench_review import PLAIN, ROOT, WATCH, press, print_shares, served, spread, timed
from tests.conftest import QUIET, system_chromium
from tests.review.pairs.library import IN_DENMARK, IN_VIETNAM, LOWERED, UNCHANGED, contextual, direct

NATIVE = ROOT / "tests" / "benchmarks" / "native_pairs.py"
ARTICLES = 20_000


def build(path: Path, count: int) -> None:
    """`count` pairs by chance among claims of 20,000 articles, two labels each."""
    chance = random.Random(7)
    texts = [f"{IN_DENMARK if n % 2 == 0 else IN_VIETNAM} Report {n}." for n in range(ARTICLES)]
    with open_workspace(path) as workspace:
        for curator in ("nat", "plain", "desk"):
            decisions.add_curator(workspace, curator, curator.title())
        with workspace.write() as db:
            corpus = corpora.create_corpus(db, "bench")
            documents = (
                Document(
                    f"art-{n:06}", text, title=f"Title {n}", meta={"year": 2000 + n % 20, "journal": "J"}
                )
                for n, text in enumerate(texts)
            )
            passages = [i for i, _ in corpora.insert_passages(db, corpus, documents)]
            runs.begin_run(
                db,
                "bench",
                kind="conflicts",
                source="bench",
                corpus_id=corpus,
                ontology_id=None,
                settings={},
                fingerprint="",
            )
            kept = claims.insert_texts(
                db,
                (
                    Normalised(Article(f"art-{n:06}", text, "d", p), text, ((0, len(text), 0, len(text)),))
                    for n, (text, p) in enumerate(zip(texts, passages, strict=True))
                ),
            )
            claims.insert_claims(
                db, "bench", (claim(n, text, passages[n], kept) for n, text in enumerate(texts))
            )
        stored = list(claims.claims(workspace, "bench"))
        with workspace.write() as db:
            pairs.insert_pairs(db, "bench", candidates(stored, count, chance))
        found = list(pairs.pairs(workspace, "bench"))
        of_model, of_rule = contextual(IN_DENMARK, IN_VIETNAM), direct(IN_DENMARK, IN_VIETNAM)
        with workspace.write() as db:
            rows = [(pair, label, None) for pair in found for label in labels(pair, of_model, of_rule)]
            pairs.insert_labels(db, "bench", rows)
            runs.finish_run(db, "bench")


def claim(n: int, text: str, passage: int, kept: dict[int, int]) -> Claim:
    quote = LOWERED if n % 2 == 0 else UNCHANGED
    start = text.index(quote)
    end = start + len(quote)
    uid = f"art-{n:06}"
    return Claim(
        claim_id=claim_id(uid, text, start, end),
        article_uid=uid,
        domain="d",
        start=start,
        end=end,
        text=quote,
        sentence_start=start,
        sentence_end=end,
        claim_type=ClaimType.EFFICACY,
        confidence=0.7,
        passage_id=passage,
        text_id=kept[passage],
    )


def candidates(stored: list[Claim], count: int, chance: random.Random) -> Iterator[CandidatePair]:
    seen = set()
    while len(seen) < count:
        a, b = 2 * chance.randrange(ARTICLES // 2), 2 * chance.randrange(ARTICLES // 2) + 1
        if (a, b) in seen:
            continue
        seen.add((a, b))
        first, second = sorted((stored[a], stored[b]), key=Claim.key)
        scores = Scores(0.8, 0.7, 0.5, 1.0, 0.02, chance.random())
        yield CandidatePair(pair_id(first, second), "d", first, second, scores, (), chance.choice(list(Tier)))


def labels(pair: CandidatePair, model: PairLabel, rule: PairLabel) -> tuple[PairLabel, PairLabel]:
    """Quotes stand where the first side is the trial; else they are swapped."""
    if pair.a.text == LOWERED:
        return model, rule
    bare = {"evidence": (), "confidence": 0.5, "reconciliation": "Two age groups."}
    return contextual("", "", **bare), contextual("", "", Origin.HEURISTIC, **bare)


# --- in the browser and on the server ---------------------------------------------------------------------


def opened(page: Page, url: str, path: str, ready: str) -> Page:
    page.set_default_timeout(120_000)
    for address in (url, f"{url}/{path}"):
        for _ in range(100):
            with contextlib.suppress(Exception):
                page.goto(address)
                break
            time.sleep(0.3)
        page.locator("[data-testid='stMain']").wait_for()
        page.wait_for_timeout(1500)
    page.locator(ready).first.wait_for()
    return page


def browse(workspace: Path, presses: int) -> dict[str, list[float]]:
    with open_workspace(workspace) as opened_workspace:
        uuid = opened_workspace.uuid
    with (
        served(NATIVE, workspace, **PLAIN) as native_url,
        served(NATIVE, workspace) as tuned_url,
        served(ROOT / "app.py", workspace) as app_url,
        sync_playwright() as driver,
    ):
        options: dict[str, Any] = {"executable_path": system_chromium()} if system_chromium() else {}
        browser = driver.chromium.launch(**options, args=[*QUIET, "--no-sandbox"])
        pages = {}
        for name, url, path, ready in (
            ("native", native_url, "", "button"),
            ("native, with the app's settings", tuned_url, "", "button"),
            ("desk", app_url, "conflict_labels", ".card:not(.empty)"),
        ):
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.add_init_script(WATCH)
            page.add_init_script(f"localStorage.setItem('touchstone.curator.{uuid}', 'desk')")
            pages[name] = opened(page, url, path, ready)
            press(pages[name], 3)  # warm
        for page in pages.values():
            page.evaluate("window.times = []")
        for _ in range(max(1, presses // 10)):
            for page in pages.values():
                page.bring_to_front()
                press(page, 10)
        found = {name: page.evaluate("window.times") for name, page in pages.items()}
        browser.close()
    return found


def serve(path: Path) -> dict[str, list[float]]:
    filters = review.PairFilters("bench")
    found: dict[str, list[float]] = {}
    with open_workspace(path) as workspace:

        def build_queue() -> None:
            indexing.walks.clear()
            indexing.index_of(workspace).order(filters)

        found["queue: read all labels and order them"] = timed(build_queue, 3)
        state: dict[str, Any] = {"queue": None, "held": [], "after": None, "n": 0}

        def page() -> None:
            sent = {"desk": "bench", "want": 24, **{k: state[k] for k in ("queue", "held", "after")}}
            reply = review.serve(workspace, sent, filters, "desk")
            state.update(queue=reply["queue"], held=reply["page"], after=reply["page"][-1])
            state["views"] = {i["id"]: i for sheet in reply["passages"] for i in sheet["items"]}

        found["prefetch 24 pairs"] = timed(page, 30)
        rows = [state["views"][i] for i in state["held"]]

        def decide() -> None:
            item = rows[state["n"]]
            state["n"] += 1
            event = {
                "cid": f"bench-{state['n']}",
                "kind": "pair",
                "workspace": review.identity(workspace),
                "curator": "desk",
                "action": "accept",
                "item": item["id"],
                "passage": item["passage"],
                "concept": item["concept"],
                "shown": [one["id"] for one in item["proposals"]],
                "proposal": item["proposals"][0]["id"],
                "ms": 1000,
            }
            sent = {"desk": "bench", "events": [event], "have": [item["id"]], "current": item["id"]}
            reply = review.serve(workspace, {**sent, "queue": state["queue"]}, filters, "desk")
            assert event["cid"] in reply["acks"], reply

        found["store one decision and answer"] = timed(decide, 20)
    return found


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--presses", type=int, default=60)
    options.add_argument("--pairs", type=int, default=50_000)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        workspace = folder / "bench.db"
        start = time.perf_counter()
        build(workspace, chosen.pairs)
        print(
            f"{chosen.pairs:,} pairs of {ARTICLES:,} articles, {workspace.stat().st_size / 1e6:.0f} MB,"
            f" built in {time.perf_counter() - start:.0f} s\n"
        )
        server = serve(workspace)
        browser = browse(workspace, chosen.presses)
    print(f"{'server, ms':50} {'p50':>8} {'p95':>8}")
    for what, values in server.items():
        print(f"{what:50} {spread(values)[0]:8.1f} {spread(values)[1]:8.1f}")
    print(f"\n{'key press to next pair painted, ms':50} {'p50':>8} {'p95':>8}")
    for what, values in browser.items():
        print(f"{what:50} {spread(values)[0]:8.1f} {spread(values)[1]:8.1f}")
    missed = print_shares(browser)
    print("MISSED" if missed else "met")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
