"""Errors by stage: which stage caused each error, what is left after each, and figures of the components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.components import COMPONENTS, Components, places
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult, absent
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.faults import CAUSES, REVIEW, Cause, Fault, attribute
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
        causes, tables = self._causes(), [self._by_stage()]
        tables += [causes, self._left(), self.components.table()]
        return FamilyResult(
            FAMILY,
            estimates=self._estimates(),
            tables=tuple(tables),
            open=self.open,
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
        rows: list[tuple[Cell, ...]] = []
        opens: list[tuple[Key | None, ...]] = []
        true = self.spurious - self.missing.total()
        for stage in self.stage_names:
            fn, fp, missing = self._of(stage, "fn"), self._of(stage, "fp"), self.missing[stage]
            row: list[Cell] = [stage, fn, fp]
            row += [self._share(fn, self.misses), self._share(fp, self.spurious)]
            keys: list[Key | None] = [None, f"stage:{stage}:fn", f"stage:{stage}:fp"]
            keys += [f"share_of_misses:{stage}", f"share_of_apparent:{stage}"]
            if self.stages.confirmed is not None:
                row += [missing, self._share(fp - missing, true)]
                keys += [f"stage:{stage}:missing", f"share_of_true:{stage}"]
            rows.append(tuple(row))
            opens.append(tuple(keys))
        if self.stages.confirmed is not None:
            columns += ["of these missing gold", "share of true errors"]
            metrics += ["", "share_of_true"]
        return Table(
            "Errors by stage",
            tuple(columns),
            rows,
            name="stages",
            opens=opens,
            chart=Chart("stacked", x="stage", y=(MISSES, SPURIOUS), y_title="errors"),
            note=f"Each error stands at one stage: {self.misses} misses and {self.spurious} false positives "
            f"in all. Intervals of shares are Wilson's, at {self.inputs.settings.level:.0%}.",
            help={c: f"{FAMILY}.{m}" for c, m in zip(columns, metrics, strict=True) if m},
        )

    def _causes(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        opens: list[tuple[Key | None, ...]] = []
        for stage in self.stage_names:
            for cause, title in CAUSES.items():
                fn, fp = (self.count.get((stage, cause, o), 0) for o in ("fn", "fp"))
                if fn or fp:
                    key = f"cause:{stage}:{cause}"
                    rows.append((stage, title, fn, fp))
                    opens.append((None, None, f"{key}:fn", f"{key}:fp"))
        rows.append(("all", "", self.misses, self.spurious))
        opens.append((None, None, "fn", "fp"))
        return Table(
            "Causes",
            ("stage", "cause", MISSES, SPURIOUS),
            rows,
            name="causes",
            opens=opens,
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
        rows: list[tuple[Cell, ...]] = []
        opens: list[tuple[Key | None, ...]] = []
        gold = self._gold_concepts
        for stage in self.stages.order:
            right, wrong = self._after[stage]
            rows.append((stage, right, wrong, self._share(right, gold), self._share(right, right + wrong)))
            key = f"left:{stage}"
            opens.append((None, f"{key}:right", f"{key}:wrong", f"{key}:right", f"{key}:listed"))
        return Table(
            "What each stage leaves",
            ("stage", "right", "wrong", "recall", "precision"),
            rows,
            name="funnel",
            opens=opens,
            chart=Chart("funnel", x="stage", y=("right", "wrong"), x_title="after", y_title="concepts"),
            note=f"Concepts in the lists of complete documents, statuses ignored; the gold holds {gold}.",
            help={"recall": f"{FAMILY}.stage_recall", "precision": f"{FAMILY}.stage_precision"},
        )

    def _estimates(self) -> dict[str, Estimate]:
        found = dict(self.components.estimates)
        for stage in self.stage_names:
            found[f"share_of_misses:{stage}"] = self._share(self._of(stage, "fn"), self.misses)
            wrong = self._of(stage, "fp")
            found[f"share_of_apparent:{stage}"] = self._share(wrong, self.spurious)
            if self.stages.confirmed is not None:
                true = self.spurious - self.missing.total()
                found[f"share_of_true:{stage}"] = self._share(wrong - self.missing[stage], true)
        return found

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

    def open(self, key: Key) -> list[Item]:
        """`fn`, `fp`; `stage:NAME:fn|fp|missing`; `cause:NAME:CAUSE:fn|fp`;
        `left:NAME:right|wrong|listed`; and the names of estimates."""
        kind, _, rest = key.partition(":")
        name, _, what = rest.rpartition(":")
        if key in ("fn", "fp"):
            return self._items(lambda f: f.outcome == key)
        if kind == "stage" and what == "missing":
            return self._items(lambda f: f.stage == name and self._is_missing_gold(f))
        if kind == "share_of_true" and self.stages.confirmed is not None:
            return self._items(
                lambda f: f.stage == rest and f.outcome == "fp" and not self._is_missing_gold(f)
            )
        if kind == "stage" and what in ("fn", "fp"):
            return self._items(lambda f: f.stage == name and f.outcome == what)
        if kind == "cause" and what in ("fn", "fp"):
            stage, _, cause = name.rpartition(":")
            return self._items(lambda f: (f.stage, f.cause, f.outcome) == (stage, cause, what))
        if kind in ("share_of_misses", "share_of_apparent"):
            outcome = "fn" if kind == "share_of_misses" else "fp"
            return self._items(lambda f: f.stage == rest and f.outcome == outcome)
        if kind == "left" and name in self.stages.order and what in ("right", "wrong", "listed"):
            return list(self._listed(name, what))
        if key in COMPONENTS:
            return self.components.items(key)
        raise KeyError(key)

    def _items(self, wanted: Callable[[Fault], bool]) -> list[Item]:
        chosen = (f for f in self.faults if wanted(f))
        found = [Item(f.doc_id, f.concept, f.outcome, _detail(f.stage, f.cause, f.detail)) for f in chosen]
        return sorted(found, key=lambda item: (item.doc_id, str(item.id)))

    def _listed(self, stage: str, what: str) -> Iterable[Item]:
        for o in self.inputs.complete:
            gold = self.inputs.gold_statuses.get(o.doc_id, {})
            for concept in sorted(lists(self.stages, o.doc_id)[stage], key=str):
                word = "right" if concept in gold else "wrong"
                if what in (word, "listed"):
                    yield Item(o.doc_id, concept, word)


def _detail(stage: str, cause: Cause, detail: str) -> str:
    said = f"{stage}: {CAUSES[cause]}"
    return f"{said}. {detail}" if detail else said
