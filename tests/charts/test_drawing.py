"""Every kind of chart holds the numbers of its table, and each mark leads back to its cell."""

import csv
import io

import pytest

from core.charts import (
    Chart,
    Estimate,
    Table,
    cell_at,
    draw,
    explanation,
    family_title,
    figure_html,
    file_name,
    heads,
    is_drawn,
    metric_of,
    table_csv,
    title,
)

NAMES = ("affirmed", "negated")
HOSTILE = "<a href='http://evil.example'>x</a> $y$ %{x} & \x07"


def marks(figure):
    """(value along, value across, row, column) of every mark of a figure with custom data."""
    return [
        (x, y, data[0], data[1])
        for trace in figure.data
        for x, y, data in zip(trace.x, trace.y, trace.customdata, strict=True)
    ]


def table(kind, rows, columns=("name", "a", "b"), **chart):
    return Table("Any", columns, rows, "any", chart=Chart(kind, columns[0], tuple(columns[1:]), **chart))


def test_a_table_without_a_value_is_not_drawn():
    undefined = Estimate(None, 0, reason="No item was rated by two.")
    assert not is_drawn(table("intervals", [("x", undefined, None)]))
    assert is_drawn(table("intervals", [("x", undefined, None), ("y", undefined, Estimate(0.0, 3))]))
    assert not is_drawn(Table("Any", ("name", "a"), [("x", 1)]))


@pytest.mark.parametrize("kind", ["bars", "stacked", "histogram"])
def test_bars_stand_at_their_row_as_high_as_their_cell(kind):
    drawn = draw(table(kind, [("x", 3, 1), ("y", None, 2)]))
    assert marks(drawn) == [(0, 3.0, 0, 1), (0, 1.0, 0, 2), (1, 2.0, 1, 2)]  # the undefined one is left out
    assert list(drawn.layout.xaxis.ticktext) == ["x", "y"]
    assert drawn.layout.barmode == ("stack" if kind == "stacked" else "group")


def test_names_that_need_room_lay_the_bars_down_with_the_first_on_top():
    drawn = draw(table("bars", [("a name longer than that", 3, 1), ("y", 4, 2)]))
    assert marks(drawn)[0] == (3.0, 0, 0, 1)
    assert tuple(drawn.layout.yaxis.range) == (1.5, -0.5)


def test_two_rows_of_one_name_stay_two_bars():
    assert [mark[0] for mark in marks(draw(table("bars", [("x", 3, 1), ("x", 4, 2)])))] == [0, 1, 0, 1]


def test_bars_of_estimates_have_whiskers_from_low_to_high():
    rows = [("x", Estimate(0.5, 4, low=0.25, high=1.0), 0.75)]
    first, second = draw(table("bars", rows, unit=True)).data
    assert (list(first.y), list(first.error_y.array), list(first.error_y.arrayminus)) == (
        [0.5],
        [0.5],
        [0.25],
    )
    assert second.error_y.array is None


def test_dots_stand_in_rows_in_the_order_of_the_table_with_a_sign_for_each_group():
    rows = [(n, "split" if n == 27 else "yes", f"d{n}") for n in range(1, 28)]
    chart = Chart("dots", "said", ("item",), groups=("yes", "no", "split"))
    drawn = draw(Table("Any", ("item", "said", "document"), rows, "any", chart=chart))
    assert [trace.name for trace in drawn.data] == ["yes (26)", "no (0)", "split (1)"]
    assert [len(trace.x) for trace in drawn.data] == [26, 0, 1]
    yes, split = drawn.data[0], drawn.data[2]
    assert (yes.x[24], yes.y[24], yes.x[25], yes.y[25]) == (24, 0, 0, 1)  # 25 in a row
    assert marks(drawn)[-1] == (1, 1, 26, 0)
    assert split.customdata[0][2] == "item: 27<br>said: split<br>document: d27"
    assert len({trace.marker.symbol for trace in drawn.data}) == 3
    assert drawn.layout.showlegend


def test_a_funnel_lies_with_its_first_stage_on_top():
    drawn = draw(table("funnel", [("Generate", 5, 0), ("Classify", 3, 2)], ("stage", "kept", "dropped")))
    assert marks(drawn) == [(5, 0, 0, 1), (3, 1, 1, 1), (0, 0, 0, 2), (2, 1, 1, 2)]
    assert drawn.layout.barmode == "stack"
    assert tuple(drawn.layout.yaxis.range) == (1.5, -0.5)


def test_intervals_reach_exactly_from_low_to_high():
    rows = [
        ("F1", Estimate(0.5, 4, low=0.0, high=0.75), Estimate(1.0, 4)),
        ("Recall", Estimate(None, 0, reason="none"), Estimate(0.25, 4, low=0.25, high=0.5)),
    ]
    first, second = draw(table("intervals", rows, unit=True)).data
    assert (list(first.x), list(first.error_x.array), list(first.error_x.arrayminus)) == (
        [0.5],
        [0.25],
        [0.5],
    )
    assert (list(second.x), list(second.error_x.array)) == ([1.0, 0.25], [0, 0.25])
    assert [list(data[:2]) for data in second.customdata] == [[0, 2], [1, 2]]


def test_a_curve_joins_its_rows_and_skips_what_is_undefined():
    drawn = draw(table("curve", [(0.0, 0.2, 1.0), (0.5, None, 0.5), (1.0, 0.9, 0.0)], unit=True))
    assert marks(drawn) == [
        (0.0, 0.2, 0, 1),
        (1.0, 0.9, 2, 1),
        (0.0, 1.0, 0, 2),
        (0.5, 0.5, 1, 2),
        (1.0, 0.0, 2, 2),
    ]
    assert tuple(drawn.layout.xaxis.range) == (-0.02, 1.02)


def test_a_long_curve_is_thinned_but_keeps_its_ends_and_its_rows():
    (line,) = draw(table("curve", [(i / 5000, i / 5000) for i in range(5001)], ("t", "y"))).data
    assert len(line.x) == 1000
    assert [line.customdata[0][0], line.customdata[-1][0]] == [0, 5000]
    assert all(data[0] / 5000 == x for x, data in zip(line.x, line.customdata, strict=True))


def test_a_grid_has_one_bar_per_cell_deeper_the_larger_it_is():
    drawn = draw(table("heatmap", [("affirmed", 8, 1), ("negated", 0, None)], ("gold", *NAMES)))
    (bar,) = drawn.data
    cells = [
        (x, base + 0.48, list(data[:2]))
        for x, base, data in zip(bar.x, bar.base, bar.customdata, strict=True)
    ]
    assert cells == [(0, 0, [0, 1]), (1, 0, [0, 2]), (0, 1, [1, 1])]
    assert list(bar.marker.color) == [8, 1, 0]
    assert drawn.layout.coloraxis.cmax == 8


@pytest.mark.parametrize("columns", [1, 3, 6, 14])
def test_the_cells_of_a_grid_are_squares(columns):
    """What the margins leave of width and height, by columns and rows."""
    names = tuple(f"some_rather_long_name_{i}" for i in range(columns))
    layout = draw(table("heatmap", [(n, *range(columns)) for n in names], ("gold", *names))).layout
    margin = layout.margin
    wide, high = layout.width - margin.l - margin.r, layout.height - margin.t - margin.b
    assert wide == high
    assert 46 <= wide / columns <= 84
    # a margin that fits itself would take from one side alone
    assert [layout.xaxis.automargin, layout.yaxis.automargin] == [False, False]


def test_heads_of_a_grid_are_level_where_there_is_room_and_in_lines_where_they_are_long():
    level = draw(table("heatmap", [("a", 1, 2, 3)], ("gold", "affirmed", "A wrong", "not settled")))
    assert level.layout.xaxis.tickangle == 0
    assert list(level.layout.xaxis.ticktext) == ["affirmed", "A wrong", "not settled"]
    heads = tuple(f"{name}_scientific_controversy" for name in ("unresolved", "b", "c", "d", "e", "f"))
    upright = draw(table("heatmap", [("an_apparent_contradiction", *range(6))], ("gold", *heads)))
    assert upright.layout.xaxis.tickangle == -90
    assert upright.layout.xaxis.ticktext[0] == "unresolved_scientific_<br>controversy"
    assert list(upright.layout.yaxis.ticktext) == ["an_apparent_<br>contradiction"]


def test_a_treemap_has_an_area_per_row_and_parents_hold_their_children():
    rows = [("Heart", 10, 0.5, "All"), ("Valve", 4, None, "Heart"), ("Skin", 0, 0.9, "All")]
    branches = Table(
        "Branches",
        ("branch", "gold", "F1", "under"),
        rows,
        chart=Chart("treemap", "branch", ("gold", "F1"), parent="under"),
    )
    (areas,) = draw(branches).data
    assert list(areas.ids) == ["row-0", "row-1"]  # nothing stands for an area of 0
    assert list(areas.parents) == ["", "row-0"]
    assert list(areas["values"]) == [6, 4]  # what is left of the parent beside its child
    assert cell_at(branches, {"id": "row-1", "point_number": 1}) == (1, 1)


def test_children_that_exceed_their_parent_are_all_drawn():
    rows = [("Heart", 3, ""), ("Valve", 2, "Heart"), ("Wall", 2, "Heart")]
    (areas,) = draw(Table("T", ("b", "n", "up"), rows, chart=Chart("treemap", "b", ("n",), parent="up"))).data
    assert list(areas["values"]) == [0, 2, 2]


@pytest.mark.parametrize(
    "point",
    [{}, {"customdata": None}, {"customdata": ["a", 1]}, {"customdata": [9, 1]}, {"id": ""}, {"id": "row-9"}],
)
def test_a_click_beside_every_cell_is_none(point):
    assert cell_at(table("bars", [("x", 1, 2)]), point) is None


def test_a_click_finds_its_cell():
    assert cell_at(table("bars", [("x", 1, 2)]), {"customdata": [0, 2, "x", "2"]}) == (0, 2)


@pytest.mark.parametrize("kind", ["bars", "stacked", "histogram", "funnel", "intervals", "heatmap"])
def test_text_from_outside_is_never_markup(kind):
    drawn = draw(table(kind, [(HOSTILE, 1, 2), ("y", 3, 4)])).to_json()
    assert "<a" not in drawn
    assert "\\u003ca" not in drawn
    assert "%{x}" not in drawn.replace("%{x}<extra>", "")
    assert "\\u0007" not in drawn


def test_a_treemap_escapes_its_names():
    drawn = draw(Table("T", ("b", "n"), [(HOSTILE, 1)], chart=Chart("treemap", "b", ("n",))))
    assert "&lt;a href=" in drawn.data[0].labels[0]


def test_a_long_name_is_cut_on_the_axis_and_whole_in_the_hover_text():
    name = "An abnormality of a part of a part of the body " * 3
    drawn = draw(table("bars", [(name, 1, 2)]))
    assert len(drawn.layout.yaxis.ticktext[0]) == 34
    assert drawn.data[0].customdata[0][2] == name.rstrip() + " "


def test_a_table_that_names_no_chart_or_no_column_says_so():
    with pytest.raises(ValueError, match="says not how"):
        draw(Table("T", ("a",), [(1,)]))
    with pytest.raises(ValueError, match="no column 'z'"):
        draw(Table("T", ("a",), [(1,)], chart=Chart("bars", "a", ("z",))))


def test_a_drawn_table_is_a_fragment_that_asks_for_nothing():
    alone = figure_html(draw(table("heatmap", [("x", 1, 2)])), with_library=False)
    assert "http" not in alone.replace("http://www.w3.org", "")


# --- downloads ----------------------------------------------------------------------------------------------


def rows_of(download):
    return list(csv.reader(io.StringIO(download.decode("utf-8"))))


def test_a_download_keeps_full_precision_and_intervals_apart():
    third = 1 / 3
    head, first, second = rows_of(
        table_csv(
            Table(
                "T",
                ("name", "F1", "n"),
                [
                    ("x", Estimate(third, 4, low=0.1, high=0.9), 4),
                    ("y", Estimate(None, 0, reason="none"), None),
                ],
            )
        )
    )
    assert head == ["name", "F1", "F1 low", "F1 high", "F1 n", "F1 reason", "n", "guarded_cells"]
    assert float(first[1]) == third
    assert first[2:] == ["0.1", "0.9", "4", "", "4", ""]
    assert second == ["y", "", "", "", "0", "none", "", ""]


def test_a_download_is_safe_in_a_spreadsheet():
    head, row = rows_of(table_csv(Table("T", ("=cmd", "b"), [("=1+1", "-2")])))
    assert head == ["'=cmd", "b", "guarded_cells"]
    assert row == ["'=1+1", "'-2", "'=cmd b"]


def test_columns_of_one_name_stay_apart():
    assert heads(Table("T", ("F1", "F1"), [])) == ["F1", "F1 (2)"]


def test_a_file_name_holds_nothing_that_a_path_is_made_of():
    assert file_name("run/../1", "<b>", "Confusion of statuses") == "run-..-1_b_Confusion-of-statuses"
    assert file_name("../..", "/") == "table"


# --- words --------------------------------------------------------------------------------------------------


def test_metrics_explain_themselves_in_the_words_of_the_registry():
    assert title("corpus.macro_f1") == "Macro F1"
    assert metric_of("assertions", "f1:negated") == "assertions.f1"
    assert explanation("corpus.macro_f1")[2] == "Range [0, 1], higher is better."
    assert explanation("corpus.unheard_of") == []
    assert family_title("unheard_of") == "Unheard of"


def test_near_misses_are_small_trees_under_their_common_ancestor():
    """B and C lie one and two steps below A; E one below D, which is proposed itself; F hangs nowhere."""
    columns = ("proposed", "gold", "documents", "above", "proposed below", "gold below")
    rows = [("X:2 (B (b))", "C", 4, "A", 1, 2), ("D", "E", 2, "D", 0, 1), ("F", HOSTILE, 1, None, None, None)]
    chart = Chart("branches", "documents", columns[4:], parent="above")
    drawn = draw(Table("Any", columns, rows, "any", chart=chart))
    lines, proposed, twigs, gold = drawn.data
    assert list(zip(proposed.x, proposed.y, strict=True)) == [(1, -0.24), (0, 1)]
    assert list(zip(gold.x, gold.y, strict=True)) == [(2, 0.24), (1, 1.24)]
    assert [text.strip() for text in proposed.text] == ["B (b)", "D"]
    assert list(proposed.textposition) == ["middle right", "top right"], "beside the line, not on it"
    assert list(lines.x) == [0, 1, None]
    assert list(twigs.x) == [0, 1, 2, None, 0, 1, None]
    assert list(drawn.layout.yaxis.ticktext) == ["A", "D"]
    shown = Table("Any", columns, rows, "any", chart=chart)
    assert [cell_at(shown, {"customdata": list(data)}) for data in gold.customdata] == [(0, 2), (1, 2)]


def test_an_icicle_leaves_out_what_has_no_colour_and_writes_what_fits():
    name = "Abnormality of the nervous system and many more of its kind"
    rows = [("All", 10, 0.5, None), (name, 6, 0.25, "All"), ("Skin", 3, None, "All"), ("Eye", 1, 1.0, "All")]
    bands = Table(
        "Bands",
        ("node", "concepts", "errors", "inside"),
        rows,
        chart=Chart("icicle", "node", ("concepts", "errors"), parent="inside", unit=True),
    )
    figure = draw(bands)
    (areas,) = figure.data
    assert list(areas.ids) == ["row-0", "row-1", "row-3"]  # no colour would be true of Skin
    assert list(areas["values"]) == [3, 6, 1]
    assert areas.labels[1] == name
    assert areas.text[1].replace("<br>", " ") == name
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, 1)
    assert cell_at(bands, {"id": "row-3"}) == (3, 1)
    hostile = Table("T", ("b", "n"), [(HOSTILE, 1)], chart=Chart("icicle", "b", ("n",)))
    drawn = draw(hostile).data[0]
    assert "<a" not in drawn.labels[0] + drawn.text[0]
