"""What may be done with the texts of a release, as far as the files they came from say."""

from __future__ import annotations

from collections.abc import Callable, Mapping

SHOWN = 10
"""Names of licences that are spelled out."""


def about_licences(licences: Mapping[str, int], words: Callable[[object], str]) -> str:
    """One paragraph of a card.

    Args:
        licences: licence as named, or nothing where none is -> articles.
        words: makes text from outside harmless in Markdown.
    """
    unnamed = licences.get("", 0)
    named = sorted(((n, name) for name, n in licences.items() if name), key=lambda row: (-row[0], row[1]))
    if not named:
        return (
            "**The licence of the texts is unknown.** Abstracts belong to their publishers or authors; "
            "whoever passes this folder on must make sure that they may."
        )
    told = ", ".join(f"{words(name)} ({n:,} articles)" for n, name in named[:SHOWN])
    if others := named[SHOWN:]:
        told += f", and {len(others):,} other names ({sum(n for n, _ in others):,})"
    rest = f" Of {unnamed:,} more the licence is unknown." if unnamed else ""
    return (
        f"**The texts have licences of their own**: {told}.{rest} Some forbid commercial use or changes: "
        "whoever passes this folder on must keep to each."
    )
