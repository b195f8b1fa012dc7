"""Looking around in a browser: the tree by keyboard, layers, addresses, and texts that try to be more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.records import Annotation, Document, Span
from core.store import corpora, decisions, ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.review import PATIENCE, REST, click, no_dialogs, outside_requests
from tests.browser.test_accessibility import faint
from tests.browser.test_review_hostile import HOSTILE, any_name
from tests.review.clinic import FOCAL, SEIZURE, add_corpus, add_run, draft, furnish, ontology

EMOJI = "👩🏽‍⚕️ saw a seizure 🧠 and later another seizure."


@pytest.fixture(scope="module")
def url(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("explore") / "explore.db"
    with open_workspace(path) as workspace:
        furnish(workspace)
        at = add_corpus(workspace, {"e1": EMOJI}, "emoji")["e1"]
        add_run(workspace, {at: [draft(SEIZURE, EMOJI, "seizure")]}, "run-emoji", corpus="emoji")
        second = EMOJI.rindex("seizure")
        gold = Annotation(SEIZURE, "Seizure", span=Span(second, second + 7, "seizure"))
        with workspace.write() as db:
            of = corpora.corpus(workspace, "emoji").id
            corpora.add_annotation_set(db, "checked", "1", of, [(at, gold)], exhaustive=True, sha256="1" * 64)
    return module_app_server(path).url


def open_page(page: Page, address: str, heading: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 1400, "height": 1000})
    page.goto(address)
    page.get_by_role("heading", name=heading, exact=True).wait_for()
    page.locator(REST).wait_for()


def marked(page: Page, voice: str) -> list[str]:
    return page.locator(f".text .mark.{voice}").all_text_contents()


def test_the_tree_is_walked_opened_and_chosen_by_keys(url: str, page: Page) -> None:
    open_page(page, f"{url}/ontology", "mini")
    nodes = page.get_by_role("treeitem")
    expect(nodes).to_have_count(3)  # the root and its two branches: nothing below was sent
    nodes.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(nodes.nth(2)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(nodes).to_have_count(5)
    expect(nodes.nth(2)).to_be_focused()
    expect(nodes.nth(2)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(nodes.nth(4)).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Seizure", exact=True).wait_for()
    expect(page.locator(".tree .here .name")).to_have_text("Seizure")
    expect(page).to_have_url(re.compile("ontology.concept=HP%3A0001250$"))
    page.reload()
    page.get_by_role("heading", name="Seizure", exact=True).wait_for()
    expect(page.locator(".tree .here .name")).to_have_text("Seizure")


def test_one_goes_from_concept_to_concept_and_back(url: str, page: Page) -> None:
    open_page(page, f"{url}/ontology?ontology.concept={SEIZURE}", "Seizure")
    click(page.get_by_role("button", name="Focal-onset seizure", exact=True))
    page.get_by_role("heading", name="Focal-onset seizure", exact=True).wait_for()
    expect(page.locator(".tree .here .name")).to_have_text("Focal-onset seizure")
    page.go_back()
    page.get_by_role("heading", name="Seizure", exact=True).wait_for()


def test_layers_mark_the_text_and_are_switched_off(url: str, page: Page) -> None:
    open_page(page, f"{url}/corpus?corpus.document=e1", "Note e1")
    expect(page.locator(".text")).to_have_text(EMOJI)
    assert (marked(page, "machine"), marked(page, "gold")) == (["seizure"], ["seizure"])
    legend = page.locator(".legend button")
    expect(legend).to_have_count(2)
    click(legend.nth(0))
    expect(legend.nth(0)).to_have_attribute("aria-pressed", "false")
    assert (marked(page, "machine"), marked(page, "gold")) == ([], ["seizure"])
    expect(page.locator(".list .label")).to_have_count(1)
    click(legend.nth(0))
    assert marked(page, "machine") == ["seizure"]
    click(page.locator(".list .name"))
    expect(page.locator(".piece.current")).to_have_count(2)
    click(page.get_by_role("button", name="Seizure: open in the ontology"))
    page.get_by_role("heading", name="Where it occurs", exact=True).wait_for()
    expect(page).to_have_url(re.compile("ontology.concept=HP%3A0001250"))


def test_a_result_is_opened_and_left_for_the_search(url: str, page: Page) -> None:
    open_page(page, f"{url}/corpus", "Corpus")
    words = page.get_by_label("Search documents")
    words.fill("hypotonia cataract")
    words.press("Enter")
    click(page.get_by_role("button", name="Note d1"), then=page.get_by_role("heading", name="Note d1"))
    expect(page).to_have_url(re.compile("corpus.document=d1"))
    click(page.get_by_role("button", name="Back to the search"))
    expect(words).to_have_value("hypotonia cataract")
    expect(page.get_by_role("button", name="Note d1")).to_be_visible()


def test_all_that_is_written_has_enough_contrast(url: str, page: Page) -> None:
    open_page(page, f"{url}/corpus?corpus.document=e1", "Note e1")
    click(page.locator(".legend button").nth(0))
    assert faint(page) == [], "a document, one layer off"
    open_page(page, f"{url}/ontology?ontology.concept={SEIZURE}", "Seizure")
    assert faint(page) == [], "a concept"
    open_page(page, f"{url}/corpus?corpus.find=cataract", "Corpus")
    assert faint(page) == [], "results"


def test_hostile_texts_show_as_text(
    app_server: StartApp, workspace_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    any_name(monkeypatch)
    with open_workspace(workspace_path) as workspace:
        ontologies.add_ontology(workspace, ontology(f"o {HOSTILE[0]}", label=" ".join(HOSTILE)))
        text = f"seizure {' '.join(HOSTILE)} end"
        with workspace.write() as db:
            of = corpora.create_corpus(db, "ward")
            said = Document("hostile", text, title=f"Title {text}")
            [(at, _)] = corpora.insert_passages(db, of, [said])
        drafts = [draft(SEIZURE, text, "seizure", reason=text), draft(FOCAL, text, HOSTILE[1])]
        add_run(workspace, {at: drafts}, "run <img src=x onerror=alert(10)>")
        decisions.add_curator(workspace, "c", HOSTILE[0])
    url = app_server(workspace_path).url
    outside = outside_requests(page, url)
    with no_dialogs(page):
        open_page(page, f"{url}/corpus?corpus.find=seizure", "Corpus")
        page.get_by_text("1 document.").wait_for()
        powerless(page.get_by_test_id("stMain"))
        page.goto(f"{url}/corpus?corpus.document=hostile")
        page.locator(".text").wait_for()
        assert page.locator(".text").text_content() == text
        powerless(page.get_by_test_id("stMain"))
        page.goto(f"{url}/ontology?ontology.concept={FOCAL}")
        page.get_by_role("heading", name="Where it occurs", exact=True).wait_for()
        powerless(page.get_by_test_id("stMain"))
        page.goto(f"{url}/ontology?ontology.concept=<img src=x onerror=alert(1)>&ontology.find={HOSTILE[1]}")
        page.get_by_text("holds no concept").wait_for()
        powerless(page.get_by_test_id("stMain"))
    assert outside == []


def powerless(main: Locator) -> None:
    assert main.locator("script, iframe, form, img[src='x'], svg[onload], [onerror]").count() == 0
    hosts = main.locator("a").evaluate_all("(all) => all.map((one) => one.protocol + one.hostname)")
    assert set(hosts) <= {"http:127.0.0.1"}
