"""What a card says of the licences of the texts."""

from __future__ import annotations

from core.conflicts.package.licences import about_licences
from core.conflicts.package.markdown import words


def test_no_licence_named() -> None:
    assert "unknown" in about_licences({}, words)
    assert "unknown" in about_licences({"": 3}, words)


def test_the_most_frequent_are_spelled_out_and_the_rest_counted() -> None:
    licences = {f"https://example.org/{n:02}": n for n in range(1, 13)} | {"": 5}
    said = about_licences(licences, words)
    assert "https://example.org/12 (12 articles), https://example.org/11 (11 articles)" in said
    assert "https://example.org/03 (3 articles), and 2 other names (3)" in said
    assert "Of 5 more the licence is unknown" in said


def test_a_name_is_no_markup() -> None:
    assert r"\[x\](http" in about_licences({"[x](http://evil)\n# y": 1}, words).replace(r"\(", "(")
