"""The tour of the demonstration: six stops, each on its page, and the way from one to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli.demo import build_demo
from core.store import open_workspace, queue
from pages.widgets.tour import _stops
from tests.pages import reader
from tests.pages.reader import checked

START = "pages/start/start.py"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("tour") / "demo.db"
    build_demo(built)
    return built


@pytest.fixture
def demo(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    return path


def said(page) -> str:
    return " ".join(m.value.replace("\\", "") for m in page.markdown)


def test_it_shows_what_its_sentences_say(demo: Path) -> None:
    with open_workspace(demo) as workspace:
        found = _stops(workspace)
        judged = queue.items(workspace, [stop.item for stop in found if stop.item])
    assert [stop.page.rpartition("/")[2] for stop in found] == [
        *("concept_labels.py", "concept_labels.py", "concept_labels.py"),
        *("conflict_labels.py", "error_taxonomy.py", "metrics.py"),
    ]
    assert [judged[stop.item].subject for stop in found[:3] if stop.item] == [
        *("HP:0001263", "HP:0000819", "HP:0000252"),
    ], "Global developmental delay, Diabetes mellitus, Microcephaly"


def test_the_start_page_leads_to_the_first_stop(demo: Path) -> None:
    page = reader.open_page(START)
    (link,) = [one for one in page.get("page_link") if "tour" in one.proto.label]
    assert "concept_labels" in link.proto.page
    assert link.proto.query_string.startswith("tour=1&item=")


def test_every_stop_is_told_on_its_page_and_leads_on(demo: Path) -> None:
    with open_workspace(demo) as workspace:
        found = _stops(workspace)
    for at, stop in enumerate(found, 1):
        address = {"tour": str(at)} | ({"item": str(stop.item)} if stop.item else {})
        page = reader.open_page(stop.page, curator="curator-a", **address)
        assert f"{at} of 6: {stop.title}." in said(page)
        buttons = {b.label for b in page.button}
        assert ("Back" in buttons, "Next" in buttons) == (at > 1, at < 6)


def test_next_leads_to_the_next_stop(demo: Path) -> None:
    with open_workspace(demo) as workspace:
        fifth = _stops(workspace)[4]
    page = reader.open_page(fifth.page, tour="5")
    (onward,) = [b for b in page.button if b.label == "Next"]
    page = checked(onward.click().run())
    assert page.query_params["tour"] == "6"
    assert page.title[0].value == "Metrics"


@pytest.mark.parametrize("place", ["0", "7", "x", "99999999999999999999", "-1"])
def test_a_place_that_is_none_shows_nothing(demo: Path, place: str) -> None:
    assert " of 6: " not in said(reader.open_page("pages/audit/error_taxonomy.py", tour=place))


def test_another_workspace_has_no_tour(reviewed) -> None:
    page = reader.open_page(START, tour="1")
    assert " of 6: " not in said(page)
    assert not [one for one in page.get("page_link") if "tour" in one.proto.label]
