"""What tests of audits share: the clinic with imported gold, a set drawn from it, and what curators say."""

from __future__ import annotations

from core.kinds.gold_change import change_of
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
from core.review.audit import Audit, audited, draw_audit
from core.store import Workspace, corpora, decisions
from tests.review.clinic import CATARACT, FOCAL, HYPOTONIA, SEIZURE, furnish

GOLD = "imported:ward@1"
HELD = {
    "d1": [(FOCAL, Assertion.AFFIRMED), (CATARACT, Assertion.NEGATED)],
    "d2": [(SEIZURE, Assertion.AFFIRMED)],
    "d3": [(HYPOTONIA, Assertion.UNCERTAIN)],
}


def with_gold(workspace: Workspace) -> dict[str, int]:
    """doc_id -> passage id of the clinic, with `HELD` as gold."""
    at = furnish(workspace)
    rows = [(at[d], Annotation(c, f"gold {c}", a)) for d, held in HELD.items() for c, a in held]
    with workspace.write() as db:
        of = corpora.corpus(workspace, "ward").id
        corpora.add_annotation_set(db, "ward", "1", of, rows, exhaustive=True, sha256="1" * 64)
    return at


def drawn(workspace: Workspace, name: str = "a", size: int = 4, **more: object) -> list[tuple[str, str]]:
    draw_audit(workspace, Audit("alpha", GOLD, size, name=name, **more))  # type: ignore[arg-type]
    return [(one.doc_id, one.concept) for one in audited(workspace, name)]


def item(workspace: Workspace, doc: str, concept: str, name: str = "a") -> int:
    return next(x.item_id for x in audited(workspace, name) if (x.doc_id, x.concept) == (doc, concept))


def say(workspace: Workspace, curator: str, on: int, error: ErrorType | None) -> int:
    """The number of a decision that classifies an item, or is unsure."""
    action = Action.CLASSIFY_ERROR if error else Action.UNSURE
    log = len(list(decisions.decisions(workspace)))
    new = NewDecision(
        f"{curator}-{log}", curator, action, item_id=on, answer=ErrorAnswer(error) if error else None
    )
    (done,) = decisions.append(workspace, [new])
    assert done.refused is None
    assert done.number is not None
    return done.number


def change(
    workspace: Workspace, curator: str, passage: int, concept: str, action: Action, undoes: int | None = None
) -> int:
    """The number of a decision on the change that adds a concept to gold."""
    log = len(list(decisions.decisions(workspace)))
    answer = Answer(concept, concept, Assertion.AFFIRMED, ConceptClass.EXPLICIT)
    new = NewDecision(
        f"{curator}-{log}",
        curator,
        action,
        passage_id=passage,
        subject=change_of(GOLD, concept),
        answer=answer if action is Action.ACCEPT else None,
        undoes=undoes,
    )
    (done,) = decisions.append(workspace, [new])
    assert done.refused is None
    assert done.number is not None
    return done.number
