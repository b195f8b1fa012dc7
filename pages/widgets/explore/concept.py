"""The right of the ontology page: one concept, and where it occurs."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.errors import NotFoundError
from core.evaluate.error_taxonomy import NAMES
from core.records import Action, ErrorType
from core.review.explore import Count, Entry, Near, Occurrences, entry, occurrences
from core.review.explore.occurs import Of
from core.review.terms import Terms
from core.store import ontologies
from core.text.visible import visible
from pages.widgets import state, take_away
from pages.widgets.explore import address, where
from pages.widgets.plain import escape

KEY = state.ONTOLOGY
SCOPES = {
    "EXACT": "Means the same",
    "NARROW": "Names something narrower",
    "BROAD": "Names something broader",
    "RELATED": "Related names",
}
SAID = {
    Action.ACCEPT: "accepted",
    Action.FIX: "fixed",
    Action.REJECT: "rejected",
    Action.ADD: "added",
    Action.UNSURE: "left as unsure",
    Action.ADJUDICATE: "ruled on",
}
MANY = 24
"""Narrower concepts that are listed; the tree holds all."""


def show(ws: state.Workspace, terms: Terms) -> None:
    asked = st.query_params.get(address.CONCEPT)
    if not asked:
        _about(ws, terms)
        return
    try:
        found = entry(ws, terms, asked)
    except NotFoundError:
        st.warning(f"{escape(terms.row.reference)} holds no concept {escape(asked)}. Search for it by name.")
        return
    _head(found, asked)
    _names(found)
    _neighbours(found)
    ids = (found.concept.curie, *found.concept.alt_ids)
    _occurs(ws, found, state.read(ws, occurrences, ids, state.curator()))


def _about(ws: state.Workspace, terms: Terms) -> None:
    """What the ontology holds."""
    size = state.read(ws, ontologies.size, terms.row.id)
    st.header(escape(terms.row.title or terms.row.name), anchor=False)
    st.caption(escape(f"{terms.row.name}, version {terms.row.version}"))
    gone = f", {size.obsolete:,} obsolete ones" if size.obsolete else ""
    st.markdown(f"{size.concepts:,} concepts{gone}, {size.names:,} names and synonyms.")
    st.markdown("Search for a concept, or choose one in the tree.")


def _head(found: Entry, asked: str) -> None:
    concept = found.concept
    st.header(escape(concept.name), anchor=False)
    before = f", found by its former id {asked}" if found.asked else ""
    st.caption(escape(f"{concept.curie}{before}"))
    if concept.obsolete:
        st.warning("This concept is obsolete: it is not to be used any more.", icon="⚠️")
        if found.replaced_by:
            st.markdown("Use instead:")
            _links(found.replaced_by, "instead")
    if concept.definition:
        st.markdown(escape(concept.definition))
    else:
        st.caption("No definition is given.")


def _names(found: Entry) -> None:
    for scope, title in SCOPES.items():
        names = [
            f"{escape(one.text)}{f' ({escape(one.type)})' if one.type else ''}"
            for one in found.concept.synonyms
            if one.scope == scope
        ]
        if names:
            st.markdown(f"**{title}:** {'; '.join(names)}")


def _neighbours(found: Entry) -> None:
    for way in found.ways:
        names = [one.name or one.curie for one in way.steps]
        st.caption(escape(" › ".join([*names, found.concept.name])))
    if found.more_ways:
        st.caption("There are more ways to the root.")
    if found.parents:
        st.subheader("Broader", anchor=False)
        _links(found.parents, "broader")
    if found.children:
        n = len(found.children)
        st.subheader(f"Narrower ({n:,})", anchor=False)
        _links(found.children[:MANY], "narrower")
        if n > MANY:
            st.caption(f"{n - MANY:,} more in the tree.")
    if found.related:
        st.subheader("Relations", anchor=False)
        for at, (relation, other) in enumerate(found.related):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(escape(relation), width="content")
                _links([other], f"related{at}")


def _links(others: Iterable[Near], of: str) -> None:
    """Ways to other concepts; those that the ontology does not hold are named by their ids alone.

    Args:
        of: what they are to this one.
    """
    with st.container(horizontal=True, gap="small"):
        for one in others:
            if one.name is None:
                st.caption(escape(f"{one.curie}, of another ontology"), width="content")
                continue
            st.button(
                escape(one.name + (" (obsolete)" if one.obsolete else "")),
                key=f"{KEY}{of}.{one.curie}",
                on_click=address.to_concept,
                args=(one.curie,),
            )


def _occurs(ws: state.Workspace, found: Entry, held: Occurrences) -> None:
    st.subheader("Where it occurs", anchor=False)
    take_away.note_choice("concept", f"{found.concept.name} ({found.concept.curie})")
    if not held.counts and not held.blind and not held.withheld:
        st.markdown("Nowhere in this workspace.")
    where.show(held, _told, found.concept.name, KEY)


def _told(one: Count) -> str:
    """What a number counts, in words behind it. From outside: text, never markup."""
    many = "" if one.number == 1 else "s"
    if one.of is Of.RUN:
        return f"label{many} proposed by {visible(one.name)}"
    if one.of is Of.GOLD:
        name, _, version = one.name.rpartition("@")
        return f"document{many} in gold {visible(name)}, version {visible(version)}"
    if one.of is Of.ERROR:
        kind = NAMES[ErrorType(one.name)] if one.name in set(ErrorType) else "unsure"
        return f"answer{many} of audits in {visible(one.corpus)}: {kind}"
    return f"answer{many} of curators in {visible(one.corpus)}: {SAID[Action(one.name)]}"
