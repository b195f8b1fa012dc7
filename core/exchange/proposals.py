"""Silver that any other tool made comes in: labels become proposals of a run of kind `imported`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.exchange.accepting import Progress, accepting, of_faults, rejected_lines
from core.formats import Reading, read_documents
from core.formats.alignment import words_of
from core.formats.rows import OffsetUnit
from core.formats.source import Source
from core.records import (
    STRONGEST_FIRST,
    Annotation,
    Assertion,
    ConceptClass,
    Curie,
    Document,
    Draft,
    Evidence,
    Origin,
)
from core.store import Workspace, corpora, ontologies, proposals, runs
from core.store.connect import sqlite3
from core.store.corpora import Corpus
from core.store.names import check_name
from core.store.ontologies import OntologyRow

STAGE = "imported"


@dataclass(frozen=True, slots=True)
class ProposalsReport:
    """What came in."""

    run: str
    corpus: str
    ontology: str | None
    documents: int
    """Documents that the file speaks of."""
    silent: int
    """Documents of the corpus that it does not speak of: the run proposes nothing there."""
    labels: int
    """Annotations read."""
    proposals: int
    """One for each document and concept."""
    ungrounded: int
    """Quotes that do not stand in their text; such proposals are queued first."""
    renamed: int
    """Labels whose concept is an alternative id: they speak of the concept that bears it now."""
    unknown: dict[Curie, int]
    """Concepts that the ontology does not hold, with the number of proposals. They are kept."""
    unclassified: int
    """Proposals whose source gives no class; they count as explicit."""
    rejected: tuple[str, ...]
    """The first faults in what was left out on request; the file holds all."""
    faults: int
    """How many there were."""
    rejects: str | None
    """File that holds what was left out."""
    digest: str
    notes: tuple[str, ...]

    def __str__(self) -> str:
        lines = [
            f"Added run {self.run}: {self.proposals} proposals from {self.labels} labels on {self.documents} "
            f"documents of {self.corpus}.",
            *self.notes,
        ]
        some = ", ".join(list(self.unknown)[:5])
        said = {
            "Documents of the corpus without a word in the file: the run proposes nothing there": self.silent,
            "Labels with an alternative id, now of the concept that bears it": self.renamed,
            "Proposals without a class in the source, counted as explicit": self.unclassified,
            f"Concepts that are not in {self.ontology}, such as {some}": len(self.unknown),
        }
        lines += [f"{what}: {count}." for what, count in said.items() if count]
        return "\n".join([*lines, *rejected_lines(self.faults, self.rejects, self.rejected)])


def add_proposals(
    workspace: Workspace,
    path: Path | str,
    *,
    run: str,
    source: str,
    corpus: str,
    ontology: str | None = None,
    format: str | None = None,
    skip_bad: bool = False,
    offsets: OffsetUnit = "code-points",
    progress: Progress | None = None,
) -> ProposalsReport:
    """Add the labels of a file to a corpus as proposals of a new run, in one write: all or nothing.

    Documents are found by doc_id, or by their text where the file has no ids. A text in the file must equal
    the corpus's, white space apart, and may be left out. The annotations of one concept in a document become
    one proposal with one piece of evidence each, with status, class, confidence and label of the strongest
    (`STRONGEST_FIRST`). A quote that is not in the text is kept, and counted.

    Args:
        run: id of the new run.
        source: what made the labels.
        ontology: `NAME` or `NAME@VERSION`; gives labels, maps alternative ids, tells unknown concepts.
        skip_bad: write bad labels, and documents of bad texts, to `<file>.rejects.jsonl` beside the file.

    Raises:
        InputError: the run exists, the file cannot be read, or a row is bad. Nothing was stored.
        NotFoundError: no such corpus or ontology.
        WorkspaceError: the workspace cannot be written. Nothing was stored.
    """
    check_name("run", run)
    path, file = Path(path), Source(path)
    place = corpora.corpus(workspace, corpus)
    passage_ids = corpora.passage_ids(workspace, corpus)
    known = ontologies.find_ontology(workspace, ontology) if ontology is not None else None
    merging = _Merging.into(workspace, known)
    found = read_documents(path, format, _reading(workspace, corpus, offsets, skip_bad))
    rejects = path.with_name(path.name + ".rejects.jsonl")
    with (
        workspace.write() as db,
        accepting(found, skip_bad=skip_bad, rejects=rejects, progress=progress) as intake,
    ):
        _begin(db, run, source, file, offsets, place, known)
        drafts = ((passage_ids[d.doc_id], merging.drafts(d)) for d in intake.documents)
        stored = proposals.add(db, run, drafts)
        digest = runs.finish_run(db, run)
    return ProposalsReport(
        run=run,
        corpus=corpus,
        ontology=known.reference if known else None,
        documents=intake.taken,
        silent=len(passage_ids) - intake.taken,
        proposals=stored,
        ungrounded=found.notes.ungrounded,
        **merging.counts(),
        **of_faults(intake.rejected, rejects),
        digest=digest,
        notes=tuple(found.notes.sentences()),
    )


def _reading(workspace: Workspace, corpus: str, offsets: OffsetUnit, skip_bad: bool) -> Reading:
    """How to read labels of known texts, the quotes of a machine as they are."""
    passage_ids = corpora.passage_ids(workspace, corpus)
    by_words: defaultdict[str, list[str]] = defaultdict(list)

    def text_of(doc_id: str) -> str | None:
        passage_id = passage_ids.get(doc_id)
        return None if passage_id is None else corpora.passage(workspace, passage_id).text

    def named(text: str) -> list[str]:
        if not by_words:
            for passage in corpora.passages(workspace, corpus):
                by_words[words_of(passage.text)].append(passage.doc_id)
        return by_words.get(words_of(text), [])

    return Reading(offsets=offsets, keep_ungrounded=True, texts=text_of, named=named, one_by_one=skip_bad)


def _begin(
    db: sqlite3.Connection,
    run: str,
    source: str,
    file: Source,
    offsets: OffsetUnit,
    corpus: Corpus,
    ontology: OntologyRow | None,
) -> None:
    settings = {
        "file": file.name,
        "sha256": file.sha256(),
        "source": source,
        "offsets": offsets,
        "corpus": [corpus.name, corpus.sha256],
        "ontology": [ontology.reference, ontology.sha256] if ontology else None,
    }
    runs.begin_run(
        db,
        run,
        kind="imported",
        source=source,
        corpus_id=corpus.id,
        ontology_id=ontology.id if ontology else None,
        settings=settings,
        fingerprint=runs.fingerprint(settings),
    )


@dataclass(slots=True)
class _Merging:
    """From annotations to one draft for each concept of a document."""

    labels: dict[Curie, str] | None
    """Names of the ontology's concepts; None without an ontology."""
    renamed_to: dict[Curie, Curie]
    read: int = 0
    renamed: int = 0
    unclassified: int = 0
    unknown: Counter[Curie] = field(default_factory=Counter)

    @classmethod
    def into(cls, workspace: Workspace, ontology: OntologyRow | None) -> _Merging:
        if ontology is None:
            return cls(None, {})
        return cls(ontologies.labels(workspace, ontology.id), ontologies.alt_id_map(workspace, ontology.id))

    def counts(self) -> dict[str, Any]:
        """Fields of the report."""
        return {
            "labels": self.read,
            "renamed": self.renamed,
            "unknown": dict(self.unknown.most_common()),
            "unclassified": self.unclassified,
        }

    def drafts(self, document: Document) -> list[Draft]:
        by_concept: dict[Curie, list[Annotation]] = {}
        for annotation in document.annotations:
            self.read += 1
            concept = annotation.concept
            if self.labels is not None and concept not in self.labels and concept in self.renamed_to:
                concept = self.renamed_to[concept]
                self.renamed += 1
            by_concept.setdefault(concept, []).append(annotation)
        return [self._draft(concept, group) for concept, group in by_concept.items()]

    def _draft(self, concept: Curie, group: list[Annotation]) -> Draft:
        if self.labels is not None and concept not in self.labels:
            self.unknown[concept] += 1
        assertion = min((a.assertion for a in group), key=STRONGEST_FIRST.index)
        strongest = [a for a in group if a.assertion is assertion]
        concept_class = next((a.concept_class for a in strongest if a.concept_class), None)
        self.unclassified += concept_class is None
        said = next((a.label for a in group if a.label), None)
        name = (self.labels or {}).get(concept, said) or concept
        reasons = dict.fromkeys(a.reason for a in group if a.reason)
        if said is not None and said.casefold() != name.casefold():
            reasons[f"Called {said!r} in the source."] = None  # the curator judges the concept, not the name
        return Draft(
            concept=concept,
            label=name,
            assertion=assertion,
            concept_class=concept_class or ConceptClass.EXPLICIT,
            confidence=max((a.confidence for a in strongest if a.confidence is not None), default=None),
            reason="; ".join(reason for reason in reasons if reason),
            evidence=tuple(dict.fromkeys(_evidence(group, assertion))),
            stage=STAGE,
            origin=Origin.MODEL,
        )


def _evidence(group: Iterable[Annotation], assertion: Assertion) -> Iterator[Evidence]:
    for a in group:
        own = a.assertion if a.assertion is not assertion else None
        if a.span is not None:
            yield Evidence(a.span.quote, a.span.start, a.span.end, True, own)
        elif a.ungrounded is not None:
            yield Evidence(a.ungrounded.quote, a.ungrounded.start, a.ungrounded.end, False, own)
