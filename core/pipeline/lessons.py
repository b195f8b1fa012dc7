"""What gold or decisions say of the documents of a corpus, as lessons to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.concepts.learned import Costed, Lesson, Named
from core.concepts.lexicon import Lexicon
from core.errors import InputError
from core.records import (
    JUDGEMENTS,
    PRESENT,
    Action,
    Answer,
    Assertion,
    ConceptClass,
    Curie,
    Decision,
    GoldSet,
    ItemKind,
)
from core.store import blind, corpora, decisions, gold, mentions, ontologies
from core.store.ontologies import OntologyRow
from core.store.workspace import Workspace


def corpus_of(workspace: Workspace, reference: str, corpus: str | None) -> str:
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


class Lessons:
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
        self.lexicon = lexicon
        self._here = {concept.curie for concept in lexicon.index.concepts}
        self._hidden = self._blind_units() if self.standard.reference.startswith("reviewed@") else {}

    @classmethod
    def read(
        cls, workspace: Workspace, reference: str, corpus: str, ontology: OntologyRow, root: Curie | None
    ) -> Lessons:
        """With the dictionary of an ontology, below a root."""
        stored = ontologies.read_ontology(workspace, ontology.name, ontology.version)
        lexicon = Lexicon.build(stored.concepts, root=root)
        return cls(workspace, reference, corpus, ontologies.alt_id_map(workspace, ontology.id), lexicon)

    def all(self) -> list[Lesson]:
        """One for each document of which something is known, in the order of the digests of their texts, so
        that folds do not hang on the order of a file. Equal texts are one document."""
        return list(self._by_document().values())

    def costed(self) -> list[Costed]:
        """The same, each with what it cost; of imported gold no decision is known."""
        said: dict[str, list[Decision]] = {}
        for doc_id, decision in self._decided():
            said.setdefault(doc_id, []).append(decision)
        return [self._costed(one, said.get(doc_id, [])) for doc_id, one in self._by_document().items()]

    def _costed(self, lesson: Lesson, said: list[Decision]) -> Costed:
        kinds: dict[Curie, Action] = {}
        for one in said:
            meant = {one.subject, one.answer.concept if isinstance(one.answer, Answer) else None}
            kinds |= dict.fromkeys(self._below(c for c in meant if c is not None), one.action)
        timed = [one.milliseconds for one in said if one.milliseconds is not None]
        minutes = sum(timed) / len(timed) * len(said) / 60_000 if timed else None
        return Costed(lesson, kinds, len(said), minutes)

    def _by_document(self) -> dict[str, Lesson]:
        """doc_id -> lesson."""
        texts = mentions.texts(self._workspace, self._corpus.id)
        named = self._named()
        found: dict[str, tuple[str, Lesson]] = {}
        for doc_id, statuses in self.standard.documents.items():
            if doc_id in self._hidden and self._hidden[doc_id] is None:
                self.blind += 1
                continue
            lesson = self._lesson(doc_id, texts[doc_id], statuses, named.get(doc_id, ()))
            if lesson.present or lesson.absent is None or lesson.absent:
                found.setdefault(corpora.text_digest(lesson.text), (doc_id, lesson))
        return dict(found[digest] for digest in sorted(found))

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
                    by = picked.reference
                    found.setdefault(doc_id, []).append(Named(self._alt_ids.get(concept, concept), quote, by))
            return found
        for doc_id, d in self._decided():
            if not isinstance(d.answer, Answer):
                continue
            concept = self._alt_ids.get(d.answer.concept, d.answer.concept)
            if d.answer.concept_class is ConceptClass.EXPLICIT and d.answer.assertion in PRESENT:
                said = (Named(concept, span.quote, d.curator) for span in d.answer.spans)
                found.setdefault(doc_id, []).extend(said)
        return found

    def _decided(self) -> Iterator[tuple[str, Decision]]:
        """What people judged and the gold may rest on, with its document; nothing that was a blind unit."""
        reference = self.standard.reference
        if not reference.startswith("reviewed@"):
            return
        number, policy = gold.parse_reviewed(reference)
        doc_ids = corpora.decided_in(self._workspace, self._corpus.name)
        for d in decisions.standing(self._workspace, number):
            if d.kind != ItemKind.CONCEPT or d.action not in JUDGEMENTS or d.passage_id not in doc_ids:
                continue
            if policy.startswith("curator=") and policy != f"curator={d.curator}":
                continue
            doc_id = doc_ids[d.passage_id]
            hidden = self._hidden.get(doc_id, frozenset())
            if hidden is not None and d.subject not in hidden:
                yield doc_id, d

    def _blind_units(self) -> dict[str, frozenset[Curie] | None]:
        """doc_id -> concepts that were asked about blind; None: the passage as a whole."""
        doc_ids = corpora.decided_in(self._workspace, self._corpus.name)
        units = blind.blind_units(self._workspace, self._corpus.id)
        self.blind += sum(len(subjects) for subjects in units.values() if subjects is not None)
        return {doc_ids[passage]: subjects for passage, subjects in units.items() if passage in doc_ids}
