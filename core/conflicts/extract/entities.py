"""Names of what a claim is about: drugs, procedures, conditions, outcomes, measures, in one form each.

Rules, no dictionary: a name is a run of words without function words, verbs, numbers and the general words of
studies (`ordinary.txt`); abbreviations are written out as the abstract does; spelling, number and order of
writing are undone (core.text.normalise), so that one drug or outcome is one string in two abstracts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from core.text.normalise import fold, singular
from core.text.spans import Memo, words

_LONGEST = 5
"""Words of a name; of a longer run the last ones."""
_JOINTS = frozenset((" ", "-", "–", "‐", "‑", "'", "’", "/"))
_BRACKET = re.compile(r"\[[^\]]*\]")
_PLURALS = {
    **dict.fromkeys("diabetes herpes rabies scabies feces caries ascites series species".split()),  # noqa: SIM905
    "metastases": "metastasis",
    "diagnoses": "diagnosis",
    "crises": "crisis",
    "indices": "index",
    "varices": "varix",
    "vertebrae": "vertebra",
    "bacteria": "bacterium",
}
"""Folded words that look like a plural and are none, and plurals that no rule undoes."""


def _key(word: str) -> str:
    folded = fold(word)
    return _PLURALS[folded] or folded if folded in _PLURALS else singular(folded)


_KEYS: Memo[str] = Memo(_key)


def entities_of(claim: str, longer: dict[str, str]) -> tuple[str, ...]:
    """The names in a claim, normalised, sorted, each once.

    Args:
        longer: what the abbreviations of its abstract stand for, see `long_forms`.
    """
    text, units = _written_out(_BRACKET.sub(" ; ", claim), longer)
    found = words(text)
    names: set[str] = set()
    run: list[str] = []
    for i, word in enumerate(found.words):
        if run and found.gaps[i] not in _JOINTS:
            names.add(_name(run))
            run = []
        unit = units.get(word)
        if unit is not None:
            run.append(unit)
        elif _breaks(word, _KEYS[word]):
            names.add(_name(run))
            run = []
        else:
            run.append(_KEYS[word])
    names.add(_name(run))
    return tuple(sorted(names - {""}))


def _written_out(text: str, longer: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A claim with a made-up word for each name of several words and each abbreviation that the abstract or
    `ordinary.txt` (part `units`) knows, and the names that the made-up words stand for."""
    units: dict[str, str] = {}
    own, pattern_of_own = _own(tuple(longer.items()))
    for short in longer:  # the definition itself is no second mention
        text = re.sub(rf"\s*\(\s*{re.escape(short)}\s*\)", " ", text)
    known = {form: name for form, name in _units().items() if form not in own}
    for forms, pattern in ((own, pattern_of_own), (known, _general())):
        if pattern is None:
            continue
        lowered = {form.lower(): name for form, name in forms.items()}

        def made_up(match: re.Match[str], lowered: dict[str, str] = lowered) -> str:
            name = lowered.get(match[1].lower())
            if name is None:
                return match[0]
            word = "qzx" + "".join(chr(97 + int(digit)) for digit in str(len(units))) + "x"
            units[word] = name
            return word

        text = pattern.sub(made_up, text)
    return text, units


@lru_cache(maxsize=64)
def _own(longer: tuple[tuple[str, str], ...]) -> tuple[dict[str, str], re.Pattern[str] | None]:
    """Form -> name of what an abstract abbreviates, and what finds the forms; the claims of one share it."""
    own = {form: _named(long) for short, long in longer for form in (short, long)}
    return own, _either(own) if own else None


def _either(forms: Iterable[str]) -> re.Pattern[str]:
    """Any of the forms, the longest first; "LOS" with its capitals, so that no "loss" is a stay."""
    spread = []
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        pattern = re.escape(form).replace(r"\ ", r"[\s-]").replace(r"\-", r"[\s-]")
        spread.append(pattern if sum(map(str.isupper, form)) > 1 else f"(?i:{pattern})")
    return re.compile(rf"(?<![\w])({'|'.join(spread)})(?:s(?=\W|$))?(?!\w)")


@cache
def _general() -> re.Pattern[str]:
    return _either(_units())


def _form(name: str) -> str:
    return " ".join(_KEYS[word] for word in words(name).words)


def _named(form: str) -> str:
    """The name of a written form: that of the unit it is a form of."""
    return _canonical().get(_form(form), _form(form))


@cache
def _canonical() -> dict[str, str]:
    return {_form(form): name for form, name in _units().items()}


@cache
def _units() -> dict[str, str]:
    """Written form -> name: of each line of the part `units`, whose first form is the name."""
    found = {}
    for line in _lines("units"):
        forms = [form.strip() for form in line.split("|")]
        found.update({form: _form(forms[0]) for form in forms})
    return found


def _breaks(word: str, key: str) -> bool:
    ordinary = _forms("breaks")
    if word in ordinary or key in ordinary or word[0].isdigit():
        return True
    if len(word) > 4 and word.endswith("ly") and word not in {"family", "anomaly"}:
        return True
    return len(word) > 4 and word.endswith("ed") and not word.endswith(("eed", "based"))


def _name(run: list[str]) -> str:
    """The name of a run of words: without general words at its ends; "" where nothing stays."""
    edges = _forms("edges")
    while run and (run[-1] in edges or (len(run[-1]) < 2 and len(run) == 1)):
        run = run[:-1]
    while run and run[0] in edges:
        run = run[1:]
    name = " ".join(run[-_LONGEST:])
    return "" if len(name) < 2 or name.isdigit() or name in _forms("alone") else name


@cache
def _forms(part: str) -> frozenset[str]:
    """The words of a part of `ordinary.txt`, as written and as keys."""
    return frozenset(form for line in _lines(part) for word in line.split() for form in (word, _KEYS[word]))


@cache
def _lines(part: str) -> tuple[str, ...]:
    text = (Path(__file__).parent / "ordinary.txt").read_text(encoding="utf-8")
    found: list[str] = []
    here = ""
    for line in text.splitlines():
        if line.startswith("["):
            here = line.strip("[] ")
        elif line and not line.startswith("#") and here == part:
            found.append(line)
    return tuple(found)
