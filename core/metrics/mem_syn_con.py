"""MEM / SYN / CON: how far a recogniser generalises beyond its training set (metric-definitions 2).

    training = Training.of(["skin tumour"], ["D012878"])      # the training part only, not train and dev
    scored = score(gold, predicted, training)                 # every gold mention in one split, found or not

A gold mention is MEM if its normalised text was seen in training, else SYN if one of its ids was, else CON.
Where there are no ids, what is not MEM is UNS. The split is a property of the gold, so a false positive
belongs to none: per split there is recall only, and precision and F1 exist overall.

Overrepresentation (paper 002, section 5) is a matter of shares: `share:MEM` of the gold can be had by heart.
What that does to the headline is **overestimation** = overall recall - recall of the mentions that are not
MEM. Range [-1, 1], near 0 for a recogniser that knows new names as well as old ones; undefined where no gold
mention is new, or none at all. The paper warns of it in words; the difference is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.metrics.bootstrap import Draws, Floats, interval, resample
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.mentions import Occurrence, Place, normalise, single_ids

Split = Literal["MEM", "SYN", "CON", "UNS"]
SPLITS: tuple[Split, ...] = ("MEM", "SYN", "CON", "UNS")
UNSEEN: tuple[Split, ...] = ("SYN", "CON", "UNS")
"""Mentions whose text training has not shown."""
WITHOUT_ID = "-1"

_SOURCE = "MEM / SYN / CON (paper 002), sections 2.1 and 3.2; metric-definitions 2"
_EMPTY = "No gold mention of the split: undefined (rule U0)."
_ZERO = "Nothing in gold and prediction: undefined (rule N0). A zero denominator gives 0 (rule Z0)."

FAMILY = Family(
    title="Memorised, synonym and new concept",
    item="a gold mention: document, start, end and type",
    metrics={
        "recall": Metric(
            "Recall",
            "Which share of the mentions was found, of those seen in training and of those that were not?",
            "gold mentions predicted with identical document, start, end and type / gold mentions",
            "[0, 1]",
            "higher",
            _SOURCE,
            _EMPTY,
        ),
        "precision": Metric(
            "Precision",
            "Which share of the predicted mentions is right? (Of all splits: an error belongs to none.)",
            "predicted mentions in the gold / predicted mentions",
            "[0, 1]",
            "higher",
            _SOURCE,
            _ZERO,
        ),
        "f1": Metric(
            "F1",
            "How well are mentions found and delimited, seen and unseen together?",
            "2TP / (predicted + gold mentions)",
            "[0, 1]",
            "higher",
            _SOURCE,
            _ZERO,
        ),
        "mentions": Metric(
            "Gold mentions",
            "How many gold mentions fall into the split?",
            "distinct (document, start, end, type) of the gold: MEM if the normalised text is among the "
            "training mentions, else SYN if one of its ids is among the training ids, else CON (without "
            "ids UNS)",
            "[0, ∞) mentions",
            "none",
            _SOURCE + ", R5 to R8",
            "Always defined.",
        ),
        "share": Metric(
            "Share of the gold",
            "How much of the test set falls into the split; of MEM, how much could be had by heart?",
            "gold mentions of the split / gold mentions",
            "[0, 1]",
            "none",
            "MEM / SYN / CON (paper 002), tables 1 and 2 and section 5 (overrepresentation)",
            "No gold mention: undefined.",
        ),
        "overestimation": Metric(
            "Overestimation",
            "By how much does the overall recall promise more than the recall of unseen mentions?",
            "overall recall - recall of the gold mentions that are not MEM",
            "[-1, 1]",
            "none",
            "MEM / SYN / CON (paper 002), section 5, in words; the difference is ours",
            "No gold mention that is not MEM: undefined.",
        ),
    },
)

_NO_MENTION = "Neither gold nor prediction holds a mention."
_NO_GOLD = "The gold holds no mention."


@dataclass(frozen=True, slots=True)
class Training:
    """What a model was trained on: the training part only, not train and dev."""

    mentions: frozenset[str]
    """Normalised mention texts, without the empty string."""
    concepts: frozenset[str] | None
    """Single concept ids, without `-1`; None: training (or the corpus) has no ids."""
    name: str = ""
    """What the training set is called in results."""

    @classmethod
    def of(cls, mentions: Iterable[str], ids: Iterable[str] | None, name: str = "") -> Training:
        """From mention texts and id fields as they stand in a file."""
        texts = frozenset(map(normalise, mentions)) - {""}
        return cls(texts, None if ids is None else frozenset(single_ids(ids)) - {WITHOUT_ID}, name)


def split_of(text: str, ids: Iterable[str], training: Training) -> Split:
    """The split of a gold mention. MEM is asked first, whatever its ids; `-1` never makes a mention SYN."""
    if normalise(text) in training.mentions:  # the empty string never is
        return "MEM"
    if training.concepts is None:
        return "UNS"
    return "CON" if training.concepts.isdisjoint(single_ids(ids)) else "SYN"


@dataclass(frozen=True, slots=True)
class Generalisation:
    mentions: tuple[Occurrence, ...]
    """Distinct gold mentions, in order of document and place."""
    splits: tuple[Split, ...]
    """Of each mention."""
    found: tuple[bool, ...]
    """Whether each mention was predicted."""
    spurious: tuple[Place, ...]
    """Distinct predictions that are no gold mention, in order."""
    estimates: dict[str, Estimate]
    """`precision`, `recall`, `f1`, `overestimation`; `recall:`, `share:` and `mentions:` of each split in
    use, and `recall:unseen`."""

    @property
    def in_use(self) -> tuple[Split, ...]:
        """The splits that this corpus is cut into: with UNS where it has no ids."""
        return tuple(split for split in SPLITS if f"share:{split}" in self.estimates)

    def of(self, split: str | None = None, *, found: bool | None = None) -> list[Occurrence]:
        """Gold mentions of a split (`unseen`: all but MEM; None: all), found, missed, or both."""
        wanted = SPLITS if split is None else UNSEEN if split == "unseen" else (split,)
        rows = zip(self.mentions, self.splits, self.found, strict=True)
        return [mention for mention, s, hit in rows if s in wanted and (found is None or hit == found)]


def score(
    gold: Iterable[Occurrence],
    predicted: Iterable[Place],
    training: Training,
    *,
    documents: Sequence[str] | None = None,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> Generalisation:
    """Recall of each split, and overall precision, recall and F1, micro over distinct mentions.

    Args:
        gold: mentions with the same place collapse into one with the ids of all.
        documents: every scored document, also those that hold nothing; mentions of others are left out.
            None: those that hold something, sorted. Intervals resample them in this order.
        index_lists: resamples over `documents` (see `bootstrap.draws`); empty for no intervals.
    """
    merged: dict[Place, Occurrence] = {}
    for mention in gold:
        place = mention.place
        earlier = merged.get(place)
        if earlier is None:
            merged[place] = mention
        elif not set(mention.ids) <= set(earlier.ids):
            merged[place] = earlier._replace(ids=tuple(dict.fromkeys((*earlier.ids, *mention.ids))))
    said = set(predicted)
    if documents is None:
        documents = sorted({p.doc_id for p in merged} | {p.doc_id for p in said})
    order = {doc_id: row for row, doc_id in enumerate(documents)}
    said = {place for place in said if place.doc_id in order}
    kept = (m for m in merged.values() if m.doc_id in order)
    mentions = tuple(sorted(kept, key=lambda m: (order[m.doc_id], m.start, m.end, m.type)))
    splits = tuple(split_of(m.text, m.ids, training) for m in mentions)
    found = tuple(m.place in said for m in mentions)
    table = _table(mentions, splits, found, said, order)
    names = splits_with(training)

    def statistic(sums: Floats) -> Floats:
        return _statistic(sums, names)

    values = statistic(table.sum(axis=0, keepdims=True))[0]
    resampled = resample(table, statistic, index_lists)
    estimates = {}
    for i, name in enumerate(_values(names)):
        value = None if np.isnan(values[i]) else float(values[i])
        low, high, dropped = interval(resampled[:, i], level)
        reason = None if value is not None else _reason(name, bool(mentions), bool(said))
        rests_on = _rests_on(table, name)
        estimates[name] = Estimate(value, rests_on, low=low, high=high, dropped=dropped, reason=reason)
    for split in names:
        estimates[f"mentions:{split}"] = Estimate(float(splits.count(split)), len(table))
    spurious = said - merged.keys()
    return Generalisation(
        mentions,
        splits,
        found,
        tuple(sorted(spurious, key=lambda p: (order[p.doc_id], *p[1:]))),
        estimates,
    )


# --- one document a row, then sums over rows ----------------------------------------------------------------


def splits_with(training: Training) -> tuple[Split, ...]:
    """The splits that a corpus is cut into: without ids there are two."""
    return ("MEM", "UNS") if training.concepts is None else ("MEM", "SYN", "CON")


def _values(names: Sequence[Split]) -> tuple[str, ...]:
    per_split = (f"{kind}:{split}" for kind in ("recall", "share") for split in names)
    return ("precision", "recall", "f1", "overestimation", "recall:unseen", *per_split)


def _table(
    mentions: Sequence[Occurrence],
    splits: Sequence[Split],
    found: Sequence[bool],
    said: Collection[Place],
    order: dict[str, int],
) -> Floats:
    """Per document: gold mentions of each of `SPLITS`, found ones of each, predictions; shape (n, 9)."""
    table = np.zeros((len(order), 9))
    for mention, split, hit in zip(mentions, splits, found, strict=True):
        row, column = table[order[mention.doc_id]], SPLITS.index(split)
        row[column] += 1
        row[column + 4] += hit
    for place in said:
        table[order[place.doc_id], 8] += 1
    return table


def _statistic(sums: Floats, names: Sequence[Split]) -> Floats:
    """The values of each row of sums, in the order of `_values`; NaN: undefined."""
    gold, hits, said = sums[:, :4], sums[:, 4:8], sums[:, 8]
    n, tp = gold.sum(axis=1), hits.sum(axis=1)
    nothing = n + said == 0

    def over(top: Floats, bottom: Floats) -> Floats:
        return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom != 0)

    def or_zero(top: Floats, bottom: Floats) -> Floats:
        return np.where(nothing, np.nan, np.nan_to_num(over(top, bottom), nan=0.0))

    recall = or_zero(tp, n)
    unseen = over(tp - hits[:, 0], n - gold[:, 0])
    columns = [or_zero(tp, said), recall, or_zero(2 * tp, said + n), recall - unseen, unseen]
    columns += [over(hits[:, SPLITS.index(split)], gold[:, SPLITS.index(split)]) for split in names]
    columns += [over(gold[:, SPLITS.index(split)], n) for split in names]
    return np.column_stack(columns)


def _rests_on(table: Floats, name: str) -> int:
    """Documents that hold what the value's denominator counts."""
    measure, _, split = name.partition(":")
    if split in SPLITS and measure == "recall":
        held = table[:, SPLITS.index(split)]
    elif split == "unseen" or measure == "overestimation":
        held = table[:, 1:4].sum(axis=1)
    else:
        return len(table)
    return int(np.count_nonzero(held))


def _reason(name: str, any_gold: bool, any_said: bool) -> str:
    """Why a value is undefined, as a sentence."""
    if not any_gold and not any_said:
        return _NO_MENTION
    if not any_gold:
        return _NO_GOLD
    split = name.partition(":")[2]
    return f"No gold mention is {split}." if split in SPLITS else "Every gold mention is MEM: none is unseen."
