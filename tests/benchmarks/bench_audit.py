"""What an audit costs in a large workspace.

    python tests/benchmarks/bench_audit.py FILE_OF_HPO [--passages 54000]

Four proposals and two gold concepts a passage, random concepts of the ontology; a tenth of the audit set is
answered. Baseline of `audit show` without its aids: the same answers read as a frame of proposals reads them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from core import review
from core.kinds.gold_change import change_of
from core.ontology.load import load
from core.records import (
    Action,
    Annotation,
    Answer,
    Assertion,
    ConceptClass,
    ErrorAnswer,
    ErrorType,
    NewDecision,
)
from core.review.audit import Audit, aid, audited, draw_audit
from core.review.changes import open_changes
from core.store import Workspace, corpora, decisions, frame_answers, frames, ontologies, open_workspace
from core.store.gold import gold_set, list_references
from tests.review.clinic import add_corpus, add_run, draft

GOLD = "imported:ward@1"
SET = 500


def timed(what: str, function: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    found = function()
    print(f"{what:45} {1000 * (time.perf_counter() - start):10.1f} ms")
    return found


def fill(workspace: Workspace, file: Path, passages: int) -> None:
    rng = random.Random(7)
    made = load(file, name="hp")
    ontologies.add_ontology(workspace, made)
    live = [concept.curie for concept in made.concepts if not concept.obsolete]
    at = add_corpus(workspace, {f"d{n}": f"Passage {n} of many." for n in range(passages)})
    gold = [(passage, Annotation(c)) for passage in at.values() for c in rng.sample(live, 2)]
    with workspace.write() as db:
        of = corpora.corpus(workspace, "ward").id
        corpora.add_annotation_set(db, "ward", "1", of, gold, exhaustive=True, sha256="1" * 64)
    add_run(workspace, {passage: [draft(c) for c in rng.sample(live, 4)] for passage in at.values()})
    for curator in ("alpha", "beta"):
        decisions.add_curator(workspace, curator, curator.title())


def answer(workspace: Workspace) -> None:
    """A tenth of the set, every second of them as missing gold, which beta confirms."""
    errors = (ErrorType.MISSING_GOLD, ErrorType.CONTEXT)
    for n, unit in enumerate(frames.units(workspace, "a", upto=SET // 10)):
        said = ErrorAnswer(errors[n % 2])
        new = [NewDecision(f"e{n}", "alpha", Action.CLASSIFY_ERROR, item_id=unit.item_id, answer=said)]
        if n % 2 == 0:
            concept = unit.id.rpartition(" ")[2]
            held = Answer(concept, concept, Assertion.AFFIRMED, ConceptClass.EXPLICIT)
            subject, on = change_of(GOLD, concept), unit.passage_id
            new.append(
                NewDecision(f"g{n}", "beta", Action.ACCEPT, passage_id=on, subject=subject, answer=held)
            )
        assert all(done.number for done in decisions.append(workspace, new))


def desk(workspace: Workspace) -> None:
    """What a browser waits for."""
    given = review.ListingFilters("error", "ward", "a")
    for when in ("first", "again"):
        asked = {"desk": when, "want": 24}
        reply = timed(
            f"desk: 24 items, {when}", lambda sent=asked: review.serve(workspace, sent, given, "beta")
        )
    event = {"kind": "error", "cid": "one", "workspace": review.identity(workspace), "curator": "beta"}
    item = reply["passages"][0]["items"][0]
    about = {"item": item["id"], "passage": item["passage"], "concept": item["concept"]}
    event |= {**about, "action": "classify_error", "answer": {"error": "E-4"}}
    sent = {"desk": "again", "queue": reply["queue"], "held": reply["page"], "events": [event]}
    reply = timed("desk: a decision", lambda: review.serve(workspace, sent, given, "beta"))
    assert reply["refused"] == {}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("hpo", type=Path)
    parser.add_argument("--passages", type=int, default=54_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_workspace(Path(folder) / "large.db") as workspace:
        timed("fill", lambda: fill(workspace, given.hpo, given.passages))
        frame = timed("draw", lambda: draw_audit(workspace, Audit("alpha", GOLD, SET, name="a")))
        timed("draw by branch", lambda: draw_audit(workspace, Audit("alpha", GOLD, SET, "13", "branch", "b")))
        answer(workspace)
        number = decisions.chain_head(workspace)[0]
        timed("baseline: answers of the frame", lambda: frame_answers.answers(workspace, frame, number))
        rows = timed("audit show, first", lambda: audited(workspace, "a"))
        timed("audit show, again", lambda: audited(workspace, "a"))
        timed("aid, one item", lambda: aid(workspace, rows[-1].item_id, "alpha"))
        timed("aid, 100 items", lambda: [aid(workspace, one.item_id, "alpha") for one in rows[:100]])
        timed("changes that wait", lambda: open_changes(workspace, "ward", "beta"))
        desk(workspace)
        timed("gold references", lambda: list_references(workspace, "ward"))
        timed("imported gold", lambda: gold_set(workspace, GOLD, "ward"))
        timed("corrected gold", lambda: gold_set(workspace, "corrected@now:ward@1", "ward"))


if __name__ == "__main__":
    main()
