"""The workspace file: the only place with SQL. One file per noun.

schema        tables, as numbered migrations          connect, workspace   open, write, cache keys
migrate       apply them                              file                 known unopened, put in place whole
ontologies    concepts, names, search                 corpora              passages, imported gold
runs          runs, stage records                     decisions, curators  append, state, history
proposals     what machines say, of every kind        pairs, claims        candidates of pairs, their claims
queue         what to review next, leases             gold                 imported, reviewed, corrected gold
link, form    hash chain, what digests cover          chain                verify
names         what things may be called               turn                 who writes next
backup        online backup, restore                 vectors              cache of an encoder's vectors
calls         answers of models, what they cost      guidelines           versions of summaries
sessions      who is at work on a run                tally, trail         counts, how a label came about
rows          many rows, written or looked up
frames        units of a run in the order of a draw  votes, settled       what each curator says
proposed      as what runs proposed each item        overlap              what is drawn for a second answer
blind         answered before any machine answer     sitting              what was done in one go
guided        by which guideline                     judged               does a decision judge, does it stand
audits        false positives of a run                changes              what gold lacks, and who says so
candidates    what a run offers to draw from          frame_answers        what counts of the answers to units
repeats       what a curator is asked once more
trees         label trees, built or imported
"""

from core.store.workspace import CacheKey, Workspace, default_path, open_workspace

__all__ = ["CacheKey", "Workspace", "default_path", "open_workspace"]
