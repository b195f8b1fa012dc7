"""What a label tree is worth before anything is scored on it: its shape, its agreement with the ontology, and
what answers that know the ontology, or nothing at all, would score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.charts import Cell, Chart, Table, Value
from core.index.tree import Index, LabelTree, Shape, shape
from core.metrics import label_tree
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.label_tree import ontology_agreement
from core.metrics.unseen import Baseline, baseline, most_frequent, random_baseline
from core.ontology.lineage import Lineage

RULES = ("shared", "inner", "over_limit", "single_child", "gaps")
BASELINES = {
    "parent": "always a parent",
    "sibling": "always a sibling",
    "random": "any other concept",
    "frequent": "the most frequent seen concept",
}


class Near:
    """Neighbours of a concept in the ontology; none for one that it does not hold."""

    def __init__(self, lineage: Lineage):
        self.lineage = lineage

    def parents(self, concept: str) -> Iterable[str]:
        return self.lineage.parents(concept) if concept in self.lineage else ()

    def siblings(self, concept: str) -> Iterable[str]:
        return {child for parent in self.parents(concept) for child in self.lineage.children(parent)}


def baselines(
    gold: Sequence[str],
    tree: LabelTree,
    near: Near | None,
    counted: Mapping[str, int] | None = None,
) -> dict[str, Baseline]:
    """Each that can be had, in the order of `BASELINES`.

    Args:
        gold: the concept of each unit, in the tree.
        near: None: no ontology is known, so there is neither parent nor sibling.
        counted: how often training is annotated with each concept; None: no training set.
    """
    found: dict[str, Baseline] = {}
    if near is not None:
        found["parent"] = baseline(gold, tree, near.parents, "parent")
        found["sibling"] = baseline(gold, tree, near.siblings, "sibling")
    found["random"] = random_baseline(gold, tree)
    if counted and (often := most_frequent(counted, tree)) is not None:
        found["frequent"] = baseline(gold, tree, lambda concept: (often,), "seen concept")
    return found


@dataclass(frozen=True)
class TreeFacts:
    """Of one tree, over all its concepts, each once."""

    tree: LabelTree
    near: Near | None
    """None: no ontology is known."""

    @cached_property
    def form(self) -> Shape:
        return shape(self.tree)

    @cached_property
    def agreement(self) -> Estimate | None:
        return ontology_agreement(self.tree, self.near.parents).estimate if self.near else None

    @cached_property
    def baselines(self) -> dict[str, Baseline]:
        return baselines(list(self.tree.indices), self.tree, self.near)

    def to_json(self) -> dict[str, Any]:
        """The fields of `index stats --json`."""
        return {
            "tree": self.tree.name,
            **self.form.to_json(),
            "ontology_agreement": self.agreement.value if self.agreement else None,
            "baselines": {
                name: {"closeness": b.closeness.value, "size": b.size.value, "n": b.closeness.n}
                for name, b in self.baselines.items()
            },
        }


def facts_table(facts: TreeFacts) -> Table:
    """Shape and agreement, a row each."""
    values = _values(facts)
    return Table.of(
        "The label tree",
        ("what", "value"),
        [(label_tree.FAMILY.metrics[name].title, value) for name, value in values.items()],
        "tree",
        note=_NOTE,
    )


_NOTE = "An agreement is at most 1 - 1/depth: compare trees only together with their depth."


def side_by_side(several: Sequence[TreeFacts]) -> tuple[Table, Table, Table]:
    """Trees beside each other: shape and agreement; closeness, and candidates left, of each baseline."""
    names = [facts.tree.name for facts in several]
    values = [_values(facts) for facts in several]
    shapes: list[tuple[Value | Cell, ...]] = [
        (label_tree.FAMILY.metrics[name].title, *(one[name] for one in values)) for name in values[0]
    ]
    had = [name for name in BASELINES if any(name in facts.baselines for facts in several)]
    found = [(BASELINES[name], [facts.baselines.get(name) for facts in several]) for name in had]
    return (
        Table.of("Shape", ("what", *names), shapes, "shape", note=_NOTE),
        Table.of(
            "Closeness for free",
            ("answers", *names),
            [(said, *(b.closeness if b else None for b in one)) for said, one in found],
            "free",
            chart=Chart("bars", x="answers", y=tuple(names), y_title="closeness", unit=True),
            note="U-RC of answers that know nothing but the ontology, over all concepts of the tree. A "
            "recogniser must do better on the same tree.",
        ),
        Table.of(
            "Candidates left for free",
            ("answers", *names),
            [(said, *(b.size if b else None for b in one)) for said, one in found],
            "left",
            note="U-CS of the same answers: lower is better.",
        ),
    )


def _values(facts: TreeFacts) -> dict[str, Value | Cell]:
    form, tree = facts.form, facts.tree
    return {
        "concepts": form.concepts,
        "depth_min": form.depth_min,
        "depth_mean": form.depth_mean,
        "depth_max": form.depth_max,
        "internal_nodes": form.internal_nodes,
        "most_children": form.most_children,
        **{rule: _broken(form, tree, rule) for rule in RULES},
        "ontology_agreement": facts.agreement,
    }


def path(index: Index) -> str:
    """An index as it is written: `[5, 3, 0]`."""
    return f"[{', '.join(map(str, index))}]"


def _broken(form: Shape, tree: LabelTree, rule: str) -> int | Cell:
    """How often a rule of the tree is broken; opens what breaks it, in no document: concepts, or the paths of
    nodes."""
    broken = getattr(form, rule)

    def items() -> list[Item]:
        if rule in ("shared", "inner"):
            return [Item("", concept, rule, path(tree.indices[concept])) for concept in broken]
        return [Item("", path(node), rule) for node in broken]

    return Cell(len(broken), f"tree:{rule}", items) if broken else 0
