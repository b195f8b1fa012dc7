"""A label to look at before anybody has said who they are: what it shows, what it keeps back."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.kinds.names import NAMES
from core.records import Action, ErrorType
from core.review.frames import Wanted, open_frame
from core.store import decisions, open_workspace
from tests.pages.reader import APP, checked
from tests.patience import SECONDS
from tests.review import audit_ward
from tests.review.clinic import CATARACT, HYPOTONIA, furnish, item
from tests.review.pairs import library
from tests.store import making

PAGE, PAIRS = "pages/review/concept_labels.py", "pages/review/conflict_labels.py"
AUDIT, RULINGS = "pages/audit/false_positives.py", "pages/review/adjudication.py"
KEYS = {"Accept": "A", "Fix": "F", "Reject": "X"}


@pytest.fixture
def path(opened: Path) -> Path:
    with open_workspace(opened) as workspace:
        furnish(workspace)
    return opened


def visit(at: str = PAGE, **address: str) -> AppTest:
    """The page, once it is certain that the browser remembers nobody. `__` stands for a dot."""
    page = AppTest.from_file(str(APP), default_timeout=SECONDS).run().switch_page(at)
    page.session_state["frame.unknown"] = True
    for name, value in address.items():
        page.query_params[name.replace("__", ".")] = value
    return checked(page.run())


def heads(page: AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in page.header]


def test_the_first_label_is_shown_and_nobody_is_asked_for_a_name(path: Path) -> None:
    page = visit()
    assert heads(page) == ["Seizure, affirmed?"]
    assert [button.label for button in page.button] == ["Accept", "Fix", "Reject"]
    assert not page.text_input


@pytest.mark.parametrize("name", KEYS)
def test_a_decision_asks_for_the_name_and_is_none_without_one(path: Path, name: str) -> None:
    page = visit()
    (button,) = [one for one in page.button if one.label == name]
    page = checked(button.click().run())
    assert heads(page) == ["Who is reviewing?", "Seizure, affirmed?"]
    page.text_input[0].set_value("Gamma")
    (start,) = [one for one in page.button if one.label == "Start reviewing"]
    page = checked(start.click().run())
    assert page.session_state["frame.curator"] == "gamma"
    assert heads(page) == []  # the desk stands there now
    assert "item" in page.query_params  # it opens at that very label
    (line,) = page.info
    assert line.value == f"Nothing is saved yet. Press **{KEYS[name]}** ({name}) to decide on this label."
    with open_workspace(path) as workspace:
        assert list(decisions.decisions(workspace)) == []


def test_the_label_that_the_address_asks_for_comes_first(path: Path) -> None:
    with open_workspace(path) as workspace:
        rows = workspace.db.execute("SELECT passage_id FROM items ORDER BY id").fetchall()
        absent = item(workspace, rows[0][0], CATARACT)
        present = item(workspace, rows[0][0], HYPOTONIA)
    assert heads(visit(item=str(absent))) == ["Cataract, negated?"]
    listed = {"concept_labels__items": f"{present}.{absent}", "concept_labels__list": "Two"}
    assert heads(visit(**listed)) == ["Hypotonia, affirmed?"]


@pytest.mark.parametrize("given", ["0", "-1", "x", "99999", "9" * 30])
def test_an_address_that_names_nothing_asks_for_the_name(path: Path, given: str) -> None:
    assert heads(visit(item=given))[0] in ("Who is reviewing?", "Seizure, affirmed?")


def test_what_is_answered_blind_is_not_shown(path: Path) -> None:
    with open_workspace(path) as workspace:
        open_frame(workspace, Wanted("alpha", "blind", blind=1.0, decoys=False))
        rows = workspace.db.execute("SELECT passage_id FROM items ORDER BY id").fetchall()
        absent = item(workspace, rows[0][0], CATARACT)  # negated: not drawn
        drawn = item(workspace, rows[0][0], HYPOTONIA)
    assert heads(visit()) == ["Cataract, negated?"]
    assert heads(visit(item=str(absent))) == ["Cataract, negated?"]
    page = visit(item=str(drawn))
    assert heads(page) == ["Who is reviewing?"]
    assert "Hypotonia" not in str(page)


def test_nothing_of_a_passage_that_is_listed_blind_is_shown(path: Path) -> None:
    with open_workspace(path) as workspace:
        open_frame(workspace, Wanted("alpha", "blind", unit="passage", blind=1.0))
    page = visit()
    assert heads(page) == ["Who is reviewing?"]
    assert "eizure" not in str(page.main)


# --- claim pairs --------------------------------------------------------------------------------------------


@pytest.fixture
def trials(opened: Path) -> Path:
    with open_workspace(opened) as workspace:
        library.furnish(workspace)
    return opened


def test_a_pair_is_shown_with_both_claims_and_nobody_is_asked_for_a_name(trials: Path) -> None:
    page = visit(PAIRS)
    assert heads(page) == ["Contextual contradiction?"]
    assert [button.label for button in page.button] == ["Accept", "Reject"]
    assert not page.text_input
    (accept, _) = page.button
    page = checked(accept.click().run())
    assert heads(page)[0] == "Who is reviewing?"
    with open_workspace(trials) as workspace:
        assert list(decisions.decisions(workspace)) == []


def test_a_pair_that_is_to_be_answered_blind_is_not_shown(trials: Path) -> None:
    with open_workspace(trials) as workspace:
        open_frame(workspace, Wanted("alpha", "all", blind=1.0))
    page = visit(PAIRS)
    assert heads(page) == ["Who is reviewing?"]


# --- audit and adjudication ---------------------------------------------------------------------------------


def shown(page: AppTest) -> list[str]:
    """Labels of the buttons that decide."""
    return [one.label for one in page.main.button if str(one.key).startswith("preview.")]


def sit(page: AppTest, name: str = "Gamma") -> AppTest:
    (field,) = [one for one in page.text_input if one.label == "Your name"]
    field.set_value(name)
    (start,) = [one for one in page.button if one.label == "Start reviewing"]
    return checked(start.click().run())


def test_an_apparent_false_positive_is_shown_with_its_six_answers(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        first = audit_ward.furnish(workspace)[0]
    page = visit(AUDIT)
    (head,) = heads(page)
    assert head.endswith(", affirmed?")
    assert shown(page) == [NAMES[error] for error in ErrorType]
    page = checked(page.button(key="preview.Lexical triggering").click().run())
    assert heads(page) == ["Who is reviewing?", head]
    page = sit(page)
    assert page.query_params["item"] in (str(first), [str(first)])
    assert [one.value for one in page.info] == [
        "Nothing is saved yet. Press **4** (Lexical triggering) to decide on this label."
    ]
    with open_workspace(opened) as workspace:
        assert list(decisions.decisions(workspace)) == []


def test_an_error_about_a_label_to_be_answered_blind_is_not_shown(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        audit_ward.furnish(workspace)
        open_frame(workspace, Wanted("run-ward", "blind", blind=1.0))
    page = visit(AUDIT)
    assert heads(page) == ["Who is reviewing?"]
    assert shown(page) == []


def test_a_dispute_is_shown_without_what_curators_answered(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        house = making.furnish(workspace, 1)
        answer = making.answer(making.CONCEPTS[0])
        making.say(workspace, "alpha", Action.ACCEPT, house.item(), answer=answer, note="SECRET")
        making.say(workspace, "beta", Action.REJECT, house.item())
    page = visit(RULINGS)
    assert len(heads(page)) == 1
    assert shown(page) == ["Rule on this"]
    assert "SECRET" not in str(page.main)
    page = checked(page.button(key="preview.Rule on this").click().run())
    assert heads(page)[0] == "Who is reviewing?"
    assert not sit(page).info


def test_nobody_is_asked_for_a_name_where_there_is_nothing_to_audit_yet(path: Path) -> None:
    page = visit(AUDIT)
    assert heads(page) == []
    assert not any(one.label == "Your name" for one in page.text_input)
