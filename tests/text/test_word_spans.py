"""Words and their offsets: 0-based, end-exclusive, in code points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.spans import Memo, words


def rebuilt(text: str) -> str:
    found = words(text)
    return "".join(gap + word for gap, word in zip(found.gaps, [*found.words, ""], strict=True))


@given(st.text())
def test_words_and_gaps_make_the_text_again(text: str) -> None:
    found = words(text)
    assert len(found.gaps) == len(found.words) + 1
    assert len(rebuilt(text)) == len(text)
    for i, word in enumerate(found.words):
        assert found.starts[i] + len(word) == found.end(i) <= len(text)
        span = found.span(i, i)
        assert span.quote == text[span.start : span.end]
        assert len(span.quote) == len(word)


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("plain words", "words"),
        ("👩‍⚕️ saw scoliosis", "scoliosis"),
        ("café\u0301 naïve", "naïve"),
        ("I\u0307 nodule", "nodule"),
        ("İ seizures", "seizures"),
        ("𝔘 ataxia", "ataxia"),
        ("(a) b-cell", "b"),
    ],
)
def test_offsets_with_emoji_combining_marks_and_letters_beyond_the_first_plane(
    text: str, second: str
) -> None:
    span = words(text).span(1, 1)
    assert span.quote == second
    assert text[span.start : span.end] == second


def test_a_combining_mark_belongs_to_its_word() -> None:
    assert words("cafe\u0301 au lait").words == ["cafe\u0301", "au", "lait"]


def test_a_span_of_several_words_keeps_what_stands_between() -> None:
    text = "Palmar  and\nplantar pits."
    span = words(text).span(0, 3)
    assert (span.start, span.end) == (0, 24)
    assert span.quote == "Palmar  and\nplantar pits"


def test_no_words() -> None:
    found = words(" -- ")
    assert found.words == []
    assert found.gaps == [" -- "]


def test_a_memo_forgets_when_it_is_full() -> None:
    asked: list[str] = []
    memo = Memo(lambda key: asked.append(key) or len(key))
    memo.LIMIT = 2
    assert [memo["a"], memo["bb"], memo["a"], memo["ccc"], memo["a"]] == [1, 2, 1, 3, 1]
    assert asked == ["a", "bb", "ccc", "a"]
