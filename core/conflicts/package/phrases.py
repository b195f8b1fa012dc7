"""Whether the words of a slot name something, or are a whole clause that nobody would take for a name."""

from __future__ import annotations

import re

LONGEST = 14
"""Words of a name: `low-dose aspirin plus a proton pump inhibitor twice daily after meals` has eleven."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|will|would|should|showed|shows"
    r"|shown|led|leads|resulted|results in|improved|improves|reduced(?= the)|increased(?= the)|suggests?"
    r"|suggested|indicates?|indicated|demonstrated?|demonstrates|found|observed|reported|concluded?)\b",
    re.IGNORECASE,
)


def is_clause(words: str) -> bool:
    """Whether a verb that makes a sentence stands there, or more words than a name has."""
    return len(words.split()) > LONGEST or _VERB.search(words) is not None
