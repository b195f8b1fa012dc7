"""Where a quote of a model stands in the passage: exact, then up to case and white space, then nearly."""

from __future__ import annotations

import re
from collections import Counter

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from core.records import Evidence
from core.text.normalise import lower

NEAR = 0.85
"""Least similarity of a quote to the words it is taken for: 1 - edits / length of the longer."""
SHORTEST = 8
"""Letters below which a quote must stand exactly: a near match of a short word is another word."""
LONGEST = 1000
"""Letters above which a quote must stand as it is, so that the search stays quick."""

_POLE = re.compile(
    r"""
    \b(?:hyper|hypo|tachy|brady|macro|micro|poly|oligo|mono|uni|bi|inter|intra|pre|post|ante|non)
    | \b(?:increas|decreas|elevat|reduc|normal|abnormal|affected|unaffected)
    | \b(?:no|not|never|with|without|left|right|male|female|most|least)\b
    | \b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|double|twice)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Words, and beginnings of words, that a few letters turn into their opposite, or into another number."""
_SIGNS = str.maketrans("‘’“”‐‑‒–—−\u00a0", "''\"\"------ ")


def locate(quote: str, text: str) -> Evidence:
    """Evidence whose `quote` is the text between its offsets; ungrounded, with the words of the model, where
    the text says nothing like it. Of several places it is the first."""
    start = _place(quote, text)
    if start >= 0:
        return Evidence(quote, start, start + len(quote), True)
    folded, places = _fold(text)
    for words in (quote, _trim(quote)):
        wanted = _fold(words)[0].strip()
        start = _place(wanted, folded)
        if start >= 0:
            return _evidence(text, places, start, start + len(wanted))
    found = _near(wanted, folded)
    return _evidence(text, places, *found) if found else Evidence(quote, None, None, False)


def quoted(quote: str, text: str) -> Evidence | None:
    """Where a quote stands in the passage; kept and marked ungrounded if it is not there; None if empty.

    A near match that has an opposite in the place of a word ("hypothyroidism" for hyperthyroidism) is none.
    """
    if not quote:
        return None
    found = locate(quote, text)
    return found if _poles(quote) == _poles(found.quote) else Evidence(quote, None, None, grounded=False)


def _poles(words: str) -> Counter[str]:
    return Counter(found.group().lower() for found in _POLE.finditer(words))


def _place(quote: str, text: str) -> int:
    """Where the quote stands as whole words, else where it stands at all; -1 where it does not."""
    start = text.find(quote) if quote else -1
    if start < 0:
        return start
    whole = re.search(rf"(?<!\w){re.escape(quote)}(?!\w)", text)
    return whole.start() if whole else start


def _trim(quote: str) -> str:
    """Without the quotation marks and dots that models put around what they quote."""
    quote = quote.strip().strip("\"'“”‘’`").strip()
    return quote.removeprefix("...").removeprefix("…").removesuffix("...").removesuffix("…").strip()


def _fold(text: str) -> tuple[str, list[int]]:
    """Lower case, plain signs, single spaces; and for each letter its place in `text`."""
    plain = lower(text).translate(_SIGNS)
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(plain):
        if letter.isspace():
            if letters and letters[-1] == " ":
                continue
            letter = " "
        letters.append(letter)
        places.append(place)
    return "".join(letters), places


def _near(wanted: str, folded: str) -> tuple[int, int] | None:
    """The words of `folded` most like `wanted`, if they are like it enough."""
    if not SHORTEST <= len(wanted) <= LONGEST or len(wanted) > len(folded) / NEAR:
        return None
    around = fuzz.partial_ratio_alignment(wanted, folded, score_cutoff=100 * NEAR - 10)
    if around is None:
        return None
    best, found = NEAR, None
    for start in _word_edges(folded, around.dest_start, opening=True):
        for end in _word_edges(folded, around.dest_end, opening=False):
            if start < end:
                likeness = Levenshtein.normalized_similarity(wanted, folded[start:end], score_cutoff=best)
                if likeness > best or (likeness == best and found is None):
                    best, found = likeness, (start, end)
    if found and re.findall(r"\d+", folded[found[0] : found[1]]) != re.findall(r"\d+", wanted):
        return None  # another number is another finding, however few letters differ
    return found


def _word_edges(text: str, place: int, *, opening: bool) -> list[int]:
    """Edges of words near `place`: at most two on either side."""
    pattern = r"\b(?=\w)" if opening else r"(?<=\w)\b"
    low, high = max(0, place - 40), min(len(text), place + 40)
    edges = [match.start() for match in re.compile(pattern).finditer(text, low, high)]
    if not opening and high == len(text) and text[-1:].isalnum():
        edges.append(len(text))
    before = [edge for edge in edges if edge <= place]
    after = [edge for edge in edges if edge > place]
    return [*before[-2:], *after[:2]] or [place]


def _evidence(text: str, places: list[int], start: int, end: int) -> Evidence:
    first, last = places[start], places[end - 1] + 1
    return Evidence(text[first:last], first, last, True)
