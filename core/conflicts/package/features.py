"""The front matter of a card: how Hugging Face `datasets` loads the folder.

Columns are declared, as the schema of a claim pair has them: a loader that guesses takes a column that
happens to be null in one file for a column of nulls, and refuses the next file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.conflicts.package.fit import SPLITS
from core.formats.pairs import PairRow
from core.records import Axis, ConflictType

_SCALARS = {"string": "string", "integer": "int64", "number": "float64", "boolean": "bool"}
_CLASSES: dict[str, tuple[str, ...]] = {
    "conflict_type": tuple(ConflictType),
    "dominant_confounder": tuple(Axis),
    "label_origin": ("model", "heuristic", "person"),
}
"""Columns with a fixed set of values, which a loader turns into numbers, in the order of the schema."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def front_matter(
    title: str,
    variants: Mapping[str, Mapping[str, int] | None],
    *,
    licence: str = "unknown",
    annotators: Sequence[str] = (),
) -> str:
    """YAML between its marks.

    Args:
        variants: folder -> split -> examples; "" is the folder of the card itself, and the default; None:
            there is no such variant.
        licence: as the Hub names it; `unknown`, or `other` where texts have several.
        annotators: `expert-generated` and `machine-generated`, where people or machines made labels.
    """
    import yaml

    there = {folder: sizes for folder, sizes in variants.items() if sizes is not None}
    value = {
        "pretty_name": title,
        "language": ["en"],
        "license": licence,
        "annotations_creators": list(annotators) or ["no-annotation"],
        "language_creators": ["found"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "size_categories": [_size(sum((there[""]).values()))],
        "task_categories": ["text-classification"],
        "tags": ["biomedical", "claim-pairs", "contradiction", "silver-labels"],
        "configs": [
            {
                "config_name": folder or "default",
                **({} if folder else {"default": True}),
                # a loader cannot read an empty file
                "data_files": [
                    {"split": s, "path": f"{folder}/{s}.jsonl" if folder else f"{s}.jsonl"}
                    for s in SPLITS
                    if sizes[s]
                ],
            }
            for folder, sizes in there.items()
        ],
        "dataset_info": [{"config_name": folder or "default", "features": features()} for folder in there],
    }
    return f"---\n{yaml.safe_dump(value, sort_keys=False, allow_unicode=True)}---\n"


def _size(rows: int) -> str:
    return next((name for most, name in _SIZES if rows < most), "n>1M")


def features() -> list[dict[str, Any]]:
    """A list as it stands in the front matter under `dataset_info`."""
    schema = PairRow.model_json_schema(mode="validation")
    known = schema.get("$defs", {})
    return [{"name": name, **_column(name, of, known)} for name, of in schema["properties"].items()]


def _members(schema: dict[str, Any], known: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"name": name, **_feature(of, known)} for name, of in schema["properties"].items()]


def _column(name: str, schema: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    if name in _CLASSES:
        names = {str(number): str(value) for number, value in enumerate(_CLASSES[name])}
        return {"dtype": {"class_label": {"names": names}}}
    return _feature(schema, known)


def _feature(schema: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in schema:  # a value or null
        (schema,) = [one for one in schema["anyOf"] if one.get("type") != "null"]
    if "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    if schema["type"] == "array":
        inner = _feature(schema["items"], known)
        return {"sequence": inner["dtype"]} if "dtype" in inner else {"list": inner["struct"]}
    if schema["type"] == "object":
        return {"struct": _members(schema, known)}
    return {"dtype": _SCALARS[schema["type"]]}
