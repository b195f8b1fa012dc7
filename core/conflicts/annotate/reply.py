"""The form of a model's answer on a pair: strict in the schema that is told, open on reading.

Every value passes, so that what is off the schema reaches `repair` and is told there. An object with none of
the fields that make a label is no answer: it is asked for again.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import WithJsonSchema

from core.llm import Checked
from core.llm.fields import Reply
from core.records import Axis, ConflictType, Direction

ROLES = ("finding", "context")

_TYPE = {"type": "string", "enum": [one.value for one in ConflictType]}
_AXIS = {"type": "string", "enum": [one.value for one in Axis]}
_QUOTES = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"quote": {"type": "string"}, "role": {"type": "string", "enum": list(ROLES)}},
    },
}

_PICO = {
    "type": "object",
    "properties": {
        **{
            name: {"type": ["string", "null"]}
            for name in ("population", "intervention", "comparator", "outcome")
        },
        "direction": {"type": "string", "enum": [one.value for one in Direction]},
    },
}

_LABEL = ("conflict_type", "divergence_axes", "dominant_confounder", "comparable")
"""Fields of which an answer has one at least."""


class Labelled(Reply):
    """A label as a model gives it. The evidence comes before the type: what is read off the texts first
    is not made to fit a choice."""

    side_a: Annotated[Any, WithJsonSchema(_PICO)] = None
    side_b: Annotated[Any, WithJsonSchema(_PICO)] = None
    """What each side is about: asked for first, and kept in the stored answer alone."""
    comparable: Annotated[Any, WithJsonSchema({"type": "boolean"})] = None
    evidence_a: Annotated[Any, WithJsonSchema(_QUOTES)] = None
    evidence_b: Annotated[Any, WithJsonSchema(_QUOTES)] = None
    conflict_type: Annotated[Any, WithJsonSchema(_TYPE)] = None
    divergence_axes: Annotated[Any, WithJsonSchema({"type": "array", "items": _AXIS})] = None
    dominant_confounder: Annotated[Any, WithJsonSchema({"anyOf": [_AXIS, {"type": "null"}]})] = None
    reconciliation: Annotated[Any, WithJsonSchema({"type": "string"})] = None
    confidence: Annotated[Any, WithJsonSchema({"type": "number"})] = None
    notes: Annotated[Any, WithJsonSchema({"type": "string"})] = None


def check(reply: Labelled, repairs: tuple[str, ...]) -> Checked[Labelled]:
    """The reply with what is repaired in it; to be asked again if it holds no label at all."""
    if not reply.model_fields_set & set(_LABEL):
        return Checked(reply, (), (f"The object has none of the fields {', '.join(_LABEL)}.",))
    return Checked(reply, repairs)
