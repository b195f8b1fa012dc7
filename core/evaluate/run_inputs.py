"""What a workspace knows of a run and of a gold set beyond statuses: read when a family asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from core.evaluate.inputs import Confidences, Known, Mention, Mentions, Statuses
from core.metrics.label_tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import Answer, Assertion, Curie, GoldSet
from core.store import corpora
from core.store.mentions import Proposed, answers, proposed_mentions, states_confidence
from core.store.runs import Run
from core.store.workspace import Workspace


def known_of_run(
    workspace: Workspace,
    run: Run,
    gold: GoldSet,
    training: Training | None = None,
    tree: LabelTree | None = None,
) -> Known:
    """What families may ask for when the proposals of a run are scored as they came."""
    proposed = cache(lambda: list(proposed_mentions(workspace, run.id)))

    def mentions() -> Mentions:
        found: dict[str, list[Mention]] = {}
        for p in proposed():
            found.setdefault(p.doc_id, []).append(_mention(p))
        return found

    def confidences() -> Confidences:
        found: dict[str, dict[Curie, float]] = {}
        for p in proposed():
            if p.confidence is not None:
                found.setdefault(p.doc_id, {})[p.concept] = p.confidence
        return found

    return Known(
        gold_mentions=_gold_mentions(workspace, gold, run.corpus),
        predicted_mentions=cache(mentions),
        confidences=cache(confidences) if states_confidence(workspace, run.id) else None,
        texts=cache(lambda: {p.doc_id: p.text for p in corpora.passages(workspace, run.corpus)}),
        training=training,
        tree=tree,
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
    given = cache(lambda: _answers_of_documents(workspace, review, run.corpus))

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
                for mention in _corrected(
                    concept, status, given().get((doc_id, concept), []), held.get(concept, [])
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
        stages=None,  # what people changed is no stage's doing
    )


def _gold_mentions(workspace: Workspace, gold: GoldSet, corpus: str) -> Callable[[], Mentions]:
    def imported() -> Mentions:
        sets = corpora.list_annotation_sets(workspace, corpus)
        (chosen,) = [s.id for s in sets if f"imported:{s.name}@{s.version}" == gold.reference]
        found: dict[str, list[Mention]] = {}
        for _, doc_id, a in corpora.imported_annotations(workspace, chosen):
            start, end, quote = (a.span.start, a.span.end, a.span.quote) if a.span else (None, None, None)
            found.setdefault(doc_id, []).append(Mention(start, end, a.concept, a.assertion, quote))
        return found

    def reviewed() -> Mentions:
        given = _answers_of_documents(workspace, gold.reference, corpus)
        return {
            doc_id: [
                mention
                for concept, status in statuses.items()
                for mention in _corrected(concept, status, given.get((doc_id, concept), []), [])
            ]
            for doc_id, statuses in gold.documents.items()
        }

    return cache(reviewed if gold.reference.startswith("reviewed@") else imported)


def _answers_of_documents(
    workspace: Workspace, review: str, corpus: str
) -> dict[tuple[str, Curie], list[Answer]]:
    doc_ids = {passage: doc_id for doc_id, passage in corpora.passage_ids(workspace, corpus).items()}
    found = answers(workspace, review)
    return {(doc_ids[p], concept): given for (p, concept), given in found.items() if p in doc_ids}


def _corrected(
    concept: Curie, status: Assertion, given: list[Answer], proposed: list[Mention]
) -> Iterator[Mention]:
    """Places of a concept that people have spoken of: those of the answers that say so, else those of the
    machine, else the document as a whole."""
    spans = dict.fromkeys(span for answer in given if answer.assertion is status for span in answer.spans)
    if spans:
        for span in spans:
            yield Mention(span.start, span.end, concept, status, span.quote)
    elif proposed:
        said = {mention.assertion for mention in proposed}
        for mention in proposed:
            # mentions may differ among themselves; a status that none of them has is a person's
            yield mention if status in said else mention._replace(assertion=status)
    else:
        yield Mention(None, None, concept, status)


def _mention(p: Proposed) -> Mention:
    return Mention(p.start, p.end, p.concept, p.assertion, p.quote)
