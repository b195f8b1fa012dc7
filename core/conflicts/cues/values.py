"""Cues that are found by their form: ages, years, doses, times, stages, strains, genes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core.conflicts.cues.numbers import (
    AGE_UNIT,
    DASH,
    NUMBER,
    TIME_UNIT,
    age,
    amount,
    duration,
    rank,
    year_range,
)
from core.conflicts.cues.phrases import Found
from core.records import Axis

_Value = Callable[[re.Match[str]], str | None]

_AGES: tuple[tuple[str, _Value], ...] = (
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
    r"(?:(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?,?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?:of\s+)?)"
)
_YEAR = r"(?:19[4-9]\d|20[0-4]\d)"
_YEARS: tuple[tuple[str, _Value], ...] = (
    (
        rf"(?<![\w.,=])(?:\d{{1,2}}\s+)?{_MONTH}?(?P<lo>{_YEAR}),?(?:\s*[-–—/]\s*|\s+(?:to|and|through|until|till)\s+)"
        rf"(?:the end of\s+)?(?:\d{{1,2}}\s+)?{_MONTH}?(?P<hi>{_YEAR}|\d\d(?=[\s.,;)]))(?![\d.]\d)",
        lambda m: year_range(m["lo"], m["hi"]),
    ),
    (
        rf"\b(?:(?:in|during|since|until|before|after|year|by)\s+{_MONTH}?|{_MONTH})(?P<lo>{_YEAR})\b(?![,.]\d)"
        rf"(?!\s*[-–—/]\s*\d|,?\s+(?:to|and|through|until|till)\s+(?:the end of\s+)?"
        rf"(?:\d{{1,2}}\s+)?{_MONTH}?{_YEAR})",
        lambda m: year_range(m["lo"], m["lo"]),
    ),
    (rf"\b(?P<lo>{_YEAR[:-1]}))s\b", lambda m: year_range(m["lo"], str(int(m["lo"]) + 9))),
)

_DOSES: tuple[tuple[str, _Value], ...] = (
    (
        r"(?<![\w.±])(?P<n>\d[\d,]*(?:\.\d+)?)(?:\s*(?:-|–|to|or)\s*(?P<to>\d[\d,]*(?:\.\d+)?))?[\s-]?"
        r"(?P<unit>mg|µg|μg|mcg|ug|g|IU|MU|units?|Gy|MBq|mEq|kcal)(?P<kg>\s*/\s*kg|\s+per\s+kg)?"
        r"(?P<m2>\s*/\s*m(?:2|²))?\b(?!\s*/\s*(?:d?[lL]|m[lL]|mmol|cm|m\b|g\b|mg\b|m3))"
        r"(?:\s*(?:(?P<per>(?:/|per|each|a|every|once)\s*(?:d|day|daily|night|24 ?h)\b|daily\b|o\.d\.)|"
        r"(?P<twice>twice (?:daily|a day|per day)|b\.?i\.?d\b|two times daily)|"
        r"(?P<week>(?:/|per|each|a|once)\s*(?:week|weekly)\b|weekly\b)))?",
        amount,
    ),
)
_SPAN = rf"(?P<n>{NUMBER})(?:{DASH}(?P<to>{NUMBER}))?[\s-]*(?P<unit>{TIME_UNIT})\b"
_NOT_AGE = r"(?!['’]?\s*(?:old\b|of age\b|of gestation|gestation|gestational))"
_TREATED = (
    r"(?:treatment|course|trial|intervention|therapy|program(?:me)?|regimen|supplementation|training|exposure|"
    r"administration|exercise|diet|infusion|study|session)"
)
_DURATIONS: tuple[tuple[str, _Value], ...] = (
    (
        rf"\b(?:for|over|lasting|during)\s+(?:(?:a|an|the|up to|at least|about|approximately|period of)\s+)*"
        rf"{_SPAN}{_NOT_AGE}(?!\s+(?:after|follow))",
        lambda m: duration("duration", m),
    ),
    (rf"\b{_SPAN}[\s-](?:of\s+)?(?:\w+\s+)?{_TREATED}", lambda m: duration("duration", m)),
)
_WINDOWS: tuple[tuple[str, _Value], ...] = (
    (rf"\b(?:at|after|within|by)\s+(?:the\s+)?{_SPAN}{_NOT_AGE}", lambda m: duration("window", m)),
    (
        rf"\b{_SPAN}[\s-](?:of\s+)?(?:post[\w-]*|follow(?:ed)?[- ]?up|survival|mortality|recurrence|outcomes?|"
        rf"after|later|visit)",
        lambda m: duration("window", m),
    ),
    (
        rf"\bfollow(?:ed)?[- ]?up\s+(?:\w+\s+){{0,3}}?{_SPAN}{_NOT_AGE}",
        lambda m: duration("window", m),
    ),
)

_ROMAN = r"(?:IV|I{1,3}|[0-4])[A-Ca-c]?"
_DISEASE: tuple[tuple[str, _Value], ...] = (
    (
        rf"\b[Ss]tages?\s+(?P<lo>{_ROMAN})(?:\s*(?:-|–|to|or|and|/)\s*(?P<hi>{_ROMAN}))?\b",
        lambda m: rank("stage", m["lo"], m["hi"]),
    ),
    (
        r"\b[Gg]rades?\s+(?P<lo>[1-5]|IV|I{1,3})(?:\s*(?:-|–|to|or|and|/)\s*(?P<hi>[1-5]|IV|I{1,3}))?\b",
        lambda m: rank("grade", m["lo"], m["hi"]),
    ),
    (
        r"\b(?:NYHA|New York Heart Association)\s+(?:functional\s+)?(?:class\s+)?(?P<lo>IV|I{1,3}|[1-4])"
        r"(?:\s*(?:-|–|to|or|and|/)\s*(?P<hi>IV|I{1,3}|[1-4]))?\b",
        lambda m: rank("NYHA class", m["lo"], m["hi"]),
    ),
    (r"\bChild[-– ]Pugh\s+(?:class\s+|grade\s+)?(?P<lo>[ABC])\b", lambda m: f"Child-Pugh: {m['lo']}"),
    (r"\b[pc]?T[1-4][a-d]?N[0-3x](?:M[01x])?\b", lambda m: f"TNM: {m[0]}"),
)
_ORGANISMS: tuple[tuple[str, _Value], ...] = (
    (
        r"\b(?P<kind>[Ss]erotype|[Ss]erogroup|[Ss]erovar|[Gg]enotype|[Gg]enogroup|[Cc]lade|[Ll]ineage|"
        r"[Pp]hage type|[Ss]train)s?\s+(?P<name>(?=[A-Z0-9])[\w:/-]*(?:\.\d[\w.]*)?\w)",
        lambda m: f"{m['kind'].lower()}: {m['name']}",
    ),
    (r"\b(?:ST|[Ss]equence [Tt]ype )-?(?P<n>\d{2,5})\b", lambda m: f"sequence type: {m['n']}"),
    (r"\bH\d{1,2}N\d{1,2}(?:pdm09)?\b", lambda m: f"subtype: {m[0]}"),
    (r"\bO\d{1,3}:H\d{1,2}\b", lambda m: f"serotype: {m[0]}"),
    (r"\b(?:B|XBB|BA|BQ)\.\d+(?:\.\d+)+\b", lambda m: f"lineage: {m[0]}"),
    (r"\b[A-Z]\. [a-z]{5,}\b", lambda m: f"species: {m[0]}"),
)
_KNOWN_GENES = (
    "EGFR KRAS NRAS BRAF TP53 BRCA1 BRCA2 BRCA1/2 ALK ROS1 PIK3CA PTEN ERBB2 FLT3 NPM1 JAK2 IDH1 IDH2 "
    "MGMT MYC RB1  CDKN2A ATM CHEK2 PALB2 MLH1 MSH2 CYP2C19 CYP2C9 CYP2D6 CYP3A4 CYP3A5 VKORC1 MTHFR "
    "APOE APOL1 IL28B IFNL3 TCF7L2  FTO PPARG BDNF COMT SLC6A4 5-HTTLPR CFTR DMD SMN1 LDLR PCSK9 UGT1A1 "
    "DPYD TPMT G6PD pfcrt pfmdr1 kelch13 gyrA  parC rpoB katG inhA embB mecA vanA vanB qnrS qnrB armA "
    "erm(B) tetM"
)
_GENES: tuple[tuple[str, _Value], ...] = (
    (r"\brs\d{3,}\b", lambda m: f"variant: {m[0]}"),
    (r"\b[ACDEFGHIKLMNPQRSTVWY]\d{2,4}[ACDEFGHIKLMNPQRSTVWYX]\b", lambda m: f"variant: {m[0]}"),
    (r"\bp\.\(?[A-Z][a-z]{2}\d+(?:[A-Z][a-z]{2}|\*|fs\w*)\b|\bc\.\d+[\w>+-]+", lambda m: f"variant: {m[0]}"),
    (
        r"\b[Ee]xon (?P<n>\d+) (?P<what>deletion|insertion|skipping|mutation)s?\b",
        lambda m: f"variant: exon {m['n']} {m['what']}",
    ),
    (r"\bbla\s?(?P<name>[A-Z]{2,4}(?:-[A-Z])?(?:-?\d+)?)", lambda m: f"gene: {m['name']}"),
    (r"\b(?:CTX-M|NDM|KPC|OXA|VIM|IMP|TEM|SHV|mcr)-\d+\b", lambda m: f"gene: {m[0]}"),
    (r"\bHLA-[A-Z]{1,3}\d?(?:\*?\d{2}:?\d{2})?", lambda m: f"gene: {m[0]}"),
    (
        r"\b(?P<name>[A-Z][A-Z0-9]{2,7}|(?-i:[a-z]{3}[A-Z]))(?=[- ](?:genes?|mutations?|mutant|mutated|"
        r"polymorphisms?|alleles?|genotypes?|wild[- ]type|amplification|promoter|knockout)\b)",
        lambda m: None if m["name"] in {"DNA", "RNA", "SNP", "HIV", "HCV"} else f"gene: {m['name']}",
    ),
    (
        r"(?<![\w-])(?:" + "|".join(map(re.escape, _KNOWN_GENES.split())) + r")(?![\w(]|-[a-z]*ase)",
        lambda m: f"gene: {m[0]}",
    ),
)


def _compiled(
    patterns: tuple[tuple[str, _Value], ...], axis: Axis, flags: int = 0
) -> list[tuple[re.Pattern[str], _Value, Axis]]:
    return [(re.compile(pattern, flags), value, axis) for pattern, value in patterns]


_PATTERNS = [
    *_compiled(_AGES, Axis.POPULATION_COHORT, re.IGNORECASE),
    *_compiled(_YEARS, Axis.YEAR_TIME_PERIOD),
    *_compiled(_DOSES, Axis.DOSAGE_INTERVENTION),
    *_compiled(_DURATIONS, Axis.DOSAGE_INTERVENTION, re.IGNORECASE),
    *_compiled(_DISEASE, Axis.DISEASE_SUBTYPE),
    *_compiled(_ORGANISMS, Axis.ORGANISM_STRAIN_LINEAGE),
    *_compiled(_GENES, Axis.GENE_MUTATION_MOLECULAR_BACKGROUND),
    *_compiled(_WINDOWS, Axis.ENDPOINT_DEFINITION, re.IGNORECASE),
]


def valued(text: str) -> Iterator[Found]:
    """What the patterns find, overlaps included, each with its comparable form."""
    for pattern, value, axis in _PATTERNS:
        for match in pattern.finditer(text):
            form = value(match)
            if form is not None:
                yield axis, match.start(), match.end(), form
