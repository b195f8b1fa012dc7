"""What a claim says happened to its outcome, and whether it denies."""

from __future__ import annotations

import re

from core.conflicts.finding.read import clause, read
from core.conflicts.finding.words import without_idle_denials
from core.records import Direction

_DENIES = re.compile(
    r"(?<![\w-])(?:no|not|none|neither|nor|never|cannot|failed to|fails to|fail to|lack(?:ed|s)? of|lacked|"
    r"(?<!presence and )(?<!presence or )absence of|n't|\w+n['’]t)(?![\w-])",
    re.IGNORECASE,
)


def direction_of(claim: str) -> Direction:
    """Of its outcome, with what was tried against the control: "improved pain" is less of it. A change that
    is denied or not significant is no change. Unclear where nothing tells."""
    return read(claim).direction


def is_negated(claim: str) -> bool:
    """Whether a claim denies what it states first; "not only" and "those who did not" deny nothing, nor does
    a denial in another clause."""
    start, end = clause(claim)
    return bool(_DENIES.search(without_idle_denials(claim)[start:end]))
