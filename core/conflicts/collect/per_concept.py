"""Queries that ask for the newest abstracts on each concept of an ontology (paper 000, appendix A.1.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.conflicts.collect.query import Query
from core.conflicts.collect.syntax import OPERATORS
from core.records import Concept

SHORTEST = 4
"""Letters of a synonym that is asked for: a shorter one is an abbreviation of many things."""
NAMES = 30
"""Names of one concept that are asked for, in the ontology's order, its own first."""

_ABBREVIATION = re.compile(r"abbreviation|OMO:0003000$", re.IGNORECASE)
_MARKS = re.compile(r'["“”„«»\[\]()*\\:;<>{}^~|]+')


def concept_queries(concepts: Iterable[Concept], most: int, *, since: int | None = None) -> Iterator[Query]:
    """A query for each live concept: its name or any of its exact synonyms, as phrases in title or abstract.

    Marks that mean something to either source become spaces; abbreviations are left out. A concept without a
    name that can be asked for yields none.

    Args:
        most: abstracts of each concept, newest first.
    """
    for concept in concepts:
        if concept.obsolete:
            continue
        names = list(_names(concept))[:NAMES]
        if not names:
            continue
        yield Query(
            name=concept.curie,
            pubmed=" OR ".join(f'"{name}"[tiab]' for name in names),
            europepmc=" OR ".join(f'TITLE_ABS:"{name}"' for name in names),
            since=since,
            most=most,
            meta={"concept": concept.curie},
        )


def _names(concept: Concept) -> Iterator[str]:
    exact = [
        synonym.text
        for synonym in concept.synonyms
        if synonym.scope == "EXACT" and not _ABBREVIATION.search(synonym.type or "")
    ]
    seen: set[str] = set()
    for place, given in enumerate((concept.name, *exact)):
        name = " ".join(_MARKS.sub(" ", "".join(c if c.isprintable() else " " for c in given)).split())
        if place and sum(c.isalnum() for c in name) < SHORTEST:
            continue
        if not any(c.isalpha() for c in name) or name.upper() in OPERATORS or name.casefold() in seen:
            continue
        seen.add(name.casefold())
        yield name
