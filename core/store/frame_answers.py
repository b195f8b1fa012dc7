"""What the answers to the units of a frame come to, at a decision number."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from core.records import POSITIVE, PRESENT, Action, Assertion, ConceptClass, Curie, ItemKind
from core.store import ontologies, runs
from core.store.candidates import IN_SCOPE, LABEL, listed
from core.store.frames import Frame
from core.store.judged import is_judgement, stands
from core.store.rows import mapping
from core.store.workspace import Workspace

_UPTO = f"d.number <= ?2 AND {stands(upto='?2')}"
_FRAME = "SELECT 1 FROM frames r CROSS JOIN frame_units n ON n.frame_id = r.id WHERE r.name = ?1"
_ITEMS = f"EXISTS ({_FRAME} AND n.passage_id = i.passage_id AND ifnull(n.item_id, 0) = i.id)"
_IN_PASSAGES = f"i.kind = 'concept' AND EXISTS ({_FRAME} AND n.passage_id = i.passage_id)"
_OF_RUN = "EXISTS (SELECT 1 FROM proposals p WHERE p.run_id = ?1 AND p.item_id = i.id)"
"""Of an item `i`, `?1` being a frame or a run: looked up for each decision, since decisions are few."""
_SAID = (
    "i.subject, d.action, json_extract(d.payload, '$.answer.concept'),"
    " ifnull(json_extract(d.payload, '$.answer.assertion'), 'affirmed'),"
    " json_extract(d.payload, '$.answer.class'), json_extract(d.payload, '$.answer.conflict_type'),"
    " json_extract(d.payload, '$.answer.error'), d.curator_id, d.blind"
)
"""The fields of `Said`."""
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

    @classmethod
    def read(cls, subject: str, action: str, *rest: Any) -> Said:
        """From the columns `_SAID`."""
        *named, blind = rest
        return cls._make([subject, Action(action), *named, bool(blind)])

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
    missing: int = 0
    """Of a passage: concepts that it supports, within the scope, and that the run does not propose there."""


def answers(workspace: Workspace, frame: Frame, number: int) -> dict[int, Said]:
    """Item -> what counts of the answers to it up to a decision number; one that has none is not there.

    `first`: the standing answer of the curator who answered first; `adjudicated`: the adjudication where
    there is one, else the same.
    """
    spoken, ruled = _spoken(workspace, _ITEMS, frame.name, number, ruled=frame.counts == "adjudicated")
    return {item: next(iter(by.values())) for item, by in spoken.items()} | ruled


def answers_blind(workspace: Workspace, frame: Frame, number: int) -> dict[int, Said]:
    """Item -> the blind answer to it up to a decision number, of the curator who gave one first, also where
    it was answered again since. One that was taken back is not there."""
    spoken, _ = _spoken(workspace, _ITEMS, frame.name, number, blind=True)
    return {item: next(iter(by.values())) for item, by in spoken.items()}


def answered(workspace: Workspace, frame: Frame, number: int) -> dict[int, Answered]:
    """Item, or passage, of a frame -> what the answers to it come to up to a decision number; one that does
    not count as answered is not there."""
    if frame.unit == "passage":
        return _closed(workspace, frame, number)
    said = answers(workspace, frame, number)
    right = judged(workspace, frame, said)
    return {item: Answered([right[item]]) for item in said}


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


def checked(workspace: Workspace, run: runs.Run, number: int) -> dict[int, bool | None]:
    """Item -> whether the answer to it leaves it as a run proposes it, of all that people have answered up to
    a decision number, drawn or not: a concept as present (affirmed or uncertain) or as negated, a claim pair
    with its conflict type. The adjudication counts, else the standing answer of the curator who answered
    first. None: unsure."""
    spoken, ruled = _spoken(workspace, _OF_RUN, run.id, number, ruled=True)
    said = {item: next(iter(by.values())) for item, by in spoken.items()} | ruled
    if run.proposes == ItemKind.PAIR:
        types = _types(workspace, run.id, said)
        right = {
            item: one.action in STATING and one.conflict_type == types[item] for item, one in said.items()
        }
    else:
        negated = _negated(workspace, run.id, said)
        right = {
            item: one.leaves([Assertion.NEGATED] if item in negated else PRESENT) == one.subject
            for item, one in said.items()
        }
    return {item: None if one.action is Action.UNSURE else right[item] for item, one in said.items()}


def _negated(workspace: Workspace, run: str, items: Iterable[int]) -> set[int]:
    """Those of these items that a run proposes as negated."""
    rows = workspace.db.execute(
        "SELECT p.item_id FROM json_each(?2) j CROSS JOIN proposals p ON p.run_id = ?1"
        " AND p.item_id = j.value WHERE p.assertion = 'negated'",
        (run, json.dumps(list(items))),
    )
    return {row[0] for row in rows}


def _types(workspace: Workspace, run: str, items: Iterable[int]) -> dict[int, str]:
    """Item -> the conflict type that a run proposes."""
    return mapping(
        workspace.db,
        "SELECT j.value, p.answer ->> 'conflict_type' FROM json_each(?2) j JOIN proposals p"
        f" ON p.id = ({LABEL.format('?1', 'j.value')})",
        (run, json.dumps(list(items))),
    )


def missing_blind(workspace: Workspace, frame: Frame, number: int) -> dict[int, int]:
    """Passage -> how many concepts of its blind list are within the scope and not proposed there by the run,
    up to a decision number. The list is what stood of a curator's additions when they ended it, of the one
    who did so first; one whose end was taken back is not there."""
    lists: dict[int, dict[int, Said]] = {}
    for passage, item, *columns in workspace.db.execute(
        "WITH ended AS (SELECT i.passage_id, d.curator_id, min(d.number) AS number FROM decisions d"
        " JOIN items i ON i.id = d.item_id JOIN frame_units n ON n.passage_id = i.passage_id"
        " JOIN frames r ON r.id = n.frame_id WHERE r.name = ?1 AND i.kind = 'passage'"
        f" AND d.action = 'reopen' AND d.blind AND {_UPTO} GROUP BY i.passage_id)"
        f" SELECT e.passage_id, d.item_id, {_SAID} FROM ended e LEFT JOIN (decisions d JOIN items i"
        " ON i.id = d.item_id AND i.kind = 'concept') ON i.passage_id = e.passage_id"
        " AND d.curator_id = e.curator_id AND d.action = 'add' AND d.number < e.number"
        f" AND {stands(upto='e.number')} ORDER BY d.number",
        (frame.name, number),
    ):
        listed = lists.setdefault(passage, {})
        if item is not None:
            listed[item] = Said.read(*columns)
    scope = _Scope(workspace, frame, lists)
    return {passage: scope.missing(passage, listed) for passage, listed in lists.items()}


class _Scope:
    """What the run of a frame proposes in these of its passages, within the scope."""

    def __init__(self, workspace: Workspace, frame: Frame, passages: Iterable[int]) -> None:
        ontology, root = runs.find_run(workspace, frame.run).ontology_id, frame.scope.get("root")
        self._now_called = ontologies.alt_id_map(workspace, ontology) if ontology else {}
        self._within = ontologies.branch(workspace, ontology, root) if root and ontology else None
        self._statuses = frame.scope["assertions"]
        self._offered = _offered(workspace, frame, self._within, passages)

    def items(self, passage: int) -> list[int]:
        """Of all concepts that anybody has named there."""
        return list(self._offered.get(passage, {}))

    def own(self, passage: int) -> list[int]:
        """Of those that the run proposes."""
        return [item for item, (_, own) in self._offered.get(passage, {}).items() if own]

    def missing(self, passage: int, said: Mapping[int, Said]) -> int:
        """Concepts that the passage supports by these answers and that the run does not propose there."""
        left = [one.leaves(self._statuses) for one in said.values()]
        supported = {
            self._now_called.get(c, c) for c in left if c and (self._within is None or c in self._within)
        }
        concepts = [self._offered[passage][item][0] for item in self.own(passage)]
        return len(supported - {self._now_called.get(c, c) for c in concepts})


def _closed(workspace: Workspace, frame: Frame, number: int) -> dict[int, Answered]:
    """Passages that somebody closed who has answered all that the run proposes there within the scope."""
    spoken, ruled = _spoken(workspace, _IN_PASSAGES, frame.name, number, ruled=frame.counts == "adjudicated")
    closings = _closings(workspace, frame, number)
    scope = _Scope(workspace, frame, closings)
    found: dict[int, Answered] = {}
    for passage, curators in closings.items():
        own = scope.own(passage)
        for curator in curators:
            by = {item: ruled.get(item) or spoken.get(item, {}).get(curator) for item in scope.items(passage)}
            said = {item: one for item, one in by.items() if one}
            if not all(item in said for item in own):
                continue
            right = judged(workspace, frame, {item: said[item] for item in own})
            found[passage] = Answered(list(right.values()), scope.missing(passage, said))
            break
    return found


def _offered(
    workspace: Workspace, frame: Frame, within: frozenset[Curie] | None, passages: Iterable[int]
) -> dict[int, dict[int, tuple[Curie, bool]]]:
    """Passage -> item -> its concept, and whether the run of the frame proposes it within the scope; of all
    concepts that anybody has named in these passages."""
    found: dict[int, dict[int, tuple[Curie, bool]]] = {}
    for passage, item, concept, is_proposed in workspace.db.execute(
        "SELECT i.passage_id, i.id, i.subject,"
        f" EXISTS (SELECT 1 FROM proposals p WHERE p.item_id = i.id AND {IN_SCOPE})"
        " FROM json_each(?4) j CROSS JOIN items i ON i.passage_id = j.value AND i.kind = 'concept'"
        " ORDER BY i.id",
        (frame.run, json.dumps(frame.scope["assertions"]), listed(within), json.dumps(list(passages))),
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
    workspace: Workspace, items: str, of: str, number: int, *, ruled: bool = False, blind: bool = False
) -> tuple[dict[int, dict[str, Said]], dict[int, Said]]:
    """Item -> curator -> standing answer, or the blind one, curators in the order of their first; and
    adjudications, if these count.

    Args:
        items: which items `i`, `?1` being `of`.
    """
    spoken: dict[int, dict[str, Said]] = {}
    rulings: dict[int, Said] = {}
    for item, curator, *columns in workspace.db.execute(
        f"SELECT d.item_id, d.curator_id, {_SAID} FROM decisions d"
        f" CROSS JOIN items i ON i.id = d.item_id WHERE {items}"  # the log first: it is short
        f" AND ({is_judgement()} OR d.action = 'adjudicate') AND d.blind >= ?3 AND {_UPTO} ORDER BY d.number",
        (of, number, int(blind)),
    ):
        said = Said.read(*columns)
        if said.action is not Action.ADJUDICATE:
            spoken.setdefault(item, {})[curator] = said
        elif ruled:
            rulings[item] = said
    return spoken, rulings
