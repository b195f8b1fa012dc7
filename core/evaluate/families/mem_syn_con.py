"""Mentions cut by what training has shown: recall of each split, and what the headline owes to memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from core.charts import Cell, Chart, Items, Table, Value
from core.evaluate.families.inputs import Inputs, Mentions
from core.evaluate.families.placed import placed
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.settings import Settings
from core.metrics import mem_syn_con
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.marked import Marked, of_columns
from core.metrics.mem_syn_con import Partition, Training
from core.metrics.mentions import Occurrence, Place

FAMILY = "mem_syn_con"
NO_TRAINING = (
    "Which names and concepts are new is known from the training set alone. Choose the training part (not "
    "train and dev) on the Generalisation page, or name it in `touchstone evaluate`."
)
NO_PLACES = (
    "Mentions are compared by their places, and {side} gives none. Use labels with start and end offsets."
)
ALL, UNSEEN = "all", "unseen"
MOSTLY = 0.5
"""Share of memorisable mentions from which on they dominate."""
COLUMNS = ("mentions", "share", "found", "missed", "recall")


Estimates = Mapping[str, Estimate]


class Places(NamedTuple):
    """Both sides of an evaluation as mentions with places."""

    documents: tuple[str, ...]
    """Every scored document, in order."""
    gold: Sequence[Occurrence]
    predicted: Mapping[Place, Occurrence]
    notes: tuple[str, ...] = ()


class Sides(NamedTuple):
    """The same in columns."""

    gold: Marked
    predicted: Marked
    notes: tuple[str, ...] = ()


def sides(inputs: Inputs) -> Sides | str:
    """Mentions of the statuses that count, in complete documents; or why there are none, as a sentence.

    Mentions at one place become one with the ids of all; labels of whole documents have no place and are
    counted in the notes.
    """
    known = inputs.known
    texts = known.texts() if known.texts else {}
    found: list[Marked] = []
    left_out = []
    for side, read in (("the gold", known.gold_mentions), ("the prediction", known.predicted_mentions)):
        if read is None:
            return NO_PLACES.format(side=side)
        marked, without = _marked(inputs, read, texts)
        if without and not len(marked):
            return NO_PLACES.format(side=side)
        if without:
            left_out.append(
                f"{without} labels of {side} have no place in the text and are in no number here."
            )
        found.append(marked)
    gold, predicted = found
    return Sides(gold, predicted, tuple(left_out))


def _marked(inputs: Inputs, read: Callable[[], Mentions], texts: Mapping[str, str]) -> tuple[Marked, int]:
    """Mentions with places, and how many labels have none."""
    held = placed(inputs, read)
    documents = tuple(o.doc_id for o in inputs.complete)
    read_texts = [texts.get(doc_id) for doc_id in documents]
    rows = zip(held.document.tolist(), held.start.tolist(), held.end.tolist(), held.quotes, strict=True)
    words = [
        quote or "" if (text := read_texts[d]) is None else text[start:end] for d, start, end, quote in rows
    ]
    ids = {concept: (concept,) for concept in set(held.concepts)}
    concepts = list(map(ids.__getitem__, held.concepts))
    return of_columns(documents, *held[:3], [""] * len(words), words, concepts), held.unplaced


def evaluate(inputs: Inputs) -> FamilyResult:
    training = inputs.known.training
    held = sides(inputs) if training else NO_TRAINING
    return absent(FAMILY, held) if isinstance(held, str) else lay_out(held, training, inputs.settings)


def partition(held: Places | Sides, training: Training) -> Partition:
    if isinstance(held, Sides):
        return mem_syn_con.cut(held.gold, held.predicted, training)
    return mem_syn_con.partition(held.gold, held.predicted.values(), training, held.documents)


def lay_out(held: Places | Sides, training: Training | None, settings: Settings) -> FamilyResult:
    """Estimates, tables and the items behind them; absent without a training set."""
    if training is None:
        return absent(FAMILY, NO_TRAINING)
    cut = partition(held, training)
    estimates, resampled = mem_syn_con.score(
        cut,
        **settings.resampling(len(cut.documents)),
    )
    notes = list(held.notes)
    if training.concepts is None:
        notes.append("There are no concept ids to tell SYN from CON: what is not MEM is UNS.")
    return FamilyResult(
        FAMILY,
        estimates,
        (_splits(cut, estimates), _overall(cut, estimates), _training(training)),
        {
            key: _listed(cut, _BEHIND[kind], *strata)
            for key in estimates
            for kind, *strata in [key.split(":")]
        },
        tuple(notes),
        resampled,
        warnings=dominated(estimates),
    )


def dominated(estimates: Estimates) -> tuple[str, ...]:
    """A warning where most gold mentions can be had by heart (paper 002, section 5), or nothing."""
    share, recall, unseen = (estimates[name].value for name in ("share:MEM", "recall", "recall:unseen"))
    if share is None or share <= MOSTLY or recall is None:
        return ()
    new = "undefined, as none is new" if unseen is None else f"{unseen:.3f}"
    return (
        f"Memorisable mentions dominate: {share:.0%} of the gold mentions stand in the training set word for"
        f" word. The overall recall of {recall:.3f} says mostly what can be had by heart; the recall of the"
        f" others is {new}.",
    )


_BEHIND = {
    **dict.fromkeys(("mentions", "share", "recall", "overestimation"), ("tp", "fn")),
    "found": ("tp",),
    "missed": ("fn",),
    "precision": ("tp", "fp"),
    "f1": ("tp", "fn", "fp"),
    "spurious": ("fp",),
}
"""Outcomes of the mentions behind a value or a count."""


def _listed(cut: Partition, outcomes: Sequence[str], split: str = ALL) -> Items:
    """Gold mentions of a split, found or missed, and what was proposed without one."""
    chosen = None if split == ALL else split
    return partial(by_outcome, cut, outcomes, lambda hit: cut.of(chosen, found=hit))


def by_outcome(
    cut: Partition, outcomes: Sequence[str], of: Callable[[bool], Iterable[Occurrence]]
) -> list[Item]:
    """Mentions with these outcomes, each gold one with its split.

    Args:
        of: whether they are found -> gold mentions.
    """
    groups = ((o, cut.spurious if o == "fp" else of(o == "tp")) for o in outcomes)
    return items(groups, lambda m: cut.split_at.get(m.place, ""))


def _splits(cut: Partition, estimates: Estimates) -> Table:
    rows: list[tuple[Value | Cell, ...]] = []
    for split in (*cut.in_use, UNSEEN, ALL):
        chosen = cut.among(None if split == ALL else split)
        total, hits = int(np.count_nonzero(chosen)), int(np.count_nonzero(chosen & cut.found))
        share = (
            Estimate(1.0, len(cut.documents)) if split == ALL and total else estimates.get(f"share:{split}")
        )
        recall = estimates["recall" if split == ALL else f"recall:{split}"]
        values: tuple[Value, ...] = (total, share, hits, total - hits, recall)
        cells = (
            value if value is None else Cell(value, f"{k}:{split}", _listed(cut, _BEHIND[k], split))
            for k, value in zip(COLUMNS, values, strict=True)
        )
        rows.append((split, *cells))
    return Table.of(
        "Recall of each split",
        ("split", *COLUMNS),
        rows,
        "splits",
        chart=Chart("intervals", x="split", y=("recall",), x_title="split", y_title="recall", unit=True),
        note="Unseen: all that is not MEM. There is no precision of a split: an error belongs to none.",
        help={
            "mentions": "mem_syn_con.mentions",
            "share": "mem_syn_con.share",
            "recall": "mem_syn_con.recall",
        },
    )


def _overall(cut: Partition, estimates: Estimates) -> Table:
    names = ("precision", "recall", "f1", "overestimation")
    heads = ("precision", "recall", "F1", "overestimation", "spurious mentions")
    spurious = Cell(int(np.count_nonzero(~cut.right)), "spurious", _listed(cut, _BEHIND["spurious"]))
    return Table.of(
        "All mentions",
        heads,
        [(*(Cell(estimates[name], name, _listed(cut, _BEHIND[name])) for name in names), spurious)],
        "overall",
        help={head: f"mem_syn_con.{name}" for head, name in zip(heads, names, strict=False)},
    )


def _training(training: Training) -> Table:
    concepts = None if training.concepts is None else len(training.concepts)
    return Table(
        "Training set",
        ("training set", "distinct normalised mentions", "distinct concept ids"),
        [(training.name or "unnamed", len(training.mentions), concepts)],
        name="training",
    )


def items(
    groups: Iterable[tuple[str, Iterable[Occurrence]]], word: Callable[[Occurrence], str]
) -> list[Item]:
    """Mentions as items, in order of document and place; `word` says what else is known of a gold mention."""
    rows = [(m, outcome) for outcome, members in groups for m in members]
    rows.sort(key=lambda row: (row[0].doc_id, row[0].start, row[0].end))
    return [
        Item(m.doc_id, m.ids[0] if m.ids else m.type, outcome, _detail(m, word(m))) for m, outcome in rows
    ]


def _detail(m: Occurrence, word: str) -> str:
    others = f"also {', '.join(m.ids[1:])}" if len(m.ids) > 1 else ""
    return "; ".join(part for part in (f"“{m.text}” at {m.start} to {m.end}", word, others) if part)
