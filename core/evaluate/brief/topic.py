"""Which claims are about a question: those that name what it names, in its words or those of their title."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from core.conflicts.finding.terms import content
from core.errors import InputError, NotFoundError
from core.formats.rows import shown
from core.records import Claim
from core.store import Workspace, claims, ontologies

LEAST = 2 / 3
"""Share of the telling words of a question that a claim about it has, where it has more than two."""
_CURIE = re.compile(r"[A-Za-z][\w.-]*:[\w.-]+")


@dataclass(frozen=True, slots=True)
class Topic:
    """A question, or a concept."""

    question: str
    names: tuple[frozenset[str], ...]
    """Stems of the telling words of each way to put it; one of them suffices."""

    def covers(self, text: str, title: str | None) -> bool:
        """Whether a claim of this text is about it. At least one of the words stands in the claim itself."""
        own = content(text)
        named = [words for words in self.names if not words.isdisjoint(own)]
        return bool(named) and any(_enough(words, own | content(title or "")) for words in named)


def topic_of(workspace: Workspace, about: str) -> Topic:
    """A question in plain words, or a concept by its id, in all its names.

    Raises:
        InputError: no word of the question says what it is about.
        NotFoundError: no ontology has the concept.
    """
    about = " ".join(about.split())
    if _CURIE.fullmatch(about):
        return _concept(workspace, about)
    words = content(about)
    if not words:
        raise InputError(
            f"No word of {shown(about)} says what it is about. Name an exposure and an outcome, such as "
            "'aspirin stroke', or a concept by its id."
        )
    return Topic(about, (words,))


def _concept(workspace: Workspace, curie: str) -> Topic:
    known = ontologies.list_ontologies(workspace)
    for row in reversed(known):
        names = [name for of, name, *_ in ontologies.names(workspace, row.id) if of == curie]
        if names:
            label = ontologies.labels(workspace, row.id).get(curie, names[0])
            found = {content(name) for name in (label, *names)} - {frozenset()}
            return Topic(f"{label} ({curie})", tuple(sorted(found, key=sorted)))
    raise NotFoundError("concept", curie, [row.reference for row in known])


def _enough(words: frozenset[str], there: frozenset[str]) -> bool:
    least = len(words) if len(words) <= 2 else ceil(LEAST * len(words))
    return len(words & there) >= least


def about_topic(workspace: Workspace, topic: Topic, run: str, titles: Mapping[int, str]) -> list[Claim]:
    """Those claims of a run that are about it, by article and place."""
    texts = claims.claim_texts(workspace, run)
    found = [row for row, passage, text in texts if topic.covers(text, titles.get(passage))]
    ordered = claims.claims_by_id(workspace, found).values()
    return sorted(ordered, key=lambda claim: (claim.article_uid, claim.start, claim.end, claim.id))
