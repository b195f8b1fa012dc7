"""What an audit says about the false positives of a run, by paper 000 and by the intervals of statsmodels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from statsmodels.stats.proportion import proportion_confint

from core.charts import Estimate, Table, draw
from core.evaluate.error_taxonomy import (
    APPARENT,
    NAMES,
    TRUE,
    AuditSet,
    Taxonomy,
    error_taxonomy,
    examples,
    side_by_side,
)
from core.records import ErrorType
from core.store import open_workspace
from tests.store import making

PAPER = dict(zip(ErrorType, (18, 11, 5, 31, 11, 28), strict=True))
"""Paper 000, Figure 4."""


@dataclass
class Row:
    item_id: int
    error: ErrorType | None
    doc_id: str = "d1"
    concept_class: str = "explicit"
    branch: str = "Nervous system"
    stage: str = "lexicon"
    unsure: bool = False
    passage_id: int = 1

    @property
    def concept(self) -> str:
        return f"HP:{self.item_id}"

    @property
    def label(self) -> str:
        return f"concept {self.item_id}"


def of_paper() -> list[Row]:
    kinds = [kind for kind, n in PAPER.items() for _ in range(n)]
    return [Row(number, kind) for number, kind in enumerate(kinds, 1)]


def taxonomy(rows: list[Row], of: int = 2000) -> Taxonomy:
    return error_taxonomy(AuditSet("a", "r", "imported:gsc@1", of, rows))


def table(found: Taxonomy, name: str) -> Table:
    return next(one for one in found.tables if one.name == name)


def percents(of: Table, column: int) -> list[float | None]:
    cells = [row[column] for row in of.rows]
    assert all(isinstance(cell, Estimate) for cell in cells)
    values = [cell.value for cell in cells if isinstance(cell, Estimate)]
    return [None if value is None else round(100 * value, 1) for value in values]


def test_shares_are_those_of_the_paper_under_both_denominators() -> None:
    types = table(taxonomy(of_paper()), "types")
    apparent = {row[0]: row[1] for row in types.rows}
    shares = {name: round(100 * value.value, 1) for name, value in apparent.items()}  # type: ignore[union-attr, operator]
    assert list(shares.values()) == [17.3, 10.6, 4.8, 29.8, 10.6, 26.9]  # as printed in section 6.2
    of_true = {row[0]: row[2] for row in types.rows}
    assert [round(100 * of_true[NAMES[k]].value, 1) for k in list(ErrorType)[1:]] == [
        12.8,
        5.8,
        36.0,
        12.8,
        32.6,
    ]  # type: ignore[union-attr, operator]
    missing = of_true[NAMES[ErrorType.MISSING_GOLD]]
    assert isinstance(missing, Estimate)
    assert missing.value is None
    assert "no error" in (missing.reason or "")


@pytest.mark.parametrize(("column", "total"), [(1, 104), (2, 86)])
def test_intervals_are_wilsons(column: int, total: int) -> None:
    types = table(taxonomy(of_paper()), "types")
    for row, kind in zip(types.rows, ErrorType, strict=True):
        found = row[column]
        assert isinstance(found, Estimate)
        if found.value is not None:
            low, high = proportion_confint(PAPER[kind], total, method="wilson")
            assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


def test_the_chart_has_the_shares_of_the_paper_beside_it_and_whiskers() -> None:
    types = table(taxonomy(of_paper()), "types")
    assert types.chart is not None
    [reference] = types.chart.references
    assert reference.at[0, 1] == pytest.approx(18 / 104)
    assert reference.at[3, 2] == pytest.approx(31 / 86)
    assert (0, 2) not in reference.at
    figure = draw(types)
    assert figure.data[0].orientation == "h"
    assert figure.data[0].error_x.array is not None


def test_unsure_and_open_are_in_no_share_and_counted() -> None:
    rows = [*of_paper()[:4], Row(200, None, unsure=True), Row(201, None)]
    found = taxonomy(rows)
    shares = found.shares
    assert (shares.classified, shares.true_errors, shares.unsure, shares.open) == (4, 0, 1, 1)
    assert percents(found.tables[0], 1) == [100, 0, 0, 0, 0, 0]
    assert percents(found.tables[0], 2) == [None] * 6


def test_nothing_audited_yet_is_undefined_everywhere() -> None:
    found = taxonomy([Row(1, None)])
    assert [one.name for one in found.tables] == ["types"]
    assert percents(found.tables[0], 1) == [None] * 6


def test_groups_that_differ_have_tables_and_every_cell_opens_its_items() -> None:
    rows = [
        Row(1, ErrorType.GRANULARITY, stage="lexicon", concept_class="explicit"),
        Row(2, ErrorType.GRANULARITY, stage="relabel", concept_class="logically_implicit"),
        Row(3, ErrorType.TRIGGER, stage="lexicon", concept_class="explicit"),
    ]
    found = taxonomy(rows)
    assert [one.name for one in found.tables] == ["types", "by_class", "by_stage", "flow"]
    by_class = table(found, "by_class")
    assert [row[0] for row in by_class.rows] == ["explicit", "logically implicit"]
    assert [row[1 + list(ErrorType).index(ErrorType.GRANULARITY)] for row in by_class.rows] == [1, 1]
    flow = table(found, "flow")
    assert list(flow.rows) == [
        ("lexicon", NAMES[ErrorType.GRANULARITY], 1),
        ("lexicon", NAMES[ErrorType.TRIGGER], 1),
        ("relabel", NAMES[ErrorType.GRANULARITY], 1),
    ]
    assert [item.id for item in flow.items["flow:lexicon:E-4"]()] == ["HP:3"]
    assert [item.id for item in table(found, "types").items["E-1"]()] == ["HP:1", "HP:2"]
    drawn = draw(flow).data[0]
    assert list(drawn.link.value) == [1, 1, 1]
    assert list(drawn.node.label)[:2] == ["dictionary", "second reading"]


def test_what_others_answered_is_in_no_list_of_a_curator_who_has_not() -> None:
    rows = [Row(1, ErrorType.GRANULARITY), Row(2, ErrorType.GRANULARITY)]
    found = taxonomy(rows)
    assert [item.id for item in found.seen_by([2]).tables[0].items["E-1"]()] == ["HP:2"]
    assert len(found.seen_by(None).tables[0].items["E-1"]()) == 2
    assert found.seen_by([]).tables[0].rows == found.tables[0].rows


def test_sets_stand_side_by_side() -> None:
    first = AuditSet("a", "r1", "imported:gsc@1", 9, of_paper(), "lexicon 1")
    second = AuditSet("b", "r2", "imported:gsc@1", 9, [Row(1, None)], "some-model", "claims@3f2a")
    found = side_by_side([first, second])
    assert [row[:6] for row in found.rows] == [
        ("a", "r1", "lexicon 1", None, "imported:gsc@1", 104),
        ("b", "r2", "some-model", "claims@3f2a", "imported:gsc@1", 0),
    ]
    assert found.rows[0][6] == pytest.approx(18 / 104)
    assert found.rows[1][6:] == (None,) * 6
    assert APPARENT in found.note
    assert TRUE not in found.note


def test_the_first_of_each_type_is_its_example_with_the_sentence_of_its_evidence(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "w.db") as workspace:
        house = making.furnish(workspace, 1)

        class Of(Row):
            @property
            def concept(self) -> str:
                return making.CONCEPTS[self.item_id]

        rows = [Of(0, None), Of(1, ErrorType.TRIGGER), Of(2, ErrorType.TRIGGER)]
        for row in rows:
            row.passage_id = house.passages[0]
        found = examples(workspace, rows)
    assert list(found) == [ErrorType.TRIGGER]
    assert found[ErrorType.TRIGGER].label == "concept 1"
    assert found[ErrorType.TRIGGER].sentence == making.TEXT.format(n=0)
