"""Two files of claim pairs, no workspace."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from core.conflicts.package import Entry, entry_of, resolve
from core.errors import InputError
from core.evaluate.evaluation import Evaluation
from core.evaluate.families.pair_inputs import GoldPair, PairGold, PairPredictions, Said
from core.evaluate.inputs.options import Options
from core.evaluate.score_pairs import WHOLE, score_pairs
from core.evaluate.settings import Settings
from core.formats import BadRows, RowError
from core.formats.pair_predictions import Predicted, Quoted, read_predictions
from core.formats.pairs import PairRow, read_pairs
from core.formats.source import Source
from core.metrics.conflict_spans import Claims, Marked
from core.metrics.pair_labels import Label, Repairs, checked, repaired
from core.metrics.reconciliation import Encoder
from core.store.workspace import Workspace

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")


def evaluate_pair_files(
    predictions: Path,
    gold: Path,
    settings: Settings = WHOLE,
    encoder: Encoder | None = None,
) -> Evaluation:
    """Score one file of claim pairs against another. Every pair of the gold file is scored.

    Predictions need a `pair_id`; labels outside the schema are made to fit and counted. Gold outside the
    schema is an error.

    Raises:
        InputError: a file cannot be read, a gold row is wrong, or the two share no pair.
    """
    right, starts = read_gold(gold)
    said = read_said(predictions, right, starts)
    if right.pairs.keys().isdisjoint(said.said):
        raise InputError(
            f"{predictions.name} and {gold.name} share no pair: the first has ids like "
            f"{next(iter(said.said))!r}, the second like {next(iter(right.pairs))!r}. "
            "Use the same pair_id in both."
        )
    return score_pairs(right, said, settings, encoder)


def score(predictions: Path, gold: Path, options: Options, workspace: Workspace | None) -> Evaluation:
    """The two files as a command line names them."""
    return evaluate_pair_files(predictions, gold, options.settings("pairs"))


Starts = dict[str, tuple[int | None, int | None]]
"""Pair id -> where its claims start in their abstracts, as far as known."""


def read_gold(path: Path) -> tuple[PairGold, Starts]:
    """Gold pairs of a file, one a pair id (metric-definitions 10.2).

    Raises:
        InputError: it cannot be read, or a row is outside the schema.
    """
    bad, rows = BadRows(), []
    for row in read_pairs(path):
        if isinstance(row, RowError):
            bad.add(row)
        else:
            rows.append(row)
    bad.refuse("Gold is scored as it stands, so nothing in it is made to fit. Correct the file.")
    kept = resolve(map(entry_of, rows))
    chosen = [rows[position] for position in kept.positions]
    return (
        PairGold(
            reference=Source(path).reference,
            pairs={row.pair_id: _gold_pair(row) for row in chosen},
            surplus=kept.surplus,
            duplicated=kept.duplicated,
            conflicting=kept.conflicting,
            ungrounded=sum(span.start is None for row in chosen for span in row.evidence_spans),
        ),
        {row.pair_id: (row.claim_a_start, row.claim_b_start) for row in chosen},
    )


def _gold_pair(row: PairRow) -> GoldPair:
    spans = []
    for span in row.evidence_spans:
        side = span.side or "a"
        shift = (row.claim_a_start if side == "a" else row.claim_b_start) if span.frame == "abstract" else 0
        if span.start is not None and span.end is not None and shift is not None:
            spans.append(Marked(side, span.start - shift, span.end - shift, span.text))
    return GoldPair(
        pair_id=row.pair_id,
        domain=row.domain,
        articles=(row.claim_a_article_uid, row.claim_b_article_uid),
        claims=Claims(row.claim_a_text, row.claim_b_text),
        said=Said(
            checked(row.conflict_type, row.divergence_axes, row.dominant_confounder),
            row.reconciliation,
            tuple(spans),
        ),
        provenance=row.provenance,
    )


def read_said(path: Path, gold: PairGold, starts: Starts) -> PairPredictions:
    """Predictions of a file, one a pair id, their spans on the claims of the gold.

    Raises:
        InputError: it cannot be read, or a row has no pair id.
    """
    rows = list(read_predictions(path))
    kept = resolve(map(_entry, rows))
    said: dict[str, Said] = {}
    total, mended = Repairs(), 0
    for row in (rows[position] for position in kept.positions):
        label, repairs = _label(row)
        total, mended = total.plus(repairs), mended + any(repairs)
        known = gold.pairs.get(row.pair_id)
        spans = _spans(row, known, starts[row.pair_id]) if known else ()
        level = {"person": 4, "model": 1 if any(repairs) else 2, "heuristic": 0}.get(row.origin)
        said[row.pair_id] = Said(label, row.reconciliation, tuple(spans), row.confidence, level)
    odd = sum(rows[position].odd_spans for position in kept.positions)
    return PairPredictions(
        Source(path).reference, said, total, mended, kept.surplus, kept.duplicated, kept.conflicting, odd
    )


def _label(row: Predicted) -> tuple[Label, Repairs]:
    return repaired(row.conflict_type, row.axes, row.confounder)


def _entry(row: Predicted) -> Entry:
    """What telling duplicates apart needs."""
    kind = row.conflict_type if isinstance(row.conflict_type, str) else ""
    return Entry(row.pair_id, "", "", "", "", "", kind, row.origin, row.confidence)


def _spans(row: Predicted, gold: GoldPair, starts: tuple[int | None, int | None]) -> Iterable[Marked]:
    for span in row.spans:
        side = _side(span, gold)
        place = None if side is None else _place(span, side, row, gold, starts)
        if place is not None:
            yield Marked(side, *place, span.text)
        elif span.text.strip():
            yield Marked(side, None, None, span.text)


def _side(span: Quoted, gold: GoldPair) -> Side | None:
    """By article, since a file may call the sides the other way round; by name where the article does not
    tell; None: not known."""
    of = [side for side, uid in zip(SIDES, gold.articles, strict=True) if uid == span.article_uid]
    if len(of) == 1:
        return of[0]
    if of:  # both claims are of one article
        holding = [s for s in of if span.text and span.text in gold.claims[SIDES.index(s)]]
        return span.side or (holding or of)[0]
    return span.side if span.article_uid is None else None


def _place(
    span: Quoted, side: Side, row: Predicted, gold: GoldPair, starts: tuple[int | None, int | None]
) -> tuple[int, int] | None:
    """Offsets on the gold's claim; None where they count in another text: then the words are looked for."""
    if span.start is None or span.end is None:
        return None
    at = SIDES.index(side)
    own = row.claims[at]
    if own is not None and own != gold.claims[at]:
        return None
    if not span.of_abstract:
        return span.start, span.end
    shift = row.starts[at] if row.starts[at] is not None else starts[at]
    return None if shift is None else (span.start - shift, span.end - shift)
