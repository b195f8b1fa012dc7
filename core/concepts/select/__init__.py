"""Stage 5 of 5: select. Rate the passage with its labels; from average up it stays.

Source: HI-ALD, section 3.2. Five tiers: very poor, poor, average, good, excellent. The passage is judged as a
whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.concepts.tools import Tools
    from core.records import Labelling


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The form that asks a model; see `asked`."""
    from core.concepts.select.asked import ask as asked  # an offline run has no need of the client

    return await asked(labelling, tools)


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """The offline twin; see `offline`."""
    from core.concepts.select.offline import run as offline

    return offline(labellings, tools)
