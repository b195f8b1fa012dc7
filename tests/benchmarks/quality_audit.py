"""What 50 false positives of the offline annotator are, on the open documents of GSC+.

    python tests/benchmarks/quality_audit.py [FOLDER OF THE CORPORA]

The answers below were given by hand, in one reading, through the page *False positives*; nobody else audited
them and no clinician checked them. The annotator runs without a root, as by default; HPO 2024-02-08, seed 7.
The set is drawn anew and must be the very same one. Prints the shares of both wholes with their intervals,
the same of phenotypic abnormalities alone, since the gold annotates nothing else, and how often the answer
was what the machine had proposed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from typer.testing import CliRunner

from core.cli import cli
from core.evaluate.error_taxonomy import NAMES
from core.kinds.error import subject_of
from core.metrics.error_shares import UNSURE, ErrorShares, error_shares
from core.records import Action, ErrorAnswer, ErrorType, NewDecision
from core.review.audit import audited
from core.review.terms import ontology_of, terms_of
from core.store import decisions, frames, open_workspace
from tests.benchmarks.quality_lexicon import ROOT

BRANCH = "HP:0000118"
ANSWERS = (
    ("7905534", "HP:0032320", "missing_gold"),
    ("7802001", "HP:0003745", "missing_gold"),
    ("14699618", "HP:0012840", "E-4"),
    ("12900905", "HP:0025085", "E-1"),
    ("11425952", "HP:0025461", "missing_gold"),
    ("18177466", "HP:0012368", "missing_gold"),
    ("18177466", "HP:0003680", "missing_gold"),
    ("7485365", "HP:0000523", "E-1"),
    ("11312426", "HP:0000006", "missing_gold"),
    ("18177466", "HP:0025352", "E-3"),
    ("11425952", "HP:0040078", "E-1"),
    ("7485365", "HP:0003674", "E-1"),
    ("7905534", "HP:0031411", "missing_gold"),
    ("14699618", "HP:0012832", "missing_gold"),
    ("12900905", "HP:0040284", "E-2"),
    ("12900905", "HP:0003764", "E-1"),
    ("9236523", "HP:0012032", "missing_gold"),
    ("3943073", "HP:0003745", "missing_gold"),
    ("6829601", "HP:0003745", "missing_gold"),
    ("7417945", "HP:0032445", "missing_gold"),
    ("11338037", "HP:0000303", "E-4"),
    ("3799714", "HP:0003828", "missing_gold"),
    ("8808282", "HP:0012838", "E-4"),
    ("11312426", "HP:0025512", "missing_gold"),
    ("7485365", "HP:0003745", "missing_gold"),
    ("7905534", "HP:0025352", "missing_gold"),
    ("7802001", "HP:0000005", "E-4"),
    ("11312426", "HP:0032320", "missing_gold"),
    ("14699618", "HP:0004601", "missing_gold"),
    ("14699618", "HP:0200006", "E-1"),
    ("18177466", "HP:0000006", "missing_gold"),
    ("2729353", "HP:0012825", "missing_gold"),
    ("9236523", "HP:0020073", "E-1"),
    ("8352281", "HP:0003745", "missing_gold"),
    ("9236523", "HP:6000022", "missing_gold"),
    ("18177466", "HP:0032322", "missing_gold"),
    ("7905534", "HP:0032382", "missing_gold"),
    ("11338037", "HP:0032320", "missing_gold"),
    ("9236523", "HP:0012733", "E-1"),
    ("7905534", "HP:0000005", "E-1"),
    ("12900905", "HP:0012828", "missing_gold"),
    ("8145850", "HP:0025287", "E-4"),
    ("7905534", "HP:0000006", "missing_gold"),
    ("2729353", "HP:0012828", "missing_gold"),
    ("7905534", "HP:0003745", "missing_gold"),
    ("8808282", "HP:0000006", "missing_gold"),
    ("12900905", "HP:0002242", "E-1"),
    ("11312426", "HP:0000005", "E-1"),
    ("11338037", "HP:0012832", "missing_gold"),
    ("9236523", "HP:0200034", "unsure"),
)
"""Document, concept, what it is; in the order of the draw."""


def verb(path: Path, *words: str) -> None:
    done = CliRunner().invoke(cli, ["--workspace", str(path), *words], catch_exceptions=False)
    if done.exit_code:
        raise SystemExit(done.output)


def tell(name: str, found: ErrorShares) -> None:
    print(f"{name}: {found.classified} classified, {found.true_errors} true errors, {found.unsure} unsure")
    for kind, n in found.counts.items():
        shares = [found.of_apparent[kind], found.of_true.get(kind)]
        words = [
            f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]" if one and one.value is not None else "–"
            for one in shares
        ]
        print(f"  {NAMES[kind]:<32}{n:>4}   of apparent {words[0]:<24} of true {words[1]}")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "audit.db"
        verb(path, "corpus", "add", str(folder / "gsc_plus/gscplus_dev.json"), "--name", "gsc")
        hpo = str(folder / "ontology/hp-2024-02-08-rebuilt.obo.gz")
        verb(path, "ontology", "add", hpo, "--name", "hp", "--version", "2024-02-08")
        verb(path, "annotate", "--corpus", "gsc", "--ontology", "hp", "--run", "offline")
        drawn = ("--gold", "imported:gsc", "--size", str(len(ANSWERS)), "--seed", "7", "--name", "gsc")
        verb(path, "audit", "draw", "--run", "offline", *drawn)
        with open_workspace(path) as workspace:
            rows = audited(workspace, "gsc")
            if [(row.doc_id, row.concept) for row in rows] != [answer[:2] for answer in ANSWERS]:
                raise SystemExit(
                    "Another set was drawn than the one that was audited: the annotator changed."
                )
            decisions.add_curator(workspace, "auditor", "Auditor")
            gold = frames.find_audit(workspace, "gsc").scope["gold"]
            for at, (row, (_, concept, said)) in enumerate(zip(rows, ANSWERS, strict=True)):
                unsure = said == UNSURE
                new = NewDecision(
                    f"audit-{at}",
                    "auditor",
                    Action.UNSURE if unsure else Action.CLASSIFY_ERROR,
                    passage_id=row.passage_id,
                    subject=subject_of(gold, concept),
                    answer=None if unsure else ErrorAnswer(ErrorType(said)),
                )
                assert decisions.append(workspace, [new])[0].number
            rows = audited(workspace, "gsc")
            branch = terms_of(workspace, ontology_of(workspace, "gsc") or 0).branch(BRANCH)
    tell("All", error_shares(UNSURE if row.unsure else row.error for row in rows))
    inside = [row for row in rows if row.concept in branch]
    tell(f"Below {BRANCH}", error_shares(UNSURE if row.unsure else row.error for row in inside))
    proposed = [row for row in rows if row.proposed is ErrorType.GRANULARITY]
    right = sum(row.error is ErrorType.GRANULARITY for row in proposed)
    missed = sum(row.error is ErrorType.GRANULARITY for row in rows) - right
    print(f"E-1 was proposed for {len(proposed)}; {right} were answered so; {missed} more were, without it")


if __name__ == "__main__":
    main()
