"""The page of conflict metrics without a browser, on four pairs whose scores are worked out by hand in
tests/evaluate/pairs/test_pair_runs.py."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.evaluate.estimated import estimated
from core.records import Action, ConflictType, NewDecision, PairAnswer
from core.review.frames import next_units
from core.store import Workspace, decisions, frames, pairs
from pages.widgets.state import CONFLICT_METRICS as KEY
from tests.pages import reader
from tests.pages.reader import checked, choose, click, links, queues, select, tables
from tests.review.pairs.library import furnish

PAGE = "pages/reports/conflict_metrics.py"


@pytest.fixture
def reviewed(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Items of two pairs that alpha has answered: the first as it was labelled, the second as a direct
    contradiction. Both are labelled contextual."""
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    library = furnish(workspace)
    found = {pair.item_id: pair for pair in pairs.pairs(workspace, "alpha")}
    first, second = (found[item] for item in library.items[:2])
    label = next(one.label for one in pairs.labels_of_items(workspace, [first.item_id])[first.item_id])
    answers = [
        PairAnswer(
            first.pair_id, True, label.conflict_type, label.axes, label.confounder, label.reconciliation
        ),
        PairAnswer(second.pair_id, True, ConflictType.DIRECT_CONTRADICTION),
    ]
    decisions.append(
        workspace,
        [
            NewDecision(f"c{i}", "alpha", action, item_id=pair.item_id, answer=answer)
            for i, (action, pair, answer) in enumerate(
                zip((Action.ACCEPT, Action.FIX), (first, second), answers, strict=True)
            )
        ],
    )
    return [first.item_id, second.item_id]


def open_page(**address: str) -> AppTest:
    return reader.open_page(PAGE, **{f"{KEY}{name}": value for name, value in address.items()})


def test_an_empty_workspace_says_how_to_begin(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    page = open_page()
    assert "touchstone run conflicts" in page.info[0].value


def test_without_gold_it_says_what_to_do(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    furnish(workspace)
    assert "Nothing to score this run against" in open_page().info[0].value


def test_without_gold_a_frame_is_opened_all_the_same(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first answer makes gold; the way back leads to the view that it was opened in."""
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    furnish(workspace)
    page = open_page()
    page.text_input(key=f"{KEY}frame_name").set_value("first")
    page = checked(page.button(key=f"FormSubmitter:{KEY}frame-Open the frame").click().run())
    (listed,) = queues(page)
    assert listed.items == [unit.item_id for unit in next_units(workspace, "first", 100)]
    assert page.query_params[f"{KEY}view"] == "Whole run"


def test_five_tasks_at_a_glance_before_and_after_review(reviewed: list[int]) -> None:
    """Contextual F1 2/3, direct 0: 1/9 over six; after review 2/6. Axes over the nine: TP 3, FP 3: 2/3. The
    confounder of the one pair that has one is right; so is its wording; no answer marks evidence."""
    page = open_page()
    cards = [(m.label.replace("\\", ""), m.value, m.delta) for m in page.metric]
    assert cards == [
        ("Types", "0.333", "+0.222"),
        ("Axes", "1.000", "+0.333"),
        ("Confounder", "1.000", "unchanged"),
        ("Reconciliation", "1.000", "unchanged"),
        ("Evidence", "–", ""),
    ]
    captions = [c.value.replace("\\", "") for c in page.caption]
    assert any("Macro F1 over six types" in c and "2 pairs" in c for c in captions)
    assert any("No pair has a gold span on its claims." in c for c in captions)
    page = choose(page, **{f"{KEY}all": True})
    (board,) = tables(page)
    accuracy = next(row for row in board if row["value"].endswith("Accuracy") and "type" in row["value"])
    assert accuracy["before review"].startswith("0.500 [")
    assert accuracy["after review"] == "1.000 [1.000, 1.000]"
    assert accuracy["difference, paired"].startswith("+0.500 [")
    notes = page.info[0].value.replace("\\", "")
    assert "Small test set: 2 pairs" in notes
    assert "agree with it by construction" in notes


def test_a_cell_of_the_confusion_matrix_opens_its_pair_and_the_pair_its_review(
    workspace: Workspace, reviewed: list[int]
) -> None:
    page = open_page(view="Types")
    base = f"{KEY}before_conflict_types_confusion"
    page = select(page, f"{base}_table", cells=[(1, "contextual_contradiction")])
    (opened,) = [t for t in tables(page) if t and "pair" in t[0]]
    (pair,) = [p for p in pairs.pairs(workspace, "alpha") if p.item_id == reviewed[1]]
    assert [(row["outcome"], row["pair"]) for row in opened] == [("confused", pair.pair_id)]
    assert opened[0]["detail"] == "gold direct contradiction, predicted contextual contradiction"
    (queue,) = queues(page)
    name = (
        "direct contradiction, contextual contradiction: alpha against what people decided, up to decision 2"
    )
    assert queue[:5] == ("Review this one", "conflict_labels", [reviewed[1]], name, "trials")
    select(page, f"{base}_items", cells=[(0, "document")])
    assert links(page) == [f"item={reviewed[1]}"]
    assert all("conflict_labels" in link.proto.page for link in page.get("page_link"))


@pytest.mark.parametrize("view", ["Axes", "Confounder", "Reconciliation", "Evidence"])
def test_every_task_has_its_view(reviewed: list[int], view: str) -> None:
    page = open_page(view=view)
    assert len(tables(page)) >= 2
    assert page.segmented_control(key=f"{KEY}side").value == "before"


def test_a_link_restores_the_view_after_review(reviewed: list[int]) -> None:
    page = open_page(view="Types", side="After review")
    classes = next(t for t in tables(page) if t and "flag" in t[0])
    assert classes[1]["F1"].startswith("1.000")
    assert {row["flag"] for row in classes} == {"exploratory"}


def test_a_cell_of_the_overview_opens_its_pairs_on_either_side(reviewed: list[int]) -> None:
    page = open_page()
    assert tables(page) == [], "pictures first"
    page = choose(page, **{f"{KEY}all": True})
    (board,) = tables(page)
    row = next(i for i, r in enumerate(board) if r["value"] == "Conflict type (task 1): Accuracy")
    page = select(page, f"{KEY}review_table", cells=[(row, "before review")])
    assert sorted(item["outcome"] for item in tables(page)[-1]) == ["right", "wrong"]
    page = select(page, f"{KEY}review_table", cells=[(row, "after review")])
    assert [item["outcome"] for item in tables(page)[-1]] == ["right", "right"]


def test_a_square_of_machine_and_gold_opens_its_pairs(workspace: Workspace, reviewed: list[int]) -> None:
    """Two pairs have gold: of one type the same, of the other direct for contextual."""
    page = click(open_page(), f"{KEY}grid_confusion_chart", (1, 3))
    (opened,) = tables(page)
    assert [row["detail"] for row in opened] == [
        "gold direct contradiction, predicted contextual contradiction"
    ]


def test_numbers_are_new_after_a_decision(workspace: Workspace, reviewed: list[int]) -> None:
    assert open_page().metric[0].value == "0.333"
    found = next(p for p in pairs.pairs(workspace, "alpha") if p.item_id == reviewed[1])
    answer = PairAnswer(found.pair_id, True, ConflictType.CONTEXTUAL_CONTRADICTION)
    decisions.append(
        workspace, [NewDecision("again", "alpha", Action.FIX, item_id=reviewed[1], answer=answer)]
    )
    assert open_page().metric[0].value == "0.167"  # contextual 1, the other five 0


def test_a_frame_says_how_often_the_type_is_right_in_the_whole_run(
    workspace: Workspace, reviewed: list[int]
) -> None:
    """Of four pairs two are answered: one kept, one turned into another type."""
    page = open_page(view="Whole run")
    page.text_input(key=f"{KEY}frame_name").set_value("pairs")
    page = checked(page.button(key=f"FormSubmitter:{KEY}frame-Open the frame").click().run())
    found = estimated(workspace, "pairs")
    left = next_units(workspace, "pairs", 100)
    row = tables(page)[0][0]
    assert row["figure"] == "Accuracy"
    assert row["decided"] == f"{found.headline.n} of 4 pairs"
    (listed,) = queues(page)
    assert listed[:5] == (
        "Review these 2",
        "conflict_labels",
        [unit.item_id for unit in left],
        "Frame pairs",
        "trials",
    )
    for unit in left:
        decisions.append(
            workspace, [NewDecision(f"f{unit.item_id}", "alpha", Action.REJECT, item_id=unit.item_id)]
        )
    page = open_page(view="Whole run")
    row, beside = tables(page)[0]
    assert (row["estimate"], row["decided"]) == ("0.250 [0.250, 0.250]", "4 of 4 pairs")
    assert (beside["figure"], beside["decided"]) == ("Anchoring: shown less blind", "4 shown, 0 blind")
    assert queues(page) == []


def test_frames_of_pairs_are_drawn_by_type(workspace: Workspace, reviewed: list[int]) -> None:
    page = open_page(view="Whole run")
    page.text_input(key=f"{KEY}frame_name").set_value("cut")
    page.selectbox(key=f"{KEY}frame_draw").set_value("type")
    checked(page.button(key=f"FormSubmitter:{KEY}frame-Open the frame").click().run())
    (frame,) = frames.list_frames(workspace)
    assert (frame.policy, frame.scope) == ("strata", {"kind": "pair", "by": "type"})
