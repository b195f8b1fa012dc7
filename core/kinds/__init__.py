"""What is judged, one file a kind: its answer and the checks of it, what can be said of it, when two agree.

A new kind is one file here and one row below. It imports records alone: no SQL, no page, no file format.
"""

from core.kinds import concept, error, gold_change, pair, passage, repeat
from core.kinds.kind import Kind as Kind
from core.records import ItemKind

KINDS: dict[str, Kind] = {
    ItemKind.CONCEPT: concept.KIND,
    ItemKind.PAIR: pair.KIND,
    ItemKind.PASSAGE: passage.KIND,
    ItemKind.ERROR: error.KIND,
    ItemKind.GOLD_CHANGE: gold_change.KIND,
    ItemKind.PAIR_REPEAT: repeat.OF_PAIR,
    ItemKind.CONCEPT_REPEAT: repeat.OF_CONCEPT,
}


def of_runs(kind: str) -> Kind:
    """The kind of the items that runs of a kind propose: of runs of kind `conflicts`, pairs."""
    return next(one for one in KINDS.values() if kind in one.runs)


def kind_of(subject: str | None) -> Kind:
    """The kind of the items that have a subject like this: the first whose prefix it has."""
    if subject is None:
        return KINDS[ItemKind.PASSAGE]
    named = (kind for kind in KINDS.values() if kind.prefix and subject.startswith(kind.prefix))
    return next(named, KINDS[ItemKind.CONCEPT])
