"""What two files can be scored for: one file per input, and one row.

An input is told by what a file holds. Its file reads both sides and says by which families they are scored.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from core.evaluate.evaluation import Evaluation
from core.evaluate.inputs import claim_pairs, documents, mentions, raw_indices, tagged_tokens
from core.evaluate.inputs.options import Options
from core.formats.conll import holds_tags
from core.formats.index_answers import holds_indices
from core.formats.mentions import mentions_in
from core.formats.pairs import holds_pairs
from core.metrics import FAMILIES, MENTION_FAMILIES, PAIR_FAMILIES
from core.store.workspace import Workspace


class Input(NamedTuple):
    words: str
    """What its files hold."""
    holds: Callable[[Path], object]
    """Whether a file holds it; the rows are asked in their order."""
    score: Callable[[Path, Path, Options, Workspace | None], Evaluation]
    """Reads and scores predictions and gold; a workspace, if any, only for its ontologies."""
    families: tuple[str, ...]
    """That it can be scored by."""


INPUTS: dict[str, Input] = {
    "pairs": Input("claim pairs", holds_pairs, claim_pairs.score, tuple(PAIR_FAMILIES)),
    "tags": Input("tagged tokens", holds_tags, tagged_tokens.score, tagged_tokens.FAMILIES),
    "mentions": Input("mentions", mentions_in, mentions.score, tuple(MENTION_FAMILIES)),
    "indices": Input("raw indices", holds_indices, raw_indices.score, raw_indices.FAMILIES),
    "documents": Input("concept documents", lambda path: True, documents.score, tuple(FAMILIES)),
}


def input_of(path: Path) -> str:
    """What a file holds: a name of `INPUTS`."""
    return next(name for name, row in INPUTS.items() if row.holds(path))
