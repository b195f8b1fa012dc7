"""Several runs that differ in their seed, on one gold: mean and standard deviation of every value.

    score_several(workspace, ["run-1", "run-2", "run-3"], "imported:gsc@1")

Mean and population standard deviation over runs (metric-definitions 0.5, R19), of concepts or of claim pairs.
What one number says of all runs is not what it says of each: the values of the runs stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.charts import Chart, Table, Value
from core.errors import InputError
from core.evaluate.families.result import few_notes
from core.evaluate.notes import of_learning
from core.evaluate.readings import Readings
from core.evaluate.references import in_words
from core.evaluate.reviewed import evaluate_run, read_apart
from core.evaluate.reviewed_pairs import evaluate_pair_run
from core.evaluate.settings import Settings
from core.evaluate.tables.sections import SCORED, value_name
from core.metrics.definition import Estimate
from core.metrics.differences import over_seeds
from core.records import ItemKind
from core.store import runs
from core.store.workspace import Workspace

_NOTE = "std: population standard deviation over runs (ddof = 0). Runs as proposed, before review."


@dataclass(frozen=True, slots=True)
class SeveralRuns:
    runs: tuple[str, ...]
    gold: str
    families: dict[str, dict[str, Estimate]]
    """Family -> value -> mean, with `std` over runs; `n` counts runs with a value."""
    each: dict[str, dict[str, tuple[float | None, ...]]]
    """The same values of every run, in the order of `runs`."""
    settings: Settings
    learned_from: int = 0
    """Documents left out of all, because one of the runs was learned from them."""

    def tables(self) -> tuple[Table, ...]:
        return tuple(self._table(family) for family in self.families)

    def _table(self, family: str) -> Table:
        told = of_learning(self.learned_from, self.settings)
        rows: list[tuple[Value, ...]] = [
            (value_name(family, name), mean.value, mean.std, mean.n, *self.each[family][name])
            for name, mean in self.families[family].items()
        ]
        return Table(
            f"{SCORED[family].title}: {len(self.runs)} runs against {in_words(self.gold)}",
            ("value", "mean", "standard deviation", "runs", *self.runs),
            rows,
            name=family,
            chart=Chart("bars", x="value", y=("mean",)),
            note=" ".join((_NOTE, *told, *few_notes(self.families[family].values()))),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "runs": list(self.runs),
            "gold": self.gold,
            "learned_from": self.learned_from,
            "in_sample": self.settings.in_sample,
            "families": {
                family: {
                    name: {
                        "mean": e.value,
                        "std": e.std,
                        "n": e.n,
                        "documents": e.documents,
                        "few": e.few,
                        "runs": list(self.each[family][name]),
                    }
                    for name, e in held.items()
                }
                for family, held in self.families.items()
            },
        }


def score_several(
    workspace: Workspace, names: Sequence[str], gold: str, settings: Settings | None = None
) -> SeveralRuns:
    """Score each run as proposed; runs of claim pairs by every family of pairs.

    Raises:
        InputError: a run is named twice, or some label concepts and some pairs; no such form of reference.
        NotFoundError: no such run or gold.
    """
    if len(set(names)) < len(names):
        raise InputError("A run is named twice, and would count twice. Name each run once.")
    kinds = {runs.find_run(workspace, run).proposes for run in names}
    if len(kinds) > 1:
        raise InputError("Some of these runs label concepts, others claim pairs. Name runs of one kind.")
    reference, left_out, found = gold, 0, []
    settings, pairs = settings or Settings(), ItemKind.PAIR in kinds
    for run, readings in zip(names, read_apart(workspace, names), strict=True):
        reference, left_out, values = _scored(workspace, run, gold, settings, readings, pairs=pairs)
        found.append(values)
    each = {
        family: {name: tuple(_value(values, family, name) for values in found) for name in held}
        for family, held in found[0].items()
    }
    means = {
        family: {name: over_seeds(values, _rests_on(found, family, name)) for name, values in held.items()}
        for family, held in each.items()
    }
    return SeveralRuns(tuple(names), reference, means, each, settings, left_out)


Values = Mapping[str, Mapping[str, Estimate]]


def _scored(
    workspace: Workspace, run: str, gold: str, settings: Settings, readings: Readings, *, pairs: bool
) -> tuple[str, int, Values]:
    """(reference of the gold, documents of it left out as they were learned from, values of every family)."""
    if pairs:
        found = evaluate_pair_run(workspace, run, gold, Settings(bootstrap=0, about="pairs")).before
    else:
        found = evaluate_run(workspace, run, gold, replace(settings, bootstrap=0), readings=readings).before
    return (
        found.gold,
        found.beside.get("learned_from", 0),
        {name: held.estimates for name, held in found.scored.items()},
    )


def _value(values: Values, family: str, name: str) -> float | None:
    estimate = values.get(family, {}).get(name)
    return estimate.value if estimate else None


def _rests_on(found: Sequence[Values], family: str, name: str) -> int | None:
    """Documents behind a value in the run where they are fewest; None: no run has it."""
    held = [e for values in found if (e := values.get(family, {}).get(name)) and e.value is not None]
    return min((e.n if e.documents is None else e.documents for e in held), default=None)
