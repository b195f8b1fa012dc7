"""The start page: one sentence, a picture of the set, and where to go on."""

from __future__ import annotations

import base64
import statistics
from datetime import datetime
from math import ceil

import streamlit as st

from core import doctor
from core.charts import Table, squares
from core.cli import demo
from core.evaluate.headline import Headline, headline
from core.records import ItemKind
from core.review.frames import next_units
from core.store import queue
from core.store.sitting import activity
from core.text.visible import visible
from pages.widgets import charts_ahead, frame, state, take_away, tour
from pages.widgets.audit.sets import audit_sets
from pages.widgets.desk.chosen import list_address
from pages.widgets.plain import escape
from pages.widgets.start import first_steps

CONCEPTS, PAIRS = "pages/review/concept_labels.py", "pages/review/conflict_labels.py"
TRY, TAXONOMY = "pages/start/try_text.py", "pages/audit/error_taxonomy.py"
METRICS, PAIR_METRICS = "pages/reports/metrics.py", "pages/reports/conflict_metrics.py"
BATCH = 20
"""Labels of a first sitting."""
CARD = 270
"""Pixels across: three in a row on a wide screen."""
FASTEST = 1000
"""Milliseconds of a decision at least, when a sitting is foreseen."""
USUAL = 9000
"""Milliseconds of a decision on a concept label where nobody has been timed: assumed, and told so."""


def show(ws: state.Workspace) -> None:
    found = state.read(ws, headline)
    if found is None:
        first_steps.show(ws)
        return
    whole = not frame.is_asking()  # else this runs again at once: the picture does not wait for the rest
    st.title(escape(found.sentence()), anchor=False)
    _note(found)
    if state.read(ws, demo.is_older):
        st.info(demo.OLDER, icon="ℹ️")
    with st.container(horizontal=True, gap="large"):
        _picture(found)
        with st.container(width="stretch", gap="small"):
            _legend(found)
            st.caption(escape(found.rests_on()))
            if whole:
                _today(ws)
                _health(ws)
    if whole:
        _ways(ws, found)
        tour.begin(ws)
        charts_ahead.load()


def _note(found: Headline) -> None:
    """What a report of the page tells."""
    take_away.note_text("In short", f"{found.sentence()}\n{found.rests_on()}")
    names = ("Right", "Not known", "Wrong")
    rows = list(zip(names, found.squares(), strict=True))
    take_away.note_table("start", Table("Of 100 labels", ("what", "labels"), rows))


def _picture(found: Headline) -> None:
    right, wrong, unknown = found.squares()
    said = f"100 squares: {right} right, {unknown} not known, {wrong} wrong."
    drawn = base64.b64encode(squares(right, wrong).encode()).decode()
    # not st.image: the browser would load a script of its own for it and show the picture half a second later
    st.markdown(f"![{said}](data:image/svg+xml;base64,{drawn})")


def _legend(found: Headline) -> None:
    right, wrong, unknown = found.squares()
    if found.bounds() is None:
        left = found.labels - found.right - found.wrong
        rows = (("✓ Right", found.right), ("☐ Not known", left), ("✕ Wrong", found.wrong))
        told = [f"**{escape(name)}:** {n:,} of {found.labels:,} labels" for name, n in rows]
    else:
        least = "" if found.is_whole else "at least "
        told = [f"**✓ Right:** {least}{right} of 100", f"**☐ Not known:** {unknown} of 100"]
        told.append(f"**✕ Wrong:** {least}{wrong} of 100")
    st.markdown("  \n".join(told))


def _today(ws: state.Workspace) -> None:
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    done = state.read(ws, activity, midnight)
    if done.answers:
        decisions = f"{done.answers:,} decision{'' if done.answers == 1 else 's'}"
        people = f"{done.curators:,} {'person' if done.curators == 1 else 'people'}"
        st.markdown(f"**Today:** {decisions} by {people}.")
    else:
        st.markdown("**Today:** no decisions yet.")


def _health(ws: state.Workspace) -> None:
    rows = doctor.health(ws.path)
    if not rows:
        st.markdown(
            "**Health:** file, disk and database are in order.",
            help="A quick look. `touchstone verify` proves every record.",
        )
    for row in rows:
        st.markdown(f"**Health:** {escape(f'{row.name}: {row.value}. {row.advice}')}")


# --- ways on ------------------------------------------------------------------------------------------------


def _ways(ws: state.Workspace, found: Headline) -> None:
    with st.container(horizontal=True, vertical_alignment="top"):  # a card that has no room goes below
        for draw in (_try, _review, _errors):
            with st.container(border=True, width=CARD, height="stretch"):
                draw(ws, found)
    if not found.pairs and state.review_runs(ws, ItemKind.PAIR):
        st.page_link(PAIRS, label="Look at claims that seem to disagree", icon="⚖️")


def _try(ws: state.Workspace, found: Headline) -> None:
    st.page_link(TRY, label="**Try your own text**", icon="✏️")
    st.caption("Paste a passage and see which concepts are found in it. Nothing is stored.")


def _review(ws: state.Workspace, found: Headline) -> None:
    page = PAIRS if found.pairs else CONCEPTS
    frame = found.whole.frame if found.whole else None
    drawn = frame.name if frame and frame.unit == "item" else None
    items = state.read(ws, _next, found.run, drawn)
    if not items:
        st.page_link(page, label="**Go to the review desk**", icon="☑️")
        st.caption("Somebody has decided on every label.")
        return
    what = f"{len(items)} label{'' if len(items) == 1 else 's'}"
    name = page.rpartition("/")[2].removesuffix(".py")
    minutes, reckoned = _minutes(ws, len(items), found.pairs)
    st.page_link(
        page,
        label=f"**Review {what}{minutes}**",
        icon="☑️",
        query_params=list_address(name, f"The next {what}", items, visible(found.corpus)),
    )
    st.caption(f"Accept, fix or reject, one key each. You are asked for a name there.{reckoned}")


def _next(ws: state.Workspace, run: str, frame: str | None) -> list[int]:
    """Items to review next: of the frame behind the headline, else the first that nobody has judged."""
    if frame is not None:
        return [one.item_id for one in next_units(ws, frame, BATCH) if one.item_id is not None]
    return queue.unanswered(ws, run, BATCH)


def _minutes(ws: state.Workspace, items: int, pairs: bool) -> tuple[str, str]:
    """How long so many decisions take, and what that rests on: the curator's own last ones, else
    everybody's, else a usual label. Both empty for claim pairs that nobody has been timed at."""
    kinds = (ItemKind.PAIR,) if pairs else (ItemKind.CONCEPT,)
    times = state.read(ws, _pace, state.curator(), kinds) or state.read(ws, _pace, None, kinds)
    if not times and pairs:
        return "", ""
    each = max(statistics.median(times), FASTEST) if times else USUAL
    said = "" if times else f" Reckoned with {USUAL // 1000} seconds a label: nobody has been timed here yet."
    return f" ({ceil(items * each / 60_000)} min)", said


def _pace(ws: state.Workspace, curator: str | None, kinds: tuple[str, ...]) -> list[int]:
    return queue.pace(ws, curator, kinds=kinds)


def _errors(ws: state.Workspace, found: Headline) -> None:
    audited = any(one.run == found.run for one in state.read(ws, audit_sets))
    page = TAXONOMY if audited else PAIR_METRICS if found.pairs else METRICS
    st.page_link(page, label="**See where the machine errs**", icon="⚠️")
    if audited:
        st.caption("Errors that people looked into, by type, with examples.")
    else:
        st.caption("Right, spurious and missed, number by number. Every number opens its items.")
