"""Many rows written at once read back as they were given, whatever their number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.store.connect import sqlite3
from core.store.rows import TOGETHER, insert_rows


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(":memory:", isolation_level=None)
    opened.execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, \"end\" TEXT, said TEXT DEFAULT 'nothing') STRICT"
    )
    yield opened
    opened.close()


@pytest.mark.parametrize("count", [0, 1, TOGETHER - 1, TOGETHER, TOGETHER + 1, 3 * TOGETHER + 7])
def test_rows_read_back_in_their_order(db: sqlite3.Connection, count: int) -> None:
    numbers = range(5, 5 + count)
    words = [None if n % 3 else f"word {n}" for n in numbers]
    insert_rows(db, "t", {"id": numbers, "end": words})
    read = db.execute('SELECT id, "end" FROM t ORDER BY id').fetchall()
    assert read == list(zip(numbers, words, strict=True))


def test_a_column_that_no_row_fills_keeps_its_default(db: sqlite3.Connection) -> None:
    insert_rows(db, "t", {"id": [1, 2], "end": ["a", "b"], "said": [None, None]})
    assert db.execute("SELECT DISTINCT said FROM t").fetchall() == [("nothing",)]


def test_columns_of_different_lengths_are_refused(db: sqlite3.Connection) -> None:
    with pytest.raises(ValueError, match="size"):
        insert_rows(db, "t", {"id": [1, 2], "end": ["a"]})
    assert db.execute("SELECT count(*) FROM t").fetchone() == (0,)


def test_a_statement_stores_all_its_rows_or_none(db: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        insert_rows(db, "t", {"id": [1, 2, 1], "end": ["a", "b", "c"]})
    assert db.execute("SELECT count(*) FROM t").fetchone() == (0,)
