"""Opening a frame over a run, and what of it to decide next.

    frame = open_frame(workspace, Wanted("r1", "pilot"))            # 2,113 items, drawn with seed 13
    next_units(workspace, "pilot", 20)                              # the next 20, in the order of the draw

A frame is a list that never changes: what a run proposed, in the order of a draw, so that whoever decides
from its front has a valid sample wherever they stop. Source: review-budget, sections 1 and 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from core.errors import InputError
from core.metrics import draw
from core.records import PRESENT, Assertion, Curie, ItemKind
from core.review.decoys import decoys
from core.review.strata import stratum_of
from core.store import Workspace, candidates, frames, ontologies, runs
from core.store.candidates import Candidate
from core.store.decisions import chain_head
from core.store.frame_answers import answered, answers, judged
from core.store.frames import Frame, Unit

UNITS = ("item", "passage")
POLICIES = {"item": ("random", "active", "strata"), "passage": ("random", "size")}
"""Unit -> where relative chances may come from."""
COUNTS = ("first", "adjudicated")
STRATA = ("class", "branch", "assertion", "stage")
PAIR_STRATA = ("type",)
"""What the strata of concepts, and of claim pairs, may be."""
BLIND = 0.1
"""Share that is answered blind unless another one is named."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a frame is to hold, and how it is drawn."""

    run: str
    name: str
    unit: str = "item"
    policy: str = "random"
    seed: str = "13"
    blind: float | None = None
    """In [0, 1]; None: `BLIND`."""
    counts: str = "first"
    assertions: tuple[Assertion, ...] = PRESENT
    """Statuses of concepts; claim pairs have none."""
    root: Curie | None = None
    """Only this concept and those below it, by the run's ontology; None: all."""
    by: str | None = None
    """What the strata are, with policy `strata`: one of `STRATA`, of claim pairs one of `PAIR_STRATA`."""
    pilot: str | None = None
    """With policy `strata`: an earlier frame of the run, whose answers say how many are right in each."""
    decoys: bool = True
    """Whether as many concepts that nobody proposed are asked about among the blind ones; of claim pairs none
    are: to be asked for a type says nothing about it."""

    def check(self, of_pairs: bool) -> None:
        """Raises InputError, which lists what is known."""
        for what, given, known in (
            ("unit", self.unit, UNITS[:1] if of_pairs else UNITS),
            ("policy", self.policy, POLICIES.get(self.unit, ())),
            ("answer that counts", self.counts, COUNTS),
        ):
            if given not in known:
                raise InputError(
                    f"{given!r} is no {what} of such a frame. Choose one of: {', '.join(known)}."
                )
        if not 0 <= self.share_blind <= 1:
            raise InputError(f"The share that is answered blind lies between 0 and 1, not at {self.blind}.")
        if not self.assertions:
            raise InputError("A frame without a status holds nothing. Name at least one, such as affirmed.")
        self._check_strata(PAIR_STRATA if of_pairs else STRATA)
        if of_pairs:
            self._check_pairs()

    def _check_strata(self, known: tuple[str, ...]) -> None:
        if self.policy == "strata" and self.by not in known:
            given = f"{self.by!r} names no strata of such a frame." if self.by else "Strata need a name."
            raise InputError(f"{given} Choose with --by one of: {', '.join(known)}.")
        if self.policy != "strata" and (self.by or self.pilot):
            raise InputError(f"The policy {self.policy!r} knows no strata. Choose --policy strata.")

    def _check_pairs(self) -> None:
        if self.root is not None:
            raise InputError("Claim pairs lie below no concept. Leave --root out.")
        if self.assertions != PRESENT:
            raise InputError("Claim pairs have no status. Leave --assertions out.")

    @property
    def share_blind(self) -> float:
        return BLIND if self.blind is None else self.blind


def open_frame(workspace: Workspace, wanted: Wanted) -> Frame:
    """Draw the units of a run and keep them in that order.

    Raises:
        InputError: the run is not done, or proposes nothing within the scope; the name is taken; the run's
            ontology does not hold the root; an option is unknown, or does not suit the run.
        NotFoundError: no such run, or pilot.
    """
    run = runs.find_run(workspace, wanted.run)
    of_pairs = run.proposes == ItemKind.PAIR
    wanted.check(of_pairs)
    if run.status == "running":
        raise InputError(f"Run {run.id!r} is not done: more may come. Finish it first, then open the frame.")
    scope, found = (_pairs if of_pairs else _concepts)(workspace, run, wanted)
    head = chain_head(workspace)[0]
    if wanted.by:
        scope["by"] = wanted.by
    if wanted.pilot:
        scope["pilot"] = f"estimated@{head}:{wanted.pilot}"
    blind = wanted.share_blind
    units = _drawn(found, _chances(workspace, run, wanted, found), wanted.seed, blind)
    return frames.add(
        workspace,
        Frame(
            *(wanted.name, run.id, wanted.unit, scope, wanted.policy, wanted.counts, wanted.seed),
            *(blind, len(units), head),
        ),
        units,
        decoys(workspace, run.ontology_id, units, wanted.seed) if wanted.decoys and not of_pairs else (),
    )


def _pairs(workspace: Workspace, run: runs.Run, _: Wanted) -> tuple[dict[str, Any], list[Candidate]]:
    found = candidates.pairs(workspace, run.id)
    if not found:
        raise InputError(f"Run {run.id!r} labels no claim pair: there is nothing to draw.")
    return {"kind": ItemKind.PAIR.value}, found


def _concepts(workspace: Workspace, run: runs.Run, wanted: Wanted) -> tuple[dict[str, Any], list[Candidate]]:
    statuses = sorted(str(status) for status in wanted.assertions)
    scope: dict[str, Any] = {"assertions": statuses}
    within = None
    if wanted.root is not None:
        if run.ontology_id is None:
            raise InputError(
                f"Run {run.id!r} names no ontology, so nothing is known to lie below {wanted.root}. Leave"
                " --root out."
            )
        within = ontologies.branch(workspace, run.ontology_id, wanted.root)
        scope["root"] = wanted.root
    offered = candidates.proposed if wanted.unit == "item" else candidates.passages
    found = offered(workspace, run.id, statuses, within)
    if not found:
        below = f" below {wanted.root}" if wanted.root else ""
        raise InputError(
            f"Run {run.id!r} proposes nothing{below} that is {' or '.join(statuses)}: there is nothing to"
            " draw."
        )
    return scope, found


def _chances(workspace: Workspace, run: runs.Run, wanted: Wanted, found: list[Candidate]) -> draw.Floats:
    """Relative chances of what is drawn from, shape (units,)."""
    if wanted.policy == "active":
        lacking = next((one.id for one in found if one.f is None), None)
        if lacking is not None:
            raise InputError(
                f"{lacking} has no confidence, by which the policy 'active' draws. Draw at random."
            )
        return draw.by_doubt(np.array([one.f for one in found], dtype=np.float64))
    if wanted.policy == "strata":
        strata = _strata(workspace, run, wanted, found)
        return draw.by_stratum(strata, _pilot(workspace, run, wanted, found, strata))
    if wanted.policy == "size":
        return draw.by_size(np.array([one.size for one in found]))
    return np.ones(len(found))


def _strata(workspace: Workspace, run: runs.Run, wanted: Wanted, found: list[Candidate]) -> list[str]:
    if wanted.by == "type":
        return [one.conflict_type for one in found]
    return list(map(stratum_of(workspace, run, str(wanted.by)), found))


def _pilot(
    workspace: Workspace, run: runs.Run, wanted: Wanted, found: list[Candidate], strata: list[str]
) -> dict[str, float]:
    """Stratum -> share of right ones among all that is decided of the pilot there. However it was decided,
    chances made of it leave every estimate unbiased."""
    if wanted.pilot is None:
        return {}
    pilot = frames.find_frame(workspace, wanted.pilot)
    if pilot.run != run.id or pilot.unit != "item":
        raise InputError(
            f"{wanted.pilot!r} is no pilot for this frame: it is not of items of run {run.id!r}."
        )
    right = judged(workspace, pilot, answers(workspace, pilot, chain_head(workspace)[0]))
    decided: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for one, stratum in zip(found, strata, strict=True):
        answer = right.get(one.item_id or 0)
        if answer is not None:
            decided[stratum] += 1
            hits[stratum] += answer
    return {stratum: hits[stratum] / n for stratum, n in decided.items()}


def _drawn(found: list[Candidate], q: draw.Floats, seed: str, blind: float) -> list[Unit]:
    ids = [one.id for one in found]
    u = np.array([draw.chance(seed, one) for one in ids])
    return [
        Unit(
            position,
            ids[at],
            found[at].passage_id,
            found[at].item_id,
            float(u[at]),
            float(q[at]),
            found[at].f,
            draw.is_blind(seed, ids[at], blind),
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
    known = answered(workspace, frame, chain_head(workspace)[0])
    return (x for x in frames.units(workspace, frame.name) if (x.item_id or x.passage_id) not in known)
