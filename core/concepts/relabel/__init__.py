"""Stage 3 of 5: relabel. What is missing from the passage and what was missed in it.

Source: HI-ALD, section 3.2. Candidates that the passage does not hold are removed; concepts that it holds and
that nobody proposed are matched to the ontology and added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.concepts.tools import Tools
    from core.records import Labelling


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The form that asks a model; see `asked`."""
    from core.concepts.relabel.asked import ask as asked  # an offline run has no need of the client

    return await asked(labelling, tools)


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """The offline twin; see `offline`."""
    from core.concepts.relabel.offline import run as offline

    return offline(labellings, tools)
