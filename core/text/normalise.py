"""Words in a common form, so that "hypoplastic kidneys" and "hypoplasia of the kidney" share their words.

`fold` undoes what is only writing: case, accents, ligatures, Greek letters, British spelling. `stem` goes on
to undo inflection (English and Latin plurals) and regular derivation (stenosis/stenotic, cornea/corneal,
dilated/dilatation). Both are hash functions, applied alike to names and to text: a stem need not be a word.
What no rule relates stands in `irregular.txt`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

_GREEK = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau
upsilon phi chi psi omega
"""
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψω",
        _GREEK.split(),
        strict=True,
    )
)
_LETTERS = str.maketrans({**GREEK, "µ": "mu", "æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "đ": "d", "ł": "l"})

# British to American, in this order; American words pass unharmed or are changed alike on both sides.
_SPELLINGS = tuple(
    (re.compile(pattern), target)
    for pattern, target in (
        (r"ae(?!r[oi]|$)", "e"),  # haemorrhage, but aerobic; vertebrae is a plural
        (r"^oe|(?<=.)oe(?!$|[sd]$|ing$)", "e"),  # oedema, diarrhoea, but toes
        (r"(?<=\w\w)our(?=$|s$|ed$|ing$|al|less)", "or"),
        (r"is(?=(?:e|ed|es|ing|ation|ations)$)", "iz"),
        (r"ys(?=(?:e|ed|ing)$)", "yz"),
        (r"(?<=[nti])tre(?=s?$)", "ter"),
        (r"bre(?=s?$)", "ber"),
        (r"sulph", "sulf"),
        (r"leuc(?=[oa])", "leuk"),
        (r"^grey", "gray"),
        (r"mould", "mold"),
        (r"xion(?=s?$)", "ction"),
        (r"ll(?=ed$|ing$)", "l"),
        (r"aryngeal|aringeal", "aryngeal"),
        (r"vermillion", "vermilion"),
        (r"fontanelle(?=s?$)", "fontanel"),
    )
)
_BRITISH = re.compile("|".join(pattern.pattern for pattern, _ in _SPELLINGS))
"""Where this finds nothing, none of them changes a word, as is so of 98 in a hundred."""

# Ending, replacement, shortest remainder; longest first; one of the first table, then one of the second.
_ENDINGS_TABLE = """
matous m 3 | matic m 3 | mata m 3 | plastic plas 2 | plasia plas 1 | leptic leps 2 | septic seps 2
osis os 3 | otic os 3 | oses os 3 | osed os 3 | osing os 3 | esis es 3 | eses es 3 | etic es 4
asis as 4 | ases as 5 | lysis lys 1 | lytic lys 1 | lyses lys 1 | ication ic 3 | ification if 3
ified if 3 | ifying if 3 | ify if 3 | ization iz 3 | ational - 4 | ation - 4 | ated - 4 | ating - 4
ative - 4 | ate - 5 | atory - 4 | ion - 4 | ional - 4 | ionary - 4 | ive - 4 | ivity iv 4
ability abl 3 | ibility ibl 3 | ically - 4 | ical - 4 | icity - 4 | ic - 3 | ally - 4 | ality - 4
al - 3 | ary - 5 | ity - 3 | ous - 3 | ousness - 3 | iness - 3 | ness - 3 | ment - 5 | mental - 5
ening - 4 | ened - 4 | ing - 3 | edly - 3 | ed - 3 | ied - 3 | ence - 6 | ent - 6 | ency - 5 | ance - 5
ant - 5 | ancy - 5 | ism - 4 | istic - 4 | ismus ism 3 | y - 3 | ia - 3 | ium - 4 | um - 4 | ular l 4
ula l 4 | ulae l 4 | ulum l 4 | ule l 3 | ulus l 3 | uli l 3 | ar - 4 | ae - 3 | a - 3 | us - 3 | os - 5
is - 5 | i - 3 | ly - 4 | ably abl 3
"""
_SECOND_TABLE = "ion - 4 | al - 4 | at - 4 | ic - 4 | en - 5 | ment - 5"


def _endings(table: str) -> dict[str, tuple[tuple[str, str, int], ...]]:
    """Last letter -> its rules, longest ending first."""
    rules: dict[str, list[tuple[str, str, int]]] = {}
    for row in re.split(r"[|\n]", table.strip()):
        ending, target, shortest = row.split()
        rules.setdefault(ending[-1], []).append((ending, target.replace("-", ""), int(shortest)))
    return {k: tuple(sorted(v, key=lambda rule: -len(rule[0]))) for k, v in rules.items()}


_ENDINGS = _endings(_ENDINGS_TABLE)
_SECOND = _endings(_SECOND_TABLE)


@cache
def _irregular() -> dict[str, str]:
    lines = (Path(__file__).parent / "irregular.txt").read_text(encoding="utf-8").splitlines()
    families = (line.split() for line in lines if line and not line.startswith("#"))
    return {form: f"={family[0]}" for family in families for form in family}  # no rule makes a "="


def lower(text: str) -> str:
    """Lower case without a change of length, so that offsets keep their meaning ("İ" stays itself)."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


def fold(word: str) -> str:
    """A word in lower-case American ASCII spelling: `fold("Hæmorrhage") == "hemorrhage"`."""
    word = word.lower()
    if not word.isascii():
        word = unicodedata.normalize("NFKD", word.translate(_LETTERS)).translate(_LETTERS)
        word = "".join(c for c in word if not unicodedata.combining(c))
    if _BRITISH.search(word):
        for pattern, target in _SPELLINGS:
            word = pattern.sub(target, word)
    return word


def singular(word: str) -> str:
    """A folded word without a regular English plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "os")):
        return word[:-1]
    return word


def _cut(word: str, rules: dict[str, tuple[tuple[str, str, int], ...]]) -> str:
    for ending, target, shortest in rules.get(word[-1], ()):
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            return word[: -len(ending)] + target
    return word


def stem(word: str) -> str:
    """The family of a word. Words with digits and words of fewer than four letters are only folded."""
    word = fold(word)
    irregular = _irregular()
    if word in irregular:
        return irregular[word]
    if len(word) < 4 or any(c.isdigit() for c in word):
        return word
    word = singular(word)
    if word in irregular:
        return irregular[word]
    if len(word) < 4:
        return word
    cut = _cut(word, _ENDINGS)
    word = _cut(cut, _SECOND) if cut != word else cut
    if len(word) > 3 and word[-1] in "eioy":
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    if len(word) < 4:
        return word + "~"  # the stem of "nose" is not the word "nos"
    return word
