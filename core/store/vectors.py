"""The cache of text vectors: by model identity and sha256 of the text. It may be emptied at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.store.rows import chunks, in_chunks
from core.store.workspace import Workspace

ROWS = 2_000
"""Vectors written in one transaction (about 3 MB), so that nobody who saves a decision waits long."""


class StoredVectors:
    """The cache of one workspace as an encoder wants it (`core.encode.VectorCache`)."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there, little-endian float32, by text hash; any number of hashes."""
        sql = "SELECT text_sha256, vector FROM vectors WHERE text_sha256 IN (?*) AND model = ?"
        return dict(in_chunks(self._workspace.db, sql, hashes, model))

    def known(self, model: str, hashes: Sequence[str]) -> set[str]:
        """Which of the texts have a vector, by hash; any number of hashes."""
        sql = "SELECT text_sha256 FROM vectors WHERE text_sha256 IN (?*) AND model = ?"
        return {row[0] for row in in_chunks(self._workspace.db, sql, hashes, model)}

    def put(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors by text hash, in place of those that are there. Leaves `revision` alone, as nothing
        that is shown depends on them. Does nothing where the workspace is open to look at only: the vectors
        are made again next time.

        Raises:
            WorkspaceError: as `Workspace.write`.
        """
        if self._workspace.read_only:
            return
        for chunk in chunks(vectors.items(), ROWS):
            with self._workspace.write(bump=False) as db:
                db.executemany(
                    "INSERT INTO vectors (model, text_sha256, vector) VALUES (?, ?, ?)"
                    " ON CONFLICT (model, text_sha256) DO UPDATE SET vector = excluded.vector",
                    ((model, text, vector) for text, vector in chunk),
                )
