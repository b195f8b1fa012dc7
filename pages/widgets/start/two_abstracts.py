"""Two abstracts that somebody pastes side by side: their claims, and whether these seem to disagree."""

from __future__ import annotations

import streamlit as st

from core.charts import Table
from core.conflicts.guide import TYPES
from core.conflicts.side_by_side import SIDES, Labelled, SideBySide, compare
from core.errors import TouchstoneError
from core.kinds.names import NAMES
from core.pipeline.own_text import readable
from pages.widgets import state, take_away
from pages.widgets.plain import escape
from pages.widgets.start import reading

KEY = state.TRY_TEXT
EXAMPLES = (
    "Background: Whether vitamin D prevents falls in old age is debated. Methods: 412 women aged 70 to 84"
    " from nursing homes in Denmark took 800 IU of vitamin D or placebo every day for two years. Results:"
    " Vitamin D at 800 IU per day reduced the number of falls by 28% compared with placebo. Bone density"
    " rose slightly. Conclusion: A daily dose may be offered in nursing homes.",
    "We asked whether a high dose given once a month protects better. In this trial 530 outpatients aged 70"
    " and over in Spain received 60,000 IU of vitamin D or placebo every month for one year. Vitamin D at"
    " 60,000 IU per month increased the number of falls by 21% compared with placebo. Serum calcium stayed"
    " normal. Monthly high doses cannot be recommended.",
)
"""Written for this page; the studies do not exist."""


def show() -> None:
    given = _paste()
    if given is None:
        return
    try:
        a, b = (readable(text, f"abstract {side}") for text, side in zip(given, SIDES, strict=True))
        found = _compared(a, b)
    except TouchstoneError as error:
        st.error(escape(str(error)))
        return
    _verdict(found)
    _note(found)
    for number, one in enumerate(found.disagreeing):
        _pair(one, number)
    st.caption(
        "By rules, without a model: they see words, not meaning, and find few conflicts. Nothing is stored."
    )
    for place, text, claims, side in zip(st.columns(2), found.texts, found.claims, SIDES, strict=True):
        with place:
            st.markdown(f"**Abstract {side}:** {_count(len(claims), 'claim')}, underlined.")
            reading.claims(text, claims, found.disagreeing, f"side_{side}")


def _paste() -> tuple[str, str] | None:
    """What was pasted; None: nothing yet."""
    with st.form(f"{KEY}two", border=False):
        for place, side in zip(st.columns(2), SIDES, strict=True):
            place.text_area(
                f"Abstract {side}", key=_key(side), height=220, placeholder="Paste an abstract here."
            )
        with st.container(horizontal=True):
            asked = st.form_submit_button("Compare their claims", type="primary")
            st.form_submit_button("Take two examples", on_click=_example)
    given = st.session_state[_key("A")], st.session_state[_key("B")]
    return given if asked or any(given) else None


def _key(side: str) -> str:
    return f"{KEY}abstract_{side}"


def _example() -> None:
    for side, text in zip(SIDES, EXAMPLES, strict=True):
        st.session_state[_key(side)] = text


@st.cache_data(show_spinner="Reading both abstracts", max_entries=8)
def _compared(a: str, b: str) -> SideBySide:
    return compare(a, b)


def _verdict(found: SideBySide) -> None:
    if found.disagreeing:
        count = _count(len(found.disagreeing), "pair")
        st.header(f"They seem to disagree: {count} of claims", anchor=False)
    elif found.pairs:
        st.header("They do not seem to disagree", anchor=False)
        st.markdown(
            f"{_count(len(found.pairs), 'pair')} of claims {'is' if len(found.pairs) == 1 else 'are'} about"
            " like things, and neither side speaks against the other."
        )
    else:
        st.header("Nothing to compare", anchor=False)
        st.markdown("No claim of one abstract is about the same things as a claim of the other.")


def _note(found: SideBySide) -> None:
    """What a report of the page tells."""
    for text, side in zip(found.texts, SIDES, strict=True):
        take_away.note_text(f"Abstract {side}", text)
    rows = [(one.pair.a.text, one.pair.b.text, NAMES[one.label.conflict_type]) for one in found.pairs]
    take_away.note_table(
        f"{KEY}pairs", Table("Pairs of like claims", ("claim of A", "claim of B", "type"), rows)
    )


def _pair(one: Labelled, number: int) -> None:
    kind = one.label.conflict_type
    with st.container(border=True, key=f"{KEY}pair_{number}"):
        st.markdown(f"**{NAMES[kind]}.** {TYPES[kind].definition}")
        for place, claim, side in zip(st.columns(2), (one.pair.a, one.pair.b), SIDES, strict=True):
            place.markdown(f"**{side}:** {escape(claim.text)}")
        st.caption(escape(one.label.reconciliation))


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
