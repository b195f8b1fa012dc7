"""The way from a list on a desk back to the number that it was opened from.

It stands in the address as the name of a report page and its query parameters. An address comes from outside:
it can name nothing but a report page, and nothing of it but what the page itself writes into its address.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

ROOT = Path(__file__).parents[2]
REPORTS = {
    path.stem: path.relative_to(ROOT).as_posix()
    for path in (
        *(ROOT / "pages/reports").glob("*.py"),
        *(ROOT / "pages/explore").glob("*.py"),
        ROOT / "pages/audit/error_taxonomy.py",
    )
}
"""Name in an address -> file."""
ALSO = ("open", "run")
"""Query parameters of reports beside those that begin with the page's name."""
MOST = 1500
"""Characters of a way back. A longer one leads to the page alone."""
MOST_PARAMETERS = 60


class WayBack(NamedTuple):
    page: str
    """Its file."""
    query: list[tuple[str, str]]


def to_here(page: str) -> str:
    """The way back to a report as it is shown now. Empty where `page` names none."""
    if page not in REPORTS:
        return ""
    query = [(name, one) for name in st.query_params for one in st.query_params.get_all(name)]
    way = f"{page}?{urlencode([row for row in query if _is_of(page, row[0])])}"
    return way if len(way) <= MOST else page


def read(given: str) -> WayBack | None:
    """Where a way back leads; None where it is none."""
    page, _, query = given.partition("?")
    if page not in REPORTS or len(given) > MOST:
        return None
    try:
        rows = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError:
        return None
    return WayBack(REPORTS[page], [row for row in rows if _is_of(page, row[0])])


def _is_of(page: str, name: str) -> bool:
    return name in ALSO or name.startswith(f"{page}.")
