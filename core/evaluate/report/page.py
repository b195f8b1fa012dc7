"""What a page of the app shows, as one self-contained HTML file: headline values, charts with their numbers,
and what every number means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from core import charts
from core.charts import Estimate, Table
from core.evaluate.report.html import PAGE, cell, figure, numbers


class Headline(NamedTuple):
    """A value that a page shows by itself."""

    title: str
    value: Estimate | str | None
    metric: str = ""
    """Of the registry, for its meaning."""


def page_html(
    title: str,
    about: Mapping[str, str],
    headlines: Sequence[Headline],
    tables: Sequence[Table],
    texts: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """One HTML file that asks nothing of the network. All text may come from outside: it is escaped.

    Args:
        about: name -> what the page was asked for, such as the run.
        headlines: values shown by themselves, first.
        tables: in the order of the page, each with its chart where it has one.
        texts: title -> a text that is told as it is, line by line.
    """
    parts = []
    if about:
        parts.append(numbers(Table("What this is about", ("choice", "value"), list(about.items()))))
    if headlines:
        rows = [(one.title, one.value) for one in headlines]
        parts.append(numbers(Table("Headline", ("value", "estimate"), rows)))
    for name, text in texts.items():
        lines = "\n".join(map(cell, text.splitlines()))
        parts += [f"<h2>{cell(name)}</h2>", f'<p class="text">{lines}</p>']
    library = iter([True])
    for table in tables:
        if not table.rows:
            continue
        parts += [numbers(table), *figure(table, library)]
    meanings = _meanings(headlines, tables)
    if meanings:
        parts.append(numbers(Table("What the numbers mean", ("value", "meaning"), meanings)))
    if not (headlines or texts) and not any(table.rows for table in tables):
        parts.append(f"<p>{cell('The page shows no number yet.')}</p>")
    return PAGE.format(title=cell(title), body="\n".join(parts))


def _meanings(headlines: Sequence[Headline], tables: Sequence[Table]) -> list[tuple[str, str]]:
    """Each metric once, in the order in which it is met."""
    met = [one.metric for one in headlines] + [m for table in tables for m in table.help.values()]
    found = {metric: charts.explanation(metric) for metric in met if metric}
    return [(charts.title(metric) or metric, " ".join(said)) for metric, said in found.items() if said]
