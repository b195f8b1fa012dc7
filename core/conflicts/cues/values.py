"""Cues that are found by their form: ages, years, doses, times (stages, strains, genes: `biology.py`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.conflicts.cues.biology import DISEASE, GENES, ORGANISMS, Value
from core.conflicts.cues.numbers import (
    AGE_UNIT,
    DASH,
    NUMBER,
    TIME_UNIT,
    age,
    amount,
    duration,
    year_range,
)
from core.conflicts.cues.phrases import Found
from core.records import Axis

_AGES: tuple[tuple[str, Value], ...] = (
    (
        rf"\b(?:aged?|ages)\s+(?:of\s+|between\s+|from\s+)?(?P<lo>\d{{1,3}})(?:\s*{AGE_UNIT})?{DASH}"
        rf"(?P<hi>\d{{1,3}})(?:\s*(?P<unit>{AGE_UNIT}))?",
        lambda m: age(m["lo"], m["hi"], m["unit"]),
    ),
    (
        rf"\b(?P<lo>\d{{1,3}}){DASH}(?P<hi>\d{{1,3}})[\s-]*(?P<unit>{AGE_UNIT})[\s-]*(?:old\b|of age\b)",
        lambda m: age(m["lo"], m["hi"], m["unit"]),
    ),
    (
        rf"\b(?:aged?\s+)?(?:(?:≥|>=?|over|older than|at least|above|>\s*or\s*=)\s*)?(?P<lo>\d{{1,3}})\s*"
        rf"(?P<unit>{AGE_UNIT})?\s*(?:of age\s+|old\s+)?(?:and|or)\s+(?:older|over|above)\b",
        lambda m: age(m["lo"], None, m["unit"]),
    ),
    (
        r"(?:\baged?\s+)?(?:≥|>\s*(?:or\s*)?=?|\bover|\bolder than|\bat least|\babove)\s*(?P<lo>\d{1,3})\s*"
        rf"(?P<unit>{AGE_UNIT})\s*(?:of age|old)\b",
        lambda m: age(m["lo"], None, m["unit"]),
    ),
    (
        r"\baged?\s+(?:≥|>=?|over|older than|at least|above)\s*(?P<lo>\d{1,3})\b",
        lambda m: age(m["lo"], None, None),
    ),
    (
        rf"(?:\baged?\s+)?(?:\bunder|\byounger than|\bbelow|<|\bless than)\s*(?P<hi>\d{{1,3}})\s*"
        rf"(?P<unit>{AGE_UNIT})\s*(?:of age|old)\b",
        lambda m: age("0", m["hi"], m["unit"], open_end=True),
    ),
    (
        r"\baged?\s+(?:under|younger than|below|<)\s*(?P<hi>\d{1,3})\b",
        lambda m: age("0", m["hi"], None, open_end=True),
    ),
    (
        rf"\b(?P<lo>\d{{1,3}})[\s-](?P<unit>{AGE_UNIT})[\s-](?:old\b|of age\b)",
        lambda m: age(m["lo"], m["lo"], m["unit"]),
    ),
    (
        rf"\b(?:mean|median|average)\s+(?:\([^)]{{1,12}}\)\s+)?age\b[^.;0-9]{{0,40}}(?P<lo>\d{{1,3}})(?:\.\d+)?"
        rf"(?:\s*(?:±|\+/-)\s*[\d.]+)?(?:\s*(?P<unit>{AGE_UNIT})\b)?",
        lambda m: age(m["lo"], m["lo"], m["unit"]),
    ),
)

_MONTH = (
    r"(?:(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|"
    r"Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?,?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?:of\s+)?)"
)
_YEAR = r"(?:19[4-9]\d|20[0-4]\d)"
_YEARS: tuple[tuple[str, Value], ...] = (
    (
        rf"(?<![\w.,=])(?:\d{{1,2}}\s+)?{_MONTH}?(?P<lo>{_YEAR}),?(?:\s*[-–—/]\s*|\s+(?:to|and|through|"
        rf"until|till)\s+)"
        rf"(?:the end of\s+)?(?:\d{{1,2}}\s+)?{_MONTH}?(?P<hi>{_YEAR}|\d\d(?=[\s.,;)]))(?![\d.]\d)",
        lambda m: year_range(m["lo"], m["hi"]),
    ),
    (
        rf"\b(?:(?:in|during|since|until|before|after|year|by)\s+{_MONTH}?|"
        rf"{_MONTH})(?P<lo>{_YEAR})\b(?![,.]\d)(?!\s*[-–—/]\s*\d|,?\s+(?:to|and|through|until|till)\s+"
        rf"(?:the end of\s+)?"
        rf"(?:\d{{1,2}}\s+)?{_MONTH}?{_YEAR})",
        lambda m: year_range(m["lo"], m["lo"]),
    ),
    (rf"\b(?P<lo>{_YEAR[:-1]}))s\b", lambda m: year_range(m["lo"], str(int(m["lo"]) + 9))),
)

_DOSES: tuple[tuple[str, Value], ...] = (
    (
        r"(?<![\w.±])(?P<n>\d[\d,]*(?:\.\d+)?)(?:\s*(?:-|–|to|"
        r"or)\s*(?P<to>\d[\d,]*(?:\.\d+)?))?[\s-]?(?P<unit>mg|µg|μg|mcg|ug|g|IU|MU|units?|Gy|MBq|mEq|"
        r"kcal)(?P<kg>\s*/\s*kg|\s+per\s+kg)?(?P<m2>\s*/\s*m(?:2|²))?\b(?!\s*/\s*(?:d?[lL]|m[lL]|mmol|cm|"
        r"m\b|g\b|mg\b|m3))(?:\s*(?:(?P<per>(?:/|per|each|a|every|once)\s*(?:d|day|daily|night|24 ?h)\b|"
        r"daily\b|o\.d\.)|(?P<twice>twice (?:daily|a day|per day)|b\.?i\.?d\b|two times daily)|"
        r"(?P<week>(?:/|per|each|a|once)\s*(?:week|weekly)\b|weekly\b)))?",
        amount,
    ),
)
_SPAN = rf"(?P<n>{NUMBER})(?:{DASH}(?P<to>{NUMBER}))?[\s-]*(?P<unit>{TIME_UNIT})\b"
_NOT_AGE = r"(?!['’]?\s*(?:old\b|of age\b|of gestation|gestation|gestational))"
_TREATED = (
    r"(?:treatment|course|trial|intervention|therapy|program(?:me)?|regimen|supplementation|training|"
    r"exposure|administration|exercise|diet|infusion|study|session)"
)
_DURATIONS: tuple[tuple[str, Value], ...] = (
    (
        rf"\b(?:for|over|lasting|during)\s+(?:(?:a|an|the|up to|at least|about|approximately|period of)\s+)*"
        rf"{_SPAN}{_NOT_AGE}(?!\s+(?:after|follow))",
        lambda m: duration("duration", m),
    ),
    (rf"\b{_SPAN}[\s-](?:of\s+)?(?:\w+\s+)?{_TREATED}", lambda m: duration("duration", m)),
)
_WINDOWS: tuple[tuple[str, Value], ...] = (
    (rf"\b(?:at|after|within|by)\s+(?:the\s+)?{_SPAN}{_NOT_AGE}", lambda m: duration("window", m)),
    (
        rf"\b{_SPAN}[\s-](?:of\s+)?(?:post[\w-]*|follow(?:ed)?[- ]?up|survival|mortality|recurrence|"
        rf"outcomes?|"
        rf"after|later|visit)",
        lambda m: duration("window", m),
    ),
    (
        rf"\bfollow(?:ed)?[- ]?up\s+(?:\w+\s+){{0,3}}?{_SPAN}{_NOT_AGE}",
        lambda m: duration("window", m),
    ),
)


def _compiled(
    patterns: tuple[tuple[str, Value], ...], axis: Axis, flags: int = 0
) -> list[tuple[re.Pattern[str], Value, Axis]]:
    return [(re.compile(pattern, flags), value, axis) for pattern, value in patterns]


_PATTERNS = [
    *_compiled(_AGES, Axis.POPULATION_COHORT, re.IGNORECASE),
    *_compiled(_YEARS, Axis.YEAR_TIME_PERIOD),
    *_compiled(_DOSES, Axis.DOSAGE_INTERVENTION),
    *_compiled(_DURATIONS, Axis.DOSAGE_INTERVENTION, re.IGNORECASE),
    *_compiled(DISEASE, Axis.DISEASE_SUBTYPE),
    *_compiled(ORGANISMS, Axis.ORGANISM_STRAIN_LINEAGE),
    *_compiled(GENES, Axis.GENE_MUTATION_MOLECULAR_BACKGROUND),
    *_compiled(_WINDOWS, Axis.ENDPOINT_DEFINITION, re.IGNORECASE),
]


def valued(text: str) -> Iterator[Found]:
    """What the patterns find, overlaps included, each with its comparable form."""
    for pattern, value, axis in _PATTERNS:
        for match in pattern.finditer(text):
            form = value(match)
            if form is not None:
                yield axis, match.start(), match.end(), form
