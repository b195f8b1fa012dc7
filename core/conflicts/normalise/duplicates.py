"""Articles that came twice, by DOI, then PMID, then what they say.

Source: BioDivergence (paper 004), Table 21. One pass; the first one stays. The ids of an article that is
merged lead to the one it is merged into, so a third that shares an id with the second is merged as well.
Where an article shares ids with two that already stay, it goes to the one the DOI names.

Kept in memory: digests of 16 bytes for each id and each text, never a text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
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


class Seen:
    """What has come so far."""

    def __init__(self) -> None:
        self._owner: dict[bytes, str] = {}
        """Article uid of the one that stays, by digest."""

    def take(self, article: Article) -> tuple[str, str] | None:
        """Take note of an article (normalised). (reason, uid of the one that stays) if it is to be merged.

        Passages of one article share its ids: among themselves only their content counts.
        """
        keys = list(_keys(article))
        into = next(
            (
                (reason, owner)
                for reason, key in keys
                if (owner := self._owner.get(key)) and (reason == "content" or owner != article.uid)
            ),
            None,
        )
        owner = into[1] if into else article.uid
        for _, key in keys:
            self._owner.setdefault(key, owner)
        return into


def _keys(article: Article) -> Iterator[tuple[str, bytes]]:
    for reason, value in (("doi", doi(article.doi)), ("pmid", pmid(article.pmid))):
        if value is not None:
            yield reason, _digest(reason.encode(), value.encode("utf-8", "surrogatepass"))
    yield "content", content(article.text)
