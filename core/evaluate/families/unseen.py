"""Concepts that training has not shown, on a label tree: U-RC and U-CS beside what the tree itself gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.mem_syn_con import NO_TRAINING
from core.evaluate.families.result import FamilyResult, absent
from core.metrics import label_tree, unseen
from core.metrics.bootstrap import draws
from core.metrics.definition import Estimate
from core.metrics.documents import Item, items_behind
from core.metrics.label_tree import Index, LabelTree, Shape, ontology_agreement, shape
from core.metrics.unseen import Baseline, Unit, UnseenScores
from core.ontology.lineage import Lineage

FAMILY = "unseen"
NO_TREE = (
    "Closeness is measured on a label tree. Give an index file (a JSON object, concept id to list of "
    "integers) with --index, or choose it on the Generalisation page."
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
        index_lists=draws(len(inputs.complete), inputs.settings.bootstrap, inputs.settings.seed),
        level=inputs.settings.level,
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
        _exact(found),
        _left_out(found),
        _tree(tree, form, near),
    )
    return FamilyResult(
        FAMILY,
        _estimates(found, baselines),
        tables,
        _opener(inputs, found, baselines, form, tree),
        tuple(notes),
        found.resampled,
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


def _answers(found: UnseenScores, baselines: dict[str, Baseline]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            "the predictions",
            found.estimates["u_rc"],
            found.estimates["u_cs"],
            found.estimates["unseen_recall"],
            len(found.units),
        )
    ]
    opens: list[tuple[Key | None, ...]] = [(None, "u_rc", "u_cs", "unseen_recall", "units")]
    for name, scored in baselines.items():
        exact = 0.0 if scored.closeness.n else scored.closeness  # its answers are other concepts
        rows.append((BASELINES[name], scored.closeness, scored.size, exact, scored.closeness.n))
        keys = (f"baseline_closeness:{name}", f"baseline_size:{name}", f"units:{name}")
        opens.append((None, keys[0], keys[1], None, keys[2]))
    return Table(
        "Unseen concepts: how near, and how many are left",
        ("answers", "closeness (U-RC)", "candidates left (U-CS)", "exact", "units"),
        rows,
        name="closeness",
        opens=opens,
        chart=Chart("intervals", x="answers", y=("closeness (U-RC)",), y_title="closeness", unit=True),
        note="The baselines show what the tree gives for free; they answer the same units.",
        help={
            "closeness (U-RC)": "unseen.u_rc",
            "candidates left (U-CS)": "unseen.u_cs",
            "exact": "unseen.unseen_recall",
        },
    )


def _reached(units: tuple[Unit, ...]) -> Table:
    counted = Counter(unit.shared for unit in units)
    exact = Counter(unit.shared for unit in units if unit.shared == unit.depth)
    lengths = range(max(counted, default=0) + 1)
    return Table(
        "How far the nearest prediction goes",
        ("levels shared", "exact", "not exact"),
        [(str(k), exact[k], counted[k] - exact[k]) for k in lengths],
        name="levels",
        opens=[(None, f"levels_exact:{k}", f"levels_short:{k}") for k in lengths],
        chart=Chart("stacked", x="levels shared", y=("exact", "not exact"), y_title="units"),
    )


def _exact(found: UnseenScores) -> Table:
    names = ("exact_precision", "exact_recall", "exact_f1")
    return Table(
        "Exact match, seen and unseen",
        ("precision", "recall", "F1"),
        [tuple(found.estimates[name] for name in names)],
        name="exact",
        opens=[names],
        help=dict(zip(("precision", "recall", "F1"), (f"unseen.{name}" for name in names), strict=True)),
    )


def _left_out(found: UnseenScores) -> Table:
    return Table(
        "Without an index",
        ("unseen gold concepts, left out", "predicted concepts, ignored"),
        [(len(found.unindexed_gold), len(found.unindexed_predicted))],
        name="unindexed",
        opens=[("unindexed_gold", "unindexed_predicted")],
    )


RULES = ("shared", "inner", "over_limit", "single_child", "gaps")


def _tree(tree: LabelTree, form: Shape, near: _Near | None) -> Table:
    agreement = ontology_agreement(tree, near.parents).estimate if near else None
    facts: dict[str, Cell] = {
        "concepts": form.concepts,
        "depth_min": form.depth_min,
        "depth_mean": form.depth_mean,
        "depth_max": form.depth_max,
        "internal_nodes": form.internal_nodes,
        "most_children": form.most_children,
        **{rule: len(getattr(form, rule)) for rule in RULES},
        "ontology_agreement": agreement,
    }
    return Table(
        "The label tree",
        ("what", "value"),
        [(label_tree.FAMILY.metrics[name].title, value) for name, value in facts.items()],
        name="tree",
        opens=[(None, f"tree:{name}" if name in RULES and value else None) for name, value in facts.items()],
        note="An agreement is at most 1 - 1/depth: compare trees only together with their depth.",
    )


def _opener(
    inputs: Inputs, found: UnseenScores, baselines: dict[str, Baseline], form: Shape, tree: LabelTree
) -> Callable[[Key], list[Item]]:
    def of_units(units: Iterable[Unit]) -> list[Item]:
        return [
            Item(
                u.doc_id,
                u.concept,
                "tp" if u.shared == u.depth else "fn",
                f"{u.shared} of {u.depth} levels, {u.size} left, nearest {_answer(u)}",
            )
            for u in units
        ]

    def open_key(key: Key) -> list[Item]:
        kind, _, stratum = key.partition(":")
        if key in ("u_rc", "u_cs", "unseen_recall", "units"):
            return of_units(found.units)
        if kind in ("baseline_closeness", "baseline_size", "units") and stratum in baselines:
            return of_units(u for u in found.units if u.concept in baselines[stratum].concepts)
        if kind in ("levels_exact", "levels_short") and stratum.isdecimal():
            exact = kind == "levels_exact"
            held = (u for u in found.units if u.shared == int(stratum))
            return of_units(u for u in held if (u.shared == u.depth) == exact)
        if kind.startswith("exact_") and not stratum:
            return items_behind(inputs.complete, kind.removeprefix("exact_"))
        if key in ("unindexed_gold", "unindexed_predicted"):
            outcome = "fn" if key == "unindexed_gold" else "fp"
            return [Item(doc_id, c, outcome, "no index") for doc_id, c in getattr(found, key)]
        if kind == "tree" and stratum in RULES:
            return _offenders(form, tree, stratum)
        raise KeyError(key)

    return open_key


def _answer(unit: Unit) -> str:
    if unit.nearest is None:
        return "none"
    return unit.nearest if isinstance(unit.nearest, str) else _path(unit.nearest)


def _path(index: Index) -> str:
    return f"[{', '.join(map(str, index))}]"


def _offenders(form: Shape, tree: LabelTree, rule: str) -> list[Item]:
    """What breaks a rule of the tree, in no document: concepts, or the paths of nodes."""
    broken = getattr(form, rule)
    if rule in ("shared", "inner"):
        return [Item("", concept, rule, _path(tree.indices[concept])) for concept in broken]
    return [Item("", _path(node), rule) for node in broken]
