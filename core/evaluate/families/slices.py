"""Corpus values cut by branch, length and assertion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from core.charts import Cell, Chart, Table, Value
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.settings import SLICES
from core.metrics.definition import Estimate
from core.metrics.documents import BEHIND, Item
from core.metrics.marked import Integers
from core.metrics.slices import (
    Judged,
    Slice,
    by_concept,
    by_document,
    by_item,
    cut_points,
    quarter,
    tokens,
)
from core.metrics.slices import made as made_slice
from core.records import Assertion, Curie

FAMILY = "slices"
MEASURES = ("precision", "recall", "f1", "macro_f1")
COUNTS = ("tp", "fp", "fn")
HEADS = ("right", "spurious", "missed", "gold", "precision", "recall", "F1", "macro F1")
MADE_OF: Mapping[str, Sequence[str]] = {
    **{count: (count,) for count in COUNTS},
    "gold": ("tp", "fn"),
    **{measure: BEHIND[measure] for measure in MEASURES[:3]},
    "macro_f1": COUNTS,
}
"""Column -> the outcomes that it counts."""
OUTSIDE = "in no branch"
QUARTERS = ("1", "2", "3", "4")
NO_ONTOLOGY = (
    "Branches are not known: evaluate a run of a workspace, or name an ontology of it whose root is known."
)
NO_TEXTS = "Lengths are not known: evaluate a run of a workspace, or files that hold the texts."


def evaluate(inputs: Inputs) -> FamilyResult:
    """The slices of the settings; all of them where the settings name none."""
    cuts = _Cuts(inputs)
    tables: list[Table] = []
    notes: list[str] = []
    estimates: dict[str, Estimate] = {}
    for kind in inputs.settings.by or SLICES:
        why, make = {
            "branch": (None if cuts.branches_of else NO_ONTOLOGY, cuts.by_branch),
            "length": (None if cuts.lengths is not None else NO_TEXTS, cuts.by_length),
            "assertion": (None, cuts.by_assertion),
        }[kind]
        if why:
            notes.append(why)
            continue
        tables.append(make())
        estimates |= tables[-1].estimates
        if kind == "branch":
            estimates["surplus"] = cuts.surplus
    if not tables:
        return absent(FAMILY, " ".join(notes))
    several = partial(_items, COUNTS, cuts.documents, lambda _, c: len(cuts._in(c)) > 1)
    behind = {"surplus": several} if "surplus" in estimates else {}
    return FamilyResult(FAMILY, estimates, tuple(tables), behind, tuple(notes))


class _Cuts:
    """Complete documents, cut."""

    def __init__(self, inputs: Inputs):
        self.inputs = inputs
        self.level = inputs.settings.level
        self.documents = [Judged(o.doc_id, o.tp, o.fp, o.fn) for o in inputs.complete]
        self.surplus = Estimate(None, 0)
        """By how much the branches add up to more than there is, once they are made."""

    # --- branch -----------------------------------------------------------------------------------------

    @cached_property
    def branches_of(self) -> Callable[[Curie], tuple[Curie, ...]] | None:
        """Concept -> children of the root that it is or lies under; None where lineage or root is missing."""
        known = self.inputs.known
        lineage = known.lineage() if known.lineage else None
        if lineage is None:
            return None
        roots = [curie for curie in lineage.roots() if lineage.children(curie)]
        root = known.root or (roots[0] if len(roots) == 1 else None)
        if root is None or root not in lineage:
            return None
        return cache(lambda concept: lineage.branch(concept, root) if concept in lineage else ())

    def _in(self, concept: Curie) -> tuple[Curie | None, ...]:
        found = self.branches_of(concept) if self.branches_of else ()
        return found or (None,)

    def by_branch(self) -> Table:
        found = by_concept(self.documents, self._in, self.level)
        outside = found.pop(None, None)
        ordered = sorted((s for s in found.values()), key=lambda s: (-(s.tp + s.fn), str(s.name)))
        labels = self.inputs.labels
        rows = [(self._title(str(s.name), labels), str(s.name), s) for s in ordered]
        if outside is not None:
            rows.append((OUTSIDE, "", outside))
        total = sum(len(d.tp) + len(d.fp) + len(d.fn) for d in self.documents)
        more = sum(s.items for _, _, s in rows) - total
        self.surplus = Estimate(float(more), len(self.documents))
        return _table(
            "By branch",
            "branch",
            rows,
            self._in_branch,
            Chart("treemap", x="branch", y=("gold", "F1"), unit=True),
            f"A concept under several branches counts in each of them, so the rows add up to {more} more "
            f"than the {total} right, spurious and missed concepts of all documents.",
        )

    @staticmethod
    def _title(branch: str, labels: Mapping[Curie, str]) -> str:
        return labels.get(branch, branch)

    # --- length -----------------------------------------------------------------------------------------

    @cached_property
    def lengths(self) -> dict[str, int] | None:
        """Tokens of every complete document; None where a text is not known."""
        known = self.inputs.known
        texts = known.texts() if known.texts else {}
        if any(d.doc_id not in texts for d in self.documents):
            return None
        return {d.doc_id: tokens(texts[d.doc_id]) for d in self.documents}

    @cached_property
    def _quarter_of(self) -> dict[str, str]:
        lengths = self.lengths or {}
        cuts = cut_points(list(lengths.values()))
        return {d: QUARTERS[quarter(n, cuts)] for d, n in lengths.items()} if cuts else {}

    def by_length(self) -> Table:
        cuts = cut_points(list((self.lengths or {}).values()))
        vacuous = self.inputs.settings.vacuous
        found = by_document(self.documents, QUARTERS, self._quarter_of.__getitem__, vacuous, self.level)
        if cuts is None:
            titles, printed = list(QUARTERS), "There is no complete document."
        else:
            a, b, c = (f"{cut:g}" for cut in cuts)
            titles = [f"up to {a}", f"{a} to {b}", f"{b} to {c}", f"over {c}"]
            printed = (
                f"Tokens are words and signs. Cut at {a}, {b} and {c}, the quartiles of these documents; a "
                "length at a cut is in the lower slice."
            )
        rows = [(title, name, found[name]) for title, name in zip(titles, QUARTERS, strict=True)]
        chart = Chart("intervals", x="tokens", y=("precision", "recall"), unit=True, x_title="tokens")
        return _table("By length of the document", "length", rows, self._of_length, chart, printed)

    # --- assertion --------------------------------------------------------------------------------------

    @cached_property
    def _with_statuses(self) -> list[Judged]:
        """Items are (concept, status)."""
        found = []
        for d in self.documents:
            gold = self.inputs.gold_labels.get(d.doc_id, frozenset())
            said = self.inputs.predicted_labels.get(d.doc_id, frozenset())
            parts = (gold & said, said - gold, gold - said)
            found.append(Judged(d.doc_id, *(sorted(part, key=lambda item: str(item[0])) for part in parts)))
        return found

    def by_assertion(self) -> Table:
        names = [status.value for status in self.inputs.settings.statuses]
        found = by_item(names, *self._statuses_in_columns(), self.level)
        rows = [(name, found.get(name) or made_slice(name, 0, 0, 0, 1, (0, 0.0))) for name in names]
        return _table(
            "By assertion",
            "assertion",
            [(name, *row) for name, row in zip(names, rows, strict=True)],
            self._of_status,
            Chart("intervals", x="assertion", y=("precision", "recall"), unit=True),
            "Both sides restricted to the status: a concept with another status is missed in one row and "
            "spurious in the other.",
        )

    def _statuses_in_columns(self) -> tuple[Integers, Integers, Integers]:
        """Of every (document, concept, status): document, 0 right or 1 spurious or 2 missed, status."""
        order = self.inputs.settings.statuses
        statuses, concepts = {status: n for n, status in enumerate(order)}, dict[Curie, int]()
        sides = []
        for side in (self.inputs.gold_labels, self.inputs.predicted_labels):
            held = [side.get(d.doc_id, frozenset()) for d in self.documents]
            document = np.repeat(np.arange(len(held)), [len(of) for of in held])
            flat = list(chain.from_iterable(held))
            status = [statuses[s] for _, s in flat]
            code = np.array([concepts.setdefault(c, len(concepts)) for c, _ in flat], dtype=np.int64)
            sides.append((document, code, np.array(status, dtype=np.int64)))
        gold, said = ((d * len(concepts) + c) * len(order) + s for d, c, s in sides)
        right = np.isin(said, gold, assume_unique=True)
        missed = ~np.isin(gold, said, assume_unique=True)
        document = np.concatenate((sides[1][0], sides[0][0][missed]))
        status_of = np.concatenate((sides[1][2], sides[0][2][missed]))
        return document, np.concatenate((~right, np.full(missed.sum(), 2))), status_of

    # --- items ------------------------------------------------------------------------------------------

    def _in_branch(self, outcomes: Sequence[str], name: str) -> list[Item]:
        return _items(outcomes, self.documents, lambda _, c: (name or None) in self._in(c))

    def _of_length(self, outcomes: Sequence[str], name: str) -> list[Item]:
        return _items(outcomes, self.documents, lambda d, _: self._quarter_of[d] == name)

    def _of_status(self, outcomes: Sequence[str], name: str) -> list[Item]:
        found = _items(outcomes, self._with_statuses, lambda _, item: item[1].value == name)
        return [
            item._replace(id=item.id[0], detail=self._statuses(item.doc_id, item.id[0])) for item in found
        ]

    def _statuses(self, doc_id: str, concept: Curie) -> str:
        sides = (self.inputs.gold_labels, self.inputs.predicted_labels)
        gold, said = (
            " and ".join(s.value for s in Assertion if (concept, s) in side.get(doc_id, ())) or "absent"
            for side in sides
        )
        return f"gold {gold}, proposed {said}"


def _items(
    outcomes: Sequence[str], documents: Iterable[Judged], wanted: Callable[[str, Any], bool]
) -> list[Item]:
    """Members of documents with these outcomes that are wanted, by document and member."""
    return [
        Item(d.doc_id, member, outcome)
        for d in documents
        for outcome in outcomes
        for member in getattr(d, outcome)
        if wanted(d.doc_id, member)
    ]


def _table(
    title: str,
    kind: str,
    rows: Sequence[tuple[str, str, Slice[Any]]],
    listed: Callable[[Sequence[str], str], list[Item]],
    chart: Chart,
    note: str,
) -> Table:
    """One row per slice.

    Args:
        rows: (what is shown, name in the keys, the slice).
        listed: (outcomes, name of a slice) -> the items that it counts.
    """
    cells = []
    for shown, name, s in rows:
        counts = (s.tp, s.fp, s.fn, s.tp + s.fn)
        values: tuple[Value, ...] = (*counts, s.precision, s.recall, s.f1, s.macro_f1)
        opened = (
            Cell(value, f"{what}:{kind}:{name}", partial(listed, outcomes, name))
            for (what, outcomes), value in zip(MADE_OF.items(), values, strict=True)
        )
        cells.append((shown, s.documents, *opened))
    return Table.of(
        title,
        (chart.x, "documents", *HEADS),
        cells,
        kind,
        chart=chart,
        note=f"{note} Intervals are Wilson's, over items.",
        help={h: f"{FAMILY}.{m}" for h, m in zip(HEADS[4:], MEASURES, strict=True)},
    )
