"""touchstone run concepts --oracle: as people script it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.records import Annotation
from core.store import corpora, open_workspace
from tests.cli.test_flow import done, refused, run
from tests.pipeline import ward

CONCEPTS = ("run", "concepts", "--corpus", "c", "--ontology", "toy", "--profile", "hpa", "--root", "X:1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Four passages; gold says of the first that it speaks of a headache, which no words name."""
    made = tmp_path / "w.db"
    with open_workspace(made) as workspace:
        ward.fill(workspace, 4)
        passages = corpora.passage_ids(workspace, "c")
        found = corpora.corpus(workspace, "c")
        with workspace.write() as db:
            gold = [(passages["d0"], Annotation("X:4"))]
            corpora.add_annotation_set(db, "g", "1", found.id, gold, exhaustive=True, sha256="1" * 64)
    return made


def test_an_oracle_takes_the_only_gold_and_says_so(path: Path, tmp_path: Path) -> None:
    words = (*CONCEPTS, "--offline", "--stages", "generate", "--oracle", "candidates")
    report = done(path, *words, "--run", "o")
    assert (report["proposals"], report["oracle"]) == (1, "gold candidates of imported:g@1")
    assert "oracle" in run(path, "runs", "show", "o").stdout
    out = tmp_path / "o.json"
    refused(run(path, "export", "proposals", "--run", "o", "--out", out), "no labelling", "--oracle")
    assert not out.exists()
    assert run(path, "export", "proposals", "--run", "o", "--out", out, "--oracle").returncode == 0
    scores = done(path, "evaluate", "o", "--gold", "imported:g@1", "--families", "attribution")
    left = scores["families"]["attribution"]["tables"]["funnel"]
    assert left["rows"] == [["generate", 1, 0, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--oracle", "answers"), ("--oracle",)),
        (("--gold", "imported:g@1"), ("--oracle",)),
        (("--oracle", "sentences"), ("where it stands",)),
        (("--oracle", "candidates", "--ablation"), ("ablation", "--oracle")),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    path: Path, words: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    refused(run(path, *CONCEPTS, "--offline", *words), *parts)
