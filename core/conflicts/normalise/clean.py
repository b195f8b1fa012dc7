"""The text of an abstract as it was meant: encoding repaired, mark-up, citations and odd spaces taken out.

Source: BioDivergence (paper 004), Table 21. What says something stays: Greek letters, signs of comparison,
primes, curly quotes, dashes. Superscripts become plain digits, as NFKC has it; the map leads back to them.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator

import ftfy

from core.conflicts.normalise.offsets import Edit, differences, edited, unchanged
from core.records.claims import OffsetMap


def clean(text: str) -> tuple[str, OffsetMap]:
    """A text without what is only writing, in NFKC, and the map to where it comes from."""
    offsets = unchanged(text)
    for step in _STEPS:
        edits = step(text)
        if edits:
            text, offsets = edited(text, offsets, edits)
    while not unicodedata.is_normalized("NFKC", text):  # where what stood between two signs is gone
        for step in (_compatible, _spaces):
            text, offsets = edited(text, offsets, step(text))
    return text, offsets


# --- encoding ---------------------------------------------------------------------------------------------

_SURROGATES = re.compile(r"[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def _surrogates(text: str) -> list[Edit]:
    """Two halves of a character become one; half a character alone becomes the sign of damage."""
    if text.isascii():
        return []
    return [(m.start(), m.end(), ftfy.fixes.fix_surrogates(m[0])) for m in _SURROGATES.finditer(text)]


def _encoding(text: str) -> list[Edit]:
    """Text decoded by the wrong table, such as Î± for α. ftfy's other repairs are not asked for: quotes stay
    as they are, and the rest is done below, where the places are known."""
    if text.isascii():
        return []
    fixed = ftfy.fix_encoding(text)
    return differences(text, fixed) if fixed != text else []


# --- mark-up ----------------------------------------------------------------------------------------------

_ENTITY = re.compile(r"&(?:amp;)?(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(
    r"<!--.*?-->|<!\[CDATA\[|\]\]>|<\?xml[^<>]*\?>"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]{0,40})"
    r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*(?P<empty>/?)>""",
    re.DOTALL,
)
_INLINE = frozenset(
    re.findall(
        r"\S+",
        """
        i b u em strong sub sup sc italic bold underline span a small big tt font inf roman monospace e1 e2
        inline-formula ext-link xref named-content styled-content
        """,
    )
)
_BLOCK = frozenset(
    re.findall(
        r"\S+",
        """
        p br div sec title label list list-item li ul ol abstract abstracttext table tr td h1 h2 h3 h4
        """,
    )
)


def _entities(text: str) -> list[Edit]:
    """`&lt;` and its like, also where they were escaped twice; an unknown one stays."""
    if "&" not in text:
        return []
    edits = []
    for found in _ENTITY.finditer(text):
        meant = html.unescape(html.unescape(found[0]))
        if meant and meant != found[0]:
            edits.append((found.start(), found.end(), meant))
    return edits


def _tags(text: str) -> list[Edit]:
    """Tags of known names, closing tags, and opening ones that are closed somewhere: p < 0.05 is no tag.

    A tag inside a line leaves nothing; one that begins or ends a block leaves a space, and the end of a title
    a colon, so that a heading does not run into its section.
    """
    if "<" not in text:
        return []
    tags = list(_TAG.finditer(text))
    closed = {m["name"] for m in tags if m["close"]}
    edits = []
    for tag in tags:
        name = (tag["name"] or "").lower().rpartition(":")[2]
        block = name in _BLOCK
        known = not name or block or name in _INLINE
        if not (known or tag["close"] or tag["empty"] or tag["name"] in closed):
            continue
        instead = " " if block else ""
        if name == "title" and tag["close"] and text[: tag.start()].rstrip()[-1:].isalnum():
            instead = ": "
        edits.append((tag.start(), tag.end(), instead))
    return edits


# --- characters -------------------------------------------------------------------------------------------

_ARTEFACTS = {
    **dict.fromkeys("\u00ad\u200b\u200e\u200f\u2060\ufeff", ""),
    **{chr(code): "" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))},  # which way to read
    **{chr(code): "" for code in (*range(9), *range(14, 28), 127)},
    "\u2010": "-",  # hyphens that look like the usual one
    "\u2011": "-",
    "´": "'",  # NFKC would make a space and a loose accent of these three
    "˚": "°",
    "˜": "~",
}
_ARTEFACT = re.compile("[" + "".join(map(re.escape, _ARTEFACTS)) + "]")


def _artefacts(text: str) -> list[Edit]:
    """Signs that nobody sees, and those that stand for another one."""
    return [(m.start(), m.end(), _ARTEFACTS[m[0]]) for m in _ARTEFACT.finditer(text)]


_FOREIGN = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")


def _compatible(text: str) -> list[Edit]:
    """NFKC, place by place. What stands before an ASCII character never changes with it."""
    if unicodedata.is_normalized("NFKC", text):
        return []
    edits = []
    for found in _FOREIGN.finditer(text):
        if unicodedata.is_normalized("NFKC", found[0]):
            continue
        pieces = list(_pieces(found[0]))
        if "".join(map(_nfkc, pieces)) != _nfkc(found[0]):  # letters that join across pieces, as in Korean
            pieces = [found[0]]
        start = found.start()
        for piece in pieces:
            if _nfkc(piece) != piece:
                edits.append((start, start + len(piece), _nfkc(piece)))
            start += len(piece)
    return edits


def _nfkc(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _pieces(text: str) -> Iterator[str]:
    """A text cut before each character that is no mark on the one before it."""
    start = 0
    for i in range(1, len(text)):
        if not unicodedata.combining(text[i]):
            yield text[start:i]
            start = i
    yield text[start:]


# --- citations --------------------------------------------------------------------------------------------

_NUMBERS = r"\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*"
_BRACKETED = re.compile(rf"\s*\[\s*({_NUMBERS})\s*\](?![\w%\-–]|\()")
_ROUND = re.compile(rf"\s*\(\s*(?:refs?\.?\s*)?({_NUMBERS})\s*\)")
_AUTHORS = re.compile(
    r"\s*\((?:see |e\.g\.,? |reviewed in )?[A-Z][\w'’-]+ et al\.?,? (?:19|20)\d\d[a-z]?"
    r"(?:; ?[A-Z][\w'’-]+ et al\.?,? (?:19|20)\d\d[a-z]?)*\)"
)
_MEASURED = re.compile(
    r"(?:\d%?|[<>=≤≥±~]|\b(?:CIs?|IQR|ranges?|interval|quartiles?|percentiles?|median|mean|SD|SE|SEM|scores?"
    r"|n|N|level|stage|grade|type|class))[\s,:;=]*$"
)
_CITED = re.compile(r"\[?[\d\s,;–—-]*\]")
_NUMBER_NEAR = re.compile(r"\d")
_TOLD = re.compile(
    r"(?:\bet al\.?|\brefs?\.?|\breferences?"
    r"|\b(?:described|reported|published|shown|reviewed|demonstrated) (?:previously|elsewhere|earlier|before)"
    r"|\bpreviously (?:described|reported|published|shown|reviewed|demonstrated)),?$"
)
_NEAR = 30


def _citations(text: str) -> list[Edit]:
    """References in brackets, with the space before them. Where they may be a measured value they stay: a
    number, a unit or a word of statistics before the bracket, or a range with a number near (64 years
    [54-72]); round brackets go only behind words such as `previously described`."""
    edits: list[Edit] = []
    if "[" in text:
        for found in _BRACKETED.finditer(text):
            before = _CITED.sub("", text[max(0, found.start() - _NEAR) : found.start()])
            name = before[-1:].isupper() and found[0][0] == "["  # of an index, such as SRI[4]
            ranged = not found[1].isdigit() and _NUMBER_NEAR.search(before)
            if before and not name and not ranged and not _MEASURED.search(before):
                edits.append((found.start(), found.end(), ""))
    if "(" in text:
        for found in _ROUND.finditer(text):
            if _TOLD.search(text[max(0, found.start() - _NEAR) : found.start()]):
                edits.append((found.start(), found.end(), ""))
    if " et al" in text:
        edits += ((m.start(), m.end(), "") for m in _AUTHORS.finditer(text))
    return sorted(edits)


# --- white space ------------------------------------------------------------------------------------------

_SPACES = re.compile(r"^\s+|\s+$|\s\s+|[^\S ]")


def _spaces(text: str) -> list[Edit]:
    """One space wherever there is any white space; none at the ends."""
    if text == " ".join(text.split()):
        return []
    edits = []
    for found in _SPACES.finditer(text):
        outer = found.start() == 0 or found.end() == len(text)
        edits.append((found.start(), found.end(), "" if outer else " "))
    return edits


_STEPS: tuple[Callable[[str], list[Edit]], ...] = (
    _surrogates,
    _encoding,
    _entities,
    _tags,
    _artefacts,
    _compatible,
    _citations,
    _spaces,
)
