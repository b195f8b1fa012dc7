"""Agreement of two raters on concepts of documents, where a close relative is not a whole disagreement.

    pairs = align(a, b, similar, alike=0.7)
    hierarchy_f1(pairs, documents, Bootstrap())       # hierarchy-aware alpha: core.metrics.near_alpha

metric-definitions has no entry; the definitions in its style:

**Alignment** of two raters' labels of one document, over concepts that both have rated there. A concept that
both name is one item. Of the concepts that only one names, those with a similarity of at least `alike` are
paired one to one so that the total similarity is the largest (metric-definitions 0.4), and each pair is one
item. What is left is an item each, which the other rater calls absent.

**Hierarchy-aware pairwise F1** = 2 Σ similarity / (named by A + named by B), over aligned pairs of all
documents; equal concepts have similarity 1. Unit: a fraction in [0, 1]. Both silent: 1 (V1); no documents:
undefined (N0). The same either way round. Without two alike concepts it is pairwise F1.

**Hierarchy-aware alpha** = Krippendorff's alpha over the aligned items; a label is (concept, status) or
absent; δ = 1 - similarity of the concepts where the statuses are equal, else 1, and 1 between a concept and
absent. Undefined as alpha is. If no two different concepts are alike at all, it is the nominal alpha over the
union of what either names. Over more than two raters the items of every two of them are pooled, so that an
item rated by m of them weighs m - 1 times as much as in the plain alpha.

Since a label is a concept here and not only present or absent, chance agreement is small and the value is
not to be compared with an alpha over statuses; compare it with the value at `alike` = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.metrics.agreement_intervals import Bootstrap, f1_estimate
from core.metrics.definition import Estimate
from core.metrics.matching import SEMANTIC, match

ABSENT = "absent"
"""The label of a concept that a rater looked for and did not find."""

Labels = Mapping[str, Mapping[Any, str]]
"""doc_id -> concept -> status or `ABSENT`; a concept that the rater has not judged is not there."""
Concept = Any
Similarity = Callable[[Sequence[Any], Sequence[Any]], npt.NDArray[np.float64] | Sequence[float]]
"""Concepts, concepts of the same length -> how alike each two are, in [0, 1], the same either way round."""
Label = tuple[Hashable, str]
"""Concept, status."""


class Aligned(NamedTuple):
    """One item of two raters; at least one of them names a concept."""

    doc_id: str
    a: Label | None
    """None: absent."""
    b: Label | None
    similarity: float
    """Of the two concepts, in [0, 1]; 0 where only one names any."""


def align(a: Labels, b: Labels, similar: Similarity, alike: float) -> list[Aligned]:
    """The items of two raters, in order of document and concept.

    Args:
        alike: from this similarity on, inclusive, two different concepts may be one item; in (0, 1].
    """
    found: list[Aligned] = []
    left: list[tuple[str, Any]] = []
    right: list[tuple[str, Any]] = []
    pairs: list[tuple[int, int]] = []
    for doc_id in sorted(a.keys() & b.keys()):
        ours, theirs = a[doc_id], b[doc_id]
        both = ours.keys() & theirs.keys()
        mine = {c for c in both if ours[c] != ABSENT}
        yours = {c for c in both if theirs[c] != ABSENT}
        found += [Aligned(doc_id, (c, ours[c]), (c, theirs[c]), 1.0) for c in sorted(mine & yours, key=str)]
        only_a, only_b = sorted(mine - yours, key=str), sorted(yours - mine, key=str)
        pairs += [(len(left) + i, len(right) + j) for i in range(len(only_a)) for j in range(len(only_b))]
        left += [(doc_id, c) for c in only_a]
        right += [(doc_id, c) for c in only_b]
    matched = _matched(left, right, pairs, similar, alike)
    for i, (doc_id, concept) in enumerate(left):
        j, credit = matched.get(i, (None, 0.0))
        other = None if j is None else (right[j][1], b[doc_id][right[j][1]])
        found.append(Aligned(doc_id, (concept, a[doc_id][concept]), other, credit))
    taken = {j for j, _ in matched.values()}
    found += [
        Aligned(doc_id, None, (concept, b[doc_id][concept]), 0.0)
        for j, (doc_id, concept) in enumerate(right)
        if j not in taken
    ]
    return sorted(found, key=lambda item: (item.doc_id, str((item.a or item.b or ("",))[0])))


def _matched(
    left: Sequence[tuple[str, Any]],
    right: Sequence[tuple[str, Any]],
    pairs: Sequence[tuple[int, int]],
    similar: Similarity,
    alike: float,
) -> dict[int, tuple[int, float]]:
    """Place on the left -> place on the right and similarity, of the best one-to-one matching."""
    if not pairs:
        return {}
    values = np.asarray(similar([left[i][1] for i, _ in pairs], [right[j][1] for _, j in pairs]))
    credit = {
        pair: float(value) for pair, value in zip(pairs, values, strict=True) if value >= alike and value > 0
    }
    chosen = match([(i, j, value, SEMANTIC) for (i, j), value in credit.items()])
    return {i: (j, credit[i, j]) for i, j in chosen}


def hierarchy_f1(items: Iterable[Aligned], documents: Sequence[str], how: Bootstrap) -> Estimate:
    """Pairwise F1 in which alike concepts count by how alike they are, in [0, 1].

    Args:
        documents: those that both have rated; without any the value is undefined.
    """
    named = [(i.doc_id, i.similarity, float((i.a is not None) + (i.b is not None))) for i in items]
    return f1_estimate(named, documents, how)
