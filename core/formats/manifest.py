"""The manifest beside an exported file: what it is, where it came from, and how to tell that it is whole."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["proposals", "gold", "decisions", "claims", "pairs", "tasks", "adjudicated"]
"""The last four are of runs of claim pairs alone: claims, candidates, tasks for annotators, settled pairs."""
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class OntologyPart(Part):
    """The ontology version whose concepts the labels name."""

    name: str
    version: str
    sha256: Sha256


class RunPart(Part):
    """The run that made the proposals."""

    id: str
    kind: str
    source: str
    status: str
    fingerprint: str = Field(description="sha256 of inputs, settings, prompts and model.")
    digest: str | None = Field(description="sha256 of all proposals of the run; null until it is done.")
    mining: dict[str, Any] | None = Field(
        default=None, description="How pairs of claims were found: the settings of mining; else null."
    )


class HistoryPart(Part):
    """The end of the decision history when the file was written."""

    number: int = Field(ge=0, description="Of the last decision; 0 where there is none.")
    link: Sha256 = Field(description="Its link in the hash chain, which covers every earlier decision.")


class Manifest(Part):
    """Provenance of one exported file."""

    file: str
    sha256: Sha256 = Field(description="Of the file as written, compressed if it is.")
    size: int = Field(ge=0, description="Of the file, in bytes.")
    format: str
    what: Kind
    touchstone: str = Field(description="Version of Touchstone that wrote the file.")
    workspace: str = Field(description="UUID of the workspace.")
    created: str = Field(description="UTC.")
    corpus: str | None = None
    ontology: OntologyPart | None = None
    run: RunPart | None = None
    gold: str | None = Field(default=None, description="Gold reference, pinned to a number or version.")
    history: HistoryPart
    counts: dict[str, int]
    left_out: dict[str, int] = Field(
        default={}, description="Field to how often the format had no place for its value."
    )
