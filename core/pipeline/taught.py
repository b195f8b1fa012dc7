"""What was learned, as runs use it; and words that people silence in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.concepts.learned import learned_lexicon
from core.concepts.learned.features import FEATURES
from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.vocabulary import form
from core.concepts.profile import Hypernyms
from core.errors import InputError
from core.records import Curie
from core.records.learned import LearnedSet
from core.store import curators, learned
from core.store.learned import LearnedRow, Mute, Silent
from core.store.workspace import Workspace


@dataclass(frozen=True)
class Taught:
    """A learned set as a run uses it."""

    row: LearnedRow
    learned: LearnedSet
    silent: Silent

    @classmethod
    def find(cls, workspace: Workspace, reference: str | None) -> Taught | None:
        """By `NAME@VERSION` or `NAME`; None where none is named.

        Raises:
            NotFoundError: there is none; the known ones are listed.
        """
        if reference is None:
            return None
        row = learned.find(workspace, reference)
        return cls(row, learned.read(workspace, row), learned.silent(workspace, row.name))

    @property
    def inputs(self) -> dict[str, Any]:
        """What the labels of a run depend on."""
        return {
            "set": self.row.reference,
            "digest": self.row.digest,
            "muted": learned.silent_digest(self.silent),
        }

    @property
    def hypernyms(self) -> Hypernyms | None:
        """What becomes of more general concepts, where that was learned."""
        return Hypernyms(self.learned.hypernyms) if self.learned.hypernyms else None

    def names(self, plain: Lexicon) -> Lexicon:
        """The dictionary with learned names, and without anybody's silenced words. Nothing else is judged."""
        known = [(one.concept, one.name) for one in self.learned.known if one.name is not None]
        return plain.taught(known, self.silent)

    def lexicon(self, plain: Lexicon) -> Lexicon:
        """The dictionary with what was learned.

        Raises:
            InputError: it was learned for other concepts, or its head asks for features that are not known.
        """
        head = self.learned.head
        if head is not None and (unknown := [name for name in head.features if name not in FEATURES]):
            raise InputError(
                f"The head of {self.row.reference} goes by {unknown[0]!r}, which this version does not know."
                " Learn the set anew, or leave --learned out."
            )
        here = {concept.curie for concept in plain.index.concepts}
        if self.learned.known and not any(one.concept in here for one in self.learned.known):
            raise InputError(
                f"The set {self.row.reference} was learned for {self.learned.ontology} and names no concept"
                " of this ontology. Learn one here, or leave --learned out."
            )
        return learned_lexicon(plain, self.learned.known, head, self.silent)


def silence(
    workspace: Workspace,
    name: str,
    text: str,
    *,
    concept: Curie | None = None,
    muted: bool = True,
    curator: str | None = None,
) -> Mute:
    """Silence words in all versions of a set, for one concept or for any, or let them speak again. Runs that
    begin from now on go by it.

    Args:
        text: the words as a text writes them; number and spelling do not matter.

    Raises:
        NotFoundError: no such set or curator.
        InputError: the text holds no word, or is not silenced.
    """
    row = learned.find(workspace, name)
    words = form(text)
    if not words:
        raise InputError(f"{text!r} holds no word. Name the words that shall say nothing.")
    if not muted and (concept, words) not in learned.silent(workspace, row.name):
        raise InputError(f"{text!r} is not silenced in {row.name}. `touchstone learned show` lists what is.")
    if curator is not None:
        curators.find_curator(workspace, curator)
    with workspace.write() as db:
        learned.mute(db, row.name, words, concept=concept, muted=muted, curator=curator)
    held = learned.mutes(workspace, row.name)
    return next(one for one in held if (one.concept, one.words) == (concept, words))
