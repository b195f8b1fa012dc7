"""Labels on concepts that a new release changed: numbers, the items behind them, and who may see what."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from core.errors import InputError, NotFoundError
from core.ontology.versions import Kind
from core.records import Action, Annotation, Assertion, Concept, NewDecision
from core.review.explore import difference, occurrences_of, touched
from core.review.explore.changed import ids_of, search, sides
from core.review.explore.occurs import Of
from core.review.frames import Wanted, open_frame
from core.store import Workspace, corpora, decisions, ontologies
from tests.review import clinic
from tests.review.clinic import CATARACT, EYE, FOCAL, HYPOTONIA, SEIZURE

NEW, MERGED = "HP:0020219", HYPOTONIA


@pytest.fixture
def full(workspace: Workspace) -> Workspace:
    """Cataract is renamed and has another id, seizure moves to the eye, hypotonia is merged into it."""
    clinic.furnish(workspace)
    older = clinic.ontology()
    changed = {
        CATARACT: {"name": "Clouding", "alt_ids": ("HP:0000999",)},
        SEIZURE: {"parents": (EYE,), "alt_ids": (MERGED,)},
    }
    concepts = [replace(c, **changed.get(c.curie, {})) for c in older.concepts if c.curie != MERGED]
    concepts.append(Concept(NEW, "Motor seizure", parents=(FOCAL,)))
    newer = replace(older, version="2", sha256="1" * 64, concepts=tuple(concepts))
    ontologies.add_ontology(workspace, newer)
    corpus = corpora.corpus(workspace, "ward")
    passages = sorted(p.id for p in corpora.passages(workspace, "ward"))
    gold = [(passages[0], c) for c in (CATARACT, "HP:0000999", SEIZURE, FOCAL)] + [(passages[1], CATARACT)]
    with workspace.write() as db:
        found = [(passage, Annotation(concept)) for passage, concept in gold for _ in range(2)]
        corpora.add_annotation_set(db, "g", "1", corpus.id, found, exhaustive=True, sha256="4" * 64)
    return workspace


def answer(workspace: Workspace, curator: str, concept: str) -> None:
    [item, *_] = [
        row[0]
        for row in workspace.db.execute("SELECT id FROM items WHERE subject = ? ORDER BY id", (concept,))
    ]
    new = NewDecision(f"{curator}{item}", curator, Action.REJECT, item_id=item)
    assert decisions.append(workspace, [new])[0].refused is None


def told(workspace: Workspace, curator: str | None = "alpha") -> dict[Kind, tuple[int, int, int, int]]:
    """Kind -> concepts, gold labels, labels of runs, answers; kinds of no concept are left out."""
    found = difference(workspace, "mini@1", "mini@2")
    rows = touched(workspace, found, curator)
    return {
        r.kind: (r.concepts, *(r.labels[of] for of in (Of.GOLD, Of.RUN, Of.ANSWER)))
        for r in rows
        if r.concepts
    }


def test_labels_are_counted_under_every_id_of_a_concept(full: Workspace) -> None:
    # gold: cataract in two passages and once more under its other id; two proposals of each by the run
    assert told(full) == {
        Kind.ADDED: (1, 0, 0, 0),
        Kind.MERGED: (1, 0, 2, 0),
        Kind.RENAMED: (1, 3, 2, 0),
        Kind.MOVED: (1, 1, 4, 0),
        Kind.MOVED_AWAY: (1, 1, 4, 0),
        Kind.EXTENDED: (1, 1, 0, 0),
    }


def test_each_number_is_that_of_its_items(full: Workspace) -> None:
    found = difference(full, "mini@1", "mini@2")
    for row in touched(full, found, "alpha"):
        held = occurrences_of(full, found, row.kind, "alpha")
        summed = Counter(dict.fromkeys(row.labels, 0))
        for one in held.counts:
            summed[one.of] += one.number
            assert len(one.items) == one.number
        assert dict(row.labels) == dict(summed)
    [gold] = [c for c in occurrences_of(full, found, Kind.RENAMED, "alpha").counts if c.of is Of.GOLD]
    concepts = dict(map(tuple, full.db.execute("SELECT id, subject FROM items")))
    assert [concepts[one] if one else None for one in gold.items] == [CATARACT, None, None]


def test_answers_of_others_are_not_counted(full: Workspace) -> None:
    answer(full, "alpha", CATARACT)
    assert (told(full, "alpha")[Kind.RENAMED][-1], told(full, "beta")[Kind.RENAMED][-1]) == (1, 0)


def test_what_is_to_be_answered_blind_is_not_counted(full: Workspace) -> None:
    before = told(full, "beta")
    open_frame(full, Wanted("alpha", "pilot", blind=1.0, assertions=tuple(Assertion)))
    blind = told(full, "beta")
    assert blind[Kind.RENAMED][2] < before[Kind.RENAMED][2]
    found = difference(full, "mini@1", "mini@2")
    assert occurrences_of(full, found, Kind.RENAMED, "beta").blind > 0


def test_changes_are_searched_by_names_ids_and_texts(full: Workspace) -> None:
    found = difference(full, "mini@1", "mini@2")
    assert [row.curie for row in search(found, Kind.MOVED, "EYE nervous")] == [SEIZURE]
    assert [row.kind for row in search(found, None, SEIZURE)] == [Kind.MERGED, Kind.MOVED_AWAY]
    assert search(found, Kind.RENAMED, "seizure") == []
    [merged] = found.of(Kind.MERGED)
    assert sides(found, merged) == (["Hypotonia"], [f"Seizure ({SEIZURE})"])
    [renamed] = found.of(Kind.RENAMED)
    assert set(ids_of(renamed, found)) == {CATARACT, "HP:0000999"}


def test_what_is_not_there_is_told(full: Workspace) -> None:
    with pytest.raises(NotFoundError):
        difference(full, "mini@1", "mini@9")
    with pytest.raises(InputError, match="mini@2 holds no concept 'HP:9'"):
        difference(full, "mini@2", "mini@1", "HP:9")
