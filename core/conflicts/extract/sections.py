"""Which part of an abstract a sentence stands in: by the article's own sections, or by words in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.records import Section, Span
from core.text.sentences import sentences

_AROUND = " \t\n:.-–—[]"
"""What is printed around a label."""
OTHER = "other"
"""Registration, funding and the like: no part of the study's story."""

_NAMES = (
    (
        "conclusions",
        r"conclu\w*|interpretation|discussion|implications?|significance|summary|clinical relevance",
    ),
    ("results", r"results?|findings?|main outcomes? and results|observations?"),
    (
        "methods",
        r"methods?|methodology|designs?|settings?|patients?|participants?|subjects?|interventions?|"
        r"materials?|measure\w*|samples?|population|procedures?|outcome|outcomes|analysis|data sources?|"
        r"selection|data|statistics?|protocol|treatments?|cases?|experimental|eligibility|exposures?|"
        r"end ?points?|"
        r"description",
    ),
    ("objective", r"objectives?|aims?|purposes?|goals?|hypothes[ei]s|questions?|rationale and objectives?"),
    ("background", r"background|introduction|context|rationale|importance|problem|setting the scene"),
    (
        OTHER,
        r"registration|registry|funding|sponsor\w*|identifier|trial number|supplementary|keywords?|copyright",
    ),
)
_PARTS = [(name, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)) for name, pattern in _NAMES]

_WORDS = (
    "background|introduction|context|rationale|importance|objectives?|aims?|purposes?|goals?|hypothesis|"
    "methods?|methodology|design|study design|setting|patients?|participants?|subjects|interventions?|"
    "materials?|main outcome measures?|measurements?|main outcomes? and measures?|data sources|results?|"
    "findings|main results|observations?|conclusions?|interpretation|discussion|implications?|significance|"
    "summary|trial registration|clinical trial registration|registration|funding|principal findings|"
    "methodology/principal findings"
)
_JOINED = rf"(?:{_WORDS})(?:\s*(?:and|/|&|,)\s*(?:{_WORDS}))*"
_PRINTED = re.compile(
    rf"(?P<label>(?i:{_JOINED}))\s*(?::|\s[-–—]\s)\s*|(?P<capitals>{_JOINED.upper().replace('(?:', '(?:')})"
    r"\s*(?:[:.]|[-–—])\s*|(?P<glued>Background|Introduction|Objectives?|Aims?|Methods|Results|"
    r"Conclusions?)(?=[A-Z][a-z])"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; the claim in it, if it is one, begins behind a printed section label."""

    start: int
    """Behind the label."""
    end: int
    whole: Span
    """With the label."""
    section: str | None
    """background, objective, methods, results, conclusions, other; None where nothing says, or where methods
    and results stand together."""


def canonical(label: str) -> str | None:
    """The section a printed label means: "PATIENTS AND METHODS" -> methods. None for "Methods and findings",
    which may hold either, and for a label that says nothing known."""
    found = [name for name, pattern in _PARTS if pattern.search(label)]
    if OTHER in found:
        return OTHER
    if "results" in found:
        return (
            None if "methods" in found and not re.search(r"main outcome", label, re.IGNORECASE) else "results"
        )
    for name in ("conclusions", "objective", "background", "methods"):
        if name in found:
            return name
    return None


def in_sections(text: str, sections: Sequence[Section]) -> list[Sentence]:
    """The sentences of an abstract, each with its section. A sentence never runs across the bounds of one of
    the article's sections; a label printed in the text holds to the next one, or its section's end."""
    bounds = sorted({at for section in sections for at in (section.start, section.end)})
    labels = {section.label.strip(_AROUND).lower() for section in sections}
    found: list[Sentence] = []
    printed: str | None = None
    before: Section | None = None
    for whole in _cut(text, sentences(text), bounds):
        within = next((s for s in sections if s.start <= whole.start < s.end), None)
        if within is None and whole.quote.strip(_AROUND).lower() in labels:
            continue
        if within is not before:
            before, printed = within, canonical(within.label) if within else None
        start = whole.start
        match = _PRINTED.match(whole.quote)
        if match:
            printed = canonical(match["label"] or match["capitals"] or match["glued"])
            start += match.end()
        if start < whole.end:
            found.append(Sentence(start, whole.end, whole, printed))
    return found


def _cut(text: str, spans: list[Span], at: list[int]) -> list[Span]:
    """Spans in pieces where a bound lies inside one, without the white space around a piece."""
    if not at:
        return spans
    pieces = []
    for span in spans:
        bounds = [span.start, *(bound for bound in at if span.start < bound < span.end), span.end]
        for start, end in pairwise(bounds):
            piece = text[start:end]
            start += len(piece) - len(piece.lstrip())
            end -= len(piece) - len(piece.rstrip())
            if start < end:
                pieces.append(Span(start, end, text[start:end]))
    return pieces
