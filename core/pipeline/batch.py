"""Answers by file: requests written for a batch service, its answers stored as those of the network are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.llm import Collector, Spending, read_batch, write_batch
from core.store import calls, runs
from core.store.workspace import Workspace

INDEX = ".index.jsonl"
RUN = ".run.json"
"""Ends the name of the file that says which run a batch belongs to."""
CHUNK = 500


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What a file of answers brought."""

    run: str | None
    """The run that pays for them."""
    answers: int
    known: int
    """Of these, requests that had an answer already; it stays."""
    failures: int
    """Requests that the batch service gave no answer to."""


def refuse_existing(path: Path) -> None:
    """Raise InputError where a file of that name is there: it may have been sent already."""
    if path.exists():
        raise InputError(f"{path.name} is there already. Name another file with --batch-out.")


def write(
    workspace: Workspace, run: str, path: Path, collector: Collector, items: int, unit: str = "passages"
) -> str:
    """Write what was collected; returns what to do next, as a sentence.

    Args:
        items: how many wait for it, `unit` being what they are.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        files = write_batch(path, collector)
        for file in files:
            belongs = {"run": run, "workspace": workspace.uuid}
            file.with_name(file.stem + RUN).write_text(json.dumps(belongs), "utf-8")
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}. Name another with --batch-out."
        ) from error
    names = ", ".join(file.name for file in files)
    return (
        f"{items} {unit} wait for {len(collector.waiting)} answers. Send {names} to the batch service, "
        "store its answers with `touchstone batch import FILE`, then run the same command again."
    )


def import_batch(
    workspace: Workspace,
    answers: Path,
    *,
    batch: Path | None = None,
    run: str | None = None,
    prices: Path | None = None,
    price: str | None = None,
) -> BatchReport:
    """Store the answers that a batch service wrote. The run goes on with them at its next start.

    Args:
        batch: the batch file that was sent; default the one in the same folder that the answers belong to.
        run: the run that pays for them; default the one that the batch file was written for.
        prices: a file like data/prices.yaml, for models that the shipped one does not know.
        price: `IN,OUT` of the models asked, US dollars per million tokens, as the batch service asks it.

    Raises:
        InputError: a file cannot be read, or an answer belongs to another batch; nothing is stored then.
        NotFoundError: no such run.
    """
    batch = batch or _sent(answers)
    run = run or _belongs(workspace, batch)
    if run is not None:
        runs.find_run(workspace, run)
    found = list(read_batch(answers, batch, Spending(prices=prices, price=price).table()))
    known = sum(calls.find_call(workspace, call.key) is not None for call in found)
    for first in range(0, len(found), CHUNK):
        with workspace.write(bump=False) as db:
            calls.insert_calls(db, run, found[first : first + CHUNK])
    return BatchReport(run, len(found), known, sum(call.failure is not None for call in found))


def _sent(answers: Path) -> Path:
    """The batch file beside the answers that holds their first request."""
    try:
        with answers.open(encoding="utf-8") as lines:
            first = json.loads(next((line for line in lines if line.strip()), "{}"))
    except OSError as error:
        raise InputError(f"{answers.name} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{answers.name} is no file of batch answers: its first line is no JSON.") from error
    key = first.get("custom_id") if isinstance(first, dict) else None
    for index in sorted(answers.parent.glob(f"*{INDEX}")):
        if isinstance(key, str) and f'"{key}"' in index.read_text("utf-8"):
            return index.with_name(index.name.removesuffix(INDEX) + ".jsonl")
    raise InputError(
        f"No batch file beside {answers.name} asked what it answers. Name the one that was sent with --batch."
    )


def _belongs(workspace: Workspace, batch: Path) -> str | None:
    try:
        belongs = json.loads(batch.with_name(batch.stem + RUN).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    ours = isinstance(belongs, dict) and belongs.get("workspace") == workspace.uuid
    return str(belongs["run"]) if ours and "run" in belongs else None
