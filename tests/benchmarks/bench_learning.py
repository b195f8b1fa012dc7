"""How much what was learned slows the annotator, and what learning takes, in the same run.

    python tests/benchmarks/bench_learning.py [FOLDER OF THE CORPORA]

Texts: 600 trial abstracts, each read once by each system in turn, in chunks of 100; medians of CPU seconds
over the chunks. The set is learned from the 52 documents of three corpora, with a head whether it brings
something or not. Learning is timed on 200 documents: those 52 and 148 abstracts whose answers are the
dictionary's own, so that there is as much to count as in gold.

Exits with 1 if names and head slow the annotator beyond 1.5 times, names alone beyond 1.15 (the goal of the
annotator without learning), or learning takes more than 30 CPU seconds.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import deque
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.learned import Lesson, check, learned_lexicon, teach
from tests.benchmarks import bench_lexicon
from tests.benchmarks.quality_learning import CHOSEN, lessons_of, untaught
from tests.benchmarks.quality_lexicon import CORPORA, ROOT

TEXTS, CHUNK, DOCUMENTS = 600, 100, 200
GOAL_NAMES, GOAL_HEAD, GOAL_LEARN = 1.15, 1.5, 30.0


def main(folder: Path) -> int:
    plain, mapped = untaught(folder)
    lessons = [lesson for name in CHOSEN for lesson in lessons_of(folder / CORPORA[name], mapped)]
    known, head = teach(plain, lessons)
    systems = {
        "plain": plain,
        "names": learned_lexicon(plain, known),
        "names and head": learned_lexicon(plain, known, head),
    }
    bench_lexicon.TEXTS = TEXTS
    waiting = iter(bench_lexicon.trials(folder))
    spent: dict[str, list[float]] = {name: [] for name in systems}
    while texts := list(islice(waiting, CHUNK)):
        for name, lexicon in systems.items():
            start = time.process_time()
            deque(lexicon.annotate_all(texts), maxlen=0)
            spent[name].append(time.process_time() - start)
    taken = {name: statistics.median(seconds) for name, seconds in spent.items()}
    print(
        f"{TEXTS} abstracts in chunks of {CHUNK}; set: {sum(k.name is not None for k in known)} names,"
        f" {head.kind if head else 'no'} head"
    )
    for name, seconds in taken.items():
        print(f"{name:16}{CHUNK / seconds:8.0f} documents/CPU-s, {seconds / taken['plain']:.2f} of plain")

    more = [
        Lesson(text, frozenset(d.concept for d in plain.annotate(text) if (d.confidence or 0) > 0.5), None)
        for text in bench_lexicon.trials(folder)[: DOCUMENTS - len(lessons)]
    ]
    start = time.process_time()
    teach(plain, [*lessons, *more])
    check(plain, [*lessons, *more])
    learning = time.process_time() - start
    print(f"learning from {len(lessons) + len(more)} documents, with its check: {learning:.1f} CPU-s")
    missed = {
        "names": taken["names"] / taken["plain"] > GOAL_NAMES,
        "names and head": taken["names and head"] / taken["plain"] > GOAL_HEAD,
        "learning": learning > GOAL_LEARN,
    }
    for name, missing in missed.items():
        if missing:
            print(f"MISSED: {name}")
    return int(any(missed.values()))


if __name__ == "__main__":
    given = [Path(a) for a in sys.argv[1:]]
    sys.exit(main(given[0] if given else ROOT.parent / "shared" / "data"))
