"""Claim pairs given as files, to be labelled without a corpus: read as tasks, written with their labels.

A row needs the two claims; ids, articles, abstracts and the rest are taken where they are given. Where a row
has no abstract, the claims that the file gives of that article stand in for it, so that the result can come
into a workspace with `touchstone proposals add`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.conflicts.cues import find_cues
from core.errors import InputError
from core.exchange.pair_rows import label_fields, machine_labels
from core.formats import BadRows, Notes, RowError
from core.formats.assemble import first_fault
from core.formats.pair_names import renamed
from core.formats.pair_places import placed
from core.formats.pairs import FIELDS, CandidateRow, PairRow, raw_rows
from core.formats.rows import FieldFault, Raw
from core.formats.source import Source
from core.records import (
    CandidatePair,
    Claim,
    ClaimType,
    ConflictType,
    Origin,
    PairLabel,
    PairTask,
    Scores,
    Side,
    StoredPairLabel,
)

DOMAIN = "unnamed"
"""Of rows that name none."""
_LABEL = PairRow.model_fields.keys() - CandidateRow.model_fields.keys()


def read_tasks(path: Path | str) -> list[tuple[PairRow, PairTask]]:
    """The pairs of a file, each as its row and as what an annotator is given; labels in the file are dropped.

    Raises:
        InputError: the file cannot be read, a row lacks a claim, a claim does not stand in its abstract, or
            two rows have one pair id.
    """
    name, bad = Source(path).name, BadRows()
    values: list[tuple[int | None, dict[str, Any]]] = []
    for raw in raw_rows(path):
        try:
            if isinstance(raw, RowError):
                bad.add(raw)
            else:
                values.append((raw.line, _filled(raw)))
        except FieldFault as fault:
            bad.add(RowError(name, raw.line, None, fault.field, fault.cause))
    _stand_in([value for _, value in values])
    found, seen = [], set[str]()
    for line, value in values:
        try:
            row = placed(PairRow.model_validate(value), frozenset(), Notes())
        except FieldFault as fault:
            bad.add(RowError(name, line, None, fault.field, fault.cause))
        except ValidationError as failure:
            field, cause = first_fault(failure)
            bad.add(RowError(name, line, None, field, cause))
        else:
            if row.pair_id in seen:
                bad.add(RowError(name, line, None, "pair_id", f"{row.pair_id!r} stands in an earlier row"))
            seen.add(row.pair_id)
            found.append((row, _task(row)))
    bad.refuse()
    return found


def labelled_rows(
    rows: Sequence[PairRow],
    tasks: Sequence[PairTask],
    labels: Sequence[Sequence[PairLabel]],
) -> Iterator[PairRow]:
    """Rows with their labels: of each pair the first speaks, and all are told."""
    for row, task, given in zip(rows, tasks, labels, strict=True):
        stored = [StoredPairLabel(0, "", 0, label) for label in given]
        value = {name: getattr(row, name) for name in CandidateRow.model_fields}
        yield PairRow(
            **value, **label_fields(task.pair, stored[0], None), machine_labels=machine_labels(stored)
        )


def _filled(raw: Raw) -> dict[str, Any]:
    """A row in our names, with what it need not say."""
    value = {k: v for k, v in renamed(raw.value, FIELDS, mend=False).value.items() if k not in _LABEL}
    for side in ("a", "b"):
        text = value.get(f"claim_{side}_text")
        if not isinstance(text, str) or not text.strip():
            raise FieldFault(f"claim_{side}_text", "the text of the claim is missing")
        value.setdefault(f"claim_{side}_article_uid", f"text-{_digest(text)}")
    value.setdefault("domain", DOMAIN)
    sides = [f"{value[f'claim_{s}_article_uid']}:{value[f'claim_{s}_text']}" for s in ("a", "b")]
    value.setdefault("pair_id", f"pair-{_digest(*sorted(sides))}")
    return {**value, "conflict_type": ConflictType.NO_CONFLICT}


def _stand_in(values: Sequence[dict[str, Any]]) -> None:
    """Give every article without an abstract the claims that the file has of it."""
    known: dict[str, str] = {}
    claims: dict[str, dict[str, None]] = {}
    for value in values:
        for side in ("a", "b"):
            uid, abstract = str(value[f"claim_{side}_article_uid"]), value.get(f"abstract_{side}")
            if isinstance(abstract, str):
                known.setdefault(uid, abstract)
            claims.setdefault(uid, {})[value[f"claim_{side}_text"]] = None
    for value in values:
        for side in ("a", "b"):
            uid = str(value[f"claim_{side}_article_uid"])
            if value.get(f"abstract_{side}") is None:
                value[f"abstract_{side}"] = known.get(uid) or "\n".join(claims[uid])
                for name in ("start", "end", "sentence_start", "sentence_end"):
                    value.pop(f"claim_{side}_{name}", None)


def _task(row: PairRow) -> PairTask:
    scores = Scores(*(0.0,) * 6)
    a, b = (_claim(row, side) for side in ("a", "b"))
    pair = CandidatePair(row.pair_id, row.domain, a, b, scores, tuple(row.disagreement_signals))
    return PairTask(pair, _side(row, "a"), _side(row, "b"))


def _claim(row: PairRow, side: str) -> Claim:
    def given(name: str) -> Any:
        return getattr(row, f"claim_{side}_{name}")

    start, end = given("start"), given("end")
    abstract = getattr(row, f"abstract_{side}")
    if start is None or abstract is None:
        raise InputError(f"Claim {side} of pair {row.pair_id!r} has no place in its abstract.")
    cues = tuple(cue for cue in find_cues(abstract) if start <= cue.start and cue.end <= end)
    return Claim(
        claim_id=given("id") or f"claim-{_digest(given('article_uid'), given('text'))}",
        article_uid=given("article_uid"),
        domain=row.domain,
        start=start,
        end=end,
        text=given("text"),
        sentence_start=given("sentence_start"),
        sentence_end=given("sentence_end"),
        claim_type=given("type") or ClaimType.FACTUAL,
        confidence=1.0 if given("confidence") is None else given("confidence"),
        section=given("section"),
        direction=given("direction"),
        negated=given("negated"),
        entities=tuple(given("entities")),
        slots=given("slots").model_dump(),
        cues=cues,
        year=getattr(row, f"pub_year_{side}"),
        journal=getattr(row, f"journal_{side}"),
    )


def _side(row: PairRow, side: str) -> Side:
    names = ("abstract", "title", "journal", "pub_year")
    return Side(*(getattr(row, f"{name}_{side}") for name in names))


def _digest(*parts: str) -> str:
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def origins(labels: Sequence[Sequence[PairLabel]]) -> dict[str, int]:
    """Who made the label that speaks -> pairs."""
    speaking = [given[0].origin for given in labels]
    return {origin.value: speaking.count(origin) for origin in Origin if origin in speaking}
