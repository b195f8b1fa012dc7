"""Where in the texts of a corpus people's answers stand, and where those of the machine that they left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.evaluate.inputs import Mention
from core.records import Answer, Assertion, Curie
from core.store import corpora
from core.store.mentions import answers
from core.store.workspace import Workspace

Given = dict[tuple[str, Curie], list[Answer]]
"""(doc_id, concept) -> positive answers that hold."""


def answers_of_documents(workspace: Workspace, reference: str, corpus: str) -> Given:
    """Of one corpus, in the reviewed gold of this reference.

    Raises:
        InputError: `reference` is not of the form `reviewed@NUMBER:POLICY`.
    """
    doc_ids = {passage: doc_id for doc_id, passage in corpora.passage_ids(workspace, corpus).items()}
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
