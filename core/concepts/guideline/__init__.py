"""Stage 4 of 5: guideline. Keep or drop each candidate by the guideline in force.

Source: HI-ALD, section 3.2. `summarise` makes the guideline from a longer document, once; the summary is
stored and can be edited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.concepts.tools import Tools
    from core.records import Labelling


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The form that asks a model; see `asked`."""
    from core.concepts.guideline.asked import ask as asked  # an offline run has no need of the client

    return await asked(labelling, tools)


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """The offline twin; see `offline`."""
    from core.concepts.guideline.offline import run as offline

    return offline(labellings, tools)
