"""What a view looks up: first rows at once, later ones below them, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from pages.widgets.desk.component import HERE

pytestmark = pytest.mark.browser

ASKING = """
let sent = 0, now = 0
performance.now = () => now
const looked = new LookUps(() => (sent += 1))
const ask = () => looked.find("search", "ward", "", "fits")
const rows = (...ids) => ids.map((id) => ({ id }))
const answer = (ids, complete, more) =>
  looked.hear({ id: looked.question()?.id, rows: rows(...ids), complete, more })
const shown = () => ask()?.rows.map((row) => row.id).join("")
"""


@pytest.fixture
def tell(page: Page) -> Any:
    """Runs statements in the page, after the look-ups are made there."""
    script = "".join((HERE / name).read_text("utf-8") for name in ("outbox.js", "lookups.js"))
    return lambda statements: page.evaluate(f"() => {{ {script}\n{ASKING}\n{statements} }}")


def test_later_rows_are_asked_for_at_once_and_stand_below(tell: Any) -> None:
    first, wanted, second, end = tell("""
      ask(); const first = looked.question().final
      answer("ab", false, true)
      const wanted = looked.question().final
      const second = shown()
      answer("cbd", true, false)
      return [first, wanted, second, shown() + String(looked.question())]
    """)
    assert (first, wanted, second, end) == (False, True, "ab", "abcdnull")


def test_rows_still_being_made_are_asked_for_again_while_somebody_looks(tell: Any) -> None:
    early, late, asked, end = tell("""
      ask(); answer("ab", false, true); answer("ab", false, true)
      now = 500; ask(); const early = String(looked.question())
      now = 2500; const late = shown() + looked.question().final
      ask(); const asked = sent
      answer("acb", true, false)
      now = 9000
      return [early, late, asked, shown() + sent]
    """)
    assert (early, late, asked, end) == ("null", "abtrue", 3, "abc3")


def test_an_answer_to_another_question_changes_nothing(tell: Any) -> None:
    assert tell("""
      ask(); looked.hear({ id: "old", rows: rows("z"), complete: true, more: false })
      const before = String(shown())
      looked.find("search", "ward", "", "other"); answer("q", true, false)
      return [before, looked.find("search", "ward", "", "other").rows[0].id, String(shown())]
    """) == ["undefined", "q", "undefined"]
