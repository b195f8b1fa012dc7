"""The page of the error taxonomy: shares, examples, and what each number opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.records import Action, ErrorAnswer, ErrorType, NewDecision
from core.store import decisions, open_workspace
from tests.pages import reader
from tests.pages.reader import links, queues, select, table, tables
from tests.review.audit_ward import drawn, furnish

PAGE = "pages/audit/error_taxonomy.py"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    where = tmp_path / "audit.db"
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(where))
    open_workspace(where).close()
    return where


def classify(path: Path, items: list[int], given: list[ErrorType | None], curator: str = "ada") -> None:
    """None: unsure."""
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, curator, curator.title())
        for item, error in zip(items, given, strict=False):
            new = NewDecision(
                f"{curator}-{item}",
                curator,
                Action.CLASSIFY_ERROR if error else Action.UNSURE,
                item_id=item,
                answer=ErrorAnswer(error) if error else None,
            )
            assert decisions.append(workspace, [new])[0].number


@pytest.fixture
def items(path: Path) -> list[int]:
    with open_workspace(path) as workspace:
        return furnish(workspace)


def test_without_a_set_it_says_how_to_draw_one(path: Path) -> None:
    assert "audit draw" in reader.open_page(PAGE).info[0].value


def test_shares_of_both_wholes_an_example_of_each_and_what_is_open(path: Path, items: list[int]) -> None:
    classify(path, items, [ErrorType.MISSING_GOLD, ErrorType.TRIGGER, None])
    page = reader.open_page(PAGE)
    rows = {row["type"]: row for row in table(page, "error_taxonomy.types_table")}
    # 1 of 2 and 1 of 1; Wilson's bounds of 1 of 2 at 95 % are 0.095 and 0.905
    assert rows["Missing gold"]["of the apparent false positives"] == "0.500 [0.095, 0.905]"
    assert rows["E-4 Lexical triggering"]["of the true errors"] == "1.000"
    assert rows["E-1 Granularity mismatch"]["items"] == 0
    assert any(c.value == "2 classified, 1 unsure, 1 open." for c in page.caption)
    said = [m.value for m in page.markdown if m.value.startswith("**")]
    assert [one.split("**")[1] for one in said] == ["Missing gold", "E-4 Lexical triggering"]
    assert "false_positives.set=ward" in links(page)


def test_a_number_is_a_queue_on_the_desk_of_the_audit(path: Path, items: list[int]) -> None:
    classify(path, items, [ErrorType.TRIGGER, ErrorType.TRIGGER, ErrorType.CONTEXT])
    page = reader.open_page(PAGE)
    names = [row["type"] for row in table(page, "error_taxonomy.types_table")]
    at = names.index("E-4 Lexical triggering")
    page = select(page, "error_taxonomy.types_table", cells=[(at, "items")])
    assert len(table(page, "error_taxonomy.types_items")) == 2
    [queue] = queues(page)
    assert (queue.page, queue.items) == ("false_positives", items[:2])
    assert queue.back.startswith("error_taxonomy?")


def test_a_curator_sees_items_that_they_audited_and_all_numbers(path: Path, items: list[int]) -> None:
    classify(path, items, [ErrorType.TRIGGER, ErrorType.TRIGGER])
    classify(path, items[:1], [ErrorType.CONTEXT], "ben")
    page = reader.open_page(PAGE, curator="ben")
    names = [row["type"] for row in table(page, "error_taxonomy.types_table")]
    at = names.index("E-4 Lexical triggering")
    assert table(page, "error_taxonomy.types_table")[at]["items"] == 2
    page = select(page, "error_taxonomy.types_table", cells=[(at, "items")])
    assert len(table(page, "error_taxonomy.types_items")) == 1


def test_sets_stand_side_by_side(path: Path, items: list[int]) -> None:
    with open_workspace(path) as workspace:
        drawn(workspace, "ward", "again", 2, "7")
    classify(path, items, [ErrorType.TRIGGER])
    page = reader.open_page(PAGE)
    rows = tables(page)[-1]
    assert [row["audit set"] for row in rows] == ["ward", "again"]
