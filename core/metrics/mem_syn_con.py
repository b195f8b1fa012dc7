"""MEM / SYN / CON: how far a recogniser generalises beyond its training set (metric-definitions 2).

    training = Training.of(["skin tumour"], ["D012878"])      # the training part only, not train and dev
    cut = partition(gold, predicted, training)                # every gold mention in one split, found or not
    score(cut)["recall:CON"]

A gold mention is MEM if its normalised text was seen in training, else SYN if one of its ids was, else CON.
Where there are no ids, what is not MEM is UNS. The split is a property of the gold, so a false positive
belongs to none: per split there is recall only, and precision and F1 exist overall.

Overrepresentation (paper 002, section 5) is a matter of shares: `share:MEM` of the gold can be had by heart.
What that does to the headline is **overestimation** = overall recall - recall of the mentions that are not
MEM. Range [-1, 1], near 0 for a recogniser that knows new names as well as old ones; undefined where no gold
mention is new, or none at all. The paper warns of it in words; the difference is ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.marked import Integers, Marked, Mask, coded, held_by, of_occurrences
from core.metrics.mentions import Occurrence, Place, normalise, single_ids
from core.metrics.sums import Scored, divide, formulas, ratio

Split = Literal["MEM", "SYN", "CON", "UNS"]
SPLITS: tuple[Split, ...] = ("MEM", "SYN", "CON", "UNS")
UNSEEN: tuple[Split, ...] = ("SYN", "CON", "UNS")
"""Mentions whose text training has not shown."""
WITHOUT_ID = "-1"

_SOURCE = "MEM / SYN / CON (paper 002), sections 2.1 and 3.2; metric-definitions 2"
_EMPTY = "No gold mention of the split: undefined (rule U0)."


def _or_zero(s: Any, top: Floats, bottom: Floats) -> Floats:
    return np.where(s.n + s.said == 0, np.nan, ratio(top, bottom))


FAMILY = Family(
    title="Memorised, synonym and new concept",
    item="a gold mention: document, start, end and type",
    source=_SOURCE,
    undefined="Nothing in gold and prediction: undefined (rule N0). A zero denominator gives 0 (rule Z0).",
    metrics={
        "recall": Metric(
            "Recall",
            "Which share of the mentions was found, of those seen in training and of those that were not?",
            "gold mentions predicted with identical document, start, end and type / gold mentions",
            undefined=_EMPTY,
            of=lambda s: divide(s.found, s.mentions),
            per="split",
            whole=lambda s: _or_zero(s, s.tp, s.n),
        ),
        "precision": Metric(
            "Precision",
            "Which share of the predictions is right, of all splits together, as an error belongs to none?",
            "predicted mentions in the gold / predicted mentions",
            of=lambda s: _or_zero(s, s.tp, s.said),
        ),
        "f1": Metric(
            "F1",
            "How well are mentions found and delimited, seen and unseen together?",
            "2TP / (predicted + gold mentions)",
            of=lambda s: _or_zero(s, 2 * s.tp, s.said + s.n),
        ),
        "mentions": Metric(
            "Gold mentions",
            "How many gold mentions fall into the split?",
            "distinct (document, start, end, type) of the gold: MEM if the normalised text is among the "
            "training mentions, else SYN if one of its ids is among the training ids, else CON (without "
            "ids UNS)",
            range="[0, ∞) mentions",
            direction="none",
            source=_SOURCE + ", R5 to R8",
            undefined="Always defined.",
        ),
        "share": Metric(
            "Share of the gold",
            "How much of the test set falls into the split; of MEM, how much could be had by heart?",
            "gold mentions of the split / gold mentions",
            direction="none",
            source="MEM / SYN / CON (paper 002), tables 1 and 2 and section 5 (overrepresentation)",
            undefined="No gold mention: undefined.",
            of=lambda s: divide(s.mentions, s.n[:, None]),
            per="split",
        ),
        "overestimation": Metric(
            "Overestimation",
            "By how much does the overall recall promise more than the recall of unseen mentions?",
            "overall recall - recall of the gold mentions that are not MEM",
            range="[-1, 1]",
            direction="none",
            source="MEM / SYN / CON (paper 002), section 5, in words; the difference is ours",
            undefined="No gold mention that is not MEM: undefined.",
            of=lambda s: _or_zero(s, s.tp, s.n) - divide(s.found[:, -1], s.mentions[:, -1]),
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
    counted: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Concept id -> how often training is annotated with it."""

    @classmethod
    def of(cls, mentions: Iterable[str], ids: Iterable[str] | None, name: str = "") -> Training:
        """From mention texts and id fields as they stand in a file."""
        texts = frozenset(map(normalise, mentions)) - {""}
        counted = Counter(c for c in single_ids(ids or ()) if c != WITHOUT_ID)
        return cls(texts, None if ids is None else frozenset(counted), name, counted)

    def current(self, alt_ids: Mapping[str, str]) -> Training:
        """The same with every concept by the id that now stands for it."""
        if self.concepts is None or not alt_ids:
            return self
        counted: Counter[str] = Counter()
        for concept, times in self.counted.items():
            counted[alt_ids.get(concept, concept)] += times
        return replace(self, concepts=frozenset(alt_ids.get(c, c) for c in self.concepts), counted=counted)


def splits_with(training: Training) -> tuple[Split, ...]:
    """The splits that a corpus is cut into: without ids there are two."""
    return ("MEM", "UNS") if training.concepts is None else ("MEM", "SYN", "CON")


@dataclass(frozen=True)
class Partition:
    """Every gold mention in one split, found or not. Columns have the shape (gold mentions,)."""

    in_use: tuple[Split, ...]
    """The splits that this corpus is cut into."""
    gold: Marked
    said: Marked
    """The predictions."""
    split: Integers
    """Place in `SPLITS`."""
    found: Mask
    """Whether each mention was predicted."""
    right: Mask
    """Whether each prediction is a gold mention, shape (predictions,)."""

    @property
    def documents(self) -> tuple[str, ...]:
        """Every scored document."""
        return self.gold.documents

    @property
    def mentions(self) -> list[Occurrence]:
        """Distinct gold mentions, in order of document and place."""
        return self.gold.occurrences()

    @property
    def splits(self) -> list[Split]:
        """Of each mention."""
        return [SPLITS[split] for split in self.split.tolist()]

    @cached_property
    def split_at(self) -> dict[Place, Split]:
        """Of the mention at each place."""
        return {m.place: split for m, split in zip(self.mentions, self.splits, strict=True)}

    @property
    def spurious(self) -> list[Occurrence]:
        """Predictions that are no gold mention, in order of document and place."""
        return self.said.occurrences(~self.right)

    def among(self, split: str | None = None, *, found: bool | None = None) -> Mask:
        """Which gold mentions are of a split (`unseen`: all but MEM; None: all), found, missed, or both."""
        wanted = SPLITS if split is None else UNSEEN if split == "unseen" else (split,)
        chosen: Mask = np.array([name in wanted for name in SPLITS])[self.split]
        return chosen if found is None else chosen & (self.found == found)

    def of(self, split: str | None = None, *, found: bool | None = None) -> list[Occurrence]:
        """The same in words."""
        return self.gold.occurrences(self.among(split, found=found))

    @cached_property
    def counts(self) -> Floats:
        """Per document: gold mentions of each of `SPLITS`, found ones of each, predictions; shape (n, 9)."""
        cells = self.gold.document * 9 + self.split
        cells = np.concatenate((cells, cells[self.found] + 4, self.said.document * 9 + 8))
        flat = np.bincount(cells, minlength=9 * len(self.documents))
        return flat.reshape(-1, 9).astype(np.float64)


def partition(
    gold: Iterable[Occurrence],
    predicted: Iterable[Occurrence | Place],
    training: Training,
    documents: Iterable[str] | None = None,
) -> Partition:
    """Cut the gold mentions by what training has shown.

    Args:
        gold: mentions at one place become one with the ids of all.
        predicted: repeated ones count once.
        documents: every scored document, in the order that intervals resample, also those that hold nothing;
            mentions of others are left out. None: those that hold something, sorted.
    """
    held, said = list(gold), list(predicted)
    if documents is None:
        documents = sorted({m[0] for m in (*held, *said)})
    every = tuple(dict.fromkeys(documents))
    return cut(of_occurrences(every, held), of_occurrences(every, said), training)


def cut(gold: Marked, said: Marked, training: Training) -> Partition:
    """The same of mentions in columns, both sides of the same documents."""
    ids, which = coded(gold.ids)
    seen = gold.by_text(lambda text: normalise(text) in training.mentions)
    concepts = training.concepts or frozenset()
    known = np.array([not concepts.isdisjoint(single_ids(each)) for each in ids], dtype=np.bool_)[which]
    unknown = SPLITS.index("UNS" if training.concepts is None else "CON")
    split = np.where(seen, SPLITS.index("MEM"), np.where(known, SPLITS.index("SYN"), unknown))
    return Partition(splits_with(training), gold, said, split, *held_by(gold, said))


def score(cut: Partition, *, index_lists: Iterable[Draws] | Draws = (), level: float = 0.95) -> Scored:
    """`precision`, `recall`, `f1` and `overestimation` over all mentions, micro; `recall:`, `share:` and
    `mentions:` of each split in use; `recall:unseen` and `share:unseen` of all but MEM.

    Args:
        index_lists: resamples over the documents of `cut` (see `bootstrap.draws`); empty for no intervals.
    """

    totals = cut.counts.sum(axis=0)
    estimates, resampled = formulas(
        FAMILY,
        {"gold": cut.counts[:, :4], "hits": cut.counts[:, 4:8], "said": cut.counts[:, 8]},
        strata=(*cut.in_use, "unseen"),
        further=partial(_derived, [SPLITS.index(split) for split in cut.in_use]),
        n=lambda name: _rests_on(cut.counts, name),
        reason=lambda name: _reason(name, bool(len(cut.gold)), bool(len(cut.said))),
        index_lists=index_lists,
        level=level,
    )
    names = _values(cut.in_use)
    found = Scored({n: estimates[n] for n in names}, {n: resampled[n] for n in names})
    for split in cut.in_use:
        found.estimates[f"mentions:{split}"] = Estimate(int(totals[SPLITS.index(split)]), len(cut.documents))
    return found


def _values(names: Sequence[Split]) -> tuple[str, ...]:
    recalls, shares = ([f"{kind}:{split}" for split in names] for kind in ("recall", "share"))
    return ("recall", "precision", "f1", "overestimation", *recalls, "recall:unseen", *shares, "share:unseen")


def _derived(in_use: Sequence[int], s: Any) -> None:
    """Sums of all mentions, and of each split in use and all unseen ones, shape (rows, splits + 1)."""
    s.n, s.tp = s.gold.sum(axis=1), s.hits.sum(axis=1)
    s.mentions, s.found = (
        np.column_stack((side[:, in_use], side[:, 1:].sum(axis=1))) for side in (s.gold, s.hits)
    )


def _rests_on(table: Floats, name: str) -> int:
    """Documents that hold what the value's denominator counts."""
    measure, _, split = name.partition(":")
    if split in SPLITS and measure == "recall":
        held = table[:, SPLITS.index(split)]
    elif name in ("recall:unseen", "overestimation"):
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
