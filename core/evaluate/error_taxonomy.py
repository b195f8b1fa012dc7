"""What the false positives of a run are, from an audit: shares, where they come from, and real examples.

    found = error_taxonomy([AuditSet("first", run, "imported:gsc@1", 2113, rows)])
    found.tables                                   # types, then by class, branch and stage, and the flow

Two denominators, always named: shares of the apparent false positives count missing gold, shares of the true
errors do not. What is unsure or open is in neither, and counted beside them. Source: paper 000, section 6.2,
Figure 4 and A.7; metric-definitions R43.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from core.charts import Cell, Chart, Estimate, Items, Reference, Table, Value
from core.evaluate.references import in_words
from core.kinds import names
from core.kinds.names import Values, called
from core.metrics.documents import Item
from core.metrics.error_shares import TRUE_ERRORS, UNSURE, ErrorShares, error_shares
from core.records import ErrorType
from core.store import Workspace, audits, corpora
from core.text.sentences import sentences

NAMES = {
    kind: names.NAMES[kind] if kind is ErrorType.MISSING_GOLD else f"{kind.value} {names.NAMES[kind]}"
    for kind in ErrorType
}
APPARENT, TRUE = "of the apparent false positives", "of the true errors"
PUBLISHED = {
    ErrorType.MISSING_GOLD: 18,
    ErrorType.GRANULARITY: 11,
    ErrorType.SCOPE: 5,
    ErrorType.CONTEXT: 31,
    ErrorType.TRIGGER: 11,
    ErrorType.OVERREACH: 28,
}
"""Paper 000, Figure 4: of 104 apparent false positives in 20 passages of HoIP."""
GROUPS = {"class": "concept_class", "branch": "branch", "stage": "stage"}
"""What shares are broken down by -> the field of a row."""
MOST_GROUPS = 12
NO_ERROR = Estimate(None, 0, reason="Missing gold is no error, so it is no share of the true errors.")


class Audited(Protocol):
    """An apparent false positive of an audit set (`core.review.audit.Audited`)."""

    @property
    def item_id(self) -> int: ...
    @property
    def passage_id(self) -> int: ...
    @property
    def doc_id(self) -> str: ...
    @property
    def concept(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def concept_class(self) -> str: ...
    @property
    def branch(self) -> str: ...
    @property
    def stage(self) -> str: ...
    @property
    def error(self) -> ErrorType | None: ...
    @property
    def unsure(self) -> bool: ...


class AuditSet(NamedTuple):
    """An audit set as far as it is audited."""

    name: str
    run: str
    gold: str
    of: int
    """Apparent false positives that it was drawn from."""
    rows: Sequence[Audited]
    model: str = ""
    prompts: str = ""
    """Versions of the prompts, in words; empty: none were sent."""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """What one audit set says, and all of them side by side."""

    tables: tuple[Table, ...]
    """`types`, then one per group that differs, then `flow` where several stages proposed."""
    shares: ErrorShares
    items: dict[tuple[str, str], int]
    """(doc_id, concept) -> the item that is audited."""
    labels: dict[str, str]

    def seen_by(self, mine: Iterable[int] | None) -> Taxonomy:
        """The same numbers; of the items behind them those that a curator has answered, for the answers to
        others they may not see. None: nobody is at work."""
        if mine is None:
            return self
        own = set(mine)

        def seen(items: Items) -> Items:
            return lambda: [one for one in items() if self.items[one.doc_id, str(one.id)] in own]

        return replace(self, tables=tuple(table.through(seen) for table in self.tables))


def error_taxonomy(audited: AuditSet) -> Taxonomy:
    """Shares of one audit set, with their Wilson intervals."""
    rows = audited.rows
    classified = [row for row in rows if row.error is not None]
    shares = error_shares(UNSURE if row.unsure else row.error for row in rows)
    tables = [_types(classified, audited, shares)]
    for name, field in GROUPS.items():
        if len({_said(row, field) for row in classified}) > 1:
            tables.append(_by(name, field, classified))
    stages = {row.stage for row in rows}
    if len(stages) > 1 and classified:
        tables.append(_flow(classified))
    return Taxonomy(
        tuple(tables),
        shares,
        {(row.doc_id, row.concept): row.item_id for row in rows},
        {row.concept: row.label for row in rows},
    )


def side_by_side(sets: Sequence[AuditSet]) -> Table:
    """A row per audit set: its run, model and prompts, and the share of each type of what is classified."""
    held = []
    for one in sets:
        found = Counter(row.error for row in one.rows if row.error is not None)
        n = found.total()
        shares = [found[kind] / n if n else None for kind in ErrorType]
        held.append((one.name, one.run, one.model, one.prompts or None, one.gold, n, *shares))
    return Table(
        "Audit sets side by side",
        ("audit set", "run", "model", "prompts", "gold", "classified", *NAMES.values()),
        held,
        "sets",
        note=f"Shares {APPARENT}, missing gold included. Sets differ in size: see each for its intervals.",
    )


def _types(classified: Sequence[Audited], audited: AuditSet, shares: ErrorShares) -> Table:
    total = sum(PUBLISHED.values())
    published = total - PUBLISHED[ErrorType.MISSING_GOLD]
    rows: list[list[Value | Cell]] = []
    lines: dict[tuple[int, int], float] = {}
    for r, kind in enumerate(ErrorType):
        items = _items([row for row in classified if row.error is kind])
        rows.append(
            [
                NAMES[kind],
                Cell(shares.of_apparent[kind], kind.value, items),
                Cell(shares.of_true.get(kind, NO_ERROR), f"{kind.value}:true", items),
                Cell(shares.counts[kind], f"{kind.value}:count", items),
            ]
        )
        lines[r, 1] = PUBLISHED[kind] / total
        if kind in TRUE_ERRORS:
            lines[r, 2] = PUBLISHED[kind] / published
    reference = Reference("HI-ALD, figure 4", "104 errors of HoIP", lines)
    return Table.of(
        "What they are",
        ("type", APPARENT, TRUE, "items"),
        rows,
        "types",
        chart=Chart(
            "bars", x="type", y=(APPARENT, TRUE), y_title="share", unit=True, references=(reference,)
        ),
        note=(
            f"Classified: {shares.classified:,}, of which true errors: {shares.true_errors:,}. In neither"
            f" share: {shares.unsure:,} unsure, {shares.open:,} open. Drawn from {audited.of:,} apparent"
            f" false positives of {audited.run} against {in_words(audited.gold)}. Wilson intervals take items"
            " as independent."
        ),
        help={APPARENT: "error_shares.of_apparent", TRUE: "error_shares.of_true"},
    )


def _by(name: str, field: str, classified: Sequence[Audited]) -> Table:
    """Counts of each type in each group; the most frequent groups first."""
    sizes = Counter(_said(row, field) for row in classified)
    groups = [group for group, _ in sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))]
    shown, rest = groups[:MOST_GROUPS], set(groups[MOST_GROUPS:])
    heads = tuple(NAMES[kind] for kind in ErrorType)
    rows = [
        _counts(
            called(group),
            [row for row in classified if _said(row, field) == group],
            f"{name}:{group}",
        )
        for group in shown
    ]
    if rest:
        rows.append(
            _counts(f"{len(rest)} more", [row for row in classified if _said(row, field) in rest], f"{name}:")
        )
    return Table.of(
        f"By {name}",
        (name, *heads),
        rows,
        f"by_{name}",
        chart=Chart("stacked", x=name, y=heads, y_title="classified"),
    )


def _said(row: Audited, field: str) -> str:
    return str(getattr(row, field))


def _counts(head: str, group: Sequence[Audited], key: str) -> list[Value | Cell]:
    cells: list[Value | Cell] = [head]
    for kind in ErrorType:
        found = [row for row in group if row.error is kind]
        cells.append(Cell(len(found), f"{key}:{kind.value}", _items(found)))
    return cells


def _flow(classified: Sequence[Audited]) -> Table:
    rows = []
    for stage in sorted({row.stage for row in classified}):
        for kind in ErrorType:
            found = [row for row in classified if row.stage == stage and row.error is kind]
            if found:
                rows.append(
                    (
                        Values(stage),
                        NAMES[kind],
                        Cell(len(found), f"flow:{stage}:{kind.value}", _items(found)),
                    )
                )
    return Table.of(
        "From stage to type of error",
        ("stage", "type", "items"),
        rows,
        "flow",
        chart=Chart("flow", x="stage", y=("items",), parent="type"),
    )


def _items(rows: Sequence[Audited]) -> Items:
    """In the order of the draw."""
    return lambda: [Item(row.doc_id, row.concept, NAMES[row.error]) for row in rows if row.error]


# --- examples -----------------------------------------------------------------------------------------------


class Example(NamedTuple):
    """A real false positive of a type. Texts are from outside, never markup."""

    doc_id: str
    concept: str
    label: str
    sentence: str
    """Where its evidence stands; of one without evidence in the text, the first."""


def examples(workspace: Workspace, rows: Iterable[Audited]) -> dict[ErrorType, Example]:
    """The first of each type, in the order of the draw.

    Args:
        rows: whose passages are in this workspace.
    """
    found: dict[ErrorType, Example] = {}
    for row in rows:
        if row.error is None or row.error in found:
            continue
        text = corpora.passage(workspace, row.passage_id).text
        quotes = audits.quotes(workspace, row.passage_id, row.concept)
        at = quotes[0].start if quotes else 0
        sentence = next((one for one in sentences(text) if one.start <= at < one.end), None)
        said = sentence.quote if sentence else text[:200]
        found[row.error] = Example(row.doc_id, row.concept, row.label, " ".join(said.split()))
    return found
