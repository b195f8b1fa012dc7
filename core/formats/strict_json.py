"""JSON without silent changes.

Python's `json` accepts NaN, turns 1e400 into infinity, keeps the last of two equal keys, and fails without a
place on deep nesting and on very long numbers. Here each of these is a `JsonFault` with line and cause.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 64
"""Levels of nesting accepted."""
MAX_DIGITS = 4300
"""Digits of an integer accepted; Python's own limit."""
LARGEST = 2**31 - 1
"""The largest offset, step of an index or place that a file may name: no text and no tree is so large."""
LARGEST_NUMBER = 2**53
"""The largest of other whole numbers: up to here a number with decimals is exact."""


class JsonFault(ValueError):
    """Why a JSON text is refused; `line` and `column` are 1-based."""

    def __init__(self, text: str, position: int, cause: str):
        super().__init__(cause)
        self.cause = cause
        self.line = text.count("\n", 0, position) + 1
        self.column = position - text.rfind("\n", 0, position)


class _Trap(ValueError):
    """Raised by the hooks, which know the value and not its place."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Trap
    return found


def _number(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise _Trap
    return value


def _constant(literal: str) -> float:
    raise _Trap


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_number, parse_constant=_constant)
_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s"\[\]{}:,]+', re.DOTALL)


def decode(text: str, position: int = 0) -> tuple[Any, int]:
    """The value that starts at `position`, and where it ends.

    Raises:
        JsonFault: no valid JSON, or JSON that Python would change.
    """
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        raise JsonFault(text, error.pos, error.msg) from None
    except (_Trap, ValueError, RecursionError):
        raise _diagnose(text, position) from None


class Cursor:
    """A place in a JSON text, for walking its outer levels member by member."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0
        self.skip()

    def skip(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def value(self) -> Any:
        """Take the next value whole."""
        value, self.at = decode(self.text, self.at)
        self.skip()
        return value

    def sign(self, *expected: str) -> str:
        """Take one of these signs."""
        found = self.text[self.at : self.at + 1]
        if found not in expected:
            raise JsonFault(self.text, self.at, f"expecting {' or '.join(map(repr, expected))}")
        self.at += 1
        self.skip()
        return found

    def next_is(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at)

    def members(self) -> Iterator[tuple[int, str]]:
        """(line, name) of each member of the object here. The caller takes each value before the next."""
        seen: set[str] = set()
        for line in self._listed("{", "}"):
            at = self.at
            name = self.value()
            if not isinstance(name, str):
                raise JsonFault(self.text, at, "expecting a field name")
            if name in seen:
                raise JsonFault(self.text, at, f"the key {json.dumps(name)[:60]} occurs twice in one object")
            seen.add(name)
            self.sign(":")
            yield line, name

    def elements(self) -> Iterator[tuple[int, Any]]:
        """(line, value) of each element of the list here."""
        for line in self._listed("[", "]"):
            yield line, self.value()

    def _listed(self, opening: str, closing: str) -> Iterator[int]:
        """The line that each thing between brackets starts on; the caller moves past it."""
        line, counted = self.text.count("\n", 0, self.at) + 1, self.at
        self.sign(opening)
        more = not self.next_is(closing)
        while more:
            line += self.text.count("\n", counted, self.at)
            counted = self.at
            yield line
            more = self.next_is(",")
            if more:
                self.sign(",")
        self.sign(closing)

    def end(self) -> None:
        if self.at < len(self.text):
            raise JsonFault(self.text, self.at, "something follows the JSON value")


def loads(text: str) -> Any:
    """The one value that `text` holds.

    Raises:
        JsonFault: as for `decode`, or something follows the value.
    """
    cursor = Cursor(text)
    value = cursor.value()
    cursor.end()
    return value


def _diagnose(text: str, start: int) -> JsonFault:
    """Find the place of a trap by walking the tokens. Slow, so only after a failure."""
    keys: list[set[str] | None] = []
    before = ""
    for match in _TOKEN.finditer(text, start):
        sign = match.group()
        if sign in "[{":
            keys.append(set() if sign == "{" else None)
            if len(keys) > MAX_DEPTH:
                return JsonFault(text, match.start(), f"nested more than {MAX_DEPTH} levels deep")
        elif sign in "]}":
            keys.pop()
            if not keys:
                break
        elif sign.startswith('"'):
            known = keys[-1] if keys else None
            if known is not None and before in "{,":
                key = json.loads(sign, strict=False)
                if key in known:
                    return JsonFault(text, match.start(), f"the key {sign[:60]} occurs twice in one object")
                known.add(key)
        elif cause := _bad_literal(sign):
            return JsonFault(text, match.start(), cause)
        before = sign
    return JsonFault(text, start, "not valid JSON")


def _bad_literal(token: str) -> str | None:
    if token in ("NaN", "Infinity", "-Infinity"):
        return f"{token} is no JSON value: write null where there is no number"
    if not token.lstrip("-")[:1].isdigit():
        return None
    if len(token) > MAX_DIGITS and token.lstrip("-").isdigit():
        return f"a number of {len(token)} digits is longer than {MAX_DIGITS}"
    try:
        return f"the number {token[:60]} is too large" if math.isinf(float(token)) else None
    except ValueError:
        return None
