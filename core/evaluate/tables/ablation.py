"""An ablation as tables of finished cells, with what the paper printed named as such."""

from __future__ import annotations

from core.charts import Table, Value
from core.evaluate.ablation import MEASURES, Ablation, Line
from core.metrics.definition import Estimate
from core.metrics.paired import Test

SIGNIFICANT = 0.05
NOT_APPLICABLE = "not applicable"
PUBLISHED = {
    "phenotypes": (
        "228 abstracts of GSC+",
        (
            ("generate", 53.0, 53.0, 53.0),
            ("generate → classify", 68.6, 46.9, 55.7),
            ("generate → relabel", 66.3, 49.3, 56.6),
            ("generate → select", 54.1, 50.8, 52.4),
            ("generate → classify → relabel", 70.7, 44.9, 54.9),
            ("generate → classify → relabel → select", 71.3, 45.4, 55.4),
        ),
    ),
    "processes": (
        "500 passages of CRAFT, HoIP",
        (
            ("generate", 6.3, 62.4, 11.4),
            ("generate → classify", 12.0, 51.7, 19.5),
            ("generate → relabel", 8.0, 50.6, 13.8),
            ("generate → guideline", 11.1, 44.0, 17.7),
            ("generate → select", 7.2, 65.0, 12.9),
            ("generate → classify → relabel", 14.3, 43.3, 21.5),
            ("generate → classify → relabel → guideline", 20.3, 40.1, 27.0),
            ("generate → classify → relabel → guideline → select", 20.2, 43.6, 27.6),
        ),
    ),
}
"""HI-ALD, table 2, in percent: micro P, R, F1. Rows with `select` there score the retained passages only."""
PUBLISHED_TITLE = (
    "For reference, as published and not measured here (HI-ALD, table 2; LLaMA-3-8B, GPT-4o-mini)"
)


def ablation_tables(ablation: Ablation, *, published: bool = True) -> list[Table]:
    """Scores, tests, costs, published values, and what to know when reading them."""
    found = [_worth(ablation), _scores(ablation), _tests(ablation), _costs(ablation)]
    if published:
        found.append(_published(ablation))
    notes: list[tuple[Value, ...]] = [(note,) for note in ablation.notes]
    return [*found, Table("Read with these numbers", ("note",), notes)] if notes else found


def percent(estimate: Estimate, sign: str = "") -> str | None:
    """`55.7 [52.1, 59.0]`, in percent."""
    if estimate.value is None:
        return None
    value = f"{100 * estimate.value:{sign}.1f}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{100 * estimate.low:{sign}.1f}, {100 * estimate.high:{sign}.1f}]"


def p_value(test: Test) -> str:
    """`0.012 †`; the dagger as in the paper: below 0.05."""
    if test.p is None:
        return "undefined" if test.is_applicable else NOT_APPLICABLE
    shown = "<0.001" if test.p < 0.001 else f"{test.p:.3f}"
    return f"{shown} †" if test.p < SIGNIFICANT else shown


def _named(line: Line) -> tuple[str, str]:
    return line.row.name, line.passages


def _worth(ablation: Ablation) -> Table:
    rows: list[tuple[Value, ...]] = [
        (one.stage, one.after, one.gain.n, percent(one.gain, "+"), None if one.changes else "changes nothing")
        for one in ablation.worth
    ]
    level = f"{ablation.settings.level:.0%}"
    return Table(
        f"What each stage is worth: micro F1 with it less without it, in points [{level} interval]",
        ("stage", "after", "n", "ΔF1", "note"),
        rows,
    )


def _scores(ablation: Ablation) -> Table:
    rows: list[tuple[Value, ...]] = []
    for line in ablation.lines:
        scores = (percent(e) for e in line.estimates().values())
        rows.append((*_named(line), len(line.evaluation.outcomes), *scores, line.failed, line.run))
    level = f"{ablation.settings.level:.0%}"
    return Table(
        f"Stages against {ablation.gold}: micro P, R, F1 in percent [{level} interval]",
        ("stages", "passages", "n", "P", "R", "F1", "failed", "run"),
        rows,
    )


def _tests(ablation: Ablation) -> Table:
    rows: list[tuple[Value, ...]] = []
    for line in ablation.lines:
        tested = line.against_first
        if tested is None:
            continue
        mean = tested.t_test.mean_difference
        rows.append(
            (
                *_named(line),
                tested.documents,
                tested.t_test.differing,
                None if mean is None else f"{100 * mean:+.1f}",
                p_value(tested.t_test),
                p_value(tested.wilcoxon),
                *(percent(tested.difference[name], "+") for name in MEASURES),
            )
        )
    return Table(
        f"Against {ablation.lines[0].row.name}, over passages scored in both: F1 per passage, one-sided, and"
        " differences in points",
        (
            *("stages", "passages", "n", "differ", "mean ΔF1"),
            *("p (paired t)", "p (Wilcoxon)", "micro ΔP", "micro ΔR", "micro ΔF1"),
        ),
        rows,
    )


def _costs(ablation: Ablation) -> Table:
    rows: list[tuple[Value, ...]] = [
        (
            cost.stage,
            cost.passages,
            None if cost.calls is None else f"{cost.calls:.2f}",
            None if cost.seconds is None else f"{cost.seconds:.4g}",
            None if cost.price is None else f"{cost.price:.6f}",
            cost.run,
        )
        for cost in ablation.costs
    ]
    return Table(
        f"Each stage, per passage; all runs together paid ${ablation.paid:.4f}",
        ("stage", "passages", "calls", "seconds", "USD", "run"),
        rows,
    )


def _published(ablation: Ablation) -> Table:
    """Of the two data sets, the one that was labelled with the same stages."""
    of_data = "processes" if any("guideline" in line.row.stages for line in ablation.lines) else "phenotypes"
    title, lines = PUBLISHED[of_data]
    rows: list[tuple[Value, ...]] = [(name, *(f"{value:.1f}" for value in values)) for name, *values in lines]
    return Table(f"{PUBLISHED_TITLE}: {title}", ("stages", "P", "R", "F1"), rows)
