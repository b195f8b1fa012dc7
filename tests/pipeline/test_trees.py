"""Building trees of ontologies: which concepts and links count, and what is kept of how it was done."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError
from core.index import shape
from core.metrics.label_tree import ontology_agreement
from core.ontology.lineage import Lineage
from core.pipeline.start import is_held
from core.pipeline.trees import WHOLE, TreeSettings, begin_tree, build_tree, keep_tree, task
from core.records import Concept, Ontology
from core.store import Workspace, ontologies, open_workspace, trees
from core.store.trees import index_file

PARTS = Ontology(
    name="parts",
    version="1",
    root="B:1",
    sha256="b" * 64,
    concepts=(
        Concept("B:1", "Body"),
        *(Concept(f"B:{n}", f"Organ {n}", parents=("B:1",)) for n in range(2, 14)),
        *(Concept(f"B:{n}", f"Part {n}", relations=(("part_of", f"B:{n - 100}"),)) for n in range(102, 114)),
        Concept("B:99", "Gone", parents=("B:1",), obsolete=True),
    ),
)
OTHER = Ontology("other", "1", None, "c" * 64, (Concept("C:1", "Alone"), Concept("B:2", "Organ elsewhere")))


@pytest.fixture
def stored(workspace: Workspace) -> Workspace:
    ontologies.add_ontology(workspace, PARTS)
    ontologies.add_ontology(workspace, OTHER)
    return workspace


def test_the_concepts_are_those_below_the_root_the_root_excluded(stored: Workspace) -> None:
    made = build_tree(TreeSettings(("parts",)), stored)
    assert sorted(made.tree.indices) == sorted(f"B:{n}" for n in range(2, 14))
    (source,) = made.recipe.ontologies
    assert (source.reference, source.sha256, source.root) == ("parts@1", "b" * 64, "B:1")
    assert (made.recipe.kind, made.recipe.method, made.recipe.rule) == ("osi", "packing", None)
    assert made.labels["B:2"] == "Organ 2"


def test_all_concepts_of_several_ontologies_and_links_beside_is_a(stored: Workspace) -> None:
    asked = TreeSettings(("parts", "other"), root=WHOLE, relations=("part_of",))
    made = build_tree(asked, stored)
    assert len(made.tree.indices) == 1 + 12 + 12 + 1  # B:2 once, B:99 not at all
    assert shape(made.tree).valid
    for n in range(2, 14):
        near = [made.tree.indices[f"B:{n}"][0], made.tree.indices[f"B:{n + 100}"][0]]
        assert near[0] == near[1], n
    assert [source.root for source in made.recipe.ontologies] == [None, None]
    alone = build_tree(replace(asked, relations=()), stored)
    assert alone.tree.indices != made.tree.indices


def test_what_cannot_be_built_is_said(stored: Workspace) -> None:
    with pytest.raises(NotFoundError, match="B:77"):
        build_tree(TreeSettings(("parts",), root="B:77"), stored)
    with pytest.raises(InputError, match="no concept to build"):
        build_tree(TreeSettings(("parts",), root="B:2"), stored)
    with pytest.raises(InputError, match="no workspace"):
        build_tree(TreeSettings(("parts",)))
    with pytest.raises(InputError, match="links of the ontology"):
        TreeSettings(("parts",), kind="ssi", relations=("part_of",))
    with pytest.raises(InputError, match="osi, ssi, ossi"):
        TreeSettings(("parts",), kind="bst")  # type: ignore[arg-type]


def test_names_by_the_bundled_encoder_and_both_graphs(stored: Workspace) -> None:
    found = {
        asked.kind + asked.rule: build_tree(asked, stored)
        for asked in (
            TreeSettings(("parts",), kind="ssi", root=WHOLE, neighbours=3),
            TreeSettings(("parts",), kind="ossi", root=WHOLE, rule="sum", neighbours=3),
        )
    }
    for made in found.values():
        assert len(made.tree.indices) == 25
        assert made.recipe.neighbours == 3
        assert made.recipe.encoder is not None
        assert made.recipe.encoder.startswith("all-MiniLM-L6-v2")
    assert [made.recipe.rule for made in found.values()] == [None, "sum"]
    again = build_tree(TreeSettings(("parts",), kind="ssi", root=WHOLE, neighbours=3), stored)
    assert index_file(again.tree.indices) == index_file(found["ssimax"].tree.indices)


def test_a_tree_is_built_in_a_process_of_its_own(stored: Workspace) -> None:
    begin_tree(stored.path, "organs", TreeSettings(("parts",), root=WHOLE))
    until = time.monotonic() + 120
    while not (rows := trees.list_trees(stored)) and time.monotonic() < until:
        time.sleep(0.2)
    (row,) = rows
    assert (row.reference, row.concepts, row.of) == ("organs@1", 25, "parts@1")
    while is_held(stored.path, task("organs")) and time.monotonic() < until:
        time.sleep(0.1)
    same = keep_tree(stored, "organs", build_tree(TreeSettings(("parts",), root=WHOLE), stored))
    assert same.reference == "organs@1"
    with pytest.raises(InputError, match="cannot name"):
        begin_tree(stored.path, "a/b", TreeSettings(("parts",)))
    with pytest.raises(NotFoundError):
        begin_tree(stored.path, "organs", TreeSettings(("nowhere",)))


@pytest.mark.shared_data
def test_hpo_of_2017_keeps_the_bar(shared_data: Path, tmp_path: Path) -> None:
    """12,066 concepts: mean depth at most 5.0, none above 6, agreement at least 0.70 (index-trees 4); the
    same bytes from an ontology whose concepts and parents come in another order."""
    from core.ontology.load import load

    ontology = load(shared_data / "ontology/hp-2017-04-13.obo.gz", name="hp")
    chance = random.Random(3)
    shuffled = replace(
        ontology,
        version="shuffled",
        concepts=tuple(
            replace(c, parents=tuple(chance.sample(c.parents, len(c.parents))))
            for c in chance.sample(ontology.concepts, len(ontology.concepts))
        ),
    )
    with open_workspace(tmp_path / "w.db") as workspace:
        for one in (ontology, shuffled):
            ontologies.add_ontology(workspace, one)
        made, again = (
            build_tree(TreeSettings((f"hp@{one.version}",), root="HP:0000118"), workspace)
            for one in (ontology, shuffled)
        )
    found, lineage = shape(made.tree), Lineage.of(ontology)
    agreement = ontology_agreement(made.tree, lineage.parents).estimate.value
    assert (found.concepts, found.valid) == (12_066, True)
    assert found.depth_mean is not None
    assert found.depth_max is not None
    assert agreement is not None
    assert (found.depth_mean <= 5.0, found.depth_max <= 6, agreement >= 0.70) == (True, True, True)
    assert index_file(made.tree.indices) == index_file(again.tree.indices)
