"""A brief as one HTML file: three columns of findings, each of which opens its pairs. All text may come from
outside, so all of it is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from core.charts import Table
from core.evaluate.brief.records import Brief, Line, PairLine, Split
from core.evaluate.brief.sides import Side
from core.evaluate.report.html import PAGE, cell, numbers

TITLE = "Topic brief"
HEADS = {
    Side.FOR: ("For", "They say what the question supposes."),
    Side.AGAINST: ("Against", "They say the opposite, or find no difference."),
    Side.UNDECIDED: ("Undecided", "No rule can read which way they go."),
}
"""Side -> its title, and what stands below it."""
HOW = (
    "Which way a finding goes is read by rule from its words, and may be read wrongly: the quote is what the "
    "article says. Labels of pairs name who made them."
)
_STYLE = """<style>
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1.5rem }
.sides details { border-top: 1px solid #8884; padding: .5rem 0 }
.sides details details { margin-left: 1rem }
.sides blockquote { margin: 0 }
.about { color: #555; font-size: .85rem }
</style>"""


def brief_html(found: Brief) -> str:
    """The brief; it asks nothing of the network."""
    about = numbers(Table("What this is about", ("choice", "value"), list(told(found).items())))
    columns = "".join(_column(found, one) for one in Side)
    parts = [
        _STYLE,
        f"<p>{cell(HOW)}</p>",
        f'<div class="sides">{columns}</div>',
        *(numbers(table) for table in tables(found) if table.rows),
        about,
    ]
    return PAGE.format(title=cell(found.question), body="\n".join(parts))


def told(found: Brief) -> dict[str, str]:
    """What the brief was asked for, and on what it rests."""
    return {
        "question": found.question,
        "corpus": found.corpus,
        "run": found.run,
        "articles with a finding": f"{found.articles:,}",
        "decisions": found.gold,
    }


def tables(found: Brief) -> list[Table]:
    """What splits the sides, what people decided, what is missing."""
    return [
        Table(
            "What splits them",
            ("axis", "pairs", "findings for say", "findings against say"),
            [_split(one) for one in found.splits],
            note="Axes that labels of pairs between both sides name, and what the articles say along them.",
        ),
        Table("What people decided", ("label", "pairs"), list(found.decided)),
        Table("What is missing", ("gap",), [(one,) for one in found.missing]),
    ]


def _split(one: Split) -> tuple[str, int, str | None, str | None]:
    return one.axis, one.pairs, "; ".join(one.found_for) or None, "; ".join(one.found_against) or None


def source(line: Line) -> str:
    """Study, size, year and journal in one line."""
    size = f"n = {line.n:,}" if line.n is not None else "n not stated"
    year = str(line.year) if line.year is not None else "no year"
    return ", ".join(part for part in (line.study.rstrip("."), size, year, line.journal) if part)


def _column(found: Brief, one: Side) -> str:
    title, said = HEADS[one]
    lines = found.sides[one]
    left = found.counts[one] - len(lines)
    more = f"<p>{left:,} more are not shown.</p>" if left else ""
    body = "".join(map(_line, lines)) or "<p>None.</p>"
    return f"<section><h2>{title} ({found.counts[one]:,})</h2><p>{cell(said)}</p>{body}{more}</section>"


def _line(line: Line) -> str:
    opened = "".join(map(_pair, line.pairs)) or "<p>No pair of it is on this question.</p>"
    return (
        f"<details><summary><q>{cell(line.quote)}</q> "
        f'<span class="about">{cell(source(line))}</span></summary>{opened}</details>'
    )


def _pair(pair: PairLine) -> str:
    rows: Iterable[tuple[str, str | None]] = (
        ("held against", f"“{pair.other}” ({pair.other_study})"),
        ("a conflict is", pair.likelihood),
        ("label", pair.label),
        ("how both can hold", pair.reconciliation or None),
        ("people say", pair.decided or "nothing yet"),
        ("pair", pair.pair_id),
    )
    told = "".join(f"<dt>{name}</dt><dd>{cell(value)}</dd>" for name, value in rows if value is not None)
    return f"<dl>{told}</dl>"
