"""What each page offers to take away, and what a report of a desk tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.store import decisions, open_workspace
from pages.widgets.take_away import Items, Shown, _report
from tests.evaluate import ward
from tests.pages.reader import checked, open_page
from tests.review import audit_ward
from tests.review.clinic import items_of_run


def offers(page: object) -> bool:
    return [one.proto.label for one in page.sidebar.get("download_button")] == ["Save as report"]  # type: ignore[attr-defined]


PAGES = (
    *("start/start", "guide/guide", "review/concept_labels"),
    *("reports/runs", "explore/ontology", "explore/corpus"),  # before anything is chosen
)


@pytest.mark.parametrize("file", PAGES)
def test_a_page_is_saved_as_a_report(reviewed: Path, file: str) -> None:
    assert offers(open_page(f"pages/{file}.py", curator="alpha"))


def test_a_text_that_is_tried_is_saved_with_what_was_found(reviewed: Path) -> None:
    page = open_page("pages/start/try_text.py")
    assert not offers(page)  # nothing is there to save
    page.text_area(key="try_text.text").set_value(f"{ward.LABELS[ward.A]}.")
    assert offers(checked(page.button[0].click().run()))


def test_a_desk_without_a_list_tells_of_the_label_shown_and_the_last_decided(reviewed: Path) -> None:
    with open_workspace(reviewed) as workspace:
        decided = {one.item_id for one in decisions.standing(workspace) if one.subject}
        (left,) = set(items_of_run(workspace, ward.RUN)) - decided
    told = _report("Concept labels", Shown(items=Items(reviewed, "concept", (left,), False, "alpha")))
    assert told.count("<tr>") == 1 + 1 + len(decided)  # heads, the label shown, and what alpha decided
    assert "accept 1" in told
    of_another = _report("Concept labels", Shown(items=Items(reviewed, "concept", (left,), False, "beta")))
    assert of_another.count("<tr>") == 1 + 1
    assert "accept" not in of_another


def test_a_desk_of_the_audit_tells_of_the_label_that_is_audited(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        first = audit_ward.furnish(workspace)[0]
    told = _report("False positives", Shown(items=Items(opened, "error", (first, 10**6), False, "ada")))
    assert told.count("<tr>") == 1 + 1
    assert "run-ward" in told


def test_a_text_stands_in_a_report_line_by_line_and_is_no_markup() -> None:
    told = _report("Guide", Shown(texts={"A <page>": "# One\n\n<b>two</b>"}))
    assert "A &lt;page&gt;" in told
    assert "# One\n\n&lt;b&gt;two&lt;/b&gt;" in told
