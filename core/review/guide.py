"""What the page holds ready for the curator: definitions, rules, and why a combination cannot stand.

The sentences are those of `core.conflicts.guide` and of the records, so that people, prompts and checks go by
the same words.
"""

from __future__ import annotations

from typing import Any

from core.conflicts.guide import AXES, TYPES
from core.kinds.names import NAMES
from core.records import PRIMARY_AXES, PROVISIONAL_AXES, Axis, ConflictType, doubts, inconsistencies

_TICKED: dict[str, tuple[Axis, ...]] = {
    "none": (),
    "unknown": (Axis.UNKNOWN_LATENT_FACTOR,),
    "named": (Axis.GEOGRAPHY,),
}
"""What doubts depend on: whether axes are ticked, and whether any of them is named in the texts."""


def guide() -> dict[str, Any]:
    """Plain JSON: `types`, `axes` (the nine primary ones first), `refusals` of inconsistent combinations,
    `doubts` by `COMPARABLE TYPE none|unknown|named`."""
    return {
        "types": [
            {
                "value": kind.value,
                "name": NAMES[kind],
                "definition": TYPES[kind].definition,
                "signal": TYPES[kind].signal,
                "boundary": TYPES[kind].boundary,
                "example": TYPES[kind].example,
            }
            for kind in ConflictType
        ],
        "axes": [
            {
                "value": axis.value,
                "name": NAMES[axis],
                "definition": AXES[axis].definition,
                "cues": list(AXES[axis].cues),
                "example": AXES[axis].example,
                "provisional": axis in PROVISIONAL_AXES,
            }
            for axis in (*PRIMARY_AXES, *PROVISIONAL_AXES)
        ],
        "refusals": {
            "axes": inconsistencies(ConflictType.NO_CONFLICT, (Axis.GEOGRAPHY,), None)[0],
            "confounder": inconsistencies(ConflictType.DIRECT_CONTRADICTION, (), Axis.GEOGRAPHY)[0],
        },
        "doubts": {
            f"{str(comparable).lower()} {kind.value} {name}": found
            for comparable in (True, False)
            for kind in ConflictType
            for name, axes in _TICKED.items()
            if (found := doubts(comparable, kind, axes))
        },
    }
