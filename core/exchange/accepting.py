"""All or nothing, or what is good with the rest in a rejects file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from core.exchange.atomic import replacing
from core.formats import BadRows, DocumentSet, RowError
from core.records import Document

Progress = Callable[[int], None]
"""Called with the number of documents taken so far."""

EVERY = 100
"""Documents between two calls of a progress function."""


@dataclass(slots=True)
class Intake:
    """Documents on their way in, and what became of them."""

    documents: Iterator[Document]
    rejected: BadRows = field(default_factory=BadRows)
    taken: int = 0


def of_faults(rejected: BadRows, rejects: Path) -> dict[str, Any]:
    """Fields of a report: the first faults, how many there were, and the file that holds what they are in."""
    return {
        "rejected": rejected.sentences(),
        "faults": rejected.count,
        "rejects": str(rejects) if rejected.count else None,
    }


def rejected_lines(count: int, rejects: str | None, first: tuple[str, ...]) -> list[str]:
    """What a report says about bad rows."""
    return (
        [f"Faults: {count}. What they are in was left out and written to {rejects}:", *first] if count else []
    )


@contextmanager
def accepting(
    found: DocumentSet, *, skip_bad: bool, rejects: Path, progress: Progress | None = None
) -> Iterator[Intake]:
    """Hand out the good documents of a file.

    Without `skip_bad` a bad row raises InputError when the file has been read to its end, with all faults
    listed. With it, bad rows go to the `rejects` file (JSONL, atomically; none if there are none), which is
    in place before the caller's write commits.
    """
    intake = Intake(iter(()))
    if not skip_bad:
        intake.documents = _counted(found.documents(), intake, progress)
        yield intake
        return
    with replacing(rejects, drop_empty=True) as out:
        intake.documents = _counted(_good(found, intake.rejected, out), intake, progress)
        yield intake
        if not intake.taken:
            intake.rejected.refuse("No document is left. Correct the file and read it again.")


def _good(found: DocumentSet, rejected: BadRows, out: BinaryIO) -> Iterator[Document]:
    for row in found:
        if isinstance(row, RowError):
            rejected.add(row)
            out.write(_line(row))
        else:
            yield row


def write_rejects(path: Path, errors: Iterable[RowError]) -> None:
    """Write bad rows as JSONL, atomically."""
    with replacing(path, drop_empty=True) as out:
        for error in errors:
            out.write(_line(error))


def _line(error: RowError) -> bytes:
    value = {name: getattr(error, name) for name in RowError.__dataclass_fields__}
    return json.dumps(value).encode("ascii") + b"\n"  # escaped: a row may hold half a surrogate pair


def _counted(documents: Iterator[Document], intake: Intake, progress: Progress | None) -> Iterator[Document]:
    for document in documents:
        intake.taken += 1
        if progress is not None and intake.taken % EVERY == 0:
            progress(intake.taken)
        yield document
    if progress is not None:
        progress(intake.taken)
