"""Values from elsewhere are dashed lines beside the cells they belong to, and answer no click."""

import pytest

from core.charts import Chart, Estimate, Reference, Table, cell_at, draw

NAME, SOURCE = "Alpha, published", "A paper, table 1"


def lines(figure):
    return [trace for trace in figure.data if trace.meta == "reference"]


def table(kind, columns=("value", "F1"), **chart):
    rows = [("micro", *(Estimate(0.5, 4) for _ in columns[1:])), ("macro", *(0.25 for _ in columns[1:]))]
    return Table("T", columns, rows, chart=Chart(kind, columns[0], columns[1:], **chart))


def test_a_line_crosses_the_row_of_its_cell_alone():
    """Rows stand at 0 and 1 and are 1 high; a line leaves a twentieth above and below."""
    drawn = draw(table("intervals", references=(Reference(NAME, SOURCE, {(1, 1): 0.8}),)))
    (line,) = lines(drawn)
    assert list(line.x) == [0.8, 0.8, None]
    assert list(line.y) == pytest.approx([0.55, 1.45, None])
    assert (line.line.dash, line.mode) == ("5px,3px", "lines")
    assert line.name == f"{NAME}<br>{SOURCE}"
    assert drawn.layout.showlegend


def test_of_several_series_it_crosses_its_own_place():
    """Two series of a row of intervals lie 0.11 above and below its middle, two bars of a group side by side:
    with two rows, gaps take half of the room (0.8 - 2 x 0.15), so that a bar is 0.25 wide."""
    references = (Reference(NAME, SOURCE, {(0, 1): 0.8, (0, 2): 0.6}),)
    (line,) = lines(draw(table("intervals", ("value", "P", "R"), references=references)))
    assert list(line.x) == [0.8, 0.8, None, 0.6, 0.6, None]
    assert list(line.y) == pytest.approx([-0.22, 0, None, 0, 0.22, None])
    (line,) = lines(draw(table("bars", ("value", "P", "R"), references=references)))
    assert list(line.y) == [0.8, 0.8, None, 0.6, 0.6, None]
    assert list(line.x) == pytest.approx([-0.25, 0, None, 0, 0.25, None])


def test_both_sides_of_one_value_share_one_line():
    references = (Reference(NAME, SOURCE, {(0, 1): 0.8, (0, 2): 0.8}),)
    (line,) = lines(draw(table("intervals", ("value", "before", "after"), references=references)))
    assert list(line.x) == [0.8, 0.8, None]
    assert list(line.y) == pytest.approx([-0.45, 0.45, None])


def test_several_systems_differ_by_their_dashes():
    references = tuple(Reference(name, SOURCE, {(0, 1): 0.8}) for name in ("Alpha", "Beta"))
    drawn = lines(draw(table("intervals", references=references)))
    assert [line.line.dash for line in drawn] == ["5px,3px", "2px,3px"]


def test_a_click_on_a_line_is_a_click_beside_every_cell():
    held = table("intervals", references=(Reference(NAME, SOURCE, {(0, 1): 0.8}),))
    (line,) = lines(draw(held))
    assert line.customdata is None
    assert cell_at(held, {"curve_number": 1, "point_number": 0, "x": 0.8, "y": 0}) is None


def test_names_of_systems_are_never_markup():
    drawn = draw(table("intervals", references=(Reference("<b>x</b> %{y}", "<i>", {(0, 1): 0.5}),)))
    assert "<b>" not in drawn.to_json()
    assert "\\u003cb\\u003e" not in drawn.to_json()


def test_a_chart_without_a_place_for_them_says_so():
    with pytest.raises(ValueError, match="'curve' has no place"):
        table("curve", references=(Reference(NAME, SOURCE, {}),))
