"""Pairs for tests, cut from texts written for them."""

from __future__ import annotations

from typing import Any

from core.conflicts.identity import claim_id, pair_id
from core.records import CandidatePair, Claim, ClaimType, PairTask, Scores, Side

SCORES = Scores(0.8, 0.6, 0.5, 1.0, 0.0, 0.665)


def claim(uid: str, abstract: str, text: str, **changes: Any) -> Claim:
    """The claim `text`, which stands in `abstract`."""
    start = abstract.index(text)
    end = start + len(text)
    given: dict[str, Any] = {"claim_type": ClaimType.EFFICACY, "confidence": 0.8, "passage_id": 7, **changes}
    return Claim(claim_id(uid, abstract, start, end), uid, "demo", start, end, text, start, end, **given)


def task(
    text_a: str,
    text_b: str,
    abstract_a: str | None = None,
    abstract_b: str | None = None,
    *,
    side_a: dict[str, Any] | None = None,
    side_b: dict[str, Any] | None = None,
    **changes: Any,
) -> PairTask:
    """Two claims, each alone or in an abstract; `changes` go to both claims."""
    around_a, around_b = abstract_a or text_a, abstract_b or text_b
    one, two = claim("alpha", around_a, text_a, **changes), claim("beta", around_b, text_b, **changes)
    pair = CandidatePair(pair_id(one, two), "demo", one, two, SCORES)
    return PairTask(pair, Side(around_a, **(side_a or {})), Side(around_b, **(side_b or {})))
