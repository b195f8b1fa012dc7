"""What the stages work with. The caller builds it once per run and passes it to every stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from core.concepts.lexicon import Lexicon
from core.concepts.profile import Profile
from core.encode import Match
from core.ontology.lineage import Lineage
from core.records import Concept, Curie

if TYPE_CHECKING:
    from core.llm import Asker  # openai is not loaded before a stage asks


class Matcher(Protocol):
    """The encoder's index over all names and synonyms under the root (`core.encode.NameIndex`)."""

    def nearest(self, names: Sequence[str], k: int = 1) -> list[list[Match]]:
        """For each name its k nearest concepts, best first, each concept once."""
        ...


@dataclass(frozen=True)
class Tools:
    """Everything a stage may need besides the passage. Offline runs have no `asker`."""

    profile: Profile
    concepts: tuple[Concept, ...]
    """Live concepts below the root, the root itself excluded."""
    lineage: Lineage
    matcher: Matcher
    lexicon: Lexicon
    """What the first stage reads with: the dictionary, and learned names where there are any."""
    threshold: float
    """Least s at which a name is taken for a concept: the encoder's, a setting of the run."""
    asker: Asker | None = None
    judge: Lexicon | None = None
    """The same with a learned head (`core.concepts.judged`); None where none was learned."""
    guideline: str = ""
    """The guideline summary in force: a stored version, else the profile's text."""
    classes: int = 4
    """2, 3 or 4: how finely the classify stage asks (HI-ALD, section 3.2 compares them)."""
    direct: bool = False
    """Generate concept names from the passage itself, without claims: for the ablation."""

    @cached_property
    def by_id(self) -> dict[Curie, Concept]:
        return {concept.curie: concept for concept in self.concepts}

    @cached_property
    def by_name(self) -> dict[str, Curie]:
        """Lower-cased primary name -> concept."""
        return {concept.name.lower(): concept.curie for concept in self.concepts}
