"""Which two releases are compared, and below which concept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.records import Curie
from core.review import terms_of
from core.store.ontologies import OntologyRow
from core.text.visible import visible
from pages.widgets import state, take_away
from pages.widgets.plain import escape

KEY = state.VERSIONS
EVERYWHERE = "all"


class Releases(NamedTuple):
    older: str
    """`NAME@VERSION`"""
    newer: str
    root: Curie | None
    """Only concepts below it; None: all."""


def releases(ws: state.Workspace) -> Releases | None:
    """The two that are chosen; None where there are no two of one ontology."""
    names: dict[str, list[OntologyRow]] = {}
    for row in state.all_ontologies(ws):
        names.setdefault(row.name, []).append(row)
    several = {name: sorted(rows, key=lambda r: r.version) for name, rows in names.items() if len(rows) > 1}
    if not several:
        _tell_how(names)
        return None
    place = st.container(horizontal=True)
    name = next(iter(several)) if len(several) == 1 else _choose(place, "Ontology", list(several), "name")
    rows = several[name]
    versions = [row.version for row in rows]
    older = _choose(place, "Older", versions, "older", index=len(versions) - 2)
    later = [one for one in versions if one != older]
    newer = _choose(place, "Newer", later, "newer", index=len(later) - 1)
    newest = next(row for row in rows if row.version == newer)
    root = _root(ws, place, newest)
    take_away.note_choice("older", f"{name}@{older}")
    take_away.note_choice("newer", f"{name}@{newer}")
    take_away.note_choice("concepts", root or "all")
    return Releases(f"{name}@{older}", f"{name}@{newer}", root)


def _tell_how(names: dict[str, list[OntologyRow]]) -> None:
    held = ", ".join(escape(rows[0].reference) for rows in names.values())
    has = f"This workspace holds {held}." if held else "There is no ontology yet."
    st.info(
        f"{has} Add two releases of one ontology under the same name with `touchstone ontology add FILE"
        " --name NAME`, and compare them here."
    )


def _root(ws: state.Workspace, place: st.delta_generator.DeltaGenerator, row: OntologyRow) -> Curie | None:
    """The concept below which changes count, one of the branches of the newer release."""
    terms = terms_of(ws, row.id)
    top = [(row.root, terms.names[row.root])] if row.root in terms.names else []
    options = {EVERYWHERE: "All concepts"} | {
        curie: f"{visible(name)} ({visible(curie)})" for curie, name in [*top, *terms.top_branches()]
    }
    chosen = _choose(place, "Concepts below", list(options), "below", names=options)
    return None if chosen == EVERYWHERE else chosen


def _choose(
    place: st.delta_generator.DeltaGenerator,
    label: str,
    options: Sequence[str],
    name: str,
    *,
    names: dict[str, str] | None = None,
    index: int = 0,
) -> str:
    key = f"{KEY}{name}"
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    shown = (names or {}).get
    return str(
        place.selectbox(
            label,
            list(options),
            index=index,
            format_func=lambda one: shown(one) or visible(one),
            key=key,
            bind="query-params",
            width=220 if names is None else 420,
        )
    )
