"""Runs: resumed after a kill, one runner at a time, refused when inputs change."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from core.concepts.profile import Hypernyms
from core.errors import InputError, NotFoundError
from core.pipeline import ConceptsSettings, annotate
from core.pipeline.conflicts import ConflictsSettings, plan_conflicts
from core.pipeline.plan import plan
from core.records import Concept, Document, Ontology, Synonym
from core.store import Workspace, corpora, ontologies, open_workspace, runs
from tests.patience import SECONDS

PASSAGES = 1200
"""Several chunks, so that a kill lands between two writes."""


def fill(workspace: Workspace, passages: int = PASSAGES) -> None:
    terms = (
        Concept("X:1", "Phenotype"),
        Concept("X:2", "Seizure", synonyms=(Synonym("Epileptic fit", "EXACT"),), parents=("X:1",)),
        Concept("X:3", "Ataxia", parents=("X:1",)),
    )
    ontologies.add_ontology(workspace, Ontology("toy", "1", "X:1", "0" * 64, terms))
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "c")
        texts = ("A seizure was seen.", "There was no ataxia.", "Nothing of note.")
        documents = (Document(f"d{i}", f"{texts[i % 3]} Visit {i}.") for i in range(passages))
        for _ in corpora.insert_passages(db, corpus, documents):
            pass


def test_a_run_proposes_on_every_passage_and_says_so(workspace: Workspace) -> None:
    fill(workspace, 300)
    seen: list[tuple[int, int]] = []
    report = annotate(workspace, corpus="c", ontology="toy", progress=lambda *x: seen.append(x))
    assert (report.passages, report.resumed, report.proposals) == (300, 0, 200)
    assert seen[-1] == (300, 300)
    statuses = runs.predictions(workspace, report.run)
    assert statuses["d0"] == {"X:2": "affirmed"}
    assert statuses["d1"] == {"X:3": "negated"}
    assert statuses["d2"] == {}


def test_only_concepts_below_the_root_are_proposed(workspace: Workspace) -> None:
    fill(workspace, 3)
    assert annotate(workspace, corpus="c", ontology="toy@1", root="X:3", run="none").proposals == 0
    with pytest.raises(NotFoundError, match="X:9"):
        annotate(workspace, corpus="c", ontology="toy", root="X:9", run="bad")
    assert "bad" not in [r.id for r in runs.list_runs(workspace)], "a refused run leaves nothing behind"


@pytest.mark.parametrize("name", ["..", "-x", "=1+1", "con"])
def test_no_run_is_begun_under_a_name_that_would_be_misread(workspace: Workspace, name: str) -> None:
    fill(workspace, 3)
    offline = {"corpus": "c", "offline": True, "run": name}
    for begin in (
        lambda: annotate(workspace, corpus="c", ontology="toy", run=name),
        lambda: plan(workspace, ConceptsSettings(ontology="toy", root="X:1", profile="hpa", **offline)),
        lambda: plan_conflicts(workspace, ConflictsSettings(**offline)),
    ):
        with pytest.raises(InputError, match="cannot name a run"):
            begin()
    assert runs.list_runs(workspace) == []


RUNNER = """
    import sys
    from core.pipeline import annotate, start
    from core.store import open_workspace
    start.CHUNK = 20
    with open_workspace(sys.argv[1]) as workspace:
        def told(done, total):
            print(done, flush=True)
            if total - done == 40:
                sys.stdin.readline()
        annotate(workspace, corpus="c", ontology="toy", run="r", progress=told)
"""


def start(path: Path, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """A runner. Two chunks before its end it waits for a line, if one can come."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(RUNNER), str(path)],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def test_killed_again_and_again_a_run_ends_with_every_passage_done_once(tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    for path in (killed, whole):
        with open_workspace(path) as workspace:
            fill(workspace)
    kills = 0
    for chunks in (3, 7, 1, 12, 5):
        process = start(killed, subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(chunks):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        process.wait()
        process.stdin.close()
        process.stdout.close()
        assert process.stderr is not None
        process.stderr.close()
        kills += process.returncode != 0
    assert kills == 5, "each runner was stopped before its end"
    for path in (killed, whole):
        with open_workspace(path) as workspace:
            report = annotate(workspace, corpus="c", ontology="toy", run="r")
            assert report.proposals == 800
            if path == killed:
                assert 28 * 20 <= report.resumed < PASSAGES
            assert len(runs.passages_done(workspace, "r", "lexicon")) == PASSAGES
    with open_workspace(killed) as a, open_workspace(whole) as b:
        assert runs.predictions(a, "r") == runs.predictions(b, "r")


def test_two_runners_on_one_run_have_one_winner(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        fill(workspace)
    racers = [start(path) for _ in range(2)]
    said = [racer.communicate(timeout=SECONDS)[1] for racer in racers]
    loser = [text for racer, text in zip(racers, said, strict=True) if racer.returncode]
    assert len(loser) == 1
    assert "another process" in loser[0] or "is done" in loser[0]
    with open_workspace(path) as workspace:
        assert runs.proposals(workspace, runs.find_run(workspace, "r")) == 800


def test_changed_inputs_are_refused_with_the_difference(workspace: Workspace) -> None:
    fill(workspace, 3)
    annotate(workspace, corpus="c", ontology="toy", run="r")
    with pytest.raises(InputError, match="is done"):
        annotate(workspace, corpus="c", ontology="toy", run="r")
    with pytest.raises(InputError, match="root was 'X:1', is 'X:2'"):
        annotate(workspace, corpus="c", ontology="toy", run="r", root="X:2")


def test_curators_can_save_while_a_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        fill(workspace, 5 * PASSAGES)
    process = start(path)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        with open_workspace(path) as workspace:
            saved = 0
            while process.poll() is None:
                with workspace.write() as db:
                    db.execute("INSERT INTO curators VALUES (?, 'N', NULL, '')", (f"c{saved}",))
                saved += 1
                time.sleep(0.005)
            assert saved > 5
            assert workspace.db.execute("SELECT count(*) FROM curators").fetchone()[0] == saved
    finally:
        _, complaint = process.communicate()
    assert process.returncode == 0, complaint


def test_hypernyms_are_treated_as_the_profile_or_the_option_says(workspace: Workspace) -> None:
    terms = (
        Concept("X:1", "Phenotype"),
        Concept("X:2", "Seizure", parents=("X:1",)),
        Concept("X:3", "Febrile seizure", parents=("X:2",)),
    )
    ontologies.add_ontology(workspace, Ontology("toy", "1", "X:1", "0" * 64, terms))
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "c")
        texts = {"inside": "A febrile seizure.", "apart": "A febrile seizure; later another seizure."}
        for _ in corpora.insert_passages(db, corpus, (Document(d, text) for d, text in texts.items())):
            pass
    found = {}
    for run, policy in (("all", None), ("apart", Hypernyms.KEEP_NAMED_APART), ("none", Hypernyms.DROP)):
        annotate(workspace, corpus="c", ontology="toy", run=run, hypernyms=policy)
        found[run] = {d: set(said) for d, said in runs.predictions(workspace, run).items()}
    assert found["all"] == {"inside": {"X:2", "X:3"}, "apart": {"X:2", "X:3"}}
    assert found["apart"] == {"inside": {"X:3"}, "apart": {"X:2", "X:3"}}
    assert found["none"] == {"inside": {"X:3"}, "apart": {"X:3"}}
    assert "hypernyms" not in runs.find_run(workspace, "all").settings
