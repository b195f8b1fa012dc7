"""Mentions with edges in the keys of the published data set (ontology enrichment, section 4), one a line.

Mention level: a row for each mention, its edges joined by `|`, parent and child of each by `-`. Pair level: a
row for each pair of mention and edge. Both are UTF-8 without a byte order mark. Where the published files say
`SCTID-less`, `SCTID_NULL` and `SCTID_THING`, ours say NIL, NULL and the root's id. What is ours in addition
(`mention_id`, `concept_id`, `text`, `edges`) makes a file of mention level a gold file of
`core.formats.mentions`: of mentions with edges and, without `edges`, of linked mentions. A `-` may stand
within an id: `edges`, or the pair level, part the two for certain.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

NIL, NULL = "NIL", "NULL"


class _Row(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, populate_by_name=True)

    context_left: str = Field(description="At most 128 words before the mention.")
    mention: str
    context_right: str
    label_concept: str = Field(description="Id in the older version, or NIL.")
    label_concept_ori: str = Field(description="Id in the newer version; in the older one of what is gone.")
    label_concept_UMLS: str | None = Field(default=None, description="Always null here.")
    doc_id: str
    start: int = Field(ge=0, description="In code points of the document's text.")
    end: int = Field(ge=0, description="Exclusive.")
    corpus: str
    split: Literal["train", "valid", "test"] = Field(description="Of the document.")
    old: str = Field(description="NAME@VERSION of the older version.")
    new: str = Field(description="NAME@VERSION of the newer version.")


class EdgeEnds(BaseModel):
    """A place for a concept: below the parent, above the child."""

    parent: str
    child: str | None = Field(default=None, description="null: none, the concept is a leaf.")


class MentionRow(_Row):
    """A mention with all its edges."""

    model_config = ConfigDict(title="Mention (published keys)")

    label: str = Field(description="Definition of the concept in the older version; empty where it has none.")
    label_id: int = Field(ge=0, description="Row of the concept in entities.jsonl, from 0; NIL has the last.")
    label_title: str = Field(description="Name of the concept in the older version, or NIL.")
    parents_concept: str = Field(description="Ids joined by |, each once.")
    parents: str = Field(description="The same in words.")
    children_concept: str = Field(description="Ids or NULL joined by |, each once.")
    children: str = Field(description="The same in words.")
    parents_children_concept: str = Field(
        alias="parents-children_concept", description="Every edge as parent-child, joined by |."
    )
    mention_id: str
    concept_id: str = Field(description="As label_concept.")
    text: str = Field(description="As mention.")
    edges: list[EdgeEnds] | None = Field(default=None, description="Left out in the files for discovery.")
    complex: bool = Field(description="Whether an edge has a complex parent.")
    hops: list[int] = Field(description="Of each edge, 1 or 2.")


class PairRow(_Row):
    """A mention with one of its edges."""

    model_config = ConfigDict(title="Mention and edge (published keys)")

    entity_label_id: int = Field(ge=0, description="As label_id of the mention level.")
    entity_label: str = Field(description="As label of the mention level.")
    entity_label_title: str = Field(description="As label_title of the mention level.")
    parent_concept: str
    child_concept: str = Field(description="Id, or NULL.")
    parent: str = Field(description="Name, or a complex concept in words.")
    child: str
    edge_label_id: int = Field(ge=0, description="Row of the edge in edges.jsonl, from 0.")
    mention_id: str
    complex: bool
    hops: int = Field(ge=1, le=2)
