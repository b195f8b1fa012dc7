"""Stage mine: the claims of each domain, paired. A domain is stored in one write with what was counted, so
that a run that goes on finds it whole or not at all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.pipeline.conflicts.queues import DEVELOPMENT, PILOT, queues, share
from core.pipeline.pulse import PauseAsked, Pulse
from core.records import CandidatePair, Claim, StageRecord, Tier
from core.store import claims, documents, pair_tally, pairs, runs
from core.store.vectors import StoredVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.conflicts.mine import Mined, Pairs
    from core.pipeline.conflicts.plan import ConflictsPlan
    from core.store.workspace import Workspace

STAGE = "mine"
Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]
"""Texts to unit rows."""


def mine(
    workspace: Workspace,
    planned: ConflictsPlan,
    pulse: Pulse,
    seconds: dict[str, float],
    *,
    threads: int | None,
    embed: Embed | None,
) -> bool:
    """Pair the claims of every domain, or go on until somebody asks for a pause; returns whether all are
    paired.

    Args:
        embed: in place of the encoder.

    Raises:
        InputError: the encoder cannot be loaded.
    """
    sizes: Counter[str] = Counter()
    for (domain, _), count in claims.claim_counts(workspace, planned.run).items():
        sizes[domain] += count
    done = pair_tally.mined(workspace, planned.run).keys()
    waiting = [domain for domain in sorted(sizes, key=lambda name: (sizes[name], name)) if domain not in done]
    pulse.turn_to(workspace, "Pairing claims", total=len(sizes), resumed=len(done))
    for number, domain in enumerate(waiting):
        if pulse.pause:
            return False
        begun = time.perf_counter()
        found = list(claims.claims(workspace, planned.run, domain))
        try:
            mined = _mined(workspace, planned, pulse, domain, found, threads, embed)
        except PauseAsked:  # vectors made so far are kept
            return False
        drawn = _queued(workspace, planned.run, mined.pairs, len(waiting) - number)
        with workspace.write() as db:
            pairs.insert_pairs(db, planned.run, drawn)
            counted = {"domain": domain, "counts": mined.counts}
            # a record belongs to a passage; the domain's first one stands for it
            record = StageRecord(STAGE, found[0].passage_id, None, "done", payload=counted)
            runs.add_stage_records(db, planned.run, [record])
            pulse.count(1)
            pulse.beat(db)
        seconds[STAGE] = seconds.get(STAGE, 0.0) + time.perf_counter() - begun
        pulse.tell()
    return True


def _mined(
    workspace: Workspace,
    planned: ConflictsPlan,
    pulse: Pulse,
    domain: str,
    found: list[Claim],
    threads: int | None,
    embed: Embed | None,
) -> Mined:
    from core.conflicts import mine as mining

    found = [claim for claim in found if not claim.boilerplate]
    texts = [claim.text for claim in found]
    if embed is None:
        from core.encode import Encoder

        encoder = Encoder(planned.encoder, threads=threads, cache=StoredVectors(workspace))
        vectors = encoder.encode(texts, pulse.pausing(workspace, f"Encoding claims of {domain}"))
    else:
        vectors = embed(texts)
    told = pulse.pausing(workspace, f"Pairing claims of {domain}")
    titles = documents.titles(workspace, planned.corpus.id)
    return mining.run(found, vectors, planned.mining, told, [titles.get(claim.passage_id) for claim in found])


def _queued(workspace: Workspace, run: str, found: Pairs, domains: int) -> Iterator[CandidatePair]:
    """The pairs of a domain, each in its queue; `domains` are to come, this one included."""
    stored: Counter[Tier] = Counter()
    for (_, tier), count in pairs.pair_counts(workspace, run).items():
        stored[tier] += count
    tiers = queues(
        found.signals(),
        share(PILOT - stored[Tier.PILOT], domains),
        share(DEVELOPMENT - stored[Tier.DEVELOPMENT], domains),
    )
    return (replace(pair, tier=tier) for pair, tier in zip(found, tiers, strict=True))
