"""What a label of a claim pair may say, and what becomes of a prediction that says anything else.

Schema repair, on predictions only and always counted (BioDivergence, sections 4, 5.2 and E.1;
metric-definitions 9.1):

    an unknown or missing conflict type     -> no_conflict
    an unknown axis                         -> dropped; the same axis twice counts once
    an unknown confounder                   -> null

Nothing else is mended: a prediction of no_conflict may name axes, and a confounder that is no axis of it
stands. Gold outside the schema is an error. Labels are compared as they are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from core.records import PRIMARY_AXES, Axis, ConflictType

T = TypeVar("T")

CLASSES: tuple[ConflictType, ...] = tuple(ConflictType)
AXES: tuple[Axis, ...] = tuple(Axis)
SPACES: dict[str, tuple[Axis, ...]] = {"all": AXES, "primary": PRIMARY_AXES}
"""Label spaces of axes: all thirteen, and the fixed nine that are not provisional (R50)."""

_TYPES = {value.value: value for value in ConflictType}
_AXES = {value.value: value for value in Axis}


class Label(NamedTuple):
    """What is said of one pair, within the schema."""

    conflict_type: ConflictType
    axes: frozenset[Axis] = frozenset()
    confounder: Axis | None = None


class Repairs(NamedTuple):
    """What did not fit, of one prediction or summed over many."""

    missing_type: int = 0
    """Conflict type not given, or null."""
    unknown_type: int = 0
    axes: int = 0
    """Off-schema names of axes, dropped (R39)."""
    confounder: int = 0

    def plus(self, other: Repairs) -> Repairs:
        return Repairs(*(a + b for a, b in zip(self, other, strict=True)))


def repaired(conflict_type: Any, axes: Any, confounder: Any) -> tuple[Label, Repairs]:
    """A prediction as it came, made to fit. Arguments may be anything that JSON can hold.

    Axes are a list, or one name, or null for none.
    """
    found = _known(conflict_type, _TYPES)
    named = [] if axes is None else list(axes) if isinstance(axes, list | tuple | set | frozenset) else [axes]
    kept = [_known(axis, _AXES) for axis in named]
    by = _known(confounder, _AXES)
    repairs = Repairs(
        missing_type=int(conflict_type is None),
        unknown_type=int(conflict_type is not None and found is None),
        axes=kept.count(None),
        confounder=int(confounder is not None and by is None),
    )
    label = Label(found or ConflictType.NO_CONFLICT, frozenset(axis for axis in kept if axis is not None), by)
    return label, repairs


def checked(conflict_type: Any, axes: Iterable[Any], confounder: Any) -> Label:
    """A gold label.

    Raises:
        ValueError: it is outside the schema; says what.
    """
    found = _known(conflict_type, _TYPES)
    if found is None:
        raise ValueError(f"{conflict_type!r} is none of the six conflict types")
    kept = []
    for axis in axes:
        known = _known(axis, _AXES)
        if known is None:
            raise ValueError(f"{axis!r} is none of the thirteen axes")
        kept.append(known)
    by = _known(confounder, _AXES)
    if confounder is not None and by is None:
        raise ValueError(f"{confounder!r} is none of the thirteen axes")
    return Label(found, frozenset(kept), by)


def _known(value: Any, known: dict[str, T]) -> T | None:
    return known.get(value) if isinstance(value, str) else None
