"""What is judged, one file a kind: its answer and the checks of it, what can be said of it, when two agree.

A new kind is one file here and one row below. It imports records alone: no SQL, no page, no file format.
"""

from core.kinds import concept, pair, passage
from core.kinds.kind import Kind as Kind
from core.records import ItemKind

KINDS: dict[str, Kind] = {
    ItemKind.CONCEPT: concept.KIND,
    ItemKind.PAIR: pair.KIND,
    ItemKind.PASSAGE: passage.KIND,
}
