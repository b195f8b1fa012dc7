"""Sentence encoders and the index of concept names (HI-ALD, section 3.2: a name becomes a concept by
similarity).

    encoder = Encoder("all-MiniLM-L6-v2", cache=cache)      # nothing is loaded before the first new text
    index = NameIndex.build(concepts, encoder)
    index.nearest(["fits without fever"], k=10)             # each concept once, best first

`models` finds and loads a model, `encoder` turns texts into vectors and keeps them, `names` is the index over
names and synonyms, `search` the FAISS part of it, `words` the lexical half of a hybrid index. PyTorch,
sentence-transformers and FAISS are loaded here only, and only when they are needed.
"""

from core.encode.encoder import Encoder, Progress, VectorCache
from core.encode.models import BUNDLED, PAPER_THRESHOLD, SAPBERT, THRESHOLDS, threshold
from core.encode.names import Match, NameIndex

__all__ = [
    "BUNDLED",
    "PAPER_THRESHOLD",
    "SAPBERT",
    "THRESHOLDS",
    "Encoder",
    "Match",
    "NameIndex",
    "Progress",
    "VectorCache",
    "threshold",
]
