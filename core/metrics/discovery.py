"""Discovery: does a linker know which mentions the older version of an ontology cannot name (NIL)?

    found = discover([Case("d1", "m1", NIL, NIL), Case("d1", "m2", "X:1", "X:2")])
    found.estimates["nil_recall"], found.items("in_kb_precision")

An item is one (mention, context, gold) row; a mention of several concepts gives one row per concept. A
prediction is a concept id, NIL, or None where there is none: that is wrong, counts among all items and in the
denominators of recall, and in no denominator of precision (metric-definitions 3.2, R9, R10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Estimate, Family, Metric
from core.metrics.documents import Item
from core.metrics.sums import divide, formulas, ratio

NIL = "NIL"
"""Gold or prediction: no concept of the older version."""

_SOURCE = "Ontology enrichment from texts, sections 4 and 5; metric-definitions 3.2"
_STRATUM = "No items, or neither gold nor predictions hold any {}: undefined. A zero denominator: 0."
_F1 = "2PR / (P + R)"

_NO_ITEMS = "There are no mentions to judge."
_NO_NIL = "No mention is NIL in the gold, and none was called so."
_NO_CONCEPT = "No mention has a concept in the gold, and none was given one."
_COUNTED = ("gold", "predicted", "tp")


def _ratio(stratum: str, measure: str, s: Any) -> Floats:
    """Of the counts of a stratum; one that both sides lack is undefined (U0), the rest 0 (Z0)."""
    gold, said, right = (getattr(s, f"{stratum}_{name}") for name in _COUNTED)
    parts = {"precision": (right, said), "recall": (right, gold), "f1": (2 * right, gold + said)}
    return np.where(gold + said == 0, np.nan, ratio(*parts[measure]))


FAMILY = Family(
    title="Discovery of out-of-KB mentions",
    item="a mention in its context with one gold concept, or NIL",
    source=_SOURCE,
    undefined=_STRATUM.format("concept"),
    metrics={
        "accuracy": Metric(
            "Accuracy",
            "Of all mentions, which share is linked right or rightly left without a concept?",
            "(TP_out + TP_in) / n, TP_out = gold NIL and predicted NIL, TP_in = the gold concept predicted",
            undefined="No items.",
            of=lambda s: divide(s.right, s.n),
            reason=_NO_ITEMS,
        ),
        "nil_precision": Metric(
            "Out-of-KB precision",
            "Of the mentions called NIL, which share is?",
            "TP_out / predicted NIL",
            undefined=_STRATUM.format("NIL"),
            of=partial(_ratio, "nil", "precision"),
            reason=_NO_NIL,
        ),
        "nil_recall": Metric(
            "Out-of-KB recall",
            "Of the mentions without a concept in the older version, which share is called NIL?",
            "TP_out / gold NIL",
            undefined=_STRATUM.format("NIL"),
            of=partial(_ratio, "nil", "recall"),
            reason=_NO_NIL,
        ),
        "nil_f1": Metric(
            "Out-of-KB F1",
            "How well are mentions of new concepts told apart?",
            f"{_F1} of out-of-KB precision and recall",
            undefined=_STRATUM.format("NIL"),
            of=partial(_ratio, "nil", "f1"),
            reason=_NO_NIL,
        ),
        "in_kb_precision": Metric(
            "In-KB precision",
            "Of the mentions that were given a concept, which share was given the right one?",
            "TP_in / predicted concepts, those of NIL mentions included",
            source=_SOURCE + ", R9: linking, not detection",
            of=partial(_ratio, "in_kb", "precision"),
            reason=_NO_CONCEPT,
        ),
        "in_kb_recall": Metric(
            "In-KB recall",
            "Of the mentions of known concepts, which share was given the right one?",
            "TP_in / gold concepts",
            of=partial(_ratio, "in_kb", "recall"),
            reason=_NO_CONCEPT,
        ),
        "in_kb_f1": Metric(
            "In-KB F1",
            "How well are mentions of known concepts linked?",
            f"{_F1} of in-KB precision and recall",
            of=partial(_ratio, "in_kb", "f1"),
            reason=_NO_CONCEPT,
        ),
        "in_kb_detection_precision": Metric(
            "In-KB detection, precision",
            "Of the mentions that were given any concept, which share has one in the older version?",
            "gold and prediction both a concept, any / predicted concepts",
            source=_SOURCE + ": the easier question, known or new",
            of=partial(_ratio, "in_kb_detection", "precision"),
            reason=_NO_CONCEPT,
        ),
        "in_kb_detection_recall": Metric(
            "In-KB detection, recall",
            "Of the mentions of known concepts, which share was given any concept?",
            "gold and prediction both a concept, any / gold concepts",
            source=_SOURCE + ": the easier question, known or new",
            of=partial(_ratio, "in_kb_detection", "recall"),
            reason=_NO_CONCEPT,
        ),
        "in_kb_detection_f1": Metric(
            "In-KB detection, F1",
            "How well are mentions of known concepts told from those of new ones?",
            f"{_F1} of in-KB detection",
            source=_SOURCE + ": the easier question, known or new",
            of=partial(_ratio, "in_kb_detection", "f1"),
            reason=_NO_CONCEPT,
        ),
    },
)


class Case(NamedTuple):
    doc_id: str
    id: str
    """Of the mention."""
    gold: str
    """Concept id of the older version, or NIL."""
    predicted: str | None
    """Concept id, NIL, or None: no prediction."""
    text: str = ""
    """Words of the mention, where they are known. From outside: text, never markup."""
    named: str = ""
    """Concept id of the newer version, where the gold states it."""

    @property
    def unit(self) -> str:
        """What is resampled: the document, or the mention itself where it names none."""
        return self.doc_id or self.id

    @property
    def is_right(self) -> bool:
        return self.predicted == self.gold


Rule = Callable[[Case], bool]


class _Stratum(NamedTuple):
    gold: Rule
    predicted: Rule
    right: Rule
    """Of the cases that both sides count."""


def _gold_in_kb(case: Case) -> bool:
    return case.gold != NIL


def _predicted_in_kb(case: Case) -> bool:
    return case.predicted not in (NIL, None)


_STRATA: dict[str, _Stratum] = {
    "nil": _Stratum(lambda c: c.gold == NIL, lambda c: c.predicted == NIL, lambda c: c.is_right),
    "in_kb": _Stratum(_gold_in_kb, _predicted_in_kb, lambda c: c.is_right),
    "in_kb_detection": _Stratum(_gold_in_kb, _predicted_in_kb, lambda c: True),
}


@dataclass(frozen=True, slots=True)
class Discovery:
    cases: tuple[Case, ...]
    """In order of document, mention and gold."""
    estimates: dict[str, Estimate]
    """Every metric of the family; `n` counts items."""
    counts: dict[str, int]
    """`n`, `unpredicted`, and for each of nil, in_kb, in_kb_detection: `_gold`, `_predicted`, `_tp`."""
    resampled: dict[str, Floats] = field(default_factory=dict, compare=False)
    """Estimate -> its value in each resample, NaN: undefined."""

    def items(self, name: str) -> list[Item]:
        """The mentions behind a value or a count.

        Raises:
            KeyError: there is none of that name.
        """
        if name in ("accuracy", "n", "unpredicted"):
            chosen = [c for c in self.cases if name != "unpredicted" or c.predicted is None]
            return [_item(c, "tp" if c.is_right else "fn") for c in chosen]
        stratum, _, measure = name.rpartition("_")
        gold, predicted, right = _STRATA[stratum]
        wanted = _BEHIND[measure]
        found = []
        for case in self.cases:
            g, p = gold(case), predicted(case)
            outcomes = ("tp",) if g and p and right(case) else ("fp",) * p + ("fn",) * g
            found += [_item(case, outcome) for outcome in outcomes if outcome in wanted]
        return found


_BEHIND: dict[str, tuple[str, ...]] = {
    "precision": ("tp", "fp"),
    "predicted": ("tp", "fp"),
    "recall": ("tp", "fn"),
    "gold": ("tp", "fn"),
    "f1": ("tp", "fp", "fn"),
    "tp": ("tp",),
}


def units(cases: Iterable[Case]) -> tuple[str, ...]:
    """What is resampled, in the order that `index_lists` count in."""
    return tuple(sorted({case.unit for case in cases}))


def discover(
    cases: Iterable[Case], *, index_lists: Iterable[Draws] | Draws = (), level: float = 0.95
) -> Discovery:
    """Judge predictions of mentions, NIL among them.

    Args:
        index_lists: resamples over `units`, for intervals (see `bootstrap.draws`).
    """
    rows = tuple(sorted(cases, key=lambda c: (c.doc_id, c.id, c.gold, c.predicted or "", c.named)))
    places = {unit: place for place, unit in enumerate(units(rows))}
    table = np.zeros((len(places), 2 + 3 * len(_STRATA)))
    for case in rows:
        table[places[case.unit]] += _counted(case)
    sums = {"n": table[:, 0], "right": table[:, 1]}
    for at, stratum in enumerate(_STRATA):
        parts = zip(_COUNTED, table[:, 2 + 3 * at : 5 + 3 * at].T, strict=True)
        sums |= {f"{stratum}_{name}": column for name, column in parts}
    counts = {name: int(column.sum()) for name, column in sums.items() if name != "right"}
    counts["unpredicted"] = sum(c.predicted is None for c in rows)
    found = formulas(
        FAMILY,
        sums,
        n=lambda name: len(rows),
        reason=lambda name: FAMILY.metrics[name].reason if rows else _NO_ITEMS,
        index_lists=index_lists,
        level=level,
    )
    return Discovery(rows, found.estimates, counts, found.resampled)


def _counted(case: Case) -> list[int]:
    """1, whether it is right, and for each stratum whether gold, prediction and both at once count."""
    found = [1, int(case.is_right)]
    for gold, predicted, right in _STRATA.values():
        g, p = gold(case), predicted(case)
        found += [int(g), int(p), int(g and p and right(case))]
    return found


def _item(case: Case, outcome: str) -> Item:
    said = "no prediction" if case.predicted is None else f"predicted {case.predicted}"
    words = f"“{case.text}”: " if case.text else ""
    new = f" ({case.named})" if case.named not in ("", case.gold) else ""
    return Item(case.doc_id, case.id, outcome, f"{words}gold {case.gold}{new}, {said}")
