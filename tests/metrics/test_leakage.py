"""The leakage audit on rows small enough to count by hand (metric-definitions 10.4)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from core.metrics import leakage
from core.metrics.leakage import Row, audit, claim_key


class Pair(NamedTuple):
    pair_id: str
    article_a: str
    article_b: str
    claim_a: str
    claim_b: str


TRAIN = [
    Pair("p1", "u1", "u2", "c1", "c2"),
    Pair("p2", "u3", "u4", "c3", "c4"),
    Pair("p3", "u1", "u5", "c1", "c5"),
]
TEST = [
    Pair("p4", "u2", "u1", "c2", "c1"),  # the claims of p1 the other way round: both articles, claim pair
    Pair("p2", "u3", "u4", "c3", "c9"),  # the id of p2 with another claim: both articles, pair id
    Pair("p5", "u2", "u3", "c2b", "c3b"),  # both articles, of different training rows
    Pair("p6", "u5", "u9", "c5", "c10"),  # one article
    Pair("p7", "u8", "u7", "c8", "c7"),  # nothing
    Pair("p8", "u8", "u7", "c7", "c8"),  # the claim pair of p7 again: 5 distinct claim pairs in 6 rows
]


def test_every_row_has_its_own_denominator() -> None:
    found = audit(TEST, TRAIN)
    assert found.either_article == Row(4, 6, 4 / 6, ("p2", "p4", "p5", "p6"))
    assert found.both_articles == Row(3, 6, 3 / 6, ("p2", "p4", "p5"))
    assert found.claim_pairs == Row(1, 5, 1 / 5, ("c1 + c2",))
    assert found.pair_ids == Row(1, 6, 1 / 6, ("p2",))
    # test: u1 u2 u3 u4 u5 u7 u8 u9; c1 c2 c2b c3 c3b c5 c7 c8 c9 c10
    assert found.articles == Row(5, 8, 5 / 8, ("u1", "u2", "u3", "u4", "u5"))
    assert found.claims == Row(4, 10, 4 / 10, ("c1", "c2", "c3", "c5"))
    assert not found.clean


def test_the_published_shares_follow_from_the_published_counts() -> None:
    """Paper 004, Table 1: 2,340, 1,299 and 201 of 2,500 rows, 318 of 2,445 distinct claim pairs. Rows are
    made to have these counts; the shares must be those printed."""
    train = [Pair(f"t{i}", f"ta{i}", f"tb{i}", f"tc{i}", f"td{i}") for i in range(1299)]
    test = []
    for i in range(2500):
        a = f"ta{i % 1299}" if i < 2340 else f"xa{i}"
        b = f"tb{i}" if i < 1299 else f"xb{i}"
        # the first 318 claim pairs are training's; rows 2445 to 2499 repeat those of rows 400 to 454
        claims = (f"td{i}", f"tc{i}") if i < 318 else (f"e{i - 2045}", f"f{i - 2045}")
        claims = claims if i < 318 or i >= 2445 else (f"e{i}", f"f{i}")
        test.append(Pair(f"t{i}" if i < 201 else f"x{i}", a, b, *claims))
    found = audit(test, train)
    assert (found.either_article.count, found.either_article.of) == (2340, 2500)
    assert found.either_article.share == pytest.approx(0.936)
    assert (found.both_articles.count, round(100 * (found.both_articles.share or 0), 1)) == (1299, 52.0)
    assert (found.claim_pairs.count, found.claim_pairs.of) == (318, 2445)
    assert round(100 * (found.claim_pairs.share or 0), 1) == 13.0
    assert (found.pair_ids.count, round(100 * (found.pair_ids.share or 0), 1)) == (201, 8.0)


def test_an_empty_test_has_counts_and_no_shares() -> None:
    for row in audit([], TRAIN).to_json().values():
        assert row == {"count": 0, "of": 0, "share": None}
    assert audit([], TRAIN).clean
    assert audit(TEST, []).either_article == Row(0, 6, 0.0)


def test_claims_without_an_id_are_known_by_their_words() -> None:
    # NFKC makes the ligature ﬁ two letters; case and spaces do not count
    assert claim_key(None, "Alpha  IS ﬁne.\n") == claim_key("", "alpha is fine.")
    assert claim_key("c1", "anything") == "c1"
    assert claim_key(None, "alpha") != claim_key(None, "beta")


def test_every_row_of_the_audit_is_a_registered_metric() -> None:
    assert set(leakage.FAMILY.metrics) == set(audit([], []).to_json())
