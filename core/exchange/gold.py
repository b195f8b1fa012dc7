"""A gold standard as documents: imported gold as it came, with confirmed changes where it is corrected;
reviewed gold with the answers behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from core.errors import InputError
from core.formats import Metadata
from core.records import Annotation, Answer, Assertion, Curie, Document, GoldSet, Span
from core.store import Workspace, corpora
from core.store.changes import CORRECTED, IMPORTED
from core.store.gold import corrections, gold_set, imported_set, pinned_to
from core.store.mentions import answers


class Selection(NamedTuple):
    """What an export writes."""

    metadata: Metadata
    documents: Iterator[Document]
    corpus: str
    gold: str | None = None


def gold_documents(workspace: Workspace, reference: str, corpus: str | None = None) -> Selection:
    """The documents of a gold standard. `corpus` is needed only for reviewed gold, and only where the
    workspace has several.

    Raises:
        InputError: no such form of reference, or the corpus must be named.
        NotFoundError: no such gold, or it belongs to another corpus.
    """
    if reference.startswith((IMPORTED, CORRECTED)):
        return _imported(workspace, reference, corpus)
    corpus = corpus or _only_corpus(workspace)
    gold = gold_set(workspace, reference, corpus)
    known = corpora.corpus(workspace, corpus)
    metadata = {
        "dataset_id": corpus,
        "version": gold.reference,
        "is_exhaustively_annotated": _complete(gold) >= gold.documents.keys(),
        **about_texts(known.meta),
    }
    documents = _reviewed(workspace, gold, corpus)
    return Selection(Metadata.model_validate(metadata), documents, corpus, gold.reference)


def about_texts(meta: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a corpus that stay true whoever labels its texts."""
    return {name: meta[name] for name in ("language", "document_type") if name in meta}


def _imported(workspace: Workspace, reference: str, corpus: str | None) -> Selection:
    picked = imported_set(workspace, reference, corpus)
    gold = pinned_to(workspace, reference, picked)
    changes: dict[str, list[Annotation]] = {}
    changed = corrections(workspace, gold, picked.corpus)
    for (doc_id, concept), answer in changed.items():
        changes.setdefault(doc_id, []).extend(_annotations(concept, answer.assertion, [answer]))

    def documents() -> Iterator[Document]:
        rows = corpora.imported_annotations(workspace, picked.id)
        row = next(rows, None)
        for passage in corpora.passages(workspace, picked.corpus):
            found: list[Annotation] = []
            while row is not None and row[0] == passage.id:
                if (passage.doc_id, row[2].concept) not in changed:
                    found.append(row[2])
                row = next(rows, None)
            found += changes.get(passage.doc_id, ())
            yield Document(
                passage.doc_id, passage.text, tuple(found), passage.title, passage.article, passage.meta
            )

    version = {"version": gold} if gold.startswith(CORRECTED) else {}
    return Selection(Metadata.model_validate(picked.meta | version), documents(), picked.corpus, gold)


def _only_corpus(workspace: Workspace) -> str:
    names = [c.name for c in corpora.list_corpora(workspace)]
    if len(names) != 1:
        known = ", ".join(names) or "none"
        raise InputError(f"Reviewed gold is of one corpus. Name it with --corpus. Known: {known}.")
    return names[0]


def _complete(gold: GoldSet) -> frozenset[str]:
    """Documents where what the file does not hold is not there: closed, and nothing left undecided."""
    return gold.recall_documents - gold.unsettled.keys()


def _reviewed(workspace: Workspace, gold: GoldSet, corpus: str) -> Iterator[Document]:
    """Only documents that somebody judged; each says whether it is complete."""
    given = answers(workspace, gold.reference)
    complete = _complete(gold)
    for passage in corpora.passages(workspace, corpus):
        if passage.doc_id in gold.documents:
            meta: dict[str, Any] = passage.meta | {"is_exhaustively_annotated": passage.doc_id in complete}
            found = [
                annotation
                for concept, assertion in sorted(gold.documents[passage.doc_id].items())
                for annotation in _annotations(concept, assertion, given.get((passage.id, concept), []))
            ]
            yield Document(passage.doc_id, passage.text, tuple(found), passage.title, passage.article, meta)


def _annotations(concept: Curie, assertion: Assertion, answers: list[Answer]) -> Iterator[Annotation]:
    """One annotation for each span that an answer with this status gives, or one for the document."""
    alike = [a for a in answers if a.assertion is assertion]
    classes = {a.concept_class for a in alike}
    concept_class = classes.pop() if len(classes) == 1 else None
    label = alike[-1].label if alike else None
    spans: list[Span | None] = list(dict.fromkeys(s for a in alike for s in a.spans))
    for span in spans or [None]:
        yield Annotation(
            concept=concept,
            label=label,
            assertion=assertion,
            span=span,
            concept_class=concept_class,
        )
