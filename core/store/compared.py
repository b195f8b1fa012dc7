"""What runs said, in the form in which they are compared and scored. Reads only."""

from __future__ import annotations

from typing import NamedTuple

from core.records import Assertion, ConceptClass, Curie, Verdict
from core.store import runs
from core.store.rows import column
from core.store.workspace import Workspace

Key = tuple[str, Curie]
"""(doc_id, concept)"""


class Said(NamedTuple):
    item_id: int
    label: str
    assertion: Assertion
    concept_class: ConceptClass


def said(workspace: Workspace, run_id: str) -> dict[Key, Said]:
    """Every concept that a run proposes, but those it classed as not relevant.

    Raises:
        NotFoundError: no such run.
    """
    runs.find_run(workspace, run_id)
    rows = workspace.db.execute(
        "SELECT s.doc_id, i.subject, i.id, p.answer ->> 'label', p.assertion, p.class FROM proposals p"
        " JOIN items i ON i.id = p.item_id JOIN passages s ON s.id = i.passage_id"
        " WHERE p.run_id = ? AND p.class <> 'not_relevant'",
        (run_id,),
    )
    return {(r[0], r[1]): Said(r[2], r[3], Assertion(r[4]), ConceptClass(r[5])) for r in rows}


def considered(workspace: Workspace, run_id: str) -> set[Key]:
    """Every concept that a stage of the run judged, whatever became of it; empty for imported labels."""
    rows = workspace.db.execute(
        "SELECT DISTINCT s.doc_id, r.concept FROM stage_records r JOIN passages s ON s.id = r.passage_id"
        " WHERE r.run_id = ? AND r.concept IS NOT NULL",
        (run_id,),
    )
    return {(row[0], row[1]) for row in rows}


def failed(workspace: Workspace, run_id: str) -> set[str]:
    """doc_ids of passages that a stage got no usable answer for, and that were not done since: the run's
    silence there is no verdict."""
    done = _documents(workspace, run_id, f"r.verdict = '{Verdict.DONE}'")
    return _documents(workspace, run_id, f"r.verdict = '{Verdict.FAILED}'") - done


def retained(workspace: Workspace, run_id: str) -> set[str]:
    """doc_ids of passages that the last stage rated and kept."""
    return _documents(
        workspace, run_id, f"r.verdict = '{Verdict.RATED}' AND json_extract(r.payload, '$.retained')"
    )


def _documents(workspace: Workspace, run_id: str, condition: str) -> set[str]:
    rows = workspace.db.execute(
        "SELECT DISTINCT s.doc_id FROM stage_records r JOIN passages s ON s.id = r.passage_id"
        f" WHERE r.run_id = ? AND r.concept IS NULL AND {condition}",
        (run_id,),
    )
    return {row[0] for row in rows}


# --- prompts ------------------------------------------------------------------------------------------------


def prompts(workspace: Workspace, run_id: str) -> list[str]:
    """Versions of the prompts whose answers a run used, such as `classify@3f2a91c04d5e`, by name."""
    return column(
        workspace.db,
        "SELECT DISTINCT c.prompt FROM stage_records r JOIN calls c ON c.id = r.call_id WHERE r.run_id = ?"
        " ORDER BY 1",
        (run_id,),
    )


def runs_with_prompt(workspace: Workspace, prompt: str) -> list[str]:
    """Runs that used answers to this version of a prompt, oldest first."""
    return column(
        workspace.db,
        "SELECT id FROM runs WHERE id IN (SELECT r.run_id FROM stage_records r JOIN calls c"
        " ON c.id = r.call_id WHERE c.prompt = ?) ORDER BY started_at, rowid",
        (prompt,),
    )


def prompt_versions(workspace: Workspace) -> list[str]:
    """Every version of a prompt that was ever asked for concepts, by name."""
    return column(workspace.db, "SELECT DISTINCT prompt FROM calls WHERE stage <> 'annotate' ORDER BY 1")


# --- what it cost -------------------------------------------------------------------------------------------


class Cost(NamedTuple):
    """Calls behind one stage of a run, whoever paid for them."""

    passages: int
    calls: int
    seconds: float
    """Time until the answers, summed over calls."""
    price: float | None
    """US dollars; None where the price of a call is not known."""
    paid: float
    """US dollars of the calls that this run itself paid for, as far as prices are known."""


def costs(workspace: Workspace, run_id: str) -> dict[str, Cost]:
    """Stage -> the calls that the run's records rest on, and those it paid for besides (failed, asked again).

    Of answers that another run paid for, those are not among them that left no record here: a question that
    was asked again, a claim that no name was made of. A guideline's summary, which is asked for once and not
    for a passage, is left out.
    """
    rows = workspace.db.execute(
        "SELECT stage, count(DISTINCT passage_id), count(*), sum(seconds),"
        " CASE WHEN count(price) = count(*) THEN sum(price) END,"
        " ifnull(sum(CASE WHEN run_id = ?1 THEN price END), 0.0)"
        " FROM calls WHERE passage_id IS NOT NULL AND (run_id = ?1 OR id IN"
        " (SELECT call_id FROM stage_records WHERE run_id = ?1 AND call_id IS NOT NULL)) GROUP BY stage",
        (run_id,),
    )
    return {row[0]: Cost(*row[1:]) for row in rows}
