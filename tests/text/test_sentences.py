"""Where sentences end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.sentences import boundaries, sentences
from core.text.spans import words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("She walked. He fell.", ["She walked.", "He fell."]),
        ("Was it so? Yes! It was.", ["Was it so?", "Yes!", "It was."]),
        ("A dose of 1.5 mg was given. It helped.", ["A dose of 1.5 mg was given.", "It helped."]),
        ("Reported by Smith et al. Seizures were rare.", ["Reported by Smith et al. Seizures were rare."]),
        ("See fig. 2 for details. Ataxia followed.", ["See fig. 2 for details.", "Ataxia followed."]),
        ("Growth of E. coli was seen. Fever came.", ["Growth of E. coli was seen.", "Fever came."]),
        ("It was 39 °C. Fever fell.", ["It was 39 °C.", "Fever fell."]),
        ("She took vitamin C. It helped.", ["She took vitamin C.", "It helped."]),
        ("Reported by J. Alpha in Paris.", ["Reported by J. Alpha in Paris."]),
        ("Features (e.g., ptosis) vary. None died.", ["Features (e.g., ptosis) vary.", "None died."]),
        ('He said "no." She left.', ['He said "no."', "She left."]),
        ("It hurt. (Figure 1) It healed.", ["It hurt.", "(Figure 1) It healed."]),
        ("One line\nwrapped on. Next.", ["One line\nwrapped on.", "Next."]),
        ("Heading\n\nText here", ["Heading", "Text here"]),
        ("Summary:\nThe child was well", ["Summary:", "The child was well"]),
        ("Findings\n- ptosis\n- ataxia", ["Findings", "ptosis", "ataxia"]),
        ("the end. lower case goes on", ["the end. lower case goes on"]),
        ("", []),
        (" . ", []),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    assert [span.quote for span in sentences(text)] == parts


@given(st.text(alphabet="aB. !?\n-(é\"'"))
def test_sentences_are_grounded_in_order_and_hold_every_word(text: str) -> None:
    spans = sentences(text)
    assert all(span.quote == text[span.start : span.end] for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    found = words(text)
    inside = [
        any(s.start <= start and found.end(i) <= s.end for s in spans) for i, start in enumerate(found.starts)
    ]
    assert all(inside)
    assert boundaries(found) == sorted(set(boundaries(found)))
