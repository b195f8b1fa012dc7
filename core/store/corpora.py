"""Corpora, texts, passages and imported gold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from core.errors import NotFoundError
from core.records import Annotation, Assertion, ConceptClass, Curie, Document, Passage, Span
from core.store.connect import sqlite3
from core.store.digest import digest_of
from core.store.names import check_name
from core.store.rows import chunks, column, in_chunks, mapping
from core.store.workspace import Workspace, now

CHUNK = 1000
OWN_TEXTS = "own texts"
"""Domain of corpora that hold one text each, which somebody tried and kept."""


class Corpus(NamedTuple):
    id: int
    name: str
    domain: str | None
    confidential: bool
    source: str | None
    sha256: str | None
    meta: dict[str, Any]
    passages: int


class AnnotationSet(NamedTuple):
    id: int
    name: str
    version: str
    corpus: str
    exhaustive: bool
    sha256: str
    meta: dict[str, Any]

    @property
    def reference(self) -> str:
        """`NAME@VERSION`, the way references to gold name it."""
        return f"{self.name}@{self.version}"


def text_digest(text: str) -> str:
    """sha256 of the text's UTF-8 form, hex: the frame that every offset names."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def create_corpus(
    db: sqlite3.Connection,
    name: str,
    *,
    domain: str | None = None,
    confidential: bool = False,
    source: str | None = None,
    sha256: str | None = None,
    meta: dict[str, Any] | None = None,
) -> int:
    """Add an empty corpus and return its id. The caller has checked that the name is free.

    Raises:
        InputError: nothing can be called so.
    """
    check_name("corpus", name)
    cursor = db.execute(
        "INSERT INTO corpora (name, domain, confidential, source, sha256, meta, added_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (name, domain, int(confidential), source, sha256, json.dumps(meta or {}), now()),
    )
    return int(cursor.lastrowid or 0)


def insert_passages(
    db: sqlite3.Connection, corpus_id: int, documents: Iterable[Document]
) -> Iterator[tuple[int, Document]]:
    """Store documents in chunks as they come; yields (passage id, document) in order.

    Texts are content-addressed: the same text in two corpora is one frame.

    Raises:
        sqlite3.IntegrityError: a doc_id occurs twice in the corpus.
    """
    for chunk in chunks(documents, CHUNK):
        digests = [text_digest(d.text) for d in chunk]
        db.executemany(
            "INSERT INTO texts (sha256, body) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING",
            [(digest, d.text) for digest, d in zip(digests, chunk, strict=True)],
        )
        first = db.execute("SELECT ifnull(max(id), 0) + 1 FROM passages").fetchone()[0]
        db.executemany(
            "INSERT INTO passages (id, corpus_id, doc_id, article, text_id, title, meta)"
            " VALUES (?, ?, ?, ?, (SELECT id FROM texts WHERE sha256 = ?), ?, ?)",
            [
                (first + i, corpus_id, d.doc_id, d.article or d.doc_id, digest, d.title, json.dumps(d.meta))
                for i, (digest, d) in enumerate(zip(digests, chunk, strict=True))
            ],
        )
        db.execute(
            "INSERT INTO titles_fts (rowid, title) SELECT id, title FROM titled WHERE id >= ?", (first,)
        )
        yield from ((first + i, d) for i, d in enumerate(chunk))


def add_annotation_set(
    db: sqlite3.Connection,
    name: str,
    version: str,
    corpus_id: int,
    annotations: Iterable[tuple[int, Annotation]],
    *,
    exhaustive: bool,
    sha256: str,
    meta: dict[str, Any] | None = None,
) -> int:
    """Store imported gold, immutable from then on: (passage id, annotation) pairs. Returns the set's id.

    Raises:
        InputError: nothing can be called so.
    """
    check_name("gold set", name)
    set_id = int(db.execute("SELECT ifnull(max(id), 0) + 1 FROM annotation_sets").fetchone()[0])
    db.execute("PRAGMA defer_foreign_keys = ON")  # the set's own row comes last, with the digest of the rest
    db.executemany(
        "INSERT INTO annotations (set_id, passage_id, concept, label, assertion, start, end, quote,"
        " class, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                set_id,
                passage_id,
                a.concept,
                a.label,
                a.assertion.value,
                a.span.start if a.span else None,
                a.span.end if a.span else None,
                a.span.quote if a.span else None,
                a.concept_class.value if a.concept_class else None,
                a.reason,
            )
            for passage_id, a in annotations
        ),
    )
    db.execute(
        "INSERT INTO annotation_sets (id, name, version, corpus_id, exhaustive, sha256, digest, meta,"
        " added_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            set_id,
            name,
            version,
            corpus_id,
            int(exhaustive),
            sha256,
            annotations_digest(db, set_id),
            json.dumps(meta or {}),
            now(),
        ),
    )
    return set_id


def annotations_digest(db: sqlite3.Connection, set_id: int) -> str:
    """sha256, hex, over the annotations of an imported set, in stored order and with natural identities."""
    return digest_of(
        db.execute(
            "SELECT a.id, p.doc_id, t.sha256, a.concept, a.label, a.assertion, a.start, a.end, a.quote,"
            " a.class, a.reason FROM annotations a JOIN passages p ON p.id = a.passage_id JOIN texts t"
            " ON t.id = p.text_id"
            " WHERE a.set_id = ? ORDER BY a.id",
            (set_id,),
        )
    )


def content_digest(workspace: Workspace, corpus_id: int) -> str:
    """sha256, hex, over all passages of a corpus in the order they were added: ids, texts, titles, fields."""
    return digest_of(
        workspace.db.execute(
            "SELECT p.doc_id, p.article, t.sha256, p.title, p.meta FROM passages p JOIN texts t"
            " ON t.id = p.text_id WHERE p.corpus_id = ? ORDER BY p.id",
            (corpus_id,),
        )
    )


_CORPUS = (
    "SELECT id, name, domain, confidential, source, sha256, meta,"
    " (SELECT count(*) FROM passages WHERE corpus_id = corpora.id) FROM corpora"
)


def _corpus(row: sqlite3.Row) -> Corpus:
    return Corpus(row[0], row[1], row[2], bool(row[3]), row[4], row[5], json.loads(row[6]), row[7])


def list_corpora(workspace: Workspace) -> list[Corpus]:
    return [_corpus(row) for row in workspace.db.execute(f"{_CORPUS} ORDER BY name")]


def corpus(workspace: Workspace, name: str) -> Corpus:
    """Raises NotFoundError, which lists the known corpora."""
    row = workspace.db.execute(f"{_CORPUS} WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise NotFoundError("corpus", name, [c.name for c in list_corpora(workspace)])
    return _corpus(row)


_LOCKED = (
    " FROM corpora marked CROSS JOIN passages twin ON twin.corpus_id = marked.id"
    " CROSS JOIN passages p ON p.text_id = twin.text_id"
    " JOIN corpora c ON c.id = p.corpus_id WHERE marked.confidential = 1"
)
"""Passages p, of corpora c, whose texts a corpus marks as confidential. The mark is the text's, by its
sha256: it stays locked in every corpus that holds it, whichever was added first."""


def confidential(workspace: Workspace, corpus_name: str) -> bool:
    """Whether a corpus holds a text that must not leave this machine."""
    marked = "SELECT 1 FROM corpora WHERE name = ? AND confidential = 1"
    held = f"SELECT 1{_LOCKED} AND c.name = ?"
    found = workspace.db.execute(f"SELECT EXISTS ({marked}) OR EXISTS ({held})", (corpus_name, corpus_name))
    return bool(found.fetchone()[0])


def locked_passages(workspace: Workspace, corpus_id: int) -> list[tuple[str, str]]:
    """Passages of a corpus whose texts must not leave this machine: (doc_id, a corpus that marks its text),
    in the order they were added."""
    rows = workspace.db.execute(
        f"SELECT p.doc_id, min(marked.name){_LOCKED} AND c.id = ? GROUP BY p.id ORDER BY p.id", (corpus_id,)
    )
    return [(row[0], row[1]) for row in rows]


def locked_within(workspace: Workspace, text: str) -> list[tuple[str, str]]:
    """Passages whose texts must not leave this machine and stand, letter by letter, in `text`: (doc_id,
    corpus), in the order they were added."""
    rows = workspace.db.execute(
        "SELECT p.doc_id, c.name FROM passages p JOIN texts t ON t.id = p.text_id JOIN corpora c ON"
        " c.id = p.corpus_id WHERE c.confidential = 1 AND trim(t.body) <> '' AND instr(?, t.body) > 0"
        " ORDER BY p.id",
        (text,),
    )
    return [(row[0], row[1]) for row in rows]


_PASSAGE = (
    "SELECT p.id, c.name, p.doc_id, p.text_id, t.body, p.title, p.meta, nullif(p.article, p.doc_id)"
    " FROM passages p"
    " JOIN corpora c ON c.id = p.corpus_id JOIN texts t ON t.id = p.text_id"
)


def _passage(row: sqlite3.Row) -> Passage:
    return Passage(row[0], row[1], row[2], row[3], row[4], row[5], json.loads(row[6]), row[7])


def passages(workspace: Workspace, corpus_name: str) -> Iterator[Passage]:
    """All passages of a corpus in the order they were added, streamed.

    Read in pages, with no statement left open in between: a caller may write while it reads. An open one
    would hold an old snapshot, and SQLite refuses a write on that at once as "locked". The plus keeps the
    scan on the primary key: pages then cost one pass in all, with no sorting.
    """
    corpus_id, last = corpus(workspace, corpus_name).id, 0
    while page := workspace.db.execute(
        f"{_PASSAGE} WHERE +p.corpus_id = ? AND p.id > ? ORDER BY p.id LIMIT ?", (corpus_id, last, CHUNK)
    ).fetchall():
        yield from map(_passage, page)
        last = page[-1][0]


def passage(workspace: Workspace, passage_id: int) -> Passage:
    row = workspace.db.execute(f"{_PASSAGE} WHERE p.id = ?", (passage_id,)).fetchone()
    if row is None:
        raise NotFoundError("passage", passage_id)
    return _passage(row)


def own_text(workspace: Workspace, text: str) -> str | None:
    """Name of the corpus that was made of this very text; None: there is none."""
    row = workspace.db.execute(
        "SELECT c.name FROM texts t JOIN passages p ON p.text_id = t.id JOIN corpora c ON c.id = p.corpus_id"
        " WHERE t.sha256 = ? AND c.domain = ? ORDER BY c.id",
        (text_digest(text), OWN_TEXTS),
    ).fetchone()
    return str(row[0]) if row else None


def passages_by_id(workspace: Workspace, ids: Iterable[int]) -> dict[int, Passage]:
    """Passages by their rows; unknown ones are left out."""
    return {row[0]: _passage(row) for row in in_chunks(workspace.db, f"{_PASSAGE} WHERE p.id IN (?*)", ids)}


def passage_ids(workspace: Workspace, corpus_name: str) -> dict[str, int]:
    """doc_id -> passage id of a corpus."""
    return mapping(
        workspace.db,
        "SELECT doc_id, id FROM passages WHERE corpus_id = ?",
        (corpus(workspace, corpus_name).id,),
    )


def doc_ids_of(workspace: Workspace, corpus_id: int, texts: Iterable[str]) -> list[str]:
    """Documents of a corpus whose text has one of these sha256."""
    return column(
        workspace.db,
        "SELECT p.doc_id FROM json_each(?2) j CROSS JOIN texts t ON t.sha256 = j.value"
        " CROSS JOIN passages p ON p.text_id = t.id AND p.corpus_id = ?1",
        (corpus_id, json.dumps(sorted(texts))),
    )


def decided_in(workspace: Workspace, corpus_name: str) -> dict[int, str]:
    """Passage id -> doc_id of those passages of a corpus in which somebody has decided something.

    Raises:
        NotFoundError: no such corpus.
    """
    return mapping(
        workspace.db,
        "SELECT DISTINCT p.id, p.doc_id FROM decisions d CROSS JOIN items i ON i.id = d.item_id"
        " CROSS JOIN passages p ON p.id = i.passage_id AND p.corpus_id = ?",
        (corpus(workspace, corpus_name).id,),
    )


def list_annotation_sets(workspace: Workspace, corpus_name: str | None = None) -> list[AnnotationSet]:
    rows = workspace.db.execute(
        "SELECT s.id, s.name, s.version, c.name, s.exhaustive, s.sha256, s.meta"
        " FROM annotation_sets s JOIN corpora c ON c.id = s.corpus_id"
        " WHERE ? IS NULL OR c.name = ? ORDER BY s.name, s.id",
        (corpus_name, corpus_name),
    )
    return [AnnotationSet(r[0], r[1], r[2], r[3], bool(r[4]), r[5], json.loads(r[6])) for r in rows]


def annotations_in(workspace: Workspace, set_id: int) -> int:
    """How many annotations an imported set holds."""
    row = workspace.db.execute("SELECT count(*) FROM annotations WHERE set_id = ?", (set_id,)).fetchone()
    return int(row[0])


def imported_annotations(workspace: Workspace, set_id: int) -> Iterator[tuple[int, str, Annotation]]:
    """(passage id, doc_id, annotation) of an imported set, in stored order."""
    rows = workspace.db.execute(
        "SELECT a.passage_id, p.doc_id, a.concept, a.label, a.assertion, a.start, a.end, a.quote, a.class,"
        " a.reason FROM annotations a JOIN passages p ON p.id = a.passage_id WHERE a.set_id = ?"
        " ORDER BY a.passage_id, a.id",
        (set_id,),
    )
    for passage_id, doc_id, concept, label, assertion, start, end, quote, of_class, reason in rows:
        span = Span(start, end, quote) if start is not None else None
        chosen = ConceptClass(of_class) if of_class else None
        yield (
            passage_id,
            doc_id,
            Annotation(concept, label, Assertion(assertion), span, chosen, reason=reason),
        )


def imported_statuses(workspace: Workspace, set_id: int) -> Iterator[tuple[str, Curie, Assertion]]:
    """(doc_id, concept, assertion) of every annotation of an imported set, without its place."""
    statuses = {status.value: status for status in Assertion}
    rows = workspace.db.execute(
        "SELECT p.doc_id, a.concept, a.assertion FROM annotations a JOIN passages p ON p.id = a.passage_id"
        " WHERE a.set_id = ?",
        (set_id,),
    )
    return ((doc_id, concept, statuses[assertion]) for doc_id, concept, assertion in rows)
