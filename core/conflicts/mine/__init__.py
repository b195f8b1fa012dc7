"""Stage 4: mine. Within one domain, pairs of like claims of different articles that may disagree.

    mined = run(claims, encoder.encode([claim.text for claim in claims]), Mining(neighbours=20))
    mined.pairs                                             # best first, with the parts of their scores

`neighbours` finds the nearest claims exactly, `shared` those with the same rare words, `score` scores many
pairs at once, `disagreement` is the signal that sets this apart from a search for paraphrases, `likelihood`
orders the pairs, and `pairs` makes records of those that stay.
"""

from core.conflicts.mine.mine import PAPER, Mined, Mining, run
from core.conflicts.mine.pairs import Pairs
from core.conflicts.mine.score import Weights

__all__ = ["PAPER", "Mined", "Mining", "Pairs", "Weights", "run"]
