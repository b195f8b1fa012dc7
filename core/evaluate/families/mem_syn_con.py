"""Mentions cut by what training has shown: recall of each split, and what the headline owes to memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.charts import Cell, Chart, Key, Table
from core.evaluate.family import FamilyResult, absent
from core.evaluate.inputs import Inputs, Mentions
from core.evaluate.settings import Settings
from core.metrics import mem_syn_con
from core.metrics.bootstrap import draws
from core.metrics.documents import Item
from core.metrics.mem_syn_con import Generalisation, Training
from core.metrics.mentions import Occurrence, Place

FAMILY = "mem_syn_con"
NO_TRAINING = (
    "Which names and concepts are new is known from the training set alone. Give the training part (not "
    "train and dev) with --training, or choose it on the Generalisation page."
)
NO_PLACES = (
    "Mentions are compared by their places, and {side} gives none. Use labels with start and end offsets."
)
ALL, UNSEEN = "all", "unseen"


@dataclass(frozen=True, slots=True)
class Places:
    """Both sides of an evaluation as mentions with places."""

    documents: tuple[str, ...]
    """Every scored document, in order."""
    gold: tuple[Occurrence, ...]
    predicted: Mapping[Place, Occurrence]
    notes: tuple[str, ...] = ()


def places(inputs: Inputs) -> Places | str:
    """Mentions of the statuses that count, in complete documents; or why there are none, as a sentence.

    Mentions at one place become one with the ids of all; labels of whole documents have no place and are
    counted in the notes.
    """
    known = inputs.known
    texts = known.texts() if known.texts else {}
    sides: list[list[Occurrence]] = []
    left_out = []
    for side, read in (("the gold", known.gold_mentions), ("the prediction", known.predicted_mentions)):
        if read is None:
            return NO_PLACES.format(side=side)
        found, without = _occurrences(inputs, read(), texts)
        if without and not found:
            return NO_PLACES.format(side=side)
        if without:
            left_out.append(
                f"{without} labels of {side} have no place in the text and are in no number here."
            )
        sides.append(found)
    gold, predicted = sides
    documents = tuple(o.doc_id for o in inputs.complete)
    return Places(documents, tuple(gold), {m.place: m for m in merged(predicted)}, tuple(left_out))


def _occurrences(inputs: Inputs, held: Mentions, texts: Mapping[str, str]) -> tuple[list[Occurrence], int]:
    wanted = frozenset(inputs.settings.assertions)
    found, without = [], 0
    for outcome in inputs.complete:
        text = texts.get(outcome.doc_id)
        for m in held.get(outcome.doc_id, ()):
            if m.assertion not in wanted:
                continue
            if m.start is None or m.end is None:
                without += 1
                continue
            quote = text[m.start : m.end] if text is not None else m.quote or ""
            found.append(Occurrence(outcome.doc_id, m.start, m.end, "", quote, (m.concept,)))
    return found, without


def merged(occurrences: Iterable[Occurrence]) -> list[Occurrence]:
    """One occurrence a place, with the ids of all."""
    found: dict[Place, Occurrence] = {}
    for m in occurrences:
        earlier = found.setdefault(m.place, m)
        if earlier is not m:
            found[m.place] = earlier._replace(ids=tuple(dict.fromkeys((*earlier.ids, *m.ids))))
    return list(found.values())


def evaluate(inputs: Inputs) -> FamilyResult:
    training = inputs.known.training
    if training is None:
        return absent(FAMILY, NO_TRAINING)
    held = places(inputs)
    return absent(FAMILY, held) if isinstance(held, str) else lay_out(held, training, inputs.settings)


def scored(held: Places, training: Training, settings: Settings) -> Generalisation:
    return mem_syn_con.score(
        held.gold,
        held.predicted,
        training,
        documents=held.documents,
        index_lists=draws(len(held.documents), settings.bootstrap, settings.seed),
        level=settings.level,
    )


def lay_out(held: Places, training: Training, settings: Settings) -> FamilyResult:
    """Estimates, tables and the items behind them."""
    found = scored(held, training, settings)
    notes = list(held.notes)
    if training.concepts is None:
        notes.append("There are no concept ids to tell SYN from CON: what is not MEM is UNS.")
    return FamilyResult(
        FAMILY,
        found.estimates,
        (_splits(found), _overall(found), _training(training)),
        _opener(found, held.predicted),
        tuple(notes),
    )


def _splits(found: Generalisation) -> Table:
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for split in (*found.in_use, UNSEEN, ALL):
        chosen = None if split == ALL else split
        total, hits = len(found.of(chosen)), len(found.of(chosen, found=True))
        share = found.estimates.get(f"share:{split}")
        recall = found.estimates["recall" if split == ALL else f"recall:{split}"]
        rows.append((split, total, share, hits, total - hits, recall))
        keys = [f"{kind}:{split}" for kind in ("mentions", "share", "found", "missed", "recall")]
        opens.append((None, keys[0], keys[1] if share else None, *keys[2:]))
    return Table(
        "Memorised, synonym and new concept",
        ("split", "mentions", "share", "found", "missed", "recall"),
        rows,
        name="splits",
        opens=opens,
        chart=Chart("intervals", x="split", y=("recall",), x_title="split", y_title="recall", unit=True),
        note="Unseen: all that is not MEM. There is no precision of a split: an error belongs to none.",
        help={
            "mentions": "mem_syn_con.mentions",
            "share": "mem_syn_con.share",
            "recall": "mem_syn_con.recall",
        },
    )


def _overall(found: Generalisation) -> Table:
    names = ("precision", "recall", "f1", "overestimation")
    heads = ("precision", "recall", "F1", "overestimation", "spurious mentions")
    return Table(
        "All mentions",
        heads,
        [(*(found.estimates[name] for name in names), len(found.spurious))],
        name="overall",
        opens=[(*names, "spurious")],
        help={head: f"mem_syn_con.{name}" for head, name in zip(heads, names, strict=False)},
    )


def _training(training: Training) -> Table:
    concepts = None if training.concepts is None else len(training.concepts)
    return Table(
        "Training set",
        ("training set", "distinct normalised mentions", "distinct concept ids"),
        [(training.name or "unnamed", len(training.mentions), concepts)],
        name="training",
    )


def _opener(found: Generalisation, predicted: Mapping[Place, Occurrence]) -> Callable[[Key], list[Item]]:
    split_of = dict(zip(found.mentions, found.splits, strict=True))
    spurious = [predicted[place] for place in found.spurious]

    def open_key(key: Key) -> list[Item]:
        kind, _, split = key.partition(":")
        chosen = None if split in ("", ALL) else split
        if chosen not in (None, UNSEEN, *found.in_use):
            raise KeyError(key)
        if kind in ("mentions", "share", "recall", "overestimation"):
            wanted: Sequence[tuple[str, Iterable[Occurrence]]] = (
                ("tp", found.of(chosen, found=True)),
                ("fn", found.of(chosen, found=False)),
            )
        elif kind in ("found", "missed"):
            hit = kind == "found"
            wanted = (("tp" if hit else "fn", found.of(chosen, found=hit)),)
        elif not split and kind in ("precision", "f1", "spurious"):
            gold = (("tp", found.of(found=True)), ("fn", found.of(found=False)))
            wanted = (*gold[: {"precision": 1, "f1": 2, "spurious": 0}[kind]], ("fp", spurious))
        else:
            raise KeyError(key)
        return items(wanted, lambda m: split_of.get(m, ""))

    return open_key


def items(
    groups: Iterable[tuple[str, Iterable[Occurrence]]], word: Callable[[Occurrence], str]
) -> list[Item]:
    """Mentions as items, in order of document and place; `word` says what else is known of a gold mention."""
    rows = [(m, outcome) for outcome, members in groups for m in members]
    rows.sort(key=lambda row: (row[0].doc_id, row[0].start, row[0].end))
    return [
        Item(m.doc_id, m.ids[0] if m.ids else m.type, outcome, _detail(m, word(m))) for m, outcome in rows
    ]


def _detail(m: Occurrence, word: str) -> str:
    others = f"also {', '.join(m.ids[1:])}" if len(m.ids) > 1 else ""
    return "; ".join(part for part in (f"“{m.text}” at {m.start} to {m.end}", word, others) if part)
