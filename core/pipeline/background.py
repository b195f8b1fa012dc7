"""Runs in processes of their own: begun from a page, paused and taken up again, outliving the page's server.

What a run is told goes in as arguments of the command line, which anybody on the machine can read; the API
key goes by environment alone. What the process says is kept beside the workspace.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError, WorkspaceError
from core.pipeline import start as starting
from core.pipeline.plan import plan
from core.pipeline.settings import ConceptsSettings
from core.store import runs
from core.store.runs import Run
from core.store.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from core.llm import Endpoint

CHECKOUT = Path(__file__).parents[2]
KEY = "TOUCHSTONE_API_KEY"
"""Environment variable that brings the key to the process."""

VALUES = {
    "corpus": "--corpus",
    "ontology": "--ontology",
    "profile": "--profile",
    "root": "--root",
    "run": "--run",
    "encoder": "--encoder",
    "threads": "--threads",
    "threshold": "--threshold",
    "classes": "--classes",
    "model": "--model",
    "base_url": "--base-url",
    "ceiling": "--ceiling",
    "ceiling_tokens": "--ceiling-tokens",
    "price": "--price",
    "concurrency": "--concurrency",
    "deadline": "--deadline",
    "max_tokens": "--max-tokens",
    "temperature": "--temperature",
    "seed": "--seed",
    "json_schema": "--json-schema",
    "prices": "--prices",
    "batch_out": "--batch-out",
    "oracle": "--oracle",
    "gold": "--gold",
    "tier": "--tier",
    "neighbours": "--neighbours",
    "least_sim": "--least-sim",
    "least_score": "--least-score",
    "cap": "--cap",
    "per_article": "--per-article",
}
"""Option -> argument, with a value behind it; options that are None are left out."""
CONCEPTS, CONFLICTS = "concepts", "conflicts"
FLAGS = {"offline": "--offline", "direct": "--direct", "retry_failed": "--retry-failed"}
OF_ENDPOINT = (
    "model",
    "base_url",
    "concurrency",
    "deadline",
    "max_tokens",
    "temperature",
    "seed",
    "json_schema",
)
OF_PLAN = ("stages", "root", "run", "encoder", "threshold", "classes", "direct", "oracle", "gold")
OF_SPENDING = ("ceiling", "ceiling_tokens", "prices", "price")
OF_CONFLICTS = ("stages", "run", "encoder")


def start(workspace_path: Path, options: Mapping[str, Any], *, key: str | None = None) -> str:
    """Begin a run, or go on with one, in a process of its own; returns the run's id at once.

    Args:
        options: those of `ConceptsSettings` by name, or with `kind` conflicts those of `ConflictsSettings`,
            with the settings of mining one by one; for a run that asks a model, `model`, `base_url`, `models`
            (stage -> model), `concurrency` and what else `core.llm.Endpoint` takes, in place of `endpoint`.
        key: the API key; default the one in this process's environment.

    Raises:
        NotFoundError, InputError: as `run_concepts`, for all that can be known beforehand.
        WorkspaceError: the workspace is open to look at only.
    """
    path = Path(workspace_path).resolve()
    endpoint = _endpoint(options, key)
    _check_spending(options, endpoint)
    with open_workspace(path, create=False) as workspace:
        if workspace.read_only:
            raise WorkspaceError("Nothing can be run: this workspace is open to look at only (--read-only).")
        said = {**options, **planned_by(workspace, options, endpoint)}
        if starting.is_held(path, said["run"]):
            raise InputError(f"Run {said['run']!r} is going on in another process.")
    if endpoint is not None:
        said["base_url"] = endpoint.base_url  # as it is used: without whatever else stood in the address
    _spawn(path, said["run"], [options.get("kind", CONCEPTS), *arguments(said)], key)
    return str(said["run"])


def planned_by(workspace: Workspace, options: Mapping[str, Any], endpoint: Endpoint | None) -> dict[str, Any]:
    """What a plan of these options settles: the run's id, and the ontology's version where there is one.

    Raises:
        NotFoundError, InputError: as the plans.
    """
    given: dict[str, Any] = {
        "corpus": options["corpus"],
        "offline": bool(options.get("offline")),
        "endpoint": endpoint,
        "batch_out": options.get("batch_out"),
    }
    if options.get("kind") == CONFLICTS:
        from core.pipeline.conflicts import ConflictsSettings, plan_conflicts
        from core.pipeline.conflicts.plan import mining_of

        chosen = {name: options[name] for name in OF_CONFLICTS if options.get(name) is not None}
        settings = ConflictsSettings(mining=mining_of(options), **given, **chosen)
        return {"run": plan_conflicts(workspace, settings).run}
    chosen = {name: options[name] for name in OF_PLAN if options.get(name) is not None}
    named = {"ontology": options["ontology"], "profile": options["profile"]}
    planned = plan(workspace, ConceptsSettings(**named, **given, **chosen))
    return {"run": planned.run, "ontology": planned.ontology.reference}


def resume(workspace_path: Path, run: str, *, key: str | None = None, retry_failed: bool = False) -> str:
    """Go on with a run as it was begun, in a process of its own; returns its id.

    Raises:
        NotFoundError, InputError, WorkspaceError: as `start`; InputError also for a run without stages.
    """
    with open_workspace(Path(workspace_path), create=False) as workspace:
        found = runs.find_run(workspace, run)
    return start(Path(workspace_path), {**options_of(found), "retry_failed": retry_failed}, key=key)


def options_of(run: Run) -> dict[str, Any]:
    """What a run of stages was begun with, as `start` takes it.

    Raises:
        InputError: the run is of another kind.
    """
    made = run.settings
    if "stages" not in made:
        raise InputError(f"Run {run.id!r} is no run of stages: take it up by the command that began it.")
    options = made.get("options", {})
    found = {"run": run.id, "corpus": made["corpus"], "stages": made["stages"]}
    found["offline"] = made["form"] == "offline"
    if run.kind == CONFLICTS:
        found |= {"kind": CONFLICTS, **made.get("mining", {})}
        found |= {name: options.get(name) for name in ("encoder", "threads", *OF_SPENDING)}
    else:
        names = ("ontology", "root", "encoder", "threshold", "classes", "direct")
        found |= {name: made[name] for name in names}
        found |= {name: options.get(name) for name in ("profile", "threads", *OF_SPENDING)}
        if helped := made.get("oracle"):
            found |= {"oracle": helped["takes"], "gold": helped["gold"]}
    endpoint = options.get("endpoint") or {}
    found |= {name: endpoint[name] for name in (*OF_ENDPOINT, "models") if name in endpoint}
    return found


def log_path(workspace_path: Path, run: str) -> Path:
    """Where the process of a run keeps what it says."""
    return starting.lock_path(workspace_path, run).with_suffix(".log")


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Options as arguments of `touchstone run concepts` or `run conflicts`; never a key."""

    def made() -> Iterator[str]:
        for name, argument in VALUES.items():
            if options.get(name) is not None:
                value = options[name]
                local = name in ("profile", "prices", "batch_out") and Path(value).suffix
                yield f"{argument}={Path(value).resolve() if local else value}"
        if options.get("stages"):
            yield f"--stages={','.join(options['stages'])}"
        for stage, model in (options.get("models") or {}).items():
            yield f"--model-for={stage}={model}"
        yield from (flag for name, flag in FLAGS.items() if options.get(name))

    return list(made())


def _endpoint(options: Mapping[str, Any], key: str | None) -> Endpoint | None:
    if options.get("offline"):
        return None
    from core.llm import Endpoint

    settings = {name: options[name] for name in (*OF_ENDPOINT, "models") if options.get(name) is not None}
    if key is not None:
        settings["key"] = key
    return Endpoint.from_environment(**settings)


def _check_spending(options: Mapping[str, Any], endpoint: Endpoint | None) -> None:
    """Raise EndpointError for a ceiling that nothing would keep."""
    if endpoint is None:
        return
    from core.llm import Spending

    given = {name: options.get(name) for name in OF_SPENDING}
    file = Path(given["prices"]) if given["prices"] else None
    Spending(**given | {"prices": file}).check(endpoint.names())


def _spawn(path: Path, run: str, words: list[str], key: str | None) -> None:
    environment = dict(os.environ) | ({KEY: key} if key is not None else {})
    command = [sys.executable, "-m", "core.cli", "--workspace", str(path), "run", *words]
    log = os.open(log_path(path, run), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        process = subprocess.Popen(
            command,
            cwd=CHECKOUT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # it outlives the server that began it, and hears none of its signals
        )
    finally:
        os.close(log)
    threading.Thread(target=process.wait, daemon=True).start()  # so that it leaves no zombie
