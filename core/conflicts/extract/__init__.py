"""Stage 3: the sentences of an abstract that state a finding, with type, direction, slots, entities and cues.

By rules and tables alone (paper 004, sections 3 and H): the same abstract gives the same claims. The words of
a sentence and its section speak for or against its being a claim (`weights.tsv`, `score.py`); what the study
set out to do, how it was done, who took part, what was known before, what remains to be studied, who paid and
where it is registered is no claim. One is taken from a confidence of `LEAST` on.
"""

from core.conflicts.extract.run import claims_of, run
from core.conflicts.extract.score import LEAST

__all__ = ["LEAST", "claims_of", "run"]
