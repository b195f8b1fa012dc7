"""Stage 5 of 5, asking a model: rate the passage with its labels (QS). HI-ALD, section 3.2.

One call for a passage. From average up it stays; below, the passage leaves the run and nothing of it is
proposed.

Repairs: ratings through `ratings.QUALITY_ALIASES`; the labels of such a passage are flagged. Any other rating
is asked for again, and is a failure after that: a passage is never rated by guess. A passage without labels
is not asked about and stays unrated.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from core.concepts import asking
from core.concepts.answers import LONGEST_REASON, shown
from core.concepts.ratings import QUALITIES, RETAINED, quality
from core.concepts.tools import Tools
from core.llm import Checked
from core.llm.fields import Reply, Text, choice, shortened
from core.records import Labelling, Verdict

STAGE = "select"
FOLDER = Path(__file__).parent


class Rating(Reply):
    explanation: Text = ""
    quality: Text = choice(QUALITIES)


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The passage with its quality, retained or not; its candidates stay as they are.

    Raises:
        ReplyFailure: the call gave no usable answer.
        InputError: the run has no endpoint; and whatever of the client's stops a run.
    """
    candidates, passage = labelling.candidates, labelling.passage
    if not candidates:
        reason = "There are no labels to rate."
        return labelling.record(STAGE, Verdict.RATED, None, reason, quality=None, retained=labelling.retained)
    rows = asking.described(candidates, tools)
    for row, candidate in zip(rows, candidates, strict=True):
        row["status"] = candidate.assertion.value
    answer = await asking.asker(tools).ask(
        asking.prompt(FOLDER / "select.md"),
        Rating,
        terms=asking.terms(tools.profile),
        data={"passage": passage.text, "concepts": rows},
        stage=STAGE,
        passage_id=passage.id,
        check=_check,
    )
    rated, changed = quality(answer.value.quality)
    retained = rated in RETAINED
    notes: dict[str, Any] = {"notes": list(_check(answer.value).notes)} if changed else {}
    labelling = labelling.record(
        STAGE,
        Verdict.RATED,
        None,
        shortened(answer.value.explanation, LONGEST_REASON),
        answer.call,
        quality=rated.value if rated else None,
        retained=retained,
        **notes,
    )
    if changed:
        candidates = tuple(replace(candidate, repaired=True) for candidate in candidates)
    return replace(labelling, candidates=candidates, quality=rated, retained=retained)


def _check(reply: Rating) -> Checked[Rating]:
    rated, changed = quality(reply.quality)
    if rated is None:
        known = ", ".join(one.replace(" ", "_") for one in QUALITIES)
        return Checked(reply, (), (f"The quality {shown(reply.quality)} is none of {known}.",))
    notes = (f"the quality {shown(reply.quality)} was read as {rated.value}",) if changed else ()
    return Checked(reply, notes)
