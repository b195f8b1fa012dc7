"""Claim pairs against gold: the five conflict tasks of BioDivergence, with the pairs behind every number.

evaluation = evaluate_pair_files(silver, gold)                        # two files, no workspace
reviewed = evaluate_pair_run(workspace, "run-1", "reviewed@now:any")  # a run, before and after review
pair_tables(reviewed)                                                 # terminal, Markdown, CSV

settings   how to count                  files     predictions and gold from files
sides      what either side says         reading   both from a workspace
score      both sides -> an evaluation   families  one file per task
record     the evaluation                cells     it as tables
"""

from core.evaluate.pairs.cells import CIRCULAR, pair_tables, review_table
from core.evaluate.pairs.encoder import sentence_encoder
from core.evaluate.pairs.files import evaluate_pair_files
from core.evaluate.pairs.of_runs import evaluate_pair_run
from core.evaluate.pairs.reading import references as pair_gold_references
from core.evaluate.pairs.record import PairEvaluation, ReviewedPairEvaluation
from core.evaluate.pairs.score import score_pairs
from core.evaluate.pairs.settings import PairSettings

__all__ = [
    "CIRCULAR",
    "PairEvaluation",
    "PairSettings",
    "ReviewedPairEvaluation",
    "evaluate_pair_files",
    "evaluate_pair_run",
    "pair_gold_references",
    "pair_tables",
    "review_table",
    "score_pairs",
    "sentence_encoder",
]
