"""Does a test set hold what a model may have seen in training? Pairs of claims, two splits at a time.

    audit(test, train)        the same for dev against train, and test against dev

Each row has its own denominator (metric-definitions 10.4, R38). Claim pairs are unordered. Claims are told
apart by their id; where that is missing, `claim_key` takes the text in its place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from core.metrics.definition import Family, Metric

_SOURCE = "BioDivergence (paper 004), Tables 1 and 37; metric-definitions 10.4"

FAMILY = Family(
    title="Leakage between splits of claim pairs",
    item="a pair of claims in the held-out split",
    direction="lower",
    source=_SOURCE,
    undefined="The held-out split is empty: the count is 0 and the share undefined.",
    metrics={
        "either_article": Metric(
            "Either article in train",
            "How many test pairs draw on an abstract that training has shown?",
            "test rows whose A or B article occurs in any train row, on either side / test rows",
        ),
        "both_articles": Metric(
            "Both articles in train",
            "How many test pairs draw on two abstracts that training has shown?",
            "test rows whose A and B articles both occur in train rows, not necessarily the same / test rows",
        ),
        "claim_pairs": Metric(
            "Claim pairs in train",
            "How many pairs of claims stand in both, whatever they are called and whichever comes first?",
            "distinct unordered claim pairs in both / distinct test claim pairs",
            source=_SOURCE + ", R38",
        ),
        "pair_ids": Metric(
            "Pair ids in train",
            "How many pair ids stand in both?",
            "distinct pair ids in both / distinct test pair ids",
            source=_SOURCE + ", R38",
        ),
        "articles": Metric(
            "Articles shared",
            "How many articles stand in both?",
            "distinct articles in both / distinct test articles",
        ),
        "claims": Metric(
            "Claims shared",
            "How many claims stand in both?",
            "distinct claims in both / distinct test claims",
        ),
    },
)


class Pair(Protocol):
    """What the audit reads of a row."""

    @property
    def pair_id(self) -> str: ...
    @property
    def article_a(self) -> str: ...
    @property
    def article_b(self) -> str: ...
    @property
    def claim_a(self) -> str: ...
    @property
    def claim_b(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an audit."""

    count: int
    of: int
    """Denominator."""
    share: float | None
    """count / of, in [0, 1]; None where `of` is 0."""
    items: tuple[str, ...] = ()
    """What leaks, sorted: pair ids of rows, or the shared ids themselves."""


@dataclass(frozen=True, slots=True)
class Leakage:
    """Audit of one split against another."""

    either_article: Row
    both_articles: Row
    claim_pairs: Row
    pair_ids: Row
    articles: Row
    claims: Row

    @property
    def clean(self) -> bool:
        """Whether nothing at all is shared."""
        return not any(getattr(self, name).count for name in self.__dataclass_fields__)

    def to_json(self) -> dict[str, Any]:
        """Counts, denominators and shares, without the items."""
        value = asdict(self)
        for row in value.values():
            del row["items"]
        return value


def claim_key(claim_id: str | None, text: str) -> str:
    """What a claim is known by: its id, else its text, NFKC-normalised, lower-cased, spaces collapsed."""
    if claim_id:
        return claim_id
    return "text:" + re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).lower()).strip()


def audit(test: Iterable[Pair], train: Iterable[Pair]) -> Leakage:
    """Count what `test` shares with `train`."""
    held, seen = list(test), list(train)
    articles = {uid for row in seen for uid in (row.article_a, row.article_b)}
    claims = {claim for row in seen for claim in (row.claim_a, row.claim_b)}
    either = [r.pair_id for r in held if r.article_a in articles or r.article_b in articles]
    both = [r.pair_id for r in held if r.article_a in articles and r.article_b in articles]
    pairs = {_unordered(row) for row in held}
    return Leakage(
        either_article=_row(either, len(held)),
        both_articles=_row(both, len(held)),
        claim_pairs=_row(
            [" + ".join(pair) for pair in pairs & {_unordered(row) for row in seen}], len(pairs)
        ),
        pair_ids=_shared({row.pair_id for row in held}, {row.pair_id for row in seen}),
        articles=_shared({uid for row in held for uid in (row.article_a, row.article_b)}, articles),
        claims=_shared({claim for row in held for claim in (row.claim_a, row.claim_b)}, claims),
    )


def _unordered(row: Pair) -> tuple[str, str]:
    first, second = sorted((row.claim_a, row.claim_b))
    return first, second


def _shared(held: set[str], seen: set[str]) -> Row:
    return _row(list(held & seen), len(held))


def _row(found: Sequence[str], of: int) -> Row:
    return Row(len(found), of, len(found) / of if of else None, tuple(sorted(found)))
