"""Stage 2: normalise. Texts are cleaned, with a map back to the original; duplicates are merged.

for result in run(articles):                            # in the order of the articles
    match result:
        case Normalised(article, original, offsets): original_span(offsets, 10, 20)
        case Left(article, reason, into): ...
"""

from core.conflicts.normalise.normalise import SHORTEST, run
from core.conflicts.normalise.offsets import normalised_span, original_span

__all__ = ["SHORTEST", "normalised_span", "original_span", "run"]
