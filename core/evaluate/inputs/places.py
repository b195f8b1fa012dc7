"""Where in the texts of a corpus people's answers stand, and where those of the machine that they left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.evaluate.families.inputs import Confidences, Mention, Mentions
from core.records import Answer, Assertion, Curie
from core.store import corpora
from core.store.mentions import Placed, answers
from core.store.workspace import Workspace

Given = dict[tuple[str, Curie], list[Answer]]
"""(doc_id, concept) -> positive answers that hold."""


def by_document(rows: Iterable[Placed]) -> tuple[Mentions, Confidences]:
    """Mentions of each document, in the order of the rows, and how sure each of its concepts is."""
    statuses = {a.value: a for a in Assertion}
    ids: dict[str, str] = {}  # every name once: a store makes a new string for every row
    mentions: dict[str, list[Mention]] = {}
    confidences: dict[str, dict[Curie, float]] = {}
    for doc_id, start, end, concept, status, quote, confidence in rows:
        concept = ids.setdefault(concept, concept)
        mention = Mention(start, end, concept, statuses[status], quote)
        if doc_id in mentions:
            mentions[doc_id].append(mention)
        else:
            mentions[doc_id] = [mention]
        if confidence is not None:
            confidences.setdefault(doc_id, {})[concept] = confidence
    return mentions, confidences


def answers_of_documents(workspace: Workspace, reference: str, corpus: str) -> Given:
    """Of one corpus, in the reviewed gold of this reference.

    Raises:
        InputError: `reference` is not of the form `reviewed@NUMBER:POLICY`.
    """
    doc_ids = corpora.decided_in(workspace, corpus)
    found = answers(workspace, reference)
    return {(doc_ids[p], concept): given for (p, concept), given in found.items() if p in doc_ids}


def places(
    concept: Curie, status: Assertion, given: Sequence[Answer], proposed: Sequence[Mention] = ()
) -> Iterator[Mention]:
    """Places of a concept of a document that people have spoken of: those of the answers with this status,
    else those of the machine, else the document as a whole."""
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
