"""One concept as a dictionary entry, and the tree around it.

The tree is read as it is opened: a node's children come with the node that somebody opened, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from core.ontology.lineage import Lineage
from core.records import Concept, Curie
from core.review.search import Row, Why
from core.review.terms import Terms
from core.store import Workspace, ontologies

MOST_WAYS = 4
"""Ways to the root that are shown."""
MOST_CHILDREN = 200
"""Children of a node that are shown."""

Path = tuple[Curie, ...]
"""From a root down."""


class Near(NamedTuple):
    """Another concept, by name; without one where the ontology does not hold it."""

    curie: Curie
    name: str | None
    obsolete: bool = False


class Way(NamedTuple):
    """One way from a root down to the concept's parent."""

    steps: tuple[Near, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    concept: Concept
    asked: Curie | None
    """The id that was asked for, where the concept bore it before; None: its own."""
    parents: tuple[Near, ...]
    children: tuple[Near, ...]
    ways: tuple[Way, ...]
    """Short ones first. None for a root."""
    more_ways: bool
    """Whether there are more."""
    replaced_by: tuple[Near, ...]
    related: tuple[tuple[str, Near], ...]
    """(relation in words, the other concept): relations, and the parts of its logical definition."""


def entry(workspace: Workspace, terms: Terms, curie: Curie) -> Entry:
    """A concept by one of its ids.

    Raises:
        NotFoundError: the ontology does not hold it.
    """
    own = terms.alt_ids.get(curie, curie) if curie not in terms.names else curie
    concept = ontologies.read_concept(workspace, terms.row.id, own)
    live = own in terms.lineage
    ways = _ways(terms.lineage, own, terms.row.root) if live else []
    related = dict.fromkeys((_in_words(relation), other) for relation, other in _relations(concept))
    return Entry(
        concept,
        curie if curie != own else None,
        _by_name(terms, terms.lineage.parents(own) if live else concept.parents),
        _by_name(terms, terms.lineage.children(own)) if live else (),
        tuple(Way(tuple(_near(terms, one) for one in way)) for way in ways[:MOST_WAYS]),
        len(ways) > MOST_WAYS,
        tuple(_near(terms, one) for one in concept.replaced_by),
        tuple((relation, _near(terms, other)) for relation, other in related),
    )


def _relations(concept: Concept) -> list[tuple[str, Curie]]:
    defined = [(relation, filler) for relation, filler in concept.intersection_of if relation is not None]
    return [*concept.relations, *defined]


def _in_words(relation: str) -> str:
    """`part_of` as people write it; an id that names nothing says only that there is a relation."""
    return "related to" if ":" in relation else relation.replace("_", " ")


def _near(terms: Terms, curie: Curie) -> Near:
    name = terms.names.get(curie)
    return Near(curie, name, name is not None and curie not in terms.lineage)


def _by_name(terms: Terms, curies: Collection[Curie]) -> tuple[Near, ...]:
    return tuple(sorted((_near(terms, one) for one in curies), key=_alphabetically))


def _alphabetically(one: Near) -> tuple[str, Curie]:
    return (one.name or one.curie).casefold(), one.curie


def _ways(lineage: Lineage, curie: Curie, root: Curie | None) -> list[Path]:
    """Up to one more than `MOST_WAYS` ways from a root to the concept's parent, short ones first.

    A best-first search: how far each ancestor is from the top is known, so it goes nowhere in vain.
    """
    above = lineage.ancestors(curie)
    tops = {one for one in above if not lineage.parents(one)}
    tops = {root} if root in above else tops
    left = dict.fromkeys(tops, 0)
    level = list(tops)
    while level:
        below = {child for one in level for child in lineage.children(one) if child in above} - left.keys()
        left |= dict.fromkeys(below, left[level[0]] + 1)
        level = sorted(below)
    waiting: list[tuple[int, Path]] = [(left[p] + 1, (p,)) for p in lineage.parents(curie) if p in left]
    waiting.sort()
    found: list[Path] = []
    while waiting and len(found) <= MOST_WAYS:
        _, way = heappop(waiting)
        if way[0] in tops:
            found.append(way)
            continue
        for parent in lineage.parents(way[0]):
            if parent in left and parent not in way and parent != curie:
                heappush(waiting, (len(way) + 1 + left[parent], (parent, *way)))
    return found


# --- the tree ---------------------------------------------------------------------------------------------


class Node(NamedTuple):
    """A node of the tree that is in sight. One concept may stand in several places."""

    path: Path
    name: str
    children: int
    opened: bool
    left_out: int = 0
    """Of its children, which are too many to list."""


def tree(terms: Terms, opened: Collection[Path]) -> list[Node]:
    """Nodes in sight, each right behind its parent: the roots, and the children of those opened."""
    lineage, wanted = terms.lineage, set(opened)
    roots = [one for one in lineage.roots() if one != terms.row.root]
    first = [terms.row.root] if terms.row.root in lineage and terms.row.root else []
    # a concept that stands alone is no branch: beside a root it would only be in the way
    roots = [one for one in roots if not first or lineage.children(one)]
    found: list[Node] = []
    waiting: list[Path] = [(one.curie,) for one in reversed(_by_name(terms, roots)[:MOST_CHILDREN])]
    waiting += [(one,) for one in first]
    while waiting:
        path = waiting.pop()
        children = [one for one in lineage.children(path[-1]) if one not in path]
        is_open = bool(children) and path in wanted
        shown = _by_name(terms, children)[:MOST_CHILDREN] if is_open else ()
        left_out = len(children) - len(shown) if is_open else 0
        found.append(Node(path, terms.names[path[-1]], len(children), is_open, left_out))
        waiting += [(*path, one.curie) for one in reversed(shown)]
    return found


def open_way(found: Entry) -> list[Path]:
    """The nodes to open so that the concept is in sight, by the shortest way."""
    steps = tuple(one.curie for one in found.ways[0].steps) if found.ways else ()
    return [steps[:end] for end in range(1, len(steps) + 1)]


# --- the search -------------------------------------------------------------------------------------------


def search(workspace: Workspace, terms: Terms, typed: str) -> list[tuple[Row, bool]]:
    """(row, whether it is obsolete) for what somebody typed, best first; obsolete concepts only by their
    whole name or id."""
    if not typed.strip():
        return []
    rows = [(row, False) for row in terms.search(workspace).all(typed).rows]
    gone = ontologies.obsolete_called(workspace, terms.row.id, typed)
    return rows + [(Row(one.curie, one.name, one.name, one.scope, Why.EXACT), True) for one in gone]
