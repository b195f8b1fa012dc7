"""One query, as each source reads it, and one page of its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.formats import RowError
from core.records import Document


@dataclass(frozen=True, slots=True)
class Query:
    """What to ask for. Both forms mean the same; only articles with an abstract are asked for."""

    name: str
    """Such as `amr/contradiction/colistin-toxicity`, or a CURIE."""
    pubmed: str
    """In PubMed's syntax, without years."""
    europepmc: str
    """In Europe PMC's, without years."""
    since: int | None = None
    """First year of publication, inclusive."""
    until: int | None = None
    """Last year of publication, inclusive."""
    most: int | None = None
    """Articles wanted at most, newest first; None: all."""
    meta: dict[str, Any] = field(default_factory=dict)
    """Fields that every article found carries, such as its domain."""

    def asked(self, source: str) -> str:
        """The text that is sent, with years and the filter for abstracts."""
        since, until = self.since or 1000, self.until or 3000
        limited = self.since is not None or self.until is not None
        if source == "pubmed":
            years = f' AND ("{since}"[dp] : "{until}"[dp])' if limited else ""
            return f"({self.pubmed}) AND hasabstract{years}"
        years = f" AND PUB_YEAR:[{since} TO {until}]" if limited else ""
        # patents, theses and guidelines of other sources have abstracts, too, but report no study
        return f"({self.europepmc}) AND HAS_ABSTRACT:y AND (SRC:MED OR SRC:PMC OR SRC:PPR){years}"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of an answer, whole: it is stored with its position in one write, or not at all."""

    documents: tuple[Document, ...]
    faults: tuple[RowError, ...]
    """Records that could not be read; the rest of the page is not touched by them."""
    without_abstract: int
    position: str | None
    """Where the next page begins, in words of the source's client; None: nothing is left."""
    found: int | None
    """Articles that the source says there are."""
    notes: tuple[str, ...] = ()
    """What is worth telling about the answer, as sentences."""
    again: int = 0
    """Articles of earlier pages that this page and those after it bring once more."""
