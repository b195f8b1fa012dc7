"""What a study tried, by its title: "Effect of zinc on recovery from pneumonia" tried zinc."""

from __future__ import annotations

import re

_BEFORE = re.compile(
    r"\b(?:effect(?:s|iveness)?|efficacy|impact|influence|benefits?|role|use(?:fulness)?|comparison|evaluation"
    r"|safety|trial|study|administration|addition) (?:of|between)\b|\bcomparing\b",
    re.IGNORECASE,
)
"""What stands before it."""
_AFTER = re.compile(
    r":|\b(?:on|for|in|among|during|after|following|as|is|are|does|do|(?:prevent|reduce|improve|increase|decrease)s"
    r"|to (?:prevent|reduce|improve|increase|treat|relieve|enhance|control|support))\b",
    re.IGNORECASE,
)
"""What stands after it."""
SHORTEST = 3
"""Characters that it has at least."""


def tried(title: str) -> str:
    """The words of a title that say what was tried; as far as it says so, else its first words."""
    before = _BEFORE.search(title)
    words = title[before.end() :] if before else title
    after = _AFTER.search(words, SHORTEST)
    return words[: after.start()] if after else words
