"""Splits that leave test concepts unseen, of files, gold and runs, as one JSON file."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from core.exchange.atomic import replacing
from core.exchange.given import concepts_of, documents_of, labelled
from core.formats.label_trees import read_indices
from core.learners.splits import DEV, UNSEEN, UnseenSplit, split_unseen
from core.ontology.lineage import Lineage
from core.records import Curie
from core.store import Workspace


def counted_concepts(
    workspace: Workspace | None, ontology: str | None, root: str | None, index: Path | None
) -> Collection[Curie] | None:
    """The concepts of which coverage is a share: those of a label tree, else of an ontology, below the root
    where one is named; None: of none.

    Raises:
        InputError, NotFoundError: there is no such file, ontology or root.
    """
    if index is not None:
        return set(read_indices(index))
    if ontology is None:
        return None
    live = [c for c in concepts_of(workspace, ontology) if not c.obsolete]
    lineage = Lineage((c.curie for c in live), ((c.curie, p) for c in live for p in c.parents))
    return lineage.descendants(root) if root else lineage.curies


def write_split(
    workspace: Workspace | None,
    gold: str,
    pool: str,
    out: Path,
    *,
    ontology: Collection[Curie] | None = None,
    seeds: Sequence[int] = (0, 1, 2),
    share: float = UNSEEN,
    dev_share: float = DEV,
    cheapest: bool = False,
) -> dict[str, Any]:
    """Split, write which passage is where, and return the statistics (HI-ALD, table 7).

    Args:
        gold, pool: a file, a gold reference, or a run.
        ontology, seeds, share, dev_share, cheapest: as of `split_unseen`.

    Raises:
        InputError, NotFoundError: something cannot be read, or no such split is possible.
    """
    found = split_unseen(
        labelled(documents_of(workspace, gold)),
        labelled(documents_of(workspace, pool)),
        ontology=ontology,
        seeds=seeds,
        share=share,
        dev_share=dev_share,
        cheapest=cheapest,
    )
    report = {
        "gold": gold,
        "pool": pool,
        "share": share,
        "cheapest": cheapest,
        "dev": len(found.dev),
        "test": len(found.test),
        "unseen": len(found.unseen),
        "made_unseen": len(found.chosen),
        "duplicates_dropped": found.duplicates,
        "passages_dropped": found.dropped,
        "core": len(found.core),
        "core_divergence": found.divergence,
        "sizes": [row._asdict() for row in found.rows],
    }
    with replacing(out) as file:
        file.write(
            json.dumps({"report": report, **_ids(found)}, ensure_ascii=False, indent=1).encode() + b"\n"
        )
    return report


def _ids(found: UnseenSplit) -> dict[str, Any]:
    """Which passage is where. A training set of a size is the first so many of the core and an order."""
    return {
        "dev": found.dev,
        "test": found.test,
        "unseen": sorted(found.unseen),
        "made_unseen": found.chosen,
        "core": found.core,
        "orders": {str(seed): order for seed, order in found.orders.items()},
        "training_sizes": found.sizes,
    }
