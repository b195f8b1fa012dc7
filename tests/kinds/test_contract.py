"""Every kind goes through the contract; a made-up one needs a file, a row, its view and its file rows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.kinds import KINDS, repeat
from core.records import ItemKind
from core.review.views import VIEWS
from tests.kinds.contract import walk

ROOT = Path(__file__).parents[2]
MADE_UP = Path(__file__).parent / "grade"
FILES = {
    "kind.py": "core/kinds/grade.py",
    "view.py": "core/review/views/grade.py",
    "rows.py": "core/formats/grade.py",
}
ROWS = {
    "core/kinds/__init__.py": [
        ("from core.kinds import concept, error, ", "from core.kinds import concept, error, grade, "),
        ("    ItemKind.PAIR: pair.KIND,\n", '    ItemKind.PAIR: pair.KIND,\n    "grade": grade.KIND,\n'),
    ],
    "core/review/views/__init__.py": [
        ("\nVIEWS", "\nfrom core.review.views.grade import GradeView\n\nVIEWS"),
        (
            "    ItemKind.PAIR: PairView(),\n",
            '    ItemKind.PAIR: PairView(),\n    "grade": GradeView(),\n',
        ),
    ],
    "core/formats/decisions.py": [
        ("\nANSWERS", "\nfrom core.formats.grade import GradePart\n\nANSWERS"),
        (
            "    ItemKind.PAIR: PairAnswerPart,\n",
            '    ItemKind.PAIR: PairAnswerPart,\n    "grade": GradePart,\n',
        ),
    ],
}
"""Where a kind is made known: an import and a row in each of the three registries."""


@pytest.mark.parametrize("kind", [kind for kind in VIEWS if kind in KINDS])
def test_a_kind_is_proposed_decided_undone_settled_exported_taken_in_and_scored(
    tmp_path: Path, kind: str
) -> None:
    walk(kind, tmp_path)


def test_every_kind_but_the_passage_has_a_view() -> None:
    """And one view more rules on items of any kind. What is asked again is shown as it was the first time."""
    again = {name for name in KINDS if name.endswith(repeat.SUFFIX)}
    assert {name.removesuffix(repeat.SUFFIX) for name in again} == {ItemKind.CONCEPT, ItemKind.PAIR}
    assert set(VIEWS) - {"adjudication"} == set(KINDS) - again - {ItemKind.PASSAGE}


def test_a_made_up_kind_is_a_file_a_row_its_view_and_its_file_rows(tmp_path: Path) -> None:
    copy = tmp_path / "checkout"
    for top in ("core", "tests/kinds", "tests/review", "tests/store", "tests/repeats.py"):
        source = ROOT / top
        if source.is_dir():
            shutil.copytree(source, copy / top, ignore=shutil.ignore_patterns("__pycache__", "*.xz"))
        else:
            shutil.copy(source, copy / top)
    (copy / "data").symlink_to(ROOT / "data")
    for name, place in FILES.items():
        shutil.copy(MADE_UP / name, copy / place)
    for place, edits in ROWS.items():
        text = (copy / place).read_text("utf-8")
        for before, after in edits:
            assert text.count(before) == 1, (place, before)
            text = text.replace(before, after)
        (copy / place).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tests.kinds.contract", "grade"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("grade: proposed, decided")
