"""What a model is told about a pair: the guide as trusted words, both sides as data."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from core.conflicts.guide import AXES, PREFERENCES, TYPES
from core.kinds.names import called
from core.llm import Prompt, load_prompt
from core.records import Claim, PairTask, Side

FILE = Path(__file__).parent / "label.md"
EXAMPLES = Path(__file__).parent / "examples.md"
"""Worked examples, written by hand for this prompt; no model made any of them."""
LONGEST_ABSTRACT = 12_000
"""Characters of an abstract that go into a call, around the claim; few have a third of it."""
_LONGEST_TITLE = 500


@cache
def prompt() -> Prompt:
    """The prompt, whose version covers the words of the guide, too: other definitions are another prompt."""
    loaded = load_prompt(FILE)
    digest = hashlib.sha256("\0".join((loaded.version, *terms().values())).encode())
    return replace(loaded, version=digest.hexdigest()[:12])


@cache
def terms() -> dict[str, str]:
    """The guide, by the names that the prompt has for its parts."""
    types = (
        f"- `{one.value}` ({called(one)}). {guide.definition} Look for: {_lower(guide.signal)} "
        f"{guide.boundary} Example: {guide.example}"
        for one, guide in TYPES.items()
    )
    axes = (
        f"- `{one.value}` ({called(one)}). {guide.definition} "
        f"Cues: {', '.join(guide.cues)}. Example: {guide.example}"
        for one, guide in AXES.items()
    )
    return {
        "types": "\n".join(types),
        "axes": "\n".join(axes),
        "preferences": "\n".join(f"- {rule}" for rule in PREFERENCES),
        "examples": EXAMPLES.read_text("utf-8").strip(),
    }


def data(task: PairTask, *, swapped: bool = False) -> dict[str, Any]:
    """Both sides, as one object; with `swapped`, side b of the pair comes as a."""
    sides = [_side(task.pair.a, task.a), _side(task.pair.b, task.b)]
    return dict(zip(("a", "b"), reversed(sides) if swapped else sides, strict=True))


def _side(claim: Claim, side: Side) -> dict[str, Any]:
    return {
        "claim": claim.text,
        "title": (side.title or "")[:_LONGEST_TITLE],
        "journal": (side.journal or "")[:_LONGEST_TITLE],
        "year": side.year,
        "abstract": _around(side.text, claim.start, claim.end),
    }


def _around(text: str, start: int, end: int) -> str:
    """The abstract; of one that is very long, the part around the claim, with marks where it was cut."""
    if len(text) <= LONGEST_ABSTRACT:
        return text
    first = max(0, min((start + end - LONGEST_ABSTRACT) // 2, len(text) - LONGEST_ABSTRACT))
    last = first + LONGEST_ABSTRACT
    return ("[…] " if first else "") + text[first:last] + (" […]" if last < len(text) else "")


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
