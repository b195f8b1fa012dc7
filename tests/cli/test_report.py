"""touchstone report: one file with numbers and chosen labels, which opens without a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evaluate.report.items import items_table
from core.records import Assertion
from core.review.frames import Wanted, open_frame
from core.store import open_workspace, queue
from tests.cli.test_flow import refused, run
from tests.evaluate import ward
from tests.evaluate.test_page_report import Reader
from tests.review.pairs.library import furnish


@pytest.fixture
def reviewed(tmp_path: Path) -> Path:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        ward.review(workspace, ward.fill(workspace))
    return path


def test_the_newest_run_with_gold_is_told_of_and_labels_are_chosen(reviewed: Path, tmp_path: Path) -> None:
    with open_workspace(reviewed) as workspace:
        items = {i.subject: i.id for i in queue.items_of_passages(workspace, [1])}
    file = tmp_path / "r.html"
    assert run(reviewed, "report", "--out", str(file), "--item", str(items[ward.E])).returncode == 0
    text = file.read_text("utf-8")
    rows = Reader(text).rows
    (shown,) = [row for row in rows if row and row[0] == "d1" and ward.RUN in row]
    assert ward.E in shown[1]
    assert shown[-1] == "reject 1", "what curator alpha said of it"
    assert any(row[:1] == ["predictions"] and row[1] == ward.RUN for row in rows)
    assert any("0.792" in cell for row in rows for cell in row), "macro F1 as proposed, by hand"
    assert "default-src 'none'" in text


def test_claim_pairs_are_shown_with_both_claims(tmp_path: Path) -> None:
    path, file = tmp_path / "w.db", tmp_path / "r.html"
    with open_workspace(path) as workspace:
        library = furnish(workspace)
    assert run(path, "report", "--out", str(file), "--item", str(library.items[0])).returncode == 0
    rows = Reader(file.read_text("utf-8")).rows
    shown = [row for row in rows if any(cell.startswith("A: ") and " B: " in cell for cell in row)]
    assert shown
    assert all("contextual contradiction" in row[3] for row in shown)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "r.txt"), "A report is .html"),
        (("--out", "r.html", "--gold", "imported:ward@1"), "name the run with --run"),
        (("--out", "r.html", "--item", "99999"), "no item"),
        (("--out", "r.html", "--run", "nobody"), "nobody"),
    ],
)
def test_what_cannot_be_reported_is_refused_and_nothing_is_written(
    reviewed: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    at = tmp_path / arguments[1]
    refused(run(reviewed, "report", "--out", at, *arguments[2:]), said)
    assert not at.exists()


def test_an_empty_workspace_has_nothing_to_report(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    open_workspace(path).close()
    refused(run(path, "report", "--out", tmp_path / "r.html"), "nothing to report")


def test_who_still_decides_reads_neither_blind_labels_nor_what_others_said(reviewed: Path) -> None:
    with open_workspace(reviewed) as workspace:
        items = [i.id for i in queue.items_of_passages(workspace, [1])]
        own, other, reader = (items_table(workspace, items, one) for one in ("alpha", "beta", None))
        assert own.rows == reader.rows
        assert any(row[-1] for row in own.rows)
        assert not any(row[-1] for row in other.rows)
        open_frame(workspace, Wanted(ward.RUN, "cut", blind=1.0, assertions=tuple(Assertion), decoys=False))
        assert items_table(workspace, items, "beta").rows == []
        assert items_table(workspace, items, None).rows == reader.rows
