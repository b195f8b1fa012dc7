"""What the labels of a run depend on. A run goes on only as long as none of it has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core import __version__, concepts
from core.concepts import STAGES
from core.concepts.profile import Profile
from core.errors import InputError
from core.pipeline.prepare import MATCHING
from core.store import guidelines
from core.store.corpora import Corpus
from core.store.digest import canonical
from core.store.ontologies import OntologyRow
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint

FOLDER = Path(concepts.__file__).parent
CLASSES = (2, 3, 4)
ANSWERING = ("base_url", "max_tokens", "temperature", "seed", "json_schema")
"""Settings of an endpoint that its answers depend on; the others say how fast and how patiently to ask."""


class InForce(NamedTuple):
    """The text the guideline stage goes by."""

    text: str
    reference: str
    """`PROFILE@VERSION` of a stored summary, or `profile` for the profile's own text."""


def checked_stages(stages: Sequence[str] | None, profile: Profile) -> tuple[str, ...]:
    """The stages of a run, default the profile's.

    Raises:
        InputError: an unknown stage, one twice, another order, or another first stage than `generate`.
    """
    chosen = tuple(stages or profile.default_stages)
    in_order = tuple(stage for stage in STAGES if stage in chosen)
    if chosen != in_order or not chosen or chosen[0] != STAGES[0]:
        raise InputError(
            f"Stages {', '.join(chosen)!r} cannot be run. Name some of {', '.join(STAGES)}, in this order, "
            f"{STAGES[0]} first."
        )
    return chosen


def guideline_in_force(workspace: Workspace, profile: Profile) -> InForce:
    """The latest stored summary of the profile, else the profile's own text."""
    stored = guidelines.latest(workspace, profile.name)
    return InForce(stored.summary, stored.reference) if stored else InForce(profile.guideline, "profile")


def prompts(stage: str) -> list[str]:
    """Name and version of each prompt file of a stage, such as `claims@3f2a91c04d5e`."""
    return [
        f"{path.stem}@{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
        for path in sorted((FOLDER / stage).glob("*.md"))
    ]


def inputs(
    *,
    corpus: Corpus,
    ontology: OntologyRow,
    root: str | None,
    profile: Profile,
    stages: Sequence[str],
    endpoint: Endpoint | None,
    encoder: str,
    threshold: float,
    classes: int,
    direct: bool,
    guideline: InForce,
) -> dict[str, Any]:
    """By name, as JSON can hold it; `endpoint` None for an offline run."""
    found: dict[str, Any] = {
        "annotator": f"concepts {__version__}",
        "form": "asked" if endpoint else "offline",
        "corpus": corpus.name,
        "corpus_passages": corpus.passages,
        "corpus_sha256": corpus.sha256,
        "ontology": ontology.reference,
        "ontology_sha256": ontology.sha256,
        "root": root,
        "profile": profile.name,
        "profile_sha256": hashlib.sha256(canonical(profile.model_dump(mode="json"))).hexdigest(),
        "stages": list(stages),
        "encoder": encoder,
        "matching": MATCHING,
        "threshold": threshold,
        "classes": classes,
        "direct": direct,
        "guideline": guideline.reference if "guideline" in stages else None,
    }
    if endpoint:
        answering = endpoint.settings()
        found["endpoint"] = {name: answering[name] for name in ANSWERING}
        found["models"] = {stage: endpoint.model_for(stage) for stage in stages}
        found["prompts"] = {stage: prompts(stage) for stage in stages}
    return found
