"""Texts that differ by white space only."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import Reading
from core.formats.alignment import align, difference
from core.records import Evidence, Span
from tests.formats.examples import EXAMPLES

WORDS = st.lists(st.text("ab\u03b2\U0001f600.", min_size=1, max_size=4), min_size=1, max_size=6)
SPACES = st.text(" \n\t\u00a0\u2009\r", min_size=1, max_size=3)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.data())
def test_a_run_of_words_is_the_same_words(data: st.DataObject) -> None:
    words = data.draw(WORDS)

    def spaced() -> tuple[str, list[int]]:
        text, starts = data.draw(SPACES | st.just("")), list[int]()
        for word in words:
            starts.append(len(text))
            text += word + data.draw(SPACES)
        return text, starts

    (one, here), (other, there) = spaced(), spaced()
    alignment = align(one, other)
    assert alignment is not None
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    end = there[last] + len(words[last])
    wanted = Span(there[first], end, other[there[first] : end])
    assert alignment.span(here[first], here[last] + len(words[last])) == wanted
    # white space around it does not matter
    assert alignment.span(max(0, here[first]), here[last] + len(words[last]) + 1) == wanted


def test_other_differences_are_named_where_they_begin() -> None:
    assert align("a b", "a c") is None
    assert align("a b", "a b c") is None
    assert align("caf\u00e9", "cafe\u0301") is None
    assert (
        difference("Two  words here.", "Two words there.") == "from character 11 on: 'here.' against 'there.'"
    )
    assert difference("One.", "One. Two.") == "from character 4 on: '' against 'Two.'"


KNOWN = "Short stature \U0001f600\nand fever."
GIVEN = "Short\u00a0 stature  \U0001f600 and\tfever. "  # counted by hand: stature 7-14, fever 22-27


def row(**label: object) -> str:
    return json.dumps({"doc_id": "d1", "text": GIVEN, "annotations": [{"concept_id": "HP:1", **label}]})


def test_offsets_move_to_the_text_to_label(write, read) -> None:
    reading = Reading(texts={"d1": KNOWN}.get, keep_ungrounded=True)
    found = read(write("a.jsonl", row(text_span="fever", start_offset=22, end_offset=27)), None, reading)
    assert [(d.text, d.annotations[0].span) for d in found.documents] == [(KNOWN, Span(20, 25, "fever"))]
    assert found.notes.sentences() == ["Texts that differ by white space only, offsets moved (d1): 1."]
    # in UTF-16 the face counts two
    reading = Reading(offsets="utf-16", texts={"d1": KNOWN}.get)
    found = read(write("a.jsonl", row(text_span="fever", start_offset=23, end_offset=28)), None, reading)
    assert found.documents[0].annotations[0].span == Span(20, 25, "fever")


def test_a_quote_has_the_white_space_of_the_text_to_label(write, read) -> None:
    reading = Reading(texts={"d1": KNOWN}.get, keep_ungrounded=True)
    label = {"text_span": "Short\u00a0 stature", "start_offset": 0, "end_offset": 14}
    (found,) = read(write("a.jsonl", row(**label)), None, reading).documents
    assert found.annotations[0].span == Span(0, 13, "Short stature")
    (found,) = read(write("a.jsonl", row(text_span="no such words")), None, reading).documents
    assert found.annotations[0].ungrounded == Evidence("no such words", None, None, grounded=False)


def test_a_place_of_white_space_alone_is_kept_as_ungrounded(write, read) -> None:
    reading = Reading(texts={"d1": KNOWN}.get, keep_ungrounded=True)
    found = read(write("a.jsonl", row(start_offset=14, end_offset=16)), None, reading)
    assert found.documents[0].annotations[0].ungrounded == Evidence("  ", None, None, grounded=False)
    assert found.notes.ungrounded == 1
