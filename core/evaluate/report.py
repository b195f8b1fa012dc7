"""An evaluation as a report: Markdown, or one self-contained HTML file.

Contents after section 8.3 of the Full-Text HPO Extraction Benchmarking Framework, as far as families exist.
Every cell may come from outside (document ids, file names, labels), so every cell is escaped. The HTML file
asks nothing of the network, and forbids itself to.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace

from core import charts
from core.charts import Cell, Table, text
from core.evaluate import cells as t
from core.evaluate.record import Evaluation, ReviewedEvaluation
from core.metrics import corpus

Result = Evaluation | ReviewedEvaluation

TITLE = "Evaluation of concept labels"
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$&#!])")
_BREAKS = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def report_markdown(result: Result) -> str:
    """The report as Markdown with tables."""
    lines = [f"# {TITLE}", ""]
    before, _ = _sides(result)
    for table in (*_head(result), *_tail(result), t.documents(before), _definitions()):
        lines += [
            f"## {_plain(table.title)}",
            "",
            f"| {' | '.join(map(_plain, table.columns))} |",
            f"|{' --- |' * len(table.columns)}",
            *(f"| {' | '.join(map(_plain, row))} |" for row in table.rows),
            "",
        ]
    return "\n".join(lines)


def report_html(result: Result, *, figures: bool = True) -> str:
    """The report as one HTML file.

    Args:
        figures: with interactive charts, which add about 5 MB of script.
    """
    before, _ = _sides(result)
    parts = [
        *map(_table, _head(result)),
        *map(_table, _tail(result)),
        _documents(before),
        _table(_definitions()),
    ]
    if figures:
        parts.insert(len(_head(result)), _figures(result))
    return _PAGE.format(title=TITLE, body="\n".join(parts))


def _sides(result: Result) -> tuple[Evaluation, Evaluation | None]:
    return (result, None) if isinstance(result, Evaluation) else (result.before, result.after)


def _head(result: Result) -> list[Table]:
    before, _ = _sides(result)
    found = [
        t.configuration(before),
        t.macro(before),
        replace(t.averages(before), title="Aggregation comparison"),
    ]
    return found + (t.review(result) if isinstance(result, ReviewedEvaluation) else [])


def _tail(result: Result) -> list[Table]:
    return [*(t.counts(e) for e in _sides(result) if e), *t.caveats(result)]


def _definitions() -> Table:
    rows: list[tuple[Cell, ...]] = [
        (m.title, m.question, m.formula, m.range, m.source, m.undefined)
        for m in corpus.FAMILY.metrics.values()
    ]
    return Table(
        "What the numbers mean", ("metric", "question", "formula", "range", "source", "undefined"), rows
    )


def _plain(cell: Cell) -> str:
    """A cell that Markdown cannot read as markup."""
    return "–" if cell is None else _MARKDOWN.sub(r"\\\1", _BREAKS.sub(" ", text(cell) or ""))


# --- HTML ---------------------------------------------------------------------------------------------------


def _cell(cell: Cell) -> str:
    return "–" if cell is None else html.escape(text(cell) or "")


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{_cell(c)}</th>' for c in table.columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(c)}</td>' for c in row)}</tr>" for row in table.rows)
    return (
        f"<h2>{_cell(table.title)}</h2>\n<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _figures(result: Result) -> str:
    before, after = _sides(result)
    sides = {"before review": before, "after review": after} if after else {"proposals": before}
    spread = {name: [row["f1"] for row in e.documents()] for name, e in sides.items() if e}
    means = {
        name: [
            charts.Interval(f"{average} {t.NAMES[m]}", x.value, x.low, x.high)
            for average in t.AVERAGES
            for m in t.MEASURES
            for x in (e.estimate(f"{average}_{m}"),)
        ]
        for name, e in sides.items()
        if e
    }
    return "\n".join(
        (
            "<h2>Averages with intervals</h2>",
            charts.figure_html(charts.intervals(means)),
            "<h2>F1 of the documents</h2>",
            charts.figure_html(charts.distribution(spread), with_library=False),
        )
    )


def _documents(evaluation: Evaluation) -> str:
    """One row per document; each opens the concepts behind its counts."""
    table = t.documents(evaluation)
    rows = []
    for outcome, row in zip(evaluation.outcomes, table.rows, strict=True):
        lists = "".join(
            f"<dt>{word}</dt><dd>{', '.join(_concept(evaluation, c) for c in members)}</dd>"
            for kind, word in t.OUTCOMES.items()
            if (members := getattr(outcome, kind))
        )
        opened = f"<details><summary>{_cell(row[0])}</summary><dl>{lists}</dl></details>"
        cells = "".join(f"<td>{_cell(c)}</td>" for c in row[1:])
        rows.append(f"<tr><td>{opened if lists else _cell(row[0])}</td>{cells}</tr>")
    head = "".join(f'<th scope="col">{_cell(c)}</th>' for c in table.columns)
    return f"<h2>Documents</h2>\n<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _concept(evaluation: Evaluation, concept: str) -> str:
    label = evaluation.labels.get(concept)
    return _cell(f"{label} ({concept})" if label else concept)


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; margin: .5rem 0 2rem; display: block; overflow-x: auto }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .8rem; border-bottom: 1px solid #8884 }}
td {{ font-variant-numeric: tabular-nums }}
td:first-child {{ overflow-wrap: anywhere; min-width: 9rem }}
summary {{ cursor: pointer }}
dt {{ font-weight: 600 }}
</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""
