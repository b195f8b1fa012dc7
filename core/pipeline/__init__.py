"""Runs: labels for a corpus, resumable, one runner at a time.

annotate    the dictionary matcher in one pass            concepts    the five stages, offline or asked
plan        all settings, checked beforehand              outcome     how a passage leaves a run
estimate    what it will cost, about                      guideline   summaries made or edited
start       open a run or go on with it, its lock         settings    how a run is begun
prepare     ontology, encoder and matcher for the stages  report      what a run did
offline     chunk by chunk                                asked       many items in flight
labelling   a passage through asked stages                leaving     why a process leaves a run
writer      one thread that writes for all                ledger      answers of models, kept and found again
pulse       how far a run is, told to whoever watches     status      a run as its users see it
background  runs in processes of their own                batch       answers by file instead of by network
ablation    the same corpus through subsets of stages     own_text    a text that somebody tries
conflicts   claims found, paired and labelled             learn       names and a head from gold or decisions
taught      what was learned, as runs use it
"""

from core.pipeline.annotate import annotate
from core.pipeline.concepts import run_concepts
from core.pipeline.report import RunReport
from core.pipeline.settings import ConceptsSettings

__all__ = ["ConceptsSettings", "RunReport", "annotate", "run_concepts"]
