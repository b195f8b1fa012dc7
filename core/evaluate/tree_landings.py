"""Where the proposals of a run land around the gold concepts that training has not shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import NamedTuple

from core.charts import Cell, Chart, Table, Value
from core.evaluate.tree_facts import path
from core.evaluate.tree_spread import Spread
from core.index.tree import lcp
from core.metrics.documents import Item
from core.metrics.unseen import Unit, UnseenScores


class Reached(NamedTuple):
    """How near the proposals come to one unseen gold concept."""

    concept: str
    passages: int
    closeness: float
    """Mean over its passages, in [0, 1]."""
    left: float
    """Concepts among which it is still to be chosen: harmonic mean."""


def reached(scores: UnseenScores) -> list[Reached]:
    """Each unseen gold concept, the farthest first, then by passages and id."""
    of: defaultdict[str, list[Unit]] = defaultdict(list)
    for unit in scores.units:
        of[unit.concept].append(unit)
    found = [
        Reached(
            concept,
            len(units),
            sum(unit.closeness for unit in units) / len(units),
            len(units) / sum(1 / unit.size for unit in units),
        )
        for concept, units in of.items()
    ]
    return sorted(found, key=lambda one: (one.closeness, -one.passages, one.concept))


def reached_table(spread: Spread, scores: UnseenScores) -> Table:
    """The same as a table whose cells open the passages."""

    def passages(concept: str) -> list[Item]:
        return [
            Item(
                u.doc_id, u.concept, "tp" if u.shared == u.depth else "fn", f"{u.shared} of {u.depth} levels"
            )
            for u in scores.units
            if u.concept == concept
        ]

    rows: list[tuple[Value | Cell, ...]] = [
        (
            f"{one.concept} {spread.labels.get(one.concept, '')}".strip(),
            Cell(one.passages, f"passages:{one.concept}", partial(passages, one.concept)),
            one.closeness,
            one.left,
        )
        for one in reached(scores)
    ]
    return Table.of(
        "Unseen gold concepts",
        ("concept", "passages", "closeness (U-RC)", "candidates left (U-CS)"),
        rows,
        "reached",
        help={"closeness (U-RC)": "unseen.u_rc", "candidates left (U-CS)": "unseen.u_cs"},
    )


def landings(spread: Spread, concept: str) -> Table:
    """Where the proposals land in the passages whose gold holds a concept: those that share more of its index
    hang deeper. The gold concept itself is the rectangle with closeness 1."""
    own = spread.tree.indices[concept]
    passages = [o for o in spread.outcomes if concept in o.tp or concept in o.fn]
    said = Counter(c for o in passages for c in (*o.tp, *o.fp) if c in spread.tree.indices)
    shares = {other: lcp(own, spread.tree.indices[other]) for other in said}
    gold = f"{spread.called(concept)}, gold in {len(passages):,} {path(own)}"
    rows: list[tuple[Value, ...]] = []
    for at in range(len(own)):
        inside = sum(times for other, times in said.items() if shares[other] >= at and other != concept)
        above = spread.name(own[: at - 1]) if at else None
        rows.append((spread.name(own[:at]), above, inside + len(passages), at / len(own), None))
        for other in sorted(c for c, length in shares.items() if length == at):
            title = f"{spread.called(other)} {path(spread.tree.indices[other])}"
            rows.append((title, spread.name(own[:at]), said[other], at / len(own), said[other]))
    rows.append((gold, spread.name(own[:-1]), len(passages), 1.0, said[concept]))
    return Table(
        f"Around {spread.called(concept)}",
        ("node", "inside", "labels", "closeness", "proposed"),
        rows,
        "landings",
        chart=Chart("icicle", x="node", y=("labels", "closeness"), parent="inside", unit=True),
        note="From the left the path to the gold concept; beside each node of it the concepts that are "
        "proposed in the same passages and leave the path there, as tall as they are proposed often. The "
        "further right, the nearer to the gold.",
    )
