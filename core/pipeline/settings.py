"""What the labels of a run depend on. A run goes on only as long as none of it has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core import concepts
from core.concepts import STAGES
from core.concepts.profile import Profile
from core.errors import InputError
from core.store import guidelines
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


def answering(endpoint: Endpoint) -> dict[str, Any]:
    """The settings of an endpoint that its answers depend on."""
    known = endpoint.settings()
    return {name: known[name] for name in ANSWERING}
