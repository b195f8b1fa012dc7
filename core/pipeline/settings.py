"""How a run is begun, and what of it its labels depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import concepts
from core.concepts import STAGES
from core.concepts.profile import Hypernyms, Profile
from core.errors import InputError
from core.pipeline.prepare import ENCODER
from core.records import Curie
from core.store import guidelines
from core.store.guidelines import InForce
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint, Spending

FOLDER = Path(concepts.__file__).parent
CLASSES = (2, 3, 4)
ANSWERING = ("base_url", "max_tokens", "temperature", "seed", "json_schema")
"""Settings of an endpoint that its answers depend on; the others say how fast and how patiently to ask."""


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How a run of stages is begun, as whoever begins it says; a plan checks it."""

    corpus: str
    stages: Sequence[str] | None = None
    """Some of the stages in their order, the first one first; None: the default ones."""
    offline: bool = False
    """By rule alone; else `endpoint` is asked."""
    endpoint: Endpoint | None = None
    run: str | None = None
    """Run id; None: made from corpus, what makes the labels, and so on."""
    encoder: str = ENCODER
    threads: int | None = None
    """Of the encoder."""
    ceiling: float | None = None
    """US dollars that the run may cost in all, its earlier starts included."""
    ceiling_tokens: int | None = None
    """Tokens that it may read and write in all, counted here where they are not reported."""
    prices: Path | None = None
    """A file like data/prices.yaml, for models that the shipped one does not know."""
    price: str | None = None
    """`IN,OUT` of the models asked, US dollars per million tokens."""
    batch_out: Path | None = None
    """Write the requests to this OpenAI Batch file instead of sending them."""
    retry_failed: bool = False
    """Items without a usable answer are tried anew; a run that is done is taken up again. Answers that came,
    in a usable form or not, are not paid for again."""

    def spending(self) -> Spending:
        """What the run may spend, and at which prices.

        Raises:
            EndpointError: nothing would keep the ceiling.
            InputError: file or price cannot be read.
        """
        from core.llm import Spending

        may = Spending(self.ceiling, self.ceiling_tokens, self.prices, self.price)
        if self.endpoint is not None:
            may.check(self.endpoint.names())
        return may

    def options(self, **of_kind: str | None) -> dict[str, Any]:
        """What a run keeps of how it was begun, to be gone on with, besides what its labels depend on."""
        return {
            "threads": self.threads,
            **self.spending().options(),
            **{name: value for name, value in of_kind.items() if value is not None},
            "endpoint": self.endpoint.settings() if self.endpoint else None,
        }


@dataclass(frozen=True, kw_only=True)
class ConceptsSettings(RunSettings):
    """How a run of the five stages is begun."""

    ontology: str
    """`NAME` or `NAME@VERSION`."""
    profile: str | Path | Profile
    """A shipped one by name, a YAML file, or the profile itself."""
    root: Curie | None = None
    """Only concepts below this one; None: the profile's, else the ontology's own."""
    threshold: float | None = None
    """Least similarity, in [0, 1]; None: the profile's if it states one, else the encoder's."""
    classes: int = 4
    """2, 3 or 4: how finely the classify stage asks."""
    direct: bool = False
    """Concept names from the passage itself, without claims."""
    hypernyms: Hypernyms | None = None
    """What becomes of concepts that are more general than another one; None: as the profile says."""
    learned: str | None = None
    """What was learned (`core.pipeline.learn`), `NAME` or `NAME@VERSION`."""
    oracle: str | None = None
    """`sentences`, `candidates` or `assertions`, to be taken from `gold`: an ablation that has seen the
    answers, and no labelling."""
    gold: str | None = None
    """A gold reference (`core.store.gold`); only with an oracle."""


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
    return guidelines.in_force(workspace, profile.name, profile.guideline)


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
