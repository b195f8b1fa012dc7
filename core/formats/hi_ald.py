"""Passages with concepts, as the HI-ALD paper (appendix A, figures 6, 9 and 10) and its repository have them.

    {"passage": "...", "HPA concepts": [{"id": "HP_0000077", "name": "Renal anomalies"}]}
    {"passage": "...", "concept_classification": [{"id", "entity", "classification", "reason"}]}

One object, a list of them, or one a line. Any field whose name ends in `concepts` lists concepts: ids
alone, or objects with `id` (or `entity_id`, `concept_id`) and `name` (or `label`, `entity`). Ids are
`HP_0000077`, addresses as in `target_concept_id_list.json`, or CURIEs. Concepts are of the passage as a
whole. Passages mostly have no `doc_id`: the document is then the one with this text.
https://github.com/bio-ie-tool/hi-ald
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.errors import InputError
from core.formats.documents import CURIE, curie
from core.formats.json import values
from core.formats.rows import Notes, Raw, RowError, Unread, shown
from core.formats.source import Source

_IDS = ("id", "entity_id", "concept_id")
_NAMES = ("name", "label", "entity")
_TEXTS = ("passage", "text")
_CLASSIFIED = "concept_classification"


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """One document for each passage, numbered from 1 where the file names none."""
    rows = enumerate(values(source), 1)
    return {}, (_document(value, number, line, source.name, notes) for number, (line, value) in rows)


def _document(value: Any, number: int, line: int, file: str, notes: Notes) -> Raw | RowError:
    if number == 1 and (what := _no_labels(value)):
        raise InputError(f"{file} is {what}. Name a file of passages with concepts.")
    if not isinstance(value, dict):
        return RowError(
            file, line, None, None, f"expected a passage with concepts, found {shown(value)}", value
        )
    lists = [name for name in value if name == _CLASSIFIED or name.lower().endswith("concepts")]
    text = next((value[name] for name in _TEXTS if name in value), None)
    if not lists or (text is None and "doc_id" not in value):
        cause = 'expected a passage and its concepts, such as "passage" and "HPA concepts"'
        return RowError(file, line, None, None, cause, value)
    annotations: list[Any] = []
    for name in lists:
        if not isinstance(value[name], list):
            return RowError(file, line, None, name, f"expected a list, found {shown(value[name])}", value)
        annotations += [found for one in value[name] if (found := _annotation(one, notes)) is not None]
    row = {key: field for key, field in value.items() if key not in (*lists, *_TEXTS)}
    row |= {"doc_id": value.get("doc_id", str(number)), "annotations": annotations}
    row |= {"text": text} if text is not None else {}
    return Raw(row, line, given=value, by_text="doc_id" not in value)


def _no_labels(value: Any) -> str | None:
    """What else of the repository a file is, by its first value."""
    if isinstance(value, str) and re.search(CURIE, curie(value)):
        return "a list of concepts, without passages"
    if isinstance(value, dict) and value and all(re.search(CURIE, curie(key)) for key in value):
        return "an index of concepts, without passages"
    return None


def _annotation(value: Any, notes: Notes) -> Any:
    if isinstance(value, str):
        return {"concept_id": value}
    if not isinstance(value, dict):
        return Unread(f"expected a concept, found {shown(value)}", value)
    if "key_observations" in value:  # stands among the concepts, and names them again
        notes.left_out["Key observations of a classification"] += 1
        return None
    fields = dict(value)
    found: dict[str, Any] = {}
    for key, names in (("concept_id", _IDS), ("label", _NAMES)):
        if given := [fields.pop(name) for name in names if name in fields]:
            found[key] = given[0]
    if isinstance(given_class := fields.pop("classification", None), str):
        found["class"] = given_class.strip().lower().removesuffix(" concept").replace(" ", "_")
    return {**fields, **found}
