"""How many words two names share, weighted by how rare they are: the lexical half of a hybrid index.

A sentence encoder puts "cutaneous manifestations" nearer to "Cutaneous wound" than to "Abnormality of the
skin"; that both speak of skin is plain once words stand for their classes. TF-IDF over word classes, cosine.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD = re.compile(r"[^\W_]+")
SILENT = frozenset(
    ("a", "an", "the", "of", "in", "on", "at", "to", "for", "by", "from", "with", "and", "or", "is", "are")
)

WordClass = Callable[[str], str]
"""Word -> what stands for all words that say the same, such as its stem (`core.text.normalise.stem`)."""


class WordView:
    """Cosines between any name and the names it was made with."""

    def __init__(self, texts: Sequence[str], word_class: WordClass) -> None:
        import numpy as np

        self._class = word_class
        self._size = len(texts)
        bags = [self._bag(text) for text in texts]
        in_names = Counter(word for bag in bags for word in bag)
        self._weight = {w: math.log((1 + len(texts)) / (1 + n)) + 1 for w, n in in_names.items()}
        rows: dict[str, list[int]] = {word: [] for word in in_names}
        weights: dict[str, list[float]] = {word: [] for word in in_names}
        for row, bag in enumerate(bags):
            norm = self._norm(bag)
            for word, count in bag.items():
                rows[word].append(row)
                weights[word].append(count * self._weight[word] / norm)
        self._postings = {
            word: (np.array(rows[word], dtype=np.int64), np.array(weights[word], dtype=np.float32))
            for word in in_names
        }

    def cosines(self, name: str) -> NDArray[np.float32]:
        """One cosine in [0, 1] per name of the index; words that occur in none of them are passed over."""
        import numpy as np

        result = np.zeros(self._size, dtype=np.float32)
        bag = Counter({word: n for word, n in self._bag(name).items() if word in self._weight})
        norm = self._norm(bag)
        for word, count in bag.items():
            rows, weights = self._postings[word]
            result[rows] += weights * np.float32(count * self._weight[word] / norm)
        return result

    def _bag(self, text: str) -> Counter[str]:
        words = (word for word in WORD.findall(text.lower()) if word not in SILENT)
        return Counter(map(self._class, words))

    def _norm(self, bag: Counter[str]) -> float:
        return math.sqrt(sum((count * self._weight[word]) ** 2 for word, count in bag.items())) or 1.0
