"""The corpus page: the search, its filters and pages, and one document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.records import Action, NewDecision
from core.store import decisions, open_workspace
from tests.pages import reader
from tests.pages.reader import choose, queues
from tests.review import clinic

PAGE = "pages/explore/corpus.py"


@pytest.fixture
def path(opened: Path) -> Path:
    with open_workspace(opened) as workspace:
        clinic.furnish(workspace)
    return opened


def results(page: reader.AppTest) -> list[str]:
    """Titles, as their buttons say."""
    return [one.label.strip("*") for one in page.button if (one.key or "").startswith("corpus.result.")]


def captions(page: reader.AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in page.caption]


def sent(page: reader.AppTest) -> dict[str, Any]:
    """What the document's component gets."""
    found = [json.loads(c.proto.json) for c in page.get("bidi_component") if '"layers"' in c.proto.json]
    assert len(found) == 1
    return dict(found[0])


def test_without_a_corpus_it_says_how_to_add_one(opened: Path) -> None:
    assert "corpus add" in reader.open_page(PAGE).info[0].value


def test_all_documents_at_first_then_those_with_the_words(path: Path) -> None:
    page = reader.open_page(PAGE)
    assert results(page) == ["Note d1", "Note d2", "Note d3"]
    page = choose(page, corpus__find="cataract nothing")
    assert results(page) == ["Note d3"]
    assert "1 document." in captions(page)
    shown = [one.value.replace("\\", "") for one in page.markdown]
    assert ":orange-background[**Nothing**] of note but :orange-background[**cataract**]." in shown
    assert not choose(page, corpus__find="zzz").markdown


def test_a_link_restores_words_and_filters(path: Path) -> None:
    page = reader.open_page(PAGE, corpus__find="hypotonia", corpus__run="alpha", corpus__open="true")
    assert set(results(page)) == {"Note d1", "Note d2"}
    assert page.checkbox(key="corpus.open").value is True


def test_results_come_a_page_at_a_time(path: Path) -> None:
    with open_workspace(path) as workspace:
        clinic.add_corpus(workspace, {f"n{n}": f"Fever number {n}." for n in range(45)}, "many")
    page = reader.open_page(PAGE, corpus__find="fever")
    seen = [results(page)]
    for number in (2, 3):
        page = choose(page, corpus__page=number)
        seen.append(results(page))
    assert [len(one) for one in seen] == [20, 20, 5]
    assert len({title for one in seen for title in one}) == 45
    page = choose(page, corpus__find="cataract")
    assert results(page) == ["Note d3", "Note d1"], "other words begin at their first page"


def test_a_document_by_its_address_with_its_layers(path: Path) -> None:
    page = reader.open_page(PAGE, curator="alpha", corpus__document="d1")
    assert [one.value for one in page.header] == ["Note d1"]
    data = sent(page)
    assert data["text"] == clinic.TEXTS["d1"]
    assert [(one["voice"], one["name"], one["count"]) for one in data["layers"]] == [("machine", "alpha", 3)]
    assert [row["name"] for row in data["rows"]] == ["Seizure", "Cataract", "Hypotonia"]
    assert data["rows"][1]["labels"][0]["detail"] == ["negated", "explicit", "high confidence"]
    [queue] = queues(page)
    assert (queue.label, queue.name, queue.corpus) == ("Review these 3", "Document d1", "ward")
    assert queue.back == "corpus?corpus.document=d1"
    assert [one.proto.label for one in page.get("download_button")] == ["Save as report"]


def test_anothers_answer_is_never_sent_before_ones_own(path: Path) -> None:
    with open_workspace(path) as workspace:
        passage = workspace.db.execute("SELECT id FROM passages WHERE doc_id = 'd1'").fetchone()[0]
        item = clinic.item(workspace, passage, clinic.SEIZURE)
        for cid, who in (("b", "beta"), ("a", "alpha")):
            if who == "alpha":
                page = reader.open_page(PAGE, curator="alpha", corpus__document="d1")
                assert "reject" not in json.dumps(sent(page))
                assert page.info[0].value.startswith("1 answer of a curator is not shown")
            decisions.append(workspace, [NewDecision(cid, who, Action.REJECT, item_id=item)])
    page = reader.open_page(PAGE, curator="alpha", corpus__document="d1")
    assert [one["name"] for one in sent(page)["layers"]] == ["alpha", "Alpha", "Beta"]
    assert not page.info


def test_a_document_that_is_not_there_is_told_and_the_search_shown(path: Path) -> None:
    page = reader.open_page(PAGE, corpus__document="d404")
    assert "no document d404" in page.warning[-1].value
    assert len(results(page)) == 3


def test_a_document_is_left_for_the_search_that_found_it(path: Path) -> None:
    page = reader.open_page(PAGE, corpus__find="hypotonia")
    [button] = [one for one in page.button if "Note d2" in one.label]
    page = reader.checked(button.click().run())
    assert page.query_params["corpus.document"] == "d2"
    assert [one.value for one in page.header] == ["Note d2"]
    [back] = [one for one in page.button if one.label == "Back to the search"]
    page = reader.checked(back.click().run())
    assert page.text_input(key="corpus.find").value == "hypotonia"
    assert len(results(page)) == 2
    assert "corpus.document" not in page.query_params
