"""What changed between two releases: a list to search, and to take away."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from core.charts import Table, file_name, table_csv
from core.ontology.kgcl import commands
from core.ontology.versions import Change, Difference, Kind
from core.review.explore import difference
from core.review.explore.changed import search, sides
from core.text.visible import visible
from pages.widgets import plain, state, take_away
from pages.widgets.explore import address
from pages.widgets.plain import escape
from pages.widgets.versions.choice import KEY, Releases

TITLES = {
    Kind.ADDED: "New",
    Kind.ID_CHANGED: "Another id",
    Kind.MERGED: "Merged",
    Kind.REPLACED: "Replaced",
    Kind.OBSOLETED: "Obsolete",
    Kind.REMOVED: "Gone without a trace",
    Kind.RENAMED: "Renamed",
    Kind.MOVED: "Moved (other parents)",
    Kind.MOVED_AWAY: "Of these, moved away",
    Kind.EXTENDED: "New narrower concepts",
    Kind.REDEFINED: "Other definition",
    Kind.SYNONYMS: "Other synonyms",
}
ALL = "all"
PAGE = 100


def read(ws: state.Workspace, chosen: Releases) -> Difference:
    with st.skeleton(height=320):
        return difference(ws, *chosen)


def choose(found: Difference) -> Kind | None:
    """The kind that is listed; None: all."""
    counts = found.counts()
    options = {ALL: "All changes"} | {kind.value: TITLES[kind] for kind, number in counts.items() if number}
    key = f"{KEY}kind"
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    chosen = st.selectbox(
        "Show", list(options), format_func=options.__getitem__, key=key, bind="query-params", width=480
    )
    return None if chosen == ALL else Kind(chosen)


def show(found: Difference, kind: Kind | None) -> None:
    st.header("Concepts", anchor=False)
    words = st.text_input(
        "Search changes",
        key=f"{KEY}find",
        bind="query-params",
        placeholder="Words of a name, definition or synonym, or an id",
        max_chars=200,
    )
    rows = search(found, kind, words)
    table = _table(found, rows, kind)
    take_away.note_table(f"{KEY}changes", table)
    if not rows:
        st.info("No change holds all of these words." if words.strip() else "Nothing changed so.")
        return
    pages = -(-len(rows) // PAGE)
    at = st.pagination(pages, key=f"{KEY}page") if pages > 1 else 1
    first = (min(at, pages) - 1) * PAGE
    picked = plain.choosable(
        [dict(zip(table.columns, row, strict=True)) for row in table.rows[first : first + PAGE]],
        key=f"{KEY}list",
        of=(found.old, found.new, found.root, kind, words, at),
        height="content" if len(rows) <= 10 else 390,
        columns={
            "change": "Change",
            "id": "Id",
            "name": st.column_config.TextColumn("Name", width="medium"),
            "was": st.column_config.TextColumn("Was", width="medium"),
            "is now": st.column_config.TextColumn("Is now", width="medium"),
        },
    )
    _exports(found, table)
    for row in picked.shown:
        _detail(found, rows[first + row])


def _table(found: Difference, rows: Sequence[Change], kind: Kind | None) -> Table:
    heads = ("change", "id", "name", "was", "is now")
    told = [
        (TITLES[r.kind], r.curie, r.name, *("; ".join(side) or None for side in sides(found, r)))
        for r in rows
    ]
    if kind is not None and kind is not Kind.MOVED:
        heads, told = heads[1:], [row[1:] for row in told]
    return Table("Changes", heads, told, "changes")


def _exports(found: Difference, table: Table) -> None:
    name = file_name(found.old, found.new)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{len(table.rows):,} change{'' if len(table.rows) == 1 else 's'}.", width="content")
        for label, kind, mime, made in (
            ("This list, CSV", "csv", "text/csv", lambda: table_csv(table)),
            ("All, KGCL", "kgcl", "text/plain", lambda: "".join(f"{c}\n" for c in commands(found))),
            ("All, JSON", "json", "application/json", lambda: json.dumps(_json(found), ensure_ascii=False)),
        ):
            st.download_button(
                label,
                made,
                f"{name}.{kind}",
                mime,
                key=f"{KEY}{kind}",
                on_click="ignore",
                type="tertiary",
                icon="⬇️",
            )


def _json(found: Difference) -> dict[str, object]:
    return {"old": found.old, "new": found.new, "root": found.root, "changes": found.rows()}


def _detail(found: Difference, row: Change) -> None:
    """One change in full, and the ways to its concept."""
    with st.container(border=True):
        st.markdown(f"**{escape(row.name)}** {escape(row.curie)}: {TITLES[row.kind].lower()}")
        for head, side in zip(("Was", "Is now"), sides(found, row), strict=True):
            if side:
                st.markdown(f"{head}: {escape('; '.join(side))}")
        with st.container(horizontal=True):
            for reference, curie in ((found.old, row.curie), (found.new, row.now)):
                held = found.before if reference == found.old else found.after
                if curie in held:
                    st.page_link(
                        address.ONTOLOGY_PAGE,
                        label=f"Open in {escape(visible(reference))}",
                        icon="🔎",
                        query_params=address.of_concept(reference, curie),
                    )
