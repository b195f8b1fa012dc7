"""A run of the stages, decided on before anything is read or asked."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core import __version__
from core.concepts.lexicon import RULES
from core.concepts.profile import Hypernyms, Profile, load_profile
from core.concepts.tools import Tools
from core.errors import InputError
from core.pipeline import confidential
from core.pipeline import oracle as oracles
from core.pipeline.prepare import ENCODER, MATCHING, Prepared, root_of
from core.pipeline.settings import (
    CLASSES,
    ConceptsSettings,
    answering,
    checked_stages,
    guideline_in_force,
    prompts,
)
from core.pipeline.taught import Taught
from core.records import Curie
from core.store import corpora, ontologies, runs
from core.store.corpora import Corpus
from core.store.digest import canonical
from core.store.guidelines import InForce
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
    learned: Taught | None = None
    """What was learned, in its version and with what is silenced now."""
    oracle: oracles.Chosen | None = None
    """What is taken from gold; None for a labelling."""

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """What the labels of the run depend on, by name, as JSON can hold it, for the fingerprint."""
        found: dict[str, Any] = {
            "annotator": f"concepts {__version__}",
            "rules": RULES,
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
        if self.learned:
            found["learned"] = self.learned.inputs
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
        lexicon, judge = prepared.lexicon, None
        if self.learned:
            lexicon = self.learned.lexicon(prepared.lexicon)
            if self.learned.learned.head is not None and self.endpoint is None and self.oracle is None:
                lexicon, judge = self.learned.names(prepared.lexicon), lexicon
        return Tools(
            profile=self.profile,
            concepts=prepared.concepts,
            lineage=prepared.lineage,
            matcher=prepared.matcher,
            lexicon=lexicon,
            judge=judge,
            threshold=self.threshold,
            guideline=self.guideline.text,
            classes=self.classes,
            direct=self.direct,
        )


def plan(workspace: Workspace, settings: ConceptsSettings) -> Plan:
    """Check all settings; reads the workspace, changes nothing.

    Raises:
        NotFoundError: no such corpus, ontology, root, learned set or gold.
        InputError: a setting cannot be used; the corpus is confidential and texts would leave this machine.
    """
    _check(settings)
    profile, endpoint = settings.profile, settings.endpoint
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    taught = Taught.find(workspace, settings.learned)
    if policy := settings.hypernyms or (taught and taught.hypernyms):
        chosen = chosen.model_copy(update={"hypernyms": Hypernyms(policy)})
    wanted = checked_stages(settings.stages, chosen)
    target = corpora.corpus(workspace, settings.corpus)
    row = ontologies.find_ontology(workspace, settings.ontology)
    if endpoint is not None:
        confidential.check_corpus(workspace, target, endpoint, to_file=settings.batch_out is not None)
    guideline = guideline_in_force(workspace, chosen)
    if endpoint is not None and "guideline" in wanted and not guideline.text.strip():
        raise InputError(
            f"The profile {chosen.name} has no guideline. Add one (`touchstone guideline add`), or leave the "
            "stage guideline out."
        )
    root = root_of(workspace, row, settings.root, chosen.root)
    helped = oracles.choose(
        workspace, settings.corpus, settings.oracle, settings.gold, direct=settings.direct
    )
    threshold = settings.threshold
    return Plan(
        run=runs.checked_name(workspace, settings.run or _run_id(settings, chosen, row.name)),
        corpus=target,
        ontology=row,
        root=root,
        profile=chosen,
        stages=wanted,
        endpoint=endpoint,
        encoder=settings.encoder,
        threshold=least(chosen, settings.encoder) if threshold is None else threshold,
        classes=settings.classes,
        direct=settings.direct,
        guideline=guideline,
        learned=taught,
        oracle=helped,
    )


def _check(settings: ConceptsSettings) -> None:
    """Raise InputError for what cannot be used, whatever the workspace holds."""
    if settings.offline == (settings.endpoint is not None):
        raise InputError("Name either an endpoint to ask (--model) or --offline.")
    if settings.classes not in CLASSES:
        raise InputError(f"The classify stage asks for 2, 3 or 4 classes, not {settings.classes}.")
    if settings.threshold is not None and not 0 <= settings.threshold <= 1:
        raise InputError(f"A threshold is a number from 0 to 1, not {settings.threshold}.")
    if settings.batch_out is not None and settings.offline:
        raise InputError("An offline run asks nothing: there is no batch to write.")


def least(profile: Profile, encoder: str = ENCODER) -> float:
    """The threshold of a run that names none: the profile's if it states one, else the encoder's."""
    from core.encode import threshold

    return threshold(encoder, hybrid=True) if profile.threshold is None else profile.threshold


def _run_id(settings: ConceptsSettings, profile: Profile, ontology: str) -> str:
    made = f"{profile.name}-{settings.corpus}-{ontology}-{maker(settings.endpoint)}"
    if settings.learned:
        made += f"-{settings.learned.partition('@')[0]}"
    return f"{made}-oracle-{settings.oracle}" if settings.oracle else made


def maker(endpoint: Endpoint | None) -> str:
    """What makes the labels, as a part of a run's id."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", endpoint.model).strip("-") if endpoint else "offline"
