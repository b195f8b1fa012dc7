"""What abbreviations of an abstract stand for, as it says itself: "gestational diabetes mellitus (GDM)"."""

from __future__ import annotations

import re

_DEFINED = re.compile(r"\(\s*(?P<short>[A-Za-z][\w/+-]{1,9})\s*(?:[;,][^()]{0,40})?\)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def long_forms(text: str) -> dict[str, str]:
    """Abbreviation -> the words before its bracket that it is made of, for each that a text defines.

    As in Schwartz and Hearst (2003): its characters stand in these words in their order, the first one begins
    a word.
    """
    found: dict[str, str] = {}
    for match in _DEFINED.finditer(text):
        short = match["short"]
        if sum(c.isupper() for c in short) < 2 or short in found:
            continue
        before = text[max(0, match.start() - 120) : match.start()]
        before = re.split(r"[.;:()\[\]]\s", before)[-1].rstrip()
        begin = _reach(short, before)
        if begin is not None:
            long = before[begin:]
            words = len(_WORD.findall(long))
            if len(long) > len(short) and words <= min(len(short) + 5, len(short) * 2):
                found[short] = long
    return found


def _reach(short: str, long: str) -> int | None:
    """Where in `long` the words of an abbreviation begin, matched from its end; None where they do not."""
    at = len(long)
    for i in range(len(short) - 1, -1, -1):
        letter = short[i].lower()
        if not letter.isalnum():
            continue
        at -= 1
        while at >= 0 and (long[at].lower() != letter or (i == 0 and at > 0 and long[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
    return at
