"""As what machines proposed items: concepts by class, claim pairs by type of conflict. Reads only."""

from __future__ import annotations

from core.errors import InputError
from core.kinds import KINDS
from core.records import ItemKind
from core.store import corpora, runs
from core.store.proposals import OF_RULE, ORACLES
from core.store.workspace import Workspace

Place = tuple[str, str]
"""(doc_id, subject of the item)"""
UNLABELLED = "unlabelled"
"""Of a pair that no annotator has labelled yet."""
_DECIDED = (
    "WITH decided AS (SELECT DISTINCT i.passage_id AS id FROM decisions d JOIN items i ON i.id = d.item_id)"
    " SELECT s.doc_id, i.subject, {asked} FROM decided"
    " CROSS JOIN passages s ON s.id = decided.id AND s.corpus_id = ?1"
    " CROSS JOIN items i ON i.passage_id = s.id AND i.kind = '{kind}'"
)
_CLASSES = (
    _DECIDED.format(asked="p.class", kind=ItemKind.CONCEPT)
    + " CROSS JOIN proposals p ON p.item_id = i.id JOIN runs r ON r.id = p.run_id"
    " WHERE (?2 IS NULL OR p.run_id = ?2)"
    f" AND (?2 IS NOT NULL OR p.run_id NOT IN ({ORACLES})) ORDER BY r.rowid, p.id"
)
_TYPES = (
    _DECIDED.format(asked="p.answer ->> 'conflict_type'", kind=ItemKind.PAIR)
    + " CROSS JOIN pairs x ON x.item_id = i.id JOIN runs r ON r.id = x.run_id"
    " LEFT JOIN proposals p ON p.run_id = x.run_id AND p.item_id = x.item_id"
    f" WHERE ?2 IS NULL OR x.run_id = ?2 ORDER BY r.rowid, {OF_RULE} DESC, p.id"
)


def classes(workspace: Workspace, corpus: str, run: str | None = None) -> dict[Place, str]:
    """(doc_id, concept) -> the class of it, in documents in which somebody has decided something. The newest
    run speaks.

    Args:
        run: only what this run proposed; None: any, but those that took answers from gold.

    Raises:
        NotFoundError: no such corpus or run.
        InputError: the run labels another corpus, or another kind of item.
    """
    return _said(workspace, _CLASSES, ItemKind.CONCEPT, corpus, run)


def types(workspace: Workspace, corpus: str, run: str | None = None) -> dict[Place, str]:
    """(doc_id, pair id) -> the type of its conflict, or `UNLABELLED`; as `classes`. Of the labels of a run a
    model's counts before a rule's."""
    return _said(workspace, _TYPES, ItemKind.PAIR, corpus, run)


def _said(workspace: Workspace, query: str, kind: str, corpus: str, run: str | None) -> dict[Place, str]:
    here = corpora.corpus(workspace, corpus).id
    if run is not None:
        found = runs.find_run(workspace, run)
        if found.corpus != corpus:
            raise InputError(
                f"Run {run} labels corpus {found.corpus}, not {corpus}. Name one of corpus {corpus}."
            )
        if found.proposes != kind:
            plural = KINDS[found.proposes].plural
            raise InputError(f"Run {run} proposes {plural}. Ask for these, or name another run.")
    return {(row[0], row[1]): row[2] or UNLABELLED for row in workspace.db.execute(query, (here, run))}
