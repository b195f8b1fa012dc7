"""Predictions against gold: from a run or a file to scores, with the items behind every number.

    evaluation = evaluate(gold, predictions)                     # plain records
    evaluation = evaluate_files(silver, gold)                    # two files, no workspace
    reviewed = evaluate_run(workspace, "run-1", "imported:gsc@1")# a run, before and after review
    report_html(evaluation)                                      # tables, terminal, Markdown, HTML, CSV

Which documents count. Imported gold: all its documents, complete wherever `GoldSet.recall_documents` says so.
Reviewed gold: precision over every decided item; recall, F1 and the weighted values over closed passages only
(see `core.metrics.corpus`). Proposals that nobody has decided, and items the gold leaves out as unsure or
unadjudicated, are in no number and are counted beside it.

    inputs      what both sides are read from: files, one file per kind; runs and gold of a workspace
    families    what is scored: one file per family of metrics
    tables      what is shown: an evaluation, a comparison, an agreement as tables
    report      tables as Markdown or HTML
    settings    how to count            evaluation  what comes out, before and after review
    headline    a workspace in one sentence
"""

from core.evaluate.ablation import Ablation, score_ablation
from core.evaluate.addresses import gold_references, queued, review_items
from core.evaluate.comparison import ScoreComparison, compare_on_gold, compare_scores
from core.evaluate.concept_scope import Scope, scope, scope_of_file
from core.evaluate.corpus_agreement import agreement_of
from core.evaluate.curator_agreement import CuratorAgreement
from core.evaluate.doubts import Doubts, doubts_of
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation
from core.evaluate.given import needs_workspace, score_given
from core.evaluate.inputs.claim_pairs import evaluate_pair_files
from core.evaluate.inputs.documents import evaluate_file, evaluate_files
from core.evaluate.inputs.options import Options
from core.evaluate.inputs.pair_runs import references as pair_gold_references
from core.evaluate.inputs.statuses import read_statuses
from core.evaluate.pair_comparison import ComparedPair, PairRunComparison, compare_pair_runs
from core.evaluate.report.html import report_html
from core.evaluate.report.markdown import report_markdown
from core.evaluate.reviewed import evaluate_run
from core.evaluate.reviewed_pairs import evaluate_pair_run
from core.evaluate.runs import ComparedItem, RunComparison, compare_prompts, compare_runs
from core.evaluate.score import evaluate
from core.evaluate.settings import Settings
from core.evaluate.several import SeveralRuns, score_several
from core.evaluate.statistics import DataStatistics, gold_statistics, run_statistics
from core.evaluate.tables.ablation import ablation_tables
from core.evaluate.tables.cells import documents_csv, evaluation_tables, items_csv
from core.evaluate.tables.sections import registered
from core.store.compared import prompt_versions

__all__ = [
    "Ablation",
    "ComparedItem",
    "ComparedPair",
    "CuratorAgreement",
    "DataStatistics",
    "Doubts",
    "Evaluation",
    "Options",
    "PairRunComparison",
    "ReviewedEvaluation",
    "RunComparison",
    "Scope",
    "ScoreComparison",
    "Settings",
    "SeveralRuns",
    "ablation_tables",
    "agreement_of",
    "compare_on_gold",
    "compare_pair_runs",
    "compare_prompts",
    "compare_runs",
    "compare_scores",
    "documents_csv",
    "doubts_of",
    "evaluate",
    "evaluate_file",
    "evaluate_files",
    "evaluate_pair_files",
    "evaluate_pair_run",
    "evaluate_run",
    "evaluation_tables",
    "gold_references",
    "gold_statistics",
    "items_csv",
    "needs_workspace",
    "pair_gold_references",
    "prompt_versions",
    "queued",
    "read_statuses",
    "registered",
    "report_html",
    "report_markdown",
    "review_items",
    "run_statistics",
    "scope",
    "scope_of_file",
    "score_ablation",
    "score_given",
    "score_several",
]
