"""Dictionary baselines over files and corpora: what DICT_train and DICT_syn find, as a file that can be
scored, or added as proposals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.exchange.atomic import replacing
from core.exchange.given import concepts_of, documents_of, is_file
from core.formats import FORMATS, Metadata, format_of
from core.formats.conll import TokenFile, holds_tags, mentions_of, read_tokens, text_of
from core.learners.baselines import Dictionary, Name
from core.ontology.lineage import Lineage
from core.records import Annotation, Concept, ConceptClass, Curie, Document, Span
from core.store import Workspace, corpora

SOURCES = {False: "dict-train", True: "dict-syn"}


def names_of(workspace: Workspace | None, training: str) -> Iterator[Name]:
    """The mentions of a training set: concept documents, gold, or tags, which have no concepts."""
    if is_file(training) and holds_tags(Path(training)):
        file = read_tokens(Path(training))
        for document in file.documents.values():
            yield from (Name(mention.text) for mention in mentions_of(file.name, document))
        return
    for one in documents_of(workspace, training):
        for a in one.annotations:
            if a.span is not None and a.concept_class is not ConceptClass.NOT_RELEVANT:
                yield Name(a.span.quote, a.concept)


def synonyms_of(
    concepts: Sequence[Concept], root: str | None = None, among: Collection[Curie] | None = None
) -> Iterator[Name]:
    """Names and synonyms of the live concepts, below `root` where one is named.

    Args:
        among: only of these, under any of their ids; None: of all.
    """
    live = [c for c in concepts if not c.obsolete]
    if root is not None:
        lineage = Lineage((c.curie for c in live), ((c.curie, p) for c in live for p in c.parents))
        below = lineage.descendants(root)
        live = [c for c in live if c.curie in below]
    wanted = None if among is None else frozenset(among)
    for c in live:
        if wanted is None or not wanted.isdisjoint((c.curie, *c.alt_ids)):
            yield from (Name(text, c.curie) for text in (c.name, *(s.text for s in c.synonyms)))


def write_baseline(
    workspace: Workspace | None,
    training: Sequence[str],
    on: str,
    out: Path,
    *,
    ontology: str | None = None,
    root: str | None = None,
    every: bool = False,
    exact: bool = False,
) -> dict[str, Any]:
    """Find the names of training sets, and of an ontology's synonyms, in texts; and write what was found.

    Args:
        on: a file of documents or tags, or a corpus of the workspace.
        out: tags where `on` holds tags, else documents in the format of its extension.
        ontology: for DICT_syn: a file, or `NAME[@VERSION]`.
        root: only its concepts below this one.
        every: also synonyms of concepts that training lacks.

    Raises:
        InputError, NotFoundError: something named is not there or cannot be read or written; no name is
            found.
    """
    names = [name for one in training for name in names_of(workspace, one)]
    if ontology is not None:
        known = frozenset(name.concept for name in names if name.concept is not None)
        if not known and not every:
            raise InputError(
                f"{', '.join(training)} names no concepts, so that their synonyms are not known. Name a"
                " training set with concepts, or take the synonyms of every concept with --every."
            )
        names += synonyms_of(concepts_of(workspace, ontology), root, None if every else known)
    dictionary = Dictionary(names, exact=exact)
    if not len(dictionary):
        raise InputError(
            f"{', '.join(training)} holds no mention with a place. Name a training set that does."
        )
    source = SOURCES[ontology is not None]
    if is_file(on) and holds_tags(Path(on)):
        documents, found = _tags(dictionary, read_tokens(Path(on)), out)
    else:
        documents, found = _documents(dictionary, source, _texts(workspace, on), out, on)
    counts = {"names": len(dictionary), "documents": documents, "mentions": found}
    return {"source": source, "exact": exact, **counts, "file": str(out)}


def _texts(workspace: Workspace | None, on: str) -> Iterator[Document]:
    if is_file(on) or workspace is None:
        yield from documents_of(None, on)
        return
    for p in corpora.passages(workspace, corpora.corpus(workspace, on).name):
        yield Document(p.doc_id, p.text, (), p.title, p.article, p.meta)


def _tags(dictionary: Dictionary, file: TokenFile, out: Path) -> tuple[int, int]:
    """The same tokens with a tag each."""
    lines: list[str] = []
    total = 0
    for document in file.documents.values():
        found = dictionary.find(text_of(document))
        total += len(found)
        at = 0
        for sentence in document:
            for row in sentence:
                inside = next((f for f in found if f.start <= at < f.end), None)
                tag = "O" if inside is None else "B" if inside.start == at else "I"
                lines.append(f"{row.token} {tag}")
                at += len(row.token) + 1
            lines.append("")
    with replacing(out) as target:
        target.writelines(f"{line}\n".encode() for line in lines)
    return len(file.documents), total


def _documents(
    dictionary: Dictionary, source: str, texts: Iterator[Document], out: Path, on: str
) -> tuple[int, int]:
    counts = [0, 0]
    form = FORMATS[format_of(out)]
    if form.write is None:
        raise InputError(
            f"The name {out.name!r} means a format that is only read. Name a .json or .jsonl file."
        )

    def tagged() -> Iterator[Document]:
        for one in texts:
            found = tuple(
                Annotation(f.concept, span=Span(f.start, f.end, one.text[f.start : f.end]), run=source)
                for f in dictionary.find(one.text)
                if f.concept is not None
            )
            counts[0] += 1
            counts[1] += len(found)
            yield Document(one.doc_id, one.text, found, one.title, one.article, one.meta)

    with replacing(out) as target:
        form.write(Metadata.model_validate({"dataset_id": Path(on).name, "source": source}), tagged(), target)
    return counts[0], counts[1]
