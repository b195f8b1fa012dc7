"""Two files of tagged tokens, no run: MEM, SYN, CON and UNS, names by their looks, exact spans."""

from __future__ import annotations

import streamlit as st

from core import charts
from core.errors import InputError
from core.evaluate.generalise import Upload, Uploads, evaluate_uploads
from core.evaluate.settings import Settings
from core.evaluate.tagged import TaggedEvaluation
from pages.widgets.generalisation import uploads
from pages.widgets.generalisation.uploads import KEY, TAGS
from pages.widgets.item_list import Links
from pages.widgets.metrics import pictures, show_family, show_notes
from pages.widgets.plain import escape


def show() -> None:
    """The files asked for, then what they say."""
    st.caption(
        "One token a line, its tag (B, I, O) in the last column, an empty line after each sentence. The "
        "predictions tag the very tokens of the gold. Files are read, scored and forgotten."
    )
    left, right = st.columns(2, gap="large")
    with left:
        said = uploads.ask_one("Predicted tags", "predicted", TAGS, "Tokens with the system's tags.")
        gold = uploads.ask_one("Gold tags", "gold_tags", TAGS, "The same tokens with the right tags.")
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
        st.info("Give the predicted tags and the gold tags.", icon="ℹ️")
        return
    try:
        result = _scored(said[0], gold[0], gold_ids, names, ids)
    except InputError as error:
        st.error(escape(str(error)))
        return
    unit = next(iter(result.counts))
    st.text(
        f"{result.predictions} against {result.gold}: {result.counts[unit]:,} {unit}, "
        f"{result.counts['gold']:,} gold and {result.counts['predicted']:,} predicted mentions."
    )
    show_notes(result.notes)
    links = Links(lambda item: {}, head="ids")
    for family, found in result.families.items():
        st.header(charts.family_title(family))
        show_family(found, KEY, links)


@st.cache_resource(show_spinner="Scoring …", max_entries=4)
def _scored(said: Upload, gold: Upload, gold_ids: Uploads, names: Uploads, ids: Uploads) -> TaggedEvaluation:
    return evaluate_uploads(said, gold, Settings(), gold_ids, names, ids)
