"""Gold references in words, for readers: `reviewed@25:agreed` is for commands and files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

_FORM = re.compile(
    r"(?P<kind>imported|corrected|reviewed|estimated)(?:@(?P<number>[0-9]+|now))?:(?P<rest>.+)"
)
_POLICIES = {
    "any": "what people decided",
    "agreed": "what curators agree on",
    "adjudicated": "what curators agree on or an adjudicator settled",
}
_CURATOR = "curator="
_HASH = re.compile("[0-9a-f]{12,}")
"""The version of a gold set that nobody gave one: made of its content, and nothing to read."""
NOBODY: Mapping[str, str] = MappingProxyType({})


def choices(references: Iterable[str], people: Mapping[str, str]) -> dict[str, str]:
    """Reference -> the same in words, to choose from. Each comes once: where two share their words, the
    reference stands beside them.

    Args:
        people: id of a curator -> name.
    """
    said = {one: in_words(one, people) for one in references}
    often = Counter(said.values())
    each = {one: words if often[words] == 1 else f"{words} ({one})" for one, words in said.items()}
    bare = {one: words.removeprefix("the ") for one, words in each.items()}
    return {one: words[:1].upper() + words[1:] for one, words in bare.items()}


def in_words(reference: str, people: Mapping[str, str] = NOBODY) -> str:
    """A gold reference as part of a sentence; what is none, such as the name of a file, stays as it is.

    Names in it come from outside: escape it where markup is read.

    Args:
        people: id of a curator -> name.
    """
    found = _FORM.fullmatch(reference)
    if found is None:
        return reference
    number, rest = found["number"], found["rest"]
    until = f", up to decision {number}" if number and number.isdigit() else ""
    if found["kind"] == "reviewed":
        who = rest.removeprefix(_CURATOR)
        of_one = f"what {people.get(who, who)} decided"
        said = _POLICIES.get(rest) or (of_one if rest.startswith(_CURATOR) else rest)
        return said + until
    if found["kind"] == "estimated":
        return f"the estimate from frame {rest}{until}"
    name, _, version = rest.rpartition("@")
    gold = f"the imported gold {name or version}"
    if name and not _HASH.fullmatch(version):
        gold += f", version {version}"
    return gold if found["kind"] == "imported" else f"{gold}, with confirmed changes{until}"
