"""Fields of replies, lenient on reading and strict in the schema that the endpoint is told.

A model writes null for an empty text, a per cent value for a share, "Not-Relevant." for a label. Such forms
have one meaning, and are read; what a label means beyond its form is the stage's to say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

L = TypeVar("L")


class Reply(BaseModel):
    """Base of all reply models. On reading, fields with a default may lack and others may come besides; the
    JSON schema that the client makes of it demands every field and allows no other."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def _text(value: object) -> object:
    """Null is an empty text, a number its digits; anything else must be text by itself."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else value


def _share(value: object) -> object:
    """A number in [0, 1]; a per cent value is divided; None for everything else."""
    try:
        number = float(str(value).strip().removesuffix("%"))
    except ValueError:
        return None
    if isinstance(value, bool) or not math.isfinite(number) or number < 0 or number > 100:
        return None
    return number / 100 if number > 1 else number


def _number(value: object) -> object:
    """A whole number of at least 0; 0 for everything else."""
    text = str(value).strip()
    return int(text) if text.isdecimal() and len(text) < 10 and not isinstance(value, bool) else 0


Text = Annotated[str, BeforeValidator(_text)]
Share = Annotated[float | None, BeforeValidator(_share)]
Number = Annotated[int, BeforeValidator(_number)]


def choice(labels: Iterable[str], *, alias: str | None = None) -> Any:
    """A field whose JSON schema names the labels to choose from; on reading, every label passes."""
    names: list[JsonValue] = [label.replace(" ", "_") for label in labels]
    return Field("", alias=alias, json_schema_extra={"enum": names})


def plain(label: str) -> str:
    """A label without case, underscores, hyphens and outer punctuation: `Not-Relevant.` is `not relevant`."""
    return re.sub(r"[\s_\-]+", " ", label.lower()).strip(" .,:;!*\"'`")


def lookup(label: str, labels: Mapping[str, L], aliases: Mapping[str, L]) -> tuple[L | None, bool]:
    """What a label means and whether it had to be repaired; (None, True) for one in neither table."""
    key = plain(label)
    if key in labels:
        return labels[key], False
    return aliases.get(key), True


def shortened(text: str, most: int) -> str:
    """On one line, of at most `most` characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
