"""A stage is one folder and one name in its place: with these a run goes through it and tells of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
INIT = '''"""Stage 6 of 6: doubt. Every label is held for less sure."""


async def ask(labelling, tools):
    from core.concepts.doubt.asked import ask as asked

    return await asked(labelling, tools)


def run(labellings, tools):
    from core.concepts.doubt.offline import run as offline

    return offline(labellings, tools)
'''
OFFLINE = """from dataclasses import replace

from core.records.labelling import Verdict


def run(labellings, tools):
    for labelling in labellings:
        less = tuple(replace(one, confidence=0.25) for one in labelling.candidates)
        yield replace(labelling, candidates=less).record("doubt", Verdict.RATED, reason="On principle.")
"""
ASKED = """
import json, sys
from pathlib import Path
from core.exchange import add_corpus, add_ontology
from core.pipeline import ConceptsSettings, run_concepts
from core.store import open_workspace

with open_workspace(Path(sys.argv[1])) as workspace:
    add_ontology(workspace, "data/demo/hpo-demo.obo", name="hp")
    add_corpus(workspace, Path(sys.argv[2]), name="cases")
    settings = ConceptsSettings(
        corpus="cases", ontology="hp", profile="hpa", root=None, run="doubted",
        stages=("generate", "doubt"), offline=True,
    )
    report = run_concepts(workspace, settings)
    rows = workspace.db.execute("SELECT DISTINCT stage FROM stage_records WHERE run_id = 'doubted'")
    print(json.dumps({"status": report.status, "stages": sorted(row[0] for row in rows)}))
"""


def test_a_stage_is_a_folder_and_a_name(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "core", copy / "core", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "data").symlink_to(ROOT / "data")
    stage = copy / "core/concepts/doubt"
    stage.mkdir()
    (stage / "__init__.py").write_text(INIT, "utf-8")
    (stage / "offline.py").write_text(OFFLINE, "utf-8")
    order = copy / "core/concepts/__init__.py"
    text = order.read_text("utf-8")
    assert text.count('"select")') == 1
    order.write_text(text.replace('"select")', '"select", "doubt")'), "utf-8")
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"doc_id": "d1", "text": "She had a seizure.", "annotations": []}\n', "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(tmp_path / "w.db"), str(texts)],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1] == '{"status": "done", "stages": ["doubt", "generate"]}'
