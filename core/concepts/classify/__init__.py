"""Stage 2 of 5: classify. How the passage expresses each candidate. Source: HI-ALD, section 3.2.

Explicit, logically implicit, pragmatically implicit or not relevant, with a reason, a quote and an
assertion status. What is not relevant, or of a class that the profile leaves out, is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.concepts.tools import Tools
    from core.records import Labelling


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The form that asks a model; see `asked`."""
    from core.concepts.classify.asked import ask as asked  # an offline run has no need of the client

    return await asked(labelling, tools)


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """The offline twin; see `offline`."""
    from core.concepts.classify.offline import run as offline

    return offline(labellings, tools)
