"""Features that a head was offered and did not need: each against the head as it is, on held-out documents.

    python tests/benchmarks/quality_features.py [FOLDER OF THE CORPORA] [--splits N]

Scored as in `quality_learning.py`: five folds, N times (default 10), the head chosen inside the folds that
teach; paired percentile bootstrap over documents. Tried, and left out of `core.concepts.learned.features`:

    in the corpus      logarithm of the share of documents of the corpus in which the matched words say a
                       concept; the texts of held-out documents are counted, their labels are not
    in other texts     the same share in 500 abstracts of another kind (PubMedQA)
    like definition    cosine of the sentence and "name. definition" of the concept, bundled encoder; the best
                       of its mentions. A sentence takes about 20 ms of CPU, many times what the dictionary
                       takes for a document

Agreement of runs was not tried: these corpora have gold and no runs.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.learned import Lesson, features, judging, learned_lexicon, teach, teaching
from core.concepts.learned.checking import Table, f1, scored
from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.drafts import Heard, Said
from core.encode import Encoder
from core.records import Concept
from core.text.sentences import sentences
from tests.benchmarks.quality_learning import CHOSEN, FOLDS, lessons_of, untaught
from tests.benchmarks.quality_lexicon import CORPORA, ROOT, bounds

Feature = Callable[[Heard, Said], float]
"""Of a concept in a text."""
ROW = features.Describer._row


class Frequency:
    """In how many of some texts words say a concept."""

    def __init__(self, plain: Lexicon, texts: Iterable[str]) -> None:
        self.of: Counter[str] = Counter()
        self.texts = 0
        for heard in map(plain.hear, texts):
            self.texts += 1
            self.of.update({features.words_of(heard.found, r) for said in heard.said for r in said.readings})

    def __call__(self, heard: Heard, said: Said) -> float:
        most = max(self.of[features.words_of(heard.found, reading)] for reading in said.readings)
        return math.log((most + 0.5) / (self.texts + 1))


class LikeDefinition:
    """How near the sentences of the mentions are to the definition."""

    def __init__(self, plain: Lexicon, texts: Sequence[str]) -> None:
        self.sentences = {text: sentences(text) for text in texts}
        heard = [said.concept for text in texts for said in plain.hear(text).said]
        every = {_defined(one) for one in heard} | {
            s.quote for found in self.sentences.values() for s in found
        }
        ordered = sorted(every)
        self.vectors = dict(zip(ordered, Encoder(threads=1).encode(ordered), strict=True))

    def __call__(self, heard: Heard, said: Said) -> float:
        vector = self.vectors.get(_defined(said.concept))
        if vector is None:  # a concept that only a learned name says
            return 0.3
        places = [heard.found.starts[reading.mention.first] for reading in said.readings]
        spans = self.sentences[heard.found.text]
        near = [s.quote for s in spans if any(s.start <= place < s.end for place in places)]
        return max((float(vector @ self.vectors[quote]) for quote in near), default=0.3)


def _defined(concept: Concept) -> str:
    return f"{concept.name}. {concept.definition or ''}"


def _with(feature: Feature) -> Callable[..., list[float]]:
    def row(self: features.Describer, heard: Heard, said: Said, *rest: Any) -> list[float]:
        return [*ROW(self, heard, said, *rest), feature(heard, said)]

    return row


def held_out(plain: Lexicon, lessons: list[Lesson], splits: int, feature: Feature | None = None) -> Table:
    """Counts of names and head, one row per document, means over the splits."""
    tables = []
    with ExitStack() as stack:
        if feature is not None:
            more = (*features.FEATURES, "tried")
            for module in (features, teaching, judging):
                stack.enter_context(patch.object(module, "FEATURES", more))
            stack.enter_context(patch.object(features.Describer, "_row", _with(feature)))
        for split in range(splits):
            part = np.random.default_rng(split).permutation(len(lessons)) % FOLDS
            table = np.zeros((len(lessons), 3))
            for fold in range(FOLDS):
                inside = part == fold
                known, head = teach(plain, [one for one, out in zip(lessons, inside, strict=True) if not out])
                unseen = [one for one, out in zip(lessons, inside, strict=True) if out]
                table[inside] = scored(learned_lexicon(plain, known, head), unseen)
            tables.append(table)
    mean: Table = np.mean(tables, axis=0)
    return mean


def main(folder: Path, splits: int) -> None:
    plain, mapped = untaught(folder)
    with gzip.open(folder / "abstracts" / "pubmedqa_open.jsonl.gz", "rt", encoding="utf-8") as lines:
        sections = [json.loads(line)["abstract_sections"] for line in lines]
    elsewhere = Frequency(plain, (" ".join(part["text"] for part in several) for several in sections))
    for name in CHOSEN:
        lessons = lessons_of(folder / CORPORA[name], mapped)
        texts = [lesson.text for lesson in lessons]
        base = held_out(plain, lessons, splits)
        print(f"{name}: {len(lessons)} documents, {splits} splits, names and head {f1(base):.3f}")
        tried: dict[str, Feature] = {
            "in the corpus": Frequency(plain, texts),
            "in other texts": elsewhere,
            "like definition": LikeDefinition(plain, texts),
        }
        for what, feature in tried.items():
            table = held_out(plain, lessons, splits, feature)
            gained = (f1(table) or 0.0) - (f1(base) or 0.0)
            print(f"  {what:16} {f1(table):.3f}  {gained:+.4f} {bounds(table, base)}", flush=True)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    count = int(arguments[arguments.index("--splits") + 1]) if "--splits" in arguments else 10
    given = [a for a in arguments if not a.startswith("--") and a != str(count)]
    main(Path(given[0]) if given else ROOT.parent / "shared" / "data", count)
