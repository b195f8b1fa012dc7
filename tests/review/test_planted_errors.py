"""200 planted errors on HPO 2024: E-1 is proposed exactly where the lineage shows it; another branch hints.

What is expected is computed from the lines of the OBO file alone: 50 concepts above a supported one, 50 below
one, 50 beside one under the same parent, 50 in another organ system. Half of the passages support a second
concept, and some name theirs by an alternative id.
"""

from __future__ import annotations

import gzip
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

from core.ontology.load import load
from core.records import Annotation, ErrorType
from core.review.audit import Aid, Audit, Audited, aid, audited, draw_audit
from core.store import Workspace, corpora, decisions, ontologies
from tests.metrics.is_a import parents_of
from tests.review.clinic import add_corpus, add_run, draft

PHENOTYPES = "HP:0000118"
EACH = 50


class Tree:
    """is_a as the file spells it, climbed by networkx."""

    def __init__(self, path: Path):
        links = [(child, parent) for child, above in parents_of(path).items() for parent in above]
        self.graph = nx.DiGraph(links)
        self.systems = set(self.graph.predecessors(PHENOTYPES))
        self.below = sorted(nx.ancestors(self.graph, PHENOTYPES))  # who points at it, however far

    def above(self, term: str) -> set[str]:
        """Proper ancestors in the ontology."""
        return set(nx.descendants(self.graph, term))

    def under(self, term: str) -> set[str]:
        return set(nx.ancestors(self.graph, term))

    def kin(self, a: str, b: str) -> bool:
        return a in self.above(b) or b in self.above(a)

    def organs(self, term: str) -> set[str]:
        return self.systems & (self.above(term) | {term})

    def steps(self, a: str, b: str) -> int:
        """Fewest is_a steps between two of one lineage."""
        low, high = (a, b) if b in self.above(a) else (b, a)
        return int(nx.shortest_path_length(self.graph, low, high))


def planted(tree: Tree) -> list[tuple[str, str, list[str]]]:
    """(how, proposed, supported) of each case."""
    rng = random.Random(2024)

    def relatives(how: str, of: str) -> set[str]:
        if how == "ancestor":
            return tree.above(of) & set(tree.below)
        if how == "descendant":
            return tree.under(of)
        if how == "sibling":
            beside = {c for parent in tree.graph.successors(of) for c in tree.graph.predecessors(parent)}
            return {c for c in beside - {of} if not tree.kin(c, of)}
        return {c for c in rng.sample(tree.below, 40) if tree.organs(c).isdisjoint(tree.organs(of))}

    found: list[tuple[str, str, list[str]]] = []
    for how in ("ancestor", "descendant", "sibling", "other branch"):
        while sum(one[0] == how for one in found) < EACH:
            of = rng.choice(tree.below)
            choice = sorted(relatives(how, of) - {of})
            if choice:
                proposed = rng.choice(choice)
                second = [c for c in rng.sample(tree.below, len(found) % 2) if c != proposed]
                found.append((how, proposed, [of, *second]))
    return found


def alternatives(path: Path) -> dict[str, str]:
    """Term -> one of its alternative ids."""
    found: dict[str, str] = {}
    term = ""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(": ")
            if word == "id":
                term = rest
            elif word == "alt_id":
                found[term] = rest
    return found


@pytest.fixture(scope="module")
def hpo(shared_data: Path) -> Path:
    return shared_data / "ontology" / "hp-2024-02-08-rebuilt.obo.gz"


def plant(workspace: Workspace, hpo: Path, cases: list[tuple[str, str, list[str]]]) -> int:
    """One passage each; returns how many supported concepts bear an alternative id."""
    ontologies.add_ontology(workspace, load(hpo, name="hp"))
    at = add_corpus(workspace, {f"c{n}": f"Case {n}." for n in range(len(cases))})
    old = alternatives(hpo)
    names = [[old.get(c, c) if n % 3 == 0 else c for c in held] for n, (*_, held) in enumerate(cases)]
    rows = [(at[f"c{n}"], Annotation(c)) for n, held in enumerate(names) for c in held]
    with workspace.write() as db:
        of = corpora.corpus(workspace, "ward").id
        corpora.add_annotation_set(db, "ward", "1", of, rows, exhaustive=True, sha256="1" * 64)
    add_run(workspace, {at[f"c{n}"]: [draft(proposed)] for n, (_, proposed, _) in enumerate(cases)})
    decisions.add_curator(workspace, "alpha", "Alpha")
    return sum(c not in held for names_, (*_, held) in zip(names, cases, strict=True) for c in names_)


def test_on_200_planted_cases_e1_is_proposed_exactly_where_the_lineage_shows_it(
    workspace: Workspace, hpo: Path
) -> None:
    tree = Tree(hpo)
    cases = planted(tree)
    assert Counter(how for how, *_ in cases) == dict.fromkeys(
        ("ancestor", "descendant", "sibling", "other branch"), EACH
    )
    assert plant(workspace, hpo, cases) > 10
    draw_audit(workspace, Audit("alpha", "imported:ward@1", len(cases), name="planted"))
    shown = {one.doc_id: one for one in audited(workspace, "planted")}
    hints: Counter[str] = Counter()
    for n, (how, proposed, supported) in enumerate(cases):
        one = shown[f"c{n}"]
        found = aid(workspace, one.item_id, "alpha")
        check(tree, proposed, supported, one, found)
        hints[how] += found.other_branch
    assert hints["ancestor"] == hints["descendant"] == 0
    assert hints["other branch"] > EACH / 2  # where the second supported concept shares no system either


def check(tree: Tree, proposed: str, supported: list[str], one: Audited, found: Aid) -> None:
    kin = {of: tree.steps(proposed, of) for of in supported if tree.kin(proposed, of)}
    assert one.concept == found.concept == proposed
    assert {concept for concept, _ in found.supported} == set(supported)
    assert found.proposed == one.proposed == (ErrorType.GRANULARITY if kin else None)
    apart = not any(tree.organs(proposed) & tree.organs(of) for of in supported)
    assert found.other_branch == (apart and not kin)
    if not kin:
        assert found.lineage is None
        assert one.path == ()
        return
    assert found.lineage is not None
    path = [concept for concept, _ in found.lineage.path]
    assert found.lineage.path == one.path
    assert path[0] == proposed
    nearest = min(kin, key=lambda of: (kin[of], of))
    assert path[-1] == nearest
    assert len(path) - 1 == kin[nearest]
    is_above = proposed in tree.above(nearest)
    assert found.lineage.relation == ("ancestor" if is_above else "descendant")
    up = path if not is_above else path[::-1]
    assert all(tree.graph.has_edge(*step) for step in pairwise(up))
