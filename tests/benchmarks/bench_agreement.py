"""Agreement of two curators who closed every passage, on 5,000 and on 54,000 passages, in one run.

    python tests/benchmarks/bench_agreement.py [passages ...]

A run proposes 3.7 concepts a passage; each curator accepts, rejects, negates or turns into the parent, leaves
one in fifty unsure, adds one in twenty, and closes the passage. CPU seconds of this process and its threads
for `agreement_of` with 1,000 resamples, with and without an ontology of 18,000 concepts, and for the parts:
reading what the curators decided, then agreement of these ratings. The baselines, in the same run and from
the same ratings as plain labels: krippendorff.alpha and scikit-learn's cohen_kappa_score, point values only,
no interval and nothing to open. Exits with 1 if alpha or kappa differs from theirs.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.evaluate import CuratorAgreement, Settings, agreement_of
from core.evaluate.curator_answers import concept_ratings
from core.records import (
    Action,
    Answer,
    Assertion,
    ConceptClass,
    Document,
    Draft,
    Ontology,
)
from core.store import Workspace, corpora, decisions, ontologies, open_workspace, proposals, runs
from tests.benchmarks.bench_evaluate import CONCEPTS, LABELS_EACH, SIZES, concept_of, ontology

NEAR = 1e-9
chance = random.Random(5)
Decided = tuple[Action, int, str | None, Answer | None]
"""What is done, in which passage, to which concept (None: to the passage), and the answer given."""


def fill(workspace: Workspace, size: int, known: Ontology) -> None:
    parent = {c.curie: c.parents for c in known.concepts}
    stored = ontologies.add_ontology(workspace, known)
    said: list[set[str]] = [set() for _ in range(size)]
    for _ in range(round(size * LABELS_EACH)):
        number = min(int(chance.expovariate(4 / CONCEPTS)), CONCEPTS - 1)
        said[chance.randrange(size)].add(concept_of(number))
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "bench")
        documents = (Document(f"d{n:06}", f"passage {n}") for n in range(size))
        passages = [passage for passage, _ in corpora.insert_passages(db, corpus, documents)]
        runs.begin_run(
            db, "run", kind="concepts", source="bench", corpus_id=corpus, ontology_id=stored,
            settings={}, fingerprint="f",
        )  # fmt: skip
        drafts = (
            (
                passage,
                [
                    Draft(c, c, Assertion.AFFIRMED, ConceptClass.EXPLICIT, 0.9, "", (), "generate")
                    for c in sorted(held)
                ],
            )
            for passage, held in zip(passages, said, strict=True)
        )
        proposals.add(db, "run", drafts)
        runs.finish_run(db, "run")
    for curator in ("alpha", "beta"):
        decisions.add_curator(workspace, curator, curator.title())
        _store(workspace, curator, _decided(passages, said, parent))


def _store(workspace: Workspace, curator: str, decided: Iterator[Decided]) -> None:
    """Rows as `core.store.decisions.append` writes them, but for the links of the chain, which take longest
    and which nothing here reads."""
    with workspace.write() as db:
        items = {(row[0], row[1]): row[2] for row in db.execute("SELECT passage_id, subject, id FROM items")}
        last = db.execute("SELECT ifnull(max(number), 0) FROM decisions").fetchone()[0]
        rows = []
        for number, (action, passage, concept, answer) in enumerate(decided, last + 1):
            item = items.get((passage, concept))
            if item is None:
                kind = "passage" if concept is None else "concept"
                item = items[passage, concept] = db.execute(
                    "INSERT INTO items (kind, passage_id, subject) VALUES (?, ?, ?)", (kind, passage, concept)
                ).lastrowid
            payload = json.dumps({"answer": answer.to_json()} if answer else {})
            rows.append((number, f"{curator}-{number}", item, curator, f"item:{item}", action.value, payload))
        db.executemany(
            "INSERT INTO decisions (number, client_id, item_id, curator_id, base, action, payload, blind,"
            f" decided_at, link) VALUES (?, ?, ?, ?, ?, ?, ?, 1, '2026-01-01T00:00:00Z', '{'0' * 64}')",
            rows,
        )


def _decided(
    passages: list[int], said: list[set[str]], parent: dict[str, tuple[str, ...]]
) -> Iterator[Decided]:
    def made(action: Action, passage: int, concept: str | None, answer: Answer | None = None) -> Decided:
        return action, passage, concept, answer

    def positive(concept: str, status: Assertion = Assertion.AFFIRMED) -> Answer:
        return Answer(concept, concept, status, ConceptClass.EXPLICIT)

    for passage, held in zip(passages, said, strict=True):
        for concept in sorted(held):
            luck = chance.random()
            if luck < 0.75:
                yield made(Action.ACCEPT, passage, concept, positive(concept))
            elif luck < 0.82:
                yield made(Action.FIX, passage, concept, positive(concept, Assertion.NEGATED))
            elif luck < 0.90 and parent[concept]:
                yield made(Action.FIX, passage, concept, positive(parent[concept][0]))
            elif luck < 0.98:
                yield made(Action.REJECT, passage, concept)
            else:
                yield made(Action.UNSURE, passage, concept)
        if chance.random() < 0.05:
            other = concept_of(chance.randrange(CONCEPTS))
            if other not in held:
                yield made(Action.ADD, passage, other, positive(other))
        yield made(Action.CLOSE, passage, None)


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def baselines(found: CuratorAgreement) -> tuple[float, float, float, float]:
    """(seconds and alpha of krippendorff, seconds and kappa of scikit-learn) on the items of the two."""
    import krippendorff
    from sklearn.metrics import cohen_kappa_score

    ratings = found.ratings
    items = ratings.universe(ratings.curators, "named")
    sides = list(zip(*(labels for _, _, labels in items), strict=True))
    places = {label: n for n, label in enumerate(sorted({x for side in sides for x in side if x}))}
    coded = [[float("nan") if x is None else float(places[x]) for x in side] for side in sides]
    slow, alpha = seconds(lambda: krippendorff.alpha(reliability_data=coded, level_of_measurement="nominal"))
    rated = [pair for pair in zip(*sides, strict=True) if None not in pair]
    quick, kappa = seconds(lambda: cohen_kappa_score(*zip(*rated, strict=True)))
    return slow, float(alpha), quick, float(kappa)  # type: ignore[arg-type]


def measure(size: int, known: Ontology) -> tuple[dict[str, float], float]:
    """(CPU seconds by part, the largest difference from the baselines)."""
    with tempfile.TemporaryDirectory() as folder, open_workspace(Path(folder) / "bench.db") as workspace:
        fill(workspace, size, known)
        reading, _ = seconds(lambda: concept_ratings(workspace, "bench"))
        plain, found = seconds(lambda: agreement_of(workspace, "bench"))
        near, with_relatives = seconds(lambda: agreement_of(workspace, "bench", ontology="hp"))
        bare, _ = seconds(lambda: agreement_of(workspace, "bench", settings=Settings(bootstrap=0)))
    assert isinstance(found, CuratorAgreement)
    assert isinstance(with_relatives, CuratorAgreement)
    slow, alpha, quick, kappa = baselines(found)
    estimates = found.result.estimates
    differences = (abs(estimates["alpha"].value - alpha), abs(estimates["kappa:Alpha, Beta"].value - kappa))  # type: ignore[operator]
    hierarchy = with_relatives.result.estimates["hierarchy_alpha"]
    print(f"{size:,} passages: alpha {estimates['alpha'].value:.4f}, hierarchy-aware {hierarchy.value:.4f}")
    print(f"  with interval [{hierarchy.low}, {hierarchy.high}]; {len(found.result.open('rated')):,} items")
    return {
        "reading alone": reading,
        "agreement, reading included": plain,
        "the same without resamples": bare,
        "with an ontology": near,
        "krippendorff.alpha, point value": slow,
        "cohen_kappa_score, point value": quick,
    }, max(differences)


def main() -> int:
    known = ontology()
    measured = [measure(size, known) for size in SIZES]
    columns = [times for times, _ in measured]
    print(f"\n{'CPU seconds':<36}" + "".join(f"{size:>12,}" for size in SIZES) + f"{'growth':>10}")
    for part in columns[0]:
        row = [column[part] for column in columns]
        print(
            f"{part:<36}" + "".join(f"{value:>12.2f}" for value in row)
            + f"{row[-1] / max(row[0], 1e-9):>10.1f}"
        )  # fmt: skip
    last = columns[-1]
    both = last["krippendorff.alpha, point value"] + last["cohen_kappa_score, point value"]
    print(
        f"\nagreement, reading included / both baselines: {last['agreement, reading included'] / both:.2f} x"
    )
    apart = max(difference for _, difference in measured)
    print(f"largest difference from krippendorff and scikit-learn: {apart:.1e} (goal {NEAR:.0e})")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    return int(apart > NEAR)


if __name__ == "__main__":
    sys.exit(main())
