"""Stage 1 of 5, asking a model: passage -> claims -> names of concepts -> nearest concepts (PCC).

One call makes the claims of a passage. Then calls for several claims each (`claims_per_call` of the profile),
all at the same time, make the names: claims see each other so, and it is cheaper. With one claim in a call it
is as in HI-ALD, section 3.2 and figure 5. With `Tools.direct`, one call makes names from the passage
itself.

A name goes to its nearest concept if s >= `Tools.threshold`, else it is recorded as unmatched. Names that
lead to the same concept become one candidate with the best score; each is recorded with its claim. An
affirmed name outweighs an uncertain one, that a negated one. If one call of a passage has no usable answer,
the passage has none: half of its claims would look like all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from core.concepts import asking
from core.concepts.answers import placed, shown
from core.concepts.generate.named import STAGE, Name, matched
from core.concepts.tools import Tools
from core.llm import Checked, together
from core.llm.fields import Number, Reply, Share, Text, lookup, plain
from core.records import Assertion, GeneratedClaim, Labelling, Passage, Verdict

FOLDER = Path(__file__).parent
MOST_CLAIMS = 64
"""Claims of one passage at most: each may cost a call. An abstract gives 10 to 20."""
MOST_NAMES = 200
"""Names in one answer at most: more is a model that goes in circles."""

R = TypeVar("R", bound=Reply)


class Claim(Reply):
    claim: Text
    confidence: Share = None


class Claims(Reply):
    claims: tuple[Claim, ...]


class Named(Reply):
    claim: Number = 0
    """Number of the claim, from 1."""
    name: Text
    status: Text = ""


class Names(Reply):
    concepts: tuple[Named, ...]


class DirectName(Reply):
    name: Text
    status: Text = ""


class DirectNames(Reply):
    concepts: tuple[DirectName, ...]


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """Candidates of one passage.

    Raises:
        ReplyFailure: a call gave no usable answer.
        InputError: the run has no endpoint; and whatever of the client's stops a run.
    """
    if not labelling.passage.text.strip():
        return labelling
    if tools.direct:
        return await matched(labelling, await _direct(labelling.passage, tools), tools, how="passage")
    if not labelling.claims:  # an oracle may have brought them
        labelling = await _claims(labelling, tools)
    size = max(1, tools.profile.claims_per_call)
    numbers = range(len(labelling.claims))
    batches = [numbers[at : at + size] for at in range(0, len(numbers), size)]
    made = await together(_names(labelling, batch, tools) for batch in batches)
    return await matched(labelling, [name for names in made for name in names], tools, how="claim")


# --- claims -------------------------------------------------------------------------------------------------


async def _claims(labelling: Labelling, tools: Tools) -> Labelling:
    passage = labelling.passage
    answer = await asking.asker(tools).ask(
        asking.prompt(FOLDER / "claims.md"),
        Claims,
        terms={**asking.terms(tools.profile), "most": str(MOST_CLAIMS)},
        data={"passage": passage.text},
        stage=STAGE,
        passage_id=passage.id,
        check=_check_claims,
        room=min(asking.MOST_ROOM, 300 + len(passage.text) // 2),  # the claims say it all once more
    )
    claims, _ = _distinct(answer.value.claims)
    for number, claim in enumerate(claims):
        found = placed(claim.claim, passage.text)
        made = GeneratedClaim(
            claim.claim, claim.confidence, found.start if found else None, found.end if found else None
        )
        labelling = replace(labelling, claims=(*labelling.claims, made)).record(
            STAGE,
            Verdict.CLAIM,
            call=answer.call,
            text=made.text,
            confidence=made.confidence,
            number=number,
        )
    return labelling


def _distinct(claims: Iterable[Claim]) -> tuple[list[Claim], list[str]]:
    """Claims without blank ones and repeats (the first of its kind stays), and what was left out."""
    kept: dict[str, Claim] = {}
    notes = []
    for claim in claims:
        key = plain(claim.claim)
        if not key:
            notes.append("a blank claim was left out")
        elif key in kept:
            notes.append(f"a claim came twice: {shown(claim.claim)}")
        else:
            kept[key] = claim
    return list(kept.values()), notes


def _check_claims(reply: Claims) -> Checked[Claims]:
    claims, notes = _distinct(reply.claims)
    count = len(claims)
    many = (f"There are {count} claims; give at most {MOST_CLAIMS}.",) if count > MOST_CLAIMS else ()
    return Checked(reply, tuple(notes), many)


# --- names --------------------------------------------------------------------------------------------------


async def _names(labelling: Labelling, batch: Sequence[int], tools: Tools) -> list[Name]:
    """Names for the claims at these positions, which are numbered from 1 in the call."""
    answer = await asking.asker(tools).ask(
        asking.prompt(FOLDER / "names.md"),
        Names,
        terms=asking.terms(tools.profile),
        data={
            "statements": [
                {"number": number, "statement": labelling.claims[position].text}
                for number, position in enumerate(batch, 1)
            ]
        },
        stage=STAGE,
        passage_id=labelling.passage.id,
        check=lambda reply: _check_names(
            reply, [_name(one, None, 0, _position(one.claim, batch)[1]) for one in reply.concepts]
        ),
    )
    names = []
    for named in answer.value.concepts:
        position, doubt = _position(named.claim, batch)
        made = _name(named, position, answer.call, doubt)
        names += [made] if made else []
    return names


async def _direct(passage: Passage, tools: Tools) -> list[Name]:
    answer = await asking.asker(tools).ask(
        asking.prompt(FOLDER / "direct.md"),
        DirectNames,
        terms=asking.terms(tools.profile),
        data={"passage": passage.text},
        stage=STAGE,
        passage_id=passage.id,
        check=lambda reply: _check_names(reply, [_name(one, None, 0) for one in reply.concepts]),
    )
    made = [_name(named, None, answer.call) for named in answer.value.concepts]
    return [name for name in made if name]


def _position(number: int, batch: Sequence[int]) -> tuple[int | None, str]:
    """Which claim a number means, and what is doubtful about it. A single claim needs no right number."""
    if 1 <= number <= len(batch):
        return batch[number - 1], ""
    return batch[0] if len(batch) == 1 else None, f"there is no claim {number} in the list"


def _name(named: Named | DirectName, claim: int | None, call: int, doubt: str = "") -> Name | None:
    """None for a name that says there is none. A status that is in no table counts as affirmed."""
    if plain(named.name) in asking.BLANK:
        return None
    assertion, changed = lookup(named.status, asking.ASSERTIONS, asking.ASSERTION_ALIASES)
    assertion = assertion or Assertion.AFFIRMED
    notes = [doubt] if doubt else []
    notes += [f"the status {shown(named.status)} was read as {assertion.value}"] if changed else []
    return Name(named.name, claim, assertion, call, tuple(notes))


def _check_names(reply: R, names: Sequence[Name | None]) -> Checked[R]:
    notes = tuple(f"{shown(name.name)}: {note}" for name in names if name for note in name.notes)
    count = len(names)
    many = (f"There are {count} names; give at most {MOST_NAMES}.",) if count > MOST_NAMES else ()
    return Checked(reply, notes, many)
