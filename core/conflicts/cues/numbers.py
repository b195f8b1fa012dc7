"""Numbers with units in one form: "1 year" and "12 months", "1 g" and "1000 mg" are the same."""

from __future__ import annotations

import re

DASH = r"\s*(?:-|–|—|to|and|or)\s*"
AGE_UNIT = r"(?:years?|yrs?|y|months?|mo|weeks?|wks?|days?)"
TIME_UNIT = r"(?:years?|yrs?|months?|weeks?|wks?|days?|hours?|hrs?|h|minutes?|min)"

_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
NUMBER = r"(?:\d{1,3}(?:\.\d+)?|" + "|".join(_WORDS) + ")"

_DAYS = {"y": 365.25, "m": 365.25 / 12, "w": 7.0, "d": 1.0, "h": 1 / 24}
_NUMERALS = {"I": "1", "II": "2", "III": "3", "IV": "4"}


def plain(number: float) -> str:
    """`plain(40.0) == "40"`, `plain(0.25) == "0.25"`."""
    return f"{number:g}" if number < 1e6 else str(round(number))


def age(low: str, high: str | None, unit: str | None, *, open_end: bool = False) -> str | None:
    """Such as "age: 40-80" or "age: 65+", in years, whole ones from 2 on. None where it is no age.

    Args:
        high: None for no upper limit.
        open_end: the upper limit itself is left out, as in "under 5".
    """
    years = _DAYS[_initial(unit or "years")] / _DAYS["y"]
    lowest = float(low) * years
    highest = float(high) * years if high is not None else None
    if lowest > 120 or (highest is not None and (highest > 120 or highest < lowest)):
        return None
    if highest is None:
        return f"age: {_years(lowest)}+"
    if open_end and highest >= 2:
        highest -= 1
    if low == high:
        return f"age: {_years(lowest)}-{_years(lowest)}"
    return f"age: {_years(lowest)}-{_years(highest)}"


def _years(years: float) -> str:
    return plain(round(years)) if years >= 2 else plain(round(years, 2))


def year_range(low: str, high: str) -> str | None:
    """Such as "year: 1998-2004" or "year: 2005"; None where it is no range of years."""
    last = high if len(high) == 4 else low[:2] + high
    if int(last) < int(low):
        return None
    return f"year: {low}" if low == last else f"year: {low}-{last}"


def amount(match: re.Match[str]) -> str | None:
    """Such as "dose: 40 mg/d" of a match with the groups n, to, unit, kg, m2, per, twice, week."""
    unit, factor = match["unit"], 1.0
    if unit == "g":
        unit, factor = "mg", 1000.0
    elif unit in ("µg", "μg", "ug"):
        unit = "mcg"
    elif unit == "units":
        unit = "unit"
    if unit == "mg" and factor > 1 and not (match["kg"] or match["per"] or match["twice"] or match["m2"]):
        low = match["n"].replace(",", "")
        if float(low) > 50:
            return None  # a weight, not a dose
    each = 2.0 if match["twice"] else 1.0
    form = "-".join(
        plain(float(number.replace(",", "")) * factor * each)
        for number in (match["n"], match["to"])
        if number
    )
    form += f" {unit}" + ("/kg" if match["kg"] else "") + ("/m2" if match["m2"] else "")
    if match["per"] or match["twice"]:
        form += "/d"
    elif match["week"]:
        form += "/week"
    return f"dose: {form}"


def duration(facet: str, match: re.Match[str]) -> str | None:
    """Such as "duration: 12 months", of a match with the groups n, to, unit: years and whole quarters of a
    year become months, days that make up weeks become weeks. None for minutes."""
    letter = _initial(match["unit"])
    if letter == "i":  # minutes of a session say little about a course
        return None
    numbers = [_number(number) for number in (match["n"], match["to"]) if number]
    if letter == "y":
        numbers, letter = [number * 12 for number in numbers], "m"
    if letter == "w" and all(number % 13 == 0 for number in numbers):
        numbers, letter = [number / 13 * 3 for number in numbers], "m"
    if letter == "d" and all(number % 7 == 0 for number in numbers) and numbers[0] >= 14 and numbers[0] != 28:
        numbers, letter = [number / 7 for number in numbers], "w"
    unit = {"m": "months", "w": "weeks", "d": "days", "h": "hours"}[letter]
    return f"{facet}: {'-'.join(map(plain, numbers))} {unit}"


def days(value: str) -> tuple[float, float] | None:
    """(shortest, longest) in days of what `duration` returns, without its facet."""
    match = re.fullmatch(r"([\d.]+)(?:-([\d.]+))? (month|week|day|hour)s", value)
    if not match:
        return None
    unit = _DAYS[match[3][0]]
    return float(match[1]) * unit, float(match[2] or match[1]) * unit


def interval(value: str) -> tuple[float, float] | None:
    """(lowest, highest) of "40-80", "65+", "49" or "1998-2004"."""
    match = re.fullmatch(r"([\d.]+)(?:(\+)|-([\d.]+))?", value)
    if not match:
        return None
    low = float(match[1])
    return low, float("inf") if match[2] else float(match[3] or low)


def rank(facet: str, low: str, high: str | None) -> str:
    """Such as "stage: 3" or "stage: 2-4": Roman numerals as numbers, the letter behind them left out."""
    ends = [_numeral(end) for end in (low, high) if end]
    return f"{facet}: {'-'.join(dict.fromkeys(ends))}"


def _numeral(text: str) -> str:
    bare = text.rstrip("ABCabc")
    return _NUMERALS.get(bare, bare)


def _number(text: str) -> float:
    lowered = text.lower()
    return float(_WORDS.index(lowered) + 1) if lowered in _WORDS else float(text)


def _initial(unit: str) -> str:
    unit = unit.lower()
    return "i" if unit.startswith("min") else unit[0]
