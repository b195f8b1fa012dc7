"""How verbs speak: tables or one JSON object on standard output, the rest on standard error."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from core.text.units import with_unit
from core.text.visible import in_json, visible

if TYPE_CHECKING:
    from core.charts import Table as ScoreTable

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
PIPE_WIDTH = 10_000


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain(dataclasses.asdict(value))
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(v) for v in value]
    return str(value) if isinstance(value, Path) else value


def print_json(value: Any) -> None:
    """One JSON object; records become objects, tuples become lists. It holds the text as it is, with escapes
    for characters that a terminal would obey."""
    sys.stdout.write(in_json(json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False)) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table whose cells are shown as they are: text from outside is never read as markup."""
    table = Table()
    for column in columns:
        table.add_column(visible(with_unit(column)))
    for row in rows:
        table.add_row(*(Text("–" if cell is None else visible(str(cell))) for cell in row))
    # cells are cut to fit a terminal, but never in a pipe or a file
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
    console.print(
        Text(visible(title), style="italic")
    )  # a table's own title is folded to the width of the table
    console.print(table)


def print_scores(tables: Iterable[ScoreTable]) -> None:
    """Score tables, their values in words."""
    from core.charts import labels

    for table in tables:
        shown = [[table.shown(r, c) for c in range(len(row))] for r, row in enumerate(table.rows)]
        print_table(table.title, labels(table), shown)
        if table.note:
            sys.stdout.write(f"{visible(table.note)}\n")


def say(message: str) -> None:
    """A message to the person, on standard error."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(Text(visible(message)))


def complain(message: str) -> None:
    """What went wrong and what to do next, on standard error."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(Text(visible(message), style="red"))


class Bar:
    """A progress bar that callers feed with (done, total); silent where standard error is no terminal."""

    def __init__(self, progress: Progress, title: str):
        self._progress = progress
        self._task = progress.add_task(visible(title), total=None)

    def __call__(self, done: int, total: int | None = None) -> None:
        self._progress.update(self._task, completed=done, total=total)

    def message(self, text: str) -> None:
        self._progress.update(self._task, description=visible(text))


@contextmanager
def bar(title: str) -> Iterator[Bar]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield Bar(progress, title)


def tell(report: Any, words: str, as_json: bool, failures: int = 0) -> None:
    """End a verb with its report: as JSON on standard output, or in words on standard error; status 1 where
    something failed."""
    if as_json:
        print_json(report)
    else:
        say(words)
    finish_with(failures)


def finish_with(failures: int) -> None:
    """End a verb that is done but has failures to report with status 1."""
    if failures:
        raise typer.Exit(1)
