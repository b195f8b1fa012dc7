"""Addresses of concepts and documents, which can be shared: query parameters that name what is shown.

A link of Streamlit's to the page that one is on leaves the browser's address as it was. So what leads from
one concept or document to the next is a button, which writes the address.
"""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

ONTOLOGY_PAGE = "pages/explore/ontology.py"
CONCEPT = f"{state.ONTOLOGY}concept"
"""The id of a concept."""
ONTOLOGY = f"{state.ONTOLOGY}in"
"""`NAME@VERSION` of an ontology."""
DOCUMENT = f"{state.CORPUS}document"
"""The id of a document."""
CORPUS = f"{state.CORPUS}in"
"""The name of its corpus."""
SEARCH = tuple(f"{state.CORPUS}{name}" for name in ("find", "among", "run", "open", "gold", "page"))
"""Widgets of the search, which are not drawn beside a document: Streamlit would forget them."""


def of_concept(ontology: str, curie: str) -> dict[str, str]:
    """Query parameters that show a concept."""
    return {ONTOLOGY: ontology, CONCEPT: curie}


def to_concept(curie: str) -> None:
    """Show another concept of the same ontology."""
    st.query_params[CONCEPT] = curie


def to_document(corpus: str, doc_id: str) -> None:
    """Show a document, and keep the search that it was found by."""
    st.session_state[state.SEARCH] = {name: st.session_state.get(name) for name in SEARCH}
    st.query_params.update({CORPUS: corpus, DOCUMENT: doc_id})


def to_search() -> None:
    """Show the search as it was left."""
    for name, value in st.session_state.get(state.SEARCH, {}).items():
        if value is not None:
            st.session_state[name] = value
    for name in (DOCUMENT, CORPUS):
        st.query_params.pop(name, None)
