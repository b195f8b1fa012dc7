"""The Human Phenotype Ontology for a workspace that lacks it: by a button, or by a command."""

from __future__ import annotations

import streamlit as st

from core.errors import TouchstoneError
from core.exchange import add_ontology
from pages.widgets import plain, state
from pages.widgets.plain import escape

NAME, ROOT = "hp", "HP:0000118"
COMMAND = f"touchstone ontology add {NAME} --root {ROOT}"


def offer(ws: state.Workspace, need: str) -> None:
    """The button, and the command for where the network does not allow it, or nothing can be saved.

    Args:
        need: a sentence that says what is there so far.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(need)
        asked = not ws.read_only and st.button("Add the HPO", key=f"{state.TRY_TEXT}add", icon="⬇️")
    if asked:
        _add(ws)
    first = "" if ws.read_only else "It is fetched from the OBO library (about 10 MB), checked, then stored. "
    st.caption(f"{first}The command for the Human Phenotype Ontology (HPO):")
    plain.code(COMMAND, language=None)


def _add(ws: state.Workspace) -> None:
    """Fetched and checked first, then stored in one step: whole, or not at all."""
    try:
        with st.status("Adding the Human Phenotype Ontology") as status:
            add_ontology(
                ws, NAME, name=NAME, root=ROOT, progress=lambda said: status.update(label=escape(said))
            )
    except TouchstoneError as error:
        st.error(f"{escape(str(error))} Nothing was stored.")
    else:
        st.rerun()
