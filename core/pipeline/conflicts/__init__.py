"""Runs of claim pairs: from the articles of a corpus to labelled pairs, resumable, one runner at a time.

plan        all settings, checked beforehand      reading     articles normalised, claims found
pairing     claims paired, domain by domain       queues      which pairs are asked about first
labelling   the heuristic's label, the model's    estimate    what it will cost, about
run         the stages as one run                 report      what a run did
"""

from core.pipeline.conflicts.plan import ConflictsPlan, ConflictsSettings, plan_conflicts
from core.pipeline.conflicts.report import ConflictsReport
from core.pipeline.conflicts.run import run_conflicts

__all__ = ["ConflictsPlan", "ConflictsReport", "ConflictsSettings", "plan_conflicts", "run_conflicts"]
