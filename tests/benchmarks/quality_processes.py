"""What the patterns of process names bring: synonyms of the Gene Ontology, held out, and names of others.

    python tests/benchmarks/quality_processes.py [FOLDER OF THE DATA]

GO 2011-05-03, biological processes. The annotator is built from names alone, without and with patterns
(`core.concepts.lexicon.processes`), and is asked for every EXACT synonym: *recall* is the share for which it
says the concept, *wrong* the share for which it says only others. By family: names made, how many of them are
an EXACT synonym, a synonym of another scope, or a name or EXACT synonym of another concept only (*collide*:
the annotator does not use these, and they show how far a rule can be trusted).

In sample: rows were kept and left out by these figures and by reading matches in abstracts of trials. No gold
for processes in texts is at hand, so nothing here tells F1. Most names that are held out here are in the
ontology, so that the gain in texts is smaller than the gain in recall.

Also printed: names, CPU seconds and traced memory of an index with all synonyms, with and without patterns.
Exits with 1 if more than 1 in 100 names collides, or memory more than doubles.
"""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon import Lexicon, index
from core.concepts.lexicon.processes import in_other_words
from core.concepts.lexicon.vocabulary import tokens
from core.ontology.load import load
from core.records import Concept
from core.text.spans import words

ROOT = "GO:0008150"
SHARED = Path(__file__).parents[2].parent / "shared" / "data"
OFF = patch.object(index, "PREFIX", "without patterns:")


def held_out(lexicon: Lexicon, concepts: Iterable[Concept]) -> Counter[str]:
    """Of the EXACT synonyms: how many say their concept, only others, or nothing."""
    found: Counter[str] = Counter()
    for concept in concepts:
        for text in {s.text for s in concept.synonyms if s.scope == "EXACT"}:
            said = lexicon.says(text)
            found["right" if concept.curie in said else "wrong" if said else "nothing"] += 1
    return found


def families(lexicon: Lexicon, concepts: Iterable[Concept]) -> dict[str, Counter[str]]:
    """Family -> what its names are; the same words twice count once."""

    def key(written: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(lexicon.index.vocabulary.bag(written)))

    owners: dict[str, defaultdict[tuple[str, ...], set[str]]] = {
        kind: defaultdict(set) for kind in ("exact", "other scope")
    }
    named = defaultdict(set)
    for concept in concepts:
        named[key(tokens(words(concept.name)))].add(concept.curie)
        for synonym in concept.synonyms:
            kind = "exact" if synonym.scope == "EXACT" else "other scope"
            owners[kind][key(tokens(words(synonym.text)))].add(concept.curie)
    made = defaultdict(set)
    for concept in concepts:
        for said in in_other_words(tokens(words(concept.name))):
            made[said.family].add((concept.curie, key(said.words)))
    table: dict[str, Counter[str]] = {}
    for family, pairs in made.items():
        counts = table[family] = Counter()
        for curie, bag in pairs:
            if not bag or curie in named[bag]:
                continue
            counts["made"] += 1
            if curie in owners["exact"][bag]:
                counts["exact"] += 1
            elif curie in owners["other scope"][bag]:
                counts["other scope"] += 1
            elif named[bag] or owners["exact"][bag]:
                counts["collide"] += 1
    return table


def cost(concepts: list[Concept]) -> tuple[int, float, float]:
    """Names, CPU seconds and megabytes of an index."""
    start = time.process_time()
    Lexicon.build(concepts, root=ROOT)
    seconds = time.process_time() - start
    gc.collect()
    tracemalloc.start()
    lexicon = Lexicon.build(concepts, root=ROOT)
    gc.collect()
    size = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return sum(map(len, lexicon.index.names.values())), seconds, size


def main(folder: Path) -> int:
    everything = list(load(folder / "ontology" / "go-2011-05-03.obo.gz", name="go").concepts)
    bare = [replace(concept, synonyms=()) for concept in everything]
    full = Lexicon.build(everything, root=ROOT)
    concepts = full.index.concepts
    with OFF:
        without = held_out(Lexicon.build(bare, root=ROOT), concepts)
    total = without.total()
    print(f"{len(concepts)} processes, {total} EXACT synonyms, held out:")
    for name, found in (
        ("names", without),
        ("with patterns", held_out(Lexicon.build(bare, root=ROOT), concepts)),
    ):
        right, wrong = found["right"], found["wrong"]
        print(f"  {name:14} recall {right / total:.3f} ({right})  wrong {wrong / total:.3f} ({wrong})")
    kinds = ("made", "exact", "other scope", "collide")
    print(f"\n{'family':28}" + "".join(f"{kind:>12}" for kind in kinds))
    table = families(full, concepts)
    table["all"] = sum(table.values(), Counter())
    for family, counts in sorted(table.items(), key=lambda row: row[1]["made"]):
        print(f"{family:28}" + "".join(f"{counts[kind]:12}" for kind in kinds))
    with OFF:
        before = cost(everything)
    after = cost(everything)
    print("\nindex with all synonyms, without and with patterns:")
    for what, one, other in zip(("names", "CPU seconds", "MB"), before, after, strict=True):
        print(f"  {what:12} {one:10.1f} {other:10.1f}   {other / one:.2f}x")
    collide = table["all"]["collide"] / table["all"]["made"]
    return int(collide > 0.01 or after[2] > 2 * before[2])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED))
