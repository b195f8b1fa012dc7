"""Relaxed precision, recall and F1: a near miss earns part of the credit.

    matching = match(near_pairs(gold, predicted, kin, least=0.7), threshold=0.7)
    scores = score(matching, index_lists=draws(len(gold)))
    scores.estimates["f1"]                            # value, n, interval

Credit of a prediction e against a gold id g, first row that applies:

    exact          e = g                                                   1
    semantic       similarity(e, g) >= threshold, inclusive                the similarity
    hierarchical   e and g are direct is_a parent and child                0.5
    none           otherwise, siblings and grandparents included           0

Matching is one to one and maximises the total credit K, so no gold id is credited twice, recall stays below
1, and an exact pair may give way: 0.9 + 0.9 beats 1 + 0. Of several optima the one with most exact pairs is
reported, then with most semantic ones.

Source: Full-Text HPO Extraction Benchmarking Framework, section 4.3; metric-definitions 6.1, R21 to R23 (its
sketch lets every prediction take its own best gold id).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from core.metrics import matching as one_to_one
from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import ALL_SKIPPED, VACUOUS, Vacuous
from core.metrics.near_pairs import Integers, NearPairs, left
from core.metrics.sums import formulas, mean, ratio

_CREDIT = "K = total credit of the best one-to-one matching: 1 exact, similarity if near, 0.5 parent or child"


def _pooled(s: Any, top: Floats, bottom: Floats) -> Floats:
    empty = np.nan if s.of_nothing is None else s.of_nothing
    return np.where(s.said + s.gold == 0, empty, ratio(top, bottom))


FAMILY = Family(
    title="Relaxed matching",
    item="a concept of a document (sets; assertions are ignored)",
    source="Full-Text HPO Extraction Benchmarking Framework, section 4.3; metric-definitions 6.1",
    undefined="No documents: undefined. Neither gold nor predictions: 1. Any other zero denominator: 0.",
    metrics={
        "precision": Metric(
            "Relaxed precision",
            "Which share of the proposals is right, if a near miss earns part of the credit?",
            f"ΣK / Σ|predicted|, {_CREDIT}",
            of=lambda s: _pooled(s, s.credit, s.said),
        ),
        "recall": Metric(
            "Relaxed recall",
            "Which share of the gold was found, if a near miss earns part of the credit?",
            f"ΣK / Σ|gold|, {_CREDIT}",
            of=lambda s: _pooled(s, s.credit, s.gold),
        ),
        "f1": Metric(
            "Relaxed F1",
            "How well are the corpus's concepts recovered, near misses included?",
            "2ΣK / (Σ|predicted| + Σ|gold|), the harmonic mean of relaxed precision and recall",
            of=lambda s: _pooled(s, 2 * s.credit, s.said + s.gold),
        ),
        "macro_precision": Metric(
            "Relaxed precision, mean over documents",
            "In a typical document, which share of the proposals is right or near?",
            "mean over documents of K / |predicted|",
            of=lambda s: mean(s.precision, s.valued),
            std="precision",
        ),
        "macro_recall": Metric(
            "Relaxed recall, mean over documents",
            "In a typical document, which share of the gold was found or nearly found?",
            "mean over documents of K / |gold|",
            of=lambda s: mean(s.recall, s.valued),
            std="recall",
        ),
        "macro_f1": Metric(
            "Relaxed F1, mean over documents",
            "How well is a typical document labelled, near misses included?",
            "mean over documents of the document's relaxed F1",
            of=lambda s: mean(s.f1, s.valued),
            std="f1",
        ),
        "exact": Metric(
            "Exact matches",
            "How many proposals are the gold concept itself?",
            "matched pairs of the same id",
            range="[0, Σ|predicted|] pairs",
            undefined="No documents: undefined.",
        ),
        "semantic": Metric(
            "Semantic matches",
            "How many proposals stand for a gold concept that is close in meaning?",
            "matched pairs of different ids whose similarity reaches the threshold",
            range="[0, Σ|predicted|] pairs",
            direction="none",
            undefined="No documents: undefined.",
        ),
        "hierarchical": Metric(
            "Hierarchical matches",
            "How many proposals are one step too broad or too narrow?",
            "matched pairs of direct is_a parent and child whose similarity stays below the threshold",
            range="[0, Σ|predicted|] pairs",
            direction="none",
            undefined="No documents: undefined.",
        ),
        "no_match": Metric(
            "Proposals without a match",
            "How many proposals are wrong even so?",
            "Σ|predicted| - matched pairs",
            range="[0, Σ|predicted|] concepts",
            direction="lower",
            undefined="No documents: undefined.",
        ),
        "unmatched_gold": Metric(
            "Gold without a match",
            "How many gold concepts did no proposal come near?",
            "Σ|gold| - matched pairs",
            range="[0, Σ|gold|] concepts",
            direction="lower",
            undefined="No documents: undefined.",
        ),
    },
)
RATIOS = FAMILY.names()
KINDS = ("exact", "semantic", "hierarchical")
"""Ranks of `core.metrics.matching`, and numbers in `Matching.kind`."""
HIERARCHICAL_CREDIT = 0.5
NO_DOCUMENTS = "No document has complete gold."


class Match(NamedTuple):
    """A matched pair, in words."""

    doc_id: str
    predicted: Any
    gold: Any
    kind: str
    credit: float


@dataclass(frozen=True, slots=True)
class Matching:
    """The best one-to-one matching of a corpus, in columns of matched pairs."""

    near: NearPairs
    prediction: Integers
    golden: Integers
    kind: Integers
    """Place in `KINDS`."""
    credit: Floats

    def matches(self, chosen: Integers | slice = slice(None)) -> list[Match]:
        """In order of document and predicted id."""
        said, gold = self.near.predicted, self.near.gold
        columns = (c[chosen].tolist() for c in (self.prediction, self.golden, self.kind, self.credit))
        return [
            Match(self.near.documents[said.document[p]], said.ids[p], gold.ids[g], KINDS[k], c)
            for p, g, k, c in zip(*columns, strict=True)
        ]

    def unmatched(self) -> tuple[Integers, Integers]:
        """(items of `near.predicted`, items of `near.gold`) that no pair holds."""
        near = self.near
        return left(near.predicted, self.prediction), left(near.gold, self.golden)

    def sums(self) -> Floats:
        """Per document the total credit, the predicted and the gold ids, shape (documents, 3)."""
        n = len(self.near.documents)
        document = self.near.predicted.document[self.prediction]
        credit = np.bincount(document, weights=self.credit, minlength=n)
        return np.column_stack((credit, self.near.predicted.sizes(n), self.near.gold.sizes(n)))


@dataclass(frozen=True, slots=True)
class RelaxedScores:
    estimates: dict[str, Estimate]
    """Every name of `FAMILY`."""
    resampled: dict[str, Floats]
    """Every name of `RATIOS`: value in each resample, shape (resamples,)."""
    matching: Matching


def match(near: NearPairs, threshold: float = 0.7) -> Matching:
    """The matching of largest total credit.

    Args:
        near: pairs from `near_pairs` with `least` no higher than `threshold`.
        threshold: from this similarity on, inclusive, a pair is semantic.

    Raises:
        ValueError: the threshold is not above 0.5 and at most 1: a semantic match could be worth less than a
            parent or child.
    """
    if not HIERARCHICAL_CREDIT < threshold <= 1:
        raise ValueError(f"the threshold of semantic matches lies above 0.5 and up to 1, not at {threshold}")
    similar = near.similarity >= threshold
    kind = np.where(near.exact, 0, np.where(similar, 1, 2))
    credit = np.where(similar, near.similarity, np.where(near.adjacent, HIERARCHICAL_CREDIT, 0.0))
    credit = np.where(near.exact, 1.0, credit)
    p, g = one_to_one.match_columns(np.column_stack((near.prediction, near.golden, credit, kind)))
    width = max(len(near.gold.ids), 1)
    keys = near.prediction * width + near.golden  # sorted: made by prediction, then gold
    chosen = np.searchsorted(keys, p * width + g)
    return Matching(near, near.prediction[chosen], near.golden[chosen], kind[chosen], credit[chosen])


def score(
    matching: Matching,
    *,
    vacuous: Vacuous = "one",
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> RelaxedScores:
    """Values with intervals over documents.

    Args:
        vacuous: what a document with neither gold nor predictions scores; `skip`: it leaves the means.
        index_lists: resamples over `matching.near.documents` in their order; empty for no intervals.
    """
    sums = dict(zip(("credit", "said", "gold"), matching.sums().T, strict=True))
    n = len(sums["credit"])

    def settled(sums: Any) -> None:
        sums.of_nothing = VACUOUS[vacuous]

    of_document = SimpleNamespace(**sums)
    settled(of_document)
    each = {name: FAMILY.metrics[name].of(of_document) for name in ("precision", "recall", "f1")}
    valued = ~np.isnan(each["f1"])
    of_means = int(valued.sum())
    means = {name: row.std for name, row in FAMILY.computed.items() if row.std}
    estimates, resampled = formulas(
        FAMILY,
        {"valued": valued, **sums, **{name: np.nan_to_num(values) for name, values in each.items()}},
        further=settled,
        n=lambda name: of_means if name in means else n,
        reason=lambda name: ALL_SKIPPED if n else NO_DOCUMENTS,
        std={name: float(np.std(each[of][valued])) for name, of in means.items() if of_means},
        index_lists=index_lists,
        level=level,
    )
    said, gold = matching.unmatched()
    counts = [*np.bincount(matching.kind, minlength=len(KINDS)).tolist(), len(said), len(gold)]
    for name, count in zip((*KINDS, "no_match", "unmatched_gold"), counts, strict=True):
        estimates[name] = Estimate(count if n else None, n, reason=None if n else NO_DOCUMENTS)
    return RelaxedScores(estimates, resampled, matching)


def pairs_of(matches: Sequence[Match]) -> dict[tuple[Any, Any], list[Match]]:
    """Matched pairs of different ids, most frequent first: (predicted, gold) -> where it happened."""
    found: dict[tuple[Any, Any], list[Match]] = {}
    for one in matches:
        if one.kind != KINDS[0]:
            found.setdefault((one.predicted, one.gold), []).append(one)
    return dict(sorted(found.items(), key=lambda entry: (-len(entry[1]), *map(str, entry[0]))))
