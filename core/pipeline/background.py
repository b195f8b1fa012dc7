"""Runs in processes of their own: begun from a page, paused and taken up again, outliving the page's server.

What a run is told goes in as arguments of the command line, which anybody on the machine can read; the API
key goes by environment alone. What the process says is kept beside the workspace.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.concepts.profile import POLICIES
from core.errors import InputError, WorkspaceError
from core.pipeline import start as starting
from core.pipeline.plan import Plan, plan
from core.pipeline.settings import ConceptsSettings, RunSettings
from core.store import runs
from core.store.runs import Run
from core.store.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from core.llm import Endpoint
    from core.pipeline.conflicts import ConflictsPlan

CHECKOUT = Path(__file__).parents[2]
KEY = "TOUCHSTONE_API_KEY"
"""Environment variable that brings the key to the process."""

CONCEPTS, CONFLICTS = "concepts", "conflicts"
OF_ENDPOINT = (
    *("model", "base_url", "concurrency", "deadline"),
    *("max_tokens", "temperature", "seed", "json_schema"),
)
OF_SPENDING = ("ceiling", "ceiling_tokens", "prices", "price")
FILES = ("profile", "prices", "batch_out")
OPTIONS = (
    *("corpus", "ontology", "profile", "root", "run", "encoder", "threads", "threshold", "classes"),
    *(*OF_ENDPOINT, *OF_SPENDING, "batch_out", "learned", "hypernyms", "oracle", "gold", "tier"),
    *("mining", "neighbours", "by_words", "least_sim", "least_score", "cap", "per_article"),
    *("stages", "models", "offline", "direct", "retry_failed"),
)
"""What is told to the process of a run, as `start` takes it: an argument is spelt as its option."""
_POLICIES: dict[Any, str] = {policy.value: word for word, policy in POLICIES.items()}
"""What becomes of hypernyms, as a profile spells it -> as the command line does."""


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
    endpoint = endpoint_of(options, key)
    _check_spending(options, endpoint)
    with open_workspace(path, create=False) as workspace:
        if workspace.read_only:
            raise WorkspaceError("Nothing can be run: this workspace is open to look at only (--read-only).")
        planned = planned_by(workspace, options, endpoint)
        said = {**options, "run": planned.run}
        if isinstance(planned, Plan):
            said["ontology"] = planned.ontology.reference
        if starting.is_held(path, said["run"]):
            raise InputError(f"Run {said['run']!r} is going on in another process.")
    if endpoint is not None:
        said["base_url"] = endpoint.base_url  # as it is used: without whatever else stood in the address
    spawn(path, said["run"], ["run", options.get("kind", CONCEPTS), *arguments(said)], key)
    return str(said["run"])


def planned_by(
    workspace: Workspace, options: Mapping[str, Any], endpoint: Endpoint | None
) -> Plan | ConflictsPlan:
    """The plan of a run that is begun with these options. What they name besides is passed over.

    Raises:
        NotFoundError, InputError: as the plans.
    """
    from core.pipeline.conflicts import ConflictsSettings, plan_conflicts
    from core.pipeline.conflicts.plan import mining_of

    given = {name: value for name, value in options.items() if value is not None} | {"endpoint": endpoint}
    if options.get("kind") == CONFLICTS:
        chosen = {**_known(ConflictsSettings, given), "mining": mining_of(options)}
        return plan_conflicts(workspace, ConflictsSettings(**chosen))
    return plan(workspace, ConceptsSettings(**_known(ConceptsSettings, given)))


def _known(settings: type[RunSettings], given: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: given[field.name] for field in fields(settings) if field.name in given}


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
        mining = made.get("mining", {})
        found |= {"kind": CONFLICTS, "mining": None if "order" in mining else "paper", **mining}
        found |= {name: options.get(name) for name in ("encoder", "threads", *OF_SPENDING)}
    else:
        names = ("ontology", "root", "encoder", "threshold", "classes", "direct")
        found |= {name: made[name] for name in names}
        found |= {name: options.get(name) for name in ("profile", "hypernyms", "threads", *OF_SPENDING)}
        if taught := made.get("learned"):
            found["learned"] = taught["set"]
        if helped := made.get("oracle"):
            found |= {"oracle": helped["takes"], "gold": helped["gold"]}
    endpoint = options.get("endpoint") or {}
    found |= {name: endpoint[name] for name in (*OF_ENDPOINT, "models") if name in endpoint}
    return found


def log_path(workspace_path: Path, run: str) -> Path:
    """Where the process of a run keeps what it says."""
    return starting.lock_path(workspace_path, run).with_suffix(".log")


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Options as arguments of `touchstone run concepts` or `run conflicts`; never a key. What is None, False
    or empty is left out."""
    made = []
    for name in OPTIONS:
        value, argument = options.get(name), f"--{name.replace('_', '-')}"
        if name == "models":
            made += [f"--model-for={stage}={model}" for stage, model in (value or {}).items()]
        elif value is True:
            made.append(argument)
        elif value is not None and value is not False and value != []:
            local = name in FILES and Path(value).suffix
            listed = ",".join(value) if name == "stages" else value
            listed = _POLICIES[value] if name == "hypernyms" else listed
            made.append(f"{argument}={Path(value).resolve() if local else listed}")
    return made


def endpoint_of(options: Mapping[str, Any], key: str | None = None) -> Endpoint | None:
    """The endpoint of these options and the environment; None: they are those of an offline run."""
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


def spawn(path: Path, run: str, words: list[str], key: str | None = None) -> None:
    """Begin a process of the command line, whose words are kept in `log_path` of what it works on.

    Args:
        run: what it works on: a run, or a name that no run can bear.
        words: verb and arguments; anybody on the machine can read them.
    """
    environment = dict(os.environ) | ({KEY: key} if key is not None else {})
    command = [sys.executable, "-m", "core.cli", "--workspace", str(path), *words]
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
