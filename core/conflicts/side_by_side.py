"""Two abstracts held against each other: their claims, and which of them seem to disagree.

    found = compare("Aspirin reduced ...", "Aspirin did not reduce ...")
    found.pairs[0].label.conflict_type             # how they seem to disagree, by rule

The offline stages of a run on two texts in memory: normalise, extract, mine, annotate. Claims are paired by
the words that they share, since to load a sentence encoder takes longer than to read both texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.conflicts import annotate, extract, mine, normalise
from core.conflicts.finding.terms import content
from core.errors import InputError
from core.records import Article, CandidatePair, Claim, ConflictType, Normalised, PairLabel, PairTask, Side

MOST_PAIRS = 60
"""Pairs that are labelled, the most alike first."""
SIDES = ("A", "B")


class Labelled(NamedTuple):
    """A pair of claims, one of each text, and what the rules say of it."""

    pair: CandidatePair
    label: PairLabel


@dataclass(frozen=True, slots=True)
class SideBySide:
    """What two texts say."""

    texts: tuple[str, str]
    """As they were cleaned: the frame of all offsets."""
    claims: tuple[tuple[Claim, ...], tuple[Claim, ...]]
    pairs: tuple[Labelled, ...]
    """Of like claims: those that seem to disagree first, then by how sure the rules are."""

    @property
    def disagreeing(self) -> tuple[Labelled, ...]:
        return tuple(one for one in self.pairs if one.label.conflict_type is not ConflictType.NO_CONFLICT)


def compare(a: str, b: str) -> SideBySide:
    """Read two abstracts and hold the claims of one against those of the other.

    Raises:
        InputError: a text is too short to be an abstract, or both are the same.
    """
    read = list(normalise.run([Article("A", a, "tried"), Article("B", b, "tried")]))
    for side, one in zip(SIDES, read, strict=True):
        if not isinstance(one, Normalised):
            short = one.into is None
            raise InputError(
                f"Abstract {side} is too short: it needs {normalise.SHORTEST} characters. Paste all of it."
                if short
                else "Both texts are the same. Paste two different abstracts."
            )
    kept = [one for one in read if isinstance(one, Normalised)]
    first, second = (claims for _, claims in extract.run(kept))
    texts = kept[0].article.text, kept[1].article.text
    tasks = [PairTask(pair, Side(texts[0]), Side(texts[1])) for pair in _pairs((*first, *second))]
    found = [Labelled(task.pair, label) for task, label in zip(tasks, annotate.run(tasks), strict=True)]
    like = [one for one in found if one.label.comparable]
    like.sort(key=lambda one: one.label.conflict_type is ConflictType.NO_CONFLICT)
    return SideBySide((texts[0], texts[1]), (first, second), tuple(like))


def _pairs(claims: Sequence[Claim]) -> list[CandidatePair]:
    """Every claim of one text with every claim of the other, the most promising first."""
    claims = [claim for claim in claims if not claim.boilerplate]
    if len({claim.article_uid for claim in claims}) < 2:
        return []
    every = mine.Mining(neighbours=len(claims), least_sim=0)
    mined = mine.run(claims, _vectors([claim.text for claim in claims]), every).pairs[:MOST_PAIRS]
    return [replace(pair, likelihood=None) for pair in mined]  # it was fitted to vectors of an encoder


def _vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """A unit row of each text: which words that tell something it has."""
    bags = [Counter(content(text)) for text in texts]
    place = {word: at for at, word in enumerate(sorted(set().union(*bags)))}
    rows = np.zeros((len(texts), max(1, len(place))), np.float32)
    for row, bag in zip(rows, bags, strict=True):
        row[[place[word] for word in bag]] = 1
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows
