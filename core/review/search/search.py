"""The search: what words find, then what means nearly the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from core.records import Curie
from core.review.search.folding import Query
from core.review.search.lexical import Lexical
from core.review.search.meaning import Meaning, Progress
from core.review.search.names import Name, Names
from core.review.search.rows import BY_ID, Found, Row, Why
from core.store import Workspace, ontologies

LIMIT = 20
"""Rows of a search unless somebody asks for more or fewer."""
BY_MEANING = 10
"""Most rows by meaning."""

_DIGITS = re.compile(r"[0-9]{4,12}")
"""Digits that are taken for an id without its prefix."""


class Search:
    """Search among the live concepts of one ontology version.

    Args:
        names: all names and synonyms, each concept's own one among them.
        others: ids that a concept bore before (alt_ids) -> its id.
    """

    def __init__(self, names: Iterable[Name], others: dict[Curie, Curie] | None = None):
        self._lexical = Lexical(Names(names))
        self._names = self._lexical.names.names
        self.meaning = Meaning(self._lexical.names)
        self._ids: dict[str, tuple[Curie, Curie]] = {}
        """Id without its punctuation -> (the id as written, the concept that bears it)."""
        self._numbers: dict[int, set[tuple[Curie, Curie]]] = {}
        for curie, bearer in chain(((c, c) for c in self._names), (others or {}).items()):
            if bearer in self._names:
                self._ids.setdefault(_plain(curie), (curie, bearer))
                if digits := re.search(r"[0-9]+$", curie):
                    self._numbers.setdefault(int(digits[0]), set()).add((curie, bearer))

    @property
    def words(self) -> list[str]:
        """All words of names that tell something."""
        return self._lexical.names.words

    @classmethod
    def of(cls, workspace: Workspace, ontology_id: int) -> Search:
        """The search over a stored ontology version, which never changes."""
        names = (Name(*row) for row in ontologies.names(workspace, ontology_id))
        return cls(names, ontologies.alt_id_map(workspace, ontology_id))

    def first(self, typed: str, limit: int = LIMIT) -> Found:
        """What the words find, within milliseconds. Rows by meaning come behind these and move none of them.

        Where no vectors are at hand, names that share only some of the words stand in for them.
        """
        query = Query.read(typed)
        rows = self._rows(query)
        if not self.meaning.ready:
            rows = chain(rows, self._lexical.partly(query))
        found = _once(chain(rows, self._lexical.plainly(query)), limit)
        complete = not query.words or (self.meaning.ready and len(found) == limit)
        return Found(found, complete, not complete and (self.meaning.ready or self.meaning.coming))

    def all(self, typed: str, limit: int = LIMIT) -> Found:
        """Every row in the final order, as far as vectors are at hand: see `Meaning.begin` and `wait`."""
        query = Query.read(typed)
        if not self.meaning.ready:
            return self.first(typed, limit)
        found = _once(chain(self._rows(query), self._lexical.plainly(query)), limit)
        if len(found) < limit:
            found = _once([*found, *self._by_meaning(query, len(found))], limit)
        return Found(found, True)

    def wait(
        self, workspace: Workspace, typed: str, limit: int = LIMIT, progress: Progress | None = None
    ) -> Found:
        """The same, once all vectors are made: minutes for a large ontology, but only once.

        Raises:
            InputError: there is no encoder.
            WorkspaceError: the vectors cannot be kept.
        """
        query = Query.read(typed)
        found = _once(chain(self._rows(query), self._lexical.plainly(query)), limit)
        if query.words and not (len(found) == limit and self.meaning.kept(workspace)):
            self.meaning.make(workspace, progress)
            return self.all(typed, limit)
        return Found(found, True)

    def in_sentence(self, text: str, limit: int = LIMIT) -> list[Row]:
        """What a sentence speaks of, by its words alone: what is found for all of them, then for some."""
        query = Query.read(text)
        return _once(chain(self._rows(query), self._lexical.partly(query)), limit)

    def _rows(self, query: Query) -> Iterator[Row]:
        yield from self._by_id(query.text)
        yield from self._lexical.rows(query)

    def _by_id(self, text: str) -> Iterator[Row]:
        """`HP:0000252`, `hp_0000252`, `HP0000252`, its address, or its digits if they are one concept's."""
        written = text.rsplit("/", 1)[-1]
        found = {self._ids[_plain(written)]} if _plain(written) in self._ids else set()
        if not found and _DIGITS.fullmatch(written):
            found = self._numbers.get(int(written), set())
        if len(found) == 1:
            ((curie, bearer),) = found
            yield Row(bearer, self._names[bearer], curie, BY_ID, Why.EXACT)

    def _by_meaning(self, query: Query, known: int) -> Iterator[Row]:
        scope_of = self._lexical.names.scope_of
        for curie, text in self.meaning.nearest(query.text, BY_MEANING + known):
            yield Row(curie, self._names[curie], text, scope_of(curie, text), Why.MEANING)


def _plain(curie: str) -> str:
    return "".join(ch for ch in curie.casefold() if ch.isalnum())


def _once(rows: Iterable[Row], limit: int) -> list[Row]:
    """The first rows, each concept once."""
    found: dict[Curie, Row] = {}
    for row in rows:
        found.setdefault(row.curie, row)
        if len(found) == limit:
            break
    return list(found.values())
