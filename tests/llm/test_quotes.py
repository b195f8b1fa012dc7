from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm import locate
from core.records import Evidence

TEXT = (
    "The patient had bilateral hypoplastic kidneys and “short stature”. Growth at 3 years was\n"
    "  below −3 SD. "
    "No seizures were noted; hearing loss of 40 dB at the left ear was confirmed by ABR. İpek  "
    "and β-thalassaemia were excluded."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("hypoplastic kidneys", "hypoplastic kidneys"),
        ("Hypoplastic  Kidneys", "hypoplastic kidneys"),
        ('"bilateral hypoplastic kidneys"', "bilateral hypoplastic kidneys"),
        ('"short stature"', "“short stature”"),
        ('"hearing loss"', "hearing loss"),
        ('and "short stature"', "and “short stature”"),
        ("years was below -3 SD", "years was\n  below −3 SD"),
        ("...no seizures were noted...", "No seizures were noted"),
        ("bilateral hypoplastic kidney", "bilateral hypoplastic kidney"),
        ("the hearing loss of 40 dB at the left ear", "hearing loss of 40 dB at the left ear"),
        ("hearing loss of 40 dB on the left ear", "hearing loss of 40 dB at the left ear"),
        ("bilaterally hypoplastic kidneys", "bilateral hypoplastic kidneys"),
        ("confirmed by abr. i̇pek", "confirmed by ABR. İpek"),
        ("β-Thalassaemia were excluded.", "β-thalassaemia were excluded."),
        ("k", "k"),
    ],
)
def test_a_quote_is_found_where_it_stands(quote: str, found: str | None) -> None:
    evidence = locate(quote, TEXT)
    assert evidence.grounded == (found is not None)
    if found:
        assert evidence.quote == TEXT[evidence.start : evidence.end] == found


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "   ",
        '""',
        "polydactyly of the left hand",
        "hearing loss of 60 dB at the left ear",  # another number is another finding
        "at 3 years was below −4 SD",
        "kidneyz",  # too short to be nearly anything
        "hypoplastic",
        "x" * 5000,
    ],
)
def test_what_the_text_does_not_say_is_ungrounded(quote: str) -> None:
    text = TEXT.replace("hypoplastic", "small")
    assert locate(quote, text) == Evidence(quote, None, None, False)


def test_of_several_places_it_is_the_first() -> None:
    assert locate("alpha", "beta alpha alpha").start == 5


@pytest.mark.parametrize("quote", ["hip", "Hip"])
def test_a_whole_word_comes_before_a_part_of_one(quote: str) -> None:
    assert locate(quote, "The relationship of hip and knee").start == 20


letters = st.text(string.ascii_letters + " .,\n-()3é–“İß", max_size=80)


@given(letters, letters)
def test_offsets_always_mark_the_quote(quote: str, text: str) -> None:
    evidence = locate(quote, text)
    if evidence.grounded:
        assert evidence.start is not None
        assert evidence.end is not None
        assert 0 <= evidence.start < evidence.end <= len(text)
        assert evidence.quote == text[evidence.start : evidence.end]
    else:
        assert evidence == Evidence(quote, None, None, False)


@given(st.text(min_size=1, max_size=60), st.data())
def test_every_part_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    evidence = locate(text[start:end], text)
    assert evidence.grounded
    assert evidence.quote == text[start:end]
