"""How fast the offline pipeline labels abstracts, with vectors and without, against the dictionary alone.

    python tests/benchmarks/bench_concepts.py [FOLDER OF THE CORPORA] [--vectors FILE] [--no-vectors]

All stages of the profile `hpa` over 2,000 trial abstracts, rebuilt HPO 2024-02-08, as one stream. CPU seconds
and peak memory of this process after 500, 1,000 and 2,000 abstracts. The names of the ontology are encoded
before (FILE is a workspace whose cached vectors are used), phrases are not. Exits with 1 if the second
thousand takes more than 1.3 times the CPU of the first, or all 2,000 more than ten CPU minutes.
"""

from __future__ import annotations

import gzip
import json
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.vocabulary import family
from core.concepts.profile import load_profile
from core.concepts.tools import Matcher, Tools
from core.encode import BUNDLED, Encoder, NameIndex, threshold
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Labelling, Passage
from core.store.vectors import StoredVectors
from core.store.workspace import open_workspace
from tests.benchmarks.quality_concepts import FULL, STAGES, NoVectors
from tests.benchmarks.quality_lexicon import BRANCH, ROOT

MARKS = (500, 1000, 2000)
GOAL_GROWTH, GOAL_SECONDS = 1.3, 600.0


class Frozen:
    """A cache of vectors that is read and not written, so that phrases are encoded anew in every run."""

    def __init__(self, stored: StoredVectors) -> None:
        self._stored = stored

    def get(self, model: str, hashes: list[str]) -> dict[str, bytes]:
        return self._stored.get(model, hashes)

    def put(self, model: str, vectors: object) -> None:
        return None


def abstracts(folder: Path) -> Iterator[Passage]:
    """The first 2,000."""
    with gzip.open(folder / "abstracts" / "rct_abstracts_open.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in zip(range(MARKS[-1]), lines, strict=False):
            row = json.loads(line)
            yield Passage(number, "trials", row["doc_id"], number, row["abstract"])


def timed(label: str, stream: Iterable[object], dictionary: float | None) -> list[float]:
    """CPU seconds at every mark."""
    start, marks = time.process_time(), []
    for count, _ in enumerate(stream, 1):
        if count in MARKS:
            marks.append(time.process_time() - start)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            ratio = f"  {marks[-1] / dictionary:6.1f}" if dictionary and count == MARKS[-1] else ""
            rate = count / marks[-1]
            print(f"{label:28}{count:8}{marks[-1]:10.1f}{rate:10.1f}{peak:10.0f}{ratio}", flush=True)
    return marks


def main(folder: Path, vectors: str | None, plain: bool) -> int:
    ontology = load(folder / "ontology" / "hp-2024-02-08-rebuilt.obo.gz", name="hp")
    lineage = Lineage.of(ontology)
    below = lineage.descendants(BRANCH)
    branch = tuple(c for c in ontology.concepts if not c.obsolete and c.curie in below)
    lexicon = Lexicon.build(ontology.concepts, root=BRANCH)
    profile = load_profile("hpa")
    missed = []

    def pipeline(matcher: Matcher) -> Iterable[Labelling]:
        tools = Tools(profile, branch, lineage, matcher, lexicon, threshold(BUNDLED, hybrid=True))
        made: Iterable[Labelling] = map(Labelling, abstracts(folder))
        for stage in FULL:
            made = STAGES[stage](made, tools)
        return made

    print(f"{'':28}{'abstracts':>8}{'CPU s':>10}{'per CPU s':>10}{'peak MiB':>10}  to the dictionary")
    alone = timed("dictionary alone", (lexicon.annotate(p.text) for p in abstracts(folder)), None)[-1]
    runs = {"all stages, words only": timed("all stages, words only", pipeline(NoVectors()), alone)}
    with ExitStack() as stack:
        if not plain:
            cache = None
            if vectors:
                cache = Frozen(StoredVectors(stack.enter_context(open_workspace(Path(vectors)))))
            encoder = Encoder(threads=1, cache=cache)
            index = NameIndex.build(branch, encoder, "exact", word_class=family)
            before = encoder.embedded
            runs["all stages, with vectors"] = timed("all stages, with vectors", pipeline(index), alone)
            print(f"phrases that went through the encoder: {encoder.embedded - before:,}")
    for label, marks in runs.items():
        growth = (marks[2] - marks[1]) / marks[1]
        print(f"{label}: the second thousand takes {growth:.2f} times the first")
        if growth > GOAL_GROWTH:
            missed.append(f"{label}: growth {growth:.2f}, goal {GOAL_GROWTH}")
        if marks[2] > GOAL_SECONDS:
            missed.append(f"{label}: {marks[2]:.0f} CPU s, goal {GOAL_SECONDS:.0f}")
    for said in missed:
        print(f"MISSED: {said}")
    return 1 if missed else 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    at = arguments.index("--vectors") if "--vectors" in arguments else -1
    given = [a for i, a in enumerate(arguments) if not a.startswith("-") and (at < 0 or i != at + 1)]
    data = Path(given[0]) if given else ROOT.parent / "shared" / "data"
    sys.exit(main(data, arguments[at + 1] if at >= 0 else None, "--no-vectors" in arguments))
