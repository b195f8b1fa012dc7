"""How the runs page writes and draws its figures, and its words for what the store calls by short names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.charts import Chart, Table
from core.kinds.names import NAMES, Values, called
from pages.widgets.metrics.tables import show_figure
from pages.widgets.plain import DASH

STAGE_HELP = {
    "generate": "Reads claims out of the passage and names concepts for them",
    "classify": "Says how each candidate follows from the text, and drops what does not",
    "relabel": "Reads the passage once more with all its labels: what is missing, what is too much",
    "guideline": "Keeps or drops each label by the guideline of the profile",
    "select": "Rates the passage, and discards what is below average",
    "normalise": "Repairs the text of each article, and merges what came twice",
    "extract": "Finds the sentences that state a finding, with type, slots and cues of their context",
    "mine": "Pairs like claims of different articles that may disagree",
    "annotate": "Labels each pair: type of conflict, axes, what explains it, evidence",
}
REASONS = {
    "too_short": "too short",
    "empty": "empty",
    "doi": "same DOI",
    "pmid": "same PMID",
    "content": "same text",
}
"""Why the first stage left an article out."""
VERDICTS = {
    "candidate": "Candidate",
    "kept": "Kept",
    "dropped": "Dropped",
    "added": "Added",
    "rated": "Rated",
    "failed": "Failed",
    "done": "Labelled",
    "repaired": "Labelled, repaired",
    "unmatched": "No match",
    "claim": "Claim",
    "flagged": "Speaks to its reader",
}


def stage_name(stage: str) -> str:
    return NAMES.get(stage, stage.replace("_", " ").capitalize())


def plain(word: str | None) -> str:
    """A stored word such as `logically_implicit`, or several, as one would write them."""
    return called(Values(word or DASH))


def money(dollars: float | None) -> str:
    """US dollars; small sums with enough digits to tell them apart."""
    if dollars is None:
        return DASH
    return f"{dollars:,.4f}" if 0 < abs(dollars) < 1 else f"{dollars:,.2f}"


def duration(seconds: float | None) -> str:
    """Such as `4 s`, `3 min`, `2 h 05 min`."""
    if seconds is None:
        return DASH
    if seconds < 90:
        return f"{max(seconds, 0):.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"


def count(number: int, one: str, many: str | None = None) -> str:
    """Such as `1 passage` and `2,000 passages`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def moment(iso: str | None) -> str:
    """A stored UTC time to the minute."""
    try:
        return datetime.fromisoformat(iso or "").strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return DASH


def score(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, int | float) else DASH


def funnel(stages: Sequence[tuple[str, int, int, int]], unit: str, key: str) -> None:
    """One bar per stage, the first on top: (name, what it let through, added, dropped). Names are ours."""
    heads = ("stage", "Kept", "Added", "Dropped")
    drawn = Chart("funnel", heads[0], heads[1:], y_title=unit)
    show_figure(Table("What each stage did", heads, stages, "funnel", chart=drawn), key)
