"""Ids that say what they name: the same claim, or the same two claims, have the same id in every run."""

from __future__ import annotations

import hashlib

from core.records import Claim


def claim_id(article_uid: str, text: str, start: int, end: int) -> str:
    """Id of the claim `text[start:end]` in the normalised abstract of an article. It names the whole text, so
    that offsets beside the claim mean the same wherever the id is met."""
    return "claim-" + _digest(article_uid, text, str(start), str(end))


def pair_id(a: Claim, b: Claim) -> str:
    """Id of two claims, whichever comes first."""
    return "pair-" + _digest(*sorted((a.claim_id, b.claim_id)))


def _digest(*parts: str) -> str:
    joined = "".join([f"{len(part)}:{part}" for part in parts])  # lengths, so that no two lists look alike
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:20]
