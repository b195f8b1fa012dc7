"""Gold: imported sets as they came, reviewed and corrected gold as queries over decisions. Nobody ever edits
gold.

References: `imported:NAME@VERSION`; `reviewed@NUMBER:POLICY` with NUMBER a decision number or `now`, and
POLICY one of `curator=ID`, `agreed`, `adjudicated`; `corrected@NUMBER:NAME@VERSION`, which is imported gold
with what audits found missing in it, as far as a second curator confirmed it by then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from core.errors import InputError
from core.kinds.concept import status
from core.records import (
    JUDGEMENTS,
    POSITIVE,
    STRONGEST_FIRST,
    Action,
    Answer,
    Assertion,
    Curie,
    Decision,
    GoldSet,
)
from core.store import corpora, proposals, runs
from core.store.changes import CORRECTED, IMPORTED, changed_sets, confirmed, imported_of
from core.store.corpora import AnnotationSet
from core.store.decisions import ON_PASSAGES, pinned, standing
from core.store.names import chosen
from core.store.workspace import Workspace

_CORRECTED = re.compile(r"corrected@(?P<number>[0-9]{1,18}|now):(?P<set>.+)")
_REVIEWED = re.compile(r"reviewed@(?P<number>[0-9]{1,18}|now):(?P<policy>agreed|adjudicated|curator=.+)")

FORMS = "imported:NAME@VERSION, corrected@NUMBER:NAME@VERSION or reviewed@NUMBER:POLICY"
ESTIMATED = "estimated@"
"""How references begin that hold no labels (`core.evaluate.estimated`)."""

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
    closed: dict[str, int] = field(default_factory=dict)
    """Documents where nothing is missing any more -> number of the decision that says so."""

    def settle(self, key: Key, assertion: Assertion | None, *, sure: bool = True) -> None:
        """The last word on a concept; None: it is absent."""
        self.present.pop(key, None)
        self.absent.discard(key)
        self.undecided.discard(key)
        if not sure:
            self.undecided.add(key)
        elif assertion is None:
            self.absent.add(key)
        else:
            self.present[key] = assertion


def parse_reviewed(reference: str) -> tuple[int | None, str]:
    """(number or None for now, policy) of a `reviewed@...` reference."""
    match = _REVIEWED.fullmatch(reference)
    if reference.startswith(ESTIMATED):
        raise InputError(
            f"{reference!r} is an estimate: it holds figures of a whole run, and no labels. Name gold that "
            f"holds labels: {FORMS}."
        )
    if reference.startswith(CORRECTED):
        raise InputError(
            f"{reference!r} is imported gold of concept labels. Here it is asked what people decided: write"
            " reviewed@NUMBER:POLICY."
        )
    if match is None:
        raise InputError(
            f"{reference!r} is no gold reference. Write {FORMS} with NUMBER a"
            " decision number or 'now' and POLICY one of curator=ID, agreed, adjudicated."
        )
    return None if match["number"] == "now" else int(match["number"]), match["policy"]


def parse_corrected(reference: str) -> tuple[int | None, str]:
    """(number or None for now, NAME@VERSION) of a `corrected@...` reference.

    Raises:
        InputError: it is of another form.
    """
    match = _CORRECTED.fullmatch(reference)
    if match is None:
        raise InputError(
            f"{reference!r} is no corrected gold. Write corrected@NUMBER:NAME@VERSION with NUMBER a decision"
            " number or 'now'."
        )
    return None if match["number"] == "now" else int(match["number"]), match["set"]


def list_references(workspace: Workspace, corpus: str) -> list[str]:
    """Every gold reference that makes sense for a corpus now: imported sets first, then those of them that
    were corrected."""
    sets = [one.reference for one in corpora.list_annotation_sets(workspace, corpus)]
    changed = changed_sets(workspace)
    found = [f"{IMPORTED}{one}" for one in sets]
    found += [f"{CORRECTED}now:{one}" for one in sets if IMPORTED + one in changed]
    curators = workspace.db.execute(
        "SELECT DISTINCT d.curator_id FROM decisions d CROSS JOIN items i ON i.id = d.item_id"
        " CROSS JOIN passages p ON p.id = i.passage_id JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ?"
        " AND i.kind NOT IN ('error', 'gold_change') ORDER BY 1",
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
    if reference.startswith(IMPORTED):
        return _imported(workspace, reference, corpus)
    if reference.startswith(CORRECTED):
        return _with_changes(workspace, reference, corpus)
    number, policy = parse_reviewed(reference)
    found = verdicts(workspace, corpus, policy, number)
    documents: dict[str, dict[Curie, Assertion]] = {doc_id: {} for doc_id in found.closed}
    rejected: dict[str, set[Curie]] = {}
    for (doc_id, concept), assertion in found.present.items():
        documents.setdefault(doc_id, {})[concept] = assertion
    for doc_id, concept in sorted(found.absent):
        documents.setdefault(doc_id, {})
        rejected.setdefault(doc_id, set()).add(concept)
    unsettled: dict[str, set[Curie]] = {}
    for (doc_id, concept), proposed_after in first_proposed(workspace, corpus).items():
        key, closed = (doc_id, concept), found.closed.get(doc_id)
        said = key in found.present or key in found.absent
        # "nothing is missing" speaks of what nobody had proposed by then, not of open proposals
        if closed is not None and not said and (key in found.undecided or proposed_after < closed):
            unsettled.setdefault(doc_id, set()).add(concept)
    return GoldSet(
        reference=f"reviewed@{found.number}:{policy}",
        documents=documents,
        recall_documents=frozenset(found.closed),
        rejected={doc_id: frozenset(concepts) for doc_id, concepts in rejected.items()},
        unsettled={doc_id: frozenset(concepts) for doc_id, concepts in unsettled.items()},
        excluded=len(found.undecided),
    )


def imported_set(workspace: Workspace, reference: str, corpus: str | None = None) -> AnnotationSet:
    """The imported set that `imported:...` or `corrected@...` names; without a version the one added last.

    Raises:
        InputError: no such form of reference.
        NotFoundError: there is no such set, or not of this corpus; the known ones are listed.
    """
    is_corrected = reference.startswith(CORRECTED)
    name = parse_corrected(reference)[1] if is_corrected else reference.removeprefix(IMPORTED)
    sets = corpora.list_annotation_sets(workspace, corpus)
    kind = "gold set" if corpus is None else f"gold set of corpus {corpus!r}"
    return chosen(kind, name, sets, f"{CORRECTED}now:" if is_corrected else IMPORTED)


def _with_changes(workspace: Workspace, reference: str, corpus: str) -> GoldSet:
    """Imported gold with the confirmed changes up to a decision number."""
    now = pinned_to(workspace, reference, imported_set(workspace, reference, corpus))
    gold = _imported(workspace, reference, corpus)
    for (doc_id, concept), answer in corrections(workspace, now, corpus).items():
        gold.documents[doc_id][concept] = answer.assertion
    return replace(gold, reference=now)


def pinned_to(workspace: Workspace, reference: str, picked: AnnotationSet) -> str:
    """`imported:...` or `corrected@...` with the version of its set, and with a decision number.

    Raises:
        NotFoundError: no such decision.
    """
    if not reference.startswith(CORRECTED):
        return IMPORTED + picked.reference
    return f"{CORRECTED}{pinned(workspace, '', parse_corrected(reference)[0])}:{picked.reference}"


def corrections(workspace: Workspace, reference: str, corpus: str) -> dict[Key, Answer]:
    """What the changes of a pinned `corrected@...` put in; nothing for other gold."""
    if not reference.startswith(CORRECTED):
        return {}
    number, imported = parse_corrected(reference)[0], imported_of(reference)
    doc_ids = corpora.decided_in(workspace, corpus)
    return {
        (doc_ids[change.passage_id], change.concept): answer
        for change, answer in confirmed(workspace, pinned(workspace, "", number)).items()
        if change.gold == imported
    }


def _imported(workspace: Workspace, reference: str, corpus: str) -> GoldSet:
    picked = imported_set(workspace, reference, corpus)
    documents: dict[str, dict[Curie, Assertion]] = {d: {} for d in corpora.passage_ids(workspace, corpus)}
    for doc_id, concept, assertion in corpora.imported_statuses(workspace, picked.id):
        held = documents[doc_id]
        held[concept] = strongest(held[concept], assertion) if concept in held else assertion
    return GoldSet(
        reference=IMPORTED + picked.reference,
        documents=documents,
        recall_documents=frozenset(documents),
    )


def strongest(a: Assertion | None, b: Assertion) -> Assertion:
    """Document-level status of several mentions: see `STRONGEST_FIRST`."""
    return b if a is None else min(a, b, key=STRONGEST_FIRST.index)


def corrected(
    workspace: Workspace,
    run_id: str,
    policy: str,
    number: int | None = None,
    raw: dict[str, dict[Curie, Assertion]] | None = None,
) -> dict[str, dict[Curie, Assertion]]:
    """A run's proposals with decisions applied: rejected removed, fixed replaced, missing added.

    The same documents as `runs.predictions`, which is the raw form; the difference of the two, scored against
    the same gold, is the effect of review.

    Args:
        raw: the raw form, where it has been read already; it stays as it is, and what review leaves as it was
            is the very same object in both.
    """
    raw = runs.predictions(workspace, run_id) if raw is None else raw
    decided = verdicts(workspace, runs.find_run(workspace, run_id).corpus, policy, number)
    found = dict(raw)
    for doc_id in {doc_id for doc_id, _ in (*decided.absent, *decided.present)}:
        found[doc_id] = dict(raw[doc_id])
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
    number = pinned(workspace, policy, number)
    by_curator, adjudications = _votes(workspace, corpus, number)
    if policy.startswith("curator="):
        found = by_curator.get(policy.removeprefix("curator="), Verdicts(number))
        found.number = number
        return found
    found = _agreed(workspace, corpus, by_curator, number)
    if policy == "adjudicated":
        for key, assertion in adjudications.items():
            found.settle(key, assertion)
    return found


def _votes(
    workspace: Workspace, corpus: str, number: int
) -> tuple[dict[str, Verdicts], dict[Key, Assertion | None]]:
    """Each curator's own verdicts, and the adjudications (None: judged absent)."""
    doc_ids = corpora.decided_in(workspace, corpus)
    states: dict[tuple[str, int, bool], Decision] = {}
    rulings: dict[int, Decision] = {}
    for d in standing(workspace, number):
        if d.passage_id not in doc_ids or d.kind not in ON_PASSAGES or d.action is Action.NOTE:
            continue
        if d.action is Action.ADJUDICATE:
            rulings[d.item_id] = d  # one ruling an item, whoever gives it: the last
        else:
            states[d.curator, d.item_id, d.action in JUDGEMENTS] = d
    found: dict[str, Verdicts] = {}
    for d in sorted(states.values(), key=lambda d: d.number):
        mine = found.setdefault(d.curator, Verdicts(number))
        doc_id = doc_ids[d.passage_id]
        if d.action is Action.CLOSE:
            mine.closed[doc_id] = d.number
        elif d.subject is not None:
            _apply(mine, doc_id, d.subject, d)
    adjudicated: dict[Key, Assertion | None] = {}
    for d in sorted(rulings.values(), key=lambda d: d.number):
        if d.subject is not None:
            adjudicated[doc_ids[d.passage_id], d.subject] = None
        if isinstance(d.answer, Answer):
            adjudicated[doc_ids[d.passage_id], d.answer.concept] = status(d.answer)
    return found, adjudicated


def _apply(mine: Verdicts, doc_id: str, concept: Curie, d: Decision) -> None:
    """One curator's state on one item. Called in order of number, so the latest word on a concept stands,
    whether it was said on the concept's own item or by fixing another one to it."""

    mine.settle((doc_id, concept), None, sure=d.action is not Action.UNSURE)
    if isinstance(d.answer, Answer) and d.action in POSITIVE:
        mine.settle((doc_id, d.answer.concept), status(d.answer))


def first_proposed(
    workspace: Workspace, corpus: str, passages: Iterable[int] | None = None
) -> dict[Key, int]:
    """Every concept that some run has proposed to curators -> number of the last decision before its first
    proposal.

    Args:
        passages: in these alone; None: in all of the corpus.
    """
    within = None if passages is None else json.dumps(sorted(passages))
    rows = workspace.db.execute(
        "SELECT p.doc_id, i.subject, min(o.after_decision) FROM proposals o"
        " JOIN items i ON i.id = o.item_id JOIN passages p ON p.id = i.passage_id"
        " JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ?1 AND i.kind = 'concept'"
        f" AND o.run_id NOT IN ({proposals.ORACLES})"
        " AND (?2 IS NULL OR i.passage_id IN (SELECT value FROM json_each(?2)))"
        " GROUP BY i.id",
        (corpus, within),
    )
    return {(row[0], row[1]): row[2] for row in rows}


def _agreed(workspace: Workspace, corpus: str, by_curator: dict[str, Verdicts], number: int) -> Verdicts:
    found = Verdicts(number)
    everyone = list(by_curator.values())
    proposed = first_proposed(workspace, corpus)

    def silent(mine: Verdicts, key: Key) -> bool:
        """Closed the passage without a word on a concept that nobody had proposed by then, and so said that
        it is absent. A proposal that came later changes nothing in what was said before it."""
        said = key in mine.present or key in mine.absent or key in mine.undecided
        closed = mine.closed.get(key[0])
        return not said and closed is not None and closed <= proposed.get(key, number)

    for key in sorted({k for v in everyone for k in (*v.present, *v.absent, *v.undecided)}):
        answers: list[Assertion | None] = [v.present[key] for v in everyone if key in v.present]
        answers += [None for v in everyone if key in v.absent or silent(v, key)]
        unsure = any(key in v.undecided for v in everyone)
        if unsure or len(answers) < 2 or len(set(answers)) > 1:
            found.undecided.add(key)
        elif answers[0] is None:
            found.absent.add(key)
        else:
            found.present[key] = answers[0]
    for doc_id in sorted({d for v in everyone for d in v.closed}):
        numbers = sorted(v.closed[doc_id] for v in everyone if doc_id in v.closed)
        if len(numbers) >= 2:
            found.closed[doc_id] = numbers[1]
    return found
