"""The sentence encoder for semantic similarity of reconciliations (metric-definitions 9.5)."""

from __future__ import annotations

from core.encode import BUNDLED, Encoder
from core.encode import VectorCache as Vectors
from core.metrics import reconciliation


def sentence_encoder(model: str = BUNDLED, cache: Vectors | None = None) -> reconciliation.Encoder:
    """A sentence encoder by its name; loaded when the first text that is not in the cache turns up.

    Args:
        model: the bundled all-MiniLM-L6-v2, a name on the Hugging Face hub, or a folder.
        cache: keeps vectors between calls, such as `core.store.vectors` of a workspace.
    """
    encoder = Encoder(model, threads=1, cache=cache)
    return reconciliation.Encoder(encoder.model, encoder.encode)
