"""Tools without a model that answers, on the demonstration ontology: for the offline twins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from core.concepts import classify, generate, guideline, relabel, select
from core.concepts.tools import Tools
from core.encode import Match
from core.ontology.lineage import Lineage
from core.records import Labelling, Passage, StageRecord
from tests.concepts import scripted

Stage = Callable[[Iterable[Labelling], Tools], Iterator[Labelling]]
STAGES: dict[str, Stage] = {
    "generate": generate.run,
    "classify": classify.run,
    "relabel": relabel.run,
    "guideline": guideline.run,
    "select": select.run,
}


class WordsOnly:
    """Knows no vectors; notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def nearest(self, names: Sequence[str], k: int = 1) -> list[list[Match]]:
        self.asked.append(list(names))
        return [[] for _ in names]


def tools(*, vectors: bool = False, threshold: float = 0.6, direct: bool = False, **profile: Any) -> Tools:
    """Tools for a run below Phenotypic abnormality; `profile` changes fields of the profile `hpa`."""
    return Tools(
        scripted.profile(**profile),
        scripted.below(),
        Lineage.of(scripted.ontology()),
        scripted.Names() if vectors else WordsOnly(),
        scripted.lexicon(),
        threshold,
        direct=direct,
    )


def run(text: str, stages: str, made: Tools | None = None) -> Labelling:
    """One passage through stages, named in one string."""
    labellings: Iterable[Labelling] = [start(text)]
    for stage in stages.split():
        labellings = STAGES[stage](labellings, made or tools())
    (result,) = labellings
    return result


def start(text: str, number: int = 1) -> Labelling:
    return Labelling(Passage(number, "alpha", f"d{number}", number, text))


def labels(labelling: Labelling) -> list[str]:
    return [candidate.label for candidate in labelling.candidates]


def records(labelling: Labelling, stage: str, verdict: str) -> list[StageRecord]:
    return [r for r in labelling.records if r.stage == stage and r.verdict == verdict]
