"""Texts that speak to whoever reads them: an abstract that gives instructions may mislead a model.

Nothing is refused for it. Such a text is flagged wherever it is shown, and a model's labels of it deserve a
second look.
"""

from __future__ import annotations

import re
from functools import lru_cache

REMEMBERED = 2_000
"""Passages whose answer is kept: the review desk is served the same ones again and again."""

_MACHINE = r"(?:AI|LLM|large\ language\ model|language\ model|assistant|chatbot|annotator|reviewer)s?"
_ANSWER = r"(?:answer|output|respond|reply|return|label|rate|mark|report|recommend|accept|ignore)"
_ADDRESSES = re.compile(
    rf"""
    \b(?:ignore|disregard|forget|override)\b[^.]{{0,40}}
        \b(?:instructions?|prompts?|rules?|guidelines?|above|previous)\b
    | \b(?:you\ are|act\ as|pretend\ to\ be)\ (?:now\ )?(?:an?\ |the\ )?(?:\w+\ ){{0,2}}{_MACHINE}\b
    | \bas\ an?\ {_MACHINE}\b[^.]{{0,80}}\b(?:you|must|should|shall)\b
    | \b(?:note|instructions?|message|attention|important)\ (?:to|for)\ (?:the\ |any\ |all\ )?
        (?:{_MACHINE}|models?|readers?|curators?)\b
    | \b{_MACHINE}\b[^.]{{0,30}}\b(?:must|should|shall|please)\b[^.]{{0,40}}\b{_ANSWER}\b
    | \b(?:system|developer)\ (?:prompt|message|instructions?)\b
    | \b(?:do\ not|don't|never)\ (?:label|annotate|extract|mention|tell|reveal)\b[^.]{{0,60}}
        \b(?:this|these|any|the\ user|above)\b
    | \b(?:respond|reply|answer|output|return)\ (?:only\ |just\ )?(?:with|as|in)\ (?:only\ )?
        (?:["'“`{{]|JSON|yes\b|the\ following)
    | \b(?:rate|mark|label|classify|annotate)\ (?:this|the\ above|the\ following|it|everything)\b
        [^.]{{0,40}}\bas\b
    | </?\s*(?:data|system|assistant|instructions?)\s*> | <\|[a-z_]+\|> | \[/?INST\]
    | ^[ \t]*(?:system|assistant|user)\s*:
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


@lru_cache(REMEMBERED)
def addresses_reader(text: str) -> str | None:
    """The words by which a passage gives instructions to whoever (or whatever) reads it; None where it has
    none. A flag for people: many tricks pass it, and now and then it is wrong."""
    found = _ADDRESSES.search(text)
    return found.group().strip() if found else None
