"""What a metric means, in the registry's words: for help texts and columns."""

from __future__ import annotations

import re

from core.charts.table import Table, text
from core.kinds.names import called
from core.metrics import BESIDE, FAMILIES, METRICS, PAIR_FAMILIES
from core.text.units import with_unit

_PLACE = r"(?:section )?R?\d+(?:\.\d+)*"
_RULES = rf"metric-definitions(?: has no entry|,? ?{_PLACE}(?: (?:to|and) {_PLACE})?)*"
_OWN = re.compile(rf"[;,.]? ?(?:core\.[\w.]*\w|{_RULES})")
BETTER = {"higher": "higher is better", "lower": "lower is better", "none": "neither way is better"}


def metric_of(family: str, estimate: str) -> str:
    """`family.metric` of an estimate's name such as `f1:negated`."""
    return f"{family}.{estimate.partition(':')[0]}"


def family_title(family: str) -> str:
    """Such as `Corpus scores`; the name itself where the registry does not hold it."""
    known = FAMILIES | PAIR_FAMILIES | BESIDE
    return known[family].title if family in known else family.replace("_", " ").capitalize()


def title(name: str) -> str | None:
    """Such as `Macro F1`; None for a name that the registry does not hold."""
    return METRICS[name].title if name in METRICS else None


def value_title(family: str, estimate: str) -> str:
    """The registry's title, with the stratum: `F1, negated`."""
    metric, _, stratum = estimate.partition(":")
    known = title(f"{family}.{metric}") or metric.replace("_", " ")
    return f"{known}, {called(stratum)}" if stratum else known


def direction(name: str) -> str:
    """`higher`, `lower` or `none` is better; `none` for a name that the registry does not hold."""
    return METRICS[name].direction if name in METRICS else "none"


def unit(name: str) -> str:
    """Such as `fraction` or `concepts`; empty where the registry names none, or does not hold it."""
    if name not in METRICS:
        return ""
    scale = METRICS[name].range
    end = max(scale.rfind("]"), scale.rfind(")")) + 1
    words = scale[end:].strip(", ")
    return words or ("fraction" if scale[:end] in ("[0, 1]", "[0, 1)", "[0, 0.5]") else "")


def labels(table: Table) -> list[str]:
    """Heads of a table with the units of their columns, where a metric or the name tells one."""
    return [
        with_unit(text(column) or "", unit(table.help.get(column, "")) if at else "")
        for at, column in enumerate(table.columns)
    ]


def cited(source: str) -> str:
    """A metric's source as a reader can look it up: papers, not this program's own parts and rules."""
    return _OWN.sub("", source).strip(" ;,.") or "this program"


def explanation(name: str) -> list[str]:
    """A sentence or two per fact: question, formula, range, undefined case, source. Empty if unknown."""
    if name not in METRICS:
        return []
    metric = METRICS[name]
    return [
        metric.question,
        f"Formula: {metric.formula}.",
        f"Range {metric.range}, {BETTER[metric.direction]}.",
        metric.undefined,
        f"Source: {cited(metric.source)}.",
    ]
