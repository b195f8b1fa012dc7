"""Which similarity two concepts must reach to be taken as the same: from pairs that people have labelled.

A file of pairs (CSV, or with semicolons or tabs; also .gz) has the columns `first`, `second` and `same`: two
concept ids, and yes or no (true, false, 1, 0). The result is the threshold for `Settings.alike`, of this
similarity, this ontology and this source of information content alone. A pair given twice, either way round,
counts once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from core.charts import Cell, Chart, Table, Value
from core.errors import InputError
from core.evaluate.concept_scope import Scope, scope, scope_of_file
from core.evaluate.inputs.gold import corpus_of, gold_of_file, gold_of_workspace
from core.evaluate.inputs.options import ONTOLOGIES, is_file
from core.evaluate.settings import Measure, Settings
from core.formats.rows import RowError, shown
from core.formats.source import Source
from core.formats.tables import read_table
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.relaxed import HIERARCHICAL_CREDIT
from core.metrics.thresholds import RocPoint, Youden, youden
from core.ontology.similarity import Similarity
from core.records import Curie, GoldSet
from core.store.workspace import Workspace

COLUMNS = ("first", "second", "same")
OUTCOMES = ("tp", "fp", "fn", "tn", "undecided")
_ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class LabelledPair(NamedTuple):
    first: Curie
    second: Curie
    same: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    similarity: Measure
    ontology: str | None
    documents: str | None
    """Gold whose documents were counted for information content; None: from the ontology's structure."""
    found: Youden
    pairs: tuple[tuple[LabelledPair, float, float | None], ...]
    """Each pair with its similarity and its Resnik information content, most similar first."""
    unknown: tuple[Curie, ...]
    """Concepts that the ontology does not hold: similar to themselves alone."""

    def taken(self, threshold: float) -> int:
        """How many pairs, the first of `pairs`, are taken as the same from a threshold on."""
        return bisect_right(self.pairs, -threshold, key=lambda row: -row[1])

    def items(self, threshold: float | None, outcomes: Container[str] = OUTCOMES) -> list[Item]:
        """The pairs of which a threshold makes one of these, most similar first. An item is a pair of
        concepts."""
        return [
            Item(pair.first, pair.second, made, f"similarity {value!r}")
            for pair, value, _ in self.pairs
            if (made := outcome(pair.same, value, threshold)) in outcomes
        ]

    def to_json(self) -> dict[str, Any]:
        """`pairs` are the most similar first, so that a point of the curve takes the first of them."""
        return {
            "similarity": self.similarity,
            "ontology": self.ontology,
            "information": "corpus" if self.documents else "structure",
            "documents": self.documents,
            "threshold": self.found.threshold,
            "j": self.found.j,
            "n": self.found.n,
            "reason": self.found.reason,
            "curve": [
                point._asdict() | {"j": point.j, "pairs_taken": self.taken(point.threshold)}
                for point in self.found.curve
            ],
            "pairs": [
                pair._asdict()
                | {
                    "similarity": value,
                    "information_in_common": shared,
                    "outcome": outcome(pair.same, value, self.found.threshold),
                }
                for pair, value, shared in self.pairs
            ],
            "unknown": list(self.unknown),
        }


def outcome(same: bool, value: float, threshold: float | None) -> str:
    """What a threshold makes of a pair: `tp`, `fp`, `fn` or `tn`; `undecided` without one."""
    if threshold is None:
        return "undecided"
    taken = value >= threshold
    return ("tp" if same else "fp") if taken else ("fn" if same else "tn")


def calibrate_given(
    workspace: Workspace | None,
    pairs: Path,
    ontology: str,
    similarity: str = "lin",
    information: str = "structure",
    gold: str | None = None,
) -> Calibration:
    """`calibrate` for what somebody names.

    Args:
        workspace: None will do where ontology and gold are files.
        ontology: NAME[@VERSION] of the workspace, or an ontology file.
        gold: for information from a corpus: a file of concept documents, or a gold reference.

    Raises:
        InputError: a file cannot be read, an option is wrong, or gold is given or missing against
            `information`.
        NotFoundError: no such ontology or gold.
    """
    chosen = Settings.parse(similarity=similarity, information=information)
    if (gold is not None) != (chosen.information == "corpus"):
        raise InputError(
            "Information from a corpus is counted in documents with gold: give both --information corpus and"
            " --gold, or neither."
        )
    if is_file(ontology, ONTOLOGIES):
        held = scope_of_file(Path(ontology))
    elif workspace is not None:
        held = scope(workspace, ontology)
    else:
        raise InputError(f"There is no ontology file {ontology}, and no workspace to look it up in.")
    documents = None
    if gold is not None and is_file(gold):
        documents = gold_of_file(Path(gold)).documents
    elif gold is not None:
        if workspace is None:
            raise InputError(f"{gold} is no file: name the workspace that holds this gold.")
        documents = gold_of_workspace(workspace, gold, corpus_of(workspace, gold)).documents
    return calibrate(read_pairs(pairs), held, chosen.similarity, documents)


def frequencies(gold: GoldSet, scope: Scope) -> Mapping[Curie, int]:
    """In how many complete documents each concept stands, affirmed or uncertain: as `evaluate` counts."""
    wanted = Settings().assertions
    return Counter(
        concept
        for doc_id in gold.recall_documents
        for concept in {
            scope.alt_ids.get(c, c) for c, s in gold.documents.get(doc_id, {}).items() if s in wanted
        }
    )


def calibrate(
    pairs: Iterable[LabelledPair],
    scope: Scope,
    similarity: Measure = "lin",
    documents: GoldSet | None = None,
) -> Calibration:
    """The Youden threshold of labelled pairs.

    Args:
        documents: where information content is counted; None: it comes from the ontology's structure.

    Raises:
        InputError: the scope knows no lineage, or a pair is labelled both ways.
    """
    if scope.lineage is None:
        raise InputError("Similarities are read from an ontology's lineages. Name it with --ontology.")
    labelled: dict[frozenset[Curie], LabelledPair] = {}
    for pair in pairs:
        a, b = (scope.alt_ids.get(concept, concept) for concept in pair[:2])
        known = labelled.setdefault(frozenset((a, b)), LabelledPair(a, b, pair.same))
        if known.same != pair.same:
            raise InputError(
                f"The pair {shown(pair.first)}, {shown(pair.second)} is labelled both as the same and as not"
                " the same. Keep one of the two."
            )
    lineage = scope.lineage()
    counted = None if documents is None else frequencies(documents, scope)
    kin, rows = Similarity(lineage, similarity, counted), list(labelled.values())
    values = kin.of_pairs([p.first for p in rows], [p.second for p in rows]).tolist()
    unknown = sorted({c for pair in rows for c in pair[:2] if c not in lineage})
    judged = [
        (pair, value, None if {*pair[:2]} & {*unknown} else kin.resnik(*pair[:2]))
        for pair, value in zip(rows, values, strict=True)
    ]
    judged.sort(key=lambda row: (-row[1], row[0]))
    found = youden((value, pair.same) for pair, value, _ in judged)
    counted_in = None if documents is None else documents.reference
    return Calibration(similarity, scope.name, counted_in, found, tuple(judged), tuple(unknown))


def read_pairs(path: Path) -> Iterator[LabelledPair]:
    """The pairs of a file.

    Raises:
        InputError: it cannot be read, lacks a column, or a row is incomplete.
    """
    source = Source(path)
    for line, row in read_table(source, COLUMNS):
        if isinstance(row, RowError):
            raise InputError(str(row))
        first, second, same = (str(row.get(column) or "").strip() for column in COLUMNS)
        if not first or not second or same.lower() not in _ANSWERS:
            raise InputError(
                f"{source.name}, line {line}: a pair needs two concept ids and yes or no under `same`, not"
                f" {shown(first)}, {shown(second)}, {shown(same)}."
            )
        yield LabelledPair(first, second, _ANSWERS[same.lower()])


def tables(result: Calibration) -> list[Table]:
    """The threshold, what each threshold would do, and which pairs it gets wrong."""
    found = result.found
    threshold = Estimate(found.threshold, found.n, reason=found.reason)
    j = Estimate(found.j, found.n, reason=None if found.j is not None else found.reason)
    mistaken = partial(result.items, found.threshold, ("fp", "fn"))
    summary = [
        ("threshold", Cell(threshold, "wrong", mistaken)),
        ("J", Cell(j, "wrong", mistaken)),
        ("labelled pairs", Cell(found.n, "pairs", partial(result.items, found.threshold))),
        (
            "concepts that the ontology does not hold",
            Cell(len(result.unknown), "unknown", lambda: _unknown(result)),
        ),
        ("information content from", result.documents or "the ontology's structure"),
    ]
    wrong: list[tuple[Value, ...]] = [
        (pair.first, pair.second, "yes" if pair.same else "no", value, shared)
        for pair, value, shared in result.pairs
        if found.threshold is not None and pair.same != (value >= found.threshold)
    ]
    heads = ("similarity from", "true positive rate", "false positive rate", "J")
    return [
        Table.of(
            f"Threshold of {result.similarity} similarity",
            ("value", "estimate"),
            summary,
            "threshold",
            note=found.reason or _advice(found.threshold),
            help={"estimate": "thresholds.youden"},
        ),
        Table.of(
            "What each threshold would do",
            heads,
            [_rates(result, i, point) for i, point in enumerate(found.curve)],
            "roc",
            chart=Chart("curve", x=heads[2], y=(heads[1],), unit=True),
            note="Pairs are taken as the same from the threshold on, inclusive. J is the difference.",
        ),
        Table(
            "Pairs on the wrong side of the threshold",
            ("first", "second", "same", "similarity", "information in common"),
            wrong,
            name="wrong",
            help={
                "similarity": f"similarity.{result.similarity}",
                "information in common": "similarity.resnik",
            },
        ),
    ]


def _rates(result: Calibration, row: int, point: RocPoint) -> list[Cell]:
    """What a threshold of the curve does."""
    cells = (
        ("from", ("tp", "fp"), point.threshold),
        ("same", ("tp", "fn"), point.true_positive_rate),
        ("different", ("fp", "tn"), point.false_positive_rate),
        ("from", ("tp", "fp"), point.j),
    )
    return [
        Cell(value, f"{kind}:{row}", partial(result.items, point.threshold, outcomes))
        for kind, outcomes, value in cells
    ]


def _unknown(result: Calibration) -> list[Item]:
    """Pairs of a concept that the ontology does not hold."""
    return [i for i in result.items(result.found.threshold) if {i.doc_id, i.id} & {*result.unknown}]


def _advice(threshold: float | None) -> str:
    if threshold is None or threshold <= HIERARCHICAL_CREDIT:
        return "At most 0.5: relaxed matching cannot use it, since a match would be worth less than a parent."
    return f"In full, for --alike: {threshold!r}"
