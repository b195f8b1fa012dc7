"""Learn whether a proposal is kept, from rows of readable features: logistic regression on few of them or on
all, or gradient boosting.

Which one: the simplest whose loss on held-out documents is within one standard error of the smallest
(Breiman et al. 1984, section 3.4.3). Calibrated on the same held-out answers (Platt 1999). A proposal is kept
from half the best F1 on: for F1 that is the best threshold of a calibrated chance (Lipton, Elkan and
Naryanaswamy 2014, theorem 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.learners.head import Rows, probabilities
from core.records.learned import Head, Tree

Labels = npt.NDArray[np.bool_]
Groups = npt.NDArray[np.int64]

FOLDS = 10
STRENGTHS = (0.003, 0.01, 0.03, 0.1, 0.3)
"""Inverse strengths of the penalty that are tried; the features are brought to one scale first."""
TRUSTED = 5.0
"""Scale of the trusted feature against the others: few answers change little of what it says."""
LEAST_ROWS = 30
"""Fewer answers, or fewer than `LEAST_OF_A_KIND` of one kind, teach no head."""
LEAST_OF_A_KIND = 8
LEAST_FOR_TREES = 1000
"""With fewer answers trees are not tried: a leaf would rest on a few documents."""
MOST_TREES = 60


def fit(
    rows: Rows,
    kept: Labels,
    documents: Groups,
    features: Sequence[str],
    *,
    few: Sequence[str] = (),
    trusted: str | None = None,
    missed: int = 0,
) -> Head | None:
    """The better head, with calibration and threshold; None where there is too little to learn from.

    Args:
        rows: (n, features).
        kept: (n,) whether gold holds the proposal.
        documents: (n,) number of the document of each row; folds never part a document.
        few: features that are tried by themselves first.
        trusted: the feature that already is an estimate of the answer, in log-odds.
        missed: concepts of gold that no row is about, for the threshold.
    """
    from threadpoolctl import threadpool_limits

    kinds = min(int(kept.sum()), int((~kept).sum()))
    if len(rows) < LEAST_ROWS or kinds < LEAST_OF_A_KIND or len(np.unique(documents)) < 2:
        return None
    learners = _learners(rows, features, few, trusted)
    with threadpool_limits(1):  # the work is small: threads would wait for each other
        tried = [_tried(rows, kept, _folds(documents), features, learner) for learner in learners]
        _, held_out, (_, columns, learn) = _simplest(tried, documents)
        slope, shift = _calibration(held_out, kept)
        head = learn(rows[:, columns], kept, [features[column] for column in columns])
        head = head.model_copy(update={"slope": slope, "shift": shift})
    chances = 1 / (1 + np.exp(-np.clip(slope * held_out + shift, -30, 30)))
    return head.model_copy(update={"least": round(best_f1(chances, kept, missed) / 2, 4)})


def best_f1(chances: npt.NDArray[np.float64], kept: Labels, missed: int = 0) -> float:
    """The best micro F1 that any threshold reaches, in [0, 1]."""
    order = np.argsort(-chances, kind="stable")
    right = np.cumsum(kept[order])
    said = np.arange(1, len(order) + 1)
    return float(np.max(2 * right / (said + kept.sum() + missed), initial=0.0))


_Learn = Callable[[Rows, Labels, Sequence[str]], Head]


class _Learner(NamedTuple):
    kind: int
    """Smaller is simpler."""
    columns: list[int]
    learn: _Learn


class _Tried(NamedTuple):
    losses: npt.NDArray[np.float64]
    """Of each row, in nats, by what other documents teach."""
    odds: npt.NDArray[np.float64]
    learner: _Learner


def _learners(rows: Rows, features: Sequence[str], few: Sequence[str], trusted: str | None) -> list[_Learner]:
    every = list(range(len(features)))
    some = [features.index(name) for name in few]
    found = [
        _Learner(kind, columns, _logistic(strength, trusted))
        for kind, columns in enumerate((some, every))
        if columns
        for strength in STRENGTHS
    ]
    return [*found, _Learner(2, every, _boosting)] if len(rows) >= LEAST_FOR_TREES else found


def _simplest(tried: Sequence[_Tried], documents: Groups) -> _Tried:
    """The simplest kind that is within one standard error, over documents, of the best; its best strength."""
    best = min(tried, key=lambda one: one.losses.mean())
    _, number = np.unique(documents, return_inverse=True)

    def is_near(one: _Tried) -> bool:
        worse = np.bincount(number, one.losses - best.losses)
        return bool(worse.sum() <= worse.std() * np.sqrt(len(worse)))

    kind = min(one.learner.kind for one in tried if is_near(one))
    return min((one for one in tried if one.learner.kind == kind), key=lambda one: one.losses.mean())


def _folds(documents: Groups) -> npt.NDArray[np.int64]:
    """The fold of each row: documents in turn, so that folds are of like size."""
    _, number = np.unique(documents, return_inverse=True)
    found: npt.NDArray[np.int64] = number % FOLDS
    return found


def _tried(
    rows: Rows, kept: Labels, folds: npt.NDArray[np.int64], features: Sequence[str], learner: _Learner
) -> _Tried:
    odds = np.zeros(len(rows))
    _, columns, learn = learner
    rows, names = rows[:, columns], [features[column] for column in columns]
    for fold in np.unique(folds):
        inside = folds == fold
        chances = probabilities(learn(rows[~inside], kept[~inside], names), rows[inside])
        odds[inside] = np.log(chances / (1 - chances))
    return _Tried(np.logaddexp(0, np.where(kept, -odds, odds)), odds, learner)


def _calibration(odds: npt.NDArray[np.float64], kept: Labels) -> tuple[float, float]:
    """Platt's slope and shift; never turned round."""
    from sklearn.linear_model import LogisticRegression

    made = LogisticRegression(C=10.0).fit(odds[:, None], kept)
    slope = float(made.coef_[0, 0])
    return (slope, float(made.intercept_[0])) if slope > 0 else (1.0, 0.0)


def _logistic(strength: float, trusted: str | None = None) -> _Learn:
    def learn(rows: Rows, kept: Labels, features: Sequence[str]) -> Head:
        from sklearn.linear_model import LogisticRegression

        if kept.all() or not kept.any():
            return _constant(kept, features)
        trust = np.array([TRUSTED if name == trusted else 1.0 for name in features])
        centre, spread = rows.mean(axis=0), rows.std(axis=0)
        scale = np.where(spread < 1e-9, 1.0, spread) / trust
        made = LogisticRegression(C=strength, solver="newton-cholesky").fit((rows - centre) / scale, kept)
        weights = made.coef_[0] / scale
        intercept = float(made.intercept_[0] - weights @ centre)
        return Head(
            kind="logistic",
            features=tuple(features),
            weights=tuple(map(float, weights)),
            intercept=intercept,
            least=0.0,
        )

    return learn


def _boosting(rows: Rows, kept: Labels, features: Sequence[str]) -> Head:
    from sklearn.ensemble import HistGradientBoostingClassifier

    if kept.all() or not kept.any():
        return _constant(kept, features)
    made: Any = HistGradientBoostingClassifier(
        max_iter=MOST_TREES,
        learning_rate=0.08,
        max_leaf_nodes=8,
        min_samples_leaf=15,
        l2_regularization=5.0,
        early_stopping=False,
        random_state=0,
    ).fit(rows, kept)
    return Head(
        kind="boosting",
        features=tuple(features),
        intercept=float(np.ravel(made._baseline_prediction)[0]),
        trees=tuple(_tree(several[0].nodes) for several in made._predictors),
        least=0.0,
    )


def _constant(kept: Labels, features: Sequence[str]) -> Head:
    """Where all answers of a fold are alike: what is known is only that, so the odds stay small."""
    return Head(
        kind="logistic",
        features=tuple(features),
        weights=(0.0,) * len(features),
        intercept=2.0 if kept.all() else -2.0,
        least=0.0,
    )


def _tree(nodes: Any) -> Tree:
    """A tree of scikit-learn's histogram boosting as arrays. Our features hold no missing value."""
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        feature=tuple(int(f) for f in np.where(leaf, -1, nodes["feature_idx"].astype(np.int64))),
        threshold=tuple(float(t) for t in np.where(leaf, 0.0, nodes["num_threshold"])),
        left=tuple(int(n) for n in np.where(leaf, 0, nodes["left"].astype(np.int64))),
        right=tuple(int(n) for n in np.where(leaf, 0, nodes["right"].astype(np.int64))),
        value=tuple(float(v) for v in np.where(leaf, nodes["value"], 0.0)),
    )
