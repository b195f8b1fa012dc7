"""From a number to the items behind it, and from an item to its review, with a mouse."""

import re

from core.store import queue
from tests.evaluate import ward

ROW = 35
"""Height of a table row, in pixels."""


def click_cell(page, table, row, x):
    """Tables are canvases: aim at a row (0 is the first below the header) and a distance from the left."""
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + (row + 1.5) * ROW)


def test_a_cell_leads_to_its_items_and_an_item_to_review(app_server, workspace, page):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    outside = []
    page.on("request", lambda r: outside.append(r.url) if "127.0.0.1" not in r.url else None)
    page.set_viewport_size({"width": 1400, "height": 1200})
    page.goto(f"{app_server(workspace.path).url}/metrics")
    page.get_by_text("Documents, CSV").wait_for(timeout=60_000)
    page.keyboard.press("Escape")

    tables = page.get_by_test_id("stDataFrame")
    click_cell(page, tables.first, 10, 230)  # Spurious, before review
    page.get_by_text("Spurious, before review").wait_for()
    click_cell(page, tables.nth(1), 0, 20)  # the first item's box
    page.get_by_role("link", name="Open in review").click()
    page.wait_for_url(re.compile("item="))

    (item,) = [i for i in queue.items_of_passages(workspace, [ids["d1"]]) if i.concept == ward.E]
    assert re.search(rf"/(concept_labels)?\?item={item.id}$", page.url)
    assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []


def test_a_bar_narrows_the_table_to_its_documents(app_server, workspace, page):
    ward.fill(workspace)
    page.set_viewport_size({"width": 1400, "height": 1800})
    page.goto(f"{app_server(workspace.path).url}/metrics")
    page.get_by_text("Documents, CSV").wait_for(timeout=60_000)
    page.keyboard.press("Escape")
    page.locator(".barlayer .point path").nth(5).click(force=True)  # F1 0.5 to 0.6: d1 alone
    page.get_by_text("1 of 4 documents: 0.5 to 0.6").wait_for()
