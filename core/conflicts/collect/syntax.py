"""Queries in PubMed's syntax: read, checked, and written as Europe PMC's.

What PubMed would quietly read otherwise is refused: operators in lower case (ignored there), AND and OR side
by side without parentheses (PubMed goes from left to right, Europe PMC does not), words side by side without
an operator, unknown field tags, a phrase in typographic quotes.

Europe PMC has no exploded MeSH: `[mh]` becomes KW, keywords and MeSH headings as they stand
on the record. A query of a pack therefore names MeSH and words of the text beside each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

OPERATORS = ("AND", "OR", "NOT")

TAGS = {
    "tiab": "tiab", "title/abstract": "tiab", "ti": "ti", "title": "ti", "tw": "tw", "text word": "tw",
    "mh": "mh", "mesh": "mh", "mesh terms": "mh", "mh:noexp": "mh", "mesh:noexp": "mh",
    "majr": "majr", "mesh major topic": "majr", "majr:noexp": "majr",
    "sh": "sh", "mesh subheading": "sh", "nm": "nm", "supplementary concept": "nm", "pa": "pa",
    "pharmacological action": "pa", "pt": "pt", "publication type": "pt", "la": "la", "language": "la",
    "dp": "dp", "date - publication": "dp", "ta": "ta", "journal": "ta", "ot": "ot", "other term": "ot",
    "sb": "sb", "subset": "sb", "filter": "sb", "rn": "rn", "ec/rn number": "rn",
}  # fmt: skip
"""Field tags of PubMed that are accepted, in lower case, and what each means."""

_WIDE = ("TITLE_ABS", "KW")
_FIELDS: dict[str, tuple[str, ...]] = {
    "tiab": ("TITLE_ABS",), "ti": ("TITLE",), "tw": _WIDE, "mh": ("KW",), "majr": ("KW",), "ot": ("KW",),
    "nm": ("CHEM",), "pt": ("PUB_TYPE",), "ta": ("JOURNAL",),
}  # fmt: skip
"""Meaning of a tag -> fields of Europe PMC, of which one must match."""
_LANGUAGES = {"english": "eng", "eng": "eng"}

EUROPEPMC_FIELDS = (
    "TITLE", "ABSTRACT", "TITLE_ABS", "KW", "CHEM", "PUB_TYPE", "PUB_YEAR", "FIRST_PDATE", "LANG", "JOURNAL",
    "SRC", "DISEASE", "GENE_PROTEIN", "GOTERM", "ORGANISM", "METHODS", "RESULTS", "CONCL", "INTRO", "DISCUSS",
    "HAS_ABSTRACT", "OPEN_ACCESS", "AUTH", "AFF", "GRANT_AGENCY",
)  # fmt: skip
"""Fields of Europe PMC that are accepted."""

_TOKEN = re.compile(
    r'\s*(?:(?P<bracket>[()])|"(?P<phrase>[^"]*)"|(?P<tag>\[[^\]\[]*\])|(?P<colon>:)'
    r'|(?P<word>[^\s()"\[\]:]+))'
)
_PROXIMITY = re.compile(r"(tiab|ti):~[0-9]{1,3}")
_YEAR = re.compile(r"[0-9]{4}")


class SyntaxFault(ValueError):
    """Why a query cannot be asked. `str` is a clause without a full stop."""


@dataclass(frozen=True, slots=True)
class Term:
    text: str
    quoted: bool
    tag: str | None
    """What the tag means; None without one."""
    until: str | None = None
    """End of a range of years."""


@dataclass(frozen=True, slots=True)
class Group:
    operator: str
    parts: tuple[Term | Group, ...]


def read(query: str) -> Term | Group:
    """The structure of a query in PubMed's syntax.

    Raises:
        SyntaxFault: it is not well formed, or PubMed would read it otherwise than it looks.
    """
    _check_characters(query)
    tokens = list(_tokens(query))
    if not tokens:
        raise SyntaxFault("it is empty")
    found, left = _expression(tokens, 0)
    if left < len(tokens):
        raise SyntaxFault("a ')' closes no parenthesis")
    return found


def to_europepmc(query: str) -> str:
    """The same query in Europe PMC's syntax.

    Raises:
        SyntaxFault: it is not well formed, or holds what Europe PMC cannot be asked; then the pack gives the
            Europe PMC form itself.
    """
    return _written(read(query))


def check_europepmc(query: str) -> None:
    """Check a query given in Europe PMC's syntax: quotes, brackets, operators, names of fields.

    Raises:
        SyntaxFault: says what is wrong.
    """
    _check_characters(query)
    if not query.strip():
        raise SyntaxFault("it is empty")
    if query.count('"') % 2:
        raise SyntaxFault("a quotation mark is not closed")
    bare = re.sub(r'"[^"]*"', '""', query)
    open_: list[str] = []
    for mark in re.findall(r"[()\[\]]", bare):
        if mark in "([":
            open_.append(mark)
        elif not open_ or open_.pop() != {")": "(", "]": "["}[mark]:
            raise SyntaxFault(f"a {mark!r} closes nothing")
    if open_:
        raise SyntaxFault(f"a {open_[-1]!r} is not closed")
    for name in re.findall(r"([A-Za-z_]+):", bare):
        if name not in EUROPEPMC_FIELDS:
            raise SyntaxFault(f"Europe PMC has no field {name!r} that is known here")
    for word in re.findall(r"[A-Za-z]+", bare):
        if word.upper() in OPERATORS and word not in OPERATORS:
            raise SyntaxFault(f"{word!r} is written {word.upper()}")


# --- reading ----------------------------------------------------------------------------------------------


def _check_characters(query: str) -> None:
    for character in query:
        if character in "“”„«»":
            raise SyntaxFault(f"{character} is no plain quotation mark")
        if not character.isprintable() and character not in "\n\t ":
            raise SyntaxFault(f"it holds the character U+{ord(character):04X}")


def _tokens(query: str) -> Iterator[tuple[str, str]]:
    at, end = 0, len(query.rstrip())
    while at < end:
        match = _TOKEN.match(query, at)
        if match is None:
            mark = query[at:].strip()[:1]
            said = "a quotation mark is not closed" if mark == '"' else f"a {mark!r} stands alone"
            raise SyntaxFault(said)
        at = match.end()
        kind = str(match.lastgroup)
        yield kind, match[kind]


def _expression(tokens: list[tuple[str, str]], at: int) -> tuple[Term | Group, int]:
    parts: list[Term | Group] = []
    operator: str | None = None
    while True:
        part, at = _operand(tokens, at)
        parts.append(part)
        if at == len(tokens) or tokens[at] == ("bracket", ")"):
            break
        kind, text = tokens[at]
        if kind != "word" or text not in OPERATORS:
            wrong = f"{text!r} is written {text.upper()}" if text.upper() in OPERATORS else ""
            raise SyntaxFault(wrong or f"between {_shown(parts[-1])} and {text!r} an operator is missing")
        if operator not in (None, text):
            raise SyntaxFault(f"{operator} and {text} stand side by side: put parentheses around one of them")
        operator, at = text, at + 1
    return (parts[0] if operator is None else Group(operator, tuple(parts))), at


def _operand(tokens: list[tuple[str, str]], at: int) -> tuple[Term | Group, int]:
    if at == len(tokens):
        raise SyntaxFault("it ends where a term is due")
    kind, text = tokens[at]
    if (kind, text) == ("bracket", "("):
        found, at = _expression(tokens, at + 1)
        if at == len(tokens):
            raise SyntaxFault("a '(' is not closed")
        return found, at + 1
    if kind == "phrase":
        if not text.strip():
            raise SyntaxFault("a phrase is empty")
        at += 1
    elif kind == "word" and text not in OPERATORS:
        words = []
        while at < len(tokens) and tokens[at][0] == "word" and tokens[at][1] not in OPERATORS:
            if tokens[at][1].upper() in OPERATORS:
                raise SyntaxFault(f"{tokens[at][1]!r} is written {tokens[at][1].upper()}")
            words.append(tokens[at][1])
            at += 1
        text = " ".join(words)
    else:
        raise SyntaxFault(f"{text!r} stands where a term is due")
    tag, at = _tag(tokens, at)
    if len(text.split()) > 1 and kind == "word":
        raise SyntaxFault(f"{text!r} is more than one word: put it in quotation marks")
    if at < len(tokens) and tokens[at][0] == "colon":
        return _range(tokens, at, text, tag)
    if tag == "dp" and not _YEAR.fullmatch(text):
        raise SyntaxFault(f"{text!r} is no year")
    if "*" in text.rstrip("*") or re.search(r"(^|[\s\-])\w{0,3}\*$", text):
        raise SyntaxFault(f"{text!r}: a * ends a word of four letters or more")
    return Term(text, kind == "phrase", tag), at


def _tag(tokens: list[tuple[str, str]], at: int) -> tuple[str | None, int]:
    if at == len(tokens) or tokens[at][0] != "tag":
        return None, at
    name = " ".join(tokens[at][1][1:-1].lower().split())
    if _PROXIMITY.fullmatch(name):
        return name, at + 1
    if name not in TAGS:
        raise SyntaxFault(f"PubMed has no field {tokens[at][1]} that is known here")
    return TAGS[name], at + 1


def _range(tokens: list[tuple[str, str]], at: int, text: str, tag: str | None) -> tuple[Term, int]:
    """`"2001"[dp] : "2005"[dp]` or `2001:2005[dp]`."""
    end = tokens[at + 1][1] if at + 1 < len(tokens) and tokens[at + 1][0] in ("word", "phrase") else ""
    second, after = _tag(tokens, at + 2) if end else (None, at)
    if second != "dp" or tag not in (None, "dp") or not (_YEAR.fullmatch(text) and _YEAR.fullmatch(end)):
        raise SyntaxFault("a range is one of years, such as 2001:2005[dp]")
    return Term(text, True, "dp", end), after


def _shown(part: Term | Group) -> str:
    return repr(part.text) if isinstance(part, Term) else "a parenthesis"


# --- writing ----------------------------------------------------------------------------------------------


def _written(part: Term | Group, inside: bool = False) -> str:
    if isinstance(part, Group):
        joined = f" {part.operator} ".join(_written(each, inside=True) for each in part.parts)
        return f"({joined})" if inside else joined
    if part.tag == "dp":
        return f"PUB_YEAR:[{part.text} TO {part.until or part.text}]"
    if part.tag == "la":
        if part.text.lower() not in _LANGUAGES:
            raise SyntaxFault(f"the language {part.text!r} has no translation: give the Europe PMC form")
        return f'LANG:"{_LANGUAGES[part.text.lower()]}"'
    tag = part.tag or "tw"
    if tag not in _FIELDS:
        raise SyntaxFault(f"{part.text!r}[{tag}] has no translation: give the Europe PMC form")
    text = part.text.partition("/")[0] if tag in ("mh", "majr") else part.text
    if "*" in text and len(text.split()) > 1:
        raise SyntaxFault(f"{text!r}: a * within a phrase has no translation: give the Europe PMC form")
    value = text if "*" in text else f'"{text}"'
    asked = [f"{name}:{value}" for name in _FIELDS[tag]]
    return asked[0] if len(asked) == 1 else f"({' OR '.join(asked)})"
