"""BioC, as XML or JSON: documents of passages, each with its offset in the document and its annotations.

Read as the Python library `bioc` 2.1 writes it, as the PubTator 3 and BioC-PMC services export it, and as
PhenoTagger labels it: a collection, a list of collections, `{"PubTator3": [...]}`, or documents one after
another (JSONL). The text is that of the passages (or of their sentences) at their offsets, with line feeds
between them. Offsets of annotations count from the start of the document.

    identifier, concept_id, hpo_id ...   infons that name the concept, several with | + ; or , between them
    type                                 gives ids without a prefix that of its database, as in PubTator
    score, confidence                    a confidence, if it is in [0, 1]
    assertion, status, negated ...       a status

A mention of several locations gets a quote for each. Mentions that name no concept, relations and other
infons are counted. Read by the project's own code: `bioc` refuses the relations of PubTator 3, names no
place of a fault, expands entities and keeps a whole file in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.errors import InputError
from core.formats import foreign
from core.formats.assemble import first_fault
from core.formats.grounding import length
from core.formats.json import values
from core.formats.rows import FieldFault, Notes, OffsetUnit, Raw, RowError, Unread, shown
from core.formats.source import Source
from core.formats.strict_json import LARGEST
from core.formats.xml_records import PIECE, records

WIDEST_GAP = 10_000
"""Characters between two passages; more is no gap, but a wrong offset."""

_CONCEPT = (
    "identifier",
    "concept_id",
    "hpo_id",
    "hpo",
    "go_id",
    "obo_id",
    "mesh",
    "omim",
    "umls",
    "ontology_id",
)
_SCORE = ("score", "confidence", "probability")
_STATUS = ("assertion_status", "assertion", "status")
_NEGATED = ("negated", "negation", "excluded")
_LABEL = ("label", "name", "preferred_term")
_MEANT = (*_CONCEPT, *_SCORE, *_STATUS, *_NEGATED, *_LABEL, "type")
_PREFIXED = {"mesh": "MESH:", "omim": "OMIM:", "umls": "UMLS:"}
_WHOLE = re.compile(r"[0-9]{1,10}")


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and _WHOLE.fullmatch(value.strip()) else value


Offset = Annotated[int, Field(ge=0, le=LARGEST), BeforeValidator(_number)]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class _Location(_Model):
    offset: Offset
    length: Annotated[int, Field(ge=1, le=LARGEST), BeforeValidator(_number)]


class _Annotation(_Model):
    infons: dict[str, Any] = {}
    text: str | None = None
    locations: list[_Location] = []


class _Holder(_Model):
    annotations: list[Any] = []
    relations: list[Any] = []


class _Sentence(_Holder):
    offset: Offset = 0
    text: str | None = None


class _Passage(_Sentence):
    infons: dict[str, Any] = {}
    sentences: list[_Sentence] = []


class _Document(_Holder):
    id: Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
    infons: dict[str, Any] = {}
    passages: list[_Passage]


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Documents of a BioC file. What a collection says about itself is not kept."""
    documents = _of_xml(source) if source.holds_markup() else _of_json(source)
    return {}, (_document(value, line, source, notes) for line, value in documents)


def _of_json(source: Source) -> Iterator[tuple[int, Any]]:
    for line, value in values(source):
        held = value
        if isinstance(value, dict) and "passages" not in value:
            held = value.get("documents", value.get("PubTator3"))
        if isinstance(held, list):
            yield from ((line, one) for one in held)
        elif isinstance(held, dict):
            yield line, held
        else:
            raise InputError(
                f"{source.name}, line {line}: neither a BioC collection nor a document with passages. "
                "Name its --format."
            )


# --- XML --------------------------------------------------------------------------------------------------


def _of_xml(source: Source) -> Iterator[tuple[int | None, Any]]:
    for element, line in records(source.pieces(PIECE), source.name, {"collection": ("document",)}):
        if element.tag == "document":
            yield line, {"id": element.findtext("id"), **_holder(element, "passage")}


def _holder(element: Any, within: str | None = None) -> dict[str, Any]:
    """A document, passage or sentence in the shape of BioC JSON."""
    value: dict[str, Any] = {
        "infons": _infons(element),
        "annotations": [_annotation_value(one) for one in element.findall("annotation")],
        "relations": [dict(one.attrib) for one in element.findall("relation")],
    }
    for name in ("offset", "text"):
        if (found := element.find(name)) is not None:
            value[name] = found.text or ""
    if within is not None:
        inner = "sentence" if within == "passage" else None
        value[f"{within}s"] = [_holder(one, inner) for one in element.findall(within)]
    return value


def _annotation_value(element: Any) -> dict[str, Any]:
    return {
        "infons": _infons(element),
        "text": element.findtext("text"),
        "locations": [dict(one.attrib) for one in element.findall("location")],
    }


def _infons(element: Any) -> dict[str, Any]:
    return {one.get("key", ""): one.text or "" for one in element.findall("infon")}


# --- documents --------------------------------------------------------------------------------------------


def _document(value: Any, line: int | None, source: Source, notes: Notes) -> Raw | RowError:
    given = value.get("id") if isinstance(value, dict) else None
    name = str(given) if isinstance(given, str | int) else None
    try:
        document = _Document.model_validate(value)
        text, holders = _text(document, source.offsets)
    except ValidationError as failure:
        field, cause = first_fault(failure)
        return RowError(source.name, line, name, field, cause, value)
    except FieldFault as overlap:
        return RowError(source.name, line, name, overlap.field, str(overlap), value)
    annotations: list[Any] = []
    everywhere: list[_Holder] = [*holders, document]
    for holder in everywhere:
        notes.relations += len(holder.relations)
        for one in holder.annotations:
            annotations += _annotations(one, notes)
    titles = [p.text for p in document.passages if p.infons.get("type") in ("title", "front") and p.text]
    meta = {
        key: infon for key, infon in document.infons.items() if key not in ("text", "annotations", "title")
    }
    row = {**meta, "doc_id": document.id, "annotations": annotations}
    row |= {"text": text} if text.strip() else {}
    row |= {"title": titles[0]} if titles else {}
    return Raw(row, line, given=value)


def _text(document: _Document, unit: OffsetUnit) -> tuple[str, list[_Sentence]]:
    """The text of all passages at their offsets, and what holds annotations.

    Raises:
        FieldFault: a passage starts before the one before it ends, or far behind it.
    """
    parts: list[str] = []
    holders: list[_Sentence] = []
    end = 0
    for number, passage in enumerate(document.passages):
        holders += [passage, *passage.sentences]
        for held in [passage] if passage.text else passage.sentences:
            gap = held.offset - end
            if not 0 <= gap <= WIDEST_GAP:
                cause = f"the offset is {held.offset}, and the text before it ends at {end}"
                raise FieldFault(
                    f"passages[{number}].offset", f"{cause}. Its --offsets may count another unit"
                )
            text = held.text or ""
            parts += ["\n" * gap, text]
            end = held.offset + length(text, unit)
    return "".join(parts), holders


def _annotations(value: Any, notes: Notes) -> list[Any]:
    try:
        annotation = _Annotation.model_validate(value)
        infons = {key.casefold(): infon for key, infon in annotation.infons.items()}
        found = _fields(infons, notes)
    except ValidationError as failure:
        field, cause = first_fault(failure)
        return [Unread(f"{field}: {cause}" if field else cause, value)]
    except ValueError as cause:
        return [Unread(str(cause), value)]
    ids = found.pop("ids")
    if not ids:
        notes.without_concept += 1
        return []
    notes.left_out.update(f"Infon {shown(key)}" for key in infons if key not in _MEANT)
    notes.pieces += len(annotation.locations) > 1
    places: list[dict[str, Any]] = [
        {"start_offset": one.offset, "end_offset": one.offset + one.length} for one in annotation.locations
    ]
    if len(places) < 2 and annotation.text:
        places = [{**place, "text_span": annotation.text} for place in places or [{}]]
    return [{"concept_id": one, **found, **place} for one in ids for place in places or [{}]]


def _fields(infons: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """What infons say, in the fields of the schema, and the ids that they name.

    Raises:
        ValueError: an id, a score or a status that cannot be made out.
    """

    def first(keys: tuple[str, ...]) -> tuple[str, Any]:
        return next(((key, infons[key]) for key in keys if infons.get(key) not in (None, "")), ("", None))

    key, cell = first(_CONCEPT)
    if cell is not None and not isinstance(cell, str | int):
        raise ValueError(f"infons.{key}: expected an id, found {shown(cell)}")
    kind = str(infons.get("type", ""))
    cell = "" if cell is None else str(cell)
    if key in _PREFIXED and cell not in ("", "-") and ":" not in cell:
        cell = _PREFIXED[key] + cell
    fields: dict[str, Any] = {"ids": foreign.curies(cell, kind)}
    if not fields["ids"]:
        return fields
    fields["assertion_status"] = foreign.status(first(_STATUS)[1])
    if str(first(_NEGATED)[1]).strip().casefold() in ("true", "yes", "1", "negated"):
        fields["assertion_status"] = "negated"
    fields |= {"confidence": score} if (score := foreign.score(first(_SCORE)[1], notes)) is not None else {}
    fields |= {"label": label} if isinstance(label := first(_LABEL)[1], str) else {}
    return fields
