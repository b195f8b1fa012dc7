"""Words and tables of a card, from texts that nobody vouches for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]*[A-Za-z0-9]|[A-Za-z0-9]")
"""What no renderer takes for markup; an underscore within a word is one."""


def words(text: object) -> str:
    """Text from outside as words: no line break, no markup."""
    plain = " ".join(str(text).split())
    if _NAME.fullmatch(plain):
        return plain
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|!" else sign for sign in plain)


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(_cell(c) for c in row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else words(value)


def share(count: int, of: int, share: float | None) -> str:
    return f"{count:,} of {of:,}" + (f" ({100 * share:.1f} %)" if share is not None else "")
