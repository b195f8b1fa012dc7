"""Claim pairs on their way out: the silver of a run, or the gold that people made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from core.errors import InputError
from core.exchange.pair_rows import pair_rows
from core.formats.pairs import PairRow
from core.records import ItemKind, PairSort
from core.store import Workspace, runs
from core.store.runs import Run
from core.store.settled import by_reference


class PairSelection(NamedTuple):
    """What an export of pairs writes."""

    rows: Iterator[PairRow]
    gold: str | None = None
    """Reference, pinned to a decision number."""

    def counted(self, counts: dict[str, int]) -> Iterator[PairRow]:
        """The rows; `counts` holds their numbers at the end."""
        found: Counter[str] = Counter(pairs=0)
        for row in self.rows:
            found.update(["pairs", f"labels_{row.label_origin}"])
            found["evidence"] += len(row.evidence_spans)
            found["ungrounded"] += sum(span.start is None for span in row.evidence_spans)
            found["repaired"] += row.repaired
            found["seen_by_person"] += row.seen_by_person
            yield row
        counts |= found


def not_ordered(order: PairSort | None) -> None:
    """Raises InputError where an order was asked for of something else than proposals of pairs."""
    if order is not None:
        raise InputError("Only proposals of claim pairs can be ordered: leave --order out.")


def of_pairs(
    workspace: Workspace, what: str, run: str | None, gold: str | None, corpus: str | None
) -> Run | None:
    """The run of claim pairs that an export is about; None where it is about concepts.

    Without a run named, it is the only run there is, and of gold the only run of its corpus.
    """
    if run is not None:
        found = runs.find_run(workspace, run)
        return found if found.proposes == ItemKind.PAIR else None
    known = runs.list_runs(workspace)
    if what == "gold":
        if gold is None or gold.startswith("imported:"):
            return None
        known = [one for one in known if corpus in (None, one.corpus)]
    return known[0] if len(known) == 1 and known[0].proposes == ItemKind.PAIR else None


def select_pairs(
    workspace: Workspace, run: Run, what: str, gold: str | None, order: PairSort | None = None
) -> PairSelection:
    """`proposals`: the silver of a run; `gold`: the pairs that people settled, as they settled them.

    Args:
        order: of proposals; None: the likeliest conflict first.

    Raises:
        InputError: gold is written as it was stored, and an order was asked for.
    """
    if what == "proposals":
        return PairSelection(pair_rows(workspace, run.id, order=order or PairSort.LIKELIHOOD))
    not_ordered(order)
    found = by_reference(workspace, run.corpus, ItemKind.PAIR, gold)
    return PairSelection(pair_rows(workspace, run.id, verdicts=found, settled=True), found.reference)
