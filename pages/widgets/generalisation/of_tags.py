"""Two files, no run, by what they hold. Tagged tokens: MEM, SYN, CON and UNS, names by their looks, exact
spans. Mentions that an older ontology may not know: `of_mentions`."""

from __future__ import annotations

import streamlit as st

from core import charts
from core.errors import InputError
from core.evaluate import Evaluation
from core.evaluate.generalise import Upload, Uploads, evaluate_uploads
from core.evaluate.settings import Settings
from pages.widgets import plain
from pages.widgets.generalisation import of_mentions, uploads
from pages.widgets.generalisation.uploads import KEY, TAGS
from pages.widgets.item_list import Links, nowhere
from pages.widgets.metrics import pictures, show_family, show_notes
from pages.widgets.plain import escape

SIDES = [*TAGS, "jsonl", "ndjson"]
LINKS = Links(nowhere, head="ids")


def show() -> None:
    """The files asked for, then what they say."""
    st.caption(
        "Tagged tokens: one a line, its tag (B, I, O) in the last column, an empty line after each sentence; "
        "predictions tag the very tokens of the gold. Or mentions as JSONL, linked to concepts or NIL, or "
        "with edges for new concepts. Files are read, scored and forgotten."
    )
    left, right = st.columns(2, gap="large")
    with left:
        said = uploads.ask_one(
            "Predictions", "predicted", SIDES, "Tokens with the system's tags, or mentions."
        )
        gold = uploads.ask_one(
            "Gold", "gold_tags", SIDES, "The same tokens, or mentions, with what is right."
        )
        gold_ids = uploads.ask_one(
            "Concept ids of the gold",
            "gold_ids",
            TAGS,
            "The same tokens; the ids of a mention on its first token, - elsewhere. Without them what is new "
            "is UNS, not SYN or CON.",
        )
    with right:
        names, ids = uploads.training()
        pictures()
    if not (said and gold):
        st.info("Give the predicted tags and the gold tags, or mentions.", icon="ℹ️")
        return
    try:
        result = _scored(said[0], gold[0], gold_ids, names, ids)
    except InputError as error:
        st.error(escape(str(error)))
        return
    counts = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in result.beside.items())
    plain.text(f"{result.predictions} against {result.gold}: {counts}.")
    show_notes(result.notes)
    for family, found in result.families.items():
        st.header(charts.family_title(family))
        if family in of_mentions.FAMILIES:
            of_mentions.show(found)
        else:
            show_family(found, KEY, LINKS)


@st.cache_resource(show_spinner="Scoring …", max_entries=4)
def _scored(said: Upload, gold: Upload, gold_ids: Uploads, names: Uploads, ids: Uploads) -> Evaluation:
    return evaluate_uploads(said, gold, Settings(), gold_ids, names, ids)
