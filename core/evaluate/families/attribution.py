"""Errors by stage: which stage caused each error, what is left after each, and figures of the components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from core.charts import Cell, Chart, Items, Table, Value
from core.evaluate.families.components import Components, places
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult, absent, behind
from core.kinds.names import Values
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.faults import CAUSES, REVIEW, Fault, attribute
from core.metrics.proportion import share
from core.metrics.stage_lists import Stages, left, lists
from core.records import Curie

FAMILY = "attribution"
UNKNOWN = (
    "No stage records are known. Evaluate a run of stages (`touchstone run concepts`) of a workspace, not a "
    "file and not labels from another tool."
)
MISSES, SPURIOUS = "missed", "spurious"


def evaluate(inputs: Inputs) -> FamilyResult:
    """Every FN and FP of the corpus family with its stage, and component figures over complete documents."""
    stages = inputs.known.stages() if inputs.known.stages else None
    if stages is None:
        return absent(FAMILY, UNKNOWN)
    return _Attribution(inputs, stages).result()


class _Attribution:
    def __init__(self, inputs: Inputs, stages: Stages):
        self.inputs, self.stages = inputs, stages
        self.components = Components(inputs, stages)
        self.faults = self._faults()
        seen: Counter[tuple[str, str, str]] = Counter((f.stage, f.cause, f.outcome) for f in self.faults)
        self.count: Mapping[tuple[str, str, str], int] = seen
        self.misses = sum(n for (*_, outcome), n in seen.items() if outcome == "fn")
        self.spurious = len(self.faults) - self.misses
        confirmed = stages.confirmed or {}
        of_confirmed = (f for f in self.faults if f.doc_id in confirmed) if confirmed else ()
        self.missing = Counter(f.stage for f in of_confirmed if self._is_missing_gold(f))
        self.stage_names = [*stages.order, *sorted({s for s, *_ in seen} - {*stages.order, REVIEW})]
        if any(stage == REVIEW for stage, *_ in seen):
            self.stage_names.append(REVIEW)

    def result(self) -> FamilyResult:
        stages = self._by_stage()
        return FamilyResult(
            FAMILY,
            self.components.estimates | stages.estimates,
            (stages, self._causes(), self._left(), self.components.table()),
            notes=tuple(self._notes()),
        )

    # --- errors -----------------------------------------------------------------------------------------

    def _faults(self) -> list[Fault]:
        unheard: dict[str, set[Curie]] = {}  # missed and never came up, and others did: there words matter
        for o in self.inputs.outcomes:
            if o.fn and (steps := self.stages.steps.get(o.doc_id)):
                never = {concept for concept in o.fn if concept not in steps}
                if never and not self.inputs.gold_statuses[o.doc_id].keys() >= steps.keys():
                    unheard[o.doc_id] = never
        labels = self.inputs.labels
        words: dict[str, dict[Curie, set[str]]] = {
            doc_id: {c: {labels[c]} for c in missed if c in labels} for doc_id, missed in unheard.items()
        }
        for doc_id in unheard.keys() & self.components.gold_mentions.keys():
            for mention in self.components.gold_mentions[doc_id]:
                if mention.quote and mention.concept in unheard[doc_id]:
                    words[doc_id].setdefault(mention.concept, set()).add(mention.quote)
        return attribute(
            self.inputs.outcomes,
            self.stages,
            self.inputs.gold_statuses,
            self.inputs.predicted_statuses,
            words=words,
            gold_places={
                d: places(self.components.gold_mentions.get(d, ()), never) for d, never in unheard.items()
            },
            places={d: places(self.components.mentions.get(d, ())) for d in unheard},
        )

    def _is_missing_gold(self, fault: Fault) -> bool:
        """Whether people found a false positive to be there, with a status that counts."""
        confirmed = self.stages.confirmed
        if confirmed is None or fault.outcome != "fp":
            return False
        return confirmed.get(fault.doc_id, {}).get(fault.concept) in self.inputs.settings.assertions

    def _of(self, stage: str, outcome: str) -> int:
        return sum(n for (s, _, o), n in self.count.items() if s == stage and o == outcome)

    def _share(self, k: int, n: int) -> Estimate:
        """Of concepts of the complete documents."""
        return share(k, n, self.inputs.settings.level, documents=len(self.inputs.complete))

    def _by_stage(self) -> Table:
        columns = ["stage", MISSES, SPURIOUS, "share of misses", "share of apparent false positives"]
        metrics = ["", "misses", "spurious", "share_of_misses", "share_of_apparent"]
        rows: list[tuple[Value | Cell, ...]] = []
        true = self.spurious - self.missing.total()
        for stage in self.stage_names:
            fn, fp, missing = self._of(stage, "fn"), self._of(stage, "fp"), self.missing[stage]
            missed, wrong = (self._items(stage=stage, outcome=o) for o in ("fn", "fp"))
            row: list[Value | Cell] = [
                Values(stage),
                Cell(fn, f"stage:{stage}:fn", missed),
                Cell(fp, f"stage:{stage}:fp", wrong),
                Cell(self._share(fn, self.misses), f"share_of_misses:{stage}", missed),
                Cell(self._share(fp, self.spurious), f"share_of_apparent:{stage}", wrong),
            ]
            if self.stages.confirmed is not None:
                row += [
                    Cell(missing, f"stage:{stage}:missing", self._items(True, stage=stage, outcome="fp")),
                    Cell(
                        self._share(fp - missing, true),
                        f"share_of_true:{stage}",
                        self._items(False, stage=stage, outcome="fp"),
                    ),
                ]
            rows.append(tuple(row))
        if self.stages.confirmed is not None:
            columns += ["of these missing gold", "share of true errors"]
            metrics += ["", "share_of_true"]
        return Table.of(
            "Errors by stage",
            tuple(columns),
            rows,
            "stages",
            chart=Chart("stacked", x="stage", y=(MISSES, SPURIOUS), y_title="errors"),
            note=f"Each error stands at one stage: {self.misses} misses and {self.spurious} false positives "
            f"in all. Intervals of shares are Wilson's, at {self.inputs.settings.level:.0%}.",
            help={c: f"{FAMILY}.{m}" for c, m in zip(columns, metrics, strict=True) if m},
        )

    def _causes(self) -> Table:
        rows: list[tuple[Value | Cell, ...]] = []
        for stage in self.stage_names:
            for cause, title in CAUSES.items():
                counts = {o: self.count.get((stage, cause, o), 0) for o in ("fn", "fp")}
                if any(counts.values()):
                    cells = (
                        Cell(
                            n, f"cause:{stage}:{cause}:{o}", self._items(stage=stage, cause=cause, outcome=o)
                        )
                        for o, n in counts.items()
                    )
                    rows.append((Values(stage), title, *cells))
        all_of = {"fn": self.misses, "fp": self.spurious}
        rows.append(("all", "", *(Cell(n, o, self._items(outcome=o)) for o, n in all_of.items())))
        return Table.of(
            "Causes",
            ("stage", "cause", MISSES, SPURIOUS),
            rows,
            "causes",
            note="Wrongly matched: the words of a missed gold concept led to another one. Status wrong: "
            "found, with a status that does not count on one side.",
            help={MISSES: f"{FAMILY}.misses", SPURIOUS: f"{FAMILY}.spurious"},
        )

    # --- what is left -----------------------------------------------------------------------------------

    @cached_property
    def _after(self) -> dict[str, tuple[int, int]]:
        """Stage -> (right, wrong) over complete documents."""
        gold = self.inputs.gold_statuses
        return left(self.stages, {o.doc_id: gold.get(o.doc_id, {}) for o in self.inputs.complete})

    @cached_property
    def _gold_concepts(self) -> int:
        return sum(len(self.inputs.gold_statuses.get(o.doc_id, {})) for o in self.inputs.complete)

    def _left(self) -> Table:
        rows = []
        gold = self._gold_concepts
        for stage in self.stages.order:
            (right, wrong), key = self._after[stage], f"left:{stage}"
            found = self._listed(stage, ("right",))
            rows.append(
                (
                    Values(stage),
                    Cell(right, f"{key}:right", found),
                    Cell(wrong, f"{key}:wrong", self._listed(stage, ("wrong",))),
                    Cell(self._share(right, gold), f"{key}:right", found),
                    Cell(
                        self._share(right, right + wrong),
                        f"{key}:listed",
                        self._listed(stage, ("right", "wrong")),
                    ),
                )
            )
        return Table.of(
            "What each stage leaves",
            ("stage", "right", "wrong", "recall", "precision"),
            rows,
            "funnel",
            chart=Chart("funnel", x="stage", y=("right", "wrong"), x_title="after", y_title="concepts"),
            note=f"Concepts in the lists of complete documents, statuses ignored; the gold holds {gold}.",
            help={"recall": f"{FAMILY}.stage_recall", "precision": f"{FAMILY}.stage_precision"},
        )

    def _notes(self) -> Iterable[str]:
        if self.stages.failed:
            yield (
                f"Documents without an answer of the run: {len(self.stages.failed)}; what their gold holds "
                "is missed at the stage that failed."
            )
        if self.stages.confirmed is not None and self.missing:
            yield (
                f"False positives that people found to be right, so gold that is missing: "
                f"{self.missing.total()} of {self.spurious}. Shares of true errors leave them out."
            )
        if self.stages.confirmed is None and self.spurious:
            yield "False positives are apparent ones: nobody has said yet which of them the gold only lacks."

    # --- items ------------------------------------------------------------------------------------------

    def _items(self, missing: bool | None = None, **told: str) -> Items:
        """Errors of a stage, a cause, an outcome, as far as told.

        Args:
            missing: only those that people found to be there, or only the others; None: all.
        """

        def item(f: Fault) -> Item | None:
            as_told = all(getattr(f, name) == value for name, value in told.items())
            return _item(f) if as_told and missing in (None, self._is_missing_gold(f)) else None

        return behind(self.faults, item)

    def _listed(self, stage: str, words: tuple[str, ...]) -> Items:
        """Concepts of a stage's lists, right or wrong."""

        def items() -> list[Item]:
            found = []
            for o in self.inputs.complete:
                gold = self.inputs.gold_statuses.get(o.doc_id, {})
                for concept in sorted(lists(self.stages, o.doc_id)[stage], key=str):
                    found.append(Item(o.doc_id, concept, "right" if concept in gold else "wrong"))
            return [item for item in found if item.outcome in words]

        return items


def _item(f: Fault) -> Item:
    said = f"{f.stage}: {CAUSES[f.cause]}"
    return Item(f.doc_id, f.concept, f.outcome, f"{said}. {f.detail}" if f.detail else said)
