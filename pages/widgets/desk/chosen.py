"""Filters of a review page: each kept in the address, so that it survives a reload and can be linked to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import review
from core.errors import InputError
from core.store import Workspace, documents
from core.text.visible import visible
from pages.widgets import way_back
from pages.widgets.plain import escape

ANY = "any"
SHOWN = {
    review.Show.UNDECIDED.value: "Undecided",
    review.Show.DECIDED.value: "My decided ones",
    review.Show.ACCEPTED.value: "My accepted ones",
    review.Show.FIXED.value: "My fixed ones",
    review.Show.REJECTED.value: "My rejects",
    review.Show.UNSURE.value: "My unsure ones",
    review.Show.ADDED.value: "Added by me",
    review.Show.ALL.value: "All",
}
"""By the curator's own answers: nobody is led by another's."""
LISTS = ("items", "passages")
"""What a list in the address may hold."""
MOST_NAME = 120
"""Characters of a list's name."""
MOST_ADDRESS = 7500
"""Characters of the query of a list's address: what mail, browsers and servers pass on whole."""
ANSWERS = {"1": "One", "2": "Two", "3": "Three"}
OVERLAPS = {
    "0": "None",
    "0.05": "5 %",
    "0.1": "10 %",
    "0.2": "20 %",
    "0.5": "50 %",
    "1": "All",
}
"""Share of the items that two curators answer -> how it is offered."""
REPEATS = {"0": "None", "0.02": "2 %", "0.05": "5 %", "0.1": "10 %"}
"""Share of the items that a curator is asked about once more -> how it is offered."""


def choose(page: str, name: str, label: str, options: dict[str, str]) -> str:
    """One filter: the value chosen among value -> what is shown."""
    key = f"{page}.{name}"
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    chosen = st.selectbox(
        label, list(options), format_func=lambda one: visible(options[one]), key=key, bind="query-params"
    )
    return _kept(page, key, str(chosen))


def take_up(page: str) -> None:
    """What was chosen before another page was visited, unless the address brings filters of its own:
    Streamlit forgets a widget that is not drawn. Call it before the first filter."""
    if not any(name.startswith(f"{page}.") for name in st.query_params):
        for key, value in st.session_state.get(f"{page}.kept", {}).items():
            st.session_state.setdefault(key, value)


def _kept(page: str, key: str, value: str) -> str:
    st.session_state.setdefault(f"{page}.kept", {})[key] = value
    return value


def overlap(page: str) -> tuple[float, str]:
    """The share of the items that two curators answer, and the seed that they are drawn with."""
    share = float(choose(page, "overlap", "Answered twice", OVERLAPS))
    if not 0 < share < 1:
        return share, review.SEED
    key = f"{page}.seed"
    typed = st.text_input(
        "Seed of the draw",
        key=key,
        bind="query-params",
        max_chars=review.MOST_SEED,
        placeholder=review.SEED,
        help="Curators who are to share the same items give the same seed. Another seed draws other items.",
    )
    return share, _kept(page, key, typed).strip() or review.SEED


def repeats(page: str) -> float:
    """The share of the items that the curator is asked about once more."""
    return float(choose(page, "repeats", "Asked again, unmarked", REPEATS))


def told(overlap: float, repeats: float, seed: str) -> list[str]:
    """What is said above the desk of such shares; nothing where there are none."""
    found = []
    if overlap:
        of = "all" if overlap == 1 else _percent(overlap)
        drawn = [f"seed {seed}"] if overlap < 1 and seed != review.SEED else []
        found += [f"{of} by two curators, a third where they disagree", *drawn]
    if repeats:
        found.append(f"{_percent(repeats)} asked again, unmarked, after {review.APART} other answers")
    return found


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def document(page: str, on: Workspace, corpus: str, label: str, tell: DeltaGenerator) -> int | None:
    """The passage of the document whose id is typed in: typing answers at once in a corpus of any size, where
    a list to choose from would be sent to the browser as a whole.

    Args:
        tell: where it is said that there is no such document; nothing is left out then.
    """
    key = f"{page}.document"
    typed = st.text_input(label, key=key, bind="query-params", placeholder="Any: or its id")
    typed = _kept(page, key, typed).strip()
    if not typed:
        return None
    found = documents.passage_of(on, corpus, typed)
    if found is None:
        near = ", ".join(escape(row.doc_id) for row in documents.find(on, corpus, typed, 3))
        also = f" These hold it in their ids: {near}." if near else ""
        tell.warning(f"There is no document {escape(typed)} in {escape(corpus)}.{also} All are shown.")
    return found


def list_address(
    page: str, name: str, ids: Iterable[int], corpus: str = "", back: str = "", *, of: str = "items"
) -> dict[str, str]:
    """Query parameters that open a review page on these items, or passages, in this order.

    Args:
        name: what the list is about, as the page shows it: "Fixes that changed the concept".
        corpus: of the items, as the page's filter names it.
        back: the way back to where the list comes from, as `way_back.to_here` gives it.
        of: `items` or `passages`.

    Raises:
        InputError: there are none, or more than a list holds.
    """
    made = review.Listed(name[:MOST_NAME], tuple(ids), of)
    given = {"corpus": corpus, "list": made.name, "back": back, of: ".".join(map(str, made.ids))}
    return {f"{page}.{key}": value for key, value in given.items() if value}


def fitting(
    page: str, name: str, ids: Sequence[int], corpus: str = "", back: str = "", *, of: str = "items"
) -> tuple[dict[str, str], int]:
    """As `list_address`, of the first of them, as many as an address holds; and how many these are."""
    room = MOST_ADDRESS - len(urlencode(list_address(page, name, ids[:1], corpus, back, of=of)))
    ends = accumulate(len(str(one)) + 1 for one in ids[1 : review.MOST_LISTED])
    held = 1 + sum(end <= room for end in ends)
    return list_address(page, name, ids[:held], corpus, back, of=of), held


def listed(page: str) -> review.Listed | None:
    """The list that the address names; one that cannot be read is told, and the queue shown instead."""
    of = next((one for one in LISTS if st.query_params.get(f"{page}.{one}")), None)
    if of is None:
        return None
    given = st.query_params[f"{page}.{of}"]
    name = st.query_params.get(f"{page}.list", "")[:MOST_NAME] or f"{of.capitalize()} of a link"
    try:
        ids = tuple(map(int, given.split(".")))
        if not all(0 < one < 2**63 for one in ids):
            raise ValueError(given)
        return review.Listed(name, ids, of)
    except ValueError:
        problem = (
            f"The list in this address cannot be read: it should hold ids of {of} with dots between them."
        )
    except InputError as error:
        problem = str(error)
    st.warning(f"{escape(problem)} Here is the queue instead.")
    return None


def leave_list(page: str) -> None:
    """The ways from the list: back to the number that it was opened from, and to the queue."""
    if back := way_back.read(st.query_params.get(f"{page}.back", "")):
        st.page_link(back.page, label="Back to the number", icon="⬅️", query_params=back.query)
    if st.button("Leave the list", key=f"{page}.leave"):
        for name in (*LISTS, "list", "back"):
            st.query_params.pop(f"{page}.{name}", None)
        st.rerun()


def named(value: str) -> str | None:
    """A filter's value, None where any will do."""
    return None if value == ANY else value
