"""What a workspace knows of a run beyond statuses, raw and after review: read when a family asks for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from core.evaluate.concept_scope import Scope
from core.evaluate.curator_answers import concept_ratings
from core.evaluate.curators import Ratings
from core.evaluate.families.inputs import Confidences, Known, Mention, Mentions, Statuses
from core.evaluate.inputs.gold import Gold
from core.evaluate.inputs.places import answers_of_documents, by_document, places
from core.evaluate.inputs.stages import read_stages
from core.evaluate.readings import Readings
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import Curie
from core.store.gold import parse_reviewed
from core.store.mentions import proposed_mentions, states_confidence, texts
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
    readings: Readings | None = None,
) -> Known:
    """What families may ask for when the proposals of a run are scored as they came.

    Args:
        review: `reviewed@NUMBER:POLICY` of those who may confirm what the gold lacks.
        readings: of this run, gold and review.
    """
    readings = readings or Readings()
    proposed = readings.reader("proposed", lambda: by_document(proposed_mentions(workspace, run.id)))
    made = gold.documents.reference
    number = parse_reviewed(made)[0] if made.startswith("reviewed@") else None

    def ratings() -> Ratings:
        return concept_ratings(workspace, run.corpus, scope.alt_ids, number=number)

    return Known(
        gold_mentions=gold.mentions,
        predicted_mentions=lambda: proposed()[0],
        gold_by_mention=gold.by_mention,
        predicted_by_mention=True,
        confidences=(lambda: proposed()[1]) if states_confidence(workspace, run.id) else None,
        texts=readings.reader("texts", lambda: texts(workspace, run.corpus_id)),
        training=training,
        tree=tree,
        ratings=readings.reader(("ratings", scope.name), ratings) if number is not None else None,
        stages=readings.reader(("stages", scope.name), lambda: read_stages(workspace, run.id, scope, review)),
    )


def known_after_review(
    workspace: Workspace,
    run: Run,
    before: Known,
    corrected: Statuses,
    review: str,
    raw: Statuses | None = None,
    readings: Readings | None = None,
) -> Known:
    """The same once decisions have corrected the run. A person's answer brings its own places and is sure:
    what people added or changed has confidence 1; what they left as it was keeps its places and confidence.

    Args:
        corrected: what the run proposes after review (`core.store.gold.corrected`).
        review: the `reviewed@NUMBER:POLICY` whose decisions did that.
        raw: what the run proposed; a document that is the very same object in both is as it was.
        readings: of this run, gold and review.
    """
    readings, proposals = readings or Readings(), raw or {}

    @cache
    def touched() -> list[str]:
        return [d for d, statuses in corrected.items() if statuses is not proposals.get(d)]

    def mentions() -> Mentions:
        proposed = before.predicted_mentions() if before.predicted_mentions else {}
        given = answers_of_documents(workspace, review, run.corpus)
        found = dict(proposed)
        for doc_id in {*touched(), *(doc_id for doc_id, _ in given)} & corrected.keys():
            held: dict[Curie, list[Mention]] = {}
            for mention in proposed.get(doc_id, ()):
                held.setdefault(mention.concept, []).append(mention)
            found[doc_id] = [
                mention
                for concept, status in corrected[doc_id].items()
                for mention in places(
                    concept, status, given.get((doc_id, concept), ()), held.get(concept, ())
                )
            ]
        return found

    def confidences() -> Confidences:
        stated = before.confidences() if before.confidences else {}
        proposed = before.predicted_mentions() if before.predicted_mentions else {}
        found = dict(stated)
        for doc_id in touched():
            machine, sure = {m.concept for m in proposed.get(doc_id, ())}, stated.get(doc_id, {})
            mine = {c: sure.get(c) if c in machine else 1.0 for c in corrected[doc_id]}
            found[doc_id] = {c: confidence for c, confidence in mine.items() if confidence is not None}
        return found

    return replace(
        before,
        predicted_mentions=readings.reader("mentions after review", mentions),
        confidences=readings.reader("confidences after review", confidences) if before.confidences else None,
    )
