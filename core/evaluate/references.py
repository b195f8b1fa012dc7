"""Gold references in words, for readers: `reviewed@25:agreed` is for commands and files."""

from __future__ import annotations

import re

_FORM = re.compile(
    r"(?P<kind>imported|corrected|reviewed|estimated)(?:@(?P<number>[0-9]+|now))?:(?P<rest>.+)"
)
_POLICIES = {
    "any": "what people decided",
    "agreed": "what curators agree on",
    "adjudicated": "what curators agree on or an adjudicator settled",
}
_CURATOR = "curator="


def in_words(reference: str) -> str:
    """A gold reference as part of a sentence; what is none, such as the name of a file, stays as it is.

    Names in it come from outside: escape it where markup is read.
    """
    found = _FORM.fullmatch(reference)
    if found is None:
        return reference
    number, rest = found["number"], found["rest"]
    until = f", up to decision {number}" if number and number.isdigit() else ""
    if found["kind"] == "reviewed":
        who = rest.removeprefix(_CURATOR)
        said = _POLICIES.get(rest) or (f"what {who} decided" if rest.startswith(_CURATOR) else rest)
        return said + until
    if found["kind"] == "estimated":
        return f"the estimate from frame {rest}{until}"
    name, _, version = rest.rpartition("@")
    gold = f"the imported gold {name}, version {version}" if name else f"the imported gold {version}"
    return gold if found["kind"] == "imported" else f"{gold}, with confirmed changes{until}"
