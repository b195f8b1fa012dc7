"""Guideline summaries: what the guideline stage goes by, every version of it, and a new one."""

from __future__ import annotations

import streamlit as st

from core.concepts.profile import load_profile, profiles
from core.errors import TouchstoneError
from core.store import guidelines
from pages.widgets import plain, state, take_away
from pages.widgets.plain import escape
from pages.widgets.runs import figures

KEY = state.RUNS
ORIGINS = {"model": "summed up by a model", "person": "written by", "profile": "from the profile"}


def show(ws: state.Workspace) -> None:
    names = list(profiles())
    if not names:
        st.info("There is no task profile.", icon="ℹ️")
        return
    known = {name: load_profile(name) for name in names}
    name = st.selectbox(
        "Profile", names, format_func=lambda one: known[one].title, key=f"{KEY}profile", width=320
    )
    profile = known[name]
    versions = state.read(ws, guidelines.history, name)
    stored = versions[-1] if versions else None
    text = stored.summary if stored else profile.guideline
    plain.text(profile.description)
    take_away.note_text(f"{profile.title}, version {stored.version}" if stored else profile.title, text or "")
    left, right = st.columns([3, 2], gap="large")
    with left:
        _editor(ws, name, text, stored)
    with right:
        st.subheader("Versions", anchor=False)
        if not versions:
            st.caption(
                "None is stored yet: the profile's own text holds."
                if profile.guideline
                else "None is stored yet, and the profile has no guideline of its own."
            )
        curators = {c.id: c.name for c in state.curators(ws)}
        for version in reversed(versions):
            _version(version, curators, in_force=version is stored)


def _editor(ws: state.Workspace, name: str, text: str, stored: guidelines.Guideline | None) -> None:
    st.subheader(f"Version {stored.version}, in force" if stored else "The profile's own text", anchor=False)
    number = stored.version if stored else 0
    with st.form(f"{KEY}guideline_{name}_{number}", border=False):
        new = st.text_area(
            "Guideline", text, height=360, key=f"{KEY}summary_{name}_{number}", label_visibility="collapsed"
        )
        st.caption(
            "Runs name the version they went by. Saving makes a new version, and leaves runs and earlier "
            "versions as they are."
        )
        if st.form_submit_button("Save as a new version", type="primary", disabled=ws.read_only):
            _save(ws, name, new, text)


def _save(ws: state.Workspace, name: str, new: str, old: str) -> None:
    if new == old:
        st.info("Nothing was changed.", icon="ℹ️")
        return
    if state.curator() is None:
        st.warning("Choose a curator in the sidebar first: a version is kept under its author's name.")
        return
    try:
        with ws.write() as db:
            guidelines.add_guideline(db, name, new, origin="person", curator_id=state.curator())
    except TouchstoneError as error:
        st.error(escape(str(error)))
        return
    st.rerun()


def _version(version: guidelines.Guideline, curators: dict[str, str], *, in_force: bool) -> None:
    origin = ORIGINS.get(version.origin, version.origin)
    if version.origin == "person":
        origin = f"{origin} {curators.get(version.curator_id or '', version.curator_id or 'somebody')}"
    title = f"Version {version.version}, {origin}, {figures.moment(version.created_at)}"
    with st.expander(escape(title + (" (in force)" if in_force else ""))):
        plain.code(version.summary, language=None, wrap_lines=True)
