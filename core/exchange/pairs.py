"""Claim pairs that any other tool labelled, or that Touchstone exported, come in as a run to review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.conflicts.articles import article_of
from core.errors import InputError
from core.exchange.accepting import EVERY, Progress, of_faults, rejected_lines, write_rejects
from core.exchange.pair_frames import SIDES, Built, Frame, build
from core.exchange.pair_storing import Stored, merged, store
from core.formats import BadRows, Notes, RowError
from core.formats.pairs import PairRow, numbered_pairs
from core.formats.rows import FieldFault, shown
from core.formats.source import Source
from core.records import Article, Document
from core.store import Workspace, corpora, pair_imports, runs
from core.store.connect import sqlite3
from core.store.names import check_name

KIND = "conflicts"


@dataclass(frozen=True, slots=True)
class PairsReport:
    """What came in."""

    run: str
    corpus: str
    articles: int
    """Articles that the file speaks of."""
    added: int
    """Of these, added to the corpus, which was new."""
    claims: int
    pairs: int
    labels: dict[str, int]
    """Label origin as in the file -> labels."""
    repaired: int
    """Labels that did not fit the schema and were made to fit; queued first."""
    merged: int
    """Surplus rows of pairs that the file holds more than once."""
    ungrounded: int
    """Quotes that do not stand in their text."""
    rejected: tuple[str, ...]
    """The first faults in what was left out on request; the file holds all."""
    faults: int
    rejects: str | None
    digest: str
    notes: tuple[str, ...]

    def __str__(self) -> str:
        new = f" ({self.added} of them new)" if self.added else ""
        by = ", ".join(f"{n} by {origin}" for origin, n in sorted(self.labels.items()))
        lines = [
            f"Added run {self.run}: {self.pairs} pairs of {self.claims} claims of {self.articles} articles "
            f"of {self.corpus}{new}; labels {by or 'none'}.",
            *self.notes,
        ]
        said = {
            "Labels that did not fit the schema, made to fit and queued first": self.repaired,
            "Rows of a pair that the file holds already, merged": self.merged,
        }
        lines += [f"{what}: {count}." for what, count in said.items() if count]
        return "\n".join([*lines, *rejected_lines(self.faults, self.rejects, self.rejected)])


def add_pairs(
    workspace: Workspace,
    path: Path | str,
    *,
    run: str,
    source: str,
    corpus: str,
    skip_bad: bool = False,
    progress: Progress | None = None,
) -> PairsReport:
    """Add the claim pairs of a file as a run of kind `conflicts`, in one write: all or nothing.

    Articles are found by their uid; where the corpus does not exist it is made of the abstracts in the file.
    An abstract in the file must be the article's, original or normalised. Claims are found by their offsets,
    else by their words. Rows of one pair become one label each of a machine and of a heuristic; of several of
    one kind the more confident stays. Labels of machines that do not fit the schema are made to fit.

    Args:
        run: id of the new run.
        source: what made the labels.
        skip_bad: write bad rows to `<file>.rejects.jsonl` beside the file, instead of refusing it.

    Raises:
        InputError: the run exists, the file cannot be read, a row is bad, an article is not in the corpus.
            Nothing was stored.
        WorkspaceError: the workspace cannot be written. Nothing was stored.
    """
    path = Path(path)
    check_name("run", run)
    known = {found.name: found for found in corpora.list_corpora(workspace)}.get(corpus)
    if known is None:
        check_name("corpus", corpus)
    file = Source(path)
    notes, bad = Notes(), BadRows()
    reading = _Reading(file, bad)
    rows = list(reading.rows(numbered_pairs(path, notes, mend=True), progress))
    if not skip_bad:
        bad.refuse()
    with workspace.write() as db:
        corpus_id, added = (known.id, 0) if known else _new_corpus(db, corpus, file, rows)
        frames, articles = _frames(workspace, corpus, known.domain if known else None, rows)
        built = list(_built(rows, frames, articles, reading))
        reading.check(built, skip_bad)
        kept, surplus = merged(built)
        _begin(db, run, source, file, corpus_id, [corpus, known.sha256 if known else None])
        counts = store(workspace, db, run, kept, frames)
        digest = runs.finish_run(db, run)
        rejects = path.with_name(path.name + ".rejects.jsonl")
        if bad.count:
            write_rejects(rejects, reading.errors)
    return PairsReport(
        run=run,
        corpus=corpus,
        added=added,
        merged=surplus,
        digest=digest,
        **_counted(kept, counts, notes),
        **of_faults(bad, rejects),
    )


def _counted(kept: list[Built], counts: Stored, notes: Notes) -> dict[str, Any]:
    """Fields of the report: what the stored rows hold."""
    return {
        "articles": len({c.article_uid for one in kept for c in (one.pair.a, one.pair.b)}),
        "claims": counts.claims,
        "pairs": counts.pairs,
        "labels": dict(Counter(one.row.label_origin for one in kept)),
        "repaired": sum(one.label.repaired for one in kept),
        "ungrounded": notes.ungrounded,
        "notes": tuple(notes.sentences()),
    }


def _begin(
    db: sqlite3.Connection, run: str, source: str, file: Source, corpus_id: int, corpus: list[str | None]
) -> None:
    """Open the run; `corpus` is its name and the sha256 of its file, None where the pairs made it."""
    settings = {
        "imported": True,
        "file": file.name,
        "sha256": file.sha256(),
        "source": source,
        "corpus": corpus,
    }
    runs.begin_run(
        db,
        run,
        kind=KIND,
        source=source,
        corpus_id=corpus_id,
        ontology_id=None,
        settings=settings,
        fingerprint=runs.fingerprint(settings),
    )


Rows = list[tuple[int | None, PairRow]]
"""With the line each starts on."""


@dataclass(slots=True)
class _Reading:
    """Rows on their way in, and the faults so far."""

    file: Source
    bad: BadRows
    errors: list[RowError] = field(default_factory=list)

    def check(self, built: list[Built], skip_bad: bool) -> None:
        """Refuse a file with faults that are not to be left out, or with nothing else."""
        if not skip_bad:
            self.bad.refuse()
        if not built:
            self.bad.refuse("No pair is left. Correct the file and read it again.")
            raise InputError(f"{self.file.name} holds no claim pairs.")

    def rows(
        self, found: Iterator[tuple[int | None, PairRow | RowError]], progress: Progress | None
    ) -> Iterator[tuple[int | None, PairRow]]:
        """The good ones."""
        number = 0
        for number, (line, row) in enumerate(found, 1):
            if isinstance(row, RowError):
                self.refuse(row)
            else:
                yield line, row
            if progress is not None and number % EVERY == 0:
                progress(number)
        if progress is not None:
            progress(number)

    def refuse(self, error: RowError) -> None:
        self.bad.add(error)
        self.errors.append(error)


def _new_corpus(db: sqlite3.Connection, name: str, file: Source, rows: Rows) -> tuple[int, int]:
    """A corpus of the abstracts in the file, each as it is given first; returns its id and their number."""
    corpus_id = corpora.create_corpus(db, name, source=file.name, sha256=file.sha256())
    documents: dict[str, Document] = {}
    for _, row in rows:
        for side in SIDES:
            uid = getattr(row, f"claim_{side}_article_uid")
            if getattr(row, f"abstract_{side}") is not None and uid not in documents:
                documents[uid] = _document(row, side, uid)
    for _ in corpora.insert_passages(db, corpus_id, documents.values()):
        pass
    return corpus_id, len(documents)


def _document(row: PairRow, side: str, uid: str) -> Document:
    meta: dict[str, Any] = {
        "domain": row.domain,
        "year": getattr(row, f"pub_year_{side}"),
        "license": getattr(row, f"licence_{side}"),
        **{name: getattr(row, f"{name}_{side}") for name in ("journal", "doi", "pmid")},
    }
    return Document(
        doc_id=uid,
        text=getattr(row, f"abstract_{side}"),
        title=getattr(row, f"title_{side}"),
        meta={name: value for name, value in meta.items() if value is not None},
    )


def _frames(
    workspace: Workspace, corpus: str, domain: str | None, rows: Rows
) -> tuple[dict[str, Frame], dict[str, Article]]:
    """Article uid -> frame, and the article of the corpus; of several passages of one article the first."""
    wanted = sorted({uid for _, r in rows for uid in (r.claim_a_article_uid, r.claim_b_article_uid)})
    frames: dict[str, Frame] = {}
    articles: dict[str, Article] = {}
    for uid, found in pair_imports.passages_of_articles(workspace, corpus, wanted).items():
        passage = corpora.passage(workspace, found[0])
        frames[uid] = Frame.of(passage, domain)
        articles[uid] = article_of(passage, domain)
    return frames, articles


def _built(
    rows: Rows, frames: dict[str, Frame], articles: dict[str, Article], reading: _Reading
) -> Iterator[Built]:
    for line, row in rows:
        try:
            for side in SIDES:
                uid = getattr(row, f"claim_{side}_article_uid")
                if uid not in frames:
                    cause = f"there is no article {shown(uid)} in the corpus"
                    raise FieldFault(f"claim_{side}_article_uid", cause)
            yield build(row, frames, articles)
        except FieldFault as fault:
            reading.refuse(RowError(reading.file.name, line, None, fault.field, fault.cause, row.value()))
