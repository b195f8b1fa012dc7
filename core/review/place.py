"""Where a concept stands in its ontology: what is right above it and right below it, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.records import Curie
from core.review.terms import CHILDREN, Terms
from core.store import Workspace, ontologies

ABOVE, BELOW = 2, 3
"""Most parents and children that are named; of others their number is told."""
SHORT = 160
"""Most characters of a definition beside a name."""


def places(workspace: Workspace, terms: Terms, concepts: Iterable[Curie]) -> dict[Curie, dict[str, Any]]:
    """Concept -> `{"above": {"rows": [{"id", "name", "definition"}], "more": count}, "below": the same}`.

    The parent on the concept's path comes first, all others by name. It depends on the ontology alone, so it
    tells nothing of what a machine said. What the lineage does not hold is left out; old ids are taken for
    the concept that bears them now. What was read is kept with the terms.
    """
    now = {one: terms.alt_ids.get(one, one) for one in concepts}
    lacking = [one for one in now.values() if one in terms.lineage and one not in terms.placed]
    if lacking:
        terms.placed |= _read(workspace, terms, lacking)
    return {one: terms.placed[current] for one, current in now.items() if current in terms.placed}


def _read(workspace: Workspace, terms: Terms, concepts: Iterable[Curie]) -> dict[Curie, dict[str, Any]]:
    near: dict[Curie, tuple[list[Curie], list[Curie], int]] = {}
    for concept in concepts:
        first = terms.path(concept)[-1:]
        parents = sorted(
            terms.lineage.parents(concept), key=lambda one: (terms.names[one] not in first, terms.names[one])
        )
        all_below = terms.lineage.children(concept)
        children = sorted(all_below[:CHILDREN], key=terms.names.__getitem__)  # those that the fix panel lists
        near[concept] = parents, children, len(all_below)
    named = {one for parents, children, _ in near.values() for one in (*parents[:ABOVE], *children[:BELOW])}
    known = ontologies.look_up(workspace, terms.row.id, sorted(named))

    def side(rows: list[Curie], most: int, count: int) -> dict[str, Any]:
        shown = [
            {"id": one, "name": known[one].name, "definition": _short(known[one].definition)}
            for one in rows[:most]
            if one in known
        ]
        return {"rows": shown, "more": count - len(shown)}

    return {
        concept: {"above": side(parents, ABOVE, len(parents)), "below": side(children, BELOW, count)}
        for concept, (parents, children, count) in near.items()
    }


def _short(definition: str | None) -> str:
    text = definition or ""
    return text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"
