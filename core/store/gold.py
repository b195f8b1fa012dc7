"""Gold: imported sets as they came, reviewed gold as a query over decisions. Nobody ever edits gold.

References: `imported:NAME@VERSION` and `reviewed@NUMBER:POLICY` with NUMBER a decision number or `now`, and
POLICY one of `curator=ID`, `agreed`, `adjudicated`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.errors import InputError, NotFoundError
from core.records import JUDGEMENTS, Action, Assertion, Curie, Decision, GoldSet
from core.store import corpora, runs
from core.store.decisions import chain_head, decisions, find_curator
from core.store.workspace import Workspace

_REVIEWED = re.compile(r"reviewed@(?P<number>\d+|now):(?P<policy>agreed|adjudicated|curator=.+)")

Key = tuple[str, Curie]
"""(doc_id, concept)"""


@dataclass(slots=True)
class Verdicts:
    """What decisions up to one number say about a corpus, under one policy."""

    number: int
    present: dict[Key, Assertion] = field(default_factory=dict)
    absent: set[Key] = field(default_factory=set)
    undecided: set[Key] = field(default_factory=set)
    """Looked at but not settled: unsure, seen by one of two, disagreed, unadjudicated."""
    closed: set[str] = field(default_factory=set)
    """Documents where nothing is missing any more."""


def parse_reviewed(reference: str) -> tuple[int | None, str]:
    """(number or None for now, policy) of a `reviewed@...` reference."""
    match = _REVIEWED.fullmatch(reference)
    if match is None:
        raise InputError(
            f"{reference!r} is no gold reference. Write imported:NAME@VERSION, or reviewed@NUMBER:POLICY"
            " with "
            "NUMBER a decision number or 'now' and POLICY one of curator=ID, agreed, adjudicated."
        )
    return None if match["number"] == "now" else int(match["number"]), match["policy"]


def list_references(workspace: Workspace, corpus: str) -> list[str]:
    """Every gold reference that makes sense for a corpus now, imported sets first."""
    found = [f"imported:{s.name}@{s.version}" for s in corpora.list_annotation_sets(workspace, corpus)]
    curators = workspace.db.execute(
        "SELECT DISTINCT d.curator_id FROM decisions d JOIN items i ON i.id = d.item_id"
        " JOIN passages p ON p.id = i.passage_id JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ?"
        " ORDER BY 1",
        (corpus,),
    ).fetchall()
    found += [f"reviewed@now:curator={row[0]}" for row in curators]
    if len(curators) > 1:
        found += ["reviewed@now:agreed", "reviewed@now:adjudicated"]
    return found


def gold_set(workspace: Workspace, reference: str, corpus: str) -> GoldSet:
    """Read a gold standard for one corpus.

    Raises:
        InputError: no such form of reference.
        NotFoundError: no such set or curator, or the set belongs to another corpus.
    """
    if reference.startswith("imported:"):
        return _imported(workspace, reference.removeprefix("imported:"), corpus)
    number, policy = parse_reviewed(reference)
    found = verdicts(workspace, corpus, policy, number)
    documents: dict[str, dict[Curie, Assertion]] = {doc_id: {} for doc_id in found.closed}
    rejected: dict[str, set[Curie]] = {}
    for (doc_id, concept), assertion in found.present.items():
        documents.setdefault(doc_id, {})[concept] = assertion
    for doc_id, concept in found.absent:
        documents.setdefault(doc_id, {})
        rejected.setdefault(doc_id, set()).add(concept)
    return GoldSet(
        reference=f"reviewed@{found.number}:{policy}",
        documents=documents,
        recall_documents=frozenset(found.closed),
        rejected={doc_id: frozenset(concepts) for doc_id, concepts in rejected.items()},
        excluded=len(found.undecided),
    )


def _imported(workspace: Workspace, reference: str, corpus: str) -> GoldSet:
    name, _, version = reference.partition("@")
    sets = corpora.list_annotation_sets(workspace, corpus)
    chosen = [s for s in sets if s.name == name and version in ("", s.version)]
    if not chosen:
        raise NotFoundError(
            f"gold set of corpus {corpus!r}", reference, [f"imported:{s.name}@{s.version}" for s in sets]
        )
    picked = chosen[-1]
    documents: dict[str, dict[Curie, Assertion]] = {d: {} for d in corpora.passage_ids(workspace, corpus)}
    for _, doc_id, annotation in corpora.imported_annotations(workspace, picked.id):
        held = documents[doc_id].get(annotation.concept)
        documents[doc_id][annotation.concept] = strongest(held, annotation.assertion)
    return GoldSet(
        reference=f"imported:{picked.name}@{picked.version}",
        documents=documents,
        recall_documents=frozenset(documents),
    )


def strongest(a: Assertion | None, b: Assertion) -> Assertion:
    """Document-level status of several mentions: affirmed beats uncertain beats negated."""
    order = (Assertion.AFFIRMED, Assertion.UNCERTAIN, Assertion.NEGATED)
    return b if a is None else min(a, b, key=order.index)


def corrected(
    workspace: Workspace, run_id: str, policy: str, number: int | None = None
) -> dict[str, dict[Curie, Assertion]]:
    """A run's proposals with decisions applied: rejected removed, fixed replaced, missing added.

    The same documents as `runs.predictions`, which is the raw form; the difference of the two, scored against
    the same gold, is the effect of review.
    """
    found = runs.predictions(workspace, run_id)
    decided = verdicts(workspace, runs.find_run(workspace, run_id).corpus, policy, number)
    for doc_id, concept in decided.absent:
        found[doc_id].pop(concept, None)
    for (doc_id, concept), assertion in decided.present.items():
        found[doc_id][concept] = assertion
    return found


def verdicts(workspace: Workspace, corpus: str, policy: str, number: int | None = None) -> Verdicts:
    """What decisions up to `number` (None: all) say about a corpus, under a policy.

    `curator=ID`: that curator's answers. `agreed`: concepts that at least two curators answered alike, in
    status too. `adjudicated`: the adjudication where there is one, else what was agreed.
    """
    head = chain_head(workspace)[0]
    if number is not None and number > head:
        raise NotFoundError("decision", number, [f"1 to {head}"])
    number = head if number is None else number
    by_curator, adjudications = _votes(workspace, corpus, number)
    if policy.startswith("curator="):
        curator = policy.removeprefix("curator=")
        find_curator(workspace, curator)
        found = by_curator.get(curator, Verdicts(number))
        found.number = number
        return found
    found = _agreed(workspace, corpus, by_curator, number)
    if policy == "adjudicated":
        for key, assertion in adjudications.items():
            found.present.pop(key, None)
            found.absent.discard(key)
            found.undecided.discard(key)
            if assertion is None:
                found.absent.add(key)
            else:
                found.present[key] = assertion
    return found


def _votes(
    workspace: Workspace, corpus: str, number: int
) -> tuple[dict[str, Verdicts], dict[Key, Assertion | None]]:
    """Each curator's own verdicts, and the adjudications (None: judged absent)."""
    doc_ids = {p: d for d, p in corpora.passage_ids(workspace, corpus).items()}
    log = [d for d in decisions(workspace, upto=number) if d.passage_id in doc_ids]
    cancelled = {d.undoes for d in log if d.undoes is not None}
    states: dict[tuple[str, int, bool], Decision] = {}
    found: dict[str, Verdicts] = {}
    adjudicated: dict[Key, Assertion | None] = {}
    for d in log:
        if d.number in cancelled or d.action in (Action.UNDO, Action.NOTE):
            continue
        if d.action is Action.ADJUDICATE:
            if d.concept is not None:
                adjudicated[doc_ids[d.passage_id], d.concept] = None
            if d.answer is not None:
                adjudicated[doc_ids[d.passage_id], d.answer.concept] = d.answer.assertion
        else:
            states[d.curator, d.item_id, d.action in JUDGEMENTS] = d
    for d in sorted(states.values(), key=lambda d: d.number):
        mine = found.setdefault(d.curator, Verdicts(number))
        doc_id = doc_ids[d.passage_id]
        if d.action is Action.CLOSE:
            mine.closed.add(doc_id)
        elif d.concept is not None:
            _apply(mine, doc_id, d.concept, d)
    return found, adjudicated


def _apply(mine: Verdicts, doc_id: str, concept: Curie, d: Decision) -> None:
    """One curator's state on one item. Called in order of number, so the latest word on a concept stands,
    whether it was said on the concept's own item or by fixing another one to it."""

    def settle(key: Key, assertion: Assertion | None, *, sure: bool = True) -> None:
        mine.present.pop(key, None)
        mine.absent.discard(key)
        mine.undecided.discard(key)
        if not sure:
            mine.undecided.add(key)
        elif assertion is None:
            mine.absent.add(key)
        else:
            mine.present[key] = assertion

    settle((doc_id, concept), None, sure=d.action is not Action.UNSURE)
    if d.answer is not None and d.action in (Action.ACCEPT, Action.FIX, Action.ADD):
        settle((doc_id, d.answer.concept), d.answer.assertion)


def _agreed(workspace: Workspace, corpus: str, by_curator: dict[str, Verdicts], number: int) -> Verdicts:
    found = Verdicts(number)
    everyone = list(by_curator.values())
    proposed = {
        (row[0], row[1])
        for row in workspace.db.execute(
            "SELECT p.doc_id, i.concept FROM items i JOIN passages p ON p.id = i.passage_id"
            " JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ? AND i.kind = 'concept'"
            " AND EXISTS (SELECT 1 FROM proposals WHERE item_id = i.id)",
            (corpus,),
        )
    }
    keys = {k for v in everyone for k in (*v.present, *v.absent, *v.undecided)}
    for key in keys:
        answers: list[Assertion | None] = [v.present[key] for v in everyone if key in v.present]
        answers += [None for v in everyone if key in v.absent]
        if key not in proposed:
            # nobody proposed it, so whoever closed the passage without adding it has said that it is absent
            silent = [v for v in everyone if key[0] in v.closed and key not in v.present]
            answers += [None for v in silent if key not in v.absent and key not in v.undecided]
        unsure = any(key in v.undecided for v in everyone)
        if unsure or len(answers) < 2 or len(set(answers)) > 1:
            found.undecided.add(key)
        elif answers[0] is None:
            found.absent.add(key)
        else:
            found.present[key] = answers[0]
    for doc_id in {d for v in everyone for d in v.closed}:
        if sum(doc_id in v.closed for v in everyone) >= 2:
            found.closed.add(doc_id)
    return found
