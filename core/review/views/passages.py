"""Passages as the desk shows them: with their items, proposals and this curator's own answers.

Blindness: nothing here ever holds another curator's answer, nor an item that only another curator added. Of a
blind unit of a frame it holds nothing that a machine said until this curator has answered it; of a passage
that is one, nothing but what this curator has added until they have ended that list.
"""

from __future__ import annotations

from typing import Any

from core.kinds.names import NAMES
from core.records import Action, Evidence, ItemKind, Proposal
from core.review.confidence import band
from core.review.doubts import MADE_BY, in_doubt
from core.review.lists import as_whole
from core.review.nested import Mention, hosts
from core.review.place import places
from core.review.terms import DEFINITION, ontology_of, terms_of
from core.review.tray import in_force
from core.review.views.blind import BLIND
from core.review.views.view import own_words
from core.store import Workspace, corpora, ontologies, proposals, queue
from core.store.blind import blind_among, decoys_among, unlisted_among
from core.text.addressing import addresses_reader

ADDED = "You added this concept."
"""Why the curator sees an item that no run proposes, or not yet."""
LIST = "Blind check: list the concepts of this passage first."
"""Why the curator sees a passage of which the sheet holds nothing but the text and their own additions."""
EMPTY = "No run proposes anything in this passage."
"""Why the curator sees a passage as a whole that holds no item."""
DECOY = "Asked about among the blind checks: no run proposes it here."
"""Why the curator saw such an item, once it is answered."""


def passage_views(workspace: Workspace, curator: str, passage_ids: list[int]) -> list[dict[str, Any]]:
    """Passages as plain JSON, in the order asked for; offsets are code points."""
    if not passage_ids:
        return []
    rows = queue.items_of_passages(workspace, passage_ids)
    held = proposals.of_items(workspace, [row.id for row in rows])
    guidelines = in_force(workspace, ItemKind.CONCEPT)
    said = own_words(workspace, curator, [row.id for row in rows], in_force=guidelines)
    doubted = _doubted(workspace, curator, said)
    everything = [row.id for row in rows]
    blind, decoys = blind_among(workspace, curator, everything), decoys_among(workspace, everything)
    unlisted = unlisted_among(workspace, curator, passage_ids)
    whole = {
        row.passage_id: row.id for row in queue.items_of_passages(workspace, passage_ids, ItemKind.PASSAGE)
    }
    closed = queue.closed_by(workspace, curator, passage_ids)
    names = {run.id: run for run in queue.run_names(workspace)}
    views = []
    for passage_id in passage_ids:
        passage = corpora.passage(workspace, passage_id)
        ontology = ontology_of(workspace, passage.corpus)
        done = sum(1 for run in names.values() if run.done and run.corpus == passage.corpus)
        is_unlisted = passage_id in unlisted
        items = [
            _item(row, [] if is_unlisted else held.get(row.id, []), said[row.id], passage.text, names, done)
            for row in rows
            if row.passage_id == passage_id
            and (
                _is_added(said[row.id]) if is_unlisted else row.id in held or said[row.id] or row.id in decoys
            )
        ]
        if is_unlisted:  # in the order of their ids it would show which ones are proposed
            items.sort(key=lambda item: item["mine"][-1]["number"])
        for item in items:
            item["doubted"] = item["id"] in doubted
            _hide(item, is_unlisted, item["id"] in blind, item["id"] in decoys)
        describe(workspace, ontology, items)
        for item in items:
            if item.get("blind") or item.get("decoy"):
                item["label"] = _name(workspace, ontology, item)
        _narrow(workspace, ontology, passage.text, items)
        _put_in_place(workspace, ontology, items)
        _nest(workspace, ontology, items)
        if (is_unlisted or not items) and passage_id in whole:
            items.append(as_whole(passage_id, whole[passage_id], LIST if is_unlisted else EMPTY))
        views.append(
            {
                "id": passage.id,
                "doc": passage.doc_id,
                "corpus": passage.corpus,
                "title": passage.title,
                "text": passage.text,
                "closed": passage.id in closed,
                "unlisted": is_unlisted,
                "addresses": addresses_reader(passage.text),
                "ontology": ontology_name(workspace, ontology),
                "items": items,
            }
        )
    return views


def _hide(item: dict[str, Any], is_unlisted: bool, is_blind: bool, is_decoy: bool) -> None:
    """Leave out of an item what its curator may not see yet, and say why they see it."""
    if is_unlisted:
        item["blind"] = True
    elif is_blind:
        item |= {"blind": True, "proposals": [], "why": BLIND}
    elif is_decoy and not item["proposals"]:
        item |= {"decoy": True, "why": DECOY}


def _is_added(said: list[dict[str, Any]]) -> bool:
    return any(one["action"] == Action.ADD for one in said)


def _doubted(workspace: Workspace, curator: str, said: dict[int, list[dict[str, Any]]]) -> frozenset[int]:
    old = [item for item, mine in said.items() if any(not one["cid"].startswith(MADE_BY) for one in mine)]
    return frozenset(in_doubt(workspace, curator, old).items) if old else frozenset()


def ontology_name(workspace: Workspace, ontology: int | None) -> str | None:
    return terms_of(workspace, ontology).row.reference if ontology is not None else None


def _item(
    row: queue.ItemRow,
    proposals: list[Proposal],
    said: list[dict[str, Any]],
    text: str,
    names: dict[str, queue.RunName],
    done_runs: int,
) -> dict[str, Any]:
    views = [proposal_view(p, text, names) for p in reversed(proposals)]  # the newest run speaks first
    answer: dict[str, Any] = next((s["answer"] for s in reversed(said) if s["answer"]), {})
    label = proposals[-1].label if proposals else answer.get("label", row.subject)
    return {
        "id": row.id,
        "passage": row.passage_id,
        "concept": row.subject,
        "label": label,
        "proposals": views,
        "mine": said,
        "why": why(proposals, views, names, done_runs),
    }


def proposal_view(p: Proposal, text: str, names: dict[str, queue.RunName]) -> dict[str, Any]:
    """What a run says of a concept of this text, with its evidence as far as it stands there."""
    run = names.get(p.run)
    return {
        "id": p.id,
        "run": p.run,
        "source": run.source if run else p.run,
        "label": p.label,
        "assertion": p.assertion.value,
        "class": p.concept_class.value,
        "confidence": p.confidence,
        "band": band(p.confidence).value,
        "reason": p.reason,
        "stage": NAMES.get(p.stage, p.stage),
        "repaired": p.repaired,
        "evidence": [_evidence(e, text) for e in p.evidence],
    }


def _evidence(e: Evidence, text: str) -> dict[str, Any]:
    """Checked once more against the text: what does not stand there is not shown as if it did."""
    stands = e.grounded and e.start is not None and e.end is not None and text[e.start : e.end] == e.quote
    return {
        "quote": e.quote,
        "start": e.start if stands else None,
        "end": e.end if stands else None,
        "assertion": e.assertion.value if e.assertion else None,
    }


def why(
    proposals: list[Proposal], views: list[dict[str, Any]], names: dict[str, queue.RunName], done_runs: int
) -> str:
    """One line: why the curator sees this item."""
    if not proposals:
        return ADDED
    if any(e["start"] is None for v in views for e in v["evidence"]):
        return "Ungrounded: a quote does not stand in the text."
    if any(p.repaired for p in proposals):
        return "Repaired: the model's reply was not in the agreed form."
    if len({(p.assertion, p.concept_class) for p in proposals}) > 1:
        return "Runs differ on it."
    finished = sum(1 for p in proposals if (run := names.get(p.run)) and run.done)
    if 0 < finished < done_runs:
        return f"{finished} of {done_runs} runs propose it."
    return f"All {done_runs} runs agree." if done_runs > 1 else f"Proposed by {views[0]['source']}."


def describe(workspace: Workspace, ontology: int | None, items: list[dict[str, Any]]) -> None:
    """Definition and path of each item's concept, where the ontology holds it."""
    if ontology is None:
        return
    terms = terms_of(workspace, ontology)
    known = ontologies.look_up(workspace, ontology, [item["concept"] for item in items])
    for item in items:
        match = known.get(item["concept"])
        item["definition"] = (match.definition or "")[:DEFINITION] if match else ""
        item["path"] = list(terms.path(item["concept"]))


def _name(workspace: Workspace, ontology: int | None, item: dict[str, Any]) -> str:
    """The concept's name by the ontology, however a run spells it, so that it looks the same proposed or not;
    without one as some run names it."""
    concept, label = item["concept"], item["label"]
    known = terms_of(workspace, ontology).names if ontology is not None else {}
    if concept in known:
        return known[concept]
    return label if label != concept else proposals.label_of(workspace, concept) or concept


def _narrow(workspace: Workspace, ontology: int | None, text: str, items: list[dict[str, Any]]) -> None:
    """Concepts below each item's whose words stand in the text, with their own items if there are any."""
    if ontology is None:
        return
    terms = terms_of(workspace, ontology)
    here = {terms.alt_ids.get(item["concept"], item["concept"]): item["id"] for item in items}
    narrower = terms.narrower(workspace, text, [item["concept"] for item in items])
    for item in items:
        rows = [] if item.get("blind") else narrower.get(item["concept"], [])
        item["narrower"] = [{**row, "item": here.get(row["id"])} for row in rows]


def _put_in_place(workspace: Workspace, ontology: int | None, items: list[dict[str, Any]]) -> None:
    """What is right above and below each item's concept, blind or not: the ontology alone says it."""
    found = (
        places(workspace, terms_of(workspace, ontology), [item["concept"] for item in items])
        if ontology is not None
        else {}
    )
    for item in items:
        item["place"] = found.get(item["concept"])


def _nest(workspace: Workspace, ontology: int | None, items: list[dict[str, Any]]) -> None:
    """For each item that of the narrower concept inside whose words all its own lie, or None, as `inside`."""
    for item in items:
        item["inside"] = None
    if ontology is None:
        return
    terms, mentions = terms_of(workspace, ontology), {}
    for item in items:
        found = [e for one in item["proposals"] for e in one["evidence"]]
        said = {one["assertion"] for one in item["proposals"]}
        if found and len(said) == 1 and all(e["start"] is not None for e in found):
            concept = terms.alt_ids.get(item["concept"], item["concept"])
            places = tuple(sorted({(e["start"], e["end"]) for e in found}))
            mentions[item["id"]] = Mention(concept, said.pop(), places)
    around = hosts(terms.lineage, mentions)
    for item in items:
        item["inside"] = around.get(item["id"])
