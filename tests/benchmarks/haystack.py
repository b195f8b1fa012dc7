"""A haystack of claims for measuring: claims and evidence of HealthVer, whose stance is known, among trials.

Every claim of HealthVer and every evidence is an article of its own, most of them one sentence, none with a
title. Two of them contradict each other where evidence refutes a claim, where one claim is refuted by one
evidence and supported by another, or where one evidence supports one claim and refutes the other; they agree
where it is the other way round.
"""

from __future__ import annotations

import csv
import gzip
import io
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.conflicts import extract, normalise
from core.encode import Encoder
from core.records import Article, Claim, Normalised

DOMAIN = "trials"
FIRST = 50
"""Pairs of a queue that are looked at."""
STANCE = {"Supports": 1, "Refutes": -1}


class VectorFile:
    """Vectors kept in a file between two runs of a benchmark."""

    def __init__(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path)
        self._db.execute("CREATE TABLE IF NOT EXISTS v (m, h, b, PRIMARY KEY (m, h))")

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        found = {}
        for at in range(0, len(hashes), 500):
            part = hashes[at : at + 500]
            marks = ",".join("?" * len(part))
            rows = self._db.execute(f"SELECT h, b FROM v WHERE m = ? AND h IN ({marks})", (model, *part))
            found.update(rows.fetchall())
        return found

    def put(self, model: str, vectors: Mapping[str, bytes]) -> None:
        rows = [(model, name, vector) for name, vector in vectors.items()]
        self._db.executemany("INSERT OR REPLACE INTO v VALUES (?, ?, ?)", rows)
        self._db.commit()


@dataclass(frozen=True)
class Known:
    """What is known of two texts of one question."""

    a: str
    b: str
    conflict: bool
    question: str
    kind: str
    """claim-evidence, claim-claim or evidence-evidence."""


def stances(folder: Path) -> list[dict[str, str]]:
    path = folder / "claims" / "healthver_dev.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    stripped = [{name: value.strip() for name, value in row.items()} for row in rows]
    return [row for row in stripped if not row["claim"].endswith("?")]


def known_pairs(rows: Iterable[Mapping[str, str]]) -> list[Known]:
    """Every pair of texts whose stance to each other follows from the rows, each once."""
    of_claim: dict[str, dict[str, int]] = defaultdict(dict)
    of_evidence: dict[str, dict[str, int]] = defaultdict(dict)
    asked, found = {}, {}
    for row in rows:
        stance = STANCE.get(row["label"])
        if stance is not None:
            claim, evidence = row["claim"], row["evidence"]
            asked[claim] = asked[evidence] = row["question"]
            of_claim[claim].setdefault(evidence, stance)
            of_evidence[evidence].setdefault(claim, stance)
            found[claim, evidence] = Known(claim, evidence, stance < 0, row["question"], "claim-evidence")
    for held, kind in ((of_evidence, "claim-claim"), (of_claim, "evidence-evidence")):
        for told in held.values():
            for (a, x), (b, y) in combinations(sorted(told.items()), 2):
                found.setdefault((a, b), Known(a, b, x * y < 0, asked[a], kind))
    return list(found.values())


def half(question: str) -> int:
    """0: tuned on; 1: judged on. By question, so that no claim is in both."""
    return zlib.crc32(question.encode()) % 2


@dataclass(frozen=True)
class Haystack:
    claims: list[Claim]
    titles: list[str | None]
    vectors: NDArray[np.float32]
    question: dict[str, str]
    """Article uid of a needle -> its question."""
    known: dict[tuple[str, str], bool]
    """Two article uids in order -> whether they contradict each other."""


def haystack(rows: Sequence[Mapping[str, str]], trials: Iterable[Article], encoder: Encoder) -> Haystack:
    """Claims as a run would find them, with their vectors."""
    question: dict[str, str] = {}
    for row in rows:
        question.setdefault(row["claim"], row["question"])
        question.setdefault(row["evidence"], row["question"])
    uid = {text: f"needle-{number:04}" for number, text in enumerate(sorted(question))}
    needles = [Article(uid[text], text, DOMAIN) for text in sorted(question)]
    claims, titles = [], []
    for article, found in extract.run(_normalised([*needles, *trials])):
        mined = [claim for claim in found if not claim.boilerplate]
        claims += mined
        titles += [article.article.title] * len(mined)
    known = {}
    for one in known_pairs(rows):
        a, b = sorted((uid[one.a], uid[one.b]))
        known[a, b] = one.conflict
    vectors = encoder.encode([claim.alone for claim in claims])
    return Haystack(claims, titles, vectors, {uid[text]: asked for text, asked in question.items()}, known)


def _normalised(articles: Sequence[Article]) -> Iterator[Normalised]:
    return (one for one in normalise.run(articles) if isinstance(one, Normalised))
