"""The runs page in a real browser: from a label to the raw answer behind it; runs that start, pause, end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.pipeline.start import only_runner
from core.records import Verdict
from core.store import decisions, ontologies, open_workspace, queue, runs, sessions
from tests.browser.conftest import StartApp
from tests.browser.review import PATIENCE, Desk, click, no_dialogs, outside_requests
from tests.browser.test_review_hostile import HOSTILE
from tests.review import clinic
from tests.store import pathway
from tests.store.pathway import RUN, SEIZURE

LOADING = 4 * PATIENCE
"""For a process that loads the encoder first, which takes a loaded machine more than a minute."""


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """One server for this file: (its address, its workspace)."""
    path = tmp_path_factory.mktemp("runs") / "runs.db"
    with open_workspace(path) as workspace:
        pathway.fill(workspace)
    return module_app_server(path).url, path


def see(page: Page, text: str) -> None:
    expect(page.get_by_text(text).first).to_be_visible()


def test_two_clicks_from_a_label_to_the_raw_answer_that_proposed_it(
    house: tuple[str, Path], page: Page
) -> None:
    url, path = house
    desk = Desk(page, url, path, "iota")
    item = desk.current
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="How it came about").click()  # one
    trail = opened.value
    trail.set_default_timeout(PATIENCE)
    expect(trail.get_by_role("heading", name="Seizure")).to_be_visible()
    click(trail.get_by_text("Raw answer · generate").first)  # two
    expect(trail.get_by_text(pathway.ANSWER, exact=True).first).to_be_visible()
    trail.get_by_role("link", name=f"Run {RUN}").click()
    see(trail, "Why candidates were dropped")
    trail.close()

    desk.press("a")  # the desk went on as it was, also with a decision on its way
    with page.context.expect_page() as opened:
        desk.press("o")
    expect(opened.value.get_by_role("heading", name="Ataxia")).to_be_visible()
    assert desk.wait_for_decisions(1)[0][0] == item
    desk.press("h")
    see(page, "Origin: how the proposal came about")


def test_hostile_texts_show_as_text(app_server: StartApp, workspace_path: Path, page: Page) -> None:
    hostile = " ".join(HOSTILE)
    run = "run <img src=x onerror=alert(10)>"
    with open_workspace(workspace_path) as workspace:
        at = pathway.fill(workspace)
        with workspace.write() as db:
            settings = {"stages": ["generate", "classify"], "model": hostile}
            db.execute(  # as an older version took it: such a name is refused today
                "INSERT INTO runs (id, kind, source, corpus_id, ontology_id, settings, status, fingerprint,"
                " started_at) SELECT ?, 'concepts', ?, corpus_id, ontology_id, ?, 'running', 'h', started_at"
                " FROM runs WHERE id = ?",
                (run, hostile, json.dumps(settings), RUN),
            )
            call = pathway.add_call(db, run, f"stage {hostile}", at["p1"], hostile, failure=hostile)
            v, p = Verdict, at["p1"]
            records = [
                pathway.said("generate", p, v.CLAIM, call=call, text=hostile, confidence=0.5, number=0),
                pathway.said(
                    "generate", p, v.CANDIDATE, SEIZURE, call=call, name=hostile, claim=0, how=hostile
                ),
                pathway.said("generate", p, v.UNMATCHED, call=call, name=hostile, score=0.1, nearest=hostile),
                pathway.said("classify", p, v.DROPPED, SEIZURE, hostile, call, **{"class": hostile}),
                pathway.said("classify", at["p3"], v.FAILED, None, hostile, call, kind=hostile),
            ]
            runs.add_stage_records(db, run, records)
            runs.finish_run(db, run)
        decisions.add_curator(workspace, "lambda", "Lambda")
        items = {row.subject: row.id for row in queue.items_of_passages(workspace, [at["p1"]])}
    server = app_server(workspace_path)
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 1400, "height": 1400})
    outside = outside_requests(page, server.url)
    with no_dialogs(page):
        page.goto(f"{server.url}/runs?run={run.replace(' ', '+')}")
        see(page, "Why candidates were dropped")
        page.keyboard.press("Escape")
        for name in ("Failures (1)", "Cost and time", "Settings", "Labels"):
            click(page.get_by_role("tab", name=name), then=page.get_by_role("tab", name=name, selected=True))
        see(page, "There is no label here")
        page.goto(f"{server.url}/runs?run={run.replace(' ', '+')}&item={items[SEIZURE]}")
        see(page, "Names that matched no concept")
        click(page.get_by_text("Raw answer, unusable").first)
        see(page, "Whole reply")
        assert "<script>alert(1)</script>" in page.get_by_test_id("stMain").inner_text()
        assert (
            page.get_by_test_id("stMain").locator("script, iframe, form, svg[onload], [onerror]").count() == 0
        )
        assert page.locator("a[href^='javascript:'], a[href*='evil.example'], img[src*='evil']").count() == 0
    assert outside == []


def test_an_offline_run_is_started_and_seen_to_its_end(
    app_server: StartApp, workspace_path: Path, page: Page
) -> None:
    with open_workspace(workspace_path) as workspace:
        ontologies.add_ontology(workspace, clinic.ontology())
        clinic.add_corpus(workspace, {f"n{n}": f"Case {n}: a seizure, later hypotonia." for n in range(40)})
    page.set_default_timeout(PATIENCE)
    page.goto(app_server(workspace_path).url)
    new = page.get_by_test_id("stMain").get_by_text("New run", exact=True)
    click(page.get_by_role("link", name="Runs"), then=new)
    click(new)
    see(page, "hpa-ward-mini-offline")
    click(page.get_by_role("button", name="Start", exact=True))
    expect(page.get_by_test_id("stMain").get_by_text("Done", exact=True)).to_be_visible(timeout=LOADING)
    (run,) = stored(workspace_path)
    assert (run.status, run.settings["form"]) == ("done", "offline")
    with open_workspace(workspace_path) as workspace:
        made = runs.proposals(workspace, run)
        (vectors,) = workspace.db.execute("SELECT count(*) FROM vectors").fetchone()
    assert vectors > 0  # by the real encoder
    assert made >= 80  # a seizure and a hypotonia in each of 40
    expect(page.get_by_test_id("stMetricValue").first).to_have_text(f"{made:,}")
    assert page.get_by_role("button", name="Pause").count() == 0


def test_a_run_shows_how_far_it_is_and_is_asked_to_pause(
    app_server: StartApp, workspace_path: Path, page: Page
) -> None:
    """The work is this test's: it holds the run as a runner does, and says how far it is."""
    with open_workspace(workspace_path) as workspace:
        pathway.fill(workspace)
        found = runs.find_run(workspace, RUN)
        page.set_default_timeout(PATIENCE)
        with only_runner(workspace, "slow"):
            with workspace.write() as db:
                runs.begin_run(
                    db,
                    "slow",
                    kind="concepts",
                    source="this test",
                    corpus_id=found.corpus_id,
                    ontology_id=found.ontology_id,
                    settings={"stages": ["generate"]},
                    fingerprint="slow",
                )
                sessions.begin_session(db, "slow", total=400)
                sessions.beat(db, "slow", done=50, failures=2, spent=1.25, message="waiting until 14:05")
            server = app_server(workspace_path)
            page.goto(server.url)
            far = page.get_by_text("50 of 400 passages").first
            click(page.get_by_role("link", name="Runs"), then=far)
            see(page, "50 of 400 passages")
            see(page, "US$ 1.25 spent · 2 failures · waiting until 14:05")
            with workspace.write(bump=False) as db:
                sessions.beat(db, "slow", done=100, spent=2.5)
            see(page, "100 of 400 passages")  # by itself
            page.get_by_role("button", name="Pause").click()
            see(page, "Pausing: what is in hand is finished first")
            assert sessions.session(workspace, "slow").pause
        expect(page.get_by_role("button", name="Resume")).to_be_enabled()


def stored(path: Path) -> list[runs.Run]:
    with open_workspace(path) as workspace:
        return runs.list_runs(workspace)
