"""What was learned from gold or decisions: learn a set, read what it holds, silence words of it."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from core.charts import Table
from core.errors import TouchstoneError
from core.exchange.learned import Form, written
from core.records.learned import Gain, Known, LearnedSet
from core.store import gold, learned, ontologies, open_workspace
from core.store.learned import LearnedRow, Mute
from core.text.visible import visible
from pages.widgets import options, plain, state, take_away
from pages.widgets.plain import escape
from pages.widgets.runs import figures

KEY = state.RUNS
SHOWN = 400
"""Names in the table; the rest are in the file that `learned export` writes."""
_LISTS: dict[Form, tuple[str, str]] = {"robot": ("ROBOT template", "tsv"), "kgcl": ("KGCL commands", "kgcl")}
"""Lists of new synonyms, as editors of an ontology read them: label, end of the file's name."""
_BROADER = {
    "keep_named_apart": " Broader concepts are kept only where they are named apart.",
    "drop": " Broader concepts are set aside.",
}
_HEADS = {"logistic": "logistic regression", "boosting": "boosted trees"}


class Held(NamedTuple):
    """One set with what is silenced in it."""

    row: LearnedRow
    learned: LearnedSet
    muted: list[Mute]


def take_up() -> None:
    """What a link from the end of a review asks for: the corpus, and the answers to learn from."""
    if corpus := st.query_params.pop("learn", None):
        asked = {"view": "learned", "learn_corpus": corpus, "learn_gold": st.query_params.pop("from", None)}
        st.session_state.update({KEY + name: value for name, value in asked.items() if value})


def show(ws: state.Workspace) -> None:
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.subheader("Learn", anchor=False)
        _form(ws)
    with right:
        sets = state.read(ws, _newest)
        st.subheader("Learned sets", anchor=False)
        if told := st.session_state.pop(KEY + "learned_told", None):
            st.success(escape(told))
        if not sets:
            st.caption("Nothing was learned yet.")
            return
        names = [one.row.reference for one in sets]
        chosen = st.selectbox("Set", names[::-1], format_func=visible, key=f"{KEY}learned_set")
        _set(ws, sets[names.index(chosen)])


def _newest(ws: state.Workspace) -> list[Held]:
    """The newest version of each set, the one made last at the end."""
    rows = {row.name: row for row in learned.list_sets(ws)}
    newest = sorted(rows.values(), key=lambda row: row.created_at)
    return [Held(row, learned.read(ws, row), learned.mutes(ws, row.name)) for row in newest]


def _form(ws: state.Workspace) -> None:
    corpora = [corpus.name for corpus in state.all_corpora(ws)]
    loaded = [row.reference for row in reversed(state.all_ontologies(ws))]
    if not corpora or not loaded:
        st.info("Learning needs a corpus and an ontology. Add them first.", icon="ℹ️")
        return
    corpus = st.selectbox("Corpus", corpora, format_func=visible, key=f"{KEY}learn_corpus")
    references = state.read(ws, gold.list_references, corpus)
    if not references:
        st.info("Nobody has decided anything in this corpus, and it has no gold.", icon="ℹ️")
        return
    reference = options.gold(st.container(), ws, references, f"{KEY}learn_gold", "Learn from")
    ontology = st.selectbox("Ontology", loaded, format_func=visible, key=f"{KEY}learn_ontology")
    name = st.text_input("Name of the set", "learned", max_chars=100, key=f"{KEY}learn_name")
    st.caption(
        "Names that people marked join the dictionary, words that were wrong too often say nothing any more,"
        " and a keep/drop head is kept where it helps. Blind answers never teach."
    )
    pressed = st.button("Learn", type="primary", disabled=ws.read_only, key=f"{KEY}learn")
    if pressed and reference is not None:
        _learn(ws, corpus, reference, ontology, name.strip())


def _learn(ws: state.Workspace, corpus: str, reference: str, ontology: str, name: str) -> None:
    from core.pipeline.learn import learn

    with st.status("Learning", expanded=True) as status:
        try:
            report = learn(
                ws, gold=reference, ontology=ontology, name=name, corpus=corpus, announce=status.write
            )
        except TouchstoneError as error:
            status.update(label="Nothing was learned", state="error")
            st.error(escape(str(error)))
            return
    st.session_state[KEY + "learned_told"] = (
        f"{report.learned}: {figures.count(report.names, 'name')} from"
        f" {figures.count(report.documents, 'document')}. {said(report.gain)} Use it in a new run, under"
        " Finer settings."
    )
    st.session_state.pop(f"{KEY}learned_set", None)
    st.rerun()


def said(gain: Gain) -> str:
    """What a set brings, in a sentence."""
    if gain.gain is None or gain.plain is None or gain.low is None or gain.high is None:
        return "There were too few documents to measure what it brings."
    return (
        f"On held-out documents F1 goes from {gain.plain:.3f} to {gain.plain + gain.gain:.3f}"
        f" ({gain.gain:+.3f}, 95 % interval {gain.low:+.3f} to {gain.high:+.3f})."
    )


def _set(ws: state.Workspace, held: Held) -> None:
    names = [one for one in held.learned.known if one.name is not None]
    head = held.learned.head
    st.markdown(escape(said(held.learned.gain)))
    take_away.note_text(held.row.reference, said(held.learned.gain))
    how = f"The head: {_HEADS[head.kind]}." if head else "It has no head: one would bring nothing sure here."
    how += _BROADER.get(held.learned.hypernyms or "", "")
    documents = figures.count(len(held.learned.documents), "document")
    st.caption(f"From {documents}, {figures.moment(held.row.created_at)}. {how}")
    labels = state.read(ws, _labels, held.learned.ontology)
    people = {one.id: one.name for one in state.curators(ws)}
    if names:
        st.markdown("**New synonyms for the ontology**")
        rows = [
            {
                "Name": one.name,
                "Concept": labels.get(one.concept, one.concept),
                "Right in": one.kept,
                "Of documents": one.seen,
                "From": ", ".join(people.get(by, by) for by in one.by),
            }
            for one in names[:SHOWN]
        ]
        plain.dataframe(rows, hide_index=True, height=320)
        told = Table("New synonyms for the ontology", tuple(rows[0]), [tuple(row.values()) for row in rows])
        take_away.note_table(f"{KEY}synonyms", told)
        if len(names) > SHOWN:
            st.caption(f"The first {SHOWN} of {len(names):,} names.")
        with st.container(horizontal=True):
            for form, (label, ending) in _LISTS.items():
                st.download_button(
                    label,
                    partial(_list, str(ws.path), held.row.reference, form),
                    f"{held.row.name}-synonyms.{ending}",
                    key=f"{KEY}synonyms_{form}",
                    on_click="ignore",
                )
    _silence(ws, held, names, labels)


def _list(path: str, reference: str, form: Form) -> str:
    with open_workspace(path, create=False) as ws:
        return written(ws, reference, form)[0]


def _labels(ws: state.Workspace, reference: str) -> dict[str, str]:
    """Names of the concepts of an ontology; none where this version of it is not here."""
    known = [row for row in ontologies.list_ontologies(ws) if row.reference == reference]
    return ontologies.labels(ws, known[0].id) if known else {}


def _silence(ws: state.Workspace, held: Held, names: list[Known], labels: dict[str, str]) -> None:
    """Words to be silenced, and those that are, each with its way back."""
    silent = {(one.concept, one.words) for one in held.muted if one.muted}
    free = {(one.concept, one.words): one for one in names if (one.concept, one.words) not in silent}
    if free:
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        chosen = left.selectbox(
            "A name to silence",
            list(free),
            format_func=lambda key: visible(f"{free[key].name}: {labels.get(key[0], key[0])}"),
            key=f"{KEY}mute_{held.row.name}",
        )
        right.button(
            "Silence",
            disabled=ws.read_only,
            width="stretch",
            key=f"{KEY}silence",
            on_click=_mute,
            args=(str(ws.path), held.row.name, free[chosen].words, chosen[0], True),
        )
    for concept, words in sorted(silent, key=lambda one: (one[1], one[0] or "")):
        left, right = st.columns([3, 1], vertical_alignment="center")
        what = f", as a name of {labels.get(concept, concept)}" if concept else ""
        left.caption(escape(visible(f"Silenced: {words}{what}")))
        right.button(
            "Undo",
            disabled=ws.read_only,
            width="stretch",
            help=visible(f"Let {words} speak again"),
            key=f"{KEY}unmute_{concept}_{words}",
            on_click=_mute,
            args=(str(ws.path), held.row.name, words, concept, False),
        )


def _mute(path: str, name: str, words: str, concept: str | None, muted: bool) -> None:
    from core.pipeline.taught import silence

    with open_workspace(path, create=False) as ws:
        silence(ws, name, words, concept=concept, muted=muted, curator=state.curator())
