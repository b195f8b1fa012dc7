"""Forms of stages and grades, of strains and lineages, of genes and mutations."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.conflicts.cues.numbers import rank

Value = Callable[[re.Match[str]], str | None]
"""What a match says in comparable form; None where it only looks like a cue."""

_ROMAN = r"(?:IV|I{1,3}|[0-4])[A-Ca-c]?"
DISEASE: tuple[tuple[str, Value], ...] = (
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
ORGANISMS: tuple[tuple[str, Value], ...] = (
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
_KNOWN_GENES = (  # genes that need no word such as "mutation" beside them
    "EGFR KRAS NRAS BRAF TP53 BRCA1 BRCA2 BRCA1/2 ALK ROS1 PIK3CA PTEN ERBB2 FLT3 NPM1 JAK2 IDH1 IDH2 "
    "MGMT MYC RB1 CDKN2A ATM CHEK2 PALB2 MLH1 MSH2 CYP2C19 CYP2C9 CYP2D6 CYP3A4 CYP3A5 VKORC1 MTHFR APOE "
    "APOL1 IL28B IFNL3 TCF7L2 FTO PPARG BDNF COMT SLC6A4 5-HTTLPR CFTR DMD SMN1 LDLR PCSK9 UGT1A1 DPYD "
    "TPMT G6PD pfcrt pfmdr1 kelch13 gyrA parC rpoB katG inhA embB mecA vanA vanB qnrS qnrB armA erm(B) "
    "tetM"
)
GENES: tuple[tuple[str, Value], ...] = (
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
        r"(?<![\w-])(?:"
        + "|".join(map(re.escape, sorted(_KNOWN_GENES.split(), key=len, reverse=True)))
        + r")(?![\w(]|-[a-z]*ase)",
        lambda m: f"gene: {m[0]}",
    ),
)
