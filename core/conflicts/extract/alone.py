"""Claims as they can be read alone: what "group A" and "the difference" stand for, from the abstract around
them; and claims that say nothing of a subject, such as "the difference was significant".
"""

from __future__ import annotations

import re

from core.conflicts.finding.terms import GENERIC, content

_GROUP = r"(?:groups?|arms?) (?:[A-Z]{1,3}\d?|\d|[IV]+|one|two|three)"
_NAMED = (
    re.compile(rf"(?i:\b(?P<group>{_GROUP}))\b[ ,:]*\((?P<what>[^()]{{3,80}})\)"),
    re.compile(
        rf"(?i:\b(?P<group>{_GROUP}))\b,? (?:which |who )?(?:received|was given|were given|underwent|had|got"
        r"|was treated with|were treated with|consisted of|included|took) (?P<what>[^.;,()]{3,80})"
    ),
    re.compile(rf"\b(?P<what>[A-Za-z][\w /+-]{{2,60}}?) \((?i:(?P<group>{_GROUP}))\b[^()]*\)"),
)
"""How an abstract says who is in a group."""
_ANY = re.compile(rf"\b{_GROUP}\b", re.IGNORECASE)
_NOT_WHAT = re.compile(r"^\s*(?:n ?=|\d|p ?[<=>]|mean|median)", re.IGNORECASE)
_BACK = re.compile(
    r"^(?:in addition, |moreover, |furthermore, )?(?:the|this|these|those|such(?: an?)?) (?:differences?"
    r"|effects?|improvements?|increases?|reductions?|decreases?|changes?|benefits?|associations?)\b"
    r"|^(?:it|they|this|these) (?:was|were|is|are|had|did|remained|persisted)\b",
    re.IGNORECASE,
)
"""How a claim opens that speaks of what was said before."""
_ORDINAL = re.compile(
    r"\bthe (?:first|second|third|latter|former|other) (?:group|arm|treatment)\b", re.IGNORECASE
)
_SAID = """
adverse event serious occur report observe reaction drug related treatment well tolerated tolerate tolerability
safe safety complication side characteristic demographic baseline differ similar comparable balance both group
arm found none statistical significance died death withdraw dropout discontinue major minor severe mild issue
parameter variable outcome endpoint primary secondary result respect regard emergent symptom
"""
_USUAL = frozenset(content(_SAID)) | GENERIC
"""What such sentences speak of, whatever the study."""
FEW = 2
"""Words of a subject up to which a claim leaves open what it is about."""


def is_boilerplate(claim: str) -> bool:
    """Whether a claim names nothing of a subject: any abstract might hold it."""
    return not content(claim) - _USUAL


def alone(claim: str, abstract: str, title: str | None, before: str | None) -> str | None:
    """The claim with what it leaves open said, for machines to compare and for people to read beside the
    original; None where it leaves nothing open, or nothing says it.

    Args:
        before: the sentence before it.
    """
    known = groups(abstract)
    told = _ANY.sub(lambda found: _spelt(found[0], known), claim)
    if before and _BACK.search(claim):
        return f"{before.rstrip()} {told}"
    left_open = _ORDINAL.search(claim) or (told == claim and _ANY.search(claim))
    if title and (left_open or len(content(told) - _USUAL) <= FEW):
        return f"{title.rstrip(' .')}: {told}"
    return told if told != claim else None


def groups(abstract: str) -> dict[str, str]:
    """Group, in lower case -> who or what it is, as the abstract says first."""
    found: dict[str, str] = {}
    for pattern in _NAMED:
        for match in pattern.finditer(abstract):
            what = " ".join(match["what"].split())
            if not _NOT_WHAT.match(what) and content(what) - GENERIC:
                found.setdefault(match["group"].lower(), " ".join(what.split()[-8:]))
    return found


def _spelt(group: str, known: dict[str, str]) -> str:
    what = known.get(group.lower())
    return f"{group} ({what})" if what else group
