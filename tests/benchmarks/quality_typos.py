"""How many names the annotator still finds with one word misspelt, and what else it takes for a misspelling.

    python tests/benchmarks/quality_typos.py [FOLDER OF THE DATA] [--seed 11]

*Names*: HPO 2024-02-08 below HP:0000118, and the processes of GO 2011-05-03. In each concept's own name that
has a word of eight letters or more, one of these words gets one slip, drawn at random: a letter is left out,
doubled, exchanged by another one, or changes places with its neighbour; never the first one. Printed by kind
of slip: the share of names that still say their concept, the share that say other concepts only, and the
share that does where slips are not read (`core.concepts.lexicon.typos`). Drawn slips are no typing errors of
people, which keep to neighbouring keys and common confusions.

*Texts*: every match of HPO by a misspelling in abstracts of trials and of PubMedQA and in the open GSC+ and
case reports, to be read. The abstracts of PubMedQA were not looked at when the rules were written.

Exits with 1 if less than half of the names of HPO are found.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.typos import LEAST, Typos
from core.ontology.load import load
from core.records import Concept

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
ONTOLOGIES = {
    "hp": ("hp-2024-02-08-rebuilt.obo.gz", "HP:0000118"),
    "go": ("go-2011-05-03.obo.gz", "GO:0008150"),
}
TEXTS = ("abstracts/rct_abstracts_open.jsonl.gz", "abstracts/pubmedqa_open.jsonl.gz")
DOCUMENTS = ("gsc_plus/gscplus_dev.json", "raghpo/raghpo_csc_first20.json")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
GOAL = 0.5
OFF = patch.object(Typos, "_right", lambda self, word: word)


def slipped(word: str, rng: random.Random) -> tuple[str, str]:
    """(kind of slip, the word with it)."""
    at = rng.randrange(1, len(word) - 1)
    kind = rng.choice(("left out", "doubled", "exchanged", "turned"))
    if kind == "turned" and word[at] != word[at + 1]:
        return kind, word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == "exchanged":
        return kind, word[:at] + rng.choice(LETTERS.replace(word[at], "")) + word[at + 1 :]
    if kind == "doubled":
        return kind, word[:at] + word[at] + word[at:]
    return "left out", word[:at] + word[at + 1 :]


def misspelt(concepts: Sequence[Concept], rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """(concept, kind of slip, its name with a slip)."""
    for concept in concepts:
        if long := list(re.finditer(rf"\b[a-z]{{{LEAST},}}\b", concept.name.lower())):
            word = rng.choice(long)
            kind, wrong = slipped(word.group(), rng)
            yield concept.curie, kind, concept.name[: word.start()] + wrong + concept.name[word.end() :]


def told(lexicon: Lexicon, given: Sequence[tuple[str, str, str]]) -> Counter[tuple[str, str]]:
    """(kind of slip, right, wrong or nothing) -> names."""
    found: Counter[tuple[str, str]] = Counter()
    for concept, kind, text in given:
        said = {draft.concept for draft in lexicon.annotate(text)}
        found[kind, "right" if concept in said else "wrong" if said else "nothing"] += 1
    return found


def texts(folder: Path) -> Iterator[str]:
    for file in TEXTS:
        with gzip.open(folder / file, "rt", encoding="utf-8") as lines:
            yield from lines
    for file in DOCUMENTS:
        for row in json.loads((folder / file).read_text(encoding="utf-8"))["documents"]:
            yield row["text"]


def main(folder: Path, seed: int) -> int:
    shares = {}
    for name, (file, root) in ONTOLOGIES.items():
        lexicon = Lexicon.build(load(folder / "ontology" / file, name=name).concepts, root=root)
        given = list(misspelt(lexicon.index.concepts, random.Random(seed)))
        found = told(lexicon, given)
        with OFF:
            plain = Lexicon.build(lexicon.index.concepts)
            before = told(plain, given)
        print(f"{name}: {len(given):,} names{'found':>24}{'others only':>14}{'found without':>16}")
        kinds = sorted({kind for _, kind, _ in given})
        for row in (*kinds, "all"):
            of = [kind for kind in kinds if row in (kind, "all")]
            size = sum(one in of for _, one, _ in given)
            share, wrong, without = (
                sum(counted[kind, said] for kind in of) / size
                for counted, said in ((found, "right"), (found, "wrong"), (before, "right"))
            )
            shares[name, row] = share
            print(f"  {row:10}{size:8,}{share:22.3f}{wrong:14.3f}{without:16.3f}")
        if name == "hp":
            seen = Counter(
                (draft.evidence[0].quote, draft.label)
                for text in texts(folder)
                for draft in lexicon.annotate(text)
                if "misspelling" in (draft.reason or "")
            )
            print(f"{seen.total()} matches in texts:")
            print(*(f"  {count} {quote!r}: {label}" for (quote, label), count in seen.items()), sep="\n")
    return 0 if shares["hp", "all"] >= GOAL else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    sys.exit(main(given.folder, given.seed))
