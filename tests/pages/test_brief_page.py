"""The page of the topic brief: what is asked, three columns, links to pairs, and what it says without."""

from __future__ import annotations

from pathlib import Path

from core.store import open_workspace
from tests.pages import reader
from tests.pipeline.conflicts import lab

PAGE = "pages/explore/brief.py"


def test_without_claims_it_says_how_to_find_some(opened: Path) -> None:
    assert "run conflicts" in reader.open_page(PAGE).info[0].value


def test_findings_stand_in_columns_and_open_their_pairs(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        lab.fill(workspace, 12)
        lab.label(workspace)
    page = reader.open_page(PAGE, brief__about="aldorine mortality")
    heads = [one.value for one in page.header]
    assert [head.partition(" (")[0] for head in heads[:3]] == ["For", "Against", "Undecided"]
    assert not heads[0].endswith("(0)")
    assert not heads[1].endswith("(0)")
    (queue,) = reader.queues(page)
    assert queue.page == "conflict_labels"
    assert {f"item={item}" for item in queue.items} == set(reader.links(page))
    assert "no claim" in reader.choose(page, brief__about="unicorn horns").info[0].value.lower()
