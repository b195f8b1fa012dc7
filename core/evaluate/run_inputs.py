"""What a workspace knows of a run beyond statuses, raw and after review: read when a family asks for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from core.evaluate.curators import Ratings, concept_ratings
from core.evaluate.gold_sources import Gold
from core.evaluate.inputs import Confidences, Known, Mention, Mentions, Statuses
from core.evaluate.places import answers_of_documents, places
from core.evaluate.settings import Scope
from core.evaluate.stages import read_stages
from core.metrics.label_tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import Curie
from core.store import corpora
from core.store.gold import parse_reviewed
from core.store.mentions import proposed_mentions, states_confidence
from core.store.runs import Run
from core.store.workspace import Workspace


def known_of_run(
    workspace: Workspace,
    run: Run,
    gold: Gold,
    scope: Scope,
    review: str | None = None,
    training: Training | None = None,
    tree: LabelTree | None = None,
) -> Known:
    """What families may ask for when the proposals of a run are scored as they came.

    Args:
        review: `reviewed@NUMBER:POLICY` of those who may confirm what the gold lacks.
    """
    proposed = cache(lambda: list(proposed_mentions(workspace, run.id)))

    def mentions() -> Mentions:
        found: dict[str, list[Mention]] = {}
        for p in proposed():
            found.setdefault(p.doc_id, []).append(Mention(p.start, p.end, p.concept, p.assertion, p.quote))
        return found

    def confidences() -> Confidences:
        found: dict[str, dict[Curie, float]] = {}
        for p in proposed():
            if p.confidence is not None:
                found.setdefault(p.doc_id, {})[p.concept] = p.confidence
        return found

    made = gold.documents.reference
    number = parse_reviewed(made)[0] if made.startswith("reviewed@") else None

    @cache
    def ratings() -> Ratings:
        return concept_ratings(workspace, run.corpus, scope.alt_ids, number=number)

    return Known(
        gold_mentions=gold.mentions,
        predicted_mentions=cache(mentions),
        confidences=cache(confidences) if states_confidence(workspace, run.id) else None,
        texts=cache(lambda: {p.doc_id: p.text for p in corpora.passages(workspace, run.corpus)}),
        training=training,
        tree=tree,
        ratings=ratings if number is not None else None,
        stages=cache(lambda: read_stages(workspace, run.id, scope, review)),
    )


def known_after_review(
    workspace: Workspace, run: Run, before: Known, corrected: Statuses, review: str
) -> Known:
    """The same once decisions have corrected the run. A person's answer brings its own places and is sure:
    what people added or changed has confidence 1; what they left as it was keeps its places and confidence.

    Args:
        corrected: what the run proposes after review (`core.store.gold.corrected`).
        review: the `reviewed@NUMBER:POLICY` whose decisions did that.
    """
    given = cache(lambda: answers_of_documents(workspace, review, run.corpus))

    def mentions() -> Mentions:
        raw = before.predicted_mentions() if before.predicted_mentions else {}
        found: dict[str, list[Mention]] = {}
        for doc_id, statuses in corrected.items():
            held: dict[Curie, list[Mention]] = {}
            for mention in raw.get(doc_id, ()):
                held.setdefault(mention.concept, []).append(mention)
            found[doc_id] = [
                mention
                for concept, status in statuses.items()
                for mention in places(
                    concept, status, given().get((doc_id, concept), ()), held.get(concept, ())
                )
            ]
        return found

    def confidences() -> Confidences:
        raw = before.confidences() if before.confidences else {}
        proposed = before.predicted_mentions() if before.predicted_mentions else {}
        found: dict[str, dict[Curie, float]] = {}
        for doc_id, statuses in corrected.items():
            machine, stated = {m.concept for m in proposed.get(doc_id, ())}, raw.get(doc_id, {})
            mine = {c: stated.get(c) if c in machine else 1.0 for c in statuses}
            found[doc_id] = {c: confidence for c, confidence in mine.items() if confidence is not None}
        return found

    return replace(
        before,
        predicted_mentions=cache(mentions),
        confidences=cache(confidences) if before.confidences else None,
    )
