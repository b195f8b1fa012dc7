"""Lines of published OBO files that pronto refuses, mended one by one and each reported.

Used only after pronto has refused a file: every stanza is put to fastobo, the parser under pronto, and a
line it refuses is rewritten so that as little as possible is lost. fastobo judges every rewriting, so a
stanza it accepts is never touched. What a term is (its id, name, is_a links, synonym and definition texts)
is never left out: where such a line cannot be read, InputError names it. Line numbers stay as in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.errors import InputError
from core.records import Finding

_HEAD = re.compile(r"[ \t]*\[(\w+)\]")
_KINDS = ("Term", "Typedef", "Instance")
_CLAUSE = re.compile(r"\s*([\w-]+)[ \t]*:(.*)$")
_BARE_QUOTE = re.compile(r'(?<!\\)"')
_SCOPE = re.compile(r"\s*\b(EXACT|BROAD|NARROW|RELATED)\b", re.I)
_OLD_SYNONYMS = {f"{scope}_synonym": scope.upper() for scope in ("exact", "broad", "narrow", "related")}
_QUOTED = frozenset({"synonym", "def", *_OLD_SYNONYMS})
_ESSENTIAL = frozenset({"id", "name", "is_a", "is_obsolete", *_QUOTED})
_TRUTH = {"1": "true", "true": "true", "yes": "true", "0": "false", "false": "false", "no": "false"}
_ODD_SPACE = re.compile(r"[^\S ]|[\x00-\x1f\x7f-\x9f\u200b\ufeff]")


def repair_obo(text: str, name: str, torn: bool) -> tuple[str, list[Finding]]:
    """The mended text, and a finding for each line changed.

    `torn`: the file's last line had no line break, so it may be cut off and is not mended. InputError
    where a line that must not be left out cannot be read.
    """
    lines = text.split("\n")
    heads = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    mender = _Mender(lines, name, len(lines) - 2 if torn else None)
    for start, end in zip([0, *heads], [*heads, len(lines)], strict=True):
        if start < end:
            mender.mend(start, end)
    return "\n".join(lines), mender.findings


def refusal(text: str) -> tuple[int, str] | None:
    """(line from 1, reason) where fastobo stops, line 0 if it does not say; None where it reads the text."""
    import fastobo  # type: ignore[import-untyped]

    try:
        fastobo.loads(text, threads=1)
    except SyntaxError as error:
        return error.lineno or 0, error.msg
    except BaseException as error:  # a panic in fastobo's Rust code is no Exception
        if isinstance(error, (KeyboardInterrupt, MemoryError)):
            raise
        return 0, "fastobo stops without a reason"
    return None


def _readable(line: str, head: str = "[Term]") -> bool:
    """Whether fastobo accepts one line in a stanza, or in the header where `head` is empty."""
    return refusal(f"{head}\nid: X:1\n{line}\n" if head else f"{line}\n") is None


class _Mender:
    def __init__(self, lines: list[str], name: str, torn: int | None):
        self.lines, self.name, self.torn = lines, name, torn
        self.findings: list[Finding] = []

    def mend(self, start: int, end: int) -> None:
        """Mend lines[start:end]: the header, or one stanza with its head."""
        if self._refusal(start, end) is None:
            return self._check_parts(start, end)
        for number in range(start, end):
            if self.lines[number].lstrip().startswith("!"):
                self.lines[number] = ""  # a comment: nothing that is kept
        if _HEAD.match(self.lines[start]) and not self._mend_head(start, end):
            return None
        for _ in range(start, end):  # each round mends one line
            refused = self._refusal(start, end)
            if refused is None:
                return self._check_parts(start, end)
            self._mend_line(self._refused_line(refused[0], start, end), start, end, refused[1])
        raise self._error(start, "these lines cannot be read")

    def _refusal(self, start: int, end: int) -> tuple[int, str] | None:
        return refusal("\n".join(self.lines[start:end]) + "\n")

    def _refused_line(self, given: int, start: int, end: int) -> int:
        if given:
            return min(start + given - 1, end - 1)
        head = self._head(start)
        for number in range(start + bool(head), end):
            line = self.lines[number]
            if line.strip() and not re.match(r"\s*id[ \t]*:", line) and not _readable(line, head):
                return number
        raise self._error(start, "this stanza cannot be read")

    def _head(self, start: int) -> str:
        match = _HEAD.match(self.lines[start])
        return match[0].strip() if match else ""

    def _clause(self, number: int) -> tuple[str, str]:
        match = _CLAUSE.match(self.lines[number])
        return (match[1], match[2].strip()) if match else ("", "")

    def _error(self, number: int, why: str) -> InputError:
        line = self.lines[number].strip()
        shown = line if len(line) <= 120 else line[:120] + "..."
        return InputError(
            f"{self.name!r}, line {number + 1}: {why}: {shown!r}. Correct the line and add the file again."
        )

    def _replace(self, number: int, line: str, what: str) -> None:
        self.lines[number] = line
        self.findings.append(Finding(number + 1, "repaired", what))

    def _mend_head(self, start: int, end: int) -> bool:
        """The stanza's head and id. False where the whole stanza was left out."""
        head = self._head(start)
        if head[1:-1] not in _KINDS:
            self._replace(start, "", f"A stanza of the unknown kind {head} is left out.")
            self.lines[start:end] = [""] * (end - start)
            return False
        if self.lines[start].strip() != head:
            self._replace(start, head, "What follows the head of the stanza is left out.")
        filled = [number for number in range(start + 1, end) if self.lines[number].strip()]
        ids = [number for number in filled if self._clause(number)[0] == "id"]
        if not ids or not self._clause(ids[0])[1]:
            raise self._error(start, "this stanza has no id")
        if ids[0] != filled[0]:
            self.lines[ids[0]], moved = self.lines[filled[0]], self.lines[ids[0]]
            self._replace(filled[0], moved, "The id is moved to the head of its stanza.")
        return True

    def _mend_line(self, number: int, start: int, end: int, reason: str) -> None:
        if number == self.torn:
            raise self._error(number, "the file is cut off in this line")
        line, (tag, value) = self.lines[number], self._clause(number)
        if not tag:
            raise self._error(number, "this is no clause of an OBO file")
        for candidate, what in _candidates(tag, value):
            if candidate != line and _readable(candidate, self._head(start)):
                return self._replace(number, candidate, what)
        if value and tag in _ESSENTIAL and self._head(start):
            raise self._error(number, f"this {tag} cannot be read ({reason})")
        if tag in ("intersection_of", "union_of"):
            return self._drop_all(tag, start, end)
        why = f"cannot be read ({reason})" if value else "is empty"
        return self._replace(number, "", f"This {tag} {why}; it is left out.")

    def _check_parts(self, start: int, end: int) -> None:
        """pronto refuses a definition of one part, which would be a plain equivalence."""
        for tag in ("intersection_of", "union_of"):
            parts = {self._clause(n)[1] for n in range(start, end) if self._clause(n)[0] == tag}
            if len(parts) == 1:
                self._drop_all(tag, start, end)

    def _drop_all(self, tag: str, start: int, end: int) -> None:
        """A definition with a part missing would be another definition."""
        for number in range(start, end):
            if self._clause(number)[0] == tag:
                self._replace(number, "", f"The {tag} of this term cannot be read as a whole; left out.")


# --- rewritings, least loss first -------------------------------------------------------------------------


def _candidates(tag: str, value: str) -> Iterator[tuple[str, str]]:
    """Lines that may stand in for `tag: value`, with what each does."""
    yield f"{tag}: {_ODD_SPACE.sub(' ', value).strip()}", "Odd white space is replaced by plain spaces."
    if tag in _QUOTED:
        yield _requoted(tag, _ODD_SPACE.sub(" ", value).strip())
    elif tag == "is_obsolete" and value.lower() in _TRUTH:
        truth = _TRUTH[value.lower()]
        yield f"{tag}: {truth}", f"{value!r} is read as {truth}."
    elif tag in ("is_a", "alt_id", "replaced_by", "consider", "id"):
        first, _, rest = value.partition(" ")
        if ":" in first and rest:
            yield f"{tag}: {first} ! {rest}", "What follows the id is read as a comment."
    elif tag in ("name", "comment", "namespace", "created_by"):
        escaped = re.sub(r"(?<!\\)([{}])", r"\\\1", value)
        yield f"{tag}: {escaped}", "Braces are read as part of the text."
        spaces = re.sub(r"(?<!\\) ", r"\\ ", escaped)
        yield f"{tag}: {spaces}", "Spaces are read as part of the text."


def _requoted(tag: str, value: str) -> tuple[str, str]:
    """A synonym or definition put together anew from what can be read of it; its text is always kept."""
    done: list[str] = []
    text, rest = _split_text(tag, value)
    if not value.startswith(f'"{text}"'):
        done.append("its quotation marks are put right")
    middle = ""
    if tag != "def":
        match = _SCOPE.match(rest)
        scope = match[1].upper() if match else _OLD_SYNONYMS.get(tag, "RELATED")
        if not match or match[1] != scope:
            done.append(f"its scope is read as {scope}")
        rest = rest[match.end() :] if match else rest
        kind = re.split(r"[\s\[{]", rest.lstrip(), maxsplit=1)[0]
        rest = rest.lstrip().removeprefix(kind)
        if kind and not _readable(f'synonym: "x" {scope} {kind} []'):
            done.append(f"its type {kind!r} is left out")
            kind = ""
        middle = f" {scope} {kind}".rstrip()
    listed, tail = re.split(r"(?<!\\)[{!]|$", rest, maxsplit=1)
    kept, lost = _references(listed)
    if lost:
        done.append(f"cross-references that cannot be read are left out ({', '.join(lost)})")
    if listed.strip() != f"[{', '.join(kept)}]" and not lost:
        done.append("its cross-references are written anew")
    if tail.strip():
        done.append("what follows the brackets is left out")
    line = f'{"def" if tag == "def" else "synonym"}: "{text}"{middle} [{", ".join(kept)}]'
    what = "; ".join(done) or "it is written in the present form"
    return line, f"{what[0].upper()}{what[1:]}; the text is kept."


def _split_text(tag: str, value: str) -> tuple[str, str]:
    """The text, its quotation marks escaped, and what follows it."""
    after = r"\s*(?:\[|$)" if tag != "synonym" else rf"{_SCOPE.pattern}|\s*\[[^\"]*$|\s*$"
    if match := re.match(rf'"((?:\\.|[^"\\])*)"(?={after})', value, re.I):
        return match[1], value[match.end() :]
    match = re.match(rf'"?(.*?)"?\s*(?={after})', value, re.I)
    if tag == "synonym" and (scoped := re.match(rf'"?(.*)"?(?={_SCOPE.pattern}[^"]*$)', value, re.I)):
        match = scoped
    text = (match[1] if match else value).strip().removesuffix('"')
    return _BARE_QUOTE.sub(r"\"", text), value[match.end() :] if match else ""


def _references(listed: str) -> tuple[list[str], list[str]]:
    """The cross-references of a list that fastobo accepts, escaped where need be, and those it does not."""
    kept, lost = [], []
    for piece in re.split(r"(?<!\\)[,;\[\]]", listed):
        piece = piece.strip()
        escaped = re.sub(r"(?<!\\)([\s<>\"])", r"\\\1", piece)
        forms = [form for form in (piece, escaped) if piece and _readable(f'synonym: "x" EXACT [{form}]')]
        if forms:
            kept.append(forms[0])
        elif piece:
            lost.append(piece)
    return kept, lost
