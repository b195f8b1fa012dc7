"""Gold to score against, from a file or from a workspace: statuses, places, and what it says of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import InputError
from core.evaluate.families.inputs import Mentions
from core.evaluate.inputs.places import answers_of_documents, by_document, places
from core.evaluate.inputs.statuses import read_statuses
from core.evaluate.readings import Readings
from core.records import Curie, GoldSet
from core.store import corpora
from core.store.changes import IMPORTED, imported_of
from core.store.gold import corrections, gold_set, imported_set
from core.store.mentions import imported_mentions
from core.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Gold:
    documents: GoldSet
    mentions: Callable[[], Mentions]
    by_mention: bool
    """Whether a concept has every status that a mention of it has; else the one that people gave it."""
    exhaustive: bool | None
    """Whether it is marked exhaustively annotated; None: it does not say."""
    labels: Mapping[Curie, str] = field(default_factory=dict)
    """Names of concepts that came with it. From outside: text, never markup."""
    texts: Mapping[str, str] = field(default_factory=dict)


def gold_of_file(path: Path) -> Gold:
    """A concept-document file, complete in every document it holds.

    Raises:
        InputError: the file cannot be read.
    """
    found = read_statuses(path)
    documents = GoldSet(found.reference, found.documents, frozenset(found.documents))
    return Gold(documents, lambda: found.mentions, True, found.exhaustive, found.labels, found.texts)


def gold_of_workspace(
    workspace: Workspace, reference: str, corpus: str, readings: Readings | None = None
) -> Gold:
    """Gold of a corpus by its reference (`core.store.gold`).

    Args:
        readings: of this gold.

    Raises:
        InputError: no such form of reference.
        NotFoundError: no such gold set, curator or decision.
    """
    readings = readings or Readings()
    documents = readings.once("gold", lambda: gold_set(workspace, reference, corpus))
    is_open = documents.reference.startswith("reviewed@")

    def imported() -> Mentions:
        chosen = imported_set(workspace, documents.reference, corpus).id
        found = dict(by_document(imported_mentions(workspace, chosen))[0])
        for (doc_id, concept), answer in corrections(workspace, documents.reference, corpus).items():
            held = [mention for mention in found.get(doc_id, ()) if mention.concept != concept]
            found[doc_id] = [*held, *places(concept, answer.assertion, [answer])]
        return found

    def reviewed() -> Mentions:
        given = answers_of_documents(workspace, documents.reference, corpus)
        return {
            doc_id: [
                m for c, status in statuses.items() for m in places(c, status, given.get((doc_id, c), []))
            ]
            for doc_id, statuses in documents.documents.items()
        }

    exhaustive = is_exhaustive(workspace, corpus, documents.reference)
    mentions = readings.reader("gold mentions", reviewed if is_open else imported)
    return Gold(documents, mentions, not is_open, exhaustive)


def is_exhaustive(workspace: Workspace, corpus_name: str, reference: str) -> bool | None:
    """As marked at import; reviewed gold is complete where it is closed, and says where that is."""
    if reference.startswith("reviewed@"):
        return True
    return imported_set(workspace, reference, corpus_name).exhaustive


def corpus_of(workspace: Workspace, reference: str) -> str:
    """The corpus that a gold reference speaks of.

    Raises:
        InputError: several would do.
    """
    imported = imported_of(reference) or ""
    sets = corpora.list_annotation_sets(workspace)
    found = {s.corpus for s in sets if imported.removeprefix(IMPORTED) in (s.name, s.reference)}
    if not found:
        found = {corpus.name for corpus in corpora.list_corpora(workspace)}
    if len(found) != 1:
        raise InputError(
            f"{reference} is gold of several corpora ({', '.join(sorted(found)) or 'none'}), and a file does "
            "not say of which. Export the gold of one with `touchstone export gold`, and score against that."
        )
    return found.pop()
