"""Every page of an app that is open to look at only: no view, no button and no form of it writes anything.

What desks send is tried in `tests/review/test_look_only.py`, every verb in `tests/cli/test_read_only.py`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import PAGES
from core.review.frames import Wanted, open_frame
from core.store import open_workspace
from tests.evaluate import ward
from tests.pages.reader import checked, open_page
from tests.review.pairs.library import furnish

VIEWS = (".view", ".source", ".kind")
"""Ends of the keys of switches behind which other buttons stand."""
WRITING = {
    "pages/start/try_text.py": {"Review this one"},
    "pages/audit/false_positives.py": {"Draw the set"},
    "pages/reports/metrics.py": {"Open the frame"},
    "pages/reports/conflict_metrics.py": {"Open the frame"},
    "pages/reports/trees.py": {"Build", "Import"},
    "pages/reports/runs.py": {"Save as a new version", "Start"},
}
"""Page -> labels of what would store something, greyed out here."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("looked_at") / "w.db"
    with open_workspace(path) as workspace:
        ward.review(workspace, ward.fill(workspace))
        furnish(workspace)
        open_frame(workspace, Wanted(ward.RUN, "frame"))
    return path


def views(page: AppTest) -> list[tuple[str, str]]:
    """(key of a switch, choice)."""
    switches = [one for one in page.get("button_group") if str(one.key).endswith(VIEWS)]
    return [(str(one.key), option) for one in switches for option in one.options]


def turned(file: str, view: tuple[str, str] | None) -> AppTest:
    """The page with this view chosen and every field of it filled in."""
    page = open_page(file, curator="alpha")
    if view is not None:
        (switch,) = [one for one in page.get("button_group") if one.key == view[0]]
        page = checked(switch.set_value(view[1]).run())
    for name in page.main.text_input:
        if str(name.key).endswith("name"):
            name.proto.disabled = False
            name.set_value("more")
    for text in page.main.text_area:
        text.proto.disabled = False
        text.set_value(f"{ward.LABELS[ward.A]}.")
    return page


def press(page: AppTest, before: Iterable[str] = ()) -> set[str]:
    """Every button but those in `before` and those that only lead on, and what comes up after it. Labels."""
    shown = [str(one.key) for one in page.main.button if not one.label.startswith("**")]
    keys, pressed = [one for one in shown if one not in before], set()
    for key in keys:
        found = [one for one in page.main.button if one.key == key]
        for button in found:
            button.proto.disabled = False  # a browser can send it all the same
            pressed |= {button.label}
            checked(button.click().run())
            pressed |= press(page, [*keys, *before])
    return pressed


@pytest.mark.parametrize("file", [file for rows in PAGES.values() for file, _ in rows])
def test_a_page_writes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    before, pressed = path.read_bytes(), set[str]()
    for view in views(open_page(file)) or [None]:
        pressed |= press(turned(file, view))
    assert pressed >= WRITING.get(file, set())
    assert path.read_bytes() == before


def test_nothing_is_learned(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    before = path.read_bytes()
    page = open_page("pages/reports/runs.py", curator="alpha", learn="ward")
    (learn,) = [one for one in page.main.button if one.label == "Learn"]
    assert learn.disabled
    assert "Learn" in press(page)
    assert path.read_bytes() == before
