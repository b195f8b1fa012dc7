"""Index files: a JSON object, concept id to the list of integers that is its path from the root.

    {"HP:0000002": [5, 3, 2, 0], ...}

An id may be a CURIE or an OBO address (`http://purl.obolibrary.org/obo/HP_0000002`), which is read as the
CURIE. What the tree is worth (unique, every concept a leaf, at most 10 children) is measured, not demanded.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from core.formats.documents import curie
from core.formats.rows import shown
from core.formats.source import Source
from core.formats.strict_json import LARGEST, JsonFault, loads
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
    try:
        given = loads(source.whole())
    except JsonFault as fault:
        raise InputError(f"{source.name}, line {fault.line}: {fault.cause}. Correct the file.") from None
    if not isinstance(given, dict):
        raise InputError(
            f"{source.name} is no JSON object. An index is written as {{concept id: [5, 3, 0]}}."
        )
    found: Indices = {}
    for key, value in given.items():
        concept = curie(key)
        if concept in found:
            raise InputError(
                f"{source.name} gives {shown(concept)} two indices, as an address and as an id. Keep one."
            )
        if not _is_index(value):
            raise InputError(
                f"{source.name}, {shown(key)}: {shown(value)} is no index. Write a list of 1 to {DEEPEST} "
                "whole numbers from 0 to {LARGEST}, the path from the root."
            )
        found[concept] = tuple(value)
    if not found:
        raise InputError(f"{source.name} holds no concept. Name an index file with at least one.")
    return found


def _is_index(value: object) -> bool:
    return (
        isinstance(value, list)
        and 0 < len(value) <= DEEPEST
        and all(type(number) is int and 0 <= number <= LARGEST for number in value)
    )
