"""Every verb on a workspace that is open to look at only: it writes nothing, and what would write is refused
before it asks anybody anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import cli
from core.cli.demo import build_demo
from core.cli.reference import verbs
from core.encode import models
from core.errors import WorkspaceError
from core.exchange import add_pairs
from core.llm import write_batch
from core.store import open_workspace
from core.store.backup import backup
from tests.cli.test_flow import refused, run
from tests.evaluate import ward
from tests.llm.test_batch import collected, service
from tests.pipeline import test_learn as taught
from tests.test_docs import SEIZURE, lines, noted, release

DEMO = Path(__file__).parents[2] / "data" / "demo"
NOWHERE = "http://127.0.0.1:9/v1"
"""Nobody listens there: whoever asked would tell so."""
MODEL = ("--model", "m", "--base-url", NOWHERE)
Words = tuple[object, ...]
LABELLING: Words = ("--corpus", "ward", "--ontology", "hp", "--profile", "hpa", "--root", ward.A)
TRAIN: Words = ("--train", DEMO / "passages.json", "--on", "ward", "--out", "names.json")
PAIRS: Words = (DEMO / "abstract_pairs.jsonl", "--source", "x")

REFUSED: dict[str, list[Words]] = {
    "annotate": [("--corpus", "ward", "--ontology", "hp")],
    "annotate pairs": [(DEMO / "abstract_pairs.jsonl", "--out", "labelled.jsonl", *MODEL)],
    "audit draw": [("--run", ward.RUN, "--gold", ward.GOLD, "--size", "2", "--name", "a")],
    "batch import": [("answers.jsonl", "--batch", "batch.jsonl", "--run", ward.RUN)],
    "budget open": [("--run", ward.RUN, "--unit", "item", "--name", "f")],
    "collect": [("pubmed", "--corpus", "more", "--queries", "amr")],
    "corpus add": [(DEMO / "passages.json", "--name", "more")],
    "decisions add": [(DEMO / "decisions.jsonl",)],
    "guideline add": [("guideline.md", "--profile", "hpa", *MODEL)],
    "guideline edit": [("guideline.md", "--profile", "hpa")],
    "index build": [("--ontology", "hp", "--name", "more")],
    "index import": [("tree.json", "--name", "more", "--ontology", "hp")],
    "learn": [("--gold", "imported:c", "--ontology", "toy", "--name", "more")],
    "learned add": [("gaits.json", "--name", "more")],
    "learned mute": [("gaits", "Wobbly gait")],
    "learned unmute": [("gaits", "Staggering")],
    "ontology add": [(DEMO / "hpo-demo.obo", "--name", "more")],
    "proposals add": [
        (DEMO / "silver.json", "--run", "s", "--source", "x", "--corpus", "ward"),
        (*PAIRS, "--run", "t", "--corpus", "studies"),
        (*PAIRS, "--run", "t", "--corpus", "new"),
    ],
    "restore": [("kept.db",), ("kept.db", "--force")],
    "run concepts": [(*LABELLING, "--offline"), (*LABELLING, *MODEL)],
    "run conflicts": [("--corpus", "studies", "--offline"), ("--corpus", "studies", *MODEL)],
}
"""Verb -> how it is tried: each time with input that is stored where something can be stored."""
WRITES_NOTHING: dict[str, list[Words]] = {
    "agreement": [("--corpus", "ward", "--bootstrap", "0")],
    "audit show": [("audited",)],
    "backup": [("copy.db",)],
    "baseline dict-syn": [(*TRAIN, "--ontology", "toy")],
    "baseline dict-train": [TRAIN],
    "brief": [("--corpus", "studies", "--about", "resistance to meropenem", "--out", "brief.html")],
    "budget next": [("frame",)],
    "budget show": [("frame",)],
    "calibrate": [("same.csv", "--ontology", "hp")],
    "corpus list": [()],
    "corpus show": [("ward",)],
    "dataset mention-edges": [
        ("--gold", "imported:demo", "--old", "demo@2023", "--new", "demo@2024", "--out", "edges")
    ],
    "doctor": [()],
    "evaluate": [(ward.RUN, "--gold", ward.GOLD, "--families", "corpus", "--bootstrap", "0")],
    "export": [("decisions", "--out", "log.jsonl"), ("proposals", "--run", ward.RUN, "--out", "p.json")],
    "guideline history": [("--profile", "hpa")],
    "guideline show": [("--profile", "hpa")],
    "index curve": [
        (
            *("said.json", "--gold", "test.json", "--index", "tree", "--ontology", "hp"),
            *("--training", "train.json", "--bootstrap", "0"),
        )
    ],
    "index export": [("tree", "--out", "again-tree.json")],
    "index list": [()],
    "index stats": [("tree",)],
    "learned curve": [("--gold", "imported:demo", "--ontology", "demo@2024", "--root", "HP:0000152")],
    "learned export": [("gaits", "--out", "again.json")],
    "learned list": [()],
    "learned show": [("gaits",)],
    "metrics": [()],
    "ontology diff": [("hp", "hp")],
    "ontology edges": [("hp", "--out", "edges.jsonl")],
    "ontology list": [()],
    "ontology search": [("hp", "seizure")],
    "ontology show": [("hp",)],
    "release": [("--run", "pairs", "--out", "released", "--allow-heuristic")],
    "report": [("--out", "report.html", "--families", "corpus")],
    "runs compare": [(ward.RUN, ward.RUN)],
    "runs list": [()],
    "runs show": [(ward.RUN,)],
    "split unseen": [
        ("--gold", "imported:demo", "--pool", "pool.jsonl", "--ontology", "demo@2024", "--out", "split.json")
    ],
    "verify": [()],
}
"""Verb -> how it is tried. Files that it is asked for are written all the same."""
SERVES = {"app", "demo"}
"""Verbs that open the app, whose pages are tried in `tests/pages/test_read_only.py`."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with something for each verb, and the files that verbs are given."""
    folder = tmp_path_factory.mktemp("looked_at")
    path = folder / "w.db"
    with open_workspace(path) as workspace:
        ward.review(workspace, ward.fill(workspace))
        add_pairs(workspace, DEMO / "abstract_pairs.jsonl", run="pairs", source="x", corpus="studies")
        taught.fill(workspace)
        backup(workspace, folder / "kept.db")
    (sent,) = write_batch(folder / "batch.jsonl", collected(["alpha"])[0])
    service(sent, folder / "answers.jsonl")
    (folder / "guideline.md").write_text("Label what the text states.\n", "utf-8")
    (folder / "same.csv").write_text(f"first,second,same\n{ward.A},{ward.B},yes\n", "utf-8")
    for version, without in (("2023", "HP:0000252"), ("2024", None)):
        (folder / "demo.obo").write_bytes(release(without))
        added = run(path, "ontology", "add", folder / "demo.obo", "--name", "demo", "--version", version)
        assert added.returncode == 0, added.stderr
    assert run(path, "corpus", "add", DEMO / "passages.json", "--name", "demo").returncode == 0
    (folder / "pool.jsonl").write_bytes(
        lines(*({"doc_id": f"p{n}", "text": f"Seizure {n}.", "annotations": [SEIZURE]} for n in range(210)))
    )
    for name, concepts in (("said", [ward.A]), ("test", [ward.B]), ("train", [ward.A])):
        (folder / f"{name}.json").write_bytes(noted(concepts))
    assert run(path, "index", "build", "--ontology", "hp", "--name", "tree").returncode == 0
    assert run(path, "index", "export", "tree", "--out", folder / "tree.json").returncode == 0
    for verb in ("learn --gold imported:c --ontology toy --name gaits", "learned mute gaits Staggering"):
        assert run(path, *verb.split()).returncode == 0
    assert run(path, "learned", "export", "gaits", "--out", folder / "gaits.json").returncode == 0
    for verb in ("budget open --unit item --name frame", "audit draw --size 2 --name audited"):
        gold = ("--gold", ward.GOLD) if verb.startswith("audit") else ()
        assert run(path, *verb.split(), "--run", ward.RUN, *gold).returncode == 0
    return folder


@pytest.fixture
def looked_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    monkeypatch.setenv("TOUCHSTONE_EUTILS_URL", NOWHERE)
    monkeypatch.chdir(folder)
    return folder / "w.db"


def test_every_verb_is_refused_or_writes_nothing() -> None:
    """A new verb has to be told here which of both it does."""
    tables = (REFUSED.keys(), WRITES_NOTHING.keys(), SERVES)
    assert sorted(name for names in tables for name in names) == sorted(name for name, _ in verbs(cli))


def cases(table: dict[str, list[Words]]) -> list[object]:
    return [
        pytest.param((*name.split(), *words), id=name) for name, tried in table.items() for words in tried
    ]


@pytest.mark.parametrize("words", cases(REFUSED))
def test_a_verb_that_writes_is_refused(looked_at: Path, words: Words) -> None:
    before = looked_at.read_bytes()
    result = run(looked_at, *words)
    refused(result, "open to look at only")
    assert looked_at.read_bytes() == before


@pytest.mark.parametrize("words", cases(WRITES_NOTHING))
def test_a_verb_that_reads_goes_on(looked_at: Path, words: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "PACKAGE", "no_such_package")  # its vectors would take seconds
    before = looked_at.read_bytes()
    result = run(looked_at, *words)
    assert result.returncode == 0, result.stderr
    assert looked_at.read_bytes() == before


@pytest.mark.parametrize("words", cases(REFUSED))
def test_no_workspace_is_made(looked_at: Path, words: Words) -> None:
    none = looked_at.with_name("none.db")
    result = run(none, *words)
    assert result.returncode == 2
    assert [one.name for one in looked_at.parent.glob("none*")] == []


def test_a_copy_that_lacks_its_log_stays_as_it_is(looked_at: Path) -> None:
    before = looked_at.read_bytes()
    refused(run(looked_at, "--accept-loss", "verify"), "open to look at only")
    assert looked_at.read_bytes() == before


def test_a_demo_to_look_at_is_neither_built_anew_nor_over_another(looked_at: Path) -> None:
    refused(run(looked_at, "demo", "--read-only", "--fresh"), "Give one of them")
    with pytest.raises(WorkspaceError, match="open to look at only"):
        build_demo(looked_at, fresh=True)
