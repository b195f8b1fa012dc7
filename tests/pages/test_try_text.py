"""Own texts, as far as Python draws them: nothing is stored until somebody asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.exchange import add_ontology
from core.store import corpora, ontologies, open_workspace, queue
from pages.widgets.start.passage import EXAMPLE
from tests.ontology.test_fetch import library, send
from tests.pages.reader import APP, checked, open_page
from tests.review.clinic import furnish, ontology

PAGE = "pages/start/try_text.py"
TEXT = "He had a seizure, but no cataract."


@pytest.fixture
def path(opened: Path) -> Path:
    with open_workspace(opened) as workspace:
        furnish(workspace)
    return opened


def content(path: Path) -> tuple[Any, ...]:
    """Revision, and how many rows each table holds."""
    with open_workspace(path) as workspace:
        tables = workspace.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        counts = [
            (name, workspace.db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for (name,) in tables
        ]
        return workspace.key(), sorted(counts)


def ask(page: AppTest, text: str) -> AppTest:
    page.text_area(key="try_text.text").set_value(text)
    return checked(page.button[0].click().run())


def said(page: AppTest) -> str:
    shown = (*page.header, *page.markdown, *page.caption, *page.info, *page.code)
    return "\n".join(str(one.value) for one in shown).replace("\\", "").replace("\u2060", "")


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def test_what_is_only_tried_is_not_stored(path: Path) -> None:
    before = content(path)
    page = ask(open_page(PAGE), TEXT)
    assert [one.value for one in page.header] == ["2 concepts found"]
    assert "Review these 2" in labels(page)
    page = ask(page, "Nothing of note.")
    assert "No concept of this vocabulary is named" in said(page)
    assert "Review" not in " ".join(labels(page))
    page.text_area(key="try_text.abstract_A").set_value("Aspirin reduced stroke in 900 women over 60 years.")
    page.text_area(key="try_text.abstract_B").set_value("Aspirin did not reduce stroke in 800 women over 60.")
    (compare,) = [button for button in page.button if button.label == "Compare their claims"]
    page = checked(compare.click().run())
    assert any("disagree" in one.value for one in page.header)
    assert content(path) == before


def test_review_stores_the_text_and_opens_the_desk_on_it(path: Path) -> None:
    page = ask(open_page(PAGE), TEXT)
    page.session_state["frame.curator"] = "alpha"
    (review,) = [button for button in page.button if button.label == "Review these 2"]
    page = checked(review.click().run())
    assert [title.value for title in page.title] == ["Concept labels"]
    assert page.session_state["concept_labels.corpus"] == "own-text-1"
    with open_workspace(path) as workspace:
        (passage,) = corpora.passages(workspace, "own-text-1")
        assert passage.text == TEXT
        assert [run.done for run in queue.run_names(workspace) if run.corpus == "own-text-1"] == [True]


def test_a_workspace_to_look_at_only_offers_no_review(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    page = ask(open_page(PAGE), TEXT)
    (review,) = [button for button in page.button if button.label == "Review these 2"]
    assert review.disabled
    assert "open to look at only" in said(page)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("  ", "The text is empty"),
        ("word " * 40_000, "characters; at most 20,000"),
        ("a seizure\x07", "a control character"),
    ],
)
def test_what_cannot_be_read_gets_a_clear_message(path: Path, text: str, problem: str) -> None:
    page = ask(open_page(PAGE), text)
    (message,) = page.error
    assert problem in message.value.replace("\\", "")
    assert "Review" not in " ".join(labels(page))


def test_the_example_shows_every_status(path: Path) -> None:
    page = open_page(PAGE)
    (example,) = [button for button in page.button if button.label == "Take an example"]
    page = checked(example.click().run())
    assert page.text_area(key="try_text.text").value == EXAMPLE
    assert any("found" in one.value for one in page.header)


def test_the_vocabulary_in_force_stands_beside_and_the_newest_comes_first(path: Path) -> None:
    page = open_page(PAGE)
    assert "Vocabulary: mini@1, 8 terms." in said(page)
    assert not page.main.selectbox
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology("later"))
    page = open_page(PAGE)
    (box,) = page.main.selectbox
    assert box.options == ["later@1", "mini@1"]
    assert "Vocabulary: later@1" in said(page)


def test_a_demonstration_vocabulary_says_so_with_the_command_for_more(opened: Path) -> None:
    file = APP.parent / "data" / "demo" / "hpo-demo.obo"
    with open_workspace(opened) as workspace:
        add_ontology(workspace, str(file), name="hpo-demo")
    terms = file.read_text("utf-8").count("\n[Term]\n")
    told = said(open_page(PAGE))
    assert f"Demonstration vocabulary, {terms} terms" in told
    assert "touchstone ontology add hp --root HP:0000118" in told


def test_a_button_fetches_the_hpo_checks_it_and_stores_it(
    opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = (APP.parent / "data" / "demo" / "hpo-demo.obo").read_bytes()  # any ontology with this root
    with library(lambda handler: send(handler, body)) as (address, paths):
        monkeypatch.setenv("TOUCHSTONE_OBO_URL", address)
        page = open_page(PAGE)
        assert "A vocabulary is needed first." in said(page)
        page = checked(page.button(key="try_text.add").click().run())
    assert paths == ["/obo/hp.obo"]
    assert not page.error
    assert "Show its concepts" in labels(page)
    with open_workspace(opened) as workspace:
        (row,) = ontologies.list_ontologies(workspace)
    assert (row.name, row.root) == ("hp", "HP:0000118")


@pytest.mark.parametrize("body", [b"", b"<html>Log in to the network</html>", b"[Term]\nid: HP:1\n" * 9])
def test_what_cannot_be_fetched_leaves_nothing_and_the_command_remains(
    opened: Path, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    before = content(opened)
    with library(lambda handler: send(handler, body)) as (address, _):
        monkeypatch.setenv("TOUCHSTONE_OBO_URL", address)
        page = checked(open_page(PAGE).button(key="try_text.add").click().run())
    (message,) = page.error
    assert message.value.endswith("Nothing was stored.")
    assert "touchstone ontology add hp --root HP:0000118" in said(page)
    assert content(opened) == before


def test_where_nothing_can_be_saved_only_the_command_is_shown(
    opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    page = open_page(PAGE)
    assert "touchstone ontology add hp --root HP:0000118" in said(page)
    assert "Add the HPO" not in labels(page)


def test_abstracts_that_are_none_get_a_clear_message(path: Path) -> None:
    page = open_page(PAGE)
    page.text_area(key="try_text.abstract_A").set_value("Short.")
    (compare,) = [button for button in page.button if button.label == "Compare their claims"]
    page = checked(compare.click().run())
    assert "The abstract B is empty" in page.error[0].value
