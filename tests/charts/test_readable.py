"""What a figure lets a reader see: intervals of all points, units of axes, numbers on hatched bars."""

from core.charts import Chart, Estimate, Table, draw


def table(kind, unit=True, y_title=""):
    rows = [(0.5, Estimate(0.4, 20, low=0.3, high=0.6)), (0.6, Estimate(0.3, 20, low=0.2, high=0.5))]
    return Table("T", ("x", "F1"), rows, chart=Chart(kind, "x", ("F1",), unit=unit, y_title=y_title))


def test_every_point_of_a_curve_has_its_interval():
    (trace,) = draw(table("curve")).data
    assert [round(v, 9) for v in trace.error_y.array] == [0.2, 0.2]
    assert [round(v, 9) for v in trace.error_y.arrayminus] == [0.1, 0.1]


def test_axes_name_their_unit():
    assert draw(table("curve")).layout.yaxis.title.text == "F1 (fraction)"
    assert draw(table("intervals")).layout.xaxis.title.text == "F1 (fraction)"
    assert draw(table("bars", unit=False, y_title="documents")).layout.yaxis.title.text == "documents"
    two = Table("T", ("x", "a", "b"), [("r", 1, 2)], chart=Chart("bars", "x", ("a", "b")))
    assert draw(two).layout.yaxis.title.text == "n"


def test_what_is_shown_as_a_dash_is_not_drawn():
    rows = [("a", Estimate(0.0, 20, low=0.0, high=0.0, blank="Nothing there.")), ("b", Estimate(0.5, 20))]
    figure = draw(Table("T", ("x", "F1"), rows, chart=Chart("intervals", "x", ("F1",))))
    assert list(figure.data[0].x) == [0.5]


def test_numbers_on_hatched_bars_have_a_rim_and_faint_lines_behind_them():
    two = Table("T", ("x", "a", "b"), [("r", 10, 20)], chart=Chart("stacked", "x", ("a", "b")))
    hatched = draw(two).data[1]
    assert hatched.marker.pattern.shape == "/"
    assert hatched.marker.pattern.fgopacity < 0.5
    assert hatched.insidetextfont.shadow == "auto"
