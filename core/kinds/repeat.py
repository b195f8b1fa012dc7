"""An item that its curator is asked once more, as if for the first time: do they agree with themselves?

Its subject is that of the item it repeats, behind a prefix. The second answer counts nowhere else: gold,
scores and agreement between curators rest on the first one.
"""

from __future__ import annotations

from dataclasses import replace

from core.kinds import concept, pair
from core.kinds.kind import Kind
from core.records import ASSESSING, Action, ItemKind

PREFIX = "repeat-"
SUFFIX = "_repeat"
"""Of the name of its kind, behind that of the kind that it repeats."""


def subject_of(subject: str) -> str:
    """The subject of the item that repeats one with this subject."""
    return PREFIX + subject


def repeated(subject: str) -> str:
    """What a subject is about, whether it is asked for the first time or again."""
    return subject.removeprefix(PREFIX)


def _again(name: ItemKind, kind: Kind) -> Kind:
    return replace(
        kind,
        name=name,
        actions=frozenset({*ASSESSING, Action.UNSURE}),
        refusals=lambda answer, subject, action: kind.refusals(answer, subject.removeprefix(PREFIX), action),
        prefix=subject_of(kind.prefix or ""),
        free=True,
        runs=(),
        cannot={},
    )


OF_CONCEPT = _again(ItemKind.CONCEPT_REPEAT, concept.KIND)
OF_PAIR = _again(ItemKind.PAIR_REPEAT, pair.KIND)
