"""A run of the stages, decided on before anything is read or asked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import __version__
from core.concepts.profile import Profile, load_profile
from core.concepts.tools import Tools
from core.errors import InputError
from core.pipeline import confidential, settings
from core.pipeline import oracle as oracles
from core.pipeline.prepare import ENCODER, MATCHING, Prepared, root_of
from core.pipeline.settings import InForce, answering, prompts
from core.records import Curie
from core.store import corpora, ontologies, runs
from core.store.corpora import Corpus
from core.store.digest import canonical
from core.store.ontologies import OntologyRow
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint


@dataclass(frozen=True)
class Plan:
    run: str
    corpus: Corpus
    ontology: OntologyRow
    root: Curie | None
    profile: Profile
    stages: tuple[str, ...]
    endpoint: Endpoint | None
    """None for an offline run."""
    encoder: str
    threshold: float
    classes: int
    direct: bool
    guideline: InForce
    oracle: oracles.Chosen | None = None
    """What is taken from gold; None for a labelling."""

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """What the labels of the run depend on, by name, as JSON can hold it, for the fingerprint."""
        found: dict[str, Any] = {
            "annotator": f"concepts {__version__}",
            "form": "asked" if self.endpoint else "offline",
            "corpus": self.corpus.name,
            "corpus_passages": self.corpus.passages,
            "corpus_sha256": self.corpus.sha256,
            "ontology": self.ontology.reference,
            "ontology_sha256": self.ontology.sha256,
            "root": self.root,
            "profile": self.profile.name,
            "profile_sha256": hashlib.sha256(canonical(self.profile.model_dump(mode="json"))).hexdigest(),
            "stages": list(self.stages),
            "encoder": self.encoder,
            "matching": MATCHING,
            "threshold": self.threshold,
            "classes": self.classes,
            "direct": self.direct,
            "guideline": self.guideline.reference if "guideline" in self.stages else None,
        }
        if self.oracle:
            found["oracle"] = {"takes": self.oracle.kind, "gold": self.oracle.gold}
        if self.endpoint:
            found["endpoint"] = answering(self.endpoint)
            found["models"] = {stage: self.endpoint.model_for(stage) for stage in self.stages}
            found["prompts"] = {stage: prompts(stage) for stage in self.stages}
        return found

    @property
    def source(self) -> str:
        """What makes the labels, in words: the model or models, or the offline form; and the oracle."""
        made = f"concepts offline {__version__}"
        if self.endpoint is not None:
            made = ", ".join(dict.fromkeys(self.endpoint.model_for(stage) for stage in self.stages))
        return f"{made}, oracle: {self.oracle}" if self.oracle else made

    def tools(self, prepared: Prepared) -> Tools:
        """Without an asker.

        Raises:
            InputError: it was prepared for another ontology, root or encoder.
        """
        made_for = (prepared.ontology.sha256, prepared.root, prepared.encoder)
        if made_for != (self.ontology.sha256, self.root, self.encoder):
            raise InputError(
                f"What was prepared for {prepared.ontology.reference} below {prepared.root} does not fit "
                f"{self.ontology.reference} below {self.root}. Prepare it anew."
            )
        return Tools(
            profile=self.profile,
            concepts=prepared.concepts,
            lineage=prepared.lineage,
            matcher=prepared.matcher,
            lexicon=prepared.lexicon,
            threshold=self.threshold,
            guideline=self.guideline.text,
            classes=self.classes,
            direct=self.direct,
        )


def plan(
    workspace: Workspace,
    *,
    corpus: str,
    ontology: str,
    profile: str | Path | Profile,
    stages: Sequence[str] | None = None,
    offline: bool = False,
    endpoint: Endpoint | None = None,
    root: Curie | None = None,
    run: str | None = None,
    encoder: str = ENCODER,
    threshold: float | None = None,
    classes: int = 4,
    direct: bool = False,
    oracle: str | None = None,
    gold: str | None = None,
    to_file: bool = False,
) -> Plan:
    """Check all settings; reads the workspace, changes nothing. Arguments as for `run_concepts`.

    Args:
        to_file: requests are to be written to a batch file.

    Raises:
        NotFoundError: no such corpus, ontology, root or gold.
        InputError: a setting cannot be used; the corpus is confidential and texts would leave this machine.
    """
    if offline == (endpoint is not None):
        raise InputError("Name either an endpoint to ask (--model) or --offline.")
    if classes not in settings.CLASSES:
        raise InputError(f"The classify stage asks for 2, 3 or 4 classes, not {classes}.")
    if threshold is not None and not 0 <= threshold <= 1:
        raise InputError(f"A threshold is a number from 0 to 1, not {threshold}.")
    if to_file and offline:
        raise InputError("An offline run asks nothing: there is no batch to write.")
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    wanted = settings.checked_stages(stages, chosen)
    target = corpora.corpus(workspace, corpus)
    row = ontologies.find_ontology(workspace, ontology)
    if endpoint is not None:
        confidential.check_corpus(workspace, target, endpoint, to_file=to_file)
    guideline = settings.guideline_in_force(workspace, chosen)
    if endpoint is not None and "guideline" in wanted and not guideline.text.strip():
        raise InputError(
            f"The profile {chosen.name} has no guideline. Add one (`touchstone guideline add`), or leave the "
            "stage guideline out."
        )
    root = root_of(workspace, row, root, chosen.root)
    helped = oracles.choose(workspace, corpus, oracle, gold, direct=direct)
    if threshold is None:
        threshold = least(chosen, encoder)
    return Plan(
        run=runs.checked_name(workspace, run or _run_id(chosen, corpus, row.name, endpoint, oracle)),
        corpus=target,
        ontology=row,
        root=root,
        profile=chosen,
        stages=wanted,
        endpoint=endpoint,
        encoder=encoder,
        threshold=threshold,
        classes=classes,
        direct=direct,
        guideline=guideline,
        oracle=helped,
    )


def least(profile: Profile, encoder: str = ENCODER) -> float:
    """The threshold of a run that names none: the profile's if it states one, else the encoder's."""
    from core.encode import threshold

    return threshold(encoder, hybrid=True) if profile.threshold is None else profile.threshold


def _run_id(
    profile: Profile, corpus: str, ontology: str, endpoint: Endpoint | None, oracle: str | None
) -> str:
    made = f"{profile.name}-{corpus}-{ontology}-{maker(endpoint)}"
    return f"{made}-oracle-{oracle}" if oracle else made


def maker(endpoint: Endpoint | None) -> str:
    """What makes the labels, as a part of a run's id."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", endpoint.model).strip("-") if endpoint else "offline"
