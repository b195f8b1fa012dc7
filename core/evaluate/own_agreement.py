"""How far each curator agrees with themselves: what they said of the items that they were asked about twice.

    own_agreement(workspace, ratings, Bootstrap(1000))    # a table, or None where nothing was asked again

The first answer is what stood before the second question was answered. Labels are those of
`core.evaluate.curators`; a concept that was turned into another one is absent. Items are drawn at random, so
the share that is the same takes Wilson's interval. Kappa is Cohen's, first answers against second ones; its
interval resamples documents.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from core.charts import Cell, Table, Value
from core.evaluate.curator_answers import PRESENT, REJECTED, pair_label
from core.evaluate.curators import Field, Place, Ratings
from core.kinds.concept import status
from core.metrics.agreement_intervals import Bootstrap, kappa
from core.metrics.documents import Item
from core.metrics.kappa_words import NAMED, in_words
from core.metrics.near_agreement import ABSENT
from core.metrics.proportion import share
from core.records import Action, Answer, Curie, ItemKind, PairAnswer
from core.store import Workspace, corpora, repeats

Unit = tuple[str, Any, str, str]
"""doc_id, concept or pair id, first label, second label."""
_NOTE = (
    "Items of a random share come again, unmarked, some time after the first answer. Gold and all other"
    " figures rest on the first one; settle what differs by deciding it anew. "
)


def own_agreement(
    workspace: Workspace,
    ratings: Ratings,
    how: Bootstrap,
    now: Mapping[Curie, Curie] | None = None,
    kept: Container[Place] | None = None,
) -> Table | None:
    """
    Args:
        ratings: of the corpus, kind and field that it is about.
        now: old id of a concept -> the id that now stands for it.
        kept: what counts; None: all.
    """
    rows: list[tuple[Value | Cell, ...]] = []
    for n, (curator, units) in enumerate(_units(workspace, ratings, now or {}, kept)):
        differing = [unit for unit in units if unit[2] != unit[3]]
        documents = sorted({unit[0] for unit in units})
        chance = kappa([(doc_id, (first, second)) for doc_id, _, first, second in units], documents, how)
        same = share(len(units) - len(differing), len(units), how.level, documents=len(documents))
        opened = partial(_listed, differing)
        rows.append(
            (
                ratings.people[curator],
                Cell(len(units), f"own:{n}:rated", partial(_listed, units)),
                Cell(len(differing), f"own:{n}:differ", opened),
                Cell(same, f"own:{n}:same", opened),
                Cell(chance, f"own:{n}:kappa", opened),
                in_words(chance.value),
            )
        )
    if not rows:
        return None
    return Table.of(
        "Each curator, asked again",
        ("curator", "asked twice", "differ", "same answer", "kappa", "in words"),
        rows,
        "own",
        note=_NOTE + NAMED,
        help={"same answer": "proportion.share", "kappa": "agreement.kappa"},
    )


def _units(
    workspace: Workspace, ratings: Ratings, now: Mapping[Curie, Curie], kept: Container[Place] | None
) -> Iterator[tuple[str, list[Unit]]]:
    """Curator -> what they answered twice."""
    doc_ids = corpora.decided_in(workspace, ratings.corpus)
    kind = ItemKind.PAIR if ratings.kind == "pairs" else ItemKind.CONCEPT
    for curator, held in groupby(repeats.twice(workspace, ratings.corpus, kind), lambda one: one.curator):
        units: list[Unit] = []
        for one in held:
            place = doc_ids[one.passage], now.get(one.subject, one.subject)
            first, second = (
                _label(said, one.subject, ratings.asked, now) for said in (one.first, one.second)
            )
            if kept is None or place in kept:
                units.append((*place, first, second))
        if units:
            yield curator, units


def _label(
    said: tuple[Action, dict[str, Any] | None], subject: str, asked: Field, now: Mapping[Curie, Curie]
) -> str:
    _, answer = said
    if asked not in ("status", "presence", "class", "concept"):
        return pair_label(PairAnswer.from_json(answer), asked) if answer else REJECTED
    given = Answer.from_json(answer) if answer else None
    label = status(given) if given else None
    if given is None or label is None:
        return ABSENT
    concept = now.get(given.concept, given.concept)
    if asked == "concept":
        return concept
    if concept != now.get(subject, subject):
        return ABSENT
    return {"status": label.value, "presence": PRESENT, "class": given.concept_class.value}[asked]


def _listed(units: Sequence[Unit]) -> list[Item]:
    return [
        Item(doc_id, item, "agree" if first == second else "differ", f"first: {first}; again: {second}")
        for doc_id, item, first, second in units
    ]
