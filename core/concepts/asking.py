"""What the asking stages tell a model, and how they read its labels.

Passage, claims, names, candidates and guideline go to the model as data (`Asker.ask(data=...)`); only texts
of the task profile stand in the prompt itself. Labels are compared by `plain`, looked up in literal tables,
and never guessed beyond them. `answers` leads what came back to the candidates.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.concepts.profile import Hypernyms, Profile
from core.concepts.tools import Tools
from core.encode import Match
from core.errors import InputError
from core.llm import together
from core.llm.fields import shortened
from core.records import Assertion, Candidate, Concept, Curie, Labelling

if TYPE_CHECKING:
    from core.llm import Asker, Prompt

_ENCODING = ThreadPoolExecutor(1, "encoding")

MOST_CANDIDATES = 30
"""Candidates in one call: an answer on so many has its room within `MOST_ROOM`."""
EACH, MOST_ROOM = 120, 4096
"""Tokens of an answer on one candidate, with quote and reason; and of any answer, which every model can give.
A longer one is asked for again with twice the room."""
MOST_SYNONYMS = 5
"""Of a candidate that go into a prompt, exact ones first."""
LONGEST_DEFINITION = 300
"""Characters of a definition that go into a prompt."""

BLANK = frozenset(("", "none", "no concept", "not applicable", "n/a", "nil", "null"))
"""What models write, by `plain`, where there is nothing to name."""

ASSERTIONS: dict[str, Assertion] = {
    "affirmed": Assertion.AFFIRMED,
    "negated": Assertion.NEGATED,
    "uncertain": Assertion.UNCERTAIN,
    "other_person": Assertion.OTHER_PERSON,
}
ASSERTION_ALIASES: dict[str, Assertion] = {
    "present": Assertion.AFFIRMED,
    "positive": Assertion.AFFIRMED,
    "asserted": Assertion.AFFIRMED,
    "confirmed": Assertion.AFFIRMED,
    "absent": Assertion.NEGATED,
    "negative": Assertion.NEGATED,
    "denied": Assertion.NEGATED,
    "negation": Assertion.NEGATED,
    "excluded": Assertion.NEGATED,
    "possible": Assertion.UNCERTAIN,
    "suspected": Assertion.UNCERTAIN,
    "hypothetical": Assertion.UNCERTAIN,
    "unclear": Assertion.UNCERTAIN,
    "unknown": Assertion.UNCERTAIN,
    "another person": Assertion.OTHER_PERSON,
    "someone else": Assertion.OTHER_PERSON,
    "relative": Assertion.OTHER_PERSON,
    "family": Assertion.OTHER_PERSON,
    "family history": Assertion.OTHER_PERSON,
}

_HYPERNYM_RULES: dict[Hypernyms, str] = {
    Hypernyms.KEEP: (
        "A general concept counts wherever words of the passage name it, also where these words are a part "
        "of a longer name that has a more specific concept of its own. It does not count where it is true "
        "only because a more specific concept is, and no words name it."
    ),
    Hypernyms.KEEP_NAMED_APART: (
        "Where a more specific concept in the list covers the same words, the general one does not count, "
        "unless the passage also names the general one at another place, by itself."
    ),
    Hypernyms.DROP: (
        "Where a more specific concept in the list fits the passage, no concept that is more general than it "
        "counts."
    ),
}


# --- what goes in -------------------------------------------------------------------------------------------


def asker(tools: Tools) -> Asker:
    """The client; a run without one cannot ask.

    Raises:
        InputError: the run is offline.
    """
    if tools.asker is None:
        raise InputError("This run has no endpoint to ask. Name a model and a base URL, or run it offline.")
    return tools.asker


@cache
def prompt(path: Path) -> Prompt:
    """A prompt file, read once in a process."""
    from core.llm import load_prompt

    return load_prompt(path)


def terms(profile: Profile) -> dict[str, str]:
    """Texts of the profile, by the names that prompts have for them."""
    return {
        "kind": profile.kind,
        "kind_singular": profile.kind_singular,
        "description": profile.description.strip(),
        "examples": "; ".join(profile.examples) or "none given",
        "counter_examples": "; ".join(profile.counter_examples) or "none given",
        "hypernym_rule": _HYPERNYM_RULES[profile.hypernyms],
    }


def described(candidates: Sequence[Candidate], tools: Tools) -> list[dict[str, object]]:
    """Candidates as the model sees them: id, name, synonyms, definition, which others are more specific."""
    ids = {candidate.concept for candidate in candidates}
    below: dict[Curie, list[Curie]] = {}
    for curie in sorted(curie for curie in ids if curie in tools.lineage):
        for ancestor in tools.lineage.ancestors(curie) & ids:
            below.setdefault(ancestor, []).append(curie)
    rows = []
    for candidate in candidates:
        concept = tools.by_id.get(candidate.concept)
        definition = shortened(concept.definition or "", LONGEST_DEFINITION) if concept else ""
        row: dict[str, object] = {"id": candidate.concept, "name": candidate.label}
        if concept and (synonyms := _synonyms(concept)):
            row["synonyms"] = synonyms
        row["definition"] = definition
        if candidate.concept in below:
            row["more_specific"] = below[candidate.concept]
        rows.append(row)
    return rows


def _synonyms(concept: Concept) -> list[str]:
    exact_first = sorted(concept.synonyms, key=lambda synonym: synonym.scope != "EXACT")
    return [synonym.text for synonym in exact_first][:MOST_SYNONYMS]


def room(candidates: int, besides: int = 200) -> int:
    """Tokens that an answer on so many candidates needs.

    Args:
        besides: tokens of what else it says.
    """
    return min(MOST_ROOM, EACH * candidates + besides)


async def in_parts(
    labelling: Labelling, ask: Callable[[Labelling], Coroutine[Any, Any, Labelling]]
) -> Labelling:
    """A stage that judges each candidate by itself, with at most `MOST_CANDIDATES` in one call: the answer to
    a longer list would not fit. Candidates and records come in the order of the list."""
    listed = labelling.candidates
    parts = [listed[at : at + MOST_CANDIDATES] for at in range(0, len(listed), MOST_CANDIDATES)]
    made = await together(ask(replace(labelling, candidates=part, records=())) for part in parts)
    return replace(
        labelling,
        candidates=tuple(candidate for one in made for candidate in one.candidates),
        records=(*labelling.records, *(record for one in made for record in one.records)),
    )


async def nearest(names: Sequence[str], tools: Tools) -> list[Match | None]:
    """The nearest concept of each name. Off the event loop, so that calls under way go on while names are
    encoded; one passage at a time, for the encoder and its cache serve one."""
    if not names:
        return []
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_ENCODING, tools.matcher.nearest, names, 1)
    return [next(iter(one), None) for one in found]
