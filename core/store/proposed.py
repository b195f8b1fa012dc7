"""As what machines proposed items: concepts by class, claim pairs by type of conflict. Reads only."""

from __future__ import annotations

from core.errors import InputError
from core.records import Curie, ItemKind
from core.store import corpora, runs
from core.store.proposals import OF_RULE, ORACLES
from core.store.workspace import Workspace

UNLABELLED = "unlabelled"
"""Of a pair that no annotator has labelled yet."""
_DECIDED = (
    "WITH decided AS (SELECT DISTINCT i.passage_id AS id FROM decisions d JOIN items i ON i.id = d.item_id)"
)
_CONCEPTS = (
    f"{_DECIDED} SELECT s.doc_id, i.subject, p.class FROM decided"
    " CROSS JOIN passages s ON s.id = decided.id AND s.corpus_id = ?1"
    f" CROSS JOIN items i ON i.passage_id = s.id AND i.kind = '{ItemKind.CONCEPT}'"
    " CROSS JOIN proposals p ON p.item_id = i.id JOIN runs r ON r.id = p.run_id"
    " WHERE (?2 IS NULL OR p.run_id = ?2)"
    f" AND (?2 IS NOT NULL OR p.run_id NOT IN ({ORACLES})) ORDER BY r.rowid, p.id"
)
_PAIRS = (
    f"{_DECIDED} SELECT s.doc_id, i.subject, p.answer ->> 'conflict_type' FROM decided"
    " CROSS JOIN passages s ON s.id = decided.id AND s.corpus_id = ?1"
    f" CROSS JOIN items i ON i.passage_id = s.id AND i.kind = '{ItemKind.PAIR}'"
    " CROSS JOIN pairs x ON x.item_id = i.id JOIN runs r ON r.id = x.run_id"
    " LEFT JOIN proposals p ON p.run_id = x.run_id AND p.item_id = x.item_id"
    f" WHERE ?2 IS NULL OR x.run_id = ?2 ORDER BY r.rowid, {OF_RULE} DESC, p.id"
)


def proposed_as(
    workspace: Workspace, corpus: str, kind: str, run: str | None = None
) -> dict[tuple[str, Curie], str]:
    """(doc_id, concept or pair id) -> class of the concept, or type of the conflict, of documents in which
    somebody has decided something. The newest run speaks, and of its labels a model's before a rule's.

    Args:
        kind: `concept` or `pair`.
        run: only what this run proposed; None: any, but those that took answers from gold.

    Raises:
        NotFoundError: no such corpus or run.
        InputError: the run labels another corpus, or another kind of item.
    """
    here = corpora.corpus(workspace, corpus).id
    if run is not None:
        found = runs.find_run(workspace, run)
        if found.corpus != corpus:
            raise InputError(
                f"Run {run} labels corpus {found.corpus}, not {corpus}. Name one of corpus {corpus}."
            )
        if (found.kind == "conflicts") != (kind == ItemKind.PAIR):
            proposes = "claim pairs" if found.kind == "conflicts" else "concepts"
            raise InputError(f"Run {run} proposes {proposes}. Ask for these, or name another run.")
    rows = workspace.db.execute(_PAIRS if kind == ItemKind.PAIR else _CONCEPTS, (here, run))
    return {(row[0], row[1]): row[2] or UNLABELLED for row in rows}
