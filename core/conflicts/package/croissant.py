"""Croissant metadata of a release: which files it has, and which columns, as JSON-LD that other tools read.

Source: MLCommons, Croissant format specification 1.0. Held against `mlcroissant` in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.conflicts.package.features import features
from core.conflicts.package.fields import described
from core.conflicts.package.fit import SPLITS
from core.records import ConflictType

_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The terms of the format, each as its specification maps it."""
_TYPES = {"string": "sc:Text", "int64": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean"}


def metadata(
    title: str,
    description: str,
    *,
    version: str,
    licence: str,
    files: Mapping[str, tuple[str, int]],
    cited: str,
) -> dict[str, Any]:
    """The metadata as a JSON-LD object.

    Args:
        licence: one name or address for all of it.
        files: split -> (sha256, bytes) of its file; a split without rows is left out, as no reader reads it.
        cited: how to cite it.
    """
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": title,
        "description": description,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": licence,
        "version": version,
        "citeAs": cited,
        "url": ".",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": f"{split}.jsonl",
                "name": f"{split}.jsonl",
                "contentUrl": f"{split}.jsonl",
                "contentSize": f"{size} B",
                "encodingFormat": "application/jsonlines",
                "sha256": digest,
            }
            for split, (digest, size) in files.items()
            if size and split in SPLITS
        ],
        "recordSet": [_records(split) for split, (_, size) in files.items() if size and split in SPLITS],
    }


def _records(split: str) -> dict[str, Any]:
    """The columns that hold one plain value, or a list of them."""
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"Claim pairs of the split {split}.",
        "field": [_field(split, one) for one in features() if _plain(one) is not None],
    }


def _field(split: str, feature: Mapping[str, Any]) -> dict[str, Any]:
    name = feature["name"]
    said = described(name)
    if name == "conflict_type":
        said += f" {', '.join(ConflictType)}."
    return {
        "@type": "cr:Field",
        "@id": f"{split}/{name}",
        "name": name,
        "description": said,
        "dataType": _plain(feature),
        **({"repeated": True} if "sequence" in feature else {}),
        "source": {"fileObject": {"@id": f"{split}.jsonl"}, "extract": {"column": name}},
    }


def _plain(feature: Mapping[str, Any]) -> str | None:
    kind = feature.get("dtype", feature.get("sequence"))
    if isinstance(kind, dict) and "class_label" in kind:
        return "sc:Text"
    return _TYPES.get(kind) if isinstance(kind, str) else None
