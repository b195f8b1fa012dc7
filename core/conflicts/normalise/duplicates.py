"""Articles that came twice, by DOI, PMID and what they say.

Source: BioDivergence (paper 004), Table 21. Articles that share an id or a text are one, and so are those
that a third one joins: where it shares its DOI with one and its PMID with another, all three are one article.
What is one does not hang on the order in which they came; the first one stays.

Kept in memory until all have come: the uid and digests of 16 bytes for each id and each text, never a text.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from core.records import Article

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_PMID = re.compile(r"(?:(?:pmid|pubmed|medline)\s*:?\s*|https?://\S+/)?0*([1-9]\d{0,8})/?", re.IGNORECASE)
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())
_SIGNS = re.compile(r"[\W_]+")


def doi(given: str | None) -> str | None:
    """A DOI without its prefixes, in lower case (DOIs ignore case); None where it is none."""
    if not given:
        return None
    found = _DOI.search(unquote(given))
    return found[0].rstrip(".,;)]").lower() if found else None


def pmid(given: str | None) -> str | None:
    """The digits of a PubMed id; None where it is none."""
    found = _PMID.fullmatch(given.strip()) if given else None
    return found[1] if found else None


def content(text: str) -> bytes:
    """Digest of what a text says: no case, white space or signs."""
    folded = text.casefold()
    if folded.isascii():  # the same as below, 20 times as fast
        said = folded.encode("ascii").translate(None, _ASCII_SIGNS)
    else:
        said = _SIGNS.sub("", folded).encode("utf-8", "surrogatepass")
    return _digest(b"content", said or text.encode("utf-8", "surrogatepass"))


def _digest(kind: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=16, person=kind).digest()


class Merge(NamedTuple):
    """Why one leaves."""

    reason: str
    """The first of what it shares: `doi`, `pmid` or `content`; `article` where it is a passage that shares
    nothing itself, but another one of its article does."""
    into: str
    """Article uid of the one that stays."""
    shared: tuple[tuple[str, str], ...]
    """(what, article uid) of all that it shares, each with the first other one that has it."""


_UID, _CONTENT = "article", "content"
_KINDS = (_UID, "doi", "pmid", _CONTENT)


class Duplicates:
    """Articles that have come, in their order, and which of them are one."""

    def __init__(self) -> None:
        self._uids: list[str] = []
        self._digests = bytearray()
        self._kinds, self._holders = array("B"), array("L")
        """Of each digest: place in `_KINDS`, and number of the article."""

    def add(self, article: Article) -> None:
        """Take note of an article, normalised; its number is how many came before it."""
        for kind, digest in _keys(article):
            self._digests += digest
            self._kinds.append(kind)
            self._holders.append(len(self._uids))
        self._uids.append(article.uid)

    def merges(self) -> dict[int, Merge]:
        """Number -> why it leaves, of those that leave.

        Passages of one article share its ids: among themselves only their content counts. What two passages
        say alike does not make their articles one: the later passage leaves alone.
        """
        first = array(
            "L", range(len(self._uids))
        )  # of those known to be one: a forest, least numbers as roots
        shared: defaultdict[int, list[tuple[str, list[int]]]] = defaultdict(list)
        parted: set[int] = set()
        for kind, holders in sorted(self._shared()):
            if kind == 0:
                parted.update(holders)
            else:
                for number in holders:
                    shared[number].append((_KINDS[kind], holders))
            for number in (joined := self._joined(kind, holders, parted))[1:]:
                low, high = sorted((_root(first, joined[0]), _root(first, number)))
                first[high] = low
        return {
            number: merge
            for number in sorted(shared.keys() | parted)
            if (merge := self._merge(number, shared[number], first))
        }

    def _joined(self, kind: int, holders: list[int], parted: set[int]) -> list[int]:
        """Those of some that have the same id or text that are one article for it. A text that is all of one
        article and a passage of others belongs to one of these, whatever their order."""
        if _KINDS[kind] != _CONTENT:
            return holders
        whole = [number for number in holders if number not in parted]
        passages = [number for number in holders if number in parted]
        if whole and passages:
            whole.append(min(passages, key=self._uids.__getitem__))
        return whole

    def _merge(self, number: int, shared: list[tuple[str, list[int]]], first: array[int]) -> Merge | None:
        uids, uid = self._uids, self._uids[number]
        into = uids[_root(first, number)]
        if uid != into:
            found = tuple(
                (what, other)
                for what, holders in shared
                if (other := next((uids[n] for n in holders if uids[n] != uid), None)) is not None
            )
            return Merge(found[0][0] if found else _UID, into, found)
        for what, holders in shared:
            if what == _CONTENT and holders[0] < number:
                return Merge(what, uids[_root(first, holders[0])], ((what, uids[holders[0]]),))
        return None

    def _shared(self) -> Iterator[tuple[int, list[int]]]:
        """(kind, numbers of the articles that have it, ascending) of each digest that several have."""
        if len(self._uids) < 2:
            return
        import numpy as np

        digests = np.frombuffer(self._digests, dtype="<u8").reshape(-1, 2)
        order = np.lexsort(digests.T)
        same = (digests[order[1:]] == digests[order[:-1]]).all(axis=1)
        edges = np.flatnonzero(np.diff(same, prepend=False, append=False))
        for start, end in edges.reshape(-1, 2).tolist():
            holders = order[start : end + 1].tolist()
            yield self._kinds[holders[0]], [self._holders[n] for n in holders]


def _root(first: array[int], number: int) -> int:
    while first[number] != number:
        first[number] = number = first[first[number]]
    return number


def _keys(article: Article) -> Iterator[tuple[int, bytes]]:
    """(place in `_KINDS`, digest)"""
    for kind, value in enumerate((article.uid, doi(article.doi), pmid(article.pmid))):
        if value is not None:
            yield kind, _digest(_KINDS[kind].encode(), value.encode("utf-8", "surrogatepass"))
    yield len(_KINDS) - 1, content(article.text)
