"""What the kinds share that ask one thing about a concept of a passage: each item stands alone, with its
passage and with what runs propose of the concept there.

Blindness: nothing here ever holds another curator's answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from core.errors import InputError
from core.kinds import KINDS
from core.kinds.error import spoken_of
from core.records import Decision, NewDecision, Passage, Proposal
from core.review.terms import ontology_of
from core.review.views.passages import describe, ontology_name, proposal_view
from core.review.views.view import View, own_words
from core.review.walks.listing import Listing, listing_of
from core.store import Workspace, corpora, proposals, queue
from core.store.queue import ItemRow
from core.text.addressing import addresses_reader


class ChoiceView(View):
    """A subclass says which items there are, what is asked, and what an answer is."""

    def walk(self, workspace: Workspace) -> Listing:
        return listing_of(workspace)

    def items_of(self, workspace: Workspace, passage: int) -> list[int]:
        return [row.id for row in queue.items_of_passages(workspace, [passage], self.kind)]

    def visible(self, workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
        return set(queue.items(workspace, items, self.kind))

    def held(self, workspace: Workspace, items: list[int]) -> dict[int, list[Proposal]]:
        """Item -> what runs propose of the concept that it is about, in its passage, oldest first."""
        rows = queue.items(workspace, items, self.kind)
        of = {
            (row.passage_id, row.subject): row.id
            for row in queue.items_of_passages(workspace, sorted({row.passage_id for row in rows.values()}))
        }
        about = {item: of.get((row.passage_id, spoken_of(row.subject)[1])) for item, row in rows.items()}
        found = proposals.of_items(workspace, [one for one in about.values() if one is not None])
        return {item: found[one] for item, one in about.items() if one in found}

    def views(self, workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
        """Each item with its passage; offsets are code points."""
        rows = queue.items(workspace, sheets, self.kind)
        held = self.held(workspace, sheets)
        said = own_words(workspace, curator, sheets)
        names = {run.id: run for run in queue.run_names(workspace)}
        why = self.why(workspace, sheets)
        views = []
        for row in (rows[item] for item in sheets if item in rows):
            passage = corpora.passage(workspace, row.passage_id)
            ontology = ontology_of(workspace, passage.corpus)
            item = _item(row, held.get(row.id, []), passage, names)
            item |= {"mine": said.get(row.id, []), "why": why.get(row.id, "")}
            described = {"concept": item["about"]}
            describe(workspace, ontology, [described])
            item |= {**described, "concept": row.subject, **self.more(workspace, row, passage, curator)}
            views.append(
                {
                    "id": row.id,
                    "doc": passage.doc_id,
                    "corpus": passage.corpus,
                    "title": passage.title,
                    "text": passage.text,
                    "addresses": addresses_reader(passage.text),
                    "ontology": ontology_name(workspace, ontology),
                    "items": [item],
                }
            )
        return views

    def why(self, workspace: Workspace, items: list[int]) -> dict[int, str]:
        """Item -> why a curator sees it, in one line."""
        raise NotImplementedError

    def more(self, workspace: Workspace, row: ItemRow, passage: Passage, curator: str) -> dict[str, Any]:
        """What else the page shows of an item."""
        return {}

    def named(self, workspace: Workspace, last: list[Decision]) -> dict[int, str]:
        return {d.item_id: corpora.passage(workspace, d.passage_id).doc_id for d in last}

    def decision(self, workspace: Workspace, event: Any) -> NewDecision:
        """What runs propose is about the concept, which is another item: it is no base of an answer here."""
        if refusal := KINDS[self.kind].refusal(event.action):
            raise InputError(refusal)
        return replace(super().decision(workspace, event), shown=())

    def proposed(self, workspace: Workspace, chosen: Any) -> Any:
        raise NotImplementedError  # unless the kind can be accepted

    def given(self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Any]) -> Any:
        raise NotImplementedError  # unless an answer of the kind has parts


def _item(
    row: ItemRow, said: list[Proposal], passage: Passage, names: dict[str, queue.RunName]
) -> dict[str, Any]:
    gold, concept = spoken_of(row.subject)
    return {
        "id": row.id,
        "sheet": row.id,
        "passage": row.passage_id,
        "concept": row.subject,
        "about": concept,
        "gold": gold,
        "label": said[-1].label if said else concept,
        "origin": said[-1].item_id if said else None,
        "proposals": [proposal_view(p, passage.text, names) for p in reversed(said)],  # the newest run first
    }
