"""What may be done with the texts of a release, as far as the files they came from say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

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


_HUB = {"cc0": "cc0-1.0", "cc by": "cc-by-4.0", "cc by-sa": "cc-by-sa-4.0", "cc by-nc": "cc-by-nc-4.0"}
"""How the Hub names the licences that files of articles name without a version."""


def one_licence(licences: Mapping[str, int]) -> str:
    """The licence of all texts, as the Hub names it: `other` where they have several, `unknown` where one has
    none."""
    if not licences or "" in licences:
        return "unknown"
    if len(licences) > 1:
        return "other"
    (name,) = licences
    return {_plain(one): hub for known, hub in _HUB.items() for one in (known, hub)}.get(
        _plain(name), "other"
    )


def allowed(licence: str | None, wanted: Collection[str]) -> bool:
    """Whether a text may be taken: its licence is one of those wanted, in any spelling of case and hyphens;
    one without a licence is not."""
    return licence is not None and _plain(licence) in {_plain(one) for one in wanted}


def _plain(licence: str) -> str:
    return " ".join(licence.lower().replace("-", " ").split())
