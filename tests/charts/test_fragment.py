"""A figure in an HTML file brings what it needs and asks for nothing."""

from core.charts import draw, figure_html, spread


def test_a_fragment_brings_its_library_once_and_asks_for_nothing_else():
    figure = draw(spread({"proposals": [0.5]}))
    alone = figure_html(figure, with_library=False)
    assert "cdn." not in alone
    assert len(alone) < 20_000
    assert len(figure_html(figure)) > 1_000_000
