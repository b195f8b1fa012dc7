"""Chosen items as a table: what was proposed, on which evidence, and what people decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.charts import Table
from core.errors import NotFoundError
from core.kinds.names import called
from core.records import JUDGEMENTS, CandidatePair, Proposal, StoredPairLabel
from core.store import Workspace, corpora, pairs, proposals, queue
from core.store.blind import blind_among
from core.store.curators import list_curators

COLUMNS = ("document", "what is judged", "proposed by", "proposed", "evidence", "reason", "people said")
Row = tuple[str | None, ...]


def items_table(workspace: Workspace, item_ids: Sequence[int], curator: str | None = None) -> Table:
    """One row per item and proposal, in the order asked for; an item that nobody proposed has one row.

    Args:
        curator: who still decides: only their own decisions are told, and what they have yet to answer blind
            is left out. None: a reader of results, who sees what everybody decided.

    Raises:
        NotFoundError: no concept label and no claim pair has this id.
    """
    wanted = list(dict.fromkeys(item_ids))
    concepts, claims = queue.items(workspace, wanted), pairs.pairs_of_items(workspace, wanted)
    unknown = [one for one in wanted if one not in concepts and one not in claims]
    if unknown:
        raise NotFoundError("item", unknown[0], [f"1 to {queue.last_item(workspace)}"])
    hidden = set() if curator is None else blind_among(workspace, curator, wanted)
    if curator is not None:  # what only others have added is theirs as yet
        seen = (queue.visible(workspace, concepts, curator) | claims.keys()) - hidden
        wanted = [one for one in wanted if one in seen]
    decided = _decided(workspace, wanted, curator)
    rows: list[Row] = []
    for item in wanted:
        said = decided.get(item)
        if item in concepts:
            passage = corpora.passage(workspace, concepts[item].passage_id)
            held = proposals.of_items(workspace, [item]).get(item, [])
            rows += [(passage.doc_id, *_concept(one), said) for one in held] or [
                (passage.doc_id, concepts[item].subject, *[None] * 4, said)
            ]
        else:
            ((_, pair), *_) = claims[item]
            labels = pairs.labels_of_items(workspace, [item]).get(item, [])
            both = f"{pair.a.article_uid} and {pair.b.article_uid}"
            rows += [(both, *_pair(pair, one), said) for one in labels] or [
                (both, _claims(pair), *[None] * 4, said)
            ]
    left_out = f"{len(hidden)} left out: they are to be answered blind." if hidden else ""
    return Table("Items", COLUMNS, rows, "items", note=left_out)


def _concept(one: Proposal) -> Row:
    quotes = "; ".join(f"“{quoted.quote}”" for quoted in one.evidence)
    status = f"{called(one.assertion)}, {called(one.concept_class)}"
    return f"{one.label} ({one.concept})", one.run, status, quotes or None, one.reason


def _pair(pair: CandidatePair, one: StoredPairLabel) -> Row:
    label = one.label
    axes = ", ".join(called(axis) for axis in label.axes)
    kind = called(label.conflict_type)
    return _claims(pair), one.run, f"{kind}; {axes}" if axes else kind, None, label.reconciliation


def _claims(pair: CandidatePair) -> str:
    return f"A: {pair.a.text} B: {pair.b.text}"


def _decided(workspace: Workspace, items: Sequence[int], curator: str | None) -> dict[int, str]:
    """Item -> such as `accept 2, reject 1`: the last judgement of each curator, or of this one."""
    asked = [curator] if curator else [one.id for one in list_curators(workspace)]
    last = {
        (one.item_id, who): one.action.value  # the newest comes last
        for who in asked
        for one in queue.said_by(workspace, who, list(items))
        if one.action in JUDGEMENTS
    }
    counted: dict[int, Counter[str]] = {}
    for (item, _), action in last.items():
        counted.setdefault(item, Counter())[action] += 1
    return {
        item: ", ".join(f"{action} {n}" for action, n in sorted(found.items()))
        for item, found in counted.items()
    }
