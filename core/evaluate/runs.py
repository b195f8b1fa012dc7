"""Two machine annotators on one corpus: where they agree. Neither of them is gold."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from core.errors import InputError
from core.metrics.documents import compare, ratios
from core.store import runs
from core.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Counts of (document, concept) over the corpus, statuses ignored except where said."""

    a: str
    b: str
    corpus: str
    documents: int
    both: int
    only_a: int
    only_b: int
    pairwise_f1: float | None
    """Micro F1 of one against the other, in [0, 1], the same either way round; both silent: 1 (rule V1);
    None where the corpus holds no document."""
    same_status: float | None
    """Share of the concepts proposed by both that carry the same assertion; None where there are none."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def compare_runs(workspace: Workspace, a: str, b: str) -> RunComparison:
    """What both runs propose, what only one does.

    Raises:
        NotFoundError: no such run.
        InputError: the runs are of different corpora.
    """
    corpora = {runs.find_run(workspace, run).corpus for run in (a, b)}
    if len(corpora) > 1:
        raise InputError(
            f"Runs {a!r} and {b!r} label different corpora ({', '.join(sorted(corpora))}). "
            "Compare two runs of one corpus."
        )
    ours, theirs = runs.predictions(workspace, a), runs.predictions(workspace, b)
    outcomes = compare(
        {d: statuses.keys() for d, statuses in ours.items()},
        {d: statuses.keys() for d, statuses in theirs.items()},
    )
    both = sum(len(o.tp) for o in outcomes)
    only_a, only_b = sum(len(o.fn) for o in outcomes), sum(len(o.fp) for o in outcomes)
    same = sum(ours[o.doc_id][c] is theirs[o.doc_id][c] for o in outcomes for c in o.tp)
    return RunComparison(
        a=a,
        b=b,
        corpus=corpora.pop(),
        documents=len(outcomes),
        both=both,
        only_a=only_a,
        only_b=only_b,
        pairwise_f1=ratios(both, only_b, only_a).f1 if outcomes else None,
        same_status=same / both if both else None,
    )
