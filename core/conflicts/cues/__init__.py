"""Words of a text that say something about its context, axis by axis, in a form that can be compared.

The axes and their kinds of cues are those of BioDivergence (paper 004, Tables 14 and 16); the words are ours:
`phrases.tsv` and `places.tsv` list what is named by words, `values.py` says what is found by its form (ages,
years, doses, times, stages, strains, genes). A cue's value is "facet: value", such as "age: 65+" for "aged 65
years or older" as for "elderly", so that two texts can be lined up axis by axis.
"""

from core.conflicts.cues.compare import AxisRow, line_up
from core.conflicts.cues.find import find_cues

__all__ = ["AxisRow", "find_cues", "line_up"]
