"""What the answers to the units of a frame come to, at a decision number."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from core.records import POSITIVE, Action, ConceptClass, Curie
from core.store import ontologies, runs
from core.store.candidates import IN_SCOPE, LABEL, listed
from core.store.frames import Frame
from core.store.judged import is_judgement, stands
from core.store.workspace import Workspace

_UPTO = f"d.number <= ?2 AND {stands(upto='?2')}"
_ITEMS = "SELECT n.item_id FROM frame_units n JOIN frames r ON r.id = n.frame_id WHERE r.name = ?1"
_IN_PASSAGES = (
    "SELECT i.id FROM frame_units n JOIN frames r ON r.id = n.frame_id JOIN items i"
    " ON i.passage_id = n.passage_id AND i.kind = 'concept' WHERE r.name = ?1"
)
STATING = (*POSITIVE, Action.ADJUDICATE)
"""Actions whose answer says what holds."""


class Said(NamedTuple):
    """What counts of the answers to one item."""

    subject: str
    """The concept that was proposed, or the claim pair."""
    action: Action
    concept: str | None
    assertion: str | None
    concept_class: str | None
    conflict_type: str | None
    error: str | None
    curator: str
    blind: bool

    def leaves(self, statuses: Collection[str]) -> Curie | None:
        """The concept that the passage supports by this answer, with one of these statuses; None: none."""
        if self.action not in STATING or self.concept_class == ConceptClass.NOT_RELEVANT:
            return None
        return self.concept if self.assertion in statuses else None


class Answered(NamedTuple):
    """What the answers to one unit come to."""

    right: list[bool | None]
    """Of what the run proposes: of an item or pair one, of a passage all in the scope of the frame. Whether
    the answer leaves it as it is proposed; None: unsure."""
    blind: bool
    """Whether all of it was answered before any machine answer was seen."""
    missing: int = 0
    """Of a passage: concepts that it supports, within the scope, and that the run does not propose there."""


def answers(workspace: Workspace, frame: Frame, number: int) -> dict[int, Said]:
    """Item -> what counts of the answers to it up to a decision number; one that has none is not there.

    `first`: the standing answer of the curator who answered first; `adjudicated`: the adjudication where
    there is one, else the same.
    """
    spoken, ruled = _spoken(workspace, frame, _ITEMS, number)
    return {item: next(iter(by.values())) for item, by in spoken.items()} | ruled


def answers_blind(workspace: Workspace, frame: Frame, number: int) -> dict[int, Said]:
    """Item -> the blind answer to it up to a decision number, of the curator who gave one first, also where
    it was answered again since. One that was taken back is not there."""
    spoken, _ = _spoken(workspace, frame, _ITEMS, number, blind=True)
    return {item: next(iter(by.values())) for item, by in spoken.items()}


def answered(workspace: Workspace, frame: Frame, number: int) -> dict[int, Answered]:
    """Item, or passage, of a frame -> what the answers to it come to up to a decision number; one that does
    not count as answered is not there."""
    if frame.unit == "passage":
        return _closed(workspace, frame, number)
    said = answers(workspace, frame, number)
    right = judged(workspace, frame, said)
    return {item: Answered([right[item]], one.blind) for item, one in said.items()}


def judged(workspace: Workspace, frame: Frame, said: Mapping[int, Said]) -> dict[int, bool | None]:
    """Item -> whether the answer leaves it as the run of the frame proposes it: a concept within the scope, a
    claim pair with its conflict type. A fix to another concept or type does not. None: unsure."""
    types = _types(workspace, frame.run, said) if frame.is_of_pairs else {}
    found: dict[int, bool | None] = {}
    for item, one in said.items():
        if one.action is Action.UNSURE:
            found[item] = None
        elif frame.is_of_pairs:
            found[item] = one.action in STATING and one.conflict_type == types[item]
        else:
            found[item] = one.leaves(frame.scope["assertions"]) == one.subject
    return found


def _types(workspace: Workspace, run: str, items: Iterable[int]) -> dict[int, str]:
    """Item -> the conflict type that a run proposes."""
    rows = workspace.db.execute(
        "SELECT j.value, p.answer ->> 'conflict_type' FROM json_each(?2) j JOIN proposals p"
        f" ON p.id = ({LABEL.format('?1', 'j.value')})",
        (run, json.dumps(list(items))),
    )
    return {row[0]: row[1] for row in rows}


def _closed(workspace: Workspace, frame: Frame, number: int) -> dict[int, Answered]:
    """Passages that somebody closed who has answered all that the run proposes there within the scope."""
    spoken, ruled = _spoken(workspace, frame, _IN_PASSAGES, number)
    ontology = runs.find_run(workspace, frame.run).ontology_id
    now_called = ontologies.alt_id_map(workspace, ontology) if ontology else {}
    within = _within(workspace, frame)
    offered = _offered(workspace, frame, within)
    found: dict[int, Answered] = {}
    for passage, curators in _closings(workspace, frame, number).items():
        items = offered.get(passage, {})
        own = [item for item, (_, is_proposed) in items.items() if is_proposed]
        for curator in curators:
            by = {item: ruled.get(item) or spoken.get(item, {}).get(curator) for item in items}
            said = {item: one for item, one in by.items() if one}
            if not all(item in said for item in own):
                continue
            left = [one.leaves(frame.scope["assertions"]) for one in said.values()]
            supported = {now_called.get(c, c) for c in left if c and (within is None or c in within)}
            proposed = {now_called.get(items[item][0], items[item][0]) for item in own}
            right = judged(workspace, frame, {item: said[item] for item in own})
            blind = bool(own) and all(said[item].blind for item in own)
            found[passage] = Answered(list(right.values()), blind, len(supported - proposed))
            break
    return found


def _within(workspace: Workspace, frame: Frame) -> frozenset[Curie] | None:
    """Concepts of the scope, under every id; None: all."""
    root, ontology = frame.scope.get("root"), runs.find_run(workspace, frame.run).ontology_id
    return ontologies.branch(workspace, ontology, root) if root and ontology else None


def _offered(
    workspace: Workspace, frame: Frame, within: frozenset[Curie] | None
) -> dict[int, dict[int, tuple[Curie, bool]]]:
    """Passage -> item -> its concept, and whether the run of the frame proposes it within the scope; of all
    concepts that anybody has named in the passages of a frame."""
    found: dict[int, dict[int, tuple[Curie, bool]]] = {}
    for passage, item, concept, is_proposed in workspace.db.execute(
        "SELECT i.passage_id, i.id, i.subject,"
        f" EXISTS (SELECT 1 FROM proposals p WHERE p.item_id = i.id AND {IN_SCOPE})"
        " FROM frame_units n JOIN frames r ON r.id = n.frame_id"
        " JOIN items i ON i.passage_id = n.passage_id AND i.kind = 'concept' WHERE r.name = ?4 ORDER BY i.id",
        (frame.run, json.dumps(frame.scope["assertions"]), listed(within), frame.name),
    ):
        found.setdefault(passage, {})[item] = concept, bool(is_proposed)
    return found


def _closings(workspace: Workspace, frame: Frame, number: int) -> dict[int, list[str]]:
    """Passage of a frame -> curators who have it closed, in the order of their first word on that."""
    found: dict[int, dict[str, bool]] = {}
    for passage, curator, action in workspace.db.execute(
        "SELECT i.passage_id, d.curator_id, d.action FROM decisions d JOIN items i ON i.id = d.item_id"
        " WHERE i.kind = 'passage' AND d.action IN ('close', 'reopen') AND i.passage_id IN"
        " (SELECT n.passage_id FROM frame_units n JOIN frames r ON r.id = n.frame_id WHERE r.name = ?1)"
        f" AND {_UPTO} ORDER BY d.number",
        (frame.name, number),
    ):
        found.setdefault(passage, {})[curator] = action == "close"
    return {passage: [who for who, closed in by.items() if closed] for passage, by in found.items()}


def _spoken(
    workspace: Workspace, frame: Frame, items: str, number: int, *, blind: bool = False
) -> tuple[dict[int, dict[str, Said]], dict[int, Said]]:
    """Item -> curator -> standing answer, or the blind one, curators in the order of their first; and
    adjudications that count."""
    spoken: dict[int, dict[str, Said]] = {}
    ruled: dict[int, Said] = {}
    for item, curator, subject, action, *rest, unseen in workspace.db.execute(
        "SELECT d.item_id, d.curator_id, i.subject, d.action, json_extract(d.payload, '$.answer.concept'),"
        " ifnull(json_extract(d.payload, '$.answer.assertion'), 'affirmed'),"
        " json_extract(d.payload, '$.answer.class'), json_extract(d.payload, '$.answer.conflict_type'),"
        " json_extract(d.payload, '$.answer.error'), d.curator_id, d.blind FROM decisions d"
        f" JOIN items i ON i.id = d.item_id WHERE d.item_id IN ({items})"
        f" AND ({is_judgement()} OR d.action = 'adjudicate') AND d.blind >= ?3 AND {_UPTO} ORDER BY d.number",
        (frame.name, number, int(blind)),
    ):
        said = Said._make([subject, Action(action), *rest, bool(unseen)])
        if said.action is not Action.ADJUDICATE:
            spoken.setdefault(item, {})[curator] = said
        elif frame.counts == "adjudicated":
            ruled[item] = said
    return spoken, ruled
