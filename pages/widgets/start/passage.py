"""One passage that somebody pastes: what the annotator finds in it, and the way to its review."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.charts import Table
from core.concepts.lexicon import Lexicon
from core.errors import TouchstoneError
from core.pipeline.own_text import keep, readable
from core.records import Draft
from core.store import ontologies
from core.store.ontologies import OntologyRow
from core.text.visible import visible
from pages.widgets import state, take_away
from pages.widgets.plain import escape
from pages.widgets.start import hpo, reading

KEY = state.TRY_TEXT
TEXT = f"{KEY}text"
DESK = "pages/review/concept_labels.py"
DEMONSTRATION = "demo"
"""Begins the version of a vocabulary that is there to show the app alone."""
EXAMPLE = (
    "A 6-year-old boy was referred for seizures and short stature. Two febrile seizures had occurred before"
    " the age of two. He has microcephaly and global developmental delay, but no ataxia and no cataract."
    " Hearing impairment was suspected. Muscle tone was low. His sister has epilepsy; cardiac ultrasound"
    " showed no septal defect."
)
"""Written for this page."""


def show(ws: state.Workspace) -> None:
    newest = {one.name: one for one in state.all_ontologies(ws)}  # the release of each that was added last
    vocabularies = sorted(newest.values(), key=lambda one: -one.id)
    if not vocabularies:
        hpo.offer(ws, "A vocabulary is needed first.")
        return
    text = _paste()
    vocabulary = _vocabulary(ws, vocabularies)
    try:
        annotator = _lexicon(ws, vocabulary)  # made while somebody still looks for a text
        if text is None:
            return
        text = readable(text)
    except TouchstoneError as error:
        st.error(escape(str(error)))
        return
    _found(ws, text, annotator.annotate(text), vocabulary)


def _paste() -> str | None:
    """What was pasted; None: nothing yet."""
    with st.form(f"{KEY}passage", border=False):
        text = st.text_area(
            "A passage of a report or an abstract",
            key=TEXT,
            height=170,
            placeholder="Paste a passage here.",
        )
        with st.container(horizontal=True):
            asked = st.form_submit_button("Show its concepts", type="primary")
            st.form_submit_button("Take an example", on_click=_example)
    return text if text or asked else None


def _example() -> None:
    st.session_state[TEXT] = EXAMPLE


def _vocabulary(ws: state.Workspace, known: list[OntologyRow]) -> OntologyRow:
    """The vocabulary in force, which stands beside what it finds."""
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = known[0]
        if len(known) > 1:
            chosen = st.selectbox(
                "Vocabulary",
                known,
                format_func=lambda one: visible(one.reference),
                key=f"{KEY}vocabulary",
                width=280,
                required=True,
            )
        terms = state.read(ws, ontologies.size, chosen.id).concepts
        demonstration = chosen.version.startswith(DEMONSTRATION)
        if not demonstration:
            st.markdown(f"Vocabulary: {escape(chosen.reference)}, {terms:,} terms.")
    if demonstration:
        hpo.offer(ws, f"Demonstration vocabulary, {terms:,} terms: much is not in it.")
    return chosen


@st.cache_resource(show_spinner="Reading the vocabulary", max_entries=3)
def _built(place: tuple[str, str, int, str], root: str | None, _ws: state.Workspace) -> Lexicon:
    row = ontologies.ontology_by_id(_ws, place[2])
    return Lexicon.build(ontologies.read_ontology(_ws, row.name, row.version).concepts, root=root)


def _lexicon(ws: state.Workspace, row: OntologyRow) -> Lexicon:
    """The annotator of a vocabulary, which never changes; kept for all sessions."""
    place = (str(ws.path.resolve()), f"{ws.uuid} {ws.key().restore_nonce}", row.id, row.sha256)
    return _built(place, row.root, ws)


def _found(ws: state.Workspace, text: str, drafts: Sequence[Draft], vocabulary: OntologyRow) -> None:
    if not drafts:
        st.info("No concept of this vocabulary is named in the text.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        count = f"{len(drafts)} concept{'' if len(drafts) == 1 else 's'}"
        st.header(f"{count} found", anchor=False, width="content")
        asked = _review(ws, len(drafts))
    rows = [(one.label, one.assertion.value, "; ".join(e.quote for e in one.evidence)) for one in drafts]
    take_away.note_text("Passage", text)
    take_away.note_table(TEXT, Table(f"{count} found", reading.HEADS, rows))
    reading.concepts(text, drafts)
    st.caption("The annotator looks for names, without a model. What is only tried is not stored.")
    if asked:
        _keep(ws, text, vocabulary)


def _review(ws: state.Workspace, count: int) -> bool:
    """Whether the text is to be reviewed."""
    asked = st.button(
        "Review this one" if count == 1 else f"Review these {count}",
        key=f"{KEY}review",
        type="primary",
        disabled=ws.read_only,
    )
    st.caption(
        "This workspace is open to look at only: nothing can be reviewed."
        if ws.read_only
        else "Stores the text as a corpus of its own, marked as confidential: no model gets it."
    )
    return asked


def _keep(ws: state.Workspace, text: str, vocabulary: OntologyRow) -> None:
    """Store the text with what was found in it, and go to the desk."""
    try:
        with st.spinner("Storing the text and its labels"):
            corpus = keep(ws, text, vocabulary.reference)
    except TouchstoneError as error:
        st.error(escape(str(error)))
        return
    st.switch_page(DESK, query_params={"concept_labels.corpus": visible(corpus)})
