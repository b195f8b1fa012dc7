"""Where a new clause begins inside a sentence: behind a comma or "and" whose words have a verb of their own.

"Ataxia was seen, and tremor was absent" has two; "ataxia, tremor and dystonia were absent" has one, and so
has "she had ataxia and was treated", where nothing stands before the second verb.
"""

from __future__ import annotations

from core.text.assertion.tables import words_of
from core.text.spans import Words

_FINITE, _JOINS, _STRONG = words_of("finite"), words_of("joins"), words_of("strong")
_RELATIVE, _LIGHT = words_of("relative"), words_of("fillers", "auxiliaries", "relative")
_PLURAL = frozenset(("are", "have", "were"))


def clauses(found: Words, begin: int, end: int) -> list[int]:
    """Words that begin a clause among words `begin` to `end` (exclusive); the first is `begin`."""
    words, gaps = found.words, found.gaps
    starts = [begin]
    parted: list[int] = []
    """Places since the clause's verb at which the next one may begin."""
    verb = subject = turned = False
    strong: int | None = None
    """Where a "but" or "whereas" stands since the clause's verb."""
    for i in range(begin, end):
        word, gap = words[i], gaps[i]
        if i > begin and ";" in gap:
            starts.append(i)
            parted, verb, subject, turned, strong = [], False, False, False, None
        if word in _STRONG:
            parted.append(i)
            subject, turned, strong = False, True, i
            continue
        if (i > begin and "," in gap) or word in _JOINS:
            if not (parted and parted[-1] == i - 1 and not subject):
                parted.append(i)
            subject, turned = False, turned and not subject
            if word in _JOINS:
                continue
        if word in _FINITE:
            if parted and subject and (verb or turned):
                at = _start(found, parted, word, strong)
                if at > starts[-1]:
                    starts.append(at)
            verb, parted, strong = True, [], None
        elif word in _RELATIVE:
            verb, subject = False, True
        elif word not in _LIGHT:
            subject = True
    return starts


def _start(found: Words, parted: list[int], verb: str, strong: int | None) -> int:
    """The place that begins a clause. Several subjects have a verb in the plural: the list begins earlier, at
    a "whereas" if there is one. An "or" begins none: "if apnea or cyanosis occurs"."""
    if found.words[parted[-1]] in ("or", "nor") and "," not in found.gaps[parted[-1]]:
        return next((i for i in reversed(parted) if found.words[i] not in ("or", "nor")), -1)
    if verb in _PLURAL:
        for i in parted:
            if found.words[i] in ("and", "but") and "," in found.gaps[i]:
                return i
        if strong is not None:
            return strong
    return parted[-1]
