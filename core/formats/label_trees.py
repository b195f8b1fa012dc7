"""Index files: a JSON object, concept id to the list of integers that is its path from the root.

    {"HP:0000002": [5, 3, 2, 0], ...}

Or the same as CSV, with a row for each concept: `concept_id`, `index` ("5 3 2 0"), and its `label`, which is
not read.

An id may be a CURIE or an OBO address (`http://purl.obolibrary.org/obo/HP_0000002`), which is read as the
CURIE. What the tree is worth (unique, every concept a leaf, at most 10 children) is measured, not demanded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from core.formats.documents import curie
from core.formats.rows import RowError, shown
from core.formats.source import Source
from core.formats.strict_json import LARGEST, JsonFault, loads
from core.formats.tables import GUARDED, read_table, write_table
from core.records import Curie

Indices = dict[Curie, tuple[int, ...]]

DEEPEST = 1000
"""Numbers in one index; deeper is no tree that anybody chooses from."""


def read_indices(path: Path | str) -> Indices:
    """Concept id -> index of a file, plain or gzipped.

    Raises:
        InputError: the file cannot be read, holds no index, or an entry is no list of whole numbers from 0;
            an empty list included, since every concept has at least one choice above it.
    """
    source = Source(path)
    found: Indices = {}
    for key, value in _rows(source) if _is_csv(source) else _entries(source):
        concept = curie(key)
        if concept in found:
            raise InputError(
                f"{source.name} gives {shown(concept)} two indices, as an address and as an id. Keep one."
            )
        if not _is_index(value):
            raise InputError(
                f"{source.name}, {shown(key)}: {shown(value)} is no index. Write a list of 1 to {DEEPEST} "
                f"whole numbers from 0 to {LARGEST}, the path from the root."
            )
        found[concept] = tuple(value)
    if not found:
        raise InputError(f"{source.name} holds no concept. Name an index file with at least one.")
    return found


def _is_csv(source: Source) -> bool:
    return ".csv" in (suffix.lower() for suffix in source.path.suffixes[-2:])


def _entries(source: Source) -> Iterable[tuple[str, object]]:
    try:
        given = loads(source.whole())
    except JsonFault as fault:
        raise InputError(f"{source.name}, line {fault.line}: {fault.cause}. Correct the file.") from None
    if not isinstance(given, dict):
        raise InputError(
            f"{source.name} is no JSON object. An index is written as {{concept id: [5, 3, 0]}}."
        )
    return given.items()


def _rows(source: Source) -> Iterable[tuple[str, object]]:
    for line, row in read_table(source, ("concept_id", "index")):
        if isinstance(row, RowError):
            raise InputError(f"{source.name}, line {line}: {row.cause}. Correct the file.")
        numbers = row["index"].split()
        whole = all(number.isascii() and number.isdigit() and len(number) < 10 for number in numbers)
        yield row["concept_id"], [int(number) for number in numbers] if whole else row["index"]


def write_csv(indices: Mapping[Curie, tuple[int, ...]], labels: Mapping[Curie, str], out: BinaryIO) -> None:
    """Write a row for each concept, in the order of indices, so that a branch of the tree stands together."""
    rows = (
        {"concept_id": concept, "label": labels.get(concept), "index": " ".join(map(str, index))}
        for concept, index in sorted(indices.items(), key=lambda entry: (entry[1], entry[0]))
    )
    write_table(("concept_id", "label", "index", GUARDED), rows, out)


def _is_index(value: object) -> bool:
    return (
        isinstance(value, list)
        and 0 < len(value) <= DEEPEST
        and all(type(number) is int and 0 <= number <= LARGEST for number in value)
    )
