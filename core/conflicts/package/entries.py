"""A row of the pool as selecting, splitting and auditing see it: who is in it and who labelled it."""

from __future__ import annotations

from typing import NamedTuple

from core.formats.pairs import PairRow
from core.metrics.leakage import claim_key


class Entry(NamedTuple):
    """One labelled pair, without its texts."""

    pair_id: str
    domain: str
    article_a: str
    article_b: str
    claim_a: str
    """Claim id, or the claim's text where it has none (`core.metrics.leakage.claim_key`)."""
    claim_b: str
    conflict_type: str
    origin: str
    """model, heuristic, or person where the label was reviewed."""
    confidence: float | None = None
    repaired: bool = False
    likelihood: float = 0.0
    """How likely the claims disagree, in [0, 1], or the mining score where that was not told."""

    @property
    def reviewed(self) -> bool:
        return self.origin == "person"

    @property
    def provisional(self) -> bool:
        """Whether the label may stand in train only: nobody reviewed it, and a rule made it, or an
        off-schema answer was made to fit (metric-definitions 10.3, invariant 4)."""
        return not self.reviewed and (self.origin == "heuristic" or self.repaired)


def entry_of(row: PairRow) -> Entry:
    """A row of a file as an entry."""
    return Entry(
        pair_id=row.pair_id,
        domain=row.domain,
        article_a=row.claim_a_article_uid,
        article_b=row.claim_b_article_uid,
        claim_a=claim_key(row.claim_a_id, row.claim_a_text),
        claim_b=claim_key(row.claim_b_id, row.claim_b_text),
        conflict_type=row.conflict_type.value,
        origin=row.label_origin,
        confidence=row.confidence,
        repaired=row.repaired,
        likelihood=row.combined_score or 0.0,
    )
