"""What the curators of a corpus answered, read once for every field of their answers.

    answers = concept_answers(workspace, "cases", run="lexicon-1")   # concepts of documents
    answers = pair_answers(workspace, "abstracts")                   # claim pairs
    answers.fields["status"]                                         # see core.evaluate.curators

Beside what was said stand when and under which item, and as what a machine had proposed it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from core.errors import InputError
from core.evaluate.curators import FIELDS, Field, Kind, Place, Ratings
from core.metrics.near_agreement import ABSENT
from core.records import ON_PROPOSALS, Action, Curie, Decision, ItemKind, PairAnswer
from core.store import corpora
from core.store import proposed as as_proposed
from core.store.decisions import list_curators, standing
from core.store.votes import UNSURE, Votes, ruled, votes
from core.store.workspace import Workspace

PRESENT, REJECTED, NONE = "present", "rejected", "none"


@dataclass(frozen=True, slots=True)
class Answers:
    """What the curators of a corpus answered."""

    fields: Mapping[Field, Ratings]
    """Of the same curators and items each."""
    numbers: Mapping[str, Mapping[Place, int]] = field(default_factory=dict)
    """Curator -> what was said -> number of the decision."""
    closed: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Curator -> closed document -> number of the decision."""
    ruled: frozenset[int] = frozenset()
    """Items that an adjudication has settled."""
    proposed: Mapping[Place, str] = field(default_factory=dict)
    """Class of the concept, or type of the conflict, as it was proposed; without what nobody proposed."""


def checked(kind: Kind, asked: str | None) -> Field:
    """A field of the answers of a kind; None: its first.

    Raises:
        InputError: there is none such.
    """
    for known in FIELDS[kind]:
        if asked in (None, known):
            return known
    raise InputError(f"{asked!r} is no field of answers on {kind}. Choose from {', '.join(FIELDS[kind])}.")


# --- concepts -----------------------------------------------------------------------------------------------


def concept_ratings(
    workspace: Workspace,
    corpus: str,
    alt_ids: Mapping[Curie, Curie] | None = None,
    names: Mapping[Curie, str] | None = None,
    number: int | None = None,
) -> Ratings:
    """The statuses that curators give the concepts of a corpus.

    Args:
        alt_ids: old id -> the id that now stands for it.
        names: of concepts; more than needed is fine.
        number: of the last decision that counts; None: all.

    Raises:
        NotFoundError: no such corpus or decision.
    """
    found = votes(workspace, corpus, number)
    return _ratings(corpus, found, "status", alt_ids or {}, names or {}, _people(workspace))


def concept_answers(
    workspace: Workspace,
    corpus: str,
    alt_ids: Mapping[Curie, Curie] | None = None,
    names: Mapping[Curie, str] | None = None,
    run: str | None = None,
) -> Answers:
    """What curators say of the concepts of a corpus; see `concept_ratings`.

    Args:
        run: only what this run proposed counts; None: everything.

    Raises:
        NotFoundError: no such corpus or run.
        InputError: the run labels another corpus, or claim pairs.
    """
    now, people = alt_ids or {}, _people(workspace)
    proposed = {
        (doc_id, now.get(c, c)): meant
        for (doc_id, c), meant in as_proposed.classes(workspace, corpus, run).items()
    }
    found = votes(workspace, corpus)
    if run is not None:
        found = {curator: _within(mine, proposed.keys(), now) for curator, mine in found.items()}
    fields: dict[Field, Ratings] = {}
    places = _places(found, now)
    for asked in FIELDS["concepts"]:
        ratings = _ratings(corpus, found, asked, now, names or {}, people)
        fields[asked] = replace(ratings, items=places)
    numbers = {curator: _numbers(mine, now) for curator, mine in found.items()}
    closed = {curator: mine.closed for curator, mine in found.items()}
    return Answers(fields, numbers, closed, ruled(workspace), proposed)


def _within(mine: Votes, kept: AbstractSet[Place], now: Mapping[Curie, Curie]) -> Votes:
    """What is said of these concepts; documents without any of them are left out."""

    def those(doc_id: str, concepts: Iterable[Curie]) -> set[Curie]:
        return {c for c in concepts if (doc_id, now.get(c, c)) in kept}

    documents = {doc_id for doc_id, _ in kept}
    return Votes(
        {d: {c: said[c] for c in said if (d, now.get(c, c)) in kept} for d, said in mine.said.items()},
        mine.judged,
        {d: number for d, number in mine.closed.items() if d in documents},
        {d: those(d, concepts) for d, concepts in mine.unasked.items() if d in documents},
    )


def _ratings(
    corpus: str,
    found: Mapping[str, Votes],
    asked: Field,
    now: Mapping[Curie, Curie],
    names: Mapping[Curie, str],
    people: Mapping[str, str],
) -> Ratings:
    labels: dict[str, dict[str, dict[Curie, str]]] = {}
    unsettled: dict[str, dict[str, set[Curie]]] = {}
    closed: dict[str, frozenset[str]] = {}
    unsure: dict[str, int] = {}
    for curator, mine in sorted(found.items()):
        ours = labels[curator] = {}
        left = unsettled[curator] = {
            doc_id: {now.get(c, c) for c in concepts} for doc_id, concepts in mine.unasked.items()
        }
        unsure[curator] = 0
        for doc_id in mine.said:
            held: dict[Curie, str] = {}
            for concept, label in sorted(_said(mine, doc_id, asked, now).items()):
                current = now.get(concept, concept)
                if label == UNSURE:
                    unsure[curator] += 1
                    left.setdefault(doc_id, set()).add(current)
                elif label == ABSENT:
                    held.setdefault(current, label)
                else:
                    held[current] = label
            if held:
                ours[doc_id] = held
        closed[curator] = frozenset(mine.closed)
    active = tuple(c for c in labels if closed[c] or labels[c] or unsure[c])
    named = {c for ours in labels.values() for held in ours.values() for c in held}
    if asked == "concept":
        named |= {label for ours in labels.values() for held in ours.values() for label in held.values()}
    known = {c: names[c] for c in named if c in names}
    return Ratings(
        corpus, "concepts", active, labels, unsettled, closed, unsure, known, people=people, asked=asked
    )


def _said(mine: Votes, doc_id: str, asked: Field, now: Mapping[Curie, Curie]) -> Mapping[Curie, str]:
    """What a curator says in one field of the concepts of a document."""
    said = mine.said[doc_id]
    if asked == "status":
        return said
    if asked == "presence":
        return {c: label if label in (ABSENT, UNSURE) else PRESENT for c, label in said.items()}
    judged = mine.judged[doc_id]
    if asked == "class":
        meant = {vote.concept: vote.meant or NONE for vote in judged.values()}
        return {c: label if label in (ABSENT, UNSURE) else meant[c] for c, label in said.items()}
    return {
        c: now.get(vote.concept, vote.concept) if vote.concept else vote.label
        for c, vote in judged.items()
        if c in said
    }


def _numbers(mine: Votes, now: Mapping[Curie, Curie]) -> dict[Place, int]:
    found: dict[Place, int] = {}
    for doc_id, judged in mine.judged.items():
        for concept, vote in judged.items():
            for said in {concept, vote.concept or concept}:
                found[doc_id, now.get(said, said)] = vote.number
    return found


def _places(found: Mapping[str, Votes], now: Mapping[Curie, Curie]) -> dict[Place, int]:
    """Under which item each concept was answered: its own, else the one that was turned into it."""
    own: dict[Place, int] = {}
    turned: dict[Place, int] = {}
    for mine in found.values():
        for doc_id, judged in mine.judged.items():
            for concept, vote in judged.items():
                own.setdefault((doc_id, now.get(concept, concept)), vote.item)
                if vote.concept:
                    turned.setdefault((doc_id, now.get(vote.concept, vote.concept)), vote.item)
    return turned | own


# --- claim pairs --------------------------------------------------------------------------------------------


def pair_answers(workspace: Workspace, corpus: str, run: str | None = None) -> Answers:
    """What curators say of the claim pairs of a corpus.

    Args:
        run: only the pairs of this run count; None: all.

    Raises:
        NotFoundError: no such corpus or run.
        InputError: the run labels another corpus, or concepts.
    """
    doc_ids = corpora.decided_in(workspace, corpus)
    proposed = as_proposed.types(workspace, corpus, run)
    held: dict[str, dict[Place, Decision]] = {}
    for d in standing(workspace):
        if d.kind == ItemKind.PAIR and d.passage_id in doc_ids and d.action in ON_PROPOSALS:
            place = doc_ids[d.passage_id], d.subject
            if run is None or place in proposed:
                held.setdefault(d.curator, {})[place] = d
    people = _people(workspace)
    fields = {asked: _pair_ratings(corpus, held, asked, people) for asked in FIELDS["pairs"]}
    numbers = {c: {place: d.number for place, d in mine.items()} for c, mine in held.items()}
    return Answers(fields, numbers, ruled=ruled(workspace), proposed=proposed)


def _pair_ratings(
    corpus: str, held: Mapping[str, Mapping[Place, Decision]], asked: Field, people: Mapping[str, str]
) -> Ratings:
    labels: dict[str, dict[str, dict[str, str]]] = {}
    for curator, mine in held.items():
        ours = labels[curator] = {}
        for (doc_id, pair), d in mine.items():
            if d.action is not Action.UNSURE:
                said = pair_label(d.answer, asked) if isinstance(d.answer, PairAnswer) else REJECTED
                ours.setdefault(doc_id, {})[pair] = said
    return Ratings(
        corpus,
        "pairs",
        tuple(sorted(labels)),
        labels,
        unsure={c: sum(d.action is Action.UNSURE for d in mine.values()) for c, mine in held.items()},
        people=people,
        items={place: d.item_id for mine in held.values() for place, d in mine.items()},
        asked=asked,
    )


def pair_label(answer: PairAnswer, asked: Field) -> str:
    """What an answer says in one field."""
    if asked == "comparable":
        return "comparable" if answer.comparable else "not comparable"
    if asked == "confounder":
        return answer.confounder.value if answer.confounder else NONE
    if asked == "axes":
        return ", ".join(sorted({axis.value for axis in answer.axes})) or NONE
    return answer.conflict_type.value


def _people(workspace: Workspace) -> dict[str, str]:
    known = list_curators(workspace)
    often = Counter(curator.name for curator in known)
    return {c.id: c.name if often[c.name] == 1 else f"{c.name} ({c.id})" for c in known}
