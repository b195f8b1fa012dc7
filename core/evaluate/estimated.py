"""A whole run from few decisions: `estimated@NUMBER:FRAME`.

    found = estimated(workspace, "pilot")
    found.figures["precision"]                       # 0.826, between 0.776 and 0.867, from 210 of 2,113

Of concepts that is the precision, of claim pairs the accuracy of their conflict types, of passages precision,
recall and F1. What is decided counts up to the first gap of the frame's order: behind it, decisions wait. The
same frame at the same decision number gives the same figures for ever. Source: review-budget, sections 2, 3
and 7.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.charts import Table
from core.errors import InputError
from core.evaluate.anchoring import Anchoring, anchoring, of_passages
from core.evaluate.reviewed import learned_from
from core.metrics import draw, whole_set
from core.metrics.definition import Estimate
from core.metrics.whole_set import SetEstimate
from core.store import corpora, frames, runs
from core.store.decisions import pinned
from core.store.frame_answers import Answered, answered, answers_blind, judged, missing_blind
from core.store.frames import Frame, Unit
from core.store.workspace import Workspace

TITLES = {"precision": "Precision", "accuracy": "Accuracy", "recall": "Recall", "f1": "F1"}
_REFERENCE = re.compile(r"estimated@(?P<number>[0-9]{1,18}|now):(?P<frame>.+)")


@dataclass(frozen=True, slots=True)
class Estimated:
    """Figures of a whole frame, and what they rest on."""

    frame: Frame
    number: int
    """The decision up to which it was computed."""
    counted: int
    """Answered units up to the first gap."""
    waiting: int
    """Answered units behind it."""
    gap: str | None
    """The first unit without an answer."""
    blind: int
    """Counted units that were to be answered blind."""
    answered_blind: int
    """Counted units that were; of passages, those with a blind list."""
    figures: Mapping[str, SetEstimate]
    """By metric of `core.metrics.whole_set`, the headline first: of items the precision, of claim pairs the
    accuracy, of passages precision, recall and F1."""
    anchoring: Anchoring
    learned_from: int = 0
    """Counted units of documents that the run was learned from: there it is right more often."""

    @property
    def headline(self) -> SetEstimate:
        return next(iter(self.figures.values()))

    @property
    def reference(self) -> str:
        return f"estimated@{self.number}:{self.frame.name}"

    def to_json(self) -> dict[str, Any]:
        held = self.frame._asdict()
        named = {name: held[name] for name in ("run", "unit", "scope", "policy", "counts", "seed", "sha256")}
        return {
            "reference": self.reference,
            "frame": self.frame.name,
            **named,
            "size": self.frame.size,
            "at": self.number,
            "counted": self.counted,
            "learned_from": self.learned_from,
            "waiting": self.waiting,
            "gap": self.gap,
            "blind": {"share": self.frame.blind, "units": self.blind, "answered": self.answered_blind},
            "metrics": {
                **{name: found.to_json() for name, found in self.figures.items()},
                "anchoring": self.anchoring.to_json(),
            },
            "notes": self.notes(),
        }

    def tables(self) -> list[Table]:
        """One row a figure, as pages and the terminal show it."""
        rows = [self._row(name, found) for name, found in self.figures.items()]
        rows.append(self._anchoring_row())
        return [
            Table(
                f"All that {self.frame.run} proposed, from frame {self.frame.name}",
                ("figure", "estimate", "decided", "unsure", "waiting"),
                rows,
                name="whole_set",
                note=" ".join(self.notes()),
                help={"estimate": f"whole_set.{next(iter(self.figures))}"},
            )
        ]

    def _row(self, name: str, found: SetEstimate) -> tuple[Any, ...]:
        reason = None if found.value is not None else found.reason
        said = Estimate(found.value, found.n, low=found.low, high=found.high, reason=reason)
        decided = f"{found.n:,} of {found.of:,} {self.frame.noun}s"
        return (TITLES[name], said, decided, found.unsure, self.waiting)

    def _anchoring_row(self) -> tuple[Any, ...]:
        found = self.anchoring
        n, reason = found.shown + found.blind, found.reason if found.value is None else None
        why = None if found.value is None else found.reason
        said = Estimate(found.value, n, low=found.low, high=found.high, reason=reason, interval_reason=why)
        told = f"{found.shown:,} shown, {found.blind:,} blind"
        of = "shown less blind" if self.frame.unit == "item" else "missing, blind less shown"
        return (f"Anchoring: {of}", said, told, self.headline.unsure, self.waiting)

    def notes(self) -> list[str]:
        """What must be read together with the figures, as sentences."""
        found = self.headline
        shown = [one for one in self.figures.values() if one.value is not None]
        # without a value the table itself says why
        said = list(dict.fromkeys(one.reason for one in shown if one.reason))
        if self.counted < found.of < whole_set.SMALL[self.frame.unit]:
            said.append(
                f"The frame is small: decide all {found.of} {self.frame.noun}s, and the value is exact."
            )
        if found.is_open and found.if_wrong is not None and found.if_right is not None:
            said.append(
                f"{found.unsure} are unsure: the value lies between {found.if_wrong:.3f} and"
                f" {found.if_right:.3f}."
            )
        if self.learned_from:
            said.append(
                f"{self.learned_from} of the {self.counted} counted lie in documents that the run was learned"
                " from: of this corpus the estimate holds, for other documents it says too much."
            )
        if self.waiting:
            verb = "waits" if self.waiting == 1 else "wait"
            one = f"an earlier {self.frame.noun}"
            said.append(f"{self.waiting} {verb} for {one}, which is not decided.")
        return said


def parse(reference: str) -> tuple[int | None, str]:
    """(number or None for now, name of the frame) of an `estimated@NUMBER:FRAME`.

    Raises:
        InputError: it is of another form.
    """
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise InputError(f"{reference!r} is no estimate. Write estimated@NUMBER:FRAME, NUMBER may be 'now'.")
    return None if match["number"] == "now" else int(match["number"]), match["frame"]


def estimated_run(workspace: Workspace, run: str, reference: str) -> Estimated:
    """The figures of a run by an `estimated@NUMBER:FRAME`.

    Raises:
        InputError: it is of another form, or its frame was drawn from another run.
        NotFoundError: no such run, frame or decision.
    """
    number, name = parse(reference)
    of = runs.find_run(workspace, run).id
    drawn_from = frames.find_frame(workspace, name).run
    if drawn_from != of:
        raise InputError(
            f"Frame {name!r} was drawn from run {drawn_from!r}, so it says nothing about {of!r}."
        )
    return estimated(workspace, name, number)


def estimated(workspace: Workspace, frame: str, number: int | None = None) -> Estimated:
    """The figures of a frame at a decision number (None: now).

    Raises:
        NotFoundError: no such frame or decision.
    """
    of = frames.find_frame(workspace, frame)
    number = pinned(workspace, "", number)
    answers = answered(workspace, of, number)
    blindly = _blindly(workspace, of, number)
    counted, following = _prefix(workspace, of, answers)
    drawn = [answers[_key(unit)] for unit in counted]
    ahead = [*counted, *([following] if following else [])]
    whole = frames.whole(workspace, frame)
    u, q = (np.array([getattr(unit, name) for unit in ahead]) for name in "uq")
    pi = draw.inclusion(u, q, len(counted), of.size, whole.equal)
    return Estimated(
        of,
        number,
        len(counted),
        len(answers) - len(counted),
        following.id if following else None,
        sum(unit.blind for unit in counted),
        sum(_key(unit) in blindly for unit in counted),
        _figures(of, [unit.f for unit in counted], drawn, pi, whole.mean_f),
        _anchoring(of, [_key(unit) for unit in counted], answers, blindly),
        _learned_from(workspace, of, counted),
    )


def _learned_from(workspace: Workspace, frame: Frame, counted: Sequence[Unit]) -> int:
    taught = learned_from(workspace, frame.run)
    if not taught:
        return 0
    passages = corpora.passage_ids(workspace, runs.find_run(workspace, frame.run).corpus)
    known = {passages[doc_id] for doc_id in taught}
    return sum(unit.passage_id in known for unit in counted)


def _key(unit: Unit) -> int:
    return unit.item_id or unit.passage_id


def _prefix(
    workspace: Workspace, frame: Frame, answers: Mapping[int, Answered]
) -> tuple[list[Unit], Unit | None]:
    """Units up to the first that has no answer, and that one."""
    counted: list[Unit] = []
    for unit in frames.units(workspace, frame.name, upto=len(answers) + 1):
        if _key(unit) not in answers:
            return counted, unit
        counted.append(unit)
    return counted, None


def _figures(
    frame: Frame,
    f: Sequence[float | None],
    drawn: Sequence[Answered],
    pi: draw.Floats,
    mean_f: float | None,
) -> dict[str, SetEstimate]:
    if frame.unit == "item":
        right = [one.right[0] for one in drawn]
        name = "accuracy" if frame.is_of_pairs else "precision"
        return {name: whole_set.precision(right, f, pi, frame.size, mean_f)}
    unsure = [one.right.count(None) for one in drawn]
    return whole_set.of_passages(
        [one.right.count(True) for one in drawn],
        [one.missing for one in drawn],
        [len(one.right) - left for one, left in zip(drawn, unsure, strict=True)],
        pi,
        frame.size,
        sum(unsure),
    )


def _blindly(workspace: Workspace, frame: Frame, number: int) -> Mapping[int, Any]:
    """Item -> whether the blind answer leaves it as it is proposed, or passage -> how many concepts of its
    blind list are missing."""
    if frame.unit == "item":
        return judged(workspace, frame, answers_blind(workspace, frame, number))
    return missing_blind(workspace, frame, number)


def _anchoring(
    frame: Frame,
    counted: Sequence[int],
    answers: Mapping[int, Answered],
    blindly: Mapping[int, Any],
) -> Anchoring:
    """A second answer of whoever answered blind leans on the first, so it is none of what was shown."""
    shown = [answers[unit] for unit in counted if unit not in blindly]
    blind = [blindly[unit] for unit in counted if unit in blindly]
    if frame.unit == "item":
        return anchoring([one.right[0] for one in shown], blind)
    return of_passages([one.missing for one in shown], blind)
