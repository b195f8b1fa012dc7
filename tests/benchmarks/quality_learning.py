"""What learning brings: plain dictionary, profile, learned names, names with a head, on three small corpora.

    python tests/benchmarks/quality_learning.py [FOLDER OF THE CORPORA] [--splits N]

`--splits 0` prints the profiles alone.

Document-level micro F1 with the rebuilt HPO 2024-02-08, affirmed and uncertain concepts below HP:0000118.
Every document is scored by what the other folds teach (five folds, N times with other folds); the head, its
threshold and its calibration are chosen inside those folds alone. Differences: paired percentile bootstrap
over documents. *As kept* is what `touchstone learn` does: the head only where it brings something under a
second cross-validation inside the folds that teach.

Tuning and judging. The rules of the dictionary were written while errors on these documents were looked at,
so the plain row flatters and the gains are understated. The weight of the prior (2 documents) and the least
confidence (0.35) were looked at on these corpora and are flat around these values. Nothing is chosen on one
corpus for another.

Also printed: a reliability table of the learned confidences, and CPU seconds of learning. `bench_learning.py`
measures the speed of the annotator.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.hypernyms import left
from core.concepts.learned import Lesson, Named, learned_lexicon, teach
from core.concepts.learned.checking import Table, check, f1
from core.concepts.lexicon import Lexicon
from core.concepts.profile import Hypernyms, load_profile
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Assertion
from tests.benchmarks.quality_lexicon import BRANCH, CORPORA, ROOT, bounds

CHOSEN = ("gscplus_dev", "raghpo_csc_first20", "genereviews10")
PROFILES = ("hpa", "hpa_abstracts", "hpa_cases", "hpa_notes")
FOLDS = 5


def lessons_of(path: Path, mapped: dict[str, str]) -> list[Lesson]:
    rows = json.loads(path.read_text(encoding="utf-8"))["documents"]
    found = []
    for row in rows:
        marked = [(mapped[a["hpo_id"]], a["text_span"]) for a in row["annotations"] if a["hpo_id"] in mapped]
        named = tuple(Named(concept, quote, "gold") for concept, quote in marked if quote)
        found.append(Lesson(row["text"], frozenset(concept for concept, _ in marked), None, named))
    return found


def counted(lexicon: Lexicon, lessons: Sequence[Lesson], policy: Hypernyms = Hypernyms.KEEP) -> Table:
    rows = []
    for lesson in lessons:
        said = {
            d.concept
            for d in left(lexicon.annotate(lesson.text), policy, lexicon.lineage)
            if d.assertion in (Assertion.AFFIRMED, Assertion.UNCERTAIN)
        }
        rows.append((len(said & lesson.present), len(said - lesson.present), len(lesson.present - said)))
    return np.array(rows, dtype=float)


def cross_validated(
    plain: Lexicon, specific: Lexicon, lessons: list[Lesson], splits: int
) -> tuple[dict[str, Table], list[tuple[float, bool]]]:
    """Counts of every system, one row per document and split; and learned confidences with the truth."""
    tables: dict[str, list[Table]] = {}
    sure: list[tuple[float, bool]] = []
    for split in range(splits):
        part = np.random.default_rng(split).permutation(len(lessons)) % FOLDS
        rows = {name: np.zeros((len(lessons), 3)) for name in ("specific", "names", "head", "kept")}
        for fold in range(FOLDS):
            inside = part == fold
            others = [lesson for lesson, out in zip(lessons, inside, strict=True) if not out]
            held_out = [lesson for lesson, out in zip(lessons, inside, strict=True) if out]
            known, head = teach(plain, others)
            with_names = learned_lexicon(plain, known)
            with_head = learned_lexicon(plain, known, head)
            inner = check(plain, others)
            keeps = (f1(inner.head) or 0) > (f1(inner.names) or 0)
            rows["specific"][inside] = counted(specific, held_out)
            rows["names"][inside] = counted(with_names, held_out)
            rows["head"][inside] = counted(with_head, held_out)
            rows["kept"][inside] = rows["head"][inside] if keeps else rows["names"][inside]
            for lesson in held_out:
                for d in with_head.annotate(lesson.text):
                    if d.assertion is not Assertion.NEGATED:
                        sure.append((d.confidence or 0.0, d.concept in lesson.present))
        for name, table in rows.items():
            tables.setdefault(name, []).append(table)
    return {name: np.mean(several, axis=0) for name, several in tables.items()}, sure


def main(folder: Path, splits: int) -> None:
    ontology = load(folder / "ontology" / "hp-2024-02-08-rebuilt.obo.gz", name="hp")
    lineage = Lineage.of(ontology)
    branch = [c for c in ontology.concepts if not c.obsolete and c.curie in lineage.descendants(BRANCH)]
    mapped = {old: c.curie for c in branch for old in (c.curie, *c.alt_ids)}
    plain = Lexicon.build(ontology.concepts, root=BRANCH)
    specific = Lexicon.build(ontology.concepts, root=BRANCH, nested=False)
    for name in CHOSEN:
        lessons = lessons_of(folder / CORPORA[name], mapped)
        base = counted(plain, lessons)
        start = time.process_time()
        for profile in PROFILES:
            table = counted(plain, lessons, load_profile(profile).hypernyms)
            print(f"{name}, profile {profile:16}{f1(table):7.3f}  {bounds(table)}", flush=True)
        if not splits:
            continue
        tables, sure = cross_validated(plain, specific, lessons, splits)
        learning = (time.process_time() - start) / (splits * FOLDS)
        print(f"\n{name}: {len(lessons)} documents, {splits} splits of {FOLDS} folds")
        print(f"{'plain':34}{f1(base):7.3f}  {bounds(base)}")
        said = {
            "specific": "most specific concepts only",
            "names": "learned names",
            "head": "learned names and head",
            "kept": "as kept",
        }
        for key, words in said.items():
            value = f1(tables[key]) or 0.0
            gain = value - (f1(base) or 0.0)
            print(f"{words:34}{value:7.3f}  {gain:+.3f} {bounds(tables[key], base)}")
        print(f"CPU seconds of learning and its check, per {len(lessons) * 4 // 5} documents: {learning:.1f}")
        print("learned confidence against the share that is right:")
        for low in np.arange(0, 1, 0.2):
            right = [r for s, r in sure if low <= s < low + 0.2 + 1e-9 * (low > 0.7)]
            if right:
                print(f"  {low:.1f} to {low + 0.2:.1f}: {sum(right) / len(right):.2f} of {len(right)}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    count = int(arguments[arguments.index("--splits") + 1]) if "--splits" in arguments else 10
    given = [a for a in arguments if not a.startswith("--") and a != str(count)]
    main(Path(given[0]) if given else ROOT.parent / "shared" / "data", count)
