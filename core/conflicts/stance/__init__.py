"""What was learned from labelled sentences: what a claim says of its outcome, and whether two disagree.

    words       a claim as the words and word pairs that weights are kept for
    learned     the weights applied: chances of less, none and more; the chance that two claims disagree
    train       makes the tables of weights from labelled data: python -m core.conflicts.stance.train

Plain arithmetic over tables that anyone can read; nothing that learns is needed to use them.
"""

from core.conflicts.stance.learned import Effects, conflict, corrected, effects

__all__ = ["Effects", "conflict", "corrected", "effects"]
