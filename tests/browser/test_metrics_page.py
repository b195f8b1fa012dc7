"""From a number to the items behind it, and from an item to its review, with a mouse."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, TimeoutError, expect

from core.records import Document, Draft
from core.store import corpora, open_workspace, proposals, queue, runs
from tests.browser.conftest import StartApp
from tests.browser.review import PATIENCE, REST, click, no_dialogs, outside_requests
from tests.browser.test_review_hostile import HOSTILE, any_name
from tests.evaluate import ward

ROW = 35
"""Height of a table row, in pixels."""
LOADING = 4 * PATIENCE
"""For the first look, when a loaded machine reads the libraries that scores are made with."""
CELLS = ".barlayer .point path"
"""Bars of a chart; cells of a confusion matrix are bars, too."""

HEADING = "//*[self::h2 or self::h3]"


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """One server for this file: (its address, its workspace), reviewed by one curator."""
    path = tmp_path_factory.mktemp("metrics") / "metrics.db"
    with open_workspace(path) as workspace:
        ward.review(workspace, ward.fill(workspace))
    return module_app_server(path).url, path


def open_page(page: Page, url: str, height: int = 2400) -> None:
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 1400, "height": height})
    page.goto(url)
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    page.keyboard.press("Escape")


def chart(page: Page, heading: str) -> Locator:
    """The chart below a heading."""
    found = page.locator(
        f"xpath={HEADING}[contains(., '{heading}')]/following::*[@data-testid='stPlotlyChart'][1]"
    )
    found.scroll_into_view_if_needed(timeout=LOADING)
    return found


def click_cell(page: Page, table: Locator, row: int, x: float, then: Locator | None = None) -> None:
    """Tables are canvases: aim at a row (0 is the first below the header) and a distance from the left. A
    click that comes before the canvas has seen the mouse is lost; so is done again until `then` is there."""
    for _ in range(PATIENCE // 10_000):
        page.locator(REST).wait_for()
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        assert box is not None
        at = box["x"] + x, box["y"] + (row + 1.5) * ROW
        page.mouse.move(*at)
        page.wait_for_timeout(300)
        page.mouse.click(*at)
        with contextlib.suppress(TimeoutError):
            return then.wait_for(timeout=10_000) if then else None
    raise AssertionError(f"{then} did not come")


def items(page: Page, title: str) -> Locator:
    """The list that a click has opened; its title names the cell."""
    expect(page.get_by_text(title, exact=True)).to_be_visible()
    return page.locator(
        f"xpath=//*[@data-testid='stMarkdownContainer'][contains(., '{title}')]"
        "/following::*[@data-testid='stDataFrame'][1]"
    )


def rows(table: Locator) -> list[list[str]]:
    """What a table shows, read where screen readers do; without the column of boxes."""
    found = table.locator("tbody").evaluate_all(
        "bodies => bodies.flatMap(b => [...b.rows].map(row => [...row.cells].map(cell => cell.textContent)))"
    )
    return [[text for text in row if text not in ("", "false", "true")] for row in found]


def expect_rows(page: Page, table: Locator, wanted: list[tuple[str, ...]]) -> None:
    """Exactly these rows, as soon as the table has caught up with its title."""
    found: list[tuple[str, ...]] = []
    for _ in range(PATIENCE // 250):
        found = [tuple(row[: len(wanted[0])]) for row in rows(table)]
        if found == wanted:
            return
        page.wait_for_timeout(250)
    assert found == wanted


def test_a_confusion_cell_leads_to_exactly_its_items_and_on_to_their_review(
    house: tuple[str, Path], page: Page
) -> None:
    """Gold negates D in d2, the run affirms it: the one item of row 2, column 1."""
    url, path = house
    outside = outside_requests(page, url)
    open_page(page, f"{url}/metrics?metrics.view=Assertions")
    click(chart(page, "Confusion of statuses").locator(CELLS).nth(3), force=True)
    found = items(page, "negated, affirmed: 1")
    expect_rows(page, found, [("confused", "d2", ward.D, ward.LABELS[ward.D])])
    assert "open=metrics.before_assertions_confusion" in page.url
    link = page.get_by_role("link", name="Open in review")
    click_cell(page, found, 0, 300, then=link)  # anywhere on the row
    link.click()
    with open_workspace(path) as workspace:
        passage = corpora.passage_ids(workspace, "ward")["d2"]
        (wanted,) = [i for i in queue.items_of_passages(workspace, [passage]) if i.subject == ward.D]
    page.wait_for_url(re.compile(rf"/concept_labels\?item={wanted.id}$"))
    assert [u for u in outside if not u.startswith(("data:", "blob:"))] == []


def test_a_chart_is_saved_and_a_number_a_bar_and_a_point_open_their_items(
    house: tuple[str, Path], page: Page
) -> None:
    open_page(page, f"{house[0]}/metrics")
    _saved(page)
    missed = chart(page, "Right, spurious, missed").locator(".barlayer .trace").nth(2)
    click(missed.locator(".point path").first, force=True)
    expect_rows(page, items(page, "As proposed, missed: 1"), [("missed", "d1", ward.B)])
    page.get_by_text("All values", exact=True).click()
    points = chart(page, "Before and after review").locator(".scatterlayer .trace").nth(1).locator(".point")
    points.nth(3).wait_for()  # what is drawn above the numbers moves them
    counts = page.locator(
        f"xpath={HEADING}[contains(., 'Counts')]/following::*[@data-testid='stDataFrame'][1]"
    )
    title = "Spurious, as proposed: 2"
    click_cell(page, counts, 1, 600, then=page.get_by_text(title, exact=True))
    spurious = items(page, title)
    expect_rows(page, spurious, [("spurious", "d1", ward.E), ("spurious", "d2", ward.D)])
    click(points.nth(3), force=True)  # micro F1, after review
    after = items(page, "Micro F1, after review: 1.000 [1.000, 1.000]")
    right = [("d1", ward.A), ("d1", ward.B), ("d2", ward.C), ("d4", ward.A)]
    expect_rows(page, after, [("right", *item) for item in right])


def _saved(page: Page) -> None:
    """A chart as a picture, and its numbers as a table."""
    counts = chart(page, "Right, spurious, missed")
    counts.locator(CELLS).first.wait_for()
    page.locator(REST).wait_for()
    counts.hover()
    with page.expect_download() as picture:
        counts.locator(".modebar-btn[data-title*='Download plot']").click(force=True)
    assert picture.value.suggested_filename == "pieces.png"
    assert Path(picture.value.path()).read_bytes()[:4] == b"\x89PNG"
    with page.expect_download() as numbers:
        click(page.get_by_role("button", name="CSV").last)
    text = Path(numbers.value.path()).read_text("utf-8")
    assert text.splitlines()[0] == "labels,right,spurious,missed,guarded_cells"
    assert "As proposed,3,2,1," in text


def test_a_view_and_its_open_cell_are_taken_away_as_an_address_and_as_a_file(
    house: tuple[str, Path], page: Page, context: BrowserContext, tmp_path: Path
) -> None:
    """The address leads back to the same view; the file opens without a server and asks for nothing."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, f"{house[0]}/metrics?metrics.view=Assertions&metrics.proposals=After+review")
    # after review gold negates D, and so do the proposals: row 2, column 2
    click(chart(page, "Confusion of statuses").locator(CELLS).nth(4), force=True)
    items(page, "negated, negated: 1")
    page.locator(REST).wait_for()
    click(page.get_by_role("button", name="Copy link"))
    page.get_by_role("button", name="Copied").wait_for()
    link = page.url
    assert page.evaluate("navigator.clipboard.readText()") == link
    with page.expect_download() as saved:
        click(page.get_by_role("button", name="Save as report"))
    context.clear_permissions()
    page.goto("about:blank")
    open_page(page, link)
    expect_rows(page, items(page, "negated, negated: 1"), [("right", "d2", ward.D)])
    expect(page.get_by_role("radio", name="After review")).to_be_checked()

    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.name == "metrics.html"
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", name="Confusion of statuses")).to_be_visible()
    expect(page.get_by_role("cell", name=ward.RUN)).to_be_visible()
    expect(page.locator(".figure .main-svg").first).to_be_visible()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_bar_narrows_the_documents(house: tuple[str, Path], page: Page) -> None:
    open_page(page, f"{house[0]}/metrics?metrics.view=Documents", 1800)
    click(chart(page, "Documents").locator(CELLS).nth(5), force=True)  # F1 0.5 to 0.6: d1 alone
    page.get_by_text("1 of 4 documents: 0.5 to 0.6").wait_for()


def test_hostile_labels_stay_text(
    app_server: StartApp, workspace_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    any_name(monkeypatch)
    hostile = " ".join(HOSTILE)
    run, doc = "run <img src=x onerror=alert(10)>", "d <img src=x onerror=alert(11)>"
    with open_workspace(workspace_path) as workspace:
        ward.fill(workspace)
        old = runs.find_run(workspace, ward.RUN)
        with workspace.write() as db:
            ((passage, _),) = corpora.insert_passages(db, old.corpus_id, [Document(doc, "Text.")])
            said = ward.Annotation(hostile[:60].replace(" ", "_"), label=hostile)
            corpora.add_annotation_set(
                db, "ward", "2", old.corpus_id, [(passage, said)], exhaustive=True, sha256="2" * 64
            )
            runs.begin_run(
                db,
                run,
                kind="concepts",
                source=hostile,
                corpus_id=old.corpus_id,
                ontology_id=None,
                settings={},
                fingerprint="h",
            )
            draft = Draft(
                f"X:{hostile[:40]}", hostile, ward.AFFIRMED, ward.ConceptClass.EXPLICIT, 0.9, hostile
            )
            proposals.add(db, run, [(passage, [draft])])
            runs.finish_run(db, run)
    server = app_server(workspace_path)
    outside = outside_requests(page, server.url)
    with no_dialogs(page):
        address = f"metrics.run={run.replace(' ', '+')}&metrics.gold=imported:ward@2"
        open_page(page, f"{server.url}/metrics?{address}&metrics.view=Overview")
        main = page.get_by_test_id("stMain")
        for view in ("Overview", "Documents", "Assertions", "Near misses", "Spans", "Slices"):
            choice = page.get_by_role("radio", name=view, exact=True)
            choice.wait_for()
            if view != "Overview":
                click(choice)
            expect(choice).to_be_checked()
            page.locator(REST).wait_for()
            expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
            main.locator("[data-testid=stAlert], [data-testid=stDataFrame]").first.wait_for()
            assert main.locator("script, iframe, form, img[src='x'], svg[onload], [onerror]").count() == 0, (
                view
            )
            assert main.locator("a[href^='javascript:'], a[href*='evil.example']").count() == 0, view
    assert outside == []
