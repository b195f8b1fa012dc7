"""Concepts that training has not shown, on a label tree: U-RC and U-CS beside what the tree itself gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from core.charts import Cell, Chart, Items, Table, Value
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.mem_syn_con import NO_TRAINING
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.tree_facts import BASELINES, Near, TreeFacts, baselines, facts_table, path
from core.metrics import unseen
from core.metrics.definition import Estimate
from core.metrics.documents import Item, items_behind
from core.metrics.unseen import Baseline, Unit, UnseenScores

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
    facts = TreeFacts(tree, Near(lineage) if lineage is not None else None)
    gold = [unit.concept for unit in found.units]
    free = baselines(gold, tree, facts.near, known.training.counted)
    notes = [
        f"Measured on {tree.name or 'an unnamed tree'}. Compare U-RC and U-CS only between systems scored on "
        "the same tree."
    ]
    if not facts.form.valid:
        notes.append("This tree breaks rules of a label tree: see its table before reading the numbers.")
    if facts.near is None:
        notes.append(NO_ONTOLOGY)
    tables = (
        _answers(found, free),
        _reached(found.units),
        _exact(found, inputs),
        _left_out(found),
        facts_table(facts),
    )
    return FamilyResult(
        FAMILY,
        _estimates(found, free),
        tables,
        notes=tuple(notes),
        resampled=found.resampled,
    )


def _estimates(found: UnseenScores, free: dict[str, Baseline]) -> dict[str, Estimate]:
    estimates = dict(found.estimates)
    for name, scored in free.items():
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


def _answers(found: UnseenScores, free: dict[str, Baseline]) -> Table:
    names = ("u_rc", "u_cs", "unseen_recall")
    every = _units(found.units)
    values = (Cell(found.estimates[name], name, every) for name in names)
    rows: list[tuple[Value | Cell, ...]] = [
        ("the predictions", *values, Cell(len(found.units), "units", every))
    ]
    for name, scored in free.items():
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


def _answer(unit: Unit) -> str:
    if unit.nearest is None:
        return "none"
    return unit.nearest if isinstance(unit.nearest, str) else path(unit.nearest)
