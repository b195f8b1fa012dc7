"""Stage 1 of 5: generate. Passage to claims to concept names to concepts. Source: HI-ALD, section 3.2.

A passage is taken apart into small claims, each claim is asked for names of concepts, and each name goes to
the nearest concept of the ontology if it is near enough. With `Tools.direct` the names are asked of the
passage itself: the comparison of the paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.concepts.tools import Tools
    from core.records import Labelling


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The form that asks a model; see `asked`."""
    from core.concepts.generate.asked import ask as asked  # an offline run has no need of the client

    return await asked(labelling, tools)


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """The offline twin; see `offline`."""
    from core.concepts.generate.offline import run as offline

    return offline(labellings, tools)
