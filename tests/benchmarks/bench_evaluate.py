"""A whole evaluation of a run of a workspace: every family, on 5,000 and on 54,000 documents, in one run.

    python tests/benchmarks/bench_evaluate.py [documents ...]

Documents of 150 words with 3.7 gold labels each, an ontology of 18,000 concepts (one in five with two
parents), a run that finds 7 in 10 labels and takes a parent, a child or a stranger for others, each label
with its place, status, confidence and stage records; training set and label tree beside it. CPU seconds of
this process and its threads: reading, the corpus family with 1,000 resamples, each other family, and what a
click needs (`open` of a family's largest count). The baseline, in the same run: scikit-learn's
MultiLabelBinarizer and precision_recall_fscore_support, micro and over samples, on the same sets of labels;
point values only, no interval and nothing to open. Growth: time at the last size / time at the first, and
per document. Exits with 1 if a value differs from scikit-learn's.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.evaluate import Evaluation, Settings, evaluate_run
from core.evaluate.families import EVALUATORS
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import (
    Annotation,
    Assertion,
    Concept,
    ConceptClass,
    Document,
    Draft,
    Evidence,
    Ontology,
    Span,
    StageRecord,
    Verdict,
)
from core.store import Workspace, corpora, ontologies, open_workspace, proposals, runs

SIZES = [int(size) for size in sys.argv[1:] if size.isdigit()] or [5_000, 54_000]
LABELS_EACH, WORDS, CONCEPTS = 200_000 / 54_000, 150, 18_000
STATUSES = (Assertion.AFFIRMED,) * 7 + (Assertion.NEGATED,) * 2 + (Assertion.UNCERTAIN,)
STAGES = ("generate", "select")
chance = random.Random(3)


def concept_of(number: int) -> str:
    return f"HP:{number:07}"


def ontology() -> Ontology:
    """A tree of 18,000, about 14 deep, with a second parent here and there."""
    parents: list[tuple[str, ...]] = [()]
    for n in range(1, CONCEPTS):
        near = {chance.randrange(max(0, n // 4 - 40), n // 2 + 1)}
        if chance.random() < 0.2:
            near.add(chance.randrange(n))
        parents.append(tuple(map(concept_of, sorted(near))))
    rows = tuple(Concept(concept_of(n), f"Finding {n}", parents=parents[n]) for n in range(CONCEPTS))
    return Ontology("hp", "bench", concept_of(0), "0" * 64, rows)


def fill(workspace: Workspace, size: int, known: Ontology) -> tuple[Training, LabelTree]:
    """Corpus, gold and run; returns what a model might have seen, and an index."""
    parent = {c.curie: c.parents for c in known.concepts}
    children: dict[str, list[str]] = {}
    for c in known.concepts:
        for p in c.parents:
            children.setdefault(p, []).append(c.curie)
    words = [f"{a}{b}{c}" for a in "bcdfg" for b in "aeiou" for c in ("ran", "lis", "mot", "nek")]
    stored = ontologies.add_ontology(workspace, known)
    gold: dict[str, dict[str, int]] = {f"d{n:06}": {} for n in range(size)}
    for _ in range(round(size * LABELS_EACH)):
        gold[f"d{chance.randrange(size):06}"][
            concept_of(min(int(chance.expovariate(4 / CONCEPTS)), CONCEPTS - 1))
        ] = chance.randrange(WORDS)
    texts = {doc_id: " ".join(chance.choices(words, k=WORDS)) for doc_id in gold}
    starts = {d: np.cumsum([0, *(len(w) + 1 for w in t.split(" "))]) for d, t in texts.items()}

    def place(doc_id: str, word: int) -> tuple[int, int, str]:
        start, end = int(starts[doc_id][word]), int(starts[doc_id][word + 1]) - 1
        return start, end, texts[doc_id][start:end]

    def said(doc_id: str) -> dict[str, tuple[int, bool]]:
        """concept -> (word, whether the place is right)"""
        found: dict[str, tuple[int, bool]] = {}
        for concept, word in gold[doc_id].items():
            luck = chance.random()
            if luck < 0.70:
                found[concept] = word, luck < 0.6
            elif luck < 0.80 and parent[concept]:
                found[parent[concept][0]] = word, True
            elif luck < 0.85 and concept in children:
                found[chance.choice(children[concept])] = word, True
            elif luck < 0.95:
                found[concept_of(chance.randrange(CONCEPTS))] = chance.randrange(WORDS), True
        return found

    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "bench")
        ids = {
            document.doc_id: passage
            for passage, document in corpora.insert_passages(
                db, corpus, (Document(d, t) for d, t in texts.items())
            )
        }
        corpora.add_annotation_set(
            db,
            "bench",
            "1",
            corpus,
            [
                (ids[d], Annotation(c, assertion=chance.choice(STATUSES), span=Span(*place(d, word))))
                for d, labels in gold.items()
                for c, word in labels.items()
            ],
            exhaustive=True,
            sha256="1" * 64,
        )
        runs.begin_run(
            db, "run", kind="concepts", source="bench", corpus_id=corpus, ontology_id=stored,
            settings={"stages": STAGES}, fingerprint="f",
        )  # fmt: skip
        everything = {d: said(d) for d in gold}
        drafts = (
            (
                ids[d],
                [
                    Draft(
                        c, c, chance.choice(STATUSES), ConceptClass.EXPLICIT, round(chance.random(), 2), "",
                        (Evidence(*_quoted(place(d, word if right else (word + 1) % WORDS)), grounded=True),),
                        STAGES[0],
                    )
                    for c, (word, right) in found.items()
                ],
            )
            for d, found in everything.items()
        )  # fmt: skip
        proposals.add(db, "run", drafts)
        runs.add_stage_records(db, "run", _records(ids, everything, gold))
        runs.finish_run(db, "run")
    seen = list(parent)[: CONCEPTS // 2]
    training = Training.of(words[:50], seen, "bench")
    return training, LabelTree({c.curie: _index(n) for n, c in enumerate(known.concepts)}, "bench")


def _quoted(found: tuple[int, int, str]) -> tuple[str, int, int]:
    start, end, quote = found
    return quote, start, end


def _index(number: int) -> tuple[int, ...]:
    return tuple(int(digit) for digit in f"{number:05}")


def _records(ids, everything, gold):
    for d, found in everything.items():
        for concept in found:
            yield StageRecord(STAGES[0], ids[d], concept, Verdict.CANDIDATE.value, payload={"name": "x"})
            yield StageRecord(STAGES[1], ids[d], concept, Verdict.KEPT.value)
        for concept in gold[d].keys() - found.keys():
            if chance.random() < 0.5:
                yield StageRecord(STAGES[0], ids[d], concept, Verdict.CANDIDATE.value, payload={"name": "x"})
                yield StageRecord(STAGES[1], ids[d], concept, Verdict.DROPPED.value, "not there")
        yield StageRecord(STAGES[1], ids[d], None, Verdict.DONE.value)


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def measure(size: int, known: Ontology) -> tuple[dict[str, float], Evaluation]:
    """CPU seconds by part; the families are scored by one evaluation, each timed by itself."""
    times: dict[str, float] = {}
    families = dict(EVALUATORS)

    def timed(name: str) -> Callable[[Inputs], FamilyResult]:
        def scored(inputs: Inputs) -> FamilyResult:
            if "reading for families" not in times:
                k = inputs.known
                readers = (k.gold_mentions, k.predicted_mentions, k.confidences, k.lineage, k.texts, k.stages)
                times["reading for families"] = seconds(lambda: [read() for read in readers if read])[0]
            times[name], result = seconds(lambda: families[name](inputs))
            return result  # type: ignore[return-value]

        return scored

    with tempfile.TemporaryDirectory() as folder, open_workspace(Path(folder) / "bench.db") as workspace:
        training, tree = fill(workspace, size, known)
        gold = "imported:bench@1"
        whole, alone = seconds(lambda: evaluate_run(workspace, "run", gold))
        EVALUATORS.update({name: timed(name) for name in families})
        try:
            settings = Settings.parse(families="all")
            total, result = seconds(
                lambda: evaluate_run(workspace, "run", gold, settings, training=training, tree=tree)
            )
        finally:
            EVALUATORS.update(families)
    assert result.before.families["corpus"].estimates == alone.before.families["corpus"].estimates  # type: ignore[attr-defined]
    times = {"corpus, reading included": whole, **times, "everything, one evaluation": total}
    return times, result.before  # type: ignore[attr-defined]


def opened(evaluation: Evaluation) -> tuple[float, str, int]:
    """The slowest click: CPU seconds, what it opens, how many items."""
    worst = (0.0, "", 0)
    for name, family in evaluation.families.items():
        keys = dict.fromkeys(
            k for t in family.tables[:3] for row in list(t.opens)[:6] for k in row if k is not None
        )
        for key in list(keys)[:12]:
            took, items = seconds(lambda key=key, family=family: family.open(key))
            worst = max(worst, (took, f"{name} {key}", len(items)))  # type: ignore[arg-type]
    return worst


def scikit_learn(evaluation: Evaluation) -> tuple[float, list[float]]:
    """Micro and per-sample P / R of the same labels, point values, from sets of ids as ours are."""
    from sklearn.metrics import precision_recall_fscore_support
    from sklearn.preprocessing import MultiLabelBinarizer

    gold = [{*o.tp, *o.fn} for o in evaluation.outcomes]
    said = [{*o.tp, *o.fp} for o in evaluation.outcomes]

    def score() -> list[float]:
        binary = MultiLabelBinarizer(sparse_output=True).fit([*gold, *said])
        sides = binary.transform(gold), binary.transform(said)
        return [
            float(value)
            for average in ("micro", "samples")
            for value in precision_recall_fscore_support(*sides, average=average, zero_division=1)[:2]
        ]

    took, values = seconds(score)
    return took, values  # type: ignore[return-value]


def main() -> int:
    known = ontology()
    columns, apart = [], 0.0
    for size in SIZES:
        times, evaluation = measure(size, known)
        theirs, values = scikit_learn(evaluation)
        ours = [
            evaluation.estimate(f"{a}_{m}").value for a in ("micro", "macro") for m in ("precision", "recall")
        ]
        totals = evaluation.families["corpus"].totals
        # scikit-learn's macro gives 1 to any empty denominator, ours 0 unless both sides are empty
        apart = max(apart, *(abs(a - b) for a, b in zip(ours[:2], values[:2], strict=True)))
        slowest = opened(evaluation)
        columns.append({**times, "scikit-learn, point values": theirs, "slowest click": slowest[0]})
        print(f"{size:,} documents, {totals.gold:,} gold labels, {totals.predicted:,} proposals")
        print(f"  slowest click: {slowest[1]}, {slowest[2]:,} items, {slowest[0]:.2f} CPU-s")
        print(f"  absent: {[n for n, f in evaluation.families.items() if f.absent]}")
    print(
        f"\n{'CPU seconds':<30}"
        + "".join(f"{size:>12,}" for size in SIZES)
        + f"{'growth':>10}{'per doc':>10}"
    )
    for part in columns[-1]:
        row = [column.get(part, 0.0) for column in columns]
        growth = row[-1] / max(row[0], 1e-9)
        print(
            f"{part:<30}" + "".join(f"{value:>12.2f}" for value in row)
            + f"{growth:>10.1f}{growth * SIZES[0] / SIZES[-1]:>10.2f}"
        )  # fmt: skip
    ratio = columns[-1]["corpus, reading included"] / columns[-1]["scikit-learn, point values"]
    print(f"\ncorpus family with 1,000 resamples, reading included / scikit-learn: {ratio:.2f} x")
    print(f"largest difference of micro values from scikit-learn: {apart:.1e} (goal 1e-9)")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    return int(apart > 1e-9)


if __name__ == "__main__":
    sys.exit(main())
