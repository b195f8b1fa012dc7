"""The items behind every number of an evaluation, however the checkout at hand opens them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

COUNTS = ("tp", "fp", "fn", "undecided")


@contextmanager
def kept_results() -> Iterator[list[Any]]:
    """What `evaluate` scores while this holds, in order: the objects whose figures the verb prints.

    Raises:
        AttributeError: the checkout scores by another function than `core.evaluate.score_given`.
    """
    from core import evaluate

    found: list[Any] = []
    score = evaluate.score_given

    def scored(*given: Any, **options: Any) -> Any:
        found.append(score(*given, **options))
        return found[-1]

    evaluate.score_given = scored
    try:
        yield found
    finally:
        evaluate.score_given = score


def opened(result: Any) -> dict[str, Any]:
    """Side of review -> family -> the items behind each estimate and each cell of its tables."""
    sides = {"before": getattr(result, "before", result), "after": getattr(result, "after", None)}
    return {side: _families(held) for side, held in sides.items() if held is not None}


def _families(scored: Any) -> dict[str, Any]:
    found = {name: _family(family) for name, family in scored.families.items() if name != "corpus"}
    if "corpus" in scored.families:
        corpus = scored.families["corpus"]
        values = {name: _by_name(corpus, name) for name in (*corpus.estimates, *COUNTS)}
    elif hasattr(scored, "corpus"):  # a checkout where the corpus is no family
        values = {name: _rows(scored.items(name)) for name in (*scored.corpus.estimates, *COUNTS)}
    else:
        return found
    return found | {"corpus": {"estimates": values}}


def _family(family: Any) -> dict[str, Any]:
    if family.absent is not None:
        return {}
    return {
        "estimates": {name: _by_name(family, name) for name in family.estimates},
        "tables": {
            table.name or table.title: [
                [_of_cell(family, table, i, j) for j in range(len(row))] for i, row in enumerate(table.rows)
            ]
            for table in family.tables
        },
    }


def _by_name(family: Any, name: str) -> Any:
    try:
        return _rows(family.open(name))
    except KeyError:
        return "opens nothing"


def _of_cell(family: Any, table: Any, row: int, column: int) -> Any:
    """A cell is opened by its key in the table, or holds its items itself."""
    items = getattr(table.rows[row][column], "items", None)
    if items is not None:
        return _rows(items() if callable(items) else items)
    key = table.key_at(row, column) if hasattr(table, "key_at") else None
    return None if key is None else _rows(family.open(key))


def _rows(items: Any) -> list[list[Any]]:
    return [[item.doc_id, str(item.id), item.outcome, item.detail] for item in items]
