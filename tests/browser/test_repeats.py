"""An item that is asked again looks like any other, and its second answer changes nothing else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from core.records import Action
from core.store import ontologies, open_workspace, queue, repeats
from tests.browser.conftest import StartApp
from tests.browser.queues import Queues
from tests.review.clinic import (
    CATARACT,
    HYPOTONIA,
    add_labelled,
    hypotonia_and_cataract,
    items_of_run,
    ontology,
)
from tests.review.overlapping import drawn

PASSAGES, ANSWERED = 28, 52
TEXT = "Case {}: hypotonia was seen, and a cataract on both sides."


def is_drawn(corpus: str) -> bool:
    """Of the items that lie far enough back only the second is in the share."""
    return [drawn(f"{corpus}/p00/{c}", 0.1, use="repeat") for c in (HYPOTONIA, CATARACT)] == [False, True]


CORPUS, CLOSED = [name for name in (f"again{n}" for n in range(500)) if is_drawn(name)][:2]


@pytest.fixture(scope="module")
def ward(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Queues:
    path = tmp_path_factory.mktemp("repeats") / "repeats.db"
    ids = {}
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in (CORPUS, CLOSED):
            texts = {f"p{n:02}": TEXT.format(n) for n in range(PASSAGES)}
            add_labelled(workspace, corpus, texts, hypotonia_and_cataract)
            ids[corpus] = items_of_run(workspace, f"run-{corpus}")
    found = Queues(module_app_server(path), path, ids)
    for corpus in (CORPUS, CLOSED):
        found.decide(corpus, Action.REJECT, *ids[corpus][:ANSWERED])
    return found


def repeat_of(ward: Queues, corpus: str) -> int:
    with open_workspace(ward.workspace) as workspace:
        made = [row[0] for row in workspace.db.execute("SELECT id FROM items WHERE kind = 'concept_repeat'")]
        return {first: item for item, first in repeats.originals(workspace.db, made).items()}[
            ward.ids[corpus][1]
        ]


MORE = "&concept_labels.repeats=10+%25"


def test_it_looks_like_any_other_and_is_stored_apart(ward: Queues, page: Page) -> None:
    a, b, c, d = ward.ids[CORPUS][ANSWERED:]
    desk = ward.desk(page, CORPUS, more=MORE)
    expect(page.get_by_text("10 % asked again, unmarked, after 50 other answers")).to_be_visible()
    desk.shows(a)
    desk.press("x")
    desk.shows(b)
    again = repeat_of(ward, CORPUS)
    desk.press("x")
    desk.shows(again)
    expect(page.get_by_role("heading", name="Cataract")).to_be_visible()
    expect(page.get_by_role("heading", name="p00")).to_be_visible()
    expect(page.get_by_text("In this passage: 1 of 2 decided")).to_be_visible()
    expect(page.locator(".card").get_by_text("Rejected")).to_have_count(0)
    desk.press("a")
    desk.shows(c)
    assert desk.wait_for_decisions(ANSWERED + 3)[-1] == (again, Action.ACCEPT)
    desk.press("z")
    desk.shows(again)
    expect(page).to_have_url(re.compile(rf"item={again}\b"))
    page.reload()
    desk.ready()
    desk.shows(again)
    desk.press("x")
    desk.shows(c)
    desk.press("k")
    desk.shows(again)
    expect(page.get_by_text("In this passage: 2 of 2 decided")).to_be_visible()
    desk.press("j", "x", "x")
    assert desk.wait_for_decisions(ANSWERED + 7)[-3:] == [
        (again, Action.REJECT),
        (c, Action.REJECT),
        (d, Action.REJECT),
    ]
    with open_workspace(ward.workspace) as workspace:
        [twice] = repeats.twice(workspace, CORPUS, "concept")
    assert (twice.first[0], twice.second[0]) == (Action.REJECT, Action.REJECT)


def test_what_is_said_of_its_passage_is_said_of_the_real_one(ward: Queues, page: Page) -> None:
    a, *_ = ward.ids[CLOSED][ANSWERED:]
    desk = ward.desk(page, CLOSED, more=MORE)
    desk.press("x", "x")
    again = repeat_of(ward, CLOSED)
    desk.shows(again)
    desk.press("a", "k")
    desk.shows(again)
    desk.press("p")
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    page.get_by_role("button", name="Hypotonia").first.click()
    desk.shows(ward.ids[CLOSED][0])
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    expect(page.get_by_text("In this passage: 2 of 2 decided")).to_be_visible()
    desk.wait_for_decisions(ANSWERED + 4)
    with open_workspace(ward.workspace) as workspace:
        passage = queue.items(workspace, [a, ward.ids[CLOSED][0]])[ward.ids[CLOSED][0]].passage_id
        assert queue.closed_by(workspace, f"reader-{CLOSED}", [passage]) == {passage}
