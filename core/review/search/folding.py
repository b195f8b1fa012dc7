"""What somebody types, and what an ontology writes, as the same words.

Case, accents, hyphens, plurals and British spelling are folded (`core.text.normalise`), words that say
nothing are left out ("of the").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.concepts.lexicon.vocabulary import COORDINATORS, STOP_WORDS, tokens
from core.text.normalise import fold, singular
from core.text.spans import Memo, words

WORD_LISTS = Path(__file__).parents[3] / "data" / "search"
LONGEST = 500
"""Characters of a query that are read."""
MOST_WORDS = 24
"""Words of a query that are looked for."""

SILENT = STOP_WORDS | COORDINATORS
_folded: Memo[str] = Memo(lambda word: singular(fold(word)))


def spoken(text: str) -> list[str]:
    """The words of a text in lower case, prefixes joined over a hyphen, as they stand."""
    return tokens(words(text))


def telling(written: list[str]) -> list[str]:
    """Those words that tell something, folded, none twice; all of them where none does."""
    told = [word for word in written if word not in SILENT] or written
    return list(dict.fromkeys(_folded[word] for word in told))


def word_list(file: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(what people write, the phrases it stands for), row by row, of a table in `data/search`."""
    for line in (WORD_LISTS / file).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            written, phrases = line.split("\t")
            yield written, tuple(phrases.split("|"))


@dataclass(frozen=True)
class Query:
    """What somebody typed."""

    text: str
    """Without outer and repeated spaces, control characters and halves of characters, at most `LONGEST`."""
    words: tuple[str, ...]
    """Folded words that tell something."""
    last: str
    """The last word as far as it is typed, folded but not made singular; empty where it is finished."""

    @classmethod
    def read(cls, typed: str) -> Query:
        clean = typed[: 4 * LONGEST].encode("utf-8", "ignore").decode()
        clean = "".join(ch if ch.isprintable() else " " for ch in clean)
        text = " ".join(clean.split())[:LONGEST]
        written = spoken(text)[:MOST_WORDS]
        open_end = bool(text) and text[-1].isalnum() and not typed[:LONGEST].endswith(" ")
        return cls(text, tuple(telling(written)), fold(written[-1]) if written and open_end else "")

    @property
    def is_sentence(self) -> bool:
        """Whether it is longer than what somebody types to find a name."""
        return len(self.words) > 8
