"""What an abbreviation stands for: well-known ones from a table, else names with these initials."""

from __future__ import annotations

from functools import cache

from core.review.search.folding import SILENT, word_list
from core.review.search.names import INITIALS, Names
from core.text.normalise import singular

TABLE = "abbreviations.tsv"


@cache
def table() -> dict[str, tuple[str, ...]]:
    """Abbreviation in lower case -> the phrases it stands for, the usual one first."""
    return {short.lower(): meant for short, meant in word_list(TABLE)}


def meanings(text: str, names: Names) -> list[str]:
    """The query with its well-known abbreviations written out; one text for each meaning, none without.

    What is a word of names, too, counts as an abbreviation only where it is typed in capitals (MS, SAD).
    """
    known = table()
    written = text.split()
    for place, word in enumerate(written):
        short = bare(word.strip(".,;:()"))
        if short.lower() in known and (short.isupper() or _is_no_word(short.lower(), names)):
            long = known[short.lower()]
            return [" ".join([*written[:place], each, *written[place + 1 :]]) for each in long]
    return []


def bare(word: str) -> str:
    """An abbreviation without the s of its plural: UTIs, utis."""
    plural = word[-1:] == "s" and (word[:-1].isupper() or word[:-1].lower() in table())
    return word[:-1] if plural else word


def _is_no_word(word: str, names: Names) -> bool:
    return word not in SILENT and singular(word) not in names.number


def may_be_initials(text: str, names: Names) -> bool:
    """Whether a query looks like an abbreviation: a few letters in capitals, or that begin no word."""
    short = bare(text)
    if not (len(short) in INITIALS and short.isalpha()):
        return False
    low = short.lower()
    return short.isupper() or (
        len(short) > INITIALS.start and _is_no_word(low, names) and not names.begins(low)
    )
