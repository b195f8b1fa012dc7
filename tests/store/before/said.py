"""What a workspace says to the outside: chain, digests, exports. The same code reads it before and after."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from core.errors import TouchstoneError
from core.exchange import export
from core.formats.json import dumps
from core.store import Workspace, gold, runs
from core.store.chain import verify


def said(workspace: Workspace, folder: Path) -> dict[str, Any]:
    """All of it, as JSON has it; of every exported file the sha256, or why it cannot be written."""
    found = verify(workspace)
    listed = runs.list_runs(workspace)
    wanted = {"decisions": ("decisions", {})}
    wanted |= {f"proposals of {run.id}": ("proposals", {"run": run.id}) for run in listed}
    corpora = [row[0] for row in workspace.db.execute("SELECT name FROM corpora ORDER BY id")]
    for corpus in corpora:
        for reference in gold.list_references(workspace, corpus):
            wanted[f"{reference} of {corpus}"] = ("gold", {"gold": reference, "corpus": corpus})
    for run in listed:
        if run.kind == "conflicts":
            wanted[f"gold of {run.id}"] = ("gold", {"run": run.id})
    return {
        "problems": list(found.problems),
        "head": [found.number, found.head],
        "links": [row[0] for row in workspace.db.execute("SELECT link FROM decisions ORDER BY number")],
        "bases": [row[0] for row in workspace.db.execute("SELECT base FROM decisions ORDER BY number")],
        "runs": {
            run.id: [run.kind, run.status, run.digest, runs.proposals(workspace, run)] for run in listed
        },
        "gold": [row[0] for row in workspace.db.execute("SELECT digest FROM annotation_sets ORDER BY id")],
        "items": [row[0] for row in workspace.db.execute("SELECT id FROM items ORDER BY id")],
        "exports": {
            name: _exported(workspace, folder / "out.jsonl", what, **options)
            for name, (what, options) in wanted.items()
        },
    }


def _exported(workspace: Workspace, out: Path, what: Any, **options: str) -> str:
    try:
        export(workspace, what, out, **options)
    except TouchstoneError as error:
        return str(error)
    if what == "decisions":
        out.write_bytes(b"".join(map(_as_then, out.read_bytes().splitlines())))
        return hashlib.sha256(out.read_bytes()).hexdigest()
    if what == "proposals":  # files did not name the ontology then
        out.write_bytes(re.sub(rb'(\A{"metadata": {[^{}]*), "ontology": "[^"]*"}', rb"\1}", out.read_bytes()))
    out.write_bytes(b"".join(map(_pair_as_then, out.read_bytes().splitlines(keepends=True))))
    return hashlib.sha256(out.read_bytes()).hexdigest()


def _pair_as_then(line: bytes) -> bytes:
    """A line of a file; of a claim pair without what rows did not tell then: how likely a conflict is, under
    which licences the texts stand, and what each machine said."""
    if b'"machine_labels": ' not in line:
        return line
    later = ("conflict_likelihood", "licence_a", "licence_b", "machine_labels")
    return dumps({name: value for name, value in json.loads(line).items() if name not in later}) + b"\n"


def _as_then(line: bytes) -> bytes:
    """A decision without what logs did not tell then: the kind of its item, and what a ruling says."""
    later = ("kind", "cause", "update_guideline")
    return dumps({name: value for name, value in json.loads(line).items() if name not in later}) + b"\n"
