"""Concepts that training has not shown, on a label tree: U-RC and U-CS beside what the tree itself gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from core.charts import Cell, Chart, Items, Table, Value
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.mem_syn_con import NO_TRAINING
from core.evaluate.families.result import FamilyResult, absent
from core.metrics import label_tree, unseen
from core.metrics.definition import Estimate
from core.metrics.documents import Item, items_behind
from core.metrics.label_tree import Index, LabelTree, Shape, ontology_agreement, shape
from core.metrics.unseen import Baseline, Unit, UnseenScores
from core.ontology.lineage import Lineage

FAMILY = "unseen"
NO_TREE = (
    "Closeness is measured on a label tree. Choose an index file (a JSON object, concept id to list of "
    "integers) on the Generalisation page, or name it in `touchstone evaluate`."
)
NO_IDS = "Which concepts are new is known from the concept ids of the training set, and this one has none."
NO_ONTOLOGY = (
    "No ontology is known, so the parent and sibling baselines and the tree's agreement are missing."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    known = inputs.known
    if known.tree is None:
        return absent(FAMILY, NO_TREE)
    if known.training is None or known.training.concepts is None:
        return absent(FAMILY, NO_TRAINING if known.training is None else NO_IDS)
    tree = known.tree
    found = unseen.score(
        inputs.gold,
        inputs.predicted,
        known.training.concepts,
        tree,
        **inputs.settings.resampling(len(inputs.complete)),
    )
    lineage = known.lineage() if known.lineage else None
    near = _Near(lineage) if lineage is not None else None
    baselines = {"random": unseen.random_baseline(found.units, tree)}
    if near is not None:
        for name, answers in (("sibling", near.siblings), ("parent", near.parents)):
            baselines = {name: unseen.baseline(found.units, tree, answers, name), **baselines}
    form = shape(tree)
    notes = [
        f"Measured on {tree.name or 'an unnamed tree'}. Compare U-RC and U-CS only between systems scored on "
        "the same tree."
    ]
    if not form.valid:
        notes.append("This tree breaks rules of a label tree: see its table before reading the numbers.")
    if near is None:
        notes.append(NO_ONTOLOGY)
    tables = (
        _answers(found, baselines),
        _reached(found.units),
        _exact(found, inputs),
        _left_out(found),
        _tree(tree, form, near),
    )
    return FamilyResult(
        FAMILY,
        _estimates(found, baselines),
        tables,
        notes=tuple(notes),
        resampled=found.resampled,
    )


BASELINES = {"parent": "always a parent", "sibling": "always a sibling", "random": "any other concept"}


class _Near:
    """Neighbours of a concept in the ontology; none for one that it does not hold."""

    def __init__(self, lineage: Lineage):
        self.lineage = lineage

    def parents(self, concept: str) -> Iterable[str]:
        return self.lineage.parents(concept) if concept in self.lineage else ()

    def siblings(self, concept: str) -> Iterable[str]:
        return {child for parent in self.parents(concept) for child in self.lineage.children(parent)}


def _estimates(found: UnseenScores, baselines: dict[str, Baseline]) -> dict[str, Estimate]:
    estimates = dict(found.estimates)
    for name, scored in baselines.items():
        estimates[f"baseline_closeness:{name}"] = scored.closeness
        estimates[f"baseline_size:{name}"] = scored.size
    return estimates


def _units(units: Iterable[Unit], wanted: Callable[[Unit], bool] = lambda unit: True) -> Items:
    """Gold concepts with what is nearest to them."""
    return lambda: [
        Item(
            u.doc_id,
            u.concept,
            "tp" if u.shared == u.depth else "fn",
            f"{u.shared} of {u.depth} levels, {u.size} left, nearest {_answer(u)}",
        )
        for u in units
        if wanted(u)
    ]


def _answers(found: UnseenScores, baselines: dict[str, Baseline]) -> Table:
    names = ("u_rc", "u_cs", "unseen_recall")
    every = _units(found.units)
    values = (Cell(found.estimates[name], name, every) for name in names)
    rows: list[tuple[Value | Cell, ...]] = [
        ("the predictions", *values, Cell(len(found.units), "units", every))
    ]
    for name, scored in baselines.items():
        of = _units([unit for unit in found.units if unit.concept in scored.concepts])
        exact = 0.0 if scored.closeness.n else scored.closeness  # its answers are other concepts
        rows.append(
            (
                BASELINES[name],
                Cell(scored.closeness, f"baseline_closeness:{name}", of),
                Cell(scored.size, f"baseline_size:{name}", of),
                exact,
                Cell(scored.closeness.n, f"units:{name}", of),
            )
        )
    return Table.of(
        "Unseen concepts: how near, and how many are left",
        ("answers", "closeness (U-RC)", "candidates left (U-CS)", "exact", "units"),
        rows,
        "closeness",
        chart=Chart("intervals", x="answers", y=("closeness (U-RC)",), y_title="closeness", unit=True),
        note="The baselines show what the tree gives for free; they answer the same units.",
        help={
            "closeness (U-RC)": "unseen.u_rc",
            "candidates left (U-CS)": "unseen.u_cs",
            "exact": "unseen.unseen_recall",
        },
    )


def _reached(units: tuple[Unit, ...]) -> Table:
    counted = Counter((unit.shared, unit.shared == unit.depth) for unit in units)

    def cell(k: int, exact: bool) -> Cell:
        items = _units(units, lambda unit: (unit.shared, unit.shared == unit.depth) == (k, exact))
        return Cell(counted[k, exact], f"levels_{'exact' if exact else 'short'}:{k}", items)

    lengths = range(max((shared for shared, _ in counted), default=0) + 1)
    return Table.of(
        "How far the nearest prediction goes",
        ("levels shared", "exact", "not exact"),
        [(str(k), cell(k, True), cell(k, False)) for k in lengths],
        "levels",
        chart=Chart("stacked", x="levels shared", y=("exact", "not exact"), y_title="units"),
    )


def _exact(found: UnseenScores, inputs: Inputs) -> Table:
    heads = {"precision": "precision", "recall": "recall", "f1": "F1"}
    cells = [
        Cell(found.estimates[f"exact_{m}"], f"exact_{m}", partial(items_behind, inputs.complete, m))
        for m in heads
    ]
    help = {head: f"unseen.exact_{m}" for m, head in heads.items()}
    return Table.of("Exact match, seen and unseen", tuple(heads.values()), [cells], "exact", help=help)


def _left_out(found: UnseenScores) -> Table:
    def cell(key: str, left: Sequence[tuple[str, str]], outcome: str) -> Cell:
        return Cell(len(left), key, lambda: [Item(doc_id, c, outcome, "no index") for doc_id, c in left])

    return Table.of(
        "Without an index",
        ("unseen gold concepts, left out", "predicted concepts, ignored"),
        [
            (
                cell("unindexed_gold", found.unindexed_gold, "fn"),
                cell("unindexed_predicted", found.unindexed_predicted, "fp"),
            )
        ],
        "unindexed",
    )


RULES = ("shared", "inner", "over_limit", "single_child", "gaps")


def _tree(tree: LabelTree, form: Shape, near: _Near | None) -> Table:
    agreement = ontology_agreement(tree, near.parents).estimate if near else None
    facts: dict[str, Value | Cell] = {
        "concepts": form.concepts,
        "depth_min": form.depth_min,
        "depth_mean": form.depth_mean,
        "depth_max": form.depth_max,
        "internal_nodes": form.internal_nodes,
        "most_children": form.most_children,
        **{rule: _broken(form, tree, rule) for rule in RULES},
        "ontology_agreement": agreement,
    }
    return Table.of(
        "The label tree",
        ("what", "value"),
        [(label_tree.FAMILY.metrics[name].title, value) for name, value in facts.items()],
        "tree",
        note="An agreement is at most 1 - 1/depth: compare trees only together with their depth.",
    )


def _answer(unit: Unit) -> str:
    if unit.nearest is None:
        return "none"
    return unit.nearest if isinstance(unit.nearest, str) else _path(unit.nearest)


def _path(index: Index) -> str:
    return f"[{', '.join(map(str, index))}]"


def _broken(form: Shape, tree: LabelTree, rule: str) -> int | Cell:
    """How often a rule of the tree is broken; opens what breaks it, in no document: concepts, or the paths of
    nodes."""
    broken = getattr(form, rule)

    def items() -> list[Item]:
        if rule in ("shared", "inner"):
            return [Item("", concept, rule, _path(tree.indices[concept])) for concept in broken]
        return [Item("", _path(node), rule) for node in broken]

    return Cell(len(broken), f"tree:{rule}", items) if broken else 0
