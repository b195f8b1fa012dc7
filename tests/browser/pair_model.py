"""What a curator's actions at the desk of claim pairs mean: the form of a label, and what is saved of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from core.records import Action, Axis, ConflictType, PairLabel
from tests.browser.desk_model import DeskModel

AXES = tuple(axis.value for axis in Axis)
TYPES = tuple(kind.value for kind in ConflictType)
NO_CONFLICT = ConflictType.NO_CONFLICT.value
AXIS_KEYS = {
    "p": "population_cohort",
    "g": "geography",
    "y": "year_time_period",
    "m": "assay_measurement_protocol",
    "d": "study_design",
    "b": "disease_subtype",
    "l": "organism_strain_lineage",
    "w": "clinical_setting",
    "e": "endpoint_definition",
    "i": "dosage_intervention",
    "t": "gene_mutation_molecular_background",
    "v": "sample_source",
    "u": "unknown_latent_factor",
}
"""As the help lists them."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Form:
    """What the form shows."""

    label: int
    """Place of the proposed label that is chosen."""
    type: str
    axes: frozenset[str]
    confounder: str | None
    comparable: bool
    text: str
    spans: dict[str, Spans]
    parked: tuple[frozenset[str], str | None] | None = None
    """Axes and confounder that "no conflict" has put aside."""

    def answer(self) -> Answer:
        ordered = tuple(axis for axis in AXES if axis in self.axes)
        sides = (tuple(sorted(self.spans["a"])), tuple(sorted(self.spans["b"])))
        return Answer(self.type, ordered, self.confounder, self.comparable, self.text.strip(), sides)


@dataclass(frozen=True)
class Answer:
    type: str
    axes: tuple[str, ...]
    confounder: str | None
    comparable: bool
    text: str
    spans: tuple[Spans, Spans]


def form_of(label: PairLabel, place: int) -> Form:
    spans: dict[str, list[tuple[int, int]]] = {"a": [], "b": []}
    for one in label.evidence:
        if one.start is not None and one.end is not None:
            spans[one.side].append((one.start, one.end))
    return Form(
        place,
        label.conflict_type.value,
        frozenset(axis.value for axis in label.axes),
        label.confounder.value if label.confounder else None,
        label.comparable,
        label.reconciliation,
        {side: tuple(sorted(found)) for side, found in spans.items()},
    )


@dataclass
class PairModel(DeskModel):
    labels: dict[int, tuple[PairLabel, ...]] = field(default_factory=dict)
    """Item -> its proposed labels, the first one on the screen first."""
    forms: dict[int, Form] = field(default_factory=dict)
    selection: tuple[str, tuple[int, int]] | None = None
    """Side and place of the selected text."""

    def moved(self) -> None:
        super().moved()
        self.selection = None

    def form(self, item: int) -> Form:
        return self.forms.setdefault(item, form_of(self.labels[item][0], 0))

    def _set(self, item: int, **fields: object) -> None:
        self.forms[item] = replace(self.form(item), **fields)  # type: ignore[arg-type]

    # --- the form -----------------------------------------------------------------------------------------

    def set_type(self, item: int, kind: str) -> None:
        form = self.form(item)
        if kind == NO_CONFLICT and form.axes:
            parked = (form.axes, form.confounder)
            self._set(item, type=kind, axes=frozenset(), confounder=None, parked=parked)
        elif kind != NO_CONFLICT and form.parked:
            axes, confounder = form.parked
            self._set(item, type=kind, axes=axes, confounder=confounder, parked=None)
        else:
            self._set(item, type=kind)

    def toggle(self, item: int, axis: str) -> None:
        form = self.form(item)
        if form.type == NO_CONFLICT:
            return
        confounder = None if form.confounder == axis and axis in form.axes else form.confounder
        self._set(item, axes=form.axes ^ {axis}, confounder=confounder)

    def set_confounder(self, item: int, axis: str | None) -> None:
        self._set(item, confounder=axis)

    def next_confounder(self, item: int) -> None:
        form = self.form(item)
        if not form.axes:
            return
        order = [None, *(axis for axis in AXES if axis in form.axes)]
        self.set_confounder(item, order[(order.index(form.confounder) + 1) % len(order)])

    def set_comparable(self, item: int, comparable: bool) -> None:
        self._set(item, comparable=comparable)

    def write(self, item: int, text: str) -> None:
        self._set(item, text=text)

    def choose_label(self, item: int, place: int) -> None:
        self.forms[item] = form_of(self.labels[item][place], place)

    def mark(self, item: int) -> None:
        assert self.selection is not None
        side, span = self.selection
        spans = self.form(item).spans
        self._set(item, spans={**spans, side: tuple(sorted({*spans[side], span}))})
        self.selection = None

    def unmark(self, item: int, side: str, span: tuple[int, int]) -> None:
        spans = self.form(item).spans
        self._set(item, spans={**spans, side: tuple(one for one in spans[side] if one != span)})

    # --- decisions ----------------------------------------------------------------------------------------

    def changed(self, item: int) -> bool:
        form = self.form(item)
        return form.answer() != form_of(self.labels[item][form.label], form.label).answer()

    def accept(self, item: int) -> None:
        if self.changed(item):
            self.fix(item)
        else:
            self.say(item, Action.ACCEPT, self.form(item).answer())

    def fix(self, item: int) -> None:
        """Nothing where nothing was changed."""
        if self.changed(item):
            self.say(item, Action.FIX, self.form(item).answer())
