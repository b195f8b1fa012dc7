"""The review page, as far as Python draws it; what the desk does is tested in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest

from core import review
from core.records import Action
from core.store import Workspace
from pages.widgets import state
from pages.widgets.desk import chosen, component, concept_desk, pair_desk
from tests.patience import SECONDS
from tests.review.clinic import CATARACT, SEIZURE, furnish, item
from tests.review.overlapping import drawn, judge, names

ROOT = Path(__file__).parents[2]
PAGE = "pages/review/concept_labels.py"


@pytest.fixture
def app(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)


def run(app: AppTest, message: dict[str, Any], curator: str | None = "alpha") -> AppTest:
    """Run the page as if the desk had sent a message."""
    app.run()
    app.session_state[state.DESK] = {"message": message}
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
    assert "touchstone annotate" in app.info[0].value


def test_without_a_curator_nothing_is_served(app: AppTest, workspace: Workspace) -> None:
    furnish(workspace)
    run(app, {"desk": "d", "want": 3}, curator=None)
    assert leased(workspace) == []


def test_a_message_is_served(app: AppTest, workspace: Workspace) -> None:
    at = furnish(workspace)
    run(app, {"desk": "d", "want": 2})
    assert leased(workspace) == [item(workspace, at["d1"], c) for c in (SEIZURE, CATARACT)]


def test_filters_are_read_from_the_address(app: AppTest, workspace: Workspace) -> None:
    at = furnish(workspace)
    for name, label in {
        "run": "alpha",
        "class": "Explicit",
        "confidence": "High confidence",
        "show": "All",
        "order": "Where runs differ first",
        "answers": "Two",
        "branch": "Abnormality of the eye",
        "status": "Negated",
        "document": "d1",
    }.items():
        app.query_params[f"concept_labels.{name}"] = label
    run(app, {"desk": "d", "want": 9})
    assert app.caption[1].value.replace("\\", "") == (
        "ward, alpha, where runs differ first, explicit, negated, HP:0000478, high, d1, all,"
        " two curators each"
    )
    assert leased(workspace) == [item(workspace, at["d1"], CATARACT)]


def test_an_overlap_is_read_from_the_address_told_in_words_and_drawn(
    app: AppTest, workspace: Workspace
) -> None:
    furnish(workspace)
    units = names(workspace, "concept")
    for one in units:
        judge(workspace, "beta", one, Action.REJECT)
    app.query_params["concept_labels.overlap"] = "50 %"
    run(app, {"desk": "d", "want": 9})
    told = "ward, all runs, as in the documents, 50 % by two curators, a third where they disagree"
    assert app.caption[1].value == told
    assert leased(workspace) == [one for one, unit in units.items() if drawn(unit, 0.5)]
    assert 0 < len(leased(workspace)) < 6
    app.text_input(key="concept_labels.seed").set_value("7")
    run(app, {"desk": "d", "want": 9})
    assert app.caption[1].value == f"{told}, seed 7"
    assert leased(workspace) == [one for one, unit in units.items() if drawn(unit, 0.5, "7")]
    app.selectbox(key="concept_labels.overlap").set_value("1").run()
    assert app.caption[1].value == told.replace("50 %", "all")
    assert "concept_labels.seed" not in [one.key for one in app.text_input]


def test_a_seed_that_is_too_long_is_cut_and_told_as_text(app: AppTest, workspace: Workspace) -> None:
    furnish(workspace)
    app.query_params["concept_labels.overlap"] = "5 %"
    app.query_params["concept_labels.seed"] = "*x*" + "y" * 500
    run(app, {"desk": "d", "want": 9})
    assert len(leased(workspace)) == 6
    assert app.caption[1].value.endswith(f"disagree, seed \\*x\\*{'y' * 97}")


def test_an_unknown_document_is_told_with_those_that_hold_its_id(app: AppTest, workspace: Workspace) -> None:
    furnish(workspace)
    app.query_params["concept_labels.document"] = "D"
    run(app, {"desk": "d", "want": 9})
    assert app.warning[0].value.replace("\\", "") == (
        "There is no document D in ward. These hold it in their ids: d1, d2, d3. All are shown."
    )
    assert len(leased(workspace)) == 6


def test_a_list_in_the_address_takes_the_place_of_the_queue(app: AppTest, workspace: Workspace) -> None:
    at = furnish(workspace)
    wanted = [item(workspace, at["d3"], CATARACT), item(workspace, at["d1"], SEIZURE)]
    for name, value in chosen.list_address("concept_labels", "Two *to* look at", wanted).items():
        app.query_params[name] = value
    run(app, {"desk": "d", "want": 9})
    assert app.caption[1].value == "List: Two \\*to\\* look at"
    assert leased(workspace) == sorted(wanted)
    app.button(key="concept_labels.leave").click().run()
    assert not app.exception
    assert app.caption[1].value == "ward, all runs, as in the documents"
    assert not [name for name in app.query_params if name in ("concept_labels.items", "concept_labels.list")]


def test_a_list_leads_back_to_the_number_that_it_was_opened_from(app: AppTest, workspace: Workspace) -> None:
    at = furnish(workspace)
    wanted = [item(workspace, at["d3"], CATARACT)]
    back = "metrics?metrics.view=Near+misses&embed=true&open=metrics.counts%2Fbefore%3Afp"
    for name, value in chosen.list_address("concept_labels", "One", wanted, "ward", back).items():
        app.query_params[name] = value
    run(app, {"desk": "d", "want": 9})
    (link,) = app.get("page_link")
    assert (link.proto.page, link.proto.label) == ("metrics", "Back to the number")
    assert link.proto.query_string == "metrics.view=Near+misses&open=metrics.counts%2Fbefore%3Afp"
    app.button(key="concept_labels.leave").click().run()
    assert not app.get("page_link")
    assert "concept_labels.back" not in app.query_params


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "../app"])
def test_a_list_leads_nowhere_but_to_a_report(app: AppTest, workspace: Workspace, back: str) -> None:
    at = furnish(workspace)
    wanted = [item(workspace, at["d3"], CATARACT)]
    for name, value in chosen.list_address("concept_labels", "One", wanted, "ward", back).items():
        app.query_params[name] = value
    run(app, {"desk": "d", "want": 9})
    assert app.caption[1].value == "List: One"
    assert not app.get("page_link")


def test_an_address_holds_as_many_of_a_list_as_it_can() -> None:
    short, long = range(1, review.MOST_LISTED + 10), range(10**9, 10**9 + review.MOST_LISTED)
    for items, least in ((short, review.MOST_LISTED), (long, 400)):
        address, held = chosen.fitting("concept_labels", "ü" * 200, items, "ward", "metrics?" + "é" * 200)
        assert least <= held <= review.MOST_LISTED
        assert address["concept_labels.items"] == ".".join(map(str, items[:held]))
        assert len(urlencode(address)) <= chosen.MOST_ADDRESS
    assert held < review.MOST_LISTED, "no room for all of the long ids"


TOO_MANY = ".".join(["1"] * (review.MOST_LISTED + 1))


@pytest.mark.parametrize("given", ["one.two", "1.-2", "1..2", TOO_MANY, str(2**63)])
def test_a_list_that_cannot_be_read_is_told(app: AppTest, workspace: Workspace, given: str) -> None:
    furnish(workspace)
    app.query_params["concept_labels.items"] = given
    run(app, {"desk": "d", "want": 9})
    assert "Here is the queue instead." in app.warning[0].value
    assert len(leased(workspace)) == 6


@pytest.mark.parametrize("made", [concept_desk.desk, pair_desk.desk], ids=lambda made: made.kind)
def test_every_script_of_the_desk_is_in_its_module(made: component.Component) -> None:
    """No file beside the component is forgotten, and none builds markup from text."""
    scripts = {path.stem for path in component.HERE.glob("*.js")}
    views = {path.stem for path in (component.HERE / made.kind).glob("*.js")}
    assert scripts == set(component.CORE)
    assert views == set(made.view)
    source = made.script()
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser"):
        assert forbidden not in source
