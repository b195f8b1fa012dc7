"""Broader concepts that a text names only inside the words of a narrower one.

    hosts(lineage, {1: Mention("HP:0001688", "affirmed", ((4, 21),)),       # sinus bradycardia
                    2: Mention("HP:0001662", "affirmed", ((10, 21),))})     # bradycardia inside it
    # {2: 1}: whoever keeps the narrower one rejects the broader one

One that is named elsewhere in the text, too, stands for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.ontology.lineage import Lineage
from core.records import Curie

Place = tuple[int, int]
"""From and to, in code points."""


class Mention(NamedTuple):
    """What is proposed of a concept in a text."""

    concept: Curie
    assertion: str
    places: tuple[Place, ...]
    """Of its evidence; at least one."""


def hosts(lineage: Lineage, mentions: Mapping[int, Mention]) -> dict[int, int]:
    """Item of a broader concept -> that of a narrower one, of the same assertion, inside whose places all of
    its own lie. Of several the nearest that lies itself in no other, then the one with the lowest id."""
    around = {
        item: [other for other, narrow in mentions.items() if _lies_inside(lineage, broad, narrow)]
        for item, broad in mentions.items()
    }
    found = {}
    for item, others in around.items():
        outer = [other for other in others if not around[other]]
        if outer:
            broad = mentions[item].concept
            steps = {one: lineage.distance(mentions[one].concept, broad) or 0 for one in outer}
            found[item] = min(outer, key=lambda one: (steps[one], one))
    return found


def _lies_inside(lineage: Lineage, broad: Mention, narrow: Mention) -> bool:
    if broad.assertion != narrow.assertion or narrow.concept not in lineage:
        return False
    if broad.concept == narrow.concept or broad.concept not in lineage.ancestors(narrow.concept):
        return False
    return all(
        any(start <= place[0] and place[1] <= end for start, end in narrow.places) for place in broad.places
    )
