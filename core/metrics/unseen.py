"""Unseen concepts on a label tree: how near do predictions come, and how many candidates are left?

    scored = score(gold, predicted, seen, tree)
    scored.estimates["u_rc"], scored.estimates["u_cs"]

The unit is a passage with one of its gold concepts that training has not seen (metric-definitions 1.2 to
1.5); seen predictions count, too. Both numbers depend as much on the tree as on the model: compare within one
tree only, and read them beside the **baselines**, over the same units:

    parent    answers with an is_a parent of the gold: mean over its indexed parents
    sibling   answers with another child of one of its parents: mean over the indexed ones
    random    answers with any other concept of the tree: mean over all of them, worked out from the tree
    frequent  answers with the concept that training is annotated with most often

Each is a closeness like U-RC, in [0, 1], and a size like U-CS, in [1, T] concepts: the harmonic mean over the
same answers. Units whose gold has no such answer are left out of that baseline; none left: undefined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from core.index.tree import Index, LabelTree, lcp
from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import Sets
from core.metrics.sums import divide, formulas, ratio

_BASELINE = "The tree itself; paper 000 compares across trees, which cannot be done without it (R4)"


_NONE_UNSEEN = "No gold concept with an index is unseen."


def _exact(
    measure: str, question: str, formula: str, parts: Callable[[Any], tuple[Floats, Floats]]
) -> Metric:
    """
    Args:
        parts: named sums -> top and bottom of the ratio.
    """
    return Metric(
        f"Exact-match {measure}",
        question,
        f"{formula}, micro over (passage, concept), seen and unseen",
        source="HI-ALD (paper 000), section 4.3; metric-definitions 1.6",
        undefined="No passage: undefined. Nothing on either side: 1 (rule V1); other zero denominators: 0"
        " (Z0).",
        of=lambda s: np.where(s.tp + s.fp + s.fn == 0, 1.0, ratio(*parts(s))),
        reason="There is no passage.",
    )


FAMILY = Family(
    title="Unseen concepts on a label tree",
    item="a passage with one of its gold concepts that is in no training passage",
    source="HI-ALD (paper 000), section 4.3; metric-definitions 1.3 to 1.5, R1 to R4",
    undefined="No unseen gold concept with an index: undefined, n = 0.",
    metrics={
        "u_rc": Metric(
            "U-RC",
            "How much of the way to an unseen gold concept does the nearest prediction go?",
            "mean over (passage, unseen gold concept g) of max over predictions y of lcp(I_g, I_y) / |I_g|; "
            "0 where nothing was predicted",
            of=lambda s: divide(s.closeness, s.units),
            reason=_NONE_UNSEEN,
        ),
        "u_cs": Metric(
            "U-CS",
            "Among how many concepts is an unseen gold concept still to be chosen?",
            "harmonic mean over (passage, unseen gold concept) of the number of concepts whose index starts "
            "with the prefix that the nearest prediction shares; all of them where nothing is shared",
            range="[1, ∞) concepts",
            direction="lower",
            of=lambda s: divide(s.units, s.inverse),
            reason=_NONE_UNSEEN,
        ),
        "unseen_recall": Metric(
            "Recall of unseen concepts",
            "Which share of the unseen gold concepts was predicted exactly?",
            "(passage, unseen gold concept) predicted in that passage / all of them",
            of=lambda s: divide(s.hits, s.units),
            reason=_NONE_UNSEEN,
        ),
        "exact_precision": _exact(
            "precision",
            "Which share of the predictions is right?",
            "TP / (TP + FP)",
            lambda s: (s.tp, s.tp + s.fp),
        ),
        "exact_recall": _exact(
            "recall",
            "Which share of the gold concepts was predicted?",
            "TP / (TP + FN)",
            lambda s: (s.tp, s.tp + s.fn),
        ),
        "exact_f1": _exact(
            "F1",
            "How well are passages labelled, seen and unseen?",
            "2TP / (2TP + FP + FN)",
            lambda s: (2 * s.tp, 2 * s.tp + s.fp + s.fn),
        ),
        "baseline_closeness": Metric(
            "Closeness of a baseline",
            "How near comes an answer that knows the ontology, or nothing at all?",
            "mean over the same units of the mean of lcp(I_g, I_y) / |I_g| over the baseline's answers y",
            direction="none",
            source=_BASELINE,
            undefined="No unit has such an answer: undefined.",
        ),
        "baseline_size": Metric(
            "Candidates left by a baseline",
            "How many candidates leaves an answer that knows the ontology, or nothing at all?",
            "harmonic mean, over the same units and the baseline's answers, of the size that U-CS counts",
            range="[1, ∞) concepts",
            direction="none",
            source=_BASELINE,
            undefined="No unit has such an answer: undefined.",
        ),
    },
)

Answer = str | Index
"""A predicted concept, or a raw index as a recogniser may emit it, leaf or not."""


class Unit(NamedTuple):
    """One unseen gold concept of one passage."""

    doc_id: str
    concept: str
    depth: int
    """|I_g|"""
    shared: int
    """Longest prefix shared with a prediction."""
    size: int
    """Concepts below that prefix."""
    nearest: Answer | None
    """A prediction that shares it, the first in order; None where none shares anything."""

    @property
    def closeness(self) -> float:
        return self.shared / self.depth


@dataclass(frozen=True, slots=True)
class UnseenScores:
    units: tuple[Unit, ...]
    """In order of passage and concept."""
    estimates: dict[str, Estimate]
    """`u_rc`, `u_cs`, `unseen_recall`, `exact_precision`, `exact_recall`, `exact_f1`."""
    resampled: dict[str, Floats] = field(compare=False)
    """The same: value in each resample, shape (resamples,); NaN where it has none."""
    unindexed_gold: tuple[tuple[str, str], ...]
    """(passage, unseen gold concept) left out because the concept has no index."""
    unindexed_predicted: tuple[tuple[str, str], ...]
    """(passage, predicted concept) ignored because the concept has no index."""


def score(
    gold: Sets,
    predicted: Mapping[str, AbstractSet[Answer]],
    seen: AbstractSet[str],
    tree: LabelTree,
    *,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> UnseenScores:
    """U-RC and U-CS over the passages of `gold`, and exact match beside them.

    Args:
        predicted: passage -> concepts or raw indices; passages outside the gold are not scored.
        seen: concepts that are annotated in a training passage; their ancestors are not seen.
        index_lists: resamples over the passages, sorted (see `bootstrap.draws`); empty for no intervals.
    """
    units: list[Unit] = []
    no_index: list[tuple[str, str]] = []
    ignored: list[tuple[str, str]] = []
    table = np.zeros((len(gold), 7))
    leaves: dict[Index, str] = {index: concept for concept, index in tree.indices.items()}
    nothing: frozenset[Answer] = frozenset()
    for row, doc_id in zip(table, sorted(gold), strict=True):
        right = gold[doc_id]
        said = {leaves.get(a, a) if isinstance(a, tuple) else a for a in predicted.get(doc_id, nothing)}
        indices: list[tuple[Index, Answer]] = []
        for answer in sorted(said, key=str):
            index = tree.indices.get(answer) if isinstance(answer, str) else answer
            if index is None:
                ignored.append((doc_id, str(answer)))
            else:
                indices.append((index, answer))
        tp = len(right & said)
        row[4:] = tp, len(said) - tp, len(right) - tp
        for concept in sorted(right - seen):
            own = tree.indices.get(concept)
            if not own:
                no_index.append((doc_id, concept))
                continue
            shared, nearest = 0, None
            for index, answer in indices:
                if (length := lcp(own, index)) > shared:
                    shared, nearest = length, answer
            unit = Unit(doc_id, concept, len(own), shared, tree.below[own[:shared]], nearest)
            units.append(unit)
            row[:4] += 1, unit.closeness, 1 / unit.size, shared == unit.depth
    with_units = int(np.count_nonzero(table[:, 0]))
    found = formulas(
        FAMILY,
        dict(zip(("units", "closeness", "inverse", "hits", "tp", "fp", "fn"), table.T, strict=True)),
        n=lambda name: len(table) if name.startswith("exact") else with_units,
        reason=lambda name: FAMILY.metrics[name].reason,
        index_lists=index_lists,
        level=level,
    )
    return UnseenScores(tuple(units), *found, tuple(no_index), tuple(ignored))


# --- what the tree alone gives ------------------------------------------------------------------------------


class Baseline(NamedTuple):
    closeness: Estimate
    size: Estimate
    """n of both: units that have such an answer."""
    concepts: frozenset[str] = frozenset()
    """Gold concepts that have one."""


Near = Callable[[str], Iterable[str]]


def baseline(gold: Iterable[str], tree: LabelTree, answers: Near, name: str) -> Baseline:
    """What answering with `answers(gold)` would score, averaged over the indexed answers of each unit.

    Args:
        gold: the concept of each unit, in the tree.
        answers: concept -> its parents, or its siblings; the concept itself is left out.
        name: what such an answer is called where there is none.
    """
    closeness = inverse = 0.0
    n = 0
    answered = set()
    for concept, times in Counter(gold).items():
        own = tree.indices[concept]
        others = [
            tree.indices[a] for a in sorted(set(answers(concept))) if a in tree.indices and a != concept
        ]
        if others:
            answered.add(concept)
            lengths = [lcp(own, other) for other in others]
            n += times
            closeness += times * sum(lengths) / len(lengths) / len(own)
            inverse += times * sum(1 / tree.below[own[:length]] for length in lengths) / len(lengths)
    why = f"No unseen gold concept has an indexed {name}."
    return _baseline(closeness, inverse, n, frozenset(answered), why)


def random_baseline(gold: Iterable[str], tree: LabelTree) -> Baseline:
    """What answering with any other concept would score: its expectation, from the sizes of the subtrees."""
    asked = Counter(gold)
    total = len(tree.indices)
    closeness = inverse = 0.0
    n = 0
    if total > 1:
        for concept, times in asked.items():
            own = tree.indices[concept]
            sizes = [tree.below[own[:length]] for length in range(len(own) + 1)]
            n += times
            # others that share at least k numbers: sizes[k] - 1, the concept itself being one of them
            closeness += times * sum(size - 1 for size in sizes[1:]) / (total - 1) / len(own)
            exactly = [a - b for a, b in zip(sizes, [*sizes[1:], 1], strict=True)]
            inverse += times * sum(k / size for k, size in zip(exactly, sizes, strict=True)) / (total - 1)
    answered = frozenset(asked) if n else frozenset()
    return _baseline(closeness, inverse, n, answered, "The tree holds no other concept.")


def most_frequent(counted: Mapping[str, int], tree: LabelTree) -> str | None:
    """The indexed concept that is counted most often, the first by id of several; None: none is."""
    known = [(-times, concept) for concept, times in counted.items() if concept in tree.indices]
    return min(known)[1] if known else None


def _baseline(closeness: float, inverse: float, n: int, concepts: frozenset[str], why: str) -> Baseline:
    if not n:
        return Baseline(Estimate(None, 0, reason=why), Estimate(None, 0, reason=why))
    return Baseline(Estimate(closeness / n, n), Estimate(n / inverse, n), concepts)
