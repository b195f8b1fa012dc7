"""The page of conflict labels without a browser: messages, filters, an empty workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.records import Tier
from core.store import Workspace, decisions
from pages.widgets import state
from tests.patience import SECONDS
from tests.review.pairs.library import IN_DENMARK, IN_VIETNAM, Draft, contextual, direct, furnish, shelve

ROOT = Path(__file__).parents[2]
PAGE = "pages/review/conflict_labels.py"


@pytest.fixture
def app(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)


def run(app: AppTest, message: dict[str, Any], curator: str | None = "alpha") -> AppTest:
    """Run the page as if the desk had sent a message."""
    app.run()
    app.session_state[state.PAIR_DESK] = {"message": message}
    app.session_state[state.CURATOR] = curator
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def leased(workspace: Workspace) -> list[int]:
    return [row[0] for row in workspace.db.execute("SELECT item_id FROM leases ORDER BY item_id")]


def test_an_empty_workspace_says_how_to_begin(app: AppTest) -> None:
    app.run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert "touchstone run conflicts" in app.info[0].value
    assert "touchstone proposals add" in app.info[0].value


def test_without_a_curator_nothing_is_served(app: AppTest, workspace: Workspace) -> None:
    furnish(workspace)
    run(app, {"desk": "d", "want": 3}, curator=None)
    assert leased(workspace) == []


def test_a_message_is_served(app: AppTest, workspace: Workspace) -> None:
    library = furnish(workspace)
    run(app, {"desk": "d", "want": 2})
    assert leased(workspace) == list(library.items[:2])
    assert app.caption[1].value == "trials, all runs, likeliest conflict first"


def test_filters_are_read_from_the_address(app: AppTest, workspace: Workspace) -> None:
    a, b = IN_DENMARK, IN_VIETNAM
    library = shelve(
        workspace,
        [
            Draft(a, b, (contextual(a, b), direct(a, b)), Tier.PILOT, 0.5),
            Draft(a + " 1", b, (contextual(a, b),), Tier.PILOT, 0.6, "oncology"),
            Draft(a + " 2", b, (contextual(a, b),), Tier.FULL, 0.7),
        ],
    )
    decisions.add_curator(workspace, "alpha", "Alpha")
    app.run()
    for name, label in {
        "run": "alpha",
        "domain": "infectious disease",
        "type": "Contextual contradiction",
        "tier": "Pilot",
        "origin": "A model's label",
        "show": "All",
        "order": "Where annotators differ first",
        "answers": "Three",
        "document": "trials-0001",
    }.items():
        app.query_params[f"conflict_labels.{name}"] = label
    run(app, {"desk": "d", "want": 9})
    assert app.caption[1].value.replace("\\", "") == (
        "trials, alpha, where annotators differ first, infectious disease, pilot, model, contextual"
        " contradiction, trials-0001, all, three curators each"
    )
    assert leased(workspace) == [library.items[0]]
