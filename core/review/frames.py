"""Opening a frame over a run, and what of it to decide next.

    frame = open_frame(workspace, Wanted("r1", "pilot"))            # 2,113 items, drawn with seed 13
    next_units(workspace, "pilot", 20)                              # the next 20, in the order of the draw

A frame is a list that never changes: what a run proposed, in the order of a draw, so that whoever decides
from its front has a valid sample wherever they stop. Source: review-budget, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from core.errors import InputError
from core.metrics import draw
from core.records import Assertion
from core.store import Workspace, frames, runs
from core.store.decisions import chain_head
from core.store.frames import Frame, Unit

UNITS = ("item", "passage")
POLICIES = {"item": ("random", "active"), "passage": ("random", "size")}
"""Unit -> where relative chances may come from."""
COUNTS = ("first", "adjudicated")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a frame is to hold, and how it is drawn."""

    run: str
    name: str
    unit: str = "item"
    policy: str = "random"
    seed: str = "13"
    blind: float = 0.1
    counts: str = "first"
    assertions: tuple[Assertion, ...] = (Assertion.AFFIRMED, Assertion.UNCERTAIN)

    def check(self) -> None:
        """Raises InputError, which lists what is known."""
        for what, given, known in (
            ("unit", self.unit, UNITS),
            ("policy", self.policy, POLICIES.get(self.unit, ())),
            ("answer that counts", self.counts, COUNTS),
        ):
            if given not in known:
                raise InputError(
                    f"{given!r} is no {what} of such a frame. Choose one of: {', '.join(known)}."
                )
        if not 0 <= self.blind <= 1:
            raise InputError(f"The share that is answered blind lies between 0 and 1, not at {self.blind}.")
        if not self.assertions:
            raise InputError("A frame without a status holds nothing. Name at least one, such as affirmed.")


def open_frame(workspace: Workspace, wanted: Wanted) -> Frame:
    """Draw the units of a run and keep them in that order.

    Raises:
        InputError: the run is not done, is of claim pairs, or proposes nothing within the scope; the name is
            taken; an option is unknown.
        NotFoundError: no such run.
    """
    wanted.check()
    run = runs.find_run(workspace, wanted.run)
    if run.kind == "conflicts":
        raise InputError(f"Run {run.id!r} is of claim pairs. A frame is drawn from a run of concept labels.")
    if run.status == "running":
        raise InputError(f"Run {run.id!r} is not done: more may come. Finish it first, then open the frame.")
    statuses = tuple(sorted(str(status) for status in wanted.assertions))
    drawn_from = (frames.proposed if wanted.unit == "item" else frames.passages)(workspace, run.id, statuses)
    if not drawn_from:
        raise InputError(
            f"Run {run.id!r} proposes nothing that is {' or '.join(statuses)}: there is nothing to draw."
        )
    units = _drawn(drawn_from, wanted)
    return frames.add(
        workspace,
        Frame(
            wanted.name,
            run.id,
            wanted.unit,
            {"assertions": list(statuses)},
            wanted.policy,
            wanted.counts,
            wanted.seed,
            wanted.blind,
            len(units),
            chain_head(workspace)[0],
        ),
        units,
    )


def _drawn(found: list[frames.Candidate], wanted: Wanted) -> list[Unit]:
    ids = [one.id for one in found]
    u = np.array([draw.chance(wanted.seed, one) for one in ids])
    q = np.ones(len(ids))
    if wanted.policy == "active":
        lacking = next((one.id for one in found if one.f is None), None)
        if lacking is not None:
            raise InputError(
                f"{lacking} has no confidence, by which the policy 'active' draws. Draw at random."
            )
        q = draw.by_doubt(np.array([one.f for one in found], dtype=np.float64))
    elif wanted.policy == "size":
        q = draw.by_size(np.array([one.size for one in found]))
    return [
        Unit(
            position,
            ids[at],
            found[at].passage_id,
            found[at].item_id,
            float(u[at]),
            float(q[at]),
            found[at].f,
            draw.is_blind(wanted.seed, ids[at], wanted.blind),
        )
        for position, at in enumerate(draw.order(ids, u, q), 1)
    ]


def next_units(workspace: Workspace, name: str, limit: int = 20) -> list[Unit]:
    """The first units that nobody has answered, in the order of the draw: gaps come before what was never
    reached.

    Raises:
        NotFoundError: no such frame.
    """
    return list(islice(_undecided(workspace, frames.find_frame(workspace, name)), limit))


def _undecided(workspace: Workspace, frame: Frame) -> Iterator[Unit]:
    answered = frames.answered(workspace, frame, chain_head(workspace)[0])
    return (x for x in frames.units(workspace, frame.name) if (x.item_id or x.passage_id) not in answered)
