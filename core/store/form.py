"""What digests and links cover, in the columns of the form that they were made in.

Form 1 is that of workspaces in which concepts and pairs had tables of their own: its rows and spellings are
made again from today's columns, so that what was written down then still fits. Form 2 covers today's columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.store.connect import sqlite3

FORM = 2
"""Of every run that ends, and every decision that is stored, from now on."""
OLD = "pair_labels"
"""The table that labels of pairs lay in, as `proposals.old_table` names it."""


def of_run(db: sqlite3.Connection, run_id: str, form: int) -> Iterator[Iterable[Any]]:
    """The parts of a run's digest: the run, what it proposes, the evidence, the stage records; of a run of
    pairs its claims and pairs; the calls to models that the records name."""
    row = db.execute(_RUN[form], (run_id,)).fetchone()
    yield [row] if row else []
    pairs = row is not None and row["kind"] == "conflicts"
    if form == 1:
        yield from _said_in_1(db, "p.run_id = ? AND p.old_table IS NULL", (run_id,), _CONCEPTS)
    else:
        yield from (db.execute(query, (run_id,)) for query in _SAID)
    yield db.execute(_RECORDS, (run_id,))
    if pairs:
        yield from (db.execute(query, (run_id,)) for query in _PAIRS)
        if db.execute(f"{_LIKELY} LIMIT 1", (run_id,)).fetchone():  # as below, only where there are any
            yield db.execute(f"{_LIKELY} ORDER BY id", (run_id,))
        if form == 1:
            yield from _said_in_1(db, f"p.run_id = ? AND p.old_table = '{OLD}'", (run_id,), _LABELS)
    if db.execute(
        "SELECT 1 FROM stage_records WHERE run_id = ? AND call_id IS NOT NULL", (run_id,)
    ).fetchone():
        yield db.execute(
            _CALLS, (run_id,)
        )  # only where there are any: others have the digest they always had


def of_base(db: sqlite3.Connection, base: str, form: int) -> Any:
    """What a decision answered: the content of the proposals shown, or the link of an earlier decision."""
    kind, _, reference = base.partition(":")
    if kind in ("decision", "cancels"):
        row = db.execute("SELECT link FROM decisions WHERE number = ?", (int(reference),)).fetchone()
        return row[0] if row else None
    if kind not in ("proposals", "labels"):
        return reference
    ids = [int(i) for i in reference.split(",")]
    marks = ",".join("?" * len(ids))
    if kind == "labels":  # ids of the table that was
        chosen = f"p.old_table = '{OLD}' AND p.old_id IN ({marks})"
        parts = _said_in_1(db, chosen, ids, _LABELS_SHOWN)
    elif form == 1:
        parts = _said_in_1(db, f"p.id IN ({marks})", ids, _CONCEPTS_SHOWN)
    else:
        parts = iter([db.execute(query.format(marks), ids) for query in _SHOWN])
    return [[list(row) for row in part] for part in parts]


# --- form 2 -----------------------------------------------------------------------------------------------

_FIELDS = (
    "p.origin, p.annotator, p.answer, p.confidence, p.reason, p.stage, p.repaired, p.repairs, p.grounded,"
    " p.call_id, p.after_decision"
)
_QUOTE = 'e.quote, e.start, e."end", e.grounded, e.assertion, e.side, e.level, e.role'
_OF_RUN = (
    "p.id BETWEEN (SELECT min(id) FROM proposals WHERE run_id = ?1)"
    " AND (SELECT max(id) FROM proposals WHERE run_id = ?1) AND +p.run_id = ?1"
)
"""Read as they lie, without being sorted; a run's proposals mostly lie together."""
_SAID = (
    f"SELECT p.id, c.name, s.doc_id, i.kind, i.subject, {_FIELDS} FROM proposals p"
    " JOIN items i ON i.id = p.item_id JOIN passages s ON s.id = i.passage_id"
    f" JOIN corpora c ON c.id = s.corpus_id WHERE {_OF_RUN} ORDER BY p.id",
    f"SELECT e.proposal_id, e.position, t.sha256, {_QUOTE} FROM proposals p"
    " JOIN evidence e ON e.proposal_id = p.id JOIN texts t ON t.id = e.text_id"
    f" WHERE {_OF_RUN} ORDER BY p.id, e.position",
)
_SHOWN = (
    f"SELECT p.id, p.run_id, {_FIELDS} FROM proposals p WHERE p.id IN ({{}}) ORDER BY p.id",
    f"SELECT e.proposal_id, e.position, {_QUOTE} FROM evidence e WHERE e.proposal_id IN ({{}})"
    " ORDER BY e.proposal_id, e.position",
)

# --- both forms -------------------------------------------------------------------------------------------

_WHAT = (
    "SELECT r.id, r.kind, r.source, c.name, o.name, o.version, o.sha256, r.settings, r.fingerprint,"
    " r.started_at"
)
_OF = (
    " FROM runs r JOIN corpora c ON c.id = r.corpus_id LEFT JOIN ontologies o ON o.id = r.ontology_id"
    " WHERE r.id = ?"
)
_RUN = {1: _WHAT + _OF, 2: _WHAT + ", r.form" + _OF}
_RECORDS = (
    "SELECT id, stage, passage_id, concept, verdict, reason, call_id, payload FROM stage_records"
    " WHERE run_id = ? ORDER BY id"
)
_PAIRS = (
    "SELECT c.id, c.claim_id, p.doc_id, t.sha256, c.domain, c.start, c.end, c.sentence_start, c.sentence_end,"
    " c.type, c.confidence, c.section, c.direction, c.negated, c.entities, c.slots, c.cues FROM claims c"
    " JOIN passages p ON p.id = c.passage_id JOIN texts t ON t.id = c.text_id WHERE c.run_id = ? ORDER BY 1",
    "SELECT p.id, i.subject, p.domain, p.claim_a, p.claim_b, p.sim, p.dis, p.ent, p.type, p.year, p.score,"
    " p.signals, p.tier FROM pairs p JOIN items i ON i.id = p.item_id WHERE p.run_id = ? ORDER BY p.id",
)
_LIKELY = "SELECT id, likelihood, likelihood_parts FROM pairs WHERE run_id = ? AND likelihood IS NOT NULL"
_CALLS = (
    "SELECT id, key, run_id, stage, passage_id, prompt, model, endpoint, request, answer, raw, failure,"
    " finish_reason, prompt_tokens, completion_tokens, seconds, price, attempts, transport, asked_at"
    " FROM calls WHERE id IN (SELECT call_id FROM stage_records WHERE run_id = ?) ORDER BY id"
)

# --- form 1 -----------------------------------------------------------------------------------------------

_CONCEPTS = (
    "id corpus doc_id subject label assertion class confidence reason stage repaired grounded after_decision",
    "id position text_sha256 quote start end grounded assertion",
)
_CONCEPTS_SHOWN = (
    "id run_id label assertion class confidence reason stage repaired",
    "id position quote start end grounded assertion",
)
_LABELS = (
    "old_id pair_id origin annotator comparable conflict_type axes confounder reconciliation confidence"
    " reason repaired repairs grounded call_id after_decision",
    "old_id position side level role text_sha256 quote start end",
)
_LABELS_SHOWN = (
    "old_id run_id origin annotator comparable conflict_type axes confounder reconciliation confidence reason"
    " repaired repairs",
    "old_id position side level role quote start end",
)
"""Columns of a proposal and of its evidence, in the order of form 1."""


def _said_in_1(
    db: sqlite3.Connection, chosen: str, values: Sequence[Any], columns: tuple[str, str]
) -> Iterator[Iterator[list[Any]]]:
    of_proposal, of_evidence = (names.split() for names in columns)
    proposals = db.execute(
        "SELECT p.*, c.name AS corpus, s.doc_id, i.subject, pair.id AS pair_id FROM proposals p"
        " JOIN items i ON i.id = p.item_id JOIN passages s ON s.id = i.passage_id"
        " JOIN corpora c ON c.id = s.corpus_id"
        " LEFT JOIN pairs pair ON pair.run_id = p.run_id AND pair.item_id = p.item_id"
        f" WHERE {chosen} ORDER BY p.id",
        values,
    )
    yield ([row[name] for name in of_proposal] for row in map(_spelt_in_1, proposals))
    evidence = db.execute(
        "SELECT e.*, e.proposal_id AS id, p.old_id, t.sha256 AS text_sha256 FROM proposals p"
        " JOIN evidence e ON e.proposal_id = p.id JOIN texts t ON t.id = e.text_id"
        f" WHERE {chosen} ORDER BY e.proposal_id, e.position",
        values,
    )
    yield ([row[name] for name in of_evidence] for row in evidence)


def _spelt_in_1(row: sqlite3.Row) -> dict[str, Any]:
    answer = json.loads(row["answer"])
    repairs = row["repairs"] or "[]"
    found = {
        **dict(row),
        **answer,
        "repairs": repairs,
        "origin": "heuristic" if row["origin"] == "rule" else "model",
    }
    if "axes" in answer:
        found |= {"axes": json.dumps(answer["axes"]), "comparable": int(answer["comparable"])}
    return found
