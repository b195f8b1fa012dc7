"""Two files of mentions, told by what they hold: linked to concepts, or with edges to place them at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.evaluate.concept_scope import Scope
from core.evaluate.evaluation import Evaluation
from core.evaluate.families import discovery, placement
from core.evaluate.families.result import FamilyResult
from core.evaluate.inputs.options import Options
from core.evaluate.settings import Settings
from core.formats.mentions import EdgesRow, MentionRow, Row, mentions_in, read_edges, read_links
from core.formats.rows import shown
from core.formats.source import Source
from core.metrics.discovery import NIL, Case
from core.metrics.placement import Edge, ranked
from core.ontology.lineage import Lineage
from core.store.workspace import Workspace

PLAIN = Settings(about="mentions")
KINDS = {"links": "linked mentions", "edges": "mentions with edges"}


def evaluate_mentions(
    predictions: Path, gold: Path, settings: Settings = PLAIN, scope: Scope | None = None
) -> Evaluation:
    """Score linked mentions (discovery), or ranked edges (placement), whichever the files hold.

    Args:
        scope: of the older version of the ontology: its alternative ids are read on both sides, a gold
            concept that it lacks is NIL, and its edges are counted where the gold file does not say how many
            there are. None: ids as they are.

    Raises:
        InputError: a file cannot be read or holds something else, or the two share no mention.
    """
    scope = scope or Scope()
    kind = mentions_in(gold)
    if kind is None or kind != mentions_in(predictions):
        held = {
            path.name: KINDS.get(mentions_in(path) or "", "something else") for path in (predictions, gold)
        }
        raise InputError(
            f"Both files must be of one kind: {' and '.join(f'{n} holds {k}' for n, k in held.items())}. "
            "Linked mentions have mention_id and concept_id, mentions with edges mention_id and edges."
        )
    return (_links if kind == "links" else _edges)(predictions, gold, settings, scope)


def score(predictions: Path, gold: Path, options: Options, workspace: Workspace | None) -> Evaluation:
    """The two files as a command line names them."""
    return evaluate_mentions(predictions, gold, options.settings("mentions"), options.scope(workspace))


def _links(predictions: Path, gold: Path, settings: Settings, scope: Scope) -> Evaluation:
    right, said = read_links(gold), _answers(predictions, read_links(predictions))
    _share(predictions, said, gold, {row.mention_id for row in right})
    lineage, new = scope.lineage() if scope.lineage else None, 0
    documents = _documents(gold, right)
    found: dict[tuple[str, str], Case] = {}
    for row in right:
        if row.concept_id is None:
            raise InputError(
                f"{gold.name}, mention {shown(row.mention_id)}: gold has a concept, or {NIL} where the older"
                " version has none. Write one of the two."
            )
        concept = named = scope.alt_ids.get(row.concept_id, row.concept_id)
        if lineage is not None and concept != NIL and concept not in lineage:
            concept, new = NIL, new + 1
        answer = said[row.mention_id].concept_id if row.mention_id in said else None
        answer = None if answer is None else scope.alt_ids.get(answer, answer)
        doc_id = documents.get(row.mention_id, "")
        # two new concepts of one mention are two items, though both are NIL (metric-definitions 3.1)
        found[row.mention_id, named] = Case(doc_id, row.mention_id, concept, answer, row.text or "", named)
    cases = sorted(found.values(), key=lambda case: (*case[:3], case.named))
    mentions = {row.mention_id for row in right}
    notes = [_units(mentions, documents)]
    if new:
        notes.append(f"Gold concepts that {scope.name} does not hold, read as {NIL}: {new}.")
    result = discovery.lay_out(cases, settings)
    counts = {
        "mentions": len(mentions),
        "items": len(cases),
        "unpredicted_mentions": len(mentions - said.keys()),
        "unscored_mentions": len(said.keys() - mentions),
    }
    rows = [
        {"mention_id": c.id, "doc_id": c.doc_id or None, "gold": c.gold, "predicted": c.predicted}
        for c in cases
    ]
    return _scored(predictions, gold, result, settings, notes, counts, rows)


def _edges(predictions: Path, gold: Path, settings: Settings, scope: Scope) -> Evaluation:
    given, size = read_edges(gold)
    said = _answers(predictions, read_edges(predictions)[0])
    right: dict[str, set[Edge]] = defaultdict(set)
    for row in given:
        right[row.mention_id] |= set(_as_edges(row, scope))
    _share(predictions, said, gold, right)
    documents, notes = _documents(gold, given), []
    if size is None and scope.lineage is not None:
        size = catalogue(scope.lineage())
        notes.append(
            f"Edges in the catalogue: {size:,}, counted in {scope.name}: every concept with no child, and"
            " every pair one or two steps apart."
        )
    rankings = {mention: _as_edges(row, scope) for mention, row in said.items() if mention in right}
    try:
        result, found = placement.lay_out(rankings, right, size, documents, settings)
    except ValueError as error:
        raise InputError(
            f"{predictions.name}: {error}. Correct `edges` in the metadata of {gold.name}."
        ) from None
    scored = {mention for mention, held in right.items() if held}
    counts = {
        "mentions": found.mentions,
        "gold_edges": len(found.gold),
        **({} if size is None else {"edges_in_the_catalogue": size}),
        "mentions_without_gold_edges": len(right) - len(scored),
        "unranked_mentions": len(scored - said.keys()),
        "unscored_mentions": len(said.keys() - right.keys()),
    }
    rows = [
        {"mention_id": p.mention, "parent": p.edge[0], "child": p.edge[1], "rank": p.rank} for p in found.gold
    ]
    notes.insert(0, _units(scored, documents))
    return _scored(predictions, gold, result, settings, notes, counts, rows)


def _scored(
    predictions: Path,
    gold: Path,
    result: FamilyResult,
    settings: Settings,
    notes: Sequence[str],
    counts: dict[str, int],
    rows: Sequence[dict[str, Any]],
) -> Evaluation:
    files = (Source(predictions).reference, Source(gold).reference)
    families = {result.family: result}
    return Evaluation(*files, settings, families, counts, tuple(notes), "mentions", rows=tuple(rows))


def catalogue(lineage: Lineage) -> int:
    """Edges that a concept may be placed at: (p, no child) for every p, and (p, c) with c one or two is_a
    steps below p (metric-definitions 3.3)."""
    total = 0
    for parent in lineage.curies:
        children = lineage.children(parent)
        below = {*children, *(c for child in children for c in lineage.children(child))}
        total += 1 + len(below - {parent})
    return total


def _as_edges(row: EdgesRow, scope: Scope) -> list[Edge]:
    """Best first, ids as the scope reads them."""
    now = scope.alt_ids.get
    held = [
        ((now(e.parent, e.parent), None if e.child is None else now(e.child, e.child)), e.score)
        for e in row.edges
    ]
    scored = [(edge, score) for edge, score in held if score is not None]
    return ranked(scored) if scored else [edge for edge, _ in held]


def _answers(path: Path, rows: Iterable[Row]) -> dict[str, Row]:
    """One row a mention."""
    found: dict[str, Row] = {}
    for row in rows:
        if found.setdefault(row.mention_id, row) != row:
            raise InputError(
                f"{path.name} has two predictions for mention {shown(row.mention_id)}. Keep one, or give the"
                " mentions of several concepts an id for each in both files."
            )
    return found


def _documents(path: Path, rows: Iterable[MentionRow]) -> dict[str, str]:
    """Mention -> document, of those that name one."""
    found: dict[str, str] = {}
    for row in rows:
        if row.doc_id is not None and found.setdefault(row.mention_id, row.doc_id) != row.doc_id:
            raise InputError(
                f"{path.name} has mention {shown(row.mention_id)} in two documents, {shown(row.doc_id)} and"
                f" {shown(found[row.mention_id])}. Give every mention an id of its own."
            )
    return found


def _units(mentions: Collection[str], documents: dict[str, str]) -> str:
    if documents.keys() >= set(mentions):
        return "Intervals resample documents, as the gold names them."
    return (
        "The gold does not name the document of every mention: those without one are resampled alone,"
        " although mentions are alike within an article, so the intervals may be too narrow."
    )


def _share(predictions: Path, said: Collection[str], gold: Path, right: Collection[str]) -> None:
    if set(said).isdisjoint(right):
        raise InputError(
            f"{predictions.name} and {gold.name} share no mention: the first has ids like"
            f" {shown(next(iter(said)))}, the second like {shown(next(iter(right)))}. Use the same mention_id"
            " in both."
        )
