"""Two conditions that many queries on decisions share, for a row of `decisions` named `d` or `l`."""

from __future__ import annotations

from core.records import JUDGEMENTS


def is_judgement(row: str = "d") -> str:
    """It judges an item; notes, closings and rulings do not."""
    return f"{row}.action IN ({', '.join(repr(action.value) for action in JUDGEMENTS)})"


def stands(row: str = "d", upto: str = "") -> str:
    """Nobody has taken it back, by a decision number if one is named, such as `?2`."""
    by_then = f" AND u.number <= {upto}" if upto else ""
    return f"NOT EXISTS (SELECT 1 FROM decisions u WHERE u.undoes = {row}.number{by_then})"
