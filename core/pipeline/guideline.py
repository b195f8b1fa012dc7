"""Guideline summaries: made by a model from a file, or written by a person; each a stored version."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from core.concepts.profile import load_profile
from core.errors import InputError
from core.pipeline import confidential
from core.pipeline.ledger import WorkspaceLedger
from core.pipeline.writer import Writer
from core.store import curators, guidelines
from core.store.guidelines import Guideline
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.concepts.guideline.summarise import Summary
    from core.llm import Endpoint, Spending


def add_guideline_file(
    workspace: Workspace, file: Path, *, profile: str, endpoint: Endpoint, spending: Spending | None = None
) -> Guideline:
    """Have a model sum up a guideline file, and store the summary as the next version.

    The same file is summed up once: its answers are stored, and found again.

    Raises:
        InputError: no such profile; the file cannot be read or holds no rule; a call gave no usable answer;
            the file holds a confidential text and the endpoint is not of this machine.
        EndpointError: the endpoint cannot be used as it is set.
        Paused, OverBudget: the endpoint asks for a long wait, or the ceiling is reached; what was answered is
            stored.
    """
    from core.concepts.guideline.summarise import read_guideline, summarise
    from core.llm import Asker, Budget, ReplyFailure, Spending

    chosen = load_profile(profile)
    may = spending or Spending()
    text = read_guideline(file)
    confidential.check_text(workspace, text, file.name, endpoint)
    workspace.refuse_look_only()

    async def made(writer: Writer) -> Summary:
        ledger = WorkspaceLedger(workspace, writer, None)
        budget = Budget(may.ceiling, ceiling_tokens=may.ceiling_tokens)
        async with Asker(endpoint, ledger, prices=may.table(), budget=budget) as asker:
            return await summarise(text, chosen, asker)

    with Writer(workspace.path) as writer:
        try:
            summary = asyncio.run(made(writer))
        except ReplyFailure as failure:
            raise InputError(
                f"The model gave no usable summary of {file.name} ({failure.kind.value}: {failure.message}). "
                "Try again, or name another model."
            ) from failure
    with workspace.write() as db:
        version = guidelines.add_guideline(
            db,
            chosen.name,
            summary.text,
            origin="model",
            source_sha256=hashlib.sha256(text.encode()).hexdigest(),
            call_ids=summary.calls,
        )
    return guidelines.guideline(workspace, chosen.name, version)


def edit_guideline(
    workspace: Workspace, file: Path, *, profile: str, curator: str | None = None
) -> Guideline:
    """Store a summary that a person wrote as the next version.

    Raises:
        InputError: no such profile; the file cannot be read, or is blank.
        NotFoundError: no such curator.
    """
    from core.concepts.guideline.summarise import read_guideline

    chosen = load_profile(profile)
    text = read_guideline(file).strip()
    if curator is not None:
        curators.find_curator(workspace, curator)
    with workspace.write() as db:
        version = guidelines.add_guideline(db, chosen.name, text, origin="person", curator_id=curator)
    return guidelines.guideline(workspace, chosen.name, version)
