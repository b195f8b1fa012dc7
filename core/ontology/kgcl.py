"""A difference of two versions as a list of changes in KGCL, one command a line: what ontology editors read.

    rename HP:0000002 from 'Abnormality of body height' to 'Body height'
    obsolete HP:0000057 with replacement HP:0008665

Source: Knowledge Graph Change Language, grammar of kgcl-schema 0.7. The language has no word for a merger or
a changed id: both are an obsoletion with a replacement. Within quotes an apostrophe is written `\\'`
and a line break is a space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.ontology.versions import GONE, Change, Difference, Kind
from core.records import Curie, Synonym

IS_A = "rdfs:subClassOf"


def commands(difference: Difference) -> Iterator[str]:
    """One command for each single change, in the order of kinds. What moved, was redefined or has other
    synonyms may take several."""
    for change in difference.changes:
        yield from _commands(change, difference)


def _commands(change: Change, found: Difference) -> Iterator[str]:
    curie, kind = change.curie, change.kind
    if kind is Kind.ADDED:
        concept = found.after[curie]
        yield f"create node {curie} {_quoted(concept.name)}"
        yield from (f"create edge {curie} {IS_A} {parent}" for parent in concept.parents)
        yield from _definition(curie, None, concept.definition)
        yield from _synonyms(curie, (), concept.synonyms)
    elif kind in GONE:
        verb = "delete" if kind is Kind.REMOVED else "obsolete"
        yield f"{verb} {curie}" + (f" with replacement {change.now}" if change.now else "")
    elif kind is Kind.RENAMED:
        yield f"rename {curie} from {_quoted(change.before[0])} to {_quoted(change.after[0])}"
    elif kind in (Kind.MOVED, Kind.MOVED_AWAY):
        yield from (f"create edge {curie} {IS_A} {parent}" for parent in change.after)
        yield from (f"delete edge {curie} {IS_A} {parent}" for parent in change.before)
    elif kind is Kind.REDEFINED:
        was, now = (side[0] if side else None for side in (change.before, change.after))
        yield from _definition(curie, was, now)
    elif kind is Kind.SYNONYMS:
        yield from _synonyms(curie, found.before[curie].synonyms, found.after[curie].synonyms)


def _definition(curie: Curie, was: str | None, now: str | None) -> Iterator[str]:
    if was and now:
        yield f"change definition of {curie} from {_quoted(was)} to {_quoted(now)}"
    elif now:
        yield f"add definition {_quoted(now)} to {curie}"
    elif was:
        yield f"remove definition for {curie}"


def _synonyms(curie: Curie, was: Iterable[Synonym], now: Iterable[Synonym]) -> Iterator[str]:
    """A command to remove names no scope, so those whose scope alone changed come twice."""
    had, has = ({(s.text, s.scope): s for s in side} for side in (was, now))
    for text, _ in (key for key in had if key not in has):
        yield f"remove synonym {_quoted(text)} for {curie}"
    for text, scope in (key for key in has if key not in had):
        yield f"create {scope.lower()} synonym {_quoted(text)} for {curie}"


def _quoted(text: str) -> str:
    flat = " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{flat}'"
