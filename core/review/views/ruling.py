"""One dispute as the page of an adjudicator shows it, as plain JSON: offsets are code points.

Answers have letters, in an order that tells nobody who gave them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from core.kinds.names import NAMES, called
from core.kinds.pair import NONE
from core.records import Action, Answer, Cause, ItemKind, Passage
from core.review.disputes import PRESENT, YES, Dispute, State, Voice
from core.review.terms import ontology_of, terms_of
from core.store import Workspace, corpora, pairs
from core.text.addressing import addresses_reader

FAST = 2000
"""Milliseconds: who answered sooner is marked, for the adjudicator alone."""
QUESTION = "Which answer holds?"
FIELDS = {
    PRESENT: "Does it stand?",
    "concept": "Concept",
    "assertion": "Status",
    "class": "Class",
    "conflict_type": "Conflict type",
    "comparable": "Comparable",
    "axes": "Divergence axes",
    "confounder": "Dominant confounder",
}
MARKS = 4
"""Looks of evidence, by answer."""
WHOLE = "answer"
"""The field that takes an answer as it is."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CAUSES = {
    Cause.AMBIGUOUS_TEXT: ("Ambiguous text", "The text itself can be read in both ways."),
    Cause.GUIDELINE_GAP: ("Guideline gap", "The guideline does not say what to do here."),
    Cause.CURATOR_ERROR: ("Curator error", "The guideline is clear, and one answer does not follow it."),
    Cause.EDGE_CASE: ("Edge case", "It lies at the border of two answers, and rarely comes up."),
    Cause.SUBJECTIVE: ("Matter of judgement", "Experts may differ on it with good reasons."),
}
"""Name, and what it means."""
STATES = {
    State.ACCEPTED: "Ruled: it stands",
    State.REJECTED: "Ruled: it does not stand",
    State.AGREED: "Agreed",
    State.DISAGREE: "Curators disagree",
    State.INCOMPLETE: "One answer so far",
}


def guide() -> dict[str, Any]:
    """What the page goes by."""
    keys = ("q", "w", "e", "t", "y")
    return {
        "kind": "adjudication",
        "question": QUESTION,
        "action": Action.ADJUDICATE.value,
        "fields": [],
        "sure": True,
        "causes": [
            {"key": key, "value": cause.value, "name": name, "definition": said}
            for key, (cause, (name, said)) in zip(keys, CAUSES.items(), strict=True)
        ],
        "states": {state.value: name for state, name in STATES.items()},
    }


def heard(dispute: Dispute) -> int:
    """Number of the last decision among its answers."""
    return max(voice.number for voice in dispute.voices)


def sheet(
    workspace: Workspace, dispute: Dispute, fields: list[str], mine: list[dict[str, Any]]
) -> dict[str, Any]:
    """
    Args:
        fields: of an answer, the one with the least agreement first.
        mine: what this adjudicator ruled on it.
    """
    passage = corpora.passage(workspace, dispute.passage)
    answers = sorted(dispute.answers, key=lambda one: _shuffled(dispute.item, one[0]))  # no place tells who
    differing = sorted(dispute.differing, key=fields.index)
    names = _names(workspace, passage, dispute)
    unsure = sum(voice.says is None for voice in dispute.voices)
    texts = _texts(workspace, dispute, passage, answers)
    return {
        "id": dispute.item,
        "doc": " / ".join(text["doc"] for text in texts),
        "corpus": passage.corpus,
        "texts": texts,
        "items": [
            {
                "id": dispute.item,
                "sheet": dispute.item,
                "passage": dispute.passage,
                "concept": dispute.subject,
                "of": dispute.kind,
                "label": _label(dispute, names),
                "proposals": [],
                "mine": mine,
                "state": dispute.state.value,
                "why": _why(dispute, unsure),
                "heard": heard(dispute),
                "answers": [says for says, _ in answers],
                "fields": [_whole(answers, differing, names)],
                "parts": [_part(name, answers, names) for name in differing] if len(differing) > 1 else [],
                "same": _same(answers, differing, names),
                "unsure": [voice.note or "" for voice in dispute.voices if voice.says is None],
            }
        ],
    }


Given = list[tuple[dict[str, str], list[Voice]]]
"""Answers with those who give them."""


def _shuffled(item: int, says: dict[str, str]) -> str:
    return hashlib.sha256(f"{item} {sorted(says.items())}".encode()).hexdigest()


def _whole(answers: Given, differing: list[str], names: Mapping[str, str]) -> dict[str, Any]:
    """Each answer as it is, in the fields in which they differ; its value is its place."""
    options = []
    for at, (says, voices) in enumerate(answers):
        told = [(FIELDS[name], _word(name, says[name], names)) for name in differing if name in says]
        options.append(
            {
                "keys": str(at + 1),
                "value": str(at),
                "code": LETTERS[at],
                "mark": f"by-{at % MARKS}",
                "name": "; ".join(word for _, word in told) or "It stands",
                "lines": told if len(told) > 1 else [],
                "short": _by_whom(voices),
                "notes": [voice.note for voice in voices if voice.note],
                "reconciliation": [text for v in voices if (text := getattr(v.answer, "reconciliation", ""))],
            }
        )
    return {"name": WHOLE, "heading": QUESTION, "options": options}


def _part(name: str, answers: Given, names: Mapping[str, str]) -> dict[str, Any]:
    """Each value of a field once, with the letters of the answers that give it."""
    values = list(dict.fromkeys(says[name] for says, _ in answers if name in says))

    def letters(value: str) -> str:
        return ", ".join(LETTERS[at] for at, (says, _) in enumerate(answers) if says.get(name) == value)

    return {
        "name": name,
        "heading": FIELDS[name],
        "options": [
            {"keys": str(n), "value": value, "name": _word(name, value, names), "short": letters(value)}
            for n, value in enumerate(values, 1)
        ],
    }


def _same(answers: Given, differing: list[str], names: Mapping[str, str]) -> list[tuple[str, str]]:
    """What all say who say that it stands."""
    says = next((says for says, _ in answers if says[PRESENT] == YES), {})
    return [
        (FIELDS[name], _word(name, value, names))
        for name, value in says.items()
        if name not in (PRESENT, *differing)
    ]


def _by_whom(voices: list[Voice]) -> str:
    n = len(voices)
    fast = sum(voice.milliseconds is not None and voice.milliseconds < FAST for voice in voices)
    said = "1 curator" if n == 1 else f"{n} curators"
    return f"{said}, {'' if fast == n == 1 else f'{fast} '}in under {FAST // 1000} s" if fast else said


def in_words(says: Mapping[str, str] | None) -> str:
    """An answer in one line; None: unsure."""
    if says is None:
        return "unsure"
    if says[PRESENT] != YES:
        return _word(PRESENT, says[PRESENT], {})
    return "; ".join(_word(name, value, {}) for name, value in says.items() if name != PRESENT)


def _word(name: str, value: str, names: Mapping[str, str]) -> str:
    if name == PRESENT:
        return "It stands" if value == YES else "It does not stand"
    if name == "concept":
        return f"{names.get(value, value)} ({value})" if value in names else value
    if name == "conflict_type":
        return NAMES[value]
    if name in ("axes", "confounder") and value != NONE:
        return ", ".join(NAMES[one] for one in value.split(", "))
    return called(value)


def _names(workspace: Workspace, passage: Passage, dispute: Dispute) -> dict[str, str]:
    """Concept -> name, of all that are named."""
    said = (voice.answer for voice in dispute.voices if isinstance(voice.answer, Answer))
    told = {dispute.subject: dispute.subject} | {answer.concept: answer.label for answer in said}
    ontology = ontology_of(workspace, passage.corpus)
    known = terms_of(workspace, ontology).names if ontology is not None else {}
    return {concept: known.get(concept, label) for concept, label in told.items()}


def _label(dispute: Dispute, names: Mapping[str, str]) -> str:
    return names.get(dispute.subject, dispute.subject) if dispute.kind == ItemKind.CONCEPT else "Claim pair"


def _why(dispute: Dispute, unsure: int) -> str:
    n = len(dispute.voices)
    most = max((len(by) for _, by in dispute.answers), default=0)
    said = f"{most} of {n} curators agree." if most > 1 else f"{n} curators, {len(dispute.answers)} answers."
    return f"{said} {unsure} unsure." if unsure else said


def _texts(workspace: Workspace, dispute: Dispute, passage: Passage, answers: Given) -> list[dict[str, Any]]:
    """The texts that are judged, with the evidence of each answer: `[start, end, place of the answer]`."""

    def marks(field: str) -> list[list[int]]:
        return [
            [span.start, span.end, at]
            for at, (_, by) in enumerate(answers)
            for voice in by
            for span in getattr(voice.answer, field, ())
        ]

    if dispute.kind != ItemKind.PAIR:
        return [_text(passage.doc_id, passage.title, passage.text, marks("spans"))]
    pair = pairs.pairs_of_items(workspace, [dispute.item])[dispute.item][-1][1]
    [task] = pairs.tasks(workspace, [pair])
    return [
        _text(claim.article_uid, side.title, side.text, marks(field), (claim.start, claim.end))
        for claim, side, field in ((pair.a, task.a, "spans_a"), (pair.b, task.b, "spans_b"))
    ]


def _text(
    doc: str, title: str | None, text: str, marks: list[list[int]], claim: tuple[int, int] | None = None
) -> dict[str, Any]:
    return {
        "doc": doc,
        "title": title,
        "text": text,
        "addresses": addresses_reader(text),
        "marks": marks,
        "claim": claim,
    }
