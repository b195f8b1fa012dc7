"""What to do first, where nothing is there to look at yet."""

from __future__ import annotations

import streamlit as st

from pages.widgets import plain, state
from pages.widgets.plain import escape


def show(ws: state.Workspace) -> None:
    """The three commands that fill a workspace, each with what of it is there already."""
    st.title("Nothing is labelled yet", anchor=False)
    st.markdown("Three commands fill this workspace. `touchstone demo` shows a filled one.")
    vocabularies = [one.name for one in state.all_ontologies(ws)]
    corpora = [one.name for one in state.all_corpora(ws)]
    name, corpus = (vocabularies or ["hp"])[-1], (corpora or ["cases"])[-1]
    _step("1. A vocabulary", vocabularies, "touchstone ontology add hp.obo --name hp --root HP:0000118")
    _step("2. Texts", corpora, "touchstone corpus add passages.jsonl --name cases")
    _step("3. Labels", [], f"touchstone annotate --corpus {corpus} --ontology {name}")
    st.caption("Labels that another tool made come in with `touchstone proposals add`.")
    if vocabularies:
        st.page_link("pages/start/try_text.py", label="**Try your own text**", icon="✏️")


def _step(title: str, there: list[str], command: str) -> None:
    st.header(title, anchor=False)
    if there:
        st.markdown(f"✓ There is {escape(', '.join(there))}.")
    else:
        plain.code(command, language="bash")
