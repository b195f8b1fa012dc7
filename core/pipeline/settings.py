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
from core.store.digest import canonical
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint
    from core.pipeline.plan import Plan

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


def prompts(folder: Path) -> list[str]:
    """Name and version of each prompt file of a stage, such as `claims@3f2a91c04d5e`."""
    return [
        f"{path.stem}@{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
        for path in sorted(folder.glob("*.md"))
    ]


def answering(endpoint: Endpoint) -> dict[str, Any]:
    """The settings of an endpoint that its answers depend on."""
    known = endpoint.settings()
    return {name: known[name] for name in ANSWERING}


def inputs(plan: Plan) -> dict[str, Any]:
    """What the labels of a run depend on, by name, as JSON can hold it."""
    found: dict[str, Any] = {
        "annotator": f"concepts {__version__}",
        "form": "asked" if plan.endpoint else "offline",
        "corpus": plan.corpus.name,
        "corpus_passages": plan.corpus.passages,
        "corpus_sha256": plan.corpus.sha256,
        "ontology": plan.ontology.reference,
        "ontology_sha256": plan.ontology.sha256,
        "root": plan.root,
        "profile": plan.profile.name,
        "profile_sha256": hashlib.sha256(canonical(plan.profile.model_dump(mode="json"))).hexdigest(),
        "stages": list(plan.stages),
        "encoder": plan.encoder,
        "matching": MATCHING,
        "threshold": plan.threshold,
        "classes": plan.classes,
        "direct": plan.direct,
        "guideline": plan.guideline.reference if "guideline" in plan.stages else None,
    }
    if plan.oracle:
        found["oracle"] = {"takes": plan.oracle.kind, "gold": plan.oracle.gold}
    if plan.endpoint:
        found["endpoint"] = answering(plan.endpoint)
        found["models"] = {stage: plan.endpoint.model_for(stage) for stage in plan.stages}
        found["prompts"] = {stage: prompts(FOLDER / stage) for stage in plan.stages}
    return found
