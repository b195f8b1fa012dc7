"""What other tools call things: ids, statuses and scores, in the words of the schema."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from typing import Any

from core.formats.documents import CURIE, curie
from core.formats.rows import Notes, shown

_PREFIX = {
    "disease": "MESH",
    "chemical": "MESH",
    "gene": "NCBIGene",
    "species": "NCBITaxon",
    "cellline": "CVCL",
}
"""Type of a mention, in lower case, to the prefix of ids that have none."""
_NO_ID = ("", "-", "-1", "none")
_SEVERAL = re.compile(r"[|+]")
_LISTED = re.compile(r"[;,]")
_ALONE = re.compile(rf"{CURIE}|^[A-Za-z]*[0-9]+$")
"""What may stand in a list with commas: these signs may also be part of an id."""

_STATUS = {
    **dict.fromkeys(("affirmed", "present", "positive", "confirmed", "yes"), "affirmed"),
    **dict.fromkeys(("negated", "negative", "absent", "excluded", "denied", "no", "normal"), "negated"),
    **dict.fromkeys(("uncertain", "possible", "probable", "suspected"), "uncertain"),
    **dict.fromkeys(("other_person", "family_history", "family"), "other_person"),
    "unknown": "affirmed",
    "": "affirmed",
}
"""Words for a status, those of Phentrieve among them. A finding said to be normal is an abnormality that is
not there. Where nothing is said, a label is an assertion."""


def curies(cell: str, kind: str = "") -> list[str]:
    """The ids in one cell (`A|B`, `A+B`, `A;B`, `A,B`), each once; one without a prefix gets that of `kind`.

    Raises:
        ValueError: an id has no prefix, and `kind` implies none.
    """
    parts = [part for one in _SEVERAL.split(cell) for part in _listed(one)]
    ids = (curie(one) for one in parts if one.strip().lower() not in _NO_ID)
    return list(dict.fromkeys(one if ":" in one else _prefixed(one, kind) for one in ids))


def _listed(cell: str) -> list[str]:
    parts = _LISTED.split(cell)
    return parts if all(_ALONE.search(curie(part)) for part in parts) else [cell]


def _prefixed(identifier: str, kind: str) -> str:
    prefix = _PREFIX.get(kind.lower())
    if prefix is None:
        raise ValueError(f"the id {shown(identifier)} has no prefix, and type {shown(kind)} implies none")
    return f"{prefix}:{identifier}"


def status(word: Any) -> str:
    """The assertion status that a word stands for.

    Raises:
        ValueError: none is known for it.
    """
    found = (
        _STATUS.get(word.strip().lower()) if isinstance(word, str) else "affirmed" if word is None else None
    )
    if found is None:
        raise ValueError(f"{shown(word)} is no status known here: affirmed, negated, uncertain, other_person")
    return found


def score(value: Any, notes: Notes) -> float | None:
    """A score as a confidence in [0, 1]; one outside cannot be held, and is counted.

    Raises:
        ValueError: it is no number.
    """
    if value is None or value == "":
        return None
    number = float("nan")
    if isinstance(value, str | int | float) and not isinstance(value, bool) and len(str(value)) <= 40:
        with suppress(ValueError):
            number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{shown(value)} is no score")
    if 0 <= number <= 1:
        return number
    notes.left_out["Scores outside 0 to 1"] += 1
    return None
