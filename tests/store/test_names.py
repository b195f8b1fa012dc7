"""Names that would be taken for a path, an option, a formula or a device are refused wherever given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.records import Concept, Ontology
from core.store import Workspace, corpora, decisions, ontologies, open_workspace, runs
from core.store.curators import insert_curator

MISREAD = [
    *(".", "..", "../w", "a/b", "a\\b", "/etc", "~root", ".hidden", "C:x"),  # paths
    *("-x", "--workspace", "--", "-"),  # options
    *("=1+1", "+1", "@SUM(A1)", "\t=1", "＝1+1", "－1", "＋1"),  # formulas, in full width, too
    *("con", "NUL", "com1", "lpt9.txt", "Aux.db", "COM²"),  # devices
    *("x.", "x ", " x", "", "a b", "a\n", "a\x00b", "a\u202eb", "a\u200bb", "a\u061cb", "a\x1b[31mb"),
    *("a@1", "a:b", "n" * 101, 'a"b', "a*", "a?", "a|b", "a<b>"),
]
FINE = [
    "hp",
    "gpt-4o-mini",
    "run_2",
    "v1.2",
    "2024-02",
    "_x",
    "Übersicht",
    "コーパス",
    "a=b",
    "context",
    "com10",
]


def _corpus(workspace: Workspace, name: str) -> None:
    with workspace.write() as db:
        corpora.create_corpus(db, name)


def _run(workspace: Workspace, name: str) -> None:
    settings: dict[str, Any] = {"source": "t", "settings": {}, "fingerprint": "f", "ontology_id": None}
    with workspace.write() as db:
        runs.begin_run(db, name, kind="imported", corpus_id=1, **settings)


def _ontology(workspace: Workspace, name: str) -> None:
    ontologies.add_ontology(workspace, Ontology(name, "1", None, "0" * 64, (Concept("X:1", "x"),)))


def _gold(workspace: Workspace, name: str) -> None:
    with workspace.write() as db:
        corpora.add_annotation_set(db, name, "1", 1, [], exhaustive=True, sha256="0" * 64)


GIVEN = {"corpus": _corpus, "run": _run, "ontology": _ontology, "gold set": _gold}


@pytest.mark.parametrize("kind", GIVEN)
def test_what_would_be_misread_names_nothing(workspace: Workspace, kind: str) -> None:
    _corpus(workspace, "ward")
    before = workspace.revision()
    for name in MISREAD:
        with pytest.raises(InputError, match=f"cannot name an? {kind}"):
            GIVEN[kind](workspace, name)
    assert workspace.revision() == before
    for name in FINE:
        GIVEN[kind](workspace, name)


@pytest.mark.parametrize(
    "text", [".", "..", "-x", "=1+1", "+1", "@x", "＝1", "a\u202eb", "a\x00b", "a\u200bb", "a\nb", "\x1b[2J"]
)
def test_curators_are_called_what_can_be_seen_and_is_no_formula(workspace: Workspace, text: str) -> None:
    for given in ((text, "Anna"), ("anna", text)):
        with pytest.raises(InputError, match=r"of a curator: .* Choose another"):
            decisions.add_curator(workspace, *given)
    with workspace.write() as db, pytest.raises(InputError, match="of a curator"):
        insert_curator(db, text, text)  # as from a log of decisions
    assert decisions.list_curators(workspace) == []


def test_people_keep_their_names(workspace: Workspace) -> None:
    names = ["Zoë O'Brien-Østergård", "'t Hooft, G.", "(Anna)", "李 明", "Dr. Con Nul Jr.", "A / B", "x=y"]
    for n, name in enumerate(names):
        assert decisions.add_curator(workspace, f"anna.{n}@clinic.example", name).name == name


def test_no_curator_id_is_a_path(workspace: Workspace) -> None:
    for text in ("../anna", "a\\b"):
        with pytest.raises(InputError, match="the id of a curator: it would be read as a path"):
            decisions.add_curator(workspace, text, "Anna")


def test_a_workspace_that_holds_such_names_opens_is_read_and_goes_on(workspace_path: Path) -> None:
    """As an earlier version, or another tool, made it."""
    with open_workspace(workspace_path) as workspace, workspace.write() as db:
        db.execute("INSERT INTO corpora (name, added_at) VALUES ('=ward', 'now')")
        db.execute("INSERT INTO curators VALUES ('-x', '..', NULL, 'now')")
        db.execute(
            "INSERT INTO ontologies (name, version, sha256, added_at) VALUES ('..', '1', ?, 'now')",
            ("0" * 64,),
        )
        db.execute(
            "INSERT INTO runs (id, kind, source, corpus_id, status, fingerprint, started_at)"
            " VALUES ('-r', 'imported', 's', 1, 'running', 'f', 'now')"
        )
    with open_workspace(workspace_path) as workspace:
        assert corpora.corpus(workspace, "=ward").passages == 0
        assert runs.find_run(workspace, "-r").corpus == "=ward"
        assert runs.checked_name(workspace, "-r") == "-r"
        assert decisions.add_curator(workspace, "-x", "..").id == "-x"  # the one that is there
        assert ontologies.find_ontology(workspace, "..").reference == "..@1"
        ontologies.add_ontology(workspace, Ontology("..", "2", None, "1" * 64, ()))
        with workspace.write() as db:
            assert not insert_curator(db, "-x", "-x")
