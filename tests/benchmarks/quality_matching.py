"""How often the matching step finds the concept of a mention: recall among its first 1, 10 and 20 candidates.

    python tests/benchmarks/quality_matching.py [FOLDER OF THE CORPORA] [--cache WORKSPACE]

The annotated mentions of four small corpora are looked up among the names and synonyms below HP:0000118 of
HPO 2024-02-08 (rebuilt): by all-MiniLM-L6-v2 alone (the baseline, as in HI-ALD) and by the hybrid index, with
the stems of words and with the word classes of the dictionary matcher. *Not exact*: mentions that are no name
of any concept. Intervals: percentile bootstrap over documents (2,000 resamples). Mentions of more than 12
words are left out: in raghpo, spans were found by searching the texts for words, and some run over whole
paragraphs; the count is printed.

Then the threshold: F1 of "the first candidate, if s is at least t" over the mentions, and the same with as
many word groups of the same texts that overlap no annotation, which should match nothing. What is best on
GSC+ alone, what is best on average, and the paper's 0.6 are printed side by side. The weight of shared words
in the hybrid index and the thresholds were chosen on these very files: in sample.

Names that nothing was chosen on: the HI-ALD target list (`hi_ald/hpa_labels.tsv.gz`) holds one name per
concept of a later release; those that are no name of any concept here are looked up, too. Last, recall by the
weight of shared words, for how much hangs on it.

Exits with 1 if hybrid recall at 10 over all GSC+ mentions is below 0.92.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon.vocabulary import family
from core.encode import Encoder, NameIndex, names
from core.metrics.bootstrap import draws, interval, resample
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Concept
from core.store import open_workspace
from core.store.vectors import StoredVectors
from core.text.normalise import stem

ROOT = Path(__file__).parents[2]
BRANCH = "HP:0000118"
CORPORA = {
    "gscplus_dev": "gsc_plus/gscplus_dev.json",
    "genereviews10": "phenobert/genereviews10.json",
    "raghpo_csc_first20": "raghpo/raghpo_csc_first20.json",
    "raghpo_gsc_open": "raghpo/raghpo_gsc_open.json",
}
CALIBRATED_ON = ("gscplus_dev", "genereviews10", "raghpo_csc_first20")
"""Not raghpo_gsc_open: its documents are among those of gscplus_dev."""
LEVELS = (1, 10, 20)
LONGEST = 12
GOAL = 0.92
PAPER = 0.6
RESAMPLES = 2000
SHARES = (0.0, 0.3, 0.5, 0.8, 1.0)
STEPS = np.round(np.arange(0.40, 0.96, 0.01), 2)


@dataclass(frozen=True)
class Mention:
    text: str
    concept: str
    document: int


@dataclass
class Corpus:
    mentions: list[Mention]
    others: list[str]
    """Word groups that overlap no annotation, as many as mentions."""
    left_out: int
    """Mentions without a span, over `LONGEST` words, or of a concept outside the branch."""


def corpus(path: Path, mapped: dict[str, str]) -> Corpus:
    rng = np.random.default_rng(13)
    mentions: list[Mention] = []
    others: list[str] = []
    left_out = 0
    for number, row in enumerate(json.loads(path.read_text(encoding="utf-8"))["documents"]):
        spans = [a for a in row["annotations"] if a["text_span"]]
        fit = [a for a in spans if a["hpo_id"] in mapped and len(a["text_span"].split()) <= LONGEST]
        mentions += [Mention(a["text_span"], mapped[a["hpo_id"]], number) for a in fit]
        left_out += len(row["annotations"]) - len(fit)
        taken = [(a["start_offset"], a["end_offset"]) for a in spans]
        others += groups(row["text"], taken, len(fit), rng)
    return Corpus(mentions, others, left_out)


def groups(text: str, taken: list[tuple[int, int]], wanted: int, rng: np.random.Generator) -> list[str]:
    """Up to `wanted` groups of one to three neighbouring words of one sentence outside the taken spans."""
    words = [m.span() for m in re.finditer(r"[^\W_]+(?:[-'][^\W_]+)*", text)]
    found: list[str] = []
    for _ in range(50 * wanted):
        length = int(rng.integers(1, 4))
        first = int(rng.integers(0, max(1, len(words) - length)))
        start, end = words[first][0], words[min(first + length, len(words)) - 1][1]
        if "." not in text[start:end] and not any(start < e and s < end for s, e in taken):
            found.append(text[start:end])
        if len(found) == wanted:
            break
    return found


def ranks(index: NameIndex, mentions: list[Mention]) -> np.ndarray:
    """Position of each mention's concept among its candidates; 99 where it is none of them."""
    found = index.nearest([mention.text for mention in mentions], max(LEVELS))
    places = [
        next((place for place, match in enumerate(row) if match.concept == mention.concept), 99)
        for row, mention in zip(found, mentions, strict=True)
    ]
    return np.array(places)


def bounds(hits: np.ndarray, documents: np.ndarray) -> str:
    """The 95 % interval of a recall, documents resampled."""
    rows = [(hits[documents == d].sum(), (documents == d).sum()) for d in np.unique(documents)]
    table = np.array(rows, dtype=float)
    values = resample(
        table,
        lambda sums: (sums[:, 0] / np.maximum(sums[:, 1], 1))[:, None],
        list(draws(len(table), RESAMPLES)),
    )[:, 0]
    low, high, _ = interval(values)
    return f"[{low:.3f}, {high:.3f}]"


def recalls(index: NameIndex, rows: Corpus, exact: set[str], label: str) -> float:
    places = ranks(index, rows.mentions)
    first = {(m.text, m.concept): i for i, m in reversed(list(enumerate(rows.mentions)))}
    distinct = np.array(sorted(first.values()))
    inexact = np.array([m.text.lower() not in exact for m in rows.mentions])
    parts = (("all", places), ("distinct", places[distinct]), ("not exact", places[inexact]))
    cells = [
        f"{name} {len(part)}: " + " / ".join(f"{(part < level).mean():.3f}" for level in LEVELS)
        for name, part in parts
    ]
    documents = np.array([m.document for m in rows.mentions])
    print(f"  {label:26}" + "   ".join(cells) + f"   @10 {bounds(places < 10, documents)}")
    return float((places < 10).mean())


def curve(index: NameIndex, rows: Corpus, *, others: bool) -> np.ndarray:
    """F1 at every step of the threshold."""
    found = [row[0] for row in index.nearest([m.text for m in rows.mentions])]
    right = np.array([match.concept == m.concept for match, m in zip(found, rows.mentions, strict=True)])
    scores = np.array([match.score for match in found])
    noise = np.array([row[0].score for row in index.nearest(rows.others) if row] if others else [])
    values = []
    for step in STEPS:
        kept = (scores >= step).sum() + (noise >= step).sum()
        values.append(2 * (right & (scores >= step)).sum() / (kept + len(rows.mentions)))
    return np.array(values)


def calibration(index: NameIndex, corpora: dict[str, Corpus], label: str) -> None:
    print(f"\n{label}: threshold that maximises F1, and F1 there and at the paper's {PAPER}")
    for others in (False, True):
        curves = {name: curve(index, corpora[name], others=others) for name in CALIBRATED_ON}
        curves["mean of the three"] = np.mean(list(curves.values()), axis=0)
        print(f"  {'mentions and other word groups' if others else 'mentions alone'}")
        for name, values in curves.items():
            near = STEPS[values >= values.max() - 0.005]
            print(
                f"    {name:22} s >= {STEPS[values.argmax()]:.2f}: {values.max():.3f}"
                f"   (within 0.005 from {near.min():.2f} to {near.max():.2f})"
                f"   at {PAPER}: {values[STEPS == PAPER][0]:.3f}"
                f"   at the one in force, {index.threshold}: {values[index.threshold == STEPS][0]:.3f}"
            )


def unseen(folder: Path, mapped: dict[str, str], exact: set[str]) -> list[Mention]:
    """Names of a later release that are no name here, with the concepts they belong to."""
    with gzip.open(folder / "hi_ald" / "hpa_labels.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][1:]
    found = [(name, iri.rsplit("/", 1)[-1].replace("_", ":")) for name, iri in rows]
    return [
        Mention(name, mapped[curie], row)
        for row, (name, curie) in enumerate(found)
        if curie in mapped and name.lower() not in exact
    ]


def by_weight(index: NameIndex, sets: dict[str, list[Mention]]) -> None:
    print(
        f"\nhybrid, word classes: recall at 1 / 10 by weight of shared words (in force: {names.WORD_SHARE})"
    )
    for share in SHARES:
        with patch.object(names, "WORD_SHARE", share):
            cells = []
            for name, mentions in sets.items():
                places = ranks(index, mentions)
                cells.append(f"{name} {(places < 1).mean():.3f} / {(places < 10).mean():.3f}")
        print(f"  {share:.1f}   " + "   ".join(cells))


def branch(folder: Path) -> tuple[list[Concept], dict[str, str]]:
    """Live concepts of the branch, and every id that leads to one."""
    ontology = load(folder / "ontology" / "hp-2024-02-08-rebuilt.obo.gz", name="hp")
    below = Lineage.of(ontology).descendants(BRANCH)
    live = [c for c in ontology.concepts if c.curie in below and not c.obsolete]
    return live, {old: c.curie for c in live for old in (c.curie, *c.alt_ids)}


def main(folder: Path, cache: Path) -> int:
    concepts, mapped = branch(folder)
    exact = {name.lower() for c in concepts for name in (c.name, *(s.text for s in c.synonyms))}
    corpora = {name: corpus(folder / file, mapped) for name, file in CORPORA.items()}
    with open_workspace(cache) as workspace:
        encoder = Encoder(threads=1, cache=StoredVectors(workspace))
        indices = {
            "MiniLM alone": NameIndex.build(concepts, encoder),
            "hybrid, stems": NameIndex.build(concepts, encoder, word_class=stem),
            "hybrid, word classes": NameIndex.build(concepts, encoder, word_class=family),
        }
        print(f"{len(concepts)} concepts, {len(indices['MiniLM alone'])} names; recall at 1 / 10 / 20")
        reached: dict[tuple[str, str], float] = {}
        for name, rows in corpora.items():
            print(f"\n{name}: {len(rows.mentions)} mentions ({rows.left_out} annotations left out)")
            for label, index in indices.items():
                reached[name, label] = recalls(index, rows, exact, label)
        fresh = Corpus(unseen(folder, mapped, exact), [], 0)
        print(f"\nnames of a later release: {len(fresh.mentions)}")
        for label, index in indices.items():
            recalls(index, fresh, exact, label)
        sets = {name: rows.mentions for name, rows in corpora.items()} | {"later names": fresh.mentions}
        by_weight(indices["hybrid, word classes"], sets)
        for label in ("MiniLM alone", "hybrid, word classes"):
            calibration(indices[label], corpora, label)
    best = reached["gscplus_dev", "hybrid, word classes"]
    if best < GOAL:
        print(f"MISSED: recall at 10 over all GSC+ mentions is {best:.3f}, below {GOAL}")
    return 0 if best >= GOAL else 1


if __name__ == "__main__":
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(scratch) / "vectors.db"
        if "--cache" in given:
            place = given.index("--cache")
            kept = Path(given[place + 1])
            del given[place : place + 2]
        sys.exit(main(Path(given[0]) if given else ROOT.parent / "shared" / "data", kept))
