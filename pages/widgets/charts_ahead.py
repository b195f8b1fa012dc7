"""The browser loads what it draws charts with while somebody still reads.

Streamlit's script for that has 4.7 MB and is most of the wait for the first chart.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from pages.widgets import state

SCRIPTS = Path(st.__file__).parent / "static" / "static" / "js"
_ahead = st.components.v2.component(
    "touchstone_charts_ahead",
    js="""
const READING = 1500 // milliseconds before it begins
const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 0))
export default ({ data }) => {
  const at = new URL(`./static/js/${data}`, document.baseURI)
  const load = () => import(at).catch(() => {}) // a chart asks again by itself
  const timer = setTimeout(() => later(load), READING)
  return () => clearTimeout(timer)
}
""",
)


def load() -> None:
    """On a page that people read before they come to a chart."""
    if name := _script():
        _ahead(key=state.CHARTS_AHEAD, data=name)


@cache
def _script() -> str | None:
    return next((path.name for path in SCRIPTS.glob("PlotlyChart.*.js")), None)
