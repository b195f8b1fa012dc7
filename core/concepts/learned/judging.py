"""Apply what was learned to what the annotator finds, many texts at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from core.concepts.learned.counts import LEAST, Counts
from core.concepts.learned.features import FEATURES, Describer, present
from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.drafts import Heard, draft
from core.learners.head import Ready
from core.records import Curie, Draft
from core.records.learned import Head, Known


def learned_lexicon(
    plain: Lexicon,
    known: Collection[Known],
    head: Head | None = None,
    muted: Collection[tuple[Curie | None, str]] = (),
) -> Lexicon:
    """A lexicon with what was learned; `plain` stays as it is.

    Args:
        muted: (concept, words by `form`) that a person has silenced; None: for every concept.
    """
    names = [(one.concept, one.name) for one in known if one.name is not None]
    return plain.taught(names, muted, Learned(plain, known, head))


class Learned:
    """What was learned, as a lexicon asks it."""

    def __init__(self, plain: Lexicon, known: Collection[Known], head: Head | None) -> None:
        self._describer = Describer(plain.lineage, Counts(known))
        self._head = Ready(head) if head is not None else None
        self._columns = [FEATURES.index(name) for name in head.features] if head is not None else []

    def drafts(self, texts: Sequence[Heard]) -> Iterator[list[Draft]]:
        """Of each text drafts of the concepts that are kept. Without a head, or where no mention says that
        the concept is there, its words alone decide."""
        for heard, chances in zip(texts, self._chances(texts), strict=True):
            kept = []
            for said in heard.said:
                made = draft(heard, said, self._describer.sure_of)
                right, seen = self._describer.most_seen(heard, said)
                sure, least = made.confidence or 0.0, LEAST if seen else 0.0
                if self._head is not None and said.concept.curie in chances:
                    sure, least = chances[said.concept.curie], self._head.least
                if sure >= least:
                    kept.append(replace(made, confidence=round(sure, 2), reason=_reason(made, right, seen)))
            yield kept

    def _chances(self, texts: Sequence[Heard]) -> list[dict[Curie, float]]:
        """Of each text what the head says of the concepts that are there."""
        if self._head is None:
            return [{} for _ in texts]
        there = [present(heard) for heard in texts]
        rows = np.concatenate([self._describer.rows(h) for h in there])[:, self._columns]
        told = iter(self._head.probabilities(rows).tolist())
        return [{said.concept.curie: next(told) for said in heard.said} for heard in there]


def _reason(made: Draft, right: int, seen: int) -> str | None:
    """The reason, with how often these words were right."""
    if not seen:
        return made.reason
    return f"{made.reason} Right in {right} of {seen} document{'s' * (seen > 1)} learned from."
