"""What a page shows, as a file that opens without a server."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from core.charts import Chart, Estimate, Table
from core.evaluate.report.page import Headline, page_html

HOSTILE = "<script>alert(1)</script>"
F1 = Headline("Macro F1", Estimate(0.8, 12, low=0.7, high=0.9), "corpus.macro_f1")


class Reader(HTMLParser):
    """Tables as rows of cells, and every tag that was met."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.rows: list[list[str]] = []
        self._in_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        self._in_cell = tag in ("td", "th")
        if self._in_cell:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_cell = self._in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.rows[-1][-1] += data


def test_a_page_is_told_with_its_choices_values_tables_and_meanings() -> None:
    counts = Table("Counts", ("outcome", "n"), [("right", 7), ("spurious", None)])
    found = Reader(page_html("Metrics", {"run": "gpt"}, [F1], [counts, Table("Empty", ("a",), [])]))
    assert ["run", "gpt"] in found.rows
    assert ["Macro F1", "0.800 [0.700, 0.900]"] in found.rows
    assert ["right", "7"] in found.rows
    assert ["spurious", "–"] in found.rows
    (meaning,) = [row[1] for row in found.rows if row[0] == "Macro F1" and "Formula" in row[1]]
    assert "Source" in meaning
    assert "script" not in found.tags, "nothing is drawn, so nothing draws"


def test_a_chart_brings_what_draws_it_once() -> None:
    drawn = Table("Drawn", ("name", "n"), [("a", 1)], "drawn", chart=Chart("bars", "name", ("n",)))
    one, two = (page_html("Any", {}, [], [drawn] * n) for n in (1, 2))
    assert len(two) < len(one) * 1.1
    assert two.count('class="figure"') == 2


def test_nothing_is_asked_of_the_network_and_no_text_is_markup() -> None:
    hostile = Table(HOSTILE, (HOSTILE, "n"), [(HOSTILE, 1)])
    page = page_html(HOSTILE, {HOSTILE: HOSTILE}, [Headline(HOSTILE, HOSTILE)], [hostile])
    assert "script" not in Reader(page).tags
    assert "default-src 'none'" in page
    assert not re.search(r"(src|href)=['\"]?(https?:)?//", page)


def test_a_page_without_numbers_says_so() -> None:
    assert "The page shows no number yet." in page_html("Metrics", {}, [], [])
