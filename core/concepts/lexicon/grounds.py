"""How sure a mention is, and why it was proposed, in a sentence for the curator."""

from __future__ import annotations

from itertools import product

from core.concepts.lexicon.index import OWN, Name
from core.concepts.lexicon.matching import Level, Mention
from core.text.spans import Words

_SURE = {Level.VERBATIM: 0.94, Level.FOLDED: 0.82, Level.STEMMED: 0.6, Level.CLASSED: 0.6, Level.DERIVED: 0.4}
"""About the share of such mentions that experts kept in small corpora (tests/benchmarks)."""
_SINGLE = 0.85
"""One word says less than several."""
_SPLIT = 0.75
_NESTED = 0.35
_AMBIGUOUS = 0.5

_TABLE = [
    round(_SURE[level] * _SINGLE**single * _SPLIT**split * _NESTED**nested * _AMBIGUOUS**ambiguous, 2)
    for level, single, split, nested, ambiguous in product(Level, (0, 1), (0, 1), (0, 1), (0, 1))
]


def confidence(mention: Mention, name: Name, *, nested: bool) -> float:
    """In (0, 1): about the chance that a curator keeps the concept."""
    return _TABLE[
        16 * mention.level + 8 * (name.size == 1) + 4 * mention.split + 2 * nested + (len(mention.names) > 1)
    ]


_HOW = {
    Level.VERBATIM: "",
    Level.FOLDED: " but for plural, spelling or word order",
    Level.STEMMED: " by the stems of its words",
    Level.CLASSED: " by words of the same meaning",
    Level.DERIVED: "",
}


def reason(found: Words, mention: Mention, name: Name, outer: Mention | None) -> str:
    """One plain sentence."""
    kind = "the name" if name.scope == OWN else "a synonym"
    if name.scope not in (OWN, "EXACT"):
        kind = f"a {name.scope.lower()} synonym"
    said = f"'{found.text[found.starts[mention.first] : found.end(mention.last)]}'"
    if mention.meaning:
        said += f", which the text defines as '{mention.meaning}', stands for {kind} '{name.text}'"
    elif mention.split:
        said += f" says {kind} '{name.text}' in a coordination{_HOW[mention.level]}"
    elif mention.level is Level.VERBATIM:
        said += f" is {kind} of the concept"
    else:
        said += f" matches {kind} '{name.text}'{_HOW[mention.level]}"
    if name.swap:
        old, new = name.swap
        said += f" without '{old}'" if new == "-" else f" with '{new}' for '{old}'"
    if outer is not None:
        said += f", inside '{found.text[found.starts[outer.first] : found.end(outer.last)]}'"
    if len(mention.names) > 1:
        said += ", and names other concepts too"
    return said + "."
