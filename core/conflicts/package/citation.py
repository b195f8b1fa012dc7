"""How a release asks to be cited: CITATION.cff (Citation File Format 1.2.0)."""

from __future__ import annotations

from typing import Any

METHOD = {
    "type": "generic",
    "title": "BioDivergence: the conflict types, axes and split procedure that this release follows",
    "authors": [{"name": "The authors of BioDivergence"}],
}


def citation(title: str, *, version: str, abstract: str) -> str:
    """The file as YAML. Whoever publishes a release fills in its authors.

    Args:
        version: says which state of the labels this is.
    """
    import yaml

    value: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this data set, please cite it as below.",
        "type": "dataset",
        "title": title,
        "abstract": abstract,
        "version": version,
        "authors": [{"name": "The curators of this release"}],
        "references": [METHOD],
    }
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
