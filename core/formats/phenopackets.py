"""Phenopackets, version 2, as JSON: the findings of one individual each, present or excluded.

Read are a Phenopacket, a Cohort of them, the proband of a Family, or several Phenopackets one after another
(a list, or JSONL); names of fields as in JSON (`phenotypicFeatures`) or as in the schema
(`phenotypic_features`). A document goes by the `id` of its Phenopacket, by that of its subject, or by the
name of its file. A feature that is `excluded` is negated. Of evidence, only what this writer and Phentrieve
write is read: a quote with its place, a score. Everything else a Phenopacket can say (onset, severity,
diseases, variants ...) is counted.

Written is a Cohort, one member a document, one feature a concept: affirmed beats negated, as everywhere. A
quote is a reference of the evidence, its place in it as a fragment of RFC 5147 (`#char=20,28`, in code
points). There is no place for a text, a status `uncertain`, a class or a score: what is left out for that
is counted.

The project's own reader serves better than the package `phenopackets` 2.0.2, which needs an older protobuf
than Streamlit's, refuses a file as a whole for one unknown field, and names no line.
https://phenopacket-schema.readthedocs.io/en/latest/phenotype.html
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, BinaryIO

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from core.formats import foreign
from core.formats.assemble import first_fault
from core.formats.documents import Metadata
from core.formats.json import dumps, values
from core.formats.rows import Notes, Raw, RowError, Unread, shown
from core.formats.source import Source
from core.records import Annotation, Assertion, Document

STATED = {"id": "ECO:0000033", "label": "author statement supported by traceable reference"}
"""The evidence code of a finding that a text states, as the documentation of the schema uses it."""
_PLACE = re.compile(r"#char=([0-9]{1,10}),([0-9]{1,10})")
_OF_PHENTRIEVE = re.compile(
    r"Phentrieve retrieval confidence: (?P<score>[0-9.]+)(?:, Rank: .*)?(?: \| Assertion: (?P<status>\w+))?"
    r"(?: \| Chunk: [0-9]+)?(?: \| Source text: (?P<quote>.*))?",
    re.DOTALL,
)
_IRI = "http://purl.obolibrary.org/obo/"


class _Model(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class _Class(_Model):
    id: str
    label: str | None = None


class _Reference(_Model):
    id: str = ""
    reference: str = ""
    description: str = ""


class _Evidence(_Model):
    reference: _Reference = _Reference()


class _Feature(_Model):
    type: _Class
    excluded: Annotated[bool, Field(validation_alias=AliasChoices("excluded", "negated"))] = False
    description: str | None = None
    evidence: list[_Evidence] = []


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """One document for each Phenopacket; it has no text of its own."""
    return {}, _documents(source, notes)


def _documents(source: Source, notes: Notes) -> Iterator[Raw | RowError]:
    number = 0
    for line, value in values(source):
        for packet in _packets(value, notes):
            number += 1
            yield _document(packet, line, source, notes, alone=number == 1)


def _packets(value: Any, notes: Notes) -> list[Any]:
    if not isinstance(value, dict):
        return [value]
    if isinstance(members := value.get("members"), list):
        return members
    if "proband" in value:
        notes.left_out["Relatives in a Family"] += len(value.get("relatives") or ())
        return [value["proband"]]
    return [value]


def _document(value: Any, line: int, source: Source, notes: Notes, *, alone: bool) -> Raw | RowError:
    if not isinstance(value, dict):
        return RowError(source.name, line, None, None, "expected a Phenopacket, an object", value)
    features = value.get("phenotypicFeatures", value.get("phenotypic_features", []))
    subject = value.get("subject")
    names = [value.get("id"), subject.get("id") if isinstance(subject, dict) else None]
    names += [source.stem, source.path.name] if alone else []
    known = [name for name in names if isinstance(name, str) and name.strip()]
    if not isinstance(features, list):
        return RowError(
            source.name, line, next(iter(known), None), "phenotypicFeatures", "expected a list", value
        )
    if not known or not ({"id", "phenotypicFeatures", "phenotypic_features"} & value.keys()):
        return RowError(source.name, line, None, None, "has no id and no phenotypicFeatures", value)
    held = ("id", "subject", "phenotypicFeatures", "phenotypic_features", "metaData", "meta_data")
    notes.left_out.update(f"Field {shown(key)}" for key, part in value.items() if key not in held and part)
    annotations = [found for feature in features for found in _annotations(feature, notes)]
    return Raw({"doc_id": known[0], "annotations": annotations}, line, given=value, names=tuple(known[1:]))


def _annotations(value: Any, notes: Notes) -> list[Any]:
    """One annotation for each quote of a feature, or one for the document."""
    try:
        feature = _Feature.model_validate(value)
        about: dict[str, Any] = {
            "concept_id": feature.type.id,
            "label": feature.type.label,
            "assertion_status": "negated" if feature.excluded else "affirmed",
            "reason": feature.description or None,
        }
        places = [found for one in feature.evidence if (found := _said(one.reference, notes))]
    except ValidationError as failure:
        field, cause = first_fault(failure)
        return [Unread(f"{field}: {cause}" if field else cause, value)]
    except ValueError as cause:
        return [Unread(str(cause), value)]
    further = feature.model_extra or {}
    notes.left_out.update(f"Field {shown(key)} of a feature" for key, part in further.items() if part)
    return [{**about, **place} for place in places or [{}]]


def _said(reference: _Reference, notes: Notes) -> dict[str, Any]:
    """What a piece of evidence says that the schema has fields for."""
    if match := _PLACE.fullmatch(reference.reference):
        place = {"start_offset": int(match[1]), "end_offset": int(match[2])}
        return {**place, **({"text_span": reference.description} if reference.description else {})}
    if reference.id == "phentrieve" and (match := _OF_PHENTRIEVE.fullmatch(reference.description)):
        found: dict[str, Any] = {"text_span": match["quote"]} if match["quote"] else {}
        found |= {"assertion_status": foreign.status(match["status"])} if match["status"] else {}
        return {**found, "confidence": foreign.score(match["score"], notes)}
    return _counted(notes) if reference.id or reference.reference or reference.description else {}


def _counted(notes: Notes) -> dict[str, Any]:
    notes.left_out["References given as evidence"] += 1
    return {}


# --- writing ----------------------------------------------------------------------------------------------


def write(metadata: Metadata, documents: Iterable[Document], out: BinaryIO) -> dict[str, int]:
    """Write a Cohort; returns how often each field had to be left out."""
    about = metadata.value()
    _, _, version = str(about.get("ontology", "")).partition("@")
    left_out = Counter(name for name in about if name not in ("dataset_id", "ontology"))
    prefixes: set[str] = set()
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    out.write(b'{"id": ' + dumps(metadata.dataset_id or "touchstone") + b',\n "members": [')
    for index, document in enumerate(documents):
        features = list(_features(document, left_out))
        mine = {feature["type"]["id"].partition(":")[0] for feature in features}
        prefixes |= mine
        packet = {"id": document.doc_id, "subject": {"id": document.doc_id}, "phenotypicFeatures": features}
        packet["metaData"] = _meta(mine, version, created)
        out.write((b"," if index else b"") + b"\n  " + dumps(packet))
    out.write(b'\n],\n "metaData": ' + dumps(_meta(prefixes, version, created)) + b"}\n")
    return dict(left_out)


def _features(document: Document, left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    left_out["text"] += 1
    left_out.update(name for name in ("title", "article") if getattr(document, name) is not None)
    left_out.update(document.meta.keys())
    by_concept: dict[str, list[Annotation]] = {}
    for annotation in document.annotations:
        by_concept.setdefault(annotation.concept, []).append(annotation)
    for concept, group in by_concept.items():
        status = _status({a.assertion for a in group})
        held = [a for a in group if a.assertion is status]
        left_out.update(f"{a.assertion.value} annotations" for a in group if a.assertion is not status)
        for a in held:
            left_out.update(n for n in ("concept_class", "confidence", "run") if getattr(a, n) is not None)
        if held:
            yield _feature(concept, held, document.doc_id, left_out)


def _status(statuses: set[Assertion]) -> Assertion | None:
    """What a feature can be: present or excluded. A finding that is uncertain at best is neither."""
    if Assertion.AFFIRMED in statuses:
        return Assertion.AFFIRMED
    return (
        Assertion.NEGATED if Assertion.NEGATED in statuses and Assertion.UNCERTAIN not in statuses else None
    )


def _feature(concept: str, group: list[Annotation], doc_id: str, left_out: Counter[str]) -> dict[str, Any]:
    label = next((a.label for a in group if a.label), None)
    reasons = dict.fromkeys(a.reason for a in group if a.reason)
    feature: dict[str, Any] = {"type": {"id": concept, **({"label": label} if label else {})}}
    feature |= {"excluded": True} if group[0].assertion is Assertion.NEGATED else {}
    feature |= {"description": "; ".join(reasons)} if reasons else {}
    places = dict.fromkeys(a.span for a in group if a.span is not None)
    if places:
        feature["evidence"] = [
            {
                "evidenceCode": STATED,
                "reference": {
                    "id": doc_id,
                    "reference": f"#char={place.start},{place.end}",
                    "description": place.quote,
                },
            }
            for place in places
        ]
    if lost := sum(a.ungrounded is not None for a in group):
        left_out["quotes that are not in the text"] += lost
    return feature


def _meta(prefixes: set[str], version: str, created: str) -> dict[str, Any]:
    """The MetaData that the schema asks for: a resource for each prefix of an id."""
    return {
        "created": created,
        "createdBy": "Touchstone",
        "resources": [
            {
                "id": prefix.lower(),
                "name": prefix,
                "url": f"{_IRI}{prefix.lower()}.owl",
                "version": version if prefix != "ECO" and version else "unknown",
                "namespacePrefix": prefix,
                "iriPrefix": f"{_IRI}{prefix}_",
            }
            for prefix in sorted(prefixes | {"ECO"})
        ],
        "phenopacketSchemaVersion": "2.0",
    }
