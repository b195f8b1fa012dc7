"""The frame around every page, without a browser."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.store import Workspace, decisions
from pages.widgets.frame import curator_id
from pages.widgets.plain import escape
from tests.patience import SECONDS

ROOT = Path(__file__).parents[2]
APP = str(ROOT / "app.py")


@pytest.fixture
def app(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    return AppTest.from_file(APP, default_timeout=SECONDS)


def test_the_frame_names_the_workspace_and_asks_for_a_curator(app: AppTest, workspace: Workspace) -> None:
    decisions.add_curator(workspace, "ada", "Ada")
    app.run()
    assert not app.exception
    (box,) = app.sidebar.selectbox
    assert box.label == "Curator"
    assert box.options == ["Ada"]
    assert box.value is None
    assert any("Workspace: workspace" in caption.value for caption in app.sidebar.caption)


def test_choosing_and_naming_a_curator(app: AppTest, workspace: Workspace) -> None:
    decisions.add_curator(workspace, "ada", "Ada")
    app.run()
    app.sidebar.selectbox[0].select("Ada").run()
    assert app.session_state["frame.curator"] == "ada"
    assert app.sidebar.selectbox[0].value == "ada"


def _begin(name: str) -> None:
    from pages.widgets import frame, state

    with state.workspace() as workspace:
        frame.begin_as(workspace, name, {})


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "..", "A\u202enn"])
def test_a_name_that_would_be_misread_is_refused_in_words(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    page = AppTest.from_function(_begin, default_timeout=SECONDS, args=(name,)).run()
    assert not page.exception
    assert "cannot be the name of a curator" in page.error[0].value
    assert decisions.list_curators(workspace) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Curatör One", "curator-one"),
        ("  ADA\n ", "ada"),  # the one who is there already
        ("Ada!", "ada-2"),  # somebody else
        ("李雷", "curator"),
        ("<img src=x onerror=alert(1)>", "img-src-x-onerror-alert-1"),
        ("x" * 100, "x" * 40),
    ],
)
def test_a_new_name_gets_a_readable_id(name: str, expected: str) -> None:
    assert curator_id(name, {"ada": "Ada"}) == expected


def test_without_a_workspace_the_page_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(tmp_path / "none.db"))
    app = AppTest.from_file(APP, default_timeout=SECONDS).run()
    assert not app.exception
    (message,) = app.error
    assert "touchstone demo" in message.value
    assert not (tmp_path / "none.db").exists()


def test_heavy_libraries_are_not_loaded_for_the_review_page(workspace: Workspace) -> None:
    """What the first page needs not may not slow the start."""
    script = (
        "import sys; from streamlit.testing.v1 import AppTest;"
        f"app = AppTest.from_file({APP!r}, default_timeout={SECONDS}).run(); assert not app.exception;"
        "print(*(m for m in ('torch', 'sentence_transformers', 'faiss', 'openai', 'pronto', 'plotly.express')"
        " if m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={"TOUCHSTONE_WORKSPACE": str(workspace.path), "PATH": "", "HOME": str(workspace.path.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_what_is_loaded_beforehand_draws_charts_and_holds_no_model() -> None:
    script = (
        "import sys; from pages.widgets import warm; warm.load();"
        "print(*(m for m in ('plotly.express', 'torch', 'faiss') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["plotly.express"], done.stderr


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "pages" / "reports").glob("*.py")))
def test_a_report_draws_its_title_before_it_loads_what_it_is_made_with(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Import statements of the page, and its title, in the order in which they run."""
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    app, ran = AppTest.from_file(APP, default_timeout=SECONDS).run(), []
    bring, draw = builtins.__import__, st.title

    def noting(name: str, names: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        if str((names or {}).get("__file__")).endswith(f"reports/{page}"):
            ran.extend(f"{name}.{part}" for part in wanted or ("",))
        return bring(name, names, local, wanted, level)

    monkeypatch.setattr(builtins, "__import__", noting)
    monkeypatch.setattr(st, "title", lambda *given, **named: ran.append("title") or draw(*given, **named))
    app.switch_page(f"pages/reports/{page}").run()
    assert not app.exception
    light = {"__future__.annotations", "streamlit.", "core.text.visible.visible"}
    light |= {"pages.widgets.state", "pages.widgets.switch.one_of"}
    assert set(ran[: ran.index("title")]) <= light


def test_every_page_of_the_menu_has_a_title_of_its_own_and_none_lies_in_pages_itself() -> None:
    assert list((ROOT / "pages").glob("*.py")) == []
    stems = [path.stem for path in (ROOT / "pages").glob("*/*.py") if path.parent.name != "widgets"]
    assert len(stems) == len(set(stems))


@pytest.mark.parametrize(
    "text",
    [
        "**bold** _it_",
        "[a](http://x.example)",
        "![i](http://x.example/i.png)",
        "<b>x</b>",
        ":red[x] $x$",
        "`c`",
    ],
)
def test_escape_leaves_nothing_that_markdown_acts_on(text: str) -> None:
    """Every special character is escaped, and taking the escapes away gives the text back."""
    escaped = escape(text)
    assert escaped.replace("\\", "").replace("\u2060", "") == text
    for sign in "*_[]()<>!`$:":
        assert all(escaped[i - 1] == "\\" for i, c in enumerate(escaped) if c == sign)
