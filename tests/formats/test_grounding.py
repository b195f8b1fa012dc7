"""Offsets: code points in the records, whatever a file counts; every mismatch is found."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import Reading
from core.formats.grounding import Claim, Frame, Grounded, Mismatch, ground, occurrences, other_unit
from core.formats.rows import Notes
from core.records import Span
from tests.formats.examples import EXAMPLES

# one letter of each width: 1, 2, 3 and 4 bytes in UTF-8, the last two units in UTF-16; a combining accent
ODD_TEXT = "a é ñ € 😀\r\ne\u0301 𝒳 fever"


@pytest.mark.parametrize(
    ("unit", "start", "end"),
    [
        # by hand: 'fever' is the last five of 19 code points; the two astral letters add a unit each in
        # UTF-16; in UTF-8 é and ñ add 1 each, € adds 2, the accent 1, the astral ones 3 each
        ("code-points", 16, 21),
        ("utf-16", 18, 23),
        ("utf-8", 27, 32),
    ],
)
def test_units(unit, start, end) -> None:
    assert ODD_TEXT[16:21] == "fever"
    claim = Claim("fever", start, end)
    assert ground(Frame(ODD_TEXT, unit), claim, Notes()) == Grounded(Span(16, 21, "fever"))


@pytest.mark.parametrize(("unit", "offset"), [("utf-16", 9), ("utf-8", 3), ("utf-8", 13)])
def test_an_offset_within_a_character_marks_nothing(unit, offset) -> None:
    assert Frame(ODD_TEXT, unit).point(offset) is None


def test_a_document_in_another_unit_is_refused_with_the_unit_named(write, read) -> None:
    annotation = {"hpo_id": "HP:1", "text_span": "fever", "start_offset": 18, "end_offset": 23}
    path = write("a.jsonl", json.dumps({"doc_id": "d", "text": ODD_TEXT, "annotations": [annotation]}))
    refused = read(path)
    assert refused.documents == []
    assert "--offsets utf-16" in refused.errors[0].cause
    found = read(path, reading=Reading(offsets="utf-16"))
    assert found.documents[0].annotations[0].span == Span(16, 21, "fever")


def test_no_unit_is_named_that_does_not_explain_all() -> None:
    right, wrong = Claim("fever", 18, 23), Claim("fever", 17, 22)
    assert other_unit(Frame(ODD_TEXT), [right]) == "utf-16"
    assert other_unit(Frame(ODD_TEXT), [right, wrong]) is None
    assert other_unit(Frame(ODD_TEXT), []) is None


def test_canonically_equal_is_not_equal() -> None:
    with pytest.raises(Mismatch):
        ground(Frame("caf\u00e9"), Claim("cafe\u0301", 0, 4), Notes())


def test_overlapping_places_are_several() -> None:
    assert occurrences("ananas", "ana", 9) == [0, 2]
    notes = Notes()
    assert ground(Frame("ananas"), Claim("ana", None, None), notes) == Grounded(Span(0, 3, "ana"))
    assert notes.ambiguous == 1


PIECES = ["a", "é", "e\u0301", "😀", "👩‍⚕️", "\r\n", "\n", "\u2028", "क्षि", "𝒳", "fever", " "]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join)
CODECS = {"code-points": None, "utf-16": "utf-16-le", "utf-8": "utf-8"}


@settings(max_examples=EXAMPLES * 2, deadline=None, derandomize=True)
@given(TEXTS, st.data())
def test_any_span_in_any_unit_is_found_and_any_shift_is_caught(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    for unit, codec in CODECS.items():
        width = 2 if unit == "utf-16" else 1
        first, last = (len(text[:at].encode(codec)) // width if codec else at for at in (start, end))
        frame = Frame(text, unit)  # type: ignore[arg-type]
        assert ground(frame, Claim(quote, first, last), Notes()) == Grounded(Span(start, end, quote))
        for shift in (-2, -1, 1, 2):
            moved = Claim(quote, first + shift, last + shift)
            place = frame.point(moved.start), frame.point(moved.end)
            same = None not in place and text[place[0] : place[1]] == quote
            if same:
                assert ground(frame, moved, Notes()).span is not None
            else:
                with pytest.raises(Mismatch):
                    ground(frame, moved, Notes())
