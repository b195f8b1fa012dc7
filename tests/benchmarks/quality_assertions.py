"""How often the annotator gives a finding the right status, by kind of sentence.

    python tests/benchmarks/quality_assertions.py [ONTOLOGY FILE] [--errors] [--judge]

1,362 sentences written by hand (`assertions.tsv`), labelled before the rules were written that they judge.
Some were looked at while these were written ("tune"), the others were only scored ("judge"). When they were
first read, 56 of the 60 of the kind "later" were right, 49 of the 60 "fresh", 353 of the 434 "wide" and 98
of the 119 "last" (55 of 60 of its judging half), written by somebody who knew the rules. By writers who did
not, 98 of the 120 "newest", 72 of the 100 "letters" and 40 of the 60 "articles"; when those were mended, 88
of the 100 "reviews" and 45 of the 60 "notes"; after those, 92 of the 100 "mixed". A sentence is right when
every finding labelled in it is proposed with its status: one that is not proposed at all is wrong, and
counted as silent. `--errors` prints the sentences of the tuning half that are wrong, with `--judge` those of
the other half: reading these spends them.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon import Lexicon
from core.ontology.load import load

ROOT = Path(__file__).parents[2]
SENTENCES = Path(__file__).parent / "assertions.tsv"
ONTOLOGY = ROOT.parent / "shared" / "data" / "ontology" / "hp-2024-02-08-rebuilt.obo.gz"
BRANCH = "HP:0000118"
HALVES = ("tune", "judge")


class Finding(NamedTuple):
    status: str
    concepts: frozenset[str]
    """Any of them is right."""
    names: str


class Sentence(NamedTuple):
    kind: str
    half: str
    text: str
    findings: tuple[Finding, ...]


def sentences(path: Path = SENTENCES) -> list[Sentence]:
    rows = (line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return [
        Sentence(kind, half, text, tuple(map(_finding, cells.split(" | "))))
        for kind, half, text, cells in (row.split("\t") for row in rows)
    ]


def _finding(cell: str) -> Finding:
    status, concepts, names = cell.split(" ", 2)
    return Finding(status, frozenset(concepts.split("/")), names)


def wrong(sentence: Sentence, said: dict[str, str]) -> dict[Finding, str]:
    """The findings whose status is not as labelled, with what is said of them; "silent" for nothing."""
    found: dict[Finding, str] = {}
    for finding in sentence.findings:
        given = {said[concept] for concept in finding.concepts if concept in said}
        if given != {finding.status}:
            found[finding] = " and ".join(sorted(given)) or "silent"
    return found


def main(ontology: Path, show: str | None) -> int:
    lexicon = Lexicon.build(load(ontology, name="hp").concepts, root=BRANCH)
    right: Counter[tuple[str, str]] = Counter()
    silent: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for sentence in sentences():
        said = {draft.concept: str(draft.assertion) for draft in lexicon.annotate(sentence.text)}
        errors = wrong(sentence, said)
        for row in ((sentence.kind, sentence.half), ("all", sentence.half)):
            total[row] += 1
            right[row] += not errors
            silent[row] += "silent" in errors.values()
        if errors and sentence.half == show:
            print(sentence.text)
            for finding, given in errors.items():
                print(f"    {finding.names}: {finding.status}, said to be {given}")
    print(f"{'right of all (silent)':24}" + "".join(f"{half:>16}" for half in HALVES))
    for kind in dict.fromkeys(kind for kind, _ in total):
        cells = ((right[kind, h], total[kind, h], silent[kind, h]) for h in HALVES)
        print(f"{kind:24}" + "".join(f"{f'{r} of {n} ({s})':>16}" for r, n, s in cells))
    return 0


if __name__ == "__main__":
    given = [a for a in sys.argv[1:] if not a.startswith("-")]
    half = "judge" if "--judge" in sys.argv else "tune" if "--errors" in sys.argv else None
    sys.exit(main(Path(given[0]) if given else ONTOLOGY, half))
