"""What a run, corpus, ontology, gold set or curator may be called.

Names stand in references (`NAME@VERSION`, `curator=ID`), on command lines, in names of files and in cells of
tables that people open in a spreadsheet: there `..` is a folder, `-x` an option, `=x` a formula and `con` a
device. They are checked when something gets its name; a workspace that holds others is read as ever.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Protocol, TypeVar

from core.errors import InputError, NotFoundError

_NAME = re.compile(r"[^\s@:/\\<>\"|?*]{1,100}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
"""Names that Windows keeps, with any extension."""
_FORMULA = "=+-@"
"""What begins a formula in a spreadsheet; `-` begins an option, too."""


def check_name(kind: str, name: str) -> None:
    """Refuse what cannot be referred to, or would be taken for a path, an option, a formula or a device.

    Raises:
        InputError: `name` cannot name a `kind` (run, corpus...).
    """
    first_is_plain = name[:1].isalnum() or name[:1] == "_"
    if not (_NAME.fullmatch(name) and name.isprintable() and first_is_plain) or name.endswith("."):
        raise InputError(
            f"{_quoted(name)} cannot name {_a(kind)}. Begin with a letter or a digit; go on with letters, "
            "digits, '.', '_' and '-', at most 100 in all; do not end with '.'."
        )
    if _DEVICE.fullmatch(name):
        raise InputError(f"{_quoted(name)} cannot name {_a(kind)}: Windows keeps it for a device. Add to it.")


def check_curator(curator_id: str, name: str) -> None:
    """People have names of many forms, so only what would be misread is refused: paths, options, formulas,
    and characters that cannot be seen.

    Raises:
        InputError: the id or the display name cannot be a curator's.
    """
    for what, text in (("id", curator_id), ("name", name)):
        if not text.strip():
            raise InputError("A curator needs an id and a name. Give both.")
        hidden = next((c for c in text if not c.isprintable()), None)
        first = unicodedata.normalize("NFKC", text.strip()[0])
        path = not text.strip(". ") or (what == "id" and re.search(r"[/\\]", text))
        if hidden is not None:
            why = f"it holds U+{ord(hidden):04X}, which cannot be seen"
        elif first in _FORMULA:
            why = f"{text.strip()[0]!r} at its beginning would be read as an option or a formula"
        elif path:
            why = "it would be read as a path"
        else:
            continue
        raise InputError(f"{_quoted(text)} cannot be the {what} of a curator: {why}. Choose another.")


class Versioned(Protocol):
    """A row of what has versions under one name."""

    @property
    def name(self) -> str: ...
    @property
    def reference(self) -> str:
        """`NAME@VERSION`, the way results name it."""


V = TypeVar("V", bound=Versioned)


def chosen(kind: str, asked: str, known: Sequence[V], form: str = "") -> V:
    """The one that `NAME@VERSION` names, or the last of those called `NAME`.

    Args:
        form: what stands before their names where a message lists them, such as `imported:`.

    Raises:
        NotFoundError: there is none; the known ones are listed.
    """
    found = [row for row in known if asked in (row.name, row.reference)]
    if not found:
        raise NotFoundError(kind, asked, [form + row.reference for row in known])
    return found[-1]


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _quoted(name: str) -> str:
    return repr(name if len(name) <= 100 else f"{name[:100]}…")
