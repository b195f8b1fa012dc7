"""How often the search for a concept puts the right one first, and among the first five.

    python tests/benchmarks/quality_search.py [FOLDER OF THE CORPORA] [--cache WORKSPACE]

The queries of `tests/review/search/queries.tsv`, written by hand, against HPO 2024-02-08 (rebuilt), by kind
of query and by half: *tuned* queries were looked at while the search was made, *untouched* ones never. Beside
it stand the search without its encoder, the search without its word lists (abbreviations, plain words), the
baseline: all words in SQLite's FTS5. Vectors of names take minutes; --cache keeps them from run to run.

Exits with 1 if the search puts fewer than 75% first or fewer than 91.6% among the first five (90 and 110 of
120).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.exchange import add_ontology
from core.review.search import Search, abbreviations, lexical
from core.review.search.names import Name
from core.store import ontologies, open_workspace
from tests.benchmarks.fulltext import FullText

ROOT = Path(__file__).parents[2]
QUERIES = ROOT / "tests" / "review" / "search" / "queries.tsv"
FIRST, FIVE = 90 / 120, 110 / 120

Find = Callable[[str], list[str]]


class Query(NamedTuple):
    kind: str
    half: str
    text: str
    concept: str
    name: str


def queries() -> list[Query]:
    lines = QUERIES.read_text(encoding="utf-8").splitlines()
    return [Query(*line.split("\t")) for line in lines if not line.startswith("#")]


def ids(search: Callable[..., object]) -> Find:
    return lambda text: [row.curie for row in search(text, 10).rows]  # type: ignore[attr-defined]


def places(asked: list[Query], find: Find) -> list[int]:
    """Place of the right concept per query, from 0; 99 where it is not among the rows."""
    found = ((query.concept, find(query.text)) for query in asked)
    return [rows.index(concept) if concept in rows else 99 for concept, rows in found]


def shares(found: list[int]) -> str:
    first, five = sum(p == 0 for p in found), sum(p < 5 for p in found)
    return f"{len(found):>5} {first:>6} {five:>6} {first / len(found):>7.1%} {five / len(found):>7.1%}"


def table(asked: list[Query], found: list[int], title: str) -> None:
    print(f"\n{title:<28} {'n':>5} {'first':>6} {'five':>6} {'':>7} {'':>7}")
    for half in ("tuned", "untouched"):
        print(f"{half:<28} {shares([p for q, p in zip(asked, found, strict=True) if q.half == half])}")
    print(f"{'all':<28} {shares(found)}")


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("folder", nargs="?", default=str(ROOT.parent / "shared" / "data"))
    options.add_argument("--cache")
    chosen = options.parse_args()
    source = Path(chosen.folder) / "ontology" / "hp-2024-02-08-rebuilt.obo.gz"
    if not source.is_file():
        print(f"There is no {source}. Name the folder of the corpora.")
        return 2
    asked = queries()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(chosen.cache or Path(folder) / "search.db")
        with open_workspace(path) as workspace:
            if not ontologies.list_ontologies(workspace):
                add_ontology(workspace, str(source), name="hp")
            row = ontologies.find_ontology(workspace, "hp")
            search = Search.of(workspace, row.id)
            baseline = FullText(Name(*name) for name in ontologies.names(workspace, row.id))
            words = places(asked, ids(search.first))
            search.meaning.make(workspace)
            found = places(asked, ids(search.all))
            with (
                patch.object(abbreviations, "table", dict),
                patch.object(lexical, "lay_words", dict),
            ):
                unlisted = places(asked, ids(search.all))
    table(asked, found, "search")
    for kind in dict.fromkeys(query.kind for query in asked):
        print(f"  {kind:<26} {shares([p for q, p in zip(asked, found, strict=True) if q.kind == kind])}")
    table(asked, unlisted, "without word lists")
    table(asked, words, "without encoder")
    table(asked, places(asked, baseline.find), "baseline: words in FTS5")
    print("\nnot first, tuned half:")
    for query, place in zip(asked, found, strict=True):
        if place and query.half == "tuned":
            print(f"  {query.text} -> {query.name}: {place + 1 if place < 99 else 'not found'}")
    first, five = (sum(p < most for p in found) / len(found) for most in (1, 5))
    return 0 if first >= FIRST and five >= FIVE else 1


if __name__ == "__main__":
    sys.exit(main())
