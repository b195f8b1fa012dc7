"""The file formats as JSON Schema, generated from the models. `python -m core.formats.schemas` writes them.

Every export validates against them. A line of a JSONL file validates against the schema of a line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from core.formats.claim_rows import AdjudicatedRow, ClaimRow, TaskRow
from core.formats.decisions import DecisionRow, DecisionsFile
from core.formats.documents import DocumentRow, DocumentsFile, MetadataLine
from core.formats.index_answers import AnswerRow
from core.formats.manifest import Manifest
from core.formats.mentions import EdgesMetadataLine, EdgesRow, LinkRow
from core.formats.pairs import CandidateRow, PairRow, PairsFile
from core.formats.paper003 import StrictFile
from core.formats.published_edges import MentionRow
from core.formats.published_edges import PairRow as EdgePairRow

FOLDER = Path(__file__).parents[2] / "data" / "schemas"

SCHEMAS: dict[str, Any] = {
    "adjudicated-pairs-line": AdjudicatedRow,
    "annotation-tasks-line": TaskRow,
    "candidate-pairs-line": CandidateRow,
    "claim-pairs": PairsFile,
    "claim-pairs-line": PairRow,
    "claims-line": ClaimRow,
    "concept-documents": DocumentsFile,
    "concept-documents-line": DocumentRow | MetadataLine,
    "concept-documents-paper003": StrictFile,
    "decisions": DecisionsFile,
    "decisions-line": DecisionRow,
    "linked-mentions-line": LinkRow,
    "manifest": Manifest,
    "mention-edges-line": EdgesRow | EdgesMetadataLine,
    "mention-edges-mention-line": MentionRow,
    "mention-edges-pair-line": EdgePairRow,
    "raw-indices-line": AnswerRow,
}
"""Name to the model of one file, or of one line."""


class _Plain(GenerateJsonSchema):
    """Without a title for each field that only repeats its name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one format, by its name in `SCHEMAS`."""
    found = TypeAdapter(SCHEMAS[name]).json_schema(by_alias=True, mode="validation", schema_generator=_Plain)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:touchstone:{name}",
        **found,
    }


def text(name: str) -> str:
    """The schema as its file holds it."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def path(name: str) -> Path:
    return FOLDER / f"{name}.schema.json"


def write_all() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SCHEMAS:
        path(name).write_text(text(name), encoding="utf-8")


if __name__ == "__main__":
    write_all()
