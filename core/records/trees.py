"""Label trees as they are kept: what each was built from, so that it can be built again."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.records.vocabulary import Curie

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TreeSource(_Record):
    """One version of one ontology that a tree is of."""

    reference: str
    """`NAME@VERSION`"""
    sha256: Sha256
    root: Curie | None = None
    """Its descendants are the concepts; None: every live concept, or whatever an imported file holds."""


class Recipe(_Record):
    """What a tree was made of and how; what an imported one does not tell is None."""

    ontologies: tuple[TreeSource, ...] = ()
    kind: Literal["osi", "ssi", "ossi"] | None = None
    relations: tuple[str, ...] = ()
    """Links of the ontology beside is_a that count."""
    neighbours: int | None = None
    encoder: str | None = None
    """Identity of the encoder whose vectors say what is near."""
    rule: Literal["max", "sum"] | None = None
    """What a link weighs that ontology and encoder both give."""
    method: str | None = None
    seed: int | None = None
    """Of a method that draws by chance."""
    file: str | None = None
    """Name of the imported file. From outside: text, never a path."""
    file_sha256: Sha256 | None = None
    renumbered: bool | None = None
    """Whether gaps between its sibling numbers were closed."""
