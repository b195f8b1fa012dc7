"""Stage annotate: a silver label of each pair (paper 004, sections 4 and 5.2, appendices E and I).

    asked     a model labels a pair       prompt    what it is told
    reply     how its answer is read      repair    what does not fit the schema, made to fit and told
    offline   the heuristic, by rule      check     what every label must keep to
    evidence  where quotes stand          facts, conditions                   what the rules go by

Definitions of types and axes come from `core.conflicts.guide`, for models and for people alike.
"""

from core.conflicts.annotate.asked import ask
from core.conflicts.annotate.check import addressed
from core.conflicts.annotate.offline import run

__all__ = ["addressed", "ask", "run"]
