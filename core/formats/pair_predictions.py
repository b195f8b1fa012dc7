"""Predictions about claim pairs, read for scoring: a pair id, and whatever a system said of the pair.

The names are those of a claim pair (`pair_schema`, `pair_names`); everything but `pair_id` may be missing,
and labels may be anything: mending and counting what does not fit is a matter of the scores
(`core.metrics.pair_labels`), unlike in a file of silver, which has to fit (`pairs`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from core.formats.pair_names import renamed
from core.formats.pairs import FIELDS, raw_rows
from core.formats.rows import BadRows, FieldFault, RowError, shown
from core.formats.source import Source
from core.formats.strict_json import LARGEST


class Quoted(NamedTuple):
    """A span as it was given."""

    side: Literal["a", "b"] | None
    article_uid: str | None
    start: int | None
    """In its frame; None: only the words are known."""
    end: int | None
    text: str
    of_abstract: bool
    """Whether the offsets count in the abstract, not in the claim."""


class Predicted(NamedTuple):
    """One row."""

    pair_id: str
    conflict_type: Any
    """As read, off-schema or not; None: missing."""
    axes: Any
    confounder: Any
    reconciliation: str
    spans: tuple[Quoted, ...]
    odd_spans: int
    """Spans left out, because they have neither words nor offsets."""
    origin: str
    """model, heuristic or person."""
    confidence: float | None
    claims: tuple[str | None, str | None]
    """Texts of the claims, where the row has them: the frame of the offsets."""
    starts: tuple[int | None, int | None]
    """Where the claims start in their abstracts, where the row says it."""


def read_predictions(path: Path | str) -> Iterator[Predicted]:
    """Stream a file of predictions.

    Raises:
        InputError: the file cannot be read, holds no pairs, or a row has no pair id; after the last row.
    """
    name = Source(path).name
    bad = BadRows()
    for raw in raw_rows(path):
        if isinstance(raw, RowError):
            bad.add(raw)
            continue
        try:
            value = renamed(raw.value, FIELDS, mend=False).value
            if not bad.count:
                yield _row(value)
        except FieldFault as fault:
            bad.add(RowError(name, raw.line, None, fault.field, fault.cause, raw.value))
    bad.refuse()


def _row(value: dict[str, Any]) -> Predicted:
    pair_id = value.get("pair_id")
    if not isinstance(pair_id, str) or not pair_id.strip():
        raise FieldFault("pair_id", f"expected the id of a pair, found {shown(pair_id)}")
    spans = [_span(span) for span in value["evidence_spans"]]
    reconciliation, origin = value.get("reconciliation"), value.get("label_origin")
    return Predicted(
        pair_id=pair_id,
        conflict_type=value.get("conflict_type"),
        axes=value.get("divergence_axes"),
        confounder=value.get("dominant_confounder"),
        reconciliation=reconciliation if isinstance(reconciliation, str) else "",
        spans=tuple(span for span in spans if span is not None),
        odd_spans=spans.count(None),
        origin=origin if origin in ("person", "heuristic") else "model",
        confidence=_share(value.get("confidence")),
        claims=(_text(value.get("claim_a_text")), _text(value.get("claim_b_text"))),
        starts=(_place(value.get("claim_a_start")), _place(value.get("claim_b_start"))),
    )


def _span(given: Any) -> Quoted | None:
    if not isinstance(given, dict):
        return None
    start, end, text = _place(given.get("start")), _place(given.get("end")), _text(given.get("text"))
    if start is None or end is None or start >= end:
        start, end = None, None
    if start is None and not (text or "").strip():
        return None
    side = given.get("side")
    return Quoted(
        side=side if side in ("a", "b") else None,
        article_uid=_text(given.get("article_uid")),
        start=start,
        end=end,
        text=text or "",
        of_abstract=given.get("frame") == "abstract",
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _place(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST else None


def _share(value: Any) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and 0 <= value <= 1 else None
