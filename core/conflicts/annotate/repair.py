"""What a model's answer says, within the schema; whatever did not fit is told (paper 004, 5.2 and I.1).

- an unknown or missing conflict type becomes no_conflict
- unknown axes are dropped
- an unknown confounder becomes null
- claims that are not comparable do not conflict: the type becomes no_conflict
- no_conflict loses axes and confounder; a confounder that is not among the axes adds its axis (`check`)
- a confidence in per cent is divided by 100; one that is no share at all is left out

Labels are compared by `plain`: case, hyphens, underscores, slashes and spaces make no other label
("Population / cohort" is population_cohort). Nothing beyond it is guessed: "contextual" is no type.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from core.conflicts.annotate.check import settled
from core.conflicts.annotate.reply import ROLES, Labelled
from core.llm.fields import plain, shortened
from core.records import Axis, ConflictType

E = TypeVar("E", ConflictType, Axis)

LONGEST_TEXT = 2_000
"""Characters of a reconciliation or note that are kept; the whole of it stays in the stored call."""
LONGEST_QUOTE = 1_000
MOST_QUOTES = 12
"""Quotes of a side that are kept."""
LEAST_PER_CENT = 10.0
"""A confidence above this is meant in per cent; from 1 to here it may be a scale of five or ten."""
_STATED = 80
"""Characters of what was not understood, in a repair."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_YES = frozenset(("true", "yes", "comparable", "1"))
_NO = frozenset(("false", "no", "not comparable", "0"))
_NOTHING = frozenset(("", "none", "null", "n/a", "na", "nil", "not applicable"))
"""By `plain`: what models write where they mean null."""


@dataclass(frozen=True, slots=True)
class Quote:
    words: str
    role: str | None


@dataclass(frozen=True, slots=True)
class Repaired:
    """An answer within the schema."""

    comparable: bool
    conflict_type: ConflictType
    axes: tuple[Axis, ...]
    confounder: Axis | None
    reconciliation: str
    quotes_a: tuple[Quote, ...]
    quotes_b: tuple[Quote, ...]
    confidence: float | None
    notes: str
    repairs: tuple[str, ...]
    """What did not fit, in words; empty where all of it did."""


def repair(reply: Labelled) -> Repaired:
    """Whatever the answer holds, a label that can stand."""
    told: list[str] = []
    conflict_type = _type(reply, told)
    axes = _axes(reply, conflict_type, told)
    confounder = _confounder(reply.dominant_confounder, told)
    comparable = _comparable(reply.comparable, told)
    if not comparable and conflict_type is not ConflictType.NO_CONFLICT:
        told.append(
            f"claims that cannot be compared do not conflict: {conflict_type.value} became no_conflict"
        )
        conflict_type = ConflictType.NO_CONFLICT
    ticked, confounder, changes = settled(conflict_type, axes, confounder)
    told += changes
    return Repaired(
        comparable,
        conflict_type,
        ticked,
        confounder,
        _text(reply.reconciliation, "reconciliation", told),
        tuple(_quotes(reply.evidence_a, "a", told)),
        tuple(_quotes(reply.evidence_b, "b", told)),
        _confidence(reply.confidence, told),
        _text(reply.notes, "notes", told),
        tuple(dict.fromkeys(told)),
    )


# --- labels -------------------------------------------------------------------------------------------------


def _type(reply: Labelled, told: list[str]) -> ConflictType:
    if "conflict_type" not in reply.model_fields_set:
        told.append("the conflict type is missing: taken as no_conflict")
        return ConflictType.NO_CONFLICT
    stated = reply.conflict_type
    if isinstance(stated, list) and len(stated) == 1:
        stated = stated[0]
    found = _named(stated, ConflictType)
    if found is None:
        told.append(f"the conflict type {_shown(stated)} is none of the six: taken as no_conflict")
    return found or ConflictType.NO_CONFLICT


def _axes(reply: Labelled, conflict_type: ConflictType, told: list[str]) -> list[Axis]:
    if "divergence_axes" not in reply.model_fields_set and conflict_type is not ConflictType.NO_CONFLICT:
        told.append("the axes are missing: taken as none")
    found = []
    for stated in _listed(reply.divergence_axes):
        if isinstance(stated, str) and plain(stated) in _NOTHING:
            continue
        axis = _named(stated, Axis)
        if axis is None:
            told.append(f"the axis {_shown(stated)} is none of the thirteen: dropped")
        else:
            found.append(axis)
    return found


def _confounder(stated: Any, told: list[str]) -> Axis | None:
    if isinstance(stated, list) and len(stated) <= 1:
        stated = stated[0] if stated else None
    if stated is None or (isinstance(stated, str) and plain(stated) in _NOTHING):
        return None
    found = _named(stated, Axis)
    if found is None:
        told.append(f"the confounder {_shown(stated)} is none of the thirteen axes: taken as null")
    return found


def _comparable(stated: Any, told: list[str]) -> bool:
    said = plain(str(stated)) if isinstance(stated, bool | int | str) else ""
    if said in _YES or said in _NO:
        return said in _YES
    told.append(
        "comparable is missing: taken as true"
        if stated is None
        else f"comparable was {_shown(stated)}: taken as true"
    )
    return True


def _named(stated: Any, labels: type[E]) -> E | None:
    if isinstance(stated, dict):  # {"axis": "geography", "why": ...}
        named = [value for key, value in stated.items() if key in ("axis", "name", "label", "type")]
        stated = named[0] if len(named) == 1 else None
    if not isinstance(stated, str):
        return None
    said = _spelling(stated)
    return next((one for one in labels if _spelling(one.value) == said), None)


def _spelling(label: str) -> str:
    return plain(label.replace("/", " "))


def _listed(stated: Any) -> list[Any]:
    """A list; of one text its parts between commas; of an object that says yes or no to each, those with
    yes; else the one thing that was said."""
    if stated is None:
        return []
    if isinstance(stated, list):
        return stated
    if isinstance(stated, str):
        return [part for part in re.split(r"[,;|\n]", stated) if part.strip()]
    if isinstance(stated, dict) and stated and all(isinstance(value, bool) for value in stated.values()):
        return [key for key, value in stated.items() if value]
    return [stated]


# --- the rest -----------------------------------------------------------------------------------------------


def _confidence(stated: Any, told: list[str]) -> float | None:
    if stated is None or (isinstance(stated, str) and plain(stated) in _NOTHING):
        return None
    said = str(stated).strip()
    try:
        number = math.nan if isinstance(stated, bool) else float(said.removesuffix("%"))
    except ValueError:
        number = math.nan
    if (said.endswith("%") and 0 <= number <= 100) or LEAST_PER_CENT < number <= 100:
        told.append(f"the confidence {_shown(stated)} was read as per cent")
        return number / 100
    if 0 <= number <= 1:
        return number
    told.append(f"the confidence {_shown(stated)} is no share: left out")
    return None


def _text(stated: Any, field: str, told: list[str]) -> str:
    if stated is None:
        return ""
    if isinstance(stated, list) and all(isinstance(part, str) for part in stated):
        stated = " ".join(stated)
    if isinstance(stated, int | float) and not isinstance(stated, bool):
        stated = str(stated)
    if not isinstance(stated, str):
        told.append(f"{field} is no text: left out")
        return ""
    return shortened(_CONTROL.sub(" ", stated), LONGEST_TEXT)


def _quotes(stated: Any, side: str, told: list[str]) -> Iterator[Quote]:
    """Quotes of a side, each once."""
    rows = stated if isinstance(stated, list) else [] if stated is None else [stated]
    seen: set[str] = set()
    for row in rows:
        words, role = (row.get("quote"), row.get("role")) if isinstance(row, dict) else (row, None)
        if not isinstance(words, str):
            if words is not None:
                told.append(f"evidence of side {side}: {_shown(words)} is no quote: left out")
            continue
        words = _CONTROL.sub(" ", words).strip()
        if not words or words in seen:
            continue
        if len(seen) == MOST_QUOTES:
            told.append(f"evidence of side {side}: more than {MOST_QUOTES} quotes; the first were kept")
            return
        seen.add(words)
        said = plain(role) if isinstance(role, str) else ""
        yield Quote(words[:LONGEST_QUOTE], said if said in ROLES else None)


def _shown(stated: Any) -> str:
    return repr(_CONTROL.sub(" ", shortened(str(stated), _STATED)))
