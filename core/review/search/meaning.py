"""Rows by meaning: the names of an ontology as vectors, made once and kept in the workspace.

Making them takes minutes for a large ontology, so nobody who types waits for it: `begin` works in a thread of
its own, `make` where somebody waits anyway.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from core.concepts.lexicon.vocabulary import family
from core.errors import TouchstoneError
from core.records import Concept, Curie, Synonym
from core.review.search.names import OWN, Names
from core.store import Workspace, open_workspace
from core.store.vectors import StoredVectors

if TYPE_CHECKING:
    from core.encode import NameIndex

ENCODER = "all-MiniLM-L6-v2"
SLICE = 256
"""Names between two looks at whether the program is about to end."""
LEAST = 0.4
"""Least s (metric-definitions R48) of a row: what is further away has nothing to do with the query."""

Progress = Callable[[int, int], None]


class Meaning:
    """The names of one ontology version by meaning."""

    def __init__(self, names: Names):
        self._names = names
        self._index: NameIndex | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.problem: str | None = None
        """Why there are no rows by meaning."""

    @property
    def ready(self) -> bool:
        return self._index is not None

    @property
    def coming(self) -> bool:
        """Whether vectors are being made."""
        return not self.ready and self._thread is not None and self._thread.is_alive()

    def kept(self, workspace: Workspace) -> bool:
        """Whether the vectors of all names are there, which is known without loading the encoder.

        Raises:
            InputError: there is no encoder.
        """
        from core.encode import Encoder

        return self.ready or not self._lacking(workspace, Encoder(ENCODER).identity)

    def make(self, workspace: Workspace, progress: Progress | None = None) -> None:
        """Index the names by their vectors; those that the workspace lacks are made and kept there.

        Args:
            progress: called with (vectors made, vectors to be made).

        Raises:
            InputError: there is no encoder.
            WorkspaceError: the vectors cannot be kept.
        """
        from core.encode import Encoder, NameIndex

        with self._lock:
            if self._index is not None:
                return
            vectors = _Vectors(workspace)
            encoder = Encoder(ENCODER, threads=1, cache=vectors)
            lacking = self._lacking(workspace, encoder.identity)
            for start in range(0, len(lacking), SLICE):
                if not threading.main_thread().is_alive():
                    return  # the program ends; what is made is kept
                encoder.encode(lacking[start : start + SLICE])
                if progress is not None:
                    progress(min(start + SLICE, len(lacking)), len(lacking))
            index = NameIndex.build(self._concepts(), encoder, word_class=family)
            vectors.close()
            self._index = index

    def begin(self, path: Path) -> None:
        """Do the same in a thread of its own, once; `problem` says what went wrong there."""
        if self._thread is None and not self.ready:
            self._thread = threading.Thread(target=self._work, args=(path,), name="vectors of names")
            self._thread.start()

    def _work(self, path: Path) -> None:
        try:
            with open_workspace(path, create=False) as workspace:
                self.make(workspace)
            self.nearest("the model is loaded by its first text", 1)
        except TouchstoneError as error:
            self.problem = str(error)

    def nearest(self, text: str, k: int) -> list[tuple[Curie, str]]:
        """Up to k (concept, its name or synonym) nearest to a text, best first; none before it is ready."""
        if self._index is None:
            return []
        with self._lock:  # the encoder sets the threads of the whole process
            return [(m.concept, m.name) for m in self._index.nearest([text], k)[0] if m.score >= LEAST]

    def _lacking(self, workspace: Workspace, model: str) -> list[str]:
        """Names without a vector, short ones first."""
        texts = sorted({" ".join(row.text.split()) for row in self._names.rows}, key=lambda t: (len(t), t))
        hashes = [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for text in texts]
        known = StoredVectors(workspace).known(model, hashes)
        return [text for text, known_as in zip(texts, hashes, strict=True) if known_as not in known]

    def _concepts(self) -> Iterator[Concept]:
        rows = sorted(self._names.rows, key=lambda row: (row.curie, row.scope != OWN))
        for curie, group in groupby(rows, key=lambda row: row.curie):
            own, *others = group
            yield Concept(curie, own.text, synonyms=tuple(Synonym(o.text, o.scope, o.type) for o in others))


class _Vectors:
    """The vectors of a workspace while names are indexed; afterwards none, so that what people type is not
    kept."""

    def __init__(self, workspace: Workspace):
        self._stored: StoredVectors | None = StoredVectors(workspace)

    def close(self) -> None:
        self._stored = None

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        return self._stored.get(model, hashes) if self._stored is not None else {}

    def put(self, model: str, vectors: Mapping[str, bytes]) -> None:
        if self._stored is not None:
            self._stored.put(model, vectors)
