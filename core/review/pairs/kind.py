"""Claim pairs as the desk serves them: the `Kind` of `core.review.desk`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.records import ItemKind
from core.review.pairs.index import PairFilters, PairIndex, index_of
from core.review.pairs.view import history as history
from core.review.pairs.view import pair_views
from core.review.walk import Ids
from core.store import Workspace, documents, queue


def walk(workspace: Workspace) -> PairIndex:
    return index_of(workspace)


def order(workspace: Workspace, walk: PairIndex, filters: PairFilters, curator: str) -> Ids:
    inside = tuple(documents.pairs_of(workspace, filters.passage)) if filters.passage is not None else ()
    return walk.order(filters, inside)


def visible(workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
    return queue.visible(workspace, items, curator, ItemKind.PAIR)


def sheets(workspace: Workspace, items: list[int]) -> list[int]:
    """A pair stands alone."""
    known = queue.items(workspace, items, ItemKind.PAIR)
    return list(dict.fromkeys(item for item in items if item in known))


def views(workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
    return pair_views(workspace, curator, sheets)


def items_of(workspace: Workspace, passage: int) -> list[int]:
    return documents.pairs_of(workspace, passage)


def unclosed(workspace: Workspace, walk: PairIndex, order: Ids, curator: str) -> list[int]:
    """A pair is done with its answer."""
    return []


def pace(workspace: Workspace, curator: str) -> list[int]:
    return queue.pace(workspace, curator, kind=ItemKind.PAIR)


def look(workspace: Workspace, asked: Any) -> None:
    """The page of pairs looks nothing up."""
