"""What every label keeps to, whoever made it; and texts that speak to whoever labels them.

The rules (issue of this stage; `core.records.inconsistencies` states them for people): axes come in the order
of the schema, each once; no conflict has neither axes nor confounder; the confounder is one of the axes.

Of the ways to mend a confounder that is not ticked, its axis is ticked: the annotator has named it as what
explains most, and to drop it would lose what was said, while an axis too many is seen and unticked at review.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.records import Axis, ConflictType, PairTask
from core.text.addressing import addresses_reader


def settled(
    conflict_type: ConflictType, axes: Iterable[Axis], confounder: Axis | None
) -> tuple[tuple[Axis, ...], Axis | None, list[str]]:
    """Axes and confounder as they can stand beside the type, and what was changed for it, in words."""
    given = set(axes)
    changes = []
    if conflict_type is ConflictType.NO_CONFLICT:
        if given:
            named = ", ".join(axis.value for axis in Axis if axis in given)
            changes.append(f"no_conflict has no axes: {named} dropped")
        if confounder is not None:
            changes.append(f"no_conflict has no confounder: {confounder.value} dropped")
        return (), None, changes
    if confounder is not None and confounder not in given:
        given.add(confounder)
        changes.append(f"the confounder {confounder.value} was not among the axes: its axis was added")
    return tuple(axis for axis in Axis if axis in given), confounder, changes


def addressed(task: PairTask) -> str:
    """A note on the sides whose title or abstract speaks to its reader; empty where neither does. A flag for
    people: nothing is refused for it."""
    notes = []
    for name, side in (("a", task.a), ("b", task.b)):
        words = addresses_reader(side.text) or addresses_reader(side.title or "")
        if words:
            shown = " ".join(words.split())[:80]
            notes.append(f"The text of side {name} speaks to its reader (“{shown}”).")
    return " ".join(notes)
