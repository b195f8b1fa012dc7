"""From the words of a model to a reply in the form asked for: parse, repair, or say what is wrong.

Repaired is only what has one meaning: fences and words around the JSON, objects one per line, NaN for "no
number", a comma too many, keys that repeat with the same value. Whatever would need a guess (an answer cut in
two, a key with two values) is a problem that goes back to the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)

MAX_DEPTH = 64
"""Levels of nesting accepted."""
SHOWN = 5
"""Problems that a re-ask names."""

_THOUGHT = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(r"[{\[]")
_STRING = r'"(?:[^"\\]|\\.)*+(?:"|\Z)'  # unclosed, too, or one that never ends would be tried from each quote
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DROPPED = ("title", "default", "examples", "description")


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """A reply after a check."""

    value: T
    notes: tuple[str, ...] = ()
    """What was repaired, for the record."""
    problems: tuple[str, ...] = ()
    """What cannot be repaired: the model is asked again with them."""


class Unusable(ValueError):
    """No reply in the form asked for; `problems` say why, in words for the model."""

    def __init__(self, problems: list[str]):
        super().__init__("; ".join(problems))
        self.problems = problems


def read_reply(answer: str, reply: type[T], check: Callable[[T], Checked[T]] | None = None) -> Checked[T]:
    """The reply that `answer` holds, with notes on what was repaired.

    Raises:
        Unusable: there is none.
    """
    notes: list[str] = []
    value = _validated(_wrapped(_values(answer, notes), reply, notes), reply)
    if check is None:
        return Checked(value, tuple(notes))
    checked = check(value)
    if checked.problems:
        raise Unusable([_short(problem) for problem in checked.problems[:SHOWN]])
    return Checked(checked.value, (*notes, *checked.notes))


def _values(answer: str, notes: list[str]) -> list[Any]:
    """The JSON values of an answer: one, or those that stand one per line."""
    text = _THOUGHT.sub("", answer, count=1).lstrip("\ufeff").strip()
    if fenced := re.search(
        r"```(?:json[l5]?)?[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", text, re.DOTALL | re.IGNORECASE
    ):
        notes.append("took the JSON out of its fence")
        text = fenced.group(1).strip()
    opening = _OPENING.search(text)
    if opening is None:
        raise Unusable(["the reply holds no JSON object"])
    if opening.start():
        notes.append("dropped the words before the JSON")
    values = []
    at = opening.start()
    while True:
        value, at = _decoded(text, at, notes)
        values.append(value)
        rest = text[at:].lstrip(" \t\r\n,")
        if not rest.startswith("{"):
            break
        at = len(text) - len(rest)
    if text[at:].strip(" \t\r\n;,`"):
        notes.append("dropped the words after the JSON")
    return values


def _decoded(text: str, start: int, notes: list[str]) -> tuple[Any, int]:
    """The value that starts at `start` and where it ends."""
    found: list[str] = []
    decoder = json.JSONDecoder(
        object_pairs_hook=lambda pairs: _pairs(pairs, found),
        parse_constant=lambda literal: _no_number(literal, found),
        parse_float=lambda literal: _number(literal, found),
        strict=False,
    )
    _check_depth(text, start)
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        mended = text[:start] + _TRAILING_COMMA.sub(r"\1", text[start:])
        if mended == text:
            raise Unusable(
                [f"the reply is not valid JSON: {error.msg} (character {error.pos + 1})"]
            ) from None
        try:
            value, end = decoder.raw_decode(mended, start)
        except (ValueError, RecursionError):
            raise Unusable(
                [f"the reply is not valid JSON: {error.msg} (character {error.pos + 1})"]
            ) from None
        found.append("dropped a comma too many")
        end = len(text) - (len(mended) - end) if not mended[end:].strip() else len(text)
    except Unusable:
        raise
    except (ValueError, RecursionError):
        raise Unusable(["the reply holds a number that is too long"]) from None
    if _HALF.search(text, start, end):
        whole = _whole(value)
        found += ["replaced half a character"] if whole != value else []
        value = whole
    notes.extend(dict.fromkeys(found))
    return value, end


def _whole(value: Any) -> Any:
    """Without surrogates that stand alone: no store takes them."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return {_whole(k): _whole(v) for k, v in value.items()} if isinstance(value, dict) else value


def _check_depth(text: str, start: int) -> None:
    if text.count("[", start) + text.count("{", start) <= MAX_DEPTH:
        return
    depth = 0
    for match in re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL).finditer(text, start):
        sign = match.group()
        depth += (sign in "[{") - (sign in "]}")
        if depth > MAX_DEPTH:
            raise Unusable([f"the reply is nested more than {MAX_DEPTH} levels deep"])


def _pairs(pairs: list[tuple[str, Any]], found: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            if made[key] != value:
                raise Unusable([f"the key {_short(key)!r} occurs twice in one object, with two values"])
            found.append(f"dropped a second {_short(key)!r} with the same value")
        made[key] = value
    return made


def _no_number(literal: str, found: list[str]) -> None:
    found.append(f"read {literal} as null")


def _number(literal: str, found: list[str]) -> float | None:
    value = float(literal)
    if value in (float("inf"), float("-inf")):
        found.append("read a number beyond all bounds as null")
        return None
    return value


def _wrapped(values: list[Any], reply: type[BaseModel], notes: list[str]) -> Any:
    """One object. A bare list, or objects one per line, are the one list that the reply consists of."""
    if len(values) == 1 and isinstance(values[0], dict):
        return values[0]
    bare = len(values) == 1 and isinstance(values[0], list)
    several = values[0] if bare else values
    only = _only_list(reply)
    if several and all(_resembles(value, reply) for value in several):
        if all(value == several[0] for value in several):
            notes.append("took the object out of a list" if bare else "dropped a repetition of the reply")
            return several[0]
        if only and all(set(value) == {only} for value in several):
            notes.append(f"read objects one per line as {only!r}")
            return {only: [each for value in several for each in _as_list(value[only])]}
    elif only:
        notes.append(f"read {'a bare list' if bare else 'objects one per line'} as {only!r}")
        return {only: several}
    raise Unusable(["the reply must be one JSON object"])


def _resembles(value: Any, reply: type[BaseModel]) -> bool:
    """Whether a value has the fields of the reply itself, not of what its list holds."""
    required = {name for name, field in reply.model_fields.items() if field.is_required()}
    return isinstance(value, dict) and required <= set(value) and bool(set(value) & set(reply.model_fields))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@cache
def _only_list(reply: type[BaseModel]) -> str | None:
    """The field of a reply model that is a list, if it has exactly one and no other field is required."""
    fields = reply_schema(reply)["properties"]
    lists = [name for name, field in fields.items() if field.get("type") == "array"]
    required = [name for name, field in reply.model_fields.items() if field.is_required()]
    return lists[0] if len(lists) == 1 and set(required) <= set(lists) else None


def _validated(value: Any, reply: type[T]) -> T:
    try:
        return reply.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
        problems = []
        for each in found[:SHOWN]:
            place = ".".join(map(str, each["loc"])) or "the object"
            given = "" if each["type"] == "missing" else f", not {_short(repr(each['input']))}"
            problems.append(f"{_short(place)}: {_short(each['msg'])}{given}")
        if len(found) > SHOWN:
            problems.append(f"and {len(found) - SHOWN} more of the kind")
        raise Unusable(problems) from None


def _short(text: str, letters: int = 160) -> str:
    return text if len(text) <= letters else text[: letters - 3] + "..."


@cache
def reply_schema(reply: type[BaseModel]) -> Mapping[str, Any]:
    """JSON schema of a reply model in the strict dialect of endpoints: every property required, no other
    allowed. Descriptions stay out: the prompt says what fields mean, and its version is recorded."""
    schema: dict[str, Any] = _strict(reply.model_json_schema())
    return schema


def _strict(node: Any, named: bool = False) -> Any:
    """`named`: the keys of `node` are names of properties or definitions, not words of the schema."""
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {
        key: _strict(value, named=not named and key in ("properties", "$defs"))
        for key, value in node.items()
        if named or key not in _DROPPED
    }
    if not named and node.get("type") == "object" and "properties" in node:
        made |= {"required": list(node["properties"]), "additionalProperties": False}
    return made
