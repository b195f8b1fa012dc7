"""An evaluation as a report in Markdown. Every cell may come from outside (document ids, file names, labels),
so every cell is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.charts import Table, labels
from core.evaluate.evaluation import as_reviewed
from core.evaluate.report.contents import TITLE, Result, contents, cut
from core.text.visible import visible

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$&#!])")
_BREAKS = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def report_markdown(result: Result) -> str:
    """The report as Markdown with tables."""
    lines = [f"# {TITLE}", ""]
    for section in contents(as_reviewed(result)):
        if section.title:
            lines += [f"## {_plain(section.title)}", ""]
        lines += [part for note in section.notes for part in (_plain(note), "")]
        for table in section.tables:
            lines += _lines(table, "###" if section.title else "##")
    return "\n".join(lines)


def _lines(table: Table, mark: str) -> Iterator[str]:
    shown = cut(table)
    yield from (f"{mark} {_plain(shown.title)}", "")
    yield f"| {' | '.join(map(_plain, labels(shown)))} |"
    yield f"|{' --- |' * len(shown.columns)}"
    for row in range(len(shown.rows)):
        yield f"| {' | '.join(_plain(shown.shown(row, at)) for at in range(len(shown.columns)))} |"
    yield ""
    if shown.note:
        yield from (_plain(shown.note), "")


def _plain(words: str | None) -> str:
    """A cell that Markdown cannot read as markup."""
    return "–" if words is None else _MARKDOWN.sub(r"\\\1", visible(_BREAKS.sub(" ", words)))
