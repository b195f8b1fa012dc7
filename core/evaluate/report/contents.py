"""What stands in a report, whatever it is written in.

After section 8.3 of the Full-Text HPO Extraction Benchmarking Framework: configuration, statistics of the
corpus, primary metrics with intervals, comparison of aggregations, then a section for each further family
that was asked for, and what every number means.
"""

from __future__ import annotations

from dataclasses import replace

from core.charts import Table
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation
from core.evaluate.tables import cells as t
from core.evaluate.tables import sections as s
from core.evaluate.tables.published import published

Result = Evaluation | ReviewedEvaluation

TITLE = "Evaluation"


def contents(both: ReviewedEvaluation) -> list[s.Section]:
    """The sections of a report, in order."""
    before, tail = both.before, t.caveats(both)
    if before.judged == "documents":
        head = [
            t.configuration(before),
            *map(t.counts, both.sides),
            t.macro(before),
            replace(t.averages(before), title="Aggregation comparison"),
            *([t.averages(both.uncorrected)] if both.uncorrected else []),
            *t.further(before),
            *t.review(both),
        ]
        tail += [*published("corpus"), t.documents(before)]
    else:
        head = [s.settings_table(before), replace(t.heading(before), title="Counts")]
    tail.append(s.definitions(list(before.families)))
    return [
        s.Section("", tuple(head), ()),
        *(found._replace(tables=(*found.tables, *published(found.family))) for found in s.sections(both)),
        s.Section("", tuple(tail), ()),
    ]


def cut(table: Table) -> Table:
    """A table short enough to print; it says what it leaves out."""
    if len(table.rows) <= s.LISTED:
        return table
    left = f"The first {s.LISTED:,} of {len(table.rows):,} rows. The downloads hold them all."
    return replace(table, rows=table.rows[: s.LISTED], opens=(), note=f"{table.note} {left}".strip())
