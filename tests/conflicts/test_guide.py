"""The guide says something of every type and every axis, and no more than a tooltip holds."""

from __future__ import annotations

from dataclasses import astuple
from itertools import chain

import pytest

from core.conflicts.guide import AXES, PREFERENCES, TYPES
from core.kinds.names import NAMES
from core.records import Axis, ConflictType

TOOLTIP = 180
"""Characters of a sentence that still read well in a tooltip."""
CHIP = 24
"""Characters of a name that fit on a chip."""

SENTENCES = [
    *(text for guide in TYPES.values() for text in astuple(guide)[1:]),
    *(text for guide in AXES.values() for text in (guide.definition, guide.example)),
    *PREFERENCES,
]


def test_every_type_and_axis_is_explained_in_the_order_of_the_records() -> None:
    assert list(TYPES) == list(ConflictType)
    assert list(AXES) == list(Axis)


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_are_short_plain_and_whole(text: str) -> None:
    assert 20 <= len(text) <= TOOLTIP
    assert text[0].isupper()
    assert text.endswith(".")
    assert "_" not in text  # people read names, not values of the schema
    assert "{" not in text  # a place of a prompt


def test_names_are_short_and_each_once() -> None:
    names = [NAMES[one] for one in chain(TYPES, AXES)]
    assert all(0 < len(name) <= CHIP for name in names)
    assert len(set(names)) == len(names)


def test_no_sentence_comes_twice() -> None:
    assert len(set(SENTENCES)) == len(SENTENCES)


def test_axes_name_two_cues_at_least() -> None:
    assert all(len(set(guide.cues)) == len(guide.cues) >= 2 for guide in AXES.values())


def test_the_rules_of_preference_are_said() -> None:
    said = " ".join(PREFERENCES).lower()
    assert "contextual contradiction comes before direct" in said
    assert "no axis can be read" in said
    assert "smallest set of axes" in said
    assert "persist in the literature" in said
    assert "not that conditions are left out" in said
