"""The page of false positives, as far as Python draws it; what the desk does is tested in a browser."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from core.review import ListingFilters
from core.store import decisions, frames, open_workspace
from pages.widgets import state
from pages.widgets.desk import chosen
from pages.widgets.desk.component import Component
from tests.pages.reader import checked, open_page
from tests.review.audit_ward import drawn, furnish
from tests.review.clinic import HYPOTONIA, add_corpus, add_run, draft

PAGE = "pages/audit/false_positives.py"


def said(page: AppTest) -> str:
    """The line under the title."""
    return page.main.caption[0].value.replace("\\", "").replace("\u2060", "")


def leased(path: Path) -> list[int]:
    with open_workspace(path) as workspace:
        return [row[0] for row in workspace.db.execute("SELECT item_id FROM leases ORDER BY item_id")]


@pytest.fixture
def audited(opened: Path) -> dict[str, list[int]]:
    """Two sets, `ward` and `short`, with their items."""
    with open_workspace(opened) as workspace:
        decisions.add_curator(workspace, "ada", "Ada")
        return {"ward": furnish(workspace), "short": drawn(workspace, "ward", "short", 2)}


def test_a_workspace_without_runs_says_so(opened: Path) -> None:
    page = open_page(PAGE, curator="ada")
    assert page.title[0].value == "False positives"
    assert "There are no runs" in page.info[0].value


def test_a_set_is_drawn_and_shown(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        furnish(workspace, draw=False)
    page = open_page(PAGE, curator="ada")
    page.text_input(key="false_positives.name").set_value("mine")
    page.number_input(key="false_positives.size").set_value(3)
    page.text_input(key="false_positives.seed").set_value("7")
    page.selectbox(key="false_positives.by").select("class")
    checked(page.button[0].click().run())
    assert said(page) == (
        "Audit set mine: 3 of 4 false positives of run-ward against the imported gold ward, version 1,"
        " drawn by class with seed 7"
    )
    with open_workspace(opened) as workspace:
        frame = frames.find_audit(workspace, "mine")
    assert (frame.scope["size"], frame.scope["by"], frame.seed) == (3, "class", "7")


def test_the_form_begins_with_the_newest_run_that_has_gold(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        furnish(workspace, draw=False)
        at = add_corpus(workspace, {"b1": "Marked hypotonia."}, "bare")
        add_run(
            workspace, {at["b1"]: [draft(HYPOTONIA, "Marked hypotonia.", "hypotonia")]}, "z", corpus="bare"
        )
    page = open_page(PAGE, curator="ada")
    assert page.selectbox(key="false_positives.run").value == "run-ward"


def test_what_cannot_be_drawn_is_told_in_words(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        furnish(workspace, draw=False)
    page = open_page(PAGE, curator="ada")
    page.text_input(key="false_positives.name").set_value("mine")
    checked(page.button[0].click().run())
    assert "50 cannot be drawn" in page.error[0].value
    page.number_input(key="false_positives.size").set_value(3)
    page.text_input(key="false_positives.name").set_value("a/b")
    checked(page.button[0].click().run())
    assert "cannot name" in page.error[0].value.replace("\\", "")


def test_the_newest_set_is_shown_and_another_one_by_its_address(audited: dict[str, list[int]]) -> None:
    page = open_page(PAGE, curator="ada")
    assert said(page).startswith("Audit set short: 2 of 4 false positives")
    page = open_page(
        PAGE,
        curator="ada",
        false_positives__set="ward",
        false_positives__show="My unsure ones",
        false_positives__answers="Two",
    )
    assert said(page).startswith("Audit set ward: 4 of 4 false positives")
    assert said(page).endswith("my unsure ones, two curators each")
    page = open_page(PAGE, curator="ada", false_positives__set="Gold changes to confirm: ward")
    assert said(page) == "Gold changes to confirm: ward"


def test_a_message_of_the_desk_is_served(audited: dict[str, list[int]], opened: Path) -> None:
    page = open_page(PAGE, curator="ada", false_positives__set="ward")
    page.session_state[state.ERROR_DESK] = {"message": {"desk": "d", "want": 9}}
    checked(page.run())
    assert set(leased(opened)) == set(audited["ward"])


def test_a_list_is_shown_with_its_name_and_the_way_back(audited: dict[str, list[int]]) -> None:
    way = chosen.list_address("false_positives", "E-4 by *stage*", audited["ward"][2:], back="metrics")
    page = open_page(PAGE, curator="ada", **{name.replace(".", "__"): value for name, value in way.items()})
    assert said(page) == "List: E-4 by *stage*"
    assert any(link.proto.label == "Back to the number" for link in page.get("page_link"))
    checked(page.button(key="false_positives.leave").click().run())
    assert said(page).startswith("Audit set short")


def test_a_list_is_of_the_corpus_that_its_address_names(
    audited: dict[str, list[int]], opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where documents are looked for by their ids; the newest set is of another one."""
    with open_workspace(opened) as workspace:
        furnish(workspace, "clinic")
    seen: list[ListingFilters] = []
    monkeypatch.setattr(Component, "serve", lambda self, workspace, given, **keys: seen.append(given))
    for corpus, expected in (("ward", "ward"), ("nowhere", "clinic"), ("", "clinic")):
        way = chosen.list_address("false_positives", "Some", audited["ward"][:2], corpus)
        address = {name.replace(".", "__"): value for name, value in way.items()}
        open_page(PAGE, curator="ada", **address)
        assert seen[-1].corpus == expected
        assert seen[-1].listed is not None


def test_false_positives_of_a_number_lead_to_the_form_with_run_and_gold(
    filled: tuple[Path, dict[str, int]],
) -> None:
    def asked(cell: str) -> list[dict[str, str]]:
        address = {"metrics__view": "Overview", "open": f"metrics.counts/before:{cell}"}
        page = open_page("pages/reports/metrics.py", curator="ada", **address)
        found = [
            one.proto for one in page.get("page_link") if one.proto.label == "Audit these false positives"
        ]
        return [dict(parse_qsl(one.query_string)) for one in found]

    assert asked("tp") == []
    [given] = asked("fp")
    page = open_page(PAGE, curator="ada", **{name.replace(".", "__"): value for name, value in given.items()})
    assert page.selectbox(key="false_positives.run").value == "lexicon-1"
    assert page.selectbox(key="false_positives.gold").value == "imported:ward@1"


def test_a_link_asks_for_the_form_beside_sets_that_are_there(audited: dict[str, list[int]]) -> None:
    given = {"false_positives__draw": "run-ward", "false_positives__gold": "imported:ward@1"}
    page = open_page(PAGE, curator="ada", **given)
    page.text_input(key="false_positives.name").set_value("third")
    page.number_input(key="false_positives.size").set_value(1)
    [draw] = [button for button in page.button if button.label == "Draw the set"]
    checked(draw.click().run())
    assert said(page).startswith("Audit set third: 1 of 4")
    assert "false_positives.draw" not in page.query_params
