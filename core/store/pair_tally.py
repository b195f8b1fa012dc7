"""Counts of a run of claim pairs: its funnel by stage and domain, labels, failures. Reads only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from core.records import Origin, Tier
from core.store.calls import Cost, costs
from core.store.claims import claim_counts
from core.store.pairs import ANNOTATE as ANNOTATE
from core.store.pairs import pair_counts
from core.store.proposals import SPELT
from core.store.rows import plain
from core.store.workspace import Workspace

NORMALISE, EXTRACT, MINE = "normalise", "extract", "mine"

_SILENT = (
    "NOT EXISTS (SELECT 1 FROM proposals l WHERE l.run_id = p.run_id AND l.item_id = p.item_id"
    " AND l.origin {})"
)
"""Of a pair `p` that has no label of some origin."""
_UNASKED = _SILENT.format("<> 'rule'")


# --- where a run goes on ------------------------------------------------------------------------------------


def passages_read(workspace: Workspace, run_id: str) -> set[int]:
    """Passages that the first stage has a record of; the second one's is written together with it."""
    rows = workspace.db.execute(
        "SELECT passage_id FROM stage_records WHERE run_id = ? AND stage = ? AND concept IS NULL",
        (run_id, NORMALISE),
    )
    return {row[0] for row in rows}


def mined(workspace: Workspace, run_id: str) -> dict[str, dict[str, int]]:
    """Domain -> what mining counted there, of every domain whose pairs are stored."""
    rows = workspace.db.execute(
        "SELECT payload FROM stage_records WHERE run_id = ? AND stage = ? AND verdict = 'done' ORDER BY id",
        (run_id, MINE),
    )
    found = [json.loads(row[0]) for row in rows]
    return {one["domain"]: one["counts"] for one in found}


class FailedPair(NamedTuple):
    """A pair without a usable answer of the model: the heuristic's label stands for it."""

    pair: int
    """Row in the store."""
    record: int
    item_id: int
    pair_id: str
    domain: str
    tier: str
    reason: str | None
    kind: str | None
    call: int | None


def failed_pairs(workspace: Workspace, run_id: str) -> dict[int, FailedPair]:
    """Pair row -> the last failure of a pair that the model has not labelled since, oldest first."""
    rows = workspace.db.execute(
        "SELECT p.id, r.id, p.item_id, i.subject, p.domain, p.tier, r.reason, r.payload ->> 'kind', r.call_id"
        " FROM stage_records r JOIN items i ON i.kind = 'pair' AND i.passage_id = r.passage_id"
        " AND i.subject = r.concept JOIN pairs p ON p.run_id = r.run_id AND p.item_id = i.id"
        " WHERE r.run_id = ? AND r.stage = ? AND r.verdict = 'failed'"
        f" AND {_UNASKED} ORDER BY r.id",
        (run_id, ANNOTATE),
    )
    return {row[0]: FailedPair(*row) for row in rows}


def unlabelled(workspace: Workspace, run_id: str, origin: Origin) -> int:
    """Pairs of a run without a label of this origin."""
    query = f"SELECT count(*) FROM pairs p WHERE p.run_id = ? AND {_SILENT.format('= ?')}"
    return int(workspace.db.execute(query, (run_id, SPELT[origin])).fetchone()[0])


def unasked(workspace: Workspace, run_id: str, tiers: Iterable[Tier], over: Collection[int]) -> int:
    """Pairs of these queues that have no label of the model and are not in `over` (pair rows)."""
    queues = {tier.value for tier in tiers}
    rows = workspace.db.execute(
        f"SELECT p.id, p.tier FROM pairs p WHERE p.run_id = ? AND {_UNASKED}", (run_id,)
    )
    return sum(row[1] in queues and row[0] not in over for row in rows)


# --- the funnel ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DomainFlow:
    """One domain of a run from articles to labels; counts."""

    domain: str
    articles: int = 0
    kept: int = 0
    left: dict[str, int] = field(default_factory=dict)
    """Reason -> articles that the first stage left out."""
    claims: dict[str, int] = field(default_factory=dict)
    """Claim type -> claims"""
    mining: dict[str, int] = field(default_factory=dict)
    """What mining counted on the way."""
    pairs: dict[str, int] = field(default_factory=dict)
    """Queue -> pairs"""
    labels: dict[str, dict[str, int]] = field(default_factory=dict)
    """Origin -> conflict type -> labels"""
    repaired: int = 0
    failed: int = 0


@dataclass(frozen=True)
class PairTally:
    """Counts of one run, all of them by domain."""

    run: str
    domains: tuple[DomainFlow, ...]
    axes: dict[str, dict[str, int]]
    """Origin -> axis -> labels that tick it"""
    confounders: dict[str, dict[str, int]]
    """Origin -> axis -> labels that name it dominant"""
    agreement: dict[tuple[str, str], int]
    """(model's type, heuristic's type) -> pairs that both labelled"""
    costs: tuple[Cost, ...] = ()

    @property
    def articles(self) -> int:
        return sum(d.articles for d in self.domains)

    @property
    def kept(self) -> int:
        return sum(d.kept for d in self.domains)

    @property
    def left(self) -> dict[str, int]:
        return _summed(d.left for d in self.domains)

    @property
    def claims(self) -> dict[str, int]:
        return _summed(d.claims for d in self.domains)

    @property
    def pairs(self) -> dict[str, int]:
        return _summed(d.pairs for d in self.domains)

    @property
    def repaired(self) -> int:
        return sum(d.repaired for d in self.domains)

    @property
    def failed(self) -> int:
        return sum(d.failed for d in self.domains)

    def labels(self, origin: Origin) -> dict[str, int]:
        """Conflict type -> labels of this origin."""
        return _summed(d.labels.get(origin.value, {}) for d in self.domains)


def _summed(parts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return dict(total)


def pair_tally(workspace: Workspace, run_id: str) -> PairTally:
    """Count what a run has done so far. A run of 50,000 pairs takes about a second."""
    articles = _by_domain(_articles(workspace, run_id))
    claims = _by_domain((*key, n) for key, n in claim_counts(workspace, run_id).items())
    pairs = _by_domain((*key, n) for key, n in pair_counts(workspace, run_id).items())
    labels: dict[str, dict[str, dict[str, int]]] = {}
    repaired: Counter[str] = Counter()
    for domain, origin, conflict_type, count, mended in _labels(workspace, run_id):
        labels.setdefault(domain, {}).setdefault(origin, {})[conflict_type] = count
        repaired[domain] += mended
    failed = Counter(one.domain for one in failed_pairs(workspace, run_id).values())
    counted = mined(workspace, run_id)
    return PairTally(
        run_id,
        tuple(
            DomainFlow(
                domain,
                articles=sum(articles.get(domain, {}).values()),
                kept=articles.get(domain, {}).get("", 0),
                left={reason: n for reason, n in articles.get(domain, {}).items() if reason},
                claims=claims.get(domain, {}),
                mining=counted.get(domain, {}),
                pairs=pairs.get(domain, {}),
                labels=labels.get(domain, {}),
                repaired=repaired[domain],
                failed=failed[domain],
            )
            for domain in sorted({*articles, *claims, *pairs, *labels})
        ),
        axes=_by_origin(workspace, run_id, "a.value", "proposals l, json_each(l.answer, '$.axes') a"),
        confounders=_by_origin(workspace, run_id, "l.answer ->> 'confounder'", "proposals l"),
        agreement=_agreement(workspace, run_id),
        costs=tuple(costs(workspace, run_id)),
    )


def _by_domain(counts: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    """Domain -> what was counted -> how many."""
    found: dict[str, dict[str, int]] = {}
    for domain, counted, n in counts:
        found.setdefault(domain, {})[str(counted)] = n
    return found


def _articles(workspace: Workspace, run_id: str) -> Iterator[tuple[str, str, int]]:
    """(domain, "" where none was noted; reason, "" where it was kept; articles)"""
    return plain(
        workspace.db,
        "SELECT ifnull(payload ->> 'domain', ''),"
        " CASE verdict WHEN 'kept' THEN '' ELSE ifnull(reason, verdict) END, count(*)"
        " FROM stage_records WHERE run_id = ? AND stage = ? AND concept IS NULL GROUP BY 1, 2"
        " ORDER BY 1, 2",
        (run_id, NORMALISE),
    )


_ORIGIN = "CASE l.origin WHEN 'rule' THEN 'heuristic' ELSE l.origin END"
_TYPE = "l.answer ->> 'conflict_type'"


def _labels(workspace: Workspace, run_id: str) -> Iterator[tuple[str, str, str, int, int]]:
    """(domain, origin, conflict type, labels, of these repaired)"""
    return plain(
        workspace.db,
        f"SELECT p.domain, {_ORIGIN}, {_TYPE}, count(*), sum(l.repaired) FROM proposals l"
        " JOIN pairs p ON p.run_id = l.run_id AND p.item_id = l.item_id WHERE l.run_id = ?"
        " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
        (run_id,),
    )


def _by_origin(workspace: Workspace, run_id: str, value: str, of: str) -> dict[str, dict[str, int]]:
    """Origin -> value -> labels, the most frequent first."""
    found: dict[str, dict[str, int]] = {}
    for origin, axis, count in workspace.db.execute(
        f"SELECT {_ORIGIN}, {value}, count(*) FROM {of} WHERE l.run_id = ? AND {value} IS NOT NULL"
        " GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2",
        (run_id,),
    ):
        found.setdefault(origin, {})[axis] = count
    return found


def _agreement(workspace: Workspace, run_id: str) -> dict[tuple[str, str], int]:
    rows = workspace.db.execute(
        f"SELECT {_TYPE}, h.answer ->> 'conflict_type', count(*) FROM proposals l JOIN proposals h"
        " ON h.run_id = l.run_id AND h.item_id = l.item_id AND h.origin = 'rule'"
        " WHERE l.run_id = ? AND l.origin = 'model' GROUP BY 1, 2 ORDER BY 1, 2",
        (run_id,),
    )
    return {(row[0], row[1]): row[2] for row in rows}
