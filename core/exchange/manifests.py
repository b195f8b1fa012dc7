"""The manifest beside an exported file: what it holds, what made it, and where in history it stands."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core.exchange.atomic import replacing
from core.formats.manifest import HistoryPart, Kind, Manifest, OntologyPart, RunPart
from core.store import Workspace, digest, ontologies, runs
from core.store.runs import Run


def write_manifest(
    workspace: Workspace,
    out: Path,
    *,
    format: str,
    what: Kind,
    run: Run | None,
    corpus: str | None,
    gold: str | None,
    history: HistoryPart,
    counts: dict[str, int],
    left_out: dict[str, int],
) -> Manifest:
    """Write `OUT.manifest.json` beside the file `out`, which is there already."""
    manifest = Manifest(
        file=out.name,
        sha256=digest.of_file(out),
        size=out.stat().st_size,
        format=format,
        what=what,
        touchstone=_version(),
        workspace=workspace.uuid,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        corpus=corpus,
        ontology=_ontology(workspace, run, corpus),
        run=_run(run) if run else None,
        gold=gold,
        history=history,
        counts=counts,
        left_out=left_out,
    )
    with replacing(out.with_name(out.name + ".manifest.json")) as file:
        file.write(manifest.model_dump_json(indent=2).encode() + b"\n")
    return manifest


def _run(run: Run) -> RunPart:
    same = {name: getattr(run, name) for name in RunPart.model_fields if name != "mining"}
    return RunPart(**same, mining=run.settings.get("mining"))


def _ontology(workspace: Workspace, run: Run | None, corpus: str | None) -> OntologyPart | None:
    """That of the run; for gold, that of the corpus's runs, if they all have the same."""
    of_corpus = [r for r in runs.list_runs(workspace) if corpus and r.corpus == corpus]
    used = {r.ontology_id for r in ([run] if run else of_corpus)}
    if len(used) != 1 or (ontology_id := used.pop()) is None:
        return None
    row = ontologies.ontology_by_id(workspace, ontology_id)
    return OntologyPart(name=row.name, version=row.version, sha256=row.sha256)


@cache
def _version() -> str:
    try:
        return version("touchstone")
    except PackageNotFoundError:  # run from a bare checkout
        return "unknown"
