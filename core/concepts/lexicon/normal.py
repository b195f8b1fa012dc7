"""Findings that a text denies by calling something normal: "hearing was normal", so no hearing abnormality.

What is normal is neither abnormal nor, where no concept is called that, reduced or increased. A name must say
the whole phrase, so that "normal head circumference" denies nothing of the head.
"""

from __future__ import annotations

from core.concepts.lexicon.index import Index, Name
from core.concepts.lexicon.matching import Level, Mention
from core.text.assertion import negative, normal
from core.text.spans import Words

_ABNORMAL = ("abnormal",)
_CHANGED = ("reduced", "increased", "impaired", "delayed", "low")
_POSITIVE = ("positive",)
"""What a test that "was negative" denies."""
_EXAMINED = frozenset(
    (
        *("assessment", "evaluation", "examination", "finding", "findings", "result", "results", "test"),
        *("testing", "tests", "studies", "study", "screening", "overall", "other", "rest", "all"),
    )
)
"""Words that are left out: "hearing tests were normal"."""
_MANY = 3
"""Concepts that one phrase denies at most."""


def denied(found: Words, index: Index) -> list[Mention]:
    """The mentions of what is denied by being normal, in order."""
    kinds: tuple[tuple[str, ...], ...] = (_ABNORMAL, _CHANGED)
    places = [(place, kinds) for place in normal(found)]
    places += [(place, (_POSITIVE,)) for place in negative(found)]
    result: list[Mention] = []
    for (first, last), changes in places:
        inside = [i for i in range(first, last + 1) if found.words[i] not in _EXAMINED]
        weights = [(i, index.vocabulary.weights[found.words[i]]) for i in inside]
        told = [i for i, weight in weights if weight]
        if told and all(weight >= 0 for _, weight in weights):
            total = sum(weight for _, weight in weights)
            names = next(filter(None, (_names(index, total, change) for change in changes)), ())
            if 0 < len(names) <= _MANY:
                result.append(
                    Mention(told[0], told[-1], names, Level.DERIVED, False, False, None, normal=True)
                )
    return result


def _names(index: Index, total: int, changes: tuple[str, ...]) -> tuple[Name, ...]:
    """One name per concept that says a change of what weighs `total`."""
    found: dict[int, Name] = {}
    for change in changes:
        weight = index.vocabulary.weights[change]
        for name in index.names.get(total + weight, ()) if weight > 0 else ():
            if not name.acronym and name.scope in ("NAME", "EXACT"):
                found.setdefault(name.concept, name)
    return tuple(found.values())
