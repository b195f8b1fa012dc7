"""Learn from gold or decisions, and use what was learned: a set with a name and versions, never changed.

    learn(workspace, gold="reviewed@now:agreed", ontology="hp", name="cases")
    annotate(workspace, corpus="rest", ontology="hp", learned="cases")

What people answered blind, as units of a frame, never teaches: an estimate that rests on those answers must
not come from a run that has seen them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.concepts.learned import Lesson, Named, check, gain, teach
from core.concepts.learned.checking import f1
from core.concepts.learned.counts import is_silenced
from core.concepts.lexicon import Lexicon
from core.errors import InputError
from core.pipeline.prepare import root_of
from core.records import JUDGEMENTS, PRESENT, Answer, Assertion, ConceptClass, Curie, GoldSet, ItemKind
from core.records.learned import Gain, Head, Known, LearnedSet
from core.store import blind, corpora, decisions, gold, learned, mentions, ontologies
from core.store.names import check_name
from core.store.workspace import Workspace


@dataclass(frozen=True)
class LearnReport:
    """What was learned, for whoever asked for it."""

    learned: str
    """`NAME@VERSION`"""
    gold: str
    corpus: str
    documents: int
    blind: int
    """Documents, and answers in others, that were left out because they are answered blind."""
    names: int
    """That join the dictionary."""
    silenced: int
    """Words of the dictionary that were wrong so often that they say nothing any more."""
    head: Head | None
    """None: too little to learn from, or it brought nothing on held-out documents."""
    gain: Gain


def learn(
    workspace: Workspace,
    *,
    gold: str,
    ontology: str,
    name: str,
    corpus: str | None = None,
    root: Curie | None = None,
    announce: Callable[[str], None] | None = None,
) -> LearnReport:
    """Learn names and a keep/drop head from gold, measure what they bring on held-out documents, store them.

    Args:
        gold: a gold reference (`core.store.gold`).
        ontology: `NAME` or `NAME@VERSION`.
        corpus: whose decisions; default the only one in which somebody has decided.
        root: only concepts below this one; default the ontology's own root.
        announce: told what is being done.

    Raises:
        InputError: nothing can be learned from this gold, or the name cannot be used.
        NotFoundError: no such gold, corpus, ontology or root.
    """
    check_name("learned set", name)
    row = ontologies.find_ontology(workspace, ontology)
    root = root_of(workspace, row, root)
    chosen = _corpus(workspace, gold, corpus)
    tell = announce or (lambda _: None)
    tell("Reading the ontology")
    stored = ontologies.read_ontology(workspace, row.name, row.version)
    lexicon = Lexicon.build(stored.concepts, root=root)
    read = _Gold(workspace, gold, chosen, ontologies.alt_id_map(workspace, row.id), lexicon)
    lessons = read.lessons()
    if not lessons:
        raise InputError(
            f"{read.standard.reference} tells nothing about a concept of {row.reference} in corpus {chosen!r}"
            " that could be learned from. Review some labels first, or name other gold."
        )
    tell(f"Learning from {len(lessons)} documents")
    known, head, measured = _learned(lexicon, lessons, tell)
    made = LearnedSet(
        ontology=row.reference,
        ontology_sha256=row.sha256,
        root=root,
        gold=read.standard.reference,
        corpus=chosen,
        documents=tuple(sorted(corpora.text_digest(lesson.text) for lesson in lessons)),
        known=known,
        head=head,
        gain=measured,
    )
    with workspace.write() as db:
        kept = learned.add(db, name, made)
    return _report(kept.reference, made, read.blind)


def _report(reference: str, made: LearnedSet, blind: int) -> LearnReport:
    return LearnReport(
        learned=reference,
        gold=made.gold,
        corpus=made.corpus,
        documents=len(made.documents),
        blind=blind,
        names=sum(one.name is not None for one in made.known),
        silenced=sum(map(is_silenced, made.known)),
        head=made.head,
        gain=made.gain,
    )


def _learned(
    lexicon: Lexicon, lessons: Sequence[Lesson], tell: Callable[[str], None]
) -> tuple[tuple[Known, ...], Head | None, Gain]:
    """Names, the head if it brings something on held-out documents, and what both bring there."""
    known, head = teach(lexicon, lessons)
    tell("Measuring on documents that are held out")
    checked = check(lexicon, lessons)
    if (f1(checked.head) or 0.0) <= (f1(checked.names) or 0.0):
        head = None
    return known, head, gain(checked, head=head is not None)


def _corpus(workspace: Workspace, reference: str, corpus: str | None) -> str:
    """The corpus that gold is about."""
    if not reference.startswith("reviewed@"):
        return gold.imported_set(workspace, reference, corpus).corpus
    if corpus is not None:
        return corpora.corpus(workspace, corpus).name
    decided = [c.name for c in corpora.list_corpora(workspace) if corpora.decided_in(workspace, c.name)]
    if len(decided) != 1:
        found = f"in {', '.join(decided)}" if decided else "in no corpus"
        raise InputError(f"People have decided {found}. Name the corpus to learn from with --corpus.")
    return decided[0]


class _Gold:
    """What is known of the documents of a corpus, as lessons."""

    def __init__(
        self,
        workspace: Workspace,
        reference: str,
        corpus: str,
        alt_ids: dict[Curie, Curie],
        lexicon: Lexicon,
    ) -> None:
        self.standard: GoldSet = gold.gold_set(workspace, reference, corpus)
        self.blind = 0
        self._workspace = workspace
        self._corpus = corpora.corpus(workspace, corpus)
        self._alt_ids = alt_ids
        self._here = {concept.curie for concept in lexicon.index.concepts}
        self._hidden = self._blind_units() if self.standard.reference.startswith("reviewed@") else {}

    def lessons(self) -> list[Lesson]:
        """One for each document of which something is known, in the order of the digests of their texts, so
        that folds do not hang on the order of a file. Equal texts are one document."""
        texts = mentions.texts(self._workspace, self._corpus.id)
        named = self._named()
        found: dict[str, Lesson] = {}
        for doc_id, statuses in self.standard.documents.items():
            if doc_id in self._hidden and self._hidden[doc_id] is None:
                self.blind += 1
                continue
            lesson = self._lesson(doc_id, texts[doc_id], statuses, named.get(doc_id, ()))
            if lesson.present or lesson.absent is None or lesson.absent:
                found.setdefault(corpora.text_digest(lesson.text), lesson)
        return [found[digest] for digest in sorted(found)]

    def _lesson(
        self, doc_id: str, text: str, statuses: dict[Curie, Assertion], named: Iterable[Named]
    ) -> Lesson:
        hidden = self._hidden.get(doc_id) or frozenset()
        unsettled = self._below(self.standard.unsettled.get(doc_id, ())) | hidden
        present = self._below(c for c, status in statuses.items() if status in PRESENT) - hidden
        absent = self._below(c for c, status in statuses.items() if status not in PRESENT)
        absent |= self._below(self.standard.rejected.get(doc_id, ()))
        complete = doc_id in self.standard.recall_documents
        return Lesson(
            text=text,
            present=present,
            absent=None if complete else absent - present - hidden,
            named=tuple(one for one in named if one.concept in present),
            unsettled=unsettled - present,
        )

    def _below(self, concepts: Iterable[Curie]) -> frozenset[Curie]:
        """Under the ids that now stand for them, as far as they can be looked for."""
        return frozenset(now for c in concepts if (now := self._alt_ids.get(c, c)) in self._here)

    def _named(self) -> dict[str, list[Named]]:
        """The words that people marked, by document."""
        found: dict[str, list[Named]] = {}
        reference = self.standard.reference
        if not reference.startswith("reviewed@"):
            picked = gold.imported_set(self._workspace, reference)
            for doc_id, _, _, concept, status, quote, _ in mentions.imported_mentions(
                self._workspace, picked.id
            ):
                if quote and status in PRESENT:
                    by = f"{picked.name}@{picked.version}"
                    found.setdefault(doc_id, []).append(Named(self._alt_ids.get(concept, concept), quote, by))
            return found
        number, policy = gold.parse_reviewed(reference)
        doc_ids = corpora.decided_in(self._workspace, self._corpus.name)
        for d in decisions.standing(self._workspace, number):
            if d.kind != ItemKind.CONCEPT or d.action not in JUDGEMENTS or d.passage_id not in doc_ids:
                continue
            if policy.startswith("curator=") and policy != f"curator={d.curator}":
                continue
            doc_id = doc_ids[d.passage_id]
            if not isinstance(d.answer, Answer) or d.subject in (self._hidden.get(doc_id) or ()):
                continue
            concept = self._alt_ids.get(d.answer.concept, d.answer.concept)
            if d.answer.concept_class is ConceptClass.EXPLICIT and d.answer.assertion in PRESENT:
                said = (Named(concept, span.quote, d.curator) for span in d.answer.spans)
                found.setdefault(doc_id, []).extend(said)
        return found

    def _blind_units(self) -> dict[str, frozenset[Curie] | None]:
        """doc_id -> concepts that were asked about blind; None: the passage as a whole."""
        doc_ids = corpora.decided_in(self._workspace, self._corpus.name)
        units = blind.blind_units(self._workspace, self._corpus.id)
        self.blind += sum(len(subjects) for subjects in units.values() if subjects is not None)
        return {doc_ids[passage]: subjects for passage, subjects in units.items() if passage in doc_ids}
