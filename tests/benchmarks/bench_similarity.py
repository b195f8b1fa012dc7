"""Similarity of concept pairs and the families that use it, against loops over sets of ancestors, in one run.

    python tests/benchmarks/bench_similarity.py [ONTOLOGY]

200,000 random pairs of an ontology of 18,000 terms (of the named OBO file, or else of a random one with two
parents for every fifth term), and each family on 5,000 and 54,000 documents with 3.7 labels each, three in
five of them right, one in five a parent of what is. CPU seconds of this process. The loop computes Lin from
the ancestors of both concepts as a reader would write it down, on fewer pairs, scaled; both must agree to
1e-9, else it exits with 1.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from math import log
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.evaluate.families import EVALUATORS
from core.evaluate.families.inputs import Inputs, Known
from core.evaluate.settings import Settings
from core.metrics.documents import compare
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.ontology.similarity import Similarity

TERMS, PAIRS, LOOP = 18_000, 200_000, 2_000
FAMILIES = ("relaxed", "bounds", "thresholds", "auprc")


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def lineage_of(arguments: list[str]) -> Lineage:
    if arguments:
        return Lineage.of(load(Path(arguments[0]), name="bench"))
    r = random.Random(5)
    links = [(i, r.randrange(max(0, i // 6 - 40), i // 6 + 1)) for i in range(1, TERMS)]
    links += [(i, r.randrange(i)) for i in range(5, TERMS, 5)]
    return Lineage(
        (f"X:{i:07}" for i in range(TERMS)), ((f"X:{a:07}", f"X:{b:07}") for a, b in links if a != b)
    )


def lin_by_sets(lineage: Lineage) -> Callable[[str, str], float]:
    above = {c: lineage.ancestors(c, include_self=True) for c in lineage.curies}
    below = dict.fromkeys(lineage.curies, 0)
    for ancestors in above.values():
        for ancestor in ancestors:
            below[ancestor] += 1
    most = {c: max(below[a] for a in ancestors) for c, ancestors in above.items()}
    ic = {c: 1 - log(below[c]) / log(most[c]) if below[c] < most[c] else 0.0 for c in lineage.curies}

    def lin(a: str, b: str) -> float:
        if a == b:
            return 1.0
        both = ic[a] + ic[b]
        return 2 * max((ic[c] for c in above[a] & above[b]), default=0.0) / both if both else 0.0

    return lin


def inputs(lineage: Lineage, documents: int) -> Inputs:
    r, ids = random.Random(1), lineage.curies
    gold: dict[str, set[str]] = {f"{i:06}": set() for i in range(documents)}
    said: dict[str, dict[str, float]] = {f"{i:06}": {} for i in range(documents)}
    for _ in range(documents * 37 // 10):
        doc_id, concept = f"{r.randrange(documents):06}", r.choice(ids)
        gold[doc_id].add(concept)
        luck = r.random()
        near = r.choice(lineage.parents(concept) or (concept,))
        said[doc_id][concept if luck < 0.6 else near if luck < 0.8 else r.choice(ids)] = r.random()
    outcomes = compare(gold, {doc_id: set(concepts) for doc_id, concepts in said.items()})
    found = Inputs(
        Settings(), outcomes, {}, {}, known=Known(lineage=lambda: lineage, confidences=lambda: said)
    )
    assert len(found.gold) == len(found.predicted)  # made once, before the clock
    return found


def main() -> int:
    lineage = lineage_of(sys.argv[1:])
    r = random.Random(2)
    first, second = (r.choices(lineage.curies, k=PAIRS) for _ in range(2))
    start = time.process_time()
    by_sets = lin_by_sets(lineage)
    prepared = time.process_time() - start
    loop = seconds(lambda: [by_sets(a, b) for a, b in zip(first[:LOOP], second[:LOOP], strict=True)])
    loop *= PAIRS / LOOP
    print(f"{len(lineage):,} concepts, {PAIRS:,} pairs, CPU seconds")
    ours = 0.0
    for measure in ("lin", "jiang_conrath", "lineage"):
        kin = Similarity(lineage, measure)
        took = seconds(lambda kin=kin: kin.of_pairs(first, second))
        ours = max(ours, took)
        built = seconds(lambda measure=measure: Similarity(lineage, measure))
        print(f"  {measure:14} {took:6.3f}, once per ontology {built:.3f}")
    found = Similarity(lineage, "lin").of_pairs(first[:LOOP], second[:LOOP])
    apart = max(abs(v - by_sets(a, b)) for v, a, b in zip(found, first, second, strict=False))
    ids, places = lineage.curies, {c: i for i, c in enumerate(lineage.curies)}
    a, b = (np.array([places[c] for c in side]) for side in (first, second))
    kin = Similarity(lineage, "lin")
    by_place = seconds(lambda: kin.between(ids, a, b))
    print(f"  lin, by place  {by_place:6.3f}")
    print(f"  loop over sets {loop:6.3f}, once per ontology {prepared:.3f}; largest difference {apart:.1e}")
    print(f"  ratio {loop / ours:.1f} by id, {loop / by_place:.1f} by place (as the families ask)")
    for family in FAMILIES:
        small, large = (seconds(partial(EVALUATORS[family], inputs(lineage, n))) for n in (5_000, 54_000))
        print(f"  {family:14} {small:6.3f} at 5,000 documents, {large:6.3f} at 54,000: {large / small:.1f} x")
    return int(apart > 1e-9)


if __name__ == "__main__":
    sys.exit(main())
