"""An evaluation as one self-contained HTML file, which asks nothing of the network, and forbids itself to.

Every cell may come from outside (document ids, file names, labels), so every cell is escaped.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from core import charts
from core.charts import Chart, Table, labels
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation, as_reviewed
from core.evaluate.report.contents import TITLE, Result, contents, cut
from core.evaluate.tables import cells as t
from core.evaluate.tables import sections as s
from core.evaluate.tables.published import beside, printed
from core.text.visible import visible

OFF = "Published values are off: a click on a name above the chart draws them as dashed lines."
DOCUMENTS = "Documents"
"""The table whose rows open in HTML."""


def report_html(result: Result, *, figures: bool = True, further: Sequence[Table] = ()) -> str:
    """The report as one HTML file.

    Args:
        further: tables to show first, such as chosen items.
        figures: with interactive charts, which add about 5 MB of script.
    """
    parts = [numbers(table) for table in further]
    with_library = iter([True])  # once per file
    both = as_reviewed(result)
    drawn = _averages(both) if figures else []
    for section in contents(both):
        if section.title:
            parts.append(f"<h2>{cell(section.title)}</h2>")
        parts += [f"<p>{cell(note)}</p>" for note in section.notes]
        for table in section.tables:
            if table.title == DOCUMENTS and both.before.judged == "documents":
                parts.append(_documents(both.before))
                continue
            parts.append(numbers(table, 3 if section.title else 2))
            if figures and table.rows:
                parts += _figure(table, section.family, with_library)
        for table in drawn:
            parts += [f"<h2>{cell(table.title)}</h2>", *_figure(table, "corpus", with_library)]
        drawn = []  # below the first section, that is the primary metrics
    return PAGE.format(title=TITLE, body="\n".join(parts))


def _figure(table: Table, family: str, with_library: Iterator[bool]) -> list[str]:
    """The chart of a table of a family, with published values, which show once their name is clicked."""
    return figure(beside(table, family, printed(family)), with_library)


def figure(table: Table, with_library: Iterator[bool]) -> list[str]:
    """The chart of a table, where it has one.

    Args:
        with_library: true once, for the first chart of a file, which brings the script that draws.
    """
    if table.chart is None or not charts.is_drawn(table):
        return []
    picture = charts.draw(table).update_traces(selector={"meta": charts.REFERENCE}, visible="legendonly")
    drawn = f'<div class="figure">{charts.figure_html(picture, with_library=next(with_library, False))}</div>'
    return [drawn, f"<p>{OFF}</p>"] if table.chart.references else [drawn]


def cell(words: str | None) -> str:
    """Text from anywhere, as it is; a dash for what is undefined."""
    return "–" if words is None else html.escape(visible(words))


def _td(table: Table, row: int, at: int) -> str:
    """Numbers with their intervals stay on one line; words may wrap."""
    kind = "" if isinstance(table.rows[row][at], str) else ' class="n"'
    return f"<td{kind}>{cell(table.shown(row, at))}</td>"


def numbers(whole: Table, level: int = 2) -> str:
    """A table under its title."""
    table = cut(whole)
    head = "".join(f'<th scope="col">{cell(c)}</th>' for c in labels(table))
    body = "".join(
        f"<tr>{''.join(_td(table, row, at) for at in range(len(table.columns)))}</tr>"
        for row in range(len(table.rows))
    )
    note = f"\n<p>{cell(table.note)}</p>" if table.note else ""
    return (
        f"<h{level}>{cell(table.title)}</h{level}>{note}\n"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _averages(both: ReviewedEvaluation) -> list[Table]:
    """The averages with their intervals, and how documents differ; of concept labels only."""
    if both.before.judged != "documents":
        return []
    sides = ("before review", "after review") if both.after else ("proposals",)
    scored = dict(zip(sides, both.sides, strict=True))
    names = (*t.VALUES, *t.FURTHER)
    means = Table(
        "Averages with intervals",
        ("value", *scored),
        [(s.value_name("corpus", name), *(e.estimate(name) for e in scored.values())) for name in names],
        opens=[(None, *(name for _ in scored)) for name in names],
        chart=Chart("intervals", "value", tuple(scored), y_title="Value, with its interval", unit=True),
    )
    return [means, charts.spread({name: [row["f1"] for row in e.documents()] for name, e in scored.items()})]


def _documents(evaluation: Evaluation) -> str:
    """One row per document; each opens the concepts behind its counts."""
    table = cut(t.documents(evaluation))
    rows = []
    for number, outcome in enumerate(evaluation.outcomes[: len(table.rows)]):
        lists = "".join(
            f"<dt>{word}</dt><dd>{', '.join(_concept(evaluation, c) for c in members)}</dd>"
            for kind, word in t.OUTCOMES.items()
            if (members := getattr(outcome, kind))
        )
        first = cell(table.shown(number, 0))
        opened = f"<details><summary>{first}</summary><dl>{lists}</dl></details>"
        cells = "".join(_td(table, number, at) for at in range(1, len(table.columns)))
        rows.append(f"<tr><td>{opened if lists else first}</td>{cells}</tr>")
    head = "".join(f'<th scope="col">{cell(c)}</th>' for c in labels(table))
    note = f"<p>{cell(table.note)}</p>" if table.note else ""
    return (
        f"<h2>Documents</h2>{note}\n"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _concept(evaluation: Evaluation, concept: str) -> str:
    label = evaluation.labels.get(concept)
    return cell(f"{label} ({concept})" if label else concept)


PAGE = """<!doctype html>
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
.figure {{ overflow-x: auto }}
.text {{ white-space: pre-wrap; overflow-wrap: anywhere }}
td.n {{ white-space: nowrap }}
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
