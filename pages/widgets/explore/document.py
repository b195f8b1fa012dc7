"""One document with all labels of all runs, curators and gold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from core.charts import Table
from core.review.explore import Sheet, sheet
from core.store import documents
from pages.widgets import as_queue, confidential, state, take_away
from pages.widgets.explore import address
from pages.widgets.plain import escape

HERE = Path(__file__).parent
DESK = HERE.parent / "desk"
CONCEPTS = "pages/review/concept_labels.py"
PAIRS = "pages/review/conflict_labels.py"

_sheet = st.components.v2.component(
    "touchstone_document",
    js="\n".join(
        path.read_text("utf-8")
        for path in (DESK / "dom.js", DESK / "codepoints.js", DESK / "spans.js", HERE / "document.js")
    ),
    css=(HERE / "document.css").read_text("utf-8"),
)


class Shown(NamedTuple):
    passage: int
    corpus: str


def asked(ws: state.Workspace) -> Shown | None:
    """The document that the address names; one that is not there is told."""
    doc_id, corpus = st.query_params.get(address.DOCUMENT), st.query_params.get(address.CORPUS)
    if not doc_id:
        return None
    known = [one.name for one in state.all_corpora(ws) if corpus in (None, one.name)]
    for name in known:
        if (passage := documents.passage_of(ws, name, doc_id)) is not None:
            return Shown(passage, name)
    where = f" in {escape(corpus)}" if corpus else ""
    st.warning(f"There is no document {escape(doc_id)}{where}. Search for it here.")
    return None


def show(ws: state.Workspace, shown: Shown) -> None:
    found = sheet(ws, shown.passage, state.curator())
    passage = found.passage
    st.button("Back to the search", key=f"{state.CORPUS}back", icon="⬅️", on_click=address.to_search)
    st.header(escape(passage.title or passage.doc_id), anchor=False)
    article = f", of article {passage.article}" if passage.article else ""
    st.caption(escape(f"{passage.doc_id}{article}, corpus {passage.corpus}"))
    confidential.note(ws, passage.corpus)
    _hidden(found)
    _queues(found)
    _take_away(found)
    chosen = _sheet(
        key=state.DOCUMENT, data=_data(found), on_concept_change=lambda: None, height="content"
    ).concept
    if chosen and found.ontology:
        st.switch_page(address.ONTOLOGY_PAGE, query_params=address.of_concept(found.ontology, str(chosen)))


def _hidden(found: Sheet) -> None:
    """What the reader may not see yet, as numbers where these tell nothing."""
    said = []
    if found.unlisted:
        said.append(
            "You are asked to list the concepts of this document before you see what others say of it: here"
            " is the text, with what you have added."
        )
    if found.blind:
        n = found.blind
        said.append(
            f"{n} concept{' is' if n == 1 else 's are'} hidden here: to be answered blind, before any machine"
            " answer is seen."
        )
    if found.withheld:
        n = found.withheld
        said.append(
            f"{n} answer{' of a curator is' if n == 1 else 's of curators are'} not shown: nobody sees"
            " another's answer to a label before giving one."
        )
    if said:
        st.info(" ".join(said), icon="ℹ️")


def _data(found: Sheet) -> dict[str, object]:
    held = Counter(label.layer for row in found.rows for label in row.labels)
    return {
        "text": found.passage.text,
        "layers": [
            {"id": one.id, "voice": one.voice.value, "name": one.name, "count": held[one.id]}
            for one in found.layers
        ],
        "rows": [
            {
                "concept": row.concept if found.ontology else None,
                "id": row.concept,
                "name": row.name,
                "labels": [label._asdict() for label in row.labels],
            }
            for row in found.rows
        ],
    }


def _take_away(found: Sheet) -> None:
    """The document for a report: each concept, who speaks of it and what they say."""
    names = {one.id: one.name for one in found.layers}
    rows = [
        (row.name, row.concept, names.get(label.layer, label.layer), ", ".join((label.said, *label.detail)))
        for row in found.rows
        for label in row.labels
    ]
    take_away.note_choice("document", f"{found.passage.doc_id}, corpus {found.passage.corpus}")
    take_away.note_choice("text", found.passage.text)
    heads = ("concept or claim", "id", "who", "says")
    take_away.note_table(state.CORPUS, Table("What is said of it", heads, rows, "said"))


def _queues(found: Sheet) -> None:
    """Its concepts and its claim pairs, each as a list on their desk."""
    concepts = [row.item for row in found.rows if row.item is not None]
    for items, what, page in ((concepts, "concept", CONCEPTS), (found.pairs, "claim pair", PAIRS)):
        if items:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{len(items):,}** {what}{'' if len(items) == 1 else 's'}", width="content")
                name, key = f"Document {found.passage.doc_id}", f"{state.CORPUS}{Path(page).stem}"
                as_queue.offer(items, len(items), page, name, key, found.passage.corpus)
