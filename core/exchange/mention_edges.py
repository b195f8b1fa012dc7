"""The data sets of ontology enrichment as a folder: mentions of gold with the edges of their concepts.

discovery-train.jsonl ...     linked mentions: which concept of the older version, or NIL
placement-train.jsonl ...     mentions with edges, or pairs of them
entities.jsonl, edges.jsonl   the catalogues; the number of a row is the id that mentions name
statistics.json, README.md    the counts, and what must be known
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.enrichment.card import Level, card
from core.enrichment.catalogue import Edge, Null, catalogue
from core.enrichment.mention_edges import SPLITS, Linked, Mention, link
from core.enrichment.releases import Releases
from core.errors import InputError
from core.exchange.atomic import appearing, replacing
from core.exchange.gold import gold_documents
from core.formats.published_edges import NIL, NULL
from core.ontology.expressions import Definition, Words, comments, definitions
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Ontology
from core.store import Workspace, ontologies


class _Rows:
    """Mentions as rows of files."""

    def __init__(self, releases: Releases, words: Words, old: str, new: str):
        self.releases, self.words = releases, words
        self._versions = {"old": old, "new": new}
        self.entities = sorted(releases.branch)
        self._number = {curie: number for number, curie in enumerate(self.entities)}

    def entity(self, curie: str | None) -> dict[str, Any]:
        if curie is None:
            return {"label_id": len(self.entities), "label_title": NIL, "label": ""}
        concept = self.releases.concepts[curie]
        number = self._number[curie]
        return {"label_id": number, "label_title": concept.name, "label": concept.definition or ""}

    def _shared(self, m: Mention) -> dict[str, Any]:
        return {
            "context_left": m.context_left,
            "mention": m.text,
            "context_right": m.context_right,
            "label_concept": m.concept or NIL,
            "label_concept_ori": m.now,
            "label_concept_UMLS": None,
            "mention_id": m.id,
            "doc_id": f"{m.corpus}:{m.doc_id}",
            "start": m.start,
            "end": m.end,
            "corpus": m.corpus,
            "split": m.split,
            **self._versions,
        }

    def mention(self, m: Mention, *, with_edges: bool) -> dict[str, Any]:
        parents = list(dict.fromkeys(edge.parent for edge in m.edges))
        children = list(dict.fromkeys(edge.child for edge in m.edges))
        pairs = [f"{edge.parent}-{edge.child or NULL}" for edge in m.edges]
        ends = [{"parent": edge.parent, "child": edge.child} for edge in m.edges]
        return {
            **self._shared(m),
            **self.entity(m.concept),
            "parents_concept": "|".join(parents),
            "parents": "|".join(map(self.words.of, parents)),
            "children_concept": "|".join(child or NULL for child in children),
            "children": "|".join(map(self.words.of, children)),
            "parents-children_concept": "|".join(pairs),
            "concept_id": m.concept or NIL,
            "text": m.text,
            **({"edges": ends} if with_edges else {}),
            "complex": m.is_complex,
            "hops": [edge.hops for edge in m.edges],
        }

    def pairs(self, m: Mention) -> Iterator[dict[str, Any]]:
        entity = {f"entity_{name}": value for name, value in self.entity(m.concept).items()}
        for edge in m.edges:
            yield {
                **self._shared(m),
                **entity,
                "parent_concept": edge.parent,
                "child_concept": edge.child or NULL,
                "parent": self.words.of(edge.parent),
                "child": self.words.of(edge.child),
                "edge_label_id": self.releases.number(edge),
                "complex": edge.is_complex,
                "hops": edge.hops,
            }


def _edges(edges: Iterable[Edge], words: Words) -> Iterator[dict[str, Any]]:
    for number, edge in enumerate(edges):
        yield {
            "edge_label_id": number,
            "parent_concept": edge.parent,
            "child_concept": edge.child or NULL,
            "parent": words.of(edge.parent),
            "child": words.of(edge.child),
            "complex": edge.is_complex,
            "hops": edge.hops,
        }


def write_edges(
    workspace: Workspace,
    reference: str,
    out: Path | None,
    *,
    root: str | None = None,
    complex_file: Path | None = None,
    null: Null = "every",
) -> dict[str, Any]:
    """Count the edges of one version, and write them where `out` is named.

    Raises:
        InputError, NotFoundError: there is no such version or root, or the file cannot be written.
    """
    row = ontologies.find_ontology(workspace, reference)
    ontology = ontologies.read_ontology(workspace, row.name, row.version)
    top = _root(root, row)
    logic, labels = _logic(complex_file, ontology)
    live = {c.curie: c for c in ontology.concepts if not c.obsolete}
    lineage = Lineage(live, ((c.curie, parent) for c in live.values() for parent in c.parents))
    found = catalogue(lineage, top, logic, null)
    if out is not None:
        words = Words({**labels, **{curie: concept.name for curie, concept in live.items()}})
        with replacing(out) as file:
            file.writelines(f"{_json(one)}\n".encode() for one in _edges(found.edges, words))
    return {"ontology": row.reference, "root": top, "null": null, "counts": found.counts()}


def _root(given: str | None, row: ontologies.OntologyRow) -> str:
    if (top := given or row.root) is None:
        raise InputError(f"{row.reference} states no root. Name the branch with --root.")
    return top


def _logic(file: Path | None, ontology: Ontology) -> tuple[dict[str, Definition], dict[str, str]]:
    """(logical definitions, labels of what they name) of a file; without one those of the ontology."""
    if file is None:
        return definitions(ontology.concepts), {}
    return definitions(load(file, name="definitions").concepts), comments(file)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def write_mention_edges(
    workspace: Workspace,
    gold: Sequence[str],
    old: str,
    new: str,
    out: Path,
    *,
    level: Level = "mention",
    root: str | None = None,
    complex_file: Path | None = None,
    null: Null = "every",
    strict: bool = False,
) -> dict[str, Any]:
    """Write the data sets of one or several gold references, and return their statistics.

    Args:
        root: default: that of the older version.
        complex_file: an ontology file with logical definitions by the ids of either version.
        strict: leave documents with NIL mentions out of the train and valid parts of placement.

    Raises:
        InputError, NotFoundError: no such gold or version, no mention, or the folder holds something.
    """
    rows = [ontologies.find_ontology(workspace, reference) for reference in (old, new)]
    older, newer = (ontologies.read_ontology(workspace, row.name, row.version) for row in rows)
    top = _root(root, rows[0])
    logic, labels = _logic(complex_file, newer)
    releases = Releases(older, newer, top, logic, null)
    words = Words({**labels, **releases.names})
    selections = [gold_documents(workspace, reference) for reference in gold]
    linked = link([(one.corpus, one.documents) for one in selections], releases)
    if not linked.mentions:
        said = ", ".join(f"{count} {reason}" for reason, count in linked.left_out.items())
        raise InputError(f"{', '.join(gold)} holds no mention to use ({said or 'it is empty'}).")
    references = [one.gold or one.corpus for one in selections]
    statistics = {
        "gold": references,
        "old": rows[0].reference,
        "new": rows[1].reference,
        "root": top,
        "null": null,
        "strict": strict,
        "complex": complex_file.name if complex_file else None,
        "new_concepts": len(releases.new),
        "ontology": releases.catalogue.counts(),
        "mentions": linked.counts(strict=strict),
        "left_out": dict(linked.left_out),
    }
    made = _Rows(releases, words, rows[0].reference, rows[1].reference)
    with appearing(out) as folder:
        _write(folder, made, linked, level, strict)
        _text(folder / "statistics.json", [json.dumps(statistics, indent=2, ensure_ascii=False)])
        _text(folder / "README.md", card(statistics, level))
    return statistics


def _write(folder: Path, made: _Rows, linked: Linked, level: Level, strict: bool) -> None:
    for split in SPLITS:
        found = (made.mention(m, with_edges=False) for m in linked.discovery(split))
        _lines(folder / f"discovery-{split}.jsonl", found)
        placed = linked.placement(split, strict=strict)
        rows: Iterable[dict[str, Any]] = (made.mention(m, with_edges=True) for m in placed)
        if level == "pair":
            rows = (row for m in placed for row in made.pairs(m))
        _lines(folder / f"placement-{split}.jsonl", rows)
    entities = ({"label_concept": curie, **made.entity(curie)} for curie in made.entities)
    _lines(folder / "entities.jsonl", entities, {"label_concept": NIL, **made.entity(None)})
    _lines(folder / "edges.jsonl", _edges(made.releases.catalogue.edges, made.words))


def _lines(path: Path, rows: Iterable[dict[str, Any]], *last: dict[str, Any]) -> None:
    _text(path, map(_json, (*rows, *last)))


def _text(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
