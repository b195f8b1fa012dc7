"""An evaluation as tables of finished cells: what the terminal, the reports and the downloads print.

None is an undefined value: whoever prints it shows a dash, and the reasons stand in a table of their own.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from core.charts import Table, Value, text
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation, as_reviewed
from core.evaluate.references import in_words
from core.evaluate.tables.sections import sections
from core.formats.tables import GUARDED, write_table
from core.metrics import corpus
from core.metrics.definition import Estimate
from core.metrics.documents import count

AVERAGES = ("macro", "micro", "weighted")
"""The headline first."""
MEASURES = ("precision", "recall", "f1")
NAMES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
VALUES = tuple(f"{average}_{measure}" for average in AVERAGES for measure in MEASURES)
FURTHER = tuple(name for name in corpus.VALUES if name not in VALUES)
"""What the corpus family holds beside these."""
CIRCULAR = (
    "The gold is this review itself, so the reviewed proposals agree with it by construction: only the "
    "figures before review say something about the proposals."
)
OUTCOMES = {"tp": "right", "fp": "spurious", "fn": "missed", "undecided": "undecided"}


def evaluation_tables(result: Evaluation | ReviewedEvaluation) -> list[Table]:
    """What a terminal shows: scores, before and after review, counts, and what to know when reading them."""
    both = as_reviewed(result)
    families = [table for section in sections(both) for table in section.under_its_name()]
    if both.before.judged == "documents":
        uncorrected = [averages(both.uncorrected)] if both.uncorrected else []
        head = [
            *(averages(both.before), *uncorrected),
            *(*further(both.before), *review(both), *map(counts, both.sides)),
        ]
    else:
        head = [heading(both.before)]
    return [*head, *families, *caveats(both)]


def heading(scored: Evaluation) -> Table:
    """What was scored, with the counts beside it, where these are of something else than concepts."""
    found = {"pairs": scored.pairs} | scored.beside
    rows: list[tuple[Value, ...]] = [(k.replace("_", " "), n) for k, n in found.items() if n is not None]
    return Table(f"{scored.predictions} against {in_words(scored.gold)}", ("count", "n"), rows)


def caveats(result: ReviewedEvaluation) -> list[Table]:
    """Why values are undefined, and what must be read together with them; only tables that say something."""
    of_documents = result.before.judged == "documents"
    noted = result.sides if of_documents else [result.before]
    notes = [note for e in noted for note in e.notes] + ([CIRCULAR] if result.is_circular else [])
    rows: list[tuple[Value, ...]] = [(note,) for note in dict.fromkeys(notes)]
    found = [Table("Read with these numbers", ("note",), rows)]
    return [table for table in ([reasons(result.before)] if of_documents else []) + found if table.rows]


def averages(evaluation: Evaluation) -> Table:
    """Macro (the headline), micro and weighted side by side."""
    rows: list[tuple[Value, ...]] = []
    for average in AVERAGES:
        chosen = [evaluation.estimate(f"{average}_{m}") for m in MEASURES]
        rows.append((average, *map(text, chosen), _documents(chosen)))
        if average == "macro":
            rows.append(("macro, standard deviation", *(text(e.std) for e in chosen), None))
    title = f"{evaluation.predictions} against {in_words(evaluation.gold)}"
    return Table(title, ("average", *NAMES.values(), "documents"), rows)


def further(evaluation: Evaluation) -> list[Table]:
    """The values of `FURTHER`, one a row."""
    found = {corpus.FAMILY.metrics[name].title: evaluation.estimate(name) for name in FURTHER}
    rows: list[tuple[Value, ...]] = [(title, text(e), e.n) for title, e in found.items()]
    return [Table("Further values", ("value", "estimate", "documents"), rows)] if rows else []


def _documents(chosen: Sequence[Estimate]) -> str:
    """How many documents the three values rest on; precision may rest on more than the others."""
    precision, recall = chosen[0].n, chosen[1].n
    return str(recall) if precision == recall else f"{precision} (precision), {recall}"


def macro(evaluation: Evaluation) -> Table:
    """The primary metrics, one a row."""
    rows: list[tuple[Value, ...]] = []
    for measure in MEASURES:
        e = evaluation.estimate(f"macro_{measure}")
        bounds = None if e.low is None else f"[{e.low:.3f}, {e.high:.3f}]"
        rows.append((NAMES[measure], text(e.value), bounds, text(e.std), e.n))
    level = f"{evaluation.settings.level:.0%} interval"
    return Table(
        "Primary metrics (macro-averaged)",
        ("metric", "value", level, "standard deviation", "documents"),
        rows,
    )


def review(result: ReviewedEvaluation) -> list[Table]:
    """Before and after review, against the same gold; nothing where nobody has decided yet."""
    if result.after is None:
        return []
    rows: list[tuple[Value, ...]] = []
    for name in (*VALUES, *FURTHER):
        average, _, measure = name.partition("_")
        rows.append(
            (
                f"{average} {NAMES[measure]}" if name in VALUES else corpus.FAMILY.metrics[name].title,
                text(result.before.estimate(name)),
                text(result.after.estimate(name)),
                text(result.change("corpus", name), "+"),
            )
        )
    title = f"Before and after review ({in_words(result.review or '')})"
    return [Table(title, ("value", "before", "after", "difference, paired"), rows)]


def counts(evaluation: Evaluation) -> Table:
    totals = count(evaluation.outcomes)
    rows: list[tuple[Value, ...]] = [
        ("gold documents", totals.documents),
        ("of these complete (recall, F1, weighted)", totals.documents_complete),
        ("of these in precision", totals.documents_precision),
        ("gold concepts (complete documents)", totals.gold),
        ("decided proposals", totals.predicted),
        ("different concepts, in gold and proposals", len(_concepts(evaluation))),
        ("right (TP)", totals.tp),
        ("spurious (FP)", totals.fp),
        ("missed (FN)", totals.fn),
        ("proposals nobody decided, in no number", totals.undecided),
        ("gold items left out as unsettled", evaluation.beside["excluded"]),
        ("documents with neither gold nor proposals", totals.vacuous),
    ]
    return Table(f"Corpus statistics: {evaluation.predictions}", ("count", "n"), rows)


def _concepts(evaluation: Evaluation) -> set[str]:
    return {c for o in evaluation.outcomes for c in (*o.tp, *o.fp, *o.fn)}


def configuration(evaluation: Evaluation) -> Table:
    chosen = evaluation.settings
    exhaustive = {True: "yes", False: "no", None: "not said"}[evaluation.exhaustive]
    rows: list[tuple[Value, ...]] = [
        ("predictions", evaluation.predictions),
        ("gold", evaluation.gold),
        ("gold exhaustively annotated", exhaustive),
        ("assertions that count", ", ".join(a.value for a in chosen.assertions)),
        ("concepts", evaluation.scope or "all, ids as they are"),
        ("document with neither gold nor proposals", chosen.vacuous),
        ("bootstrap", f"{chosen.bootstrap} resamples over documents, seed {chosen.seed}"),
        ("metric families", ", ".join(chosen.families)),
    ]
    if evaluation.further:
        rows += [
            ("similarity of concepts", f"{chosen.similarity}, information content from {chosen.information}"),
            ("alike from this similarity on", chosen.alike),
            ("sure from this confidence on", chosen.sure),
            *evaluation.sources.items(),
        ]
    return Table("Configuration", ("setting", "value"), rows)


def reasons(evaluation: Evaluation) -> Table:
    """Why undefined values are undefined."""
    rows: list[tuple[Value, ...]] = [
        (name.replace("_", " "), e.reason)
        for name, e in evaluation.families["corpus"].estimates.items()
        if e.value is None
    ]
    return Table("Undefined", ("value", "why"), rows)


def documents(evaluation: Evaluation) -> Table:
    columns = ("document", "complete", "TP", "FP", "FN", "undecided", "P", "R", "F1")
    rows: list[tuple[Value, ...]] = [
        (
            row["doc_id"],
            "yes" if row["complete"] else "no",
            *(row[k] for k in ("tp", "fp", "fn", "undecided")),
            *(text(row[m]) for m in MEASURES),
        )
        for row in evaluation.documents()
    ]
    return Table("Documents", columns, rows)


# --- downloads: full precision, formula-safe ----------------------------------------------------------------


def documents_csv(evaluation: Evaluation) -> bytes:
    """One row per gold document: counts and unrounded ratios; undefined is an empty cell."""
    rows = evaluation.documents()
    columns = ("doc_id", "complete", "tp", "fp", "fn", "undecided", "precision", "recall", "f1")
    return _csv(columns, iter(rows))


def items_csv(evaluation: Evaluation) -> bytes:
    """One row per (document, concept) with its outcome."""
    rows = (
        {
            "doc_id": o.doc_id,
            "concept_id": concept,
            "label": evaluation.labels.get(concept),
            "outcome": outcome,
        }
        for o in evaluation.outcomes
        for outcome in OUTCOMES
        for concept in getattr(o, outcome)
    )
    return _csv(("doc_id", "concept_id", "label", "outcome"), rows)


def _csv(columns: Sequence[str], rows: Iterator[dict[str, object]]) -> bytes:
    out = io.BytesIO()
    write_table((*columns, GUARDED), rows, out)
    return out.getvalue()
