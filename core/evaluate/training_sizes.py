"""One recogniser trained on ever more passages: F1, U-RC and U-CS against the size of its training set
(HI-ALD, Table 3), with intervals, beside what the tree gives for free.

    sizes = [Size("said-200.json", Path("train-200.json")), ...]
    score_sizes(None, sizes, "gold.json", Options(index="t.json"))

All sizes are scored on the same gold and the same tree, and resampled over the same passages. A concept that
a larger training set shows is no longer unseen: the units of U-RC and U-CS become fewer, and the baselines
are worked out again for each size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from core.charts import Chart, Table, Value
from core.errors import InputError
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation
from core.evaluate.families import unseen
from core.evaluate.generalise import training_of, training_passages
from core.evaluate.given import score_given
from core.evaluate.inputs.options import Options, is_file
from core.evaluate.readings import Readings
from core.evaluate.references import in_words
from core.evaluate.reviewed import evaluate_run, read_apart
from core.evaluate.tree_facts import BASELINES
from core.formats import Reading, read_documents
from core.metrics.definition import Estimate
from core.store.workspace import Workspace


class Size(NamedTuple):
    """One training size."""

    predictions: str
    """Run id, or file."""
    training: Path | str
    """A file, or for a run of the workspace an imported annotation set (`imported:NAME@VERSION`)."""
    passages: int | None = None
    """Of the training set; None: its annotated documents are counted."""


class Point(NamedTuple):
    passages: int
    predictions: str
    units: int
    """(passage, unseen gold concept)."""
    values: dict[str, Estimate]
    """Of the family `unseen`, baselines included."""


@dataclass(frozen=True)
class TrainingCurve:
    gold: str
    tree: str
    points: tuple[Point, ...]
    """By size."""

    def tables(self) -> tuple[Table, ...]:
        """Values in [0, 1], and candidates left; a row for each size."""

        def values(point: Point, names: Sequence[str]) -> list[Value]:
            return [point.values.get(name) for name in names]

        note = (
            f"On {self.tree}, against {in_words(self.gold)}. The more was trained on, the fewer concepts are "
            "unseen."
        )
        near = ("F1", "U-RC", *BASELINES.values())
        of_near = ("exact_f1", "u_rc", *(f"baseline_closeness:{name}" for name in BASELINES))
        left = ("U-CS", *BASELINES.values())
        of_left = ("u_cs", *(f"baseline_size:{name}" for name in BASELINES))
        size = "training passages"
        return (
            Table(
                "F1 and closeness by training size",
                (size, *near, "unseen labels"),
                [(p.passages, *values(p, of_near), p.units) for p in self.points],
                "near",
                chart=Chart("curve", x=size, y=self._drawn(near, of_near), y_title="value", unit=True),
                note=note,
                help={"F1": "unseen.exact_f1", "U-RC": "unseen.u_rc"},
            ),
            Table(
                "Candidates left by training size",
                (size, *left),
                [(p.passages, *values(p, of_left)) for p in self.points],
                "left",
                chart=Chart("curve", x=size, y=self._drawn(left, of_left)[:3], y_title="concepts"),
                note="Lower is better.",
                help={"U-CS": "unseen.u_cs"},
            ),
        )

    def _drawn(self, heads: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
        """Those that some size has a value for."""
        had = {name for point in self.points for name, e in point.values.items() if e.value is not None}
        return tuple(head for head, name in zip(heads, names, strict=True) if name in had)

    def to_json(self) -> dict[str, Any]:
        return {
            "gold": self.gold,
            "tree": self.tree,
            "points": [
                {
                    "passages": point.passages,
                    "predictions": point.predictions,
                    "units": point.units,
                    "values": {name: value.to_json() for name, value in point.values.items()},
                }
                for point in self.points
            ],
        }


def score_sizes(
    workspace: Workspace | None, sizes: Sequence[Size], gold: str, options: Options
) -> TrainingCurve:
    """Score each size on the tree of the options.

    Raises:
        InputError: no size, no tree, two of one size, or as `score_given`; a run is scored as proposed.
    """
    if not sizes or options.index is None:
        raise InputError("A curve needs predictions, their training sets, and a label tree.")
    points, reference = [], gold
    ours = [size.predictions for size in sizes if not is_file(size.predictions)]
    apart = dict(zip(ours, read_apart(workspace, ours), strict=True)) if workspace is not None else {}
    for size in sizes:
        scored, counted = _scored(workspace, size, gold, options, apart.get(size.predictions))
        family, reference = scored.families[unseen.FAMILY], scored.gold
        if family.absent:
            raise InputError(f"{size.predictions} cannot be placed on a curve. {family.absent}")
        passages = counted if size.passages is None else size.passages
        units = family.estimates["baseline_closeness:random"].n
        points.append(Point(passages, size.predictions, units, family.estimates))
    points.sort(key=lambda point: point.passages)
    for one, next_one in pairwise(points):
        if one.passages == next_one.passages:
            raise InputError(
                f"{one.predictions} and {next_one.predictions} were both trained on {one.passages} passages. "
                "Give each size once, or the sizes with --size."
            )
    return TrainingCurve(reference, str(options.index), tuple(points))


def _scored(
    workspace: Workspace | None, size: Size, gold: str, options: Options, readings: Readings | None
) -> tuple[Evaluation, int]:
    """(as proposed, passages of the training set)."""
    if isinstance(size.training, Path):
        asked = replace(options, families=unseen.FAMILY, training=(size.training,))
        found = score_given(workspace, size.predictions, gold, asked, readings)
        passages = _counted(size.training) if size.passages is None else size.passages
    else:
        if workspace is None:
            raise InputError(f"{size.training} is in a workspace. Name the workspace that holds it.")
        training, passages = (
            training_of(workspace, size.training),
            training_passages(workspace, size.training),
        )
        settings = replace(options.settings(), families=("corpus", unseen.FAMILY))
        tree = options.label_tree(workspace)
        found = evaluate_run(
            workspace, size.predictions, gold, settings, training=training, tree=tree, readings=readings
        )
    return (found.before if isinstance(found, ReviewedEvaluation) else found), passages


def _counted(training: Path) -> int:
    """Documents of a training file.

    Raises:
        InputError: it holds none, as a list of names does.
    """
    source = read_documents(training, None, Reading(keep_ungrounded=True, without_texts=True))
    try:
        found = sum(1 for _ in source.documents())
    except InputError:
        found = 0
    if not found:
        raise InputError(f"{training.name} holds no documents to count. Give the size with --size.")
    return found
