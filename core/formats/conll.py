"""CoNLL: one token a line, its tag in the last column, an empty line after each sentence.

    skin B            tags B, I, O (also B-Disease and so on; I after another type begins a mention), and
    tumour I          S, E, L, U where a scheme marks single and last tokens
    . O

A second file of the same tokens may hold the concept ids of each mention on its first token, `-` elsewhere;
several ids stand in one field, joined by `|` or `+`. Columns are parted by one space or tab.

A sentence becomes a text, its tokens joined by single spaces, so that mentions have character offsets. The
format knows no documents: a sentence is one, unless lines of `-DOCSTART-` say where documents begin.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice, pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from core.errors import InputError
from core.formats.rows import shown
from core.formats.source import Source

NO_ID = "-"
_START = "-DOCSTART-"
_TAG = re.compile(r"(?:O|([BIESLU])(?:-(\S+))?)")


class TaggedMention(NamedTuple):
    start: int
    end: int
    """Character offsets in the text of the document, 0-based, end exclusive."""
    type: str
    """Empty where tags bear no type."""
    text: str
    first: int
    """Number of its first token in the document, from 0: where an id file has the ids."""


class Row(NamedTuple):
    line: int
    """1-based."""
    token: str
    value: str
    """Last column: a tag, or an id field."""


Document = tuple[tuple[Row, ...], ...]
"""Sentences of rows."""


@dataclass(frozen=True, slots=True)
class TokenFile:
    """A file of tokens with one value each."""

    name: str
    sha256: str
    documents: dict[str, Document]
    """Name -> sentences, in order: `sentence 12`, or `document 3` where the file marks documents."""

    @property
    def unit(self) -> str:
        """`sentence` or `document`."""
        return next(iter(self.documents)).partition(" ")[0]


def read_tokens(path: Path | str) -> TokenFile:
    """Tokens and their last column, whatever it holds.

    Raises:
        InputError: the file cannot be read, holds no token, or a line has one column only.
    """
    source = Source(path)
    sentences: list[tuple[Row, ...]] = []
    starts: list[int] = []
    rows: list[Row] = []
    for number, line in source.lines():
        if not line.strip():
            if rows:
                sentences.append(tuple(rows))
                rows = []
            continue
        columns = _columns(line)
        if columns[0] == _START:
            if rows:
                sentences.append(tuple(rows))
                rows = []
            starts.append(len(sentences))
        elif len(columns) == 1:
            raise InputError(
                f"{source.name}, line {number}: {shown(columns[0])} stands alone. Write one token a line, "
                "its tag or ids after a space or tab, and an empty line after each sentence."
            )
        else:
            rows.append(Row(number, columns[0], columns[-1]))
    if rows:
        sentences.append(tuple(rows))
    if not sentences:
        raise InputError(f"{source.name} holds no token. Check that it is complete.")
    if starts:
        bounds = sorted({0, *starts, len(sentences)})
        parts = [tuple(sentences[a:b]) for a, b in pairwise(bounds)]
        documents = {f"document {n}": part for n, part in enumerate(parts, 1)}
    else:
        documents = {f"sentence {n}": (sentence,) for n, sentence in enumerate(sentences, 1)}
    return TokenFile(source.name, source.sha256(), documents)


def _columns(line: str) -> list[str]:
    return re.split(r"[ \t]+", line.rstrip("\r\n").strip(" \t"))


def holds_tags(path: Path | str) -> bool:
    """Whether a file is one of tokens with tags, judged by its first lines."""
    values = _first_values(path)
    return bool(values) and all(value is not None and _TAG.fullmatch(value) for value in values)


def holds_ids(path: Path | str) -> bool:
    """Whether a file is one of tokens with id fields, judged by its first lines: some are `-`."""
    values = _first_values(path)
    return None not in values and NO_ID in values


def _first_values(path: Path | str) -> list[str | None]:
    """The last columns of the first lines, None for a line of one column."""
    values: list[str | None] = []
    for number, line in Source(path).lines():
        columns = _columns(line)
        if line.strip() and columns[0] != _START:
            values.append(columns[-1] if len(columns) > 1 else None)
        if number == LOOKED_AT:
            break
    return values


LOOKED_AT = 200
"""Lines that tell what a file holds."""


def text_of(document: Document) -> str:
    """Tokens joined by spaces, sentences by line feeds: what offsets count in."""
    return "\n".join(" ".join(row.token for row in sentence) for sentence in document)


def mentions_of(file: str, document: Document) -> list[TaggedMention]:
    """The mentions that tags mark, in order. `I` where nothing of its type is open begins one.

    Args:
        file: its name, for messages.

    Raises:
        InputError: a value is no tag.
    """
    found: list[TaggedMention] = []
    at = number = 0
    text = text_of(document)
    for sentence in document:
        begin: tuple[int, str, int] | None = None  # start, type, first token
        last = at
        for row in sentence:
            sign, kind = _tag(file, row)
            goes_on = begin is not None and sign in ("I", "E", "L") and begin[1] == kind
            if begin is not None and not goes_on:
                found.append(TaggedMention(begin[0], last, begin[1], text[begin[0] : last], begin[2]))
                begin = None
            if sign != "O" and not goes_on:
                begin = (at, kind, number)
            last = at + len(row.token)
            if begin is not None and sign in ("S", "U", "E", "L"):
                found.append(TaggedMention(begin[0], last, begin[1], text[begin[0] : last], begin[2]))
                begin = None
            at, number = last + 1, number + 1
        if begin is not None:
            found.append(TaggedMention(begin[0], last, begin[1], text[begin[0] : last], begin[2]))
    return found


def _tag(file: str, row: Row) -> tuple[str, str]:
    match = _TAG.fullmatch(row.value)
    if match is None:
        raise InputError(
            f"{file}, line {row.line}: {shown(row.value)} is no tag. Known: B, I, O, and E, S, L, U of "
            "other schemes, each with or without a type, as in B-Disease."
        )
    return match[1] or "O", match[2] or ""


def check_aligned(one: TokenFile, other: TokenFile) -> None:
    """Both files hold the same tokens in the same sentences.

    Raises:
        InputError: where they part ways first.
    """
    first = (row for document in one.documents.values() for sentence in document for row in (*sentence, None))
    second = (
        row for document in other.documents.values() for sentence in document for row in (*sentence, None)
    )
    for a, b in zip_longest(first, second):
        if (a and a.token) != (b and b.token):
            raise InputError(
                f"{one.name} and {other.name} do not hold the same tokens: {_place(a)} in the first is "
                f"{_place(b)} in the second. Tag the very tokens of the gold, in their order."
            )


def regrouped(file: TokenFile, like: TokenFile) -> dict[str, Document]:
    """The sentences of a file, by the documents of another that holds the same sentences."""
    sentences = iter([sentence for document in file.documents.values() for sentence in document])
    return {name: tuple(islice(sentences, len(held))) for name, held in like.documents.items()}


def _place(row: Row | None) -> str:
    return f"{shown(row.token)} (line {row.line})" if row else "the end of a sentence"
