"""A long guideline made into a short one, once: split, rules taken from every part, rules merged.

HI-ALD, section 3.2: 47 pages became 2,128 characters. The summary goes into every call of the guideline
stage, so that its length is paid for with each passage. It is stored with its calls and can be edited as a
new version.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.concepts import asking
from core.concepts.profile import Profile
from core.errors import InputError
from core.llm import Asker, Checked, together
from core.llm.fields import Reply, Text

STAGE = "guideline"
FOLDER = Path(__file__).parent
SUFFIXES = (".txt", ".md")
LARGEST = 2 << 20
"""Bytes of a guideline file at most."""
PART = 8000
"""Characters in one part at most: some four pages."""
MERGED = 16000
"""Characters of rules that are merged in one call at most; more are merged in several rounds."""
SUMMARY = 2500
"""Characters that the summary should have at most."""
_ROUNDS = 8


class Rules(Reply):
    rules: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A guideline in short, as numbered rules, and the stored calls that it came from."""

    text: str
    calls: tuple[int, ...]


def read_guideline(path: Path) -> str:
    """The text of a guideline file.

    Raises:
        InputError: no file, no plain text (PDF, Word...), too large, empty.
    """
    if not path.is_file():
        raise InputError(f"There is no guideline file {path.name}. Name a .txt or .md file.")
    size = path.stat().st_size
    if size > LARGEST:
        raise InputError(
            f"{path.name} has {size:,} bytes; a guideline may have {LARGEST:,}. Cut it down first."
        )
    content = path.read_bytes()
    if path.suffix.lower() == ".pdf" or content.startswith(b"%PDF"):
        raise InputError(
            f"{path.name} is a PDF, which Touchstone does not read. Save its text as a .txt file, read it "
            "over, and give that."
        )
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path.name} is no .txt or .md file. Save the guideline as plain text and give that."
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path.name} is no UTF-8 text (byte {error.start + 1}). Save it as UTF-8 and give that."
        ) from error
    if not text.strip():
        raise InputError(f"{path.name} is empty. Give a file with the guideline's text.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split(text: str, size: int = PART) -> list[str]:
    """Parts of at most `size` characters, cut where a paragraph ends, else a line, a sentence, a word."""
    parts, rest = [], text.strip()
    while len(rest) > size:
        head = rest[:size]
        places = (head.rfind("\n\n"), head.rfind("\n"), head.rfind(". ") + 1, head.rfind(" "))
        cut = next((place for place in places if place > size // 4), size)
        parts.append(rest[:cut].strip())
        rest = rest[cut:].strip()
    return [part for part in [*parts, rest] if part]


async def summarise(text: str, profile: Profile, asker: Asker) -> Summary:
    """The guideline in short, for the kind of concept of `profile`.

    Raises:
        InputError: no part of it holds a rule; and whatever of the client's stops a run.
        ReplyFailure: a call gave no usable answer.
    """
    found = await together(_rules(part, profile, asker) for part in split(text))
    calls = [call for _, call in found]
    rules = _distinct([rule for rules, _ in found for rule in rules])
    if not rules:
        raise InputError(
            f"The guideline holds no rule on {profile.kind}. Check that it is the right file for the "
            f"profile {profile.name}."
        )
    for _ in range(_ROUNDS):
        if len(_numbered(rules)) <= SUMMARY and len(found) == 1:
            break  # a short guideline needs no merging
        bundles = _bundles(rules)
        merged = await together(_merge(bundle, profile, asker) for bundle in bundles)
        calls += [call for _, call in merged]
        rules = _distinct([rule for rules, _ in merged for rule in rules]) or rules
        if len(bundles) == 1:
            break
    return Summary(_numbered(rules), tuple(dict.fromkeys(calls)))


async def _rules(part: str, profile: Profile, asker: Asker) -> tuple[list[str], int]:
    answer = await asker.ask(
        asking.prompt(FOLDER / "part.md"),
        Rules,
        terms=asking.terms(profile),
        data={"part": part},
        stage=STAGE,
        passage_id=None,
    )
    return _distinct(answer.value.rules), answer.call


async def _merge(rules: Sequence[str], profile: Profile, asker: Asker) -> tuple[list[str], int]:
    def check(reply: Rules) -> Checked[Rules]:
        merged = _distinct(reply.rules)
        problems = [] if merged else ["There are no rules; merge those that were given."]
        if len(_numbered(merged)) > 2 * SUMMARY:
            problems.append(f"The rules have more than {SUMMARY} characters together; shorten them.")
        return Checked(reply, (), tuple(problems))

    answer = await asker.ask(
        asking.prompt(FOLDER / "whole.md"),
        Rules,
        terms={**asking.terms(profile), "most": str(SUMMARY)},
        data={"rules": list(rules)},
        stage=STAGE,
        passage_id=None,
        check=check,
    )
    return _distinct(answer.value.rules), answer.call


def _distinct(rules: Sequence[str]) -> list[str]:
    """Without numbers of their own, blanks and repeats."""
    bare = (re.sub(r"^\s*(\d+[.)]|[-*•])\s+", "", " ".join(rule.split())) for rule in rules)
    return list(dict.fromkeys(rule for rule in bare if rule))


def _numbered(rules: Sequence[str]) -> str:
    return "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, 1))


def _bundles(rules: Sequence[str]) -> list[list[str]]:
    """In the given order, each as large as one call may merge."""
    bundles: list[list[str]] = [[]]
    room = MERGED
    for rule in rules:
        if len(rule) > room and bundles[-1]:
            bundles.append([])
            room = MERGED
        bundles[-1].append(rule)
        room -= len(rule)
    return bundles
