"""Mentions of a corpus with the edges of their concepts: data sets for discovery and placement.

Discovery asks of a mention which concept of the older version it names, or NIL. Placement asks between which
edges a concept belongs. Splits (ontology enrichment, section 4): discovery has the corpus's own, or by
document 60 / 20 / 20; placement trains and is validated on mentions of known concepts, and is tested on all
NIL mentions and on the known ones of the test documents. A document with a NIL mention may so be in train
through its other mentions: its text is seen, the new concept is not. `strict` leaves such documents out.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.enrichment.catalogue import Edge
from core.enrichment.releases import Releases
from core.records import ConceptClass, Curie, Document

Split = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = ("train", "valid", "test")
_OWN: Mapping[str, Split] = {
    "train": "train",
    "training": "train",
    "dev": "valid",
    "devel": "valid",
    "development": "valid",
    "valid": "valid",
    "validation": "valid",
    "test": "test",
}
CONTEXT = 128
"""Tokens on each side of a mention, by white space."""
SHARES = (0.6, 0.8)
"""Where valid and test begin, of a hash of the document's id in [0, 1)."""


class Mention(NamedTuple):
    """One mention of one concept; a mention of two concepts is two."""

    corpus: str
    doc_id: str
    split: Split
    """Of its document."""
    start: int
    end: int
    text: str
    context_left: str
    context_right: str
    concept: Curie | None
    """In the older version; None: it has none (NIL)."""
    now: Curie
    """In the newer version; of what is gone, in the older one."""
    edges: tuple[Edge, ...]
    """Of the older version's catalogue; none: it is not in the placement data."""

    @property
    def id(self) -> str:
        return f"{self.corpus}:{self.doc_id}:{self.start}-{self.end}:{self.now}"

    @property
    def is_complex(self) -> bool:
        return any(edge.is_complex for edge in self.edges)


@dataclass
class Linked:
    """The mentions of all corpora, and what could not be used."""

    mentions: list[Mention] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """Reason -> annotations."""

    def discovery(self, split: Split) -> list[Mention]:
        return [m for m in self.mentions if m.split == split]

    def placement(self, split: Split, *, strict: bool = False) -> list[Mention]:
        """Mentions with edges.

        Args:
            strict: leave documents with NIL mentions out of train and valid.
        """
        placed = [m for m in self.mentions if m.edges]
        if split == "test":
            return [m for m in placed if m.concept is None or m.split == "test"]
        leaking = {(m.corpus, m.doc_id) for m in self.mentions if m.concept is None} if strict else set()
        known = (m for m in placed if m.concept is not None and m.split == split)
        return [m for m in known if (m.corpus, m.doc_id) not in leaking]

    def counts(self, *, strict: bool = False) -> dict[str, dict[str, int]]:
        """The columns of the source's table 2: mentions, pairs of mention and edge, those with complex
        edges, and concepts behind them; then the mentions for discovery."""
        test = self.placement("test")
        rows = {
            "train, in-KB": self.placement("train", strict=strict),
            "valid, in-KB": self.placement("valid", strict=strict),
            "test, in-KB": [m for m in test if m.concept is not None],
            "out-of-KB": [m for m in test if m.concept is None],
        }
        found = {name: _counts(mentions) for name, mentions in rows.items()}
        for split in SPLITS:
            mentions = self.discovery(split)
            nil = sum(m.concept is None for m in mentions)
            found[f"discovery, {split}"] = {"mentions": len(mentions), "nil": nil}
        found["without an edge"] = _counts([m for m in self.mentions if not m.edges])
        return found


def _counts(mentions: Iterable[Mention]) -> dict[str, int]:
    held = list(mentions)
    return {
        "mentions": len(held),
        "pairs": sum(len(m.edges) for m in held),
        "complex_pairs": sum(edge.is_complex for m in held for edge in m.edges),
        "concepts": len({m.now for m in held}),
        "documents": len({(m.corpus, m.doc_id) for m in held}),
    }


def link(corpora: Iterable[tuple[str, Iterable[Document]]], releases: Releases) -> Linked:
    """The mentions of (name, documents) of each corpus, in order; annotations that are not relevant, have no
    place in the text, or are of no concept of the branch are left out and counted."""
    found = Linked()
    edges: dict[Curie, tuple[Edge, ...]] = {}
    for name, documents in corpora:
        for document in documents:
            found.mentions += _of(name, document, releases, edges, found.left_out)
    return found


def _of(
    corpus: str,
    document: Document,
    releases: Releases,
    edges: dict[Curie, tuple[Edge, ...]],
    left_out: Counter[str],
) -> Iterator[Mention]:
    split = split_of(document)
    seen: set[tuple[int, int, Curie]] = set()
    for a in document.annotations:
        if a.concept_class is ConceptClass.NOT_RELEVANT:
            left_out["not relevant"] += 1
            continue
        if a.span is None:
            left_out["without a place in the text"] += 1
            continue
        old, now = releases.old_id(a.concept), releases.current(a.concept)
        if old is None and not releases.is_new(a.concept):
            left_out["of no concept of the branch"] += 1
            continue
        if (a.span.start, a.span.end, now) in seen:
            left_out["said twice"] += 1
            continue
        seen.add((a.span.start, a.span.end, now))
        if now not in edges:
            edges[now] = releases.placed(now).edges if old is None else releases.own_edges(old)
        left, right = document.text[: a.span.start].split(), document.text[a.span.end :].split()
        yield Mention(
            corpus,
            document.doc_id,
            split,
            a.span.start,
            a.span.end,
            document.text[a.span.start : a.span.end],
            " ".join(left[-CONTEXT:]),
            " ".join(right[:CONTEXT]),
            old,
            now,
            edges[now],
        )


def split_of(document: Document) -> Split:
    """The corpus's own split, where the document states one; else by a hash of its id, so that it is the same
    in every release."""
    stated = document.meta.get("split")
    if isinstance(stated, str) and stated.lower() in _OWN:
        return _OWN[stated.lower()]
    digest = hashlib.sha256(document.doc_id.encode("utf-8", "surrogatepass")).hexdigest()
    share = int(digest[:8], 16) / 16**8
    return SPLITS[sum(share >= bound for bound in SHARES)]
