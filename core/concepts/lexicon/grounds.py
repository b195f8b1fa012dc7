"""How sure a mention is, and why it was proposed, in a sentence for the curator."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from core.concepts.lexicon.index import INEXACT, LEARNED, OWN, Name
from core.concepts.lexicon.matching import Level, Mention
from core.concepts.lexicon.vocabulary import COORDINATORS
from core.text.spans import Words

_SURE = {
    Level.VERBATIM: 0.94,
    Level.FOLDED: 0.82,
    Level.STEMMED: 0.6,
    Level.CLASSED: 0.6,
    Level.DERIVED: 0.4,
    Level.MISSPELT: 0.5,
}
"""About the share of such mentions that experts kept in small corpora (tests/benchmarks)."""
_SINGLE = 0.85
"""One word says less than several."""
_SPLIT = 0.75
_NESTED = 0.35
_AMBIGUOUS = 0.5
_INEXACT = 0.7
"""A broad, narrow or related synonym: never as sure as an exact one that is said in the same way."""

_TABLE = [
    round(
        _SURE[level]
        * _SINGLE**single
        * _SPLIT**split
        * _NESTED**nested
        * _AMBIGUOUS**ambiguous
        * _INEXACT**inexact,
        2,
    )
    for level, single, split, nested, ambiguous, inexact in product(Level, *((0, 1),) * 5)
]


def confidence(mention: Mention, name: Name, *, nested: bool) -> float:
    """In (0, 1): about the chance that a curator keeps the concept."""
    return _TABLE[
        32 * mention.level
        + 16 * (name.size == 1)
        + 8 * mention.split
        + 4 * nested
        + 2 * (len(mention.names) > 1)
        + (name.scope in INEXACT)
    ]


_HOW = (
    "",
    " but for plural, spelling or word order",
    " by the stems of its words",
    " by words of the same meaning",
    "",
    " but for a misspelling of one letter",
)
"""By level."""


def reason(found: Words, mention: Mention, name: Name, outer: Mention | None) -> str:
    """One plain sentence."""
    quote = found.text[found.starts[mention.first] : found.end(mention.last)]
    if mention.unchanged:
        return f"'{quote}' denies '{name.text}'."
    if mention.normal:
        how = "negative" if "positive" in name.plain.split() else "normal"
        return f"'{quote}' is said to be {how}, which denies '{name.text}'."
    if mention.measured:
        return f"'{quote}' tells a measurement of which '{name.text}' speaks."
    across = ""
    if mention.split:
        inside = found.words[mention.first : mention.last + 1]
        listed = not COORDINATORS.isdisjoint(inside) or "/" in quote
        across = " in a coordination" if listed else " with other words or a comma between"
    said = _said(quote, name.text, name.scope, name.swap, int(mention.level), across, mention.meaning)
    if outer is not None:
        said += f", inside '{found.text[found.starts[outer.first] : found.end(outer.last)]}'"
    if len(mention.names) > 1:
        said += ", and names other concepts too"
    return said + "."


_KINDS = {OWN: "the name", "EXACT": "a synonym", LEARNED: "a learned name"}


@lru_cache(maxsize=1 << 16)
def _said(
    quote: str,
    text: str,
    scope: str,
    swap: tuple[str, str] | None,
    level: int,
    across: str,
    meaning: str | None,
) -> str:
    kind = _KINDS.get(scope) or f"a {scope.lower()} synonym"
    if meaning:
        said = f"'{quote}', which the text defines as '{meaning}', stands for {kind} '{text}'"
    elif across:
        said = f"'{quote}' says {kind} '{text}'{across}{_HOW[level]}"
    elif level == Level.VERBATIM:
        said = f"'{quote}' is {kind} of the concept"
    else:
        said = f"'{quote}' matches {kind} '{text}'{_HOW[level]}"
    if swap:
        old, new = swap
        said += f" without '{old}'" if new == "-" else f" with '{new}' for '{old}'"
    return said
