"""When and where the articles of a corpus were published, as their records say."""

from __future__ import annotations

from typing import NamedTuple

from core.store.corpora import corpus
from core.store.workspace import Workspace


class Published(NamedTuple):
    """Of a corpus; a passage counts as an article's if its record has a year or a journal."""

    articles: int
    years: tuple[int, int] | None
    """First and last; None where no record has a year."""
    without_year: int
    """Articles whose record has none."""
    journals: int
    """How many there are."""
    most: list[tuple[str, int]]
    """(journal, articles) of those with the most, then by name."""


def published(workspace: Workspace, name: str, *, most: int = 10) -> Published:
    """Years and journals of a corpus. Records of collections and files are what they are: a year that is no
    whole number, or a journal that is no text, is taken as not given.

    Args:
        most: how many journals to name.

    Raises:
        NotFoundError: there is no such corpus.
    """
    corpus_id = corpus(workspace, name).id
    records = (
        "WITH records AS MATERIALIZED (SELECT"
        " iif(json_type(meta, '$.year') = 'integer', json_extract(meta, '$.year'), NULL) AS year,"
        " iif(json_type(meta, '$.journal') = 'text', trim(json_extract(meta, '$.journal')), NULL) AS journal"
        " FROM passages WHERE corpus_id = ?)"
    )
    row = workspace.db.execute(
        f"{records} SELECT count(*), min(year), max(year), count(year), count(DISTINCT journal) FROM records"
        " WHERE year IS NOT NULL OR journal IS NOT NULL",
        (corpus_id,),
    ).fetchone()
    articles, first, last, with_year, journals = row
    found = (
        workspace.db.execute(
            f"{records} SELECT journal, count(*) AS n FROM records WHERE journal IS NOT NULL GROUP BY journal"
            " ORDER BY n DESC, journal LIMIT ?",
            (corpus_id, most),
        )
        if most
        else ()
    )
    return Published(
        articles=articles,
        years=(first, last) if first is not None else None,
        without_year=articles - with_year,
        journals=journals,
        most=[(row[0], row[1]) for row in found],
    )
