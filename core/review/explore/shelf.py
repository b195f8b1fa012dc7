"""Documents found by their words, narrowed by what is said of them.

Which text each passage has is kept in memory, as is what the last filters let through, so that a search among
54,000 passages takes some milliseconds whatever the words and filters, and knows how many there are.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.records import ItemKind
from core.review.explore.sight import sees_all
from core.review.walks.concept import index_of
from core.review.walks.kept import Recent, Walks
from core.store import Workspace, claims, fulltext, passage_labels, runs
from core.store.blind import blind_of, unlisted_of
from core.store.curators import VISITOR
from core.store.fulltext import LEAST_BEGINNING, Found, Ids

KEPT = 16
"""Choices of filters whose passages are remembered."""
MOST_RANKED = 1000
"""Texts that are weighed; more of them stand in the order of the corpus."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for. None: any."""

    typed: str = ""
    corpus: str | None = None
    run: str | None = None
    """Only passages in which this run proposes something, or finds a claim."""
    unanswered: bool = False
    """Only those with a concept label that nobody has answered."""
    gold: bool = False
    """Only those of which imported gold holds something."""


@dataclass(frozen=True, slots=True)
class Results:
    total: int
    rows: tuple[Found, ...]
    """Those of the page that was asked for."""
    ranked: bool
    """Whether the best come first; else they stand in the order of the corpus."""
    beginning: str | None = None
    """Where no passage holds all the words: the last one, of which words were found that begin like it."""


@dataclass(slots=True)
class Shelf:
    """The passages of one workspace, in the order of their ids."""

    ids: Ids = field(default_factory=lambda: np.zeros(0, np.int64))
    texts: Ids = field(default_factory=lambda: np.zeros(0, np.int64))
    corpora: Ids = field(default_factory=lambda: np.zeros(0, np.int64))
    gold: Mask = field(default_factory=lambda: np.zeros(1, np.bool_))
    """Passage id -> whether imported gold holds something of it."""
    _last: int = 0
    """Annotation that was read last."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    narrowed: Recent[Mask] = field(default_factory=lambda: Recent(KEPT))
    """What filters let through."""

    def refresh(self, workspace: Workspace) -> None:
        """Read what was added since the last call."""
        with self._lock:
            rows = fulltext.shelved(workspace, int(self.ids[-1]) if len(self.ids) else 0)
            if rows:
                ids, texts, held = np.array(rows, np.int64).T
                self.ids = np.concatenate([self.ids, ids])
                self.texts = np.concatenate([self.texts, texts])
                self.corpora = np.concatenate([self.corpora, held])
                self.gold = np.pad(self.gold, (0, int(ids[-1]) + 1 - len(self.gold)))
            self._last, passages = passage_labels.gold_since(workspace, self._last)
            self.gold[passages] = True

    def among(self, passages: Sequence[int] | Ids) -> Mask:
        """Which of all passages these are."""
        chosen = np.zeros(len(self.gold), np.bool_)
        chosen[np.asarray(passages, np.int64)] = True
        found: Mask = chosen[self.ids]
        return found

    def with_texts(self, texts: Ids) -> Mask:
        """Which passages have one of these texts; there are texts, too, that none has."""
        chosen = np.zeros(int(max(self.texts.max(initial=0), texts.max(initial=0))) + 1, np.bool_)
        chosen[texts] = True
        found: Mask = chosen[self.texts]
        return found


shelves = Walks(Shelf)


def look(workspace: Workspace, asked: Asked, curator: str | None, *, first: int, most: int) -> Results:
    """A page of the documents that hold what is asked for: `most` of them from place `first` on, from 0.

    Raises:
        NotFoundError: no such corpus or run.
    """
    shelf = shelves.of(workspace)
    filters = replace(asked, typed="")
    wanted = shelf.narrowed.of(
        (workspace.key(), filters, curator, sees_all(workspace, curator), len(shelf.ids)),
        lambda: _narrowed(workspace, shelf, filters, curator),
    )
    words = fulltext.pieces(asked.typed)
    if not words:
        chosen = shelf.ids[wanted]
        return Results(len(chosen), _page(workspace, chosen, "", first, most), False)
    match, beginning = fulltext.expression(words), None
    texts, titles = fulltext.texts_with(workspace, match), fulltext.titles_with(workspace, match)
    exact = fulltext.called(workspace, asked.typed.strip())
    if not (len(texts) or len(titles) or exact) and len(words[-1]) >= LEAST_BEGINNING:
        match, beginning = fulltext.expression(words, beginning=True), words[-1]
        texts, titles = fulltext.texts_with(workspace, match), fulltext.titles_with(workspace, match)
    fitting = shelf.with_texts(texts) | shelf.among(titles) | shelf.among(exact)
    places = np.flatnonzero(wanted & fitting)
    ranked = len(texts) <= MOST_RANKED
    if ranked:
        places = _best_first(workspace, shelf, places, match, exact, set(titles.tolist()))
    chosen = shelf.ids[places]
    rows = _page(workspace, chosen, match, first, most)
    return Results(len(chosen), rows, ranked, beginning if len(chosen) else None)


def _best_first(
    workspace: Workspace, shelf: Shelf, places: Ids, match: str, exact: list[int], titles: set[int]
) -> Ids:
    """A document of just this id, then those whose titles fit, then by how well the text fits."""
    fit = fulltext.ranks(workspace, match)
    keys = [
        (passage not in exact, passage not in titles, fit.get(text, 0.0), passage)
        for passage, text in zip(shelf.ids[places].tolist(), shelf.texts[places].tolist(), strict=True)
    ]
    return places[sorted(range(len(keys)), key=keys.__getitem__)]


def _page(workspace: Workspace, chosen: Ids, match: str, first: int, most: int) -> tuple[Found, ...]:
    return tuple(fulltext.found(workspace, chosen[first : first + most].tolist(), match))


def _narrowed(workspace: Workspace, shelf: Shelf, asked: Asked, curator: str | None) -> Mask:
    """The passages that the filters let through. One that holds what this curator has yet to answer blind
    must not pass for that."""
    wanted: Mask = np.ones(len(shelf.ids), np.bool_)
    known = fulltext.corpus_ids(workspace)
    if asked.corpus is not None:
        wanted &= shelf.corpora == known.get(asked.corpus, 0)
    if not (asked.run or asked.unanswered or asked.gold):
        return wanted
    who, blind = curator or VISITOR, set[int]()
    if not sees_all(workspace, curator):
        blind = blind_of(workspace, who)
        for corpus in known if asked.corpus is None else [asked.corpus]:
            wanted &= ~shelf.among(list(unlisted_of(workspace, who, corpus)))
    if asked.gold:
        wanted &= shelf.gold[shelf.ids]
    if asked.run and runs.find_run(workspace, asked.run).proposes == ItemKind.PAIR:
        wanted &= shelf.among(claims.passages_of_run(workspace, asked.run))
        asked = Asked(unanswered=asked.unanswered)
    if asked.run or asked.unanswered:
        found = index_of(workspace).passages(asked.run, unanswered=asked.unanswered, without=blind)
        wanted &= shelf.among(found)
    return wanted
