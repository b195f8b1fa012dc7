"""The other names that files give the fields of a claim pair, and machine labels that do not fit the schema.

Other names are those of BioDivergence's tables (paper 004, Tables 26, 29, 30) that are not Table 30's, nested
parts included, and the short forms that follow from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from core.formats.rows import FieldFault, shown
from core.records import Axis, ConflictType

_SIDES = ("a", "b")
_OTHER = {
    "task_id": "example_id",
    "annotator": "annotator_id",
    "adjudication_notes": "notes",
    "axes": "divergence_axes",
    "confounder": "dominant_confounder",
    "semantic_similarity": "similarity",
    "mining_score": "combined_score",
    **{
        f"{name}_{s}": f"claim_{s}_{name}"
        for s in _SIDES
        for name in ("id", "text", "type", "article_uid", "entities", "slots")
    },
    **{f"claim_{name}_{s}": f"claim_{s}_{name}" for s in _SIDES for name in ("id", "text", "type")},
    **{f"year_{s}": f"pub_year_{s}" for s in _SIDES},
    **{f"claim_{s}_{name}": f"{name}_{s}" for s in _SIDES for name in ("pub_year", "journal")},
}
"""Another name -> ours."""

_CLAIM = {
    "claim_id": "claim_{}_id",
    "article_uid": "claim_{}_article_uid",
    "claim_text": "claim_{}_text",
    "text": "claim_{}_text",
    "claim_type": "claim_{}_type",
    "sentence_start": "claim_{}_sentence_start",
    "sentence_end": "claim_{}_sentence_end",
    "entities": "claim_{}_entities",
    "slots": "claim_{}_slots",
    "confidence": "claim_{}_confidence",
    "domain": "domain",
    "pub_year": "pub_year_{}",
    "journal": "journal_{}",
}
"""Fields of Table 26 in a nested claim."""

_GROUPS = (
    *("input", "gold", "gold_output", "gold_labels", "labels", "response", "annotation"),
    *("scores", "mining_scores", "publication_metadata", "pair_metadata"),
)
"""Objects whose members count as fields of the row."""

_LISTS = {
    "article_uids": "claim_{}_article_uid",
    "claim_ids": "claim_{}_id",
    "claim_texts": "claim_{}_text",
    "claim_types": "claim_{}_type",
    "pub_years": "pub_year_{}",
    "journals": "journal_{}",
}
"""Lists of two: side A, side B."""


class Renamed(NamedTuple):
    """A row in our names."""

    value: dict[str, Any]
    unframed: frozenset[int]
    """Positions in `evidence_spans` of spans that name no frame."""
    ignored: tuple[str, ...]
    """Fields that no name is known for."""


def renamed(value: Any, known: frozenset[str], *, mend: bool) -> Renamed:
    """A row as read, in our names; with `mend`, the label of a machine is made to fit the schema.

    Raises:
        FieldFault: the row is no object, or says two things under two names of one field.
    """
    if not isinstance(value, dict):
        raise FieldFault(None, f"expected an object, found {shown(value)}")
    row: dict[str, Any] = {}
    ignored = []
    spans: list[Any] = []
    for name, given, path in _flat(value, known):
        if name == "evidence_spans" or name in ("evidence_spans_a", "evidence_spans_b"):
            spans += _spans(given, name[-1] if name[-2] == "_" else None, path)
        elif name not in known:
            ignored.append(path)
        elif name in row and row[name] is not None and given is not None and row[name] != given:
            raise FieldFault(path, f"says {shown(given)}, while {name} is {shown(row[name])}")
        elif row.get(name) is None:
            row[name] = given
    for span in spans:
        if isinstance(span, dict) and span.get("side") in _SIDES and span.get("article_uid") is None:
            span["article_uid"] = row.get(f"claim_{span['side']}_article_uid")
    row["evidence_spans"] = spans
    _fill(row)
    if mend and row.get("label_origin") != "person":
        _mend(row)
    unframed = frozenset(
        i for i, span in enumerate(spans) if isinstance(span, dict) and span.get("frame") is None
    )
    for i in unframed:
        spans[i].pop("frame", None)
    return Renamed(row, unframed, tuple(ignored))


def _flat(value: dict[str, Any], known: frozenset[str], at: str = "") -> Iterator[tuple[str, Any, str]]:
    """(our name, value, path in the file) of every field, nested ones included."""
    for name, given in value.items():
        path = f"{at}{name}"
        if name in ("claim_a", "claim_b") and isinstance(given, dict):
            for inner, part in given.items():
                ours = _CLAIM.get(inner, f"claim_{{}}_{inner}").format(name[-1])
                yield ours, part, f"{path}.{inner}"
        elif name in _GROUPS and isinstance(given, dict):
            yield from _flat(given, known, f"{path}.")
        elif name in _LISTS and isinstance(given, list) and len(given) == 2:
            for side, part in zip(_SIDES, given, strict=True):
                yield _LISTS[name].format(side), part, path
        elif name == "annotator_ids" and isinstance(given, list):
            yield "annotator_id", ", ".join(map(str, given)) or None, path
        else:
            yield (name if name in known else _OTHER.get(name, name)), given, path


def _spans(given: Any, side: str | None, path: str) -> Iterator[Any]:
    if given is None:
        return
    if not isinstance(given, list):
        raise FieldFault(path, f"expected a list, found {shown(given)}")
    for span in given:
        value: Any = {"text": span} if isinstance(span, str) else span
        if isinstance(value, dict):
            value = dict(value)
            if "quote" in value and "text" not in value:
                value["text"] = value.pop("quote")
            if side is not None:
                value["side"] = side
        yield value


def _fill(row: dict[str, Any]) -> None:
    """What a row need not say: null where a list or an empty text is meant; the annotator of a heuristic."""
    for name in [name for name, given in row.items() if given is None]:
        del row[name]
    annotator = row.get("annotator_id")
    if "label_origin" not in row and isinstance(annotator, str) and annotator.startswith("heuristic"):
        row["label_origin"] = "heuristic"


# --- mending ----------------------------------------------------------------------------------------------


def _mend(row: dict[str, Any]) -> None:
    """What the annotator does with an off-schema answer (paper 004, section 5.2; metric-definitions 9.1)."""
    said = list(_mended(row))
    if said:
        row["repaired"] = True
        row["repairs"] = [*row.get("repairs", []), *said]


def _mended(row: dict[str, Any]) -> Iterator[str]:
    types, axes_known = {t.value for t in ConflictType}, {a.value for a in Axis}
    given = row.get("conflict_type")
    if not _in(given, types):
        yield f"conflict type {shown(given)} became no_conflict"
        row["conflict_type"] = ConflictType.NO_CONFLICT.value
    axes = row.get("divergence_axes", [])
    if isinstance(axes, list):
        kept = list(dict.fromkeys(axis for axis in axes if _in(axis, axes_known)))
        if dropped := [axis for axis in axes if not _in(axis, axes_known)]:
            yield f"off-schema axes dropped: {', '.join(shown(axis) for axis in dropped)}"
        if kept and row["conflict_type"] == ConflictType.NO_CONFLICT.value:
            yield f"axes of no_conflict dropped: {', '.join(kept)}"
            kept = []
        row["divergence_axes"] = kept
        confounder = row.get("dominant_confounder")
        if confounder is not None and confounder not in kept:
            yield f"confounder {shown(confounder)} dropped: it is not among the axes"
            row["dominant_confounder"] = None


def _in(value: Any, known: Iterable[str]) -> bool:
    return isinstance(value, str) and value in known
