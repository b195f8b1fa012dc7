"""A corpus comes in: texts become passages, the annotations they carry become imported gold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.exchange.accepting import Intake, Progress, accepting, of_faults, rejected_lines
from core.formats import Reading, read_documents
from core.formats.rows import DocumentSet, OffsetUnit
from core.formats.source import Source
from core.records import Annotation, Document
from core.store import Workspace, corpora
from core.store.names import check_name


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """What came in."""

    corpus: str
    documents: int
    annotations: int
    """Annotations taken as gold."""
    gold: str | None
    """Reference of the imported gold; None where the file has none."""
    exhaustive: bool
    """Whether the file says that what is not annotated is not there."""
    without_abstract: tuple[str, ...]
    """Names of the records of articles that have no abstract, and were left out."""
    machine_labels: int
    """Labels with a run or a confidence, which are not gold and were left out."""
    rejected: tuple[str, ...]
    """The first faults in what was left out on request; the file holds all."""
    faults: int
    """How many there were."""
    rejects: str | None
    """File that holds what was left out."""
    sha256: str
    notes: tuple[str, ...]

    def __str__(self) -> str:
        gold = f"{self.annotations} annotations as {self.gold}" if self.gold else "no gold"
        lines = [f"Added corpus {self.corpus}: {self.documents} documents, {gold}.", *self.notes]
        return "\n".join([*lines, *rejected_lines(self.faults, self.rejects, self.rejected)])


def add_corpus(
    workspace: Workspace,
    path: Path | str,
    *,
    name: str,
    format: str | None = None,
    domain: str | None = None,
    skip_bad: bool = False,
    confidential: bool = False,
    rejects: Path | None = None,
    offsets: OffsetUnit = "code-points",
    progress: Progress | None = None,
) -> CorpusReport:
    """Add the documents or articles of a file as a new corpus, in one write: all of them or nothing. Texts
    stream; gold is held in memory until they are in.

    Annotations become imported gold `imported:NAME@VERSION`; the version is the metadata's, or the start of
    the file's sha256. Labels that say that a machine made them (`run`, `confidence`) are no gold: they are
    counted, and come in with `add_proposals`.

    Args:
        skip_bad: leave bad documents out, whole, instead of refusing the file.
        rejects: where bad rows are written then; `<file>.rejects.jsonl` beside the input if None.
        offsets: what the file's offsets count.

    Raises:
        InputError: the name is taken or unusable, the file cannot be read, or a row is bad. Nothing was
            stored.
        WorkspaceError: the workspace cannot be written. Nothing was stored.
    """
    path = Path(path)
    check_name("corpus", name)
    source = Source(path)
    sha256 = source.sha256()
    found = read_documents(path, format, Reading(offsets=offsets))
    rejects = rejects or path.with_name(path.name + ".rejects.jsonl")
    version = found.metadata.version or sha256[:12]
    exhaustive = bool(found.metadata.is_exhaustively_annotated)
    of_file: dict[str, Any] = {"sha256": sha256, "meta": found.metadata.value()}
    counts = _Counts()
    with (
        workspace.write() as db,
        accepting(found, skip_bad=skip_bad, rejects=rejects, progress=progress) as intake,
    ):
        if any(known.name == name for known in corpora.list_corpora(workspace)):
            raise InputError(f"There is a corpus {name!r} already. Choose another name with --name.")
        corpus_id = corpora.create_corpus(
            db, name, domain=domain, confidential=confidential, source=source.name, **of_file
        )
        # held until all texts are in, so that texts and gold each go in as one bulk insert
        labels = list(_gold(corpora.insert_passages(db, corpus_id, intake.documents), counts))
        has_gold = bool(labels) or exhaustive
        if has_gold:
            corpora.add_annotation_set(db, name, version, corpus_id, labels, exhaustive=exhaustive, **of_file)
    gold = f"imported:{name}@{version}" if has_gold else None
    return _report(name, gold, sha256, found, intake, counts, rejects)


def _report(
    name: str,
    gold: str | None,
    sha256: str,
    found: DocumentSet,
    intake: Intake,
    counts: _Counts,
    rejects: Path,
) -> CorpusReport:
    return CorpusReport(
        corpus=name,
        documents=intake.taken,
        annotations=counts.gold,
        gold=gold,
        exhaustive=bool(found.metadata.is_exhaustively_annotated),
        without_abstract=tuple(found.notes.without_abstract),
        machine_labels=counts.machine,
        **of_faults(intake.rejected, rejects),
        sha256=sha256,
        notes=(*found.notes.sentences(), *counts.sentences()),
    )


@dataclass(slots=True)
class _Counts:
    gold: int = 0
    machine: int = 0

    def sentences(self) -> list[str]:
        what = "Labels of a machine (with run or confidence), to be added with `proposals add`"
        return [f"{what}: {self.machine}."] if self.machine else []


def _gold(stored: Iterator[tuple[int, Document]], counts: _Counts) -> Iterator[tuple[int, Annotation]]:
    for passage_id, document in stored:
        for annotation in document.annotations:
            if annotation.run is not None or annotation.confidence is not None:
                counts.machine += 1
                continue
            counts.gold += 1
            yield passage_id, annotation
