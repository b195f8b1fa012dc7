"""A run of claim pairs, decided on before anything is read or asked."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core import __version__
from core.conflicts import STAGES
from core.errors import InputError
from core.pipeline import confidential
from core.pipeline.plan import maker
from core.pipeline.settings import RunSettings, answering
from core.records import Tier
from core.store import corpora, runs
from core.store.corpora import Corpus
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.conflicts.mine import Mining
    from core.llm import Endpoint


MINE, ANNOTATE = "mine", "annotate"
MINING = ("neighbours", "by_words", "least_sim", "least_score", "cap", "per_article")
"""Settings of mining that a user may choose."""


def checked_stages(stages: Sequence[str] | None) -> tuple[str, ...]:
    """The stages of a run, default all.

    Raises:
        InputError: not the first ones in their order: each stage works on what the one before it found.
    """
    chosen = tuple(stages or STAGES)
    if chosen != STAGES[: len(chosen)]:
        raise InputError(
            f"Stages {', '.join(chosen)!r} cannot be run: each works on what the one before it found. "
            f"Name the first few of {', '.join(STAGES)}, in this order."
        )
    return chosen


def mining_of(given: Mapping[str, Any]) -> Mining:
    """The settings of mining, those not given by default; with `mining` "paper" as in paper 004.

    Raises:
        InputError: one of them cannot be used.
    """
    from core.conflicts.mine import PAPER, Mining

    chosen = {name: given[name] for name in MINING if given.get(name) is not None}
    return Mining(**{**(PAPER if given.get("mining") == "paper" else {}), **chosen})


@dataclass(frozen=True, kw_only=True)
class ConflictsSettings(RunSettings):
    """How a run of claim pairs is begun. Its stages are the first few of `core.conflicts.STAGES`."""

    mining: Mining | None = None
    """Which claims are paired; None: by default."""
    tier: Tier | None = None
    """Ask about this queue only; the run then waits to be taken up with the others."""


@dataclass(frozen=True)
class ConflictsPlan:
    workspace: Workspace
    run: str
    corpus: Corpus
    stages: tuple[str, ...]
    endpoint: Endpoint | None
    """None for an offline run."""
    encoder: str
    mining: Mining

    @cached_property
    def content(self) -> str:
        """sha256, hex, of all that the corpus holds: a collected one may have grown under its name."""
        return corpora.content_digest(self.workspace, self.corpus.id)

    @cached_property
    def encoder_identity(self) -> str:
        """Name and fingerprint of the encoder; the name alone where it is not on this machine yet."""
        from core.encode.models import identity

        return identity(self.encoder) or self.encoder

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """What the labels of the run depend on, by name, as JSON can hold it, for the fingerprint."""
        found: dict[str, Any] = {
            "annotator": f"conflicts {__version__}",
            "form": "asked" if self.endpoint else "offline",
            "corpus": self.corpus.name,
            "corpus_passages": self.corpus.passages,
            "corpus_content": self.content,
            "domain": self.corpus.domain,
            "stages": list(self.stages),
        }
        if MINE in self.stages:
            found["encoder"] = self.encoder_identity
            found["mining"] = json.loads(json.dumps(dataclasses.asdict(self.mining)))
            if self.mining.order == "score" and not self.mining.by_words:  # runs of before could do no other
                del found["mining"]["order"], found["mining"]["by_words"]
        if self.endpoint and ANNOTATE in self.stages:
            from core.conflicts.annotate.prompt import prompt

            found["endpoint"] = answering(self.endpoint)
            found["models"] = {ANNOTATE: self.endpoint.model_for(ANNOTATE)}
            found["prompts"] = {ANNOTATE: [prompt().title]}
        return found

    @property
    def source(self) -> str:
        """What makes the labels, in words: the model, or the offline form."""
        if self.endpoint is None:
            return f"conflicts offline {__version__}"
        return self.endpoint.model_for(ANNOTATE)


def plan_conflicts(workspace: Workspace, settings: ConflictsSettings) -> ConflictsPlan:
    """Check all settings; reads the workspace, changes nothing.

    Raises:
        NotFoundError: no such corpus.
        InputError: a setting cannot be used; the corpus is confidential and texts would leave this machine.
    """
    from core.conflicts.mine import Mining

    endpoint, to_file = settings.endpoint, settings.batch_out is not None
    wanted = checked_stages(settings.stages)
    if ANNOTATE in wanted and settings.offline == (endpoint is not None):
        raise InputError("Name either an endpoint to ask (--model) or --offline.")
    if settings.offline and endpoint is not None:
        raise InputError("An offline run asks nothing: leave --model out, or --offline.")
    if to_file and endpoint is None:
        raise InputError("An offline run asks nothing: there is no batch to write.")
    target = corpora.corpus(workspace, settings.corpus)
    if endpoint is not None:
        confidential.check_corpus(workspace, target, endpoint, to_file=to_file)
    name = settings.run or f"conflicts-{settings.corpus}-{maker(endpoint)}"
    return ConflictsPlan(
        workspace=workspace,
        run=runs.checked_name(workspace, name),
        corpus=target,
        stages=wanted,
        endpoint=endpoint,
        encoder=settings.encoder,
        mining=settings.mining or Mining(),
    )
