"""A text that somebody tries: checked, shown with its concepts, and stored only when they say so.

text = readable(pasted)
drafts = lexicon.annotate(text)          # in memory; see `core.concepts.lexicon`
pieces(text, drafts)                     # the text in pieces, each with the concepts that it names
keep(workspace, text, "hp@2025-01-16")   # a corpus of its own, and a run that proposes the same
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from core.errors import InputError
from core.pipeline.annotate import annotate
from core.records import Assertion, Document, Draft
from core.store import corpora, ontologies, runs
from core.store.workspace import Workspace

LONGEST = 20_000
"""Characters: some ten pages, or any abstract."""
NAME = "own-text"
TITLE = 60
"""Characters of the beginning of a text that stand for a title."""
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Controls, but tab and ends of lines; halves of characters, which no file can hold."""


class Piece(NamedTuple):
    """Some of a text."""

    text: str
    names: tuple[str, ...] = ()
    """Of the concepts that it names, the one said in most words first."""
    assertion: Assertion | None = None
    """Status of that one; None: no concept is named here."""


def readable(text: str, what: str = "text") -> str:
    """The text without space around it, and with plain ends of lines.

    Args:
        what: it is called in a message.

    Raises:
        InputError: it is empty, too long, or holds characters that nobody can have typed.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise InputError(f"The {what} is empty. Paste one, or take the example.")
    if len(text) > LONGEST:
        raise InputError(
            f"The {what} has {len(text):,} characters; at most {LONGEST:,} are read here. Paste a part of it,"
            " or bring all of it in with `touchstone corpus add`."
        )
    unseen = _UNSEEN.findall(text)
    if unseen:
        first = _UNSEEN.search(text)
        place = first.start() + 1 if first else 0
        count = "a control character" if len(unseen) == 1 else f"{len(unseen):,} control characters"
        raise InputError(
            f"The {what} holds {count}, the first one (U+{ord(unseen[0]):04X}) at character {place:,}. Copy"
            " the words alone, without what surrounds them."
        )
    return text


def pieces(text: str, drafts: Sequence[Draft]) -> list[Piece]:
    """The text, cut wherever the mention of a concept begins or ends; joined, the pieces are the text."""
    marks = [
        (one.start, one.end, draft.label, one.assertion or draft.assertion)
        for draft in drafts
        for one in draft.evidence
        if one.start is not None and one.end is not None
    ]
    marks.sort(key=lambda mark: mark[0] - mark[1])  # the longest first
    edges = sorted({0, len(text), *(edge for mark in marks for edge in mark[:2])})
    found = []
    for start, end in pairwise(edges):
        here = [mark for mark in marks if mark[0] <= start and end <= mark[1]]
        names = tuple(dict.fromkeys(mark[2] for mark in here))
        found.append(Piece(text[start:end], names, here[0][3] if here else None))
    return found


def keep(workspace: Workspace, text: str, ontology: str) -> str:
    """Store a text as a corpus of its own, annotated; returns the name of the corpus.

    It is confidential: nobody has said that it may leave this machine. The same text again is the same
    corpus, so that pressing twice does no harm.

    Args:
        text: as `readable` gives it.
        ontology: `NAME@VERSION`.

    Raises:
        NotFoundError: no such ontology.
        WorkspaceError: nothing can be stored.
    """
    corpus = corpora.own_text(workspace, text)
    if corpus is None:
        known = {one.name for one in corpora.list_corpora(workspace)}
        number = next(n for n in range(1, len(known) + 2) if f"{NAME}-{n}" not in known)
        corpus = f"{NAME}-{number}"
        title = text.partition("\n")[0]
        title = title if len(title) <= TITLE else f"{title[:TITLE].rstrip()}…"
        with workspace.write() as db:
            made = corpora.create_corpus(
                db, corpus, domain=corpora.OWN_TEXTS, confidential=True, source="pasted"
            )
            for _ in corpora.insert_passages(db, made, [Document(corpus, text, title=title)]):
                pass
    _propose(workspace, corpus, ontologies.find_ontology(workspace, ontology))
    return corpus


def _propose(workspace: Workspace, corpus: str, vocabulary: ontologies.OntologyRow) -> None:
    """Annotate a kept text, unless that is done; with each vocabulary in a run of its own."""
    here = [one for one in runs.list_runs(workspace) if one.corpus == corpus]
    own = next((one for one in here if one.ontology_id == vocabulary.id), None)
    if own is None or own.status != "done":
        taken = own is None and any(one.id.endswith(f"-{vocabulary.name}") for one in here)
        number = f"-{len(here) + 1}" if taken else ""
        run = own.id if own else f"lexicon-{corpus}-{vocabulary.name}{number}"
        annotate(workspace, corpus=corpus, ontology=vocabulary.reference, run=run)
