"""What gold or decisions taught the dictionary annotator: names, how often words were right, and a head.

`teach` counts, over documents with known answers, how often each form of words that the annotator reads as a
concept was right (`counts`), and collects names that people found and the ontology does not have. `judge`
turns the counts into confidences, a beta-binomial mean whose prior is the annotator's own confidence, and
applies the keep/drop head (`features`, `core.learners`) where there is one. `check` measures by
cross-validation over documents what that brings, `learning_curve` what more documents would.
"""

from __future__ import annotations

from core.concepts.learned.checking import System, check, choose, gain
from core.concepts.learned.curve import Costed, Curve, learning_curve
from core.concepts.learned.judging import learned_lexicon
from core.concepts.learned.teaching import Lesson, Named, teach

__all__ = [
    "Costed",
    "Curve",
    "Lesson",
    "Named",
    "System",
    "check",
    "choose",
    "gain",
    "learned_lexicon",
    "learning_curve",
    "teach",
]
