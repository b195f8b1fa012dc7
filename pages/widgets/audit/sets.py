"""What there is to audit: audit sets, changes of gold that wait for a second curator, and lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from core import review
from core.evaluate.references import in_words
from core.records import ItemKind
from core.store import runs
from core.store.frames import Frame, list_frames
from pages.widgets import state
from pages.widgets.desk import chosen

PAGE = "false_positives"
SHOWN = {
    review.Show.UNDECIDED.value: "Undecided",
    review.Show.DECIDED.value: "My decided ones",
    review.Show.UNSURE.value: "My unsure ones",
    review.Show.ALL.value: "All",
}
OF_GOLD = "gold:"
"""How the choice of a corpus's changes begins: no set has such a name."""


class Choice(NamedTuple):
    """What the desk shows."""

    filters: review.ListingFilters
    said: str
    """The same in words. From outside: text, never markup."""


def audit_sets(ws: state.Workspace) -> list[Frame]:
    """Oldest first."""
    return list_frames(ws, audits=True)


def choose(ws: state.Workspace, sets: list[Frame]) -> Choice:
    """The set, or the changes of a corpus, and whose items of them."""
    by_name = {frame.name: frame for frame in sets}
    known = {run.id: run.corpus for run in state.review_runs(ws)}  # without counts, unlike `find_run`
    corpora = {one.name: known.get(one.run) or runs.find_run(ws, one.run).corpus for one in sets}
    named = {name: name for name in reversed(by_name)}
    named |= {f"{OF_GOLD}{one}": f"Gold changes to confirm: {one}" for one in sorted(set(corpora.values()))}
    which = chosen.choose(PAGE, "set", "Audit set", named)
    show = review.Show(chosen.choose(PAGE, "show", "Show", SHOWN))
    answers = int(chosen.choose(PAGE, "answers", "Curators per item", chosen.ANSWERS))
    listed = chosen.listed(PAGE)
    is_gold = which.startswith(OF_GOLD)
    filters = review.ListingFilters(
        kind=(ItemKind.GOLD_CHANGE if is_gold else ItemKind.ERROR).value,
        corpus=_of_list(listed, corpora) or (which.removeprefix(OF_GOLD) if is_gold else corpora[which]),
        name="" if is_gold else which,
        show=show,
        answers=answers,
        listed=listed,
    )
    said = [named[which] if is_gold else _told(by_name[which])]
    if show is not review.Show.UNDECIDED:
        said.append(SHOWN[show.value].lower())
    if answers > 1:
        said.append(f"{chosen.ANSWERS[str(answers)].lower()} curators each")
    return Choice(filters, ", ".join(said))


def _of_list(listed: review.Listed | None, corpora: Mapping[str, str]) -> str | None:
    """The corpus that a list's address names, if it is one that is audited."""
    asked = st.query_params.get(f"{PAGE}.corpus") if listed else None
    return asked if asked in corpora.values() else None


def _told(frame: Frame) -> str:
    by = f" by {frame.scope['by']}" if frame.scope.get("by") else ""
    return (
        f"Audit set {frame.name}: {frame.scope['size']:,} of {frame.size:,} false positives of {frame.run} "
        f"against {in_words(frame.scope['gold'])}, drawn{by} with seed {frame.seed}"
    )
