"""A small workspace for review tests: an ontology of eight concepts, a corpus, runs that propose concepts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.records import (
    Assertion,
    Concept,
    ConceptClass,
    Document,
    Draft,
    Evidence,
    Ontology,
    Synonym,
)
from core.store import Workspace, corpora, decisions, ontologies, open_workspace, proposals, runs

SEIZURE, FOCAL, GENERAL, HYPOTONIA, CATARACT = (
    "HP:0001250",
    "HP:0007359",
    "HP:0002197",
    "HP:0001252",
    "HP:0000518",
)
ROOT, NERVOUS, EYE = "HP:0000118", "HP:0000707", "HP:0000478"
NAMES = {
    ROOT: "Phenotypic abnormality",
    NERVOUS: "Abnormality of the nervous system",
    EYE: "Abnormality of the eye",
    SEIZURE: "Seizure",
    FOCAL: "Focal-onset seizure",
    GENERAL: "Generalized-onset seizure",
    HYPOTONIA: "Hypotonia",
    CATARACT: "Cataract",
}
PARENTS = {
    NERVOUS: ROOT,
    EYE: ROOT,
    SEIZURE: NERVOUS,
    FOCAL: SEIZURE,
    GENERAL: SEIZURE,
    HYPOTONIA: NERVOUS,
    CATARACT: EYE,
}


def ontology(name: str = "mini", label: str | None = None) -> Ontology:
    concepts = [
        Concept(
            curie,
            label if label and curie == FOCAL else text,
            definition=f"What is meant by {text.lower()}.",
            synonyms=(Synonym("Epileptic fit", "EXACT"),) if curie == SEIZURE else (),
            parents=(PARENTS[curie],) if curie in PARENTS else (),
        )
        for curie, text in NAMES.items()
    ]
    return Ontology(name, "1", ROOT, "0" * 64, tuple(concepts))


def draft(
    concept: str,
    text: str = "",
    quote: str = "",
    *,
    label: str | None = None,
    assertion: Assertion = Assertion.AFFIRMED,
    concept_class: ConceptClass = ConceptClass.EXPLICIT,
    confidence: float | None = 0.9,
    repaired: bool = False,
    reason: str = "its name stands there",
) -> Draft:
    """A proposal whose evidence is `quote` where it stands in `text`, ungrounded where it does not."""
    start = text.find(quote) if quote else -1
    evidence = Evidence(quote, start, start + len(quote), True)
    if start < 0:
        evidence = Evidence(quote, None, None, False)
    return Draft(
        concept,
        label or NAMES.get(concept, concept),
        assertion,
        concept_class,
        confidence,
        reason,
        (evidence,) if quote else (),
        repaired=repaired,
    )


def add_corpus(workspace: Workspace, texts: dict[str, str], name: str = "ward") -> dict[str, int]:
    """doc_id -> passage id."""
    documents = [Document(doc_id, text, title=f"Note {doc_id}") for doc_id, text in texts.items()]
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, name)
        return {d.doc_id: i for i, d in corpora.insert_passages(db, corpus, documents)}


def add_run(
    workspace: Workspace,
    drafts: dict[int, list[Draft]],
    run: str = "alpha",
    *,
    corpus: str = "ward",
    source: str = "reader",
) -> None:
    known = ontologies.list_ontologies(workspace)
    with workspace.write() as db:
        runs.begin_run(
            db,
            run,
            kind="concepts",
            source=source,
            corpus_id=corpora.corpus(workspace, corpus).id,
            ontology_id=known[-1].id if known else None,
            settings={},
            fingerprint=run,
        )
        proposals.add(db, run, drafts.items())
        runs.finish_run(db, run)


def add_labelled(
    workspace: Workspace, corpus: str, texts: dict[str, str], said: Callable[[str], list[Draft]]
) -> dict[str, int]:
    """A corpus, and a run `run-CORPUS` that proposes what is said of each text; doc_id -> passage id."""
    at = add_corpus(workspace, texts, corpus)
    add_run(workspace, {at[doc]: said(text) for doc, text in texts.items()}, f"run-{corpus}", corpus=corpus)
    return at


def hypotonia_and_cataract(text: str) -> list[Draft]:
    """For `add_labelled`."""
    return [draft(HYPOTONIA, text, "hypotonia"), draft(CATARACT, text, "cataract")]


def items_of_run(workspace: Workspace, run: str) -> tuple[int, ...]:
    """Its items, in the order in which it proposed them."""
    rows = workspace.db.execute("SELECT item_id FROM proposals WHERE run_id = ? ORDER BY id", (run,))
    return tuple(row[0] for row in rows)


def item(workspace: Workspace, passage: int, concept: str) -> int:
    row = workspace.db.execute(
        "SELECT id FROM items WHERE passage_id = ? AND subject = ?", (passage, concept)
    ).fetchone()
    return int(row[0])


TEXTS = {
    "d1": "A boy with a focal seizure at two years. No cataract. Marked hypotonia.",
    "d2": "Her seizures began at six. Hypotonia was likely.",
    "d3": "Nothing of note but cataract.",
}


def furnish(workspace: Workspace) -> dict[str, int]:
    """Three passages, one run of six proposals, curators `alpha` and `beta`."""
    ontologies.add_ontology(workspace, ontology())
    at = add_corpus(workspace, TEXTS)
    add_run(
        workspace,
        {
            at["d1"]: [
                draft(SEIZURE, TEXTS["d1"], "seizure", confidence=0.6),
                draft(CATARACT, TEXTS["d1"], "cataract", assertion=Assertion.NEGATED, confidence=0.95),
                draft(HYPOTONIA, TEXTS["d1"], "hypotonia", confidence=0.7),
            ],
            at["d2"]: [
                draft(SEIZURE, TEXTS["d2"], "seizures", confidence=0.8),
                draft(HYPOTONIA, TEXTS["d2"], "Hypotonia", assertion=Assertion.UNCERTAIN, confidence=0.3),
            ],
            at["d3"]: [draft(CATARACT, TEXTS["d3"], "cataract", confidence=0.9)],
        },
    )
    for curator in ("alpha", "beta"):
        decisions.add_curator(workspace, curator, curator.title())
    return at


def furnish_beside(workspace: Workspace) -> dict[str, int]:
    """The same passages and proposals beside what is there, whoever the curators are."""
    ontologies.add_ontology(workspace, ontology())
    at = add_corpus(workspace, TEXTS)
    add_run(workspace, {at["d1"]: [draft(SEIZURE, TEXTS["d1"], "seizure")]}, "beside")
    return at


def many(path: Path, passages: dict[str, int]) -> None:
    """A workspace of its own: corpora of so many short passages, two proposals each, `alpha` and `beta`."""
    concepts = {SEIZURE: "seizure", HYPOTONIA: "hypotonia"}
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus, count in passages.items():
            texts = {f"{corpus}{n:03}": f"{corpus} {n}: a seizure, later hypotonia." for n in range(count)}
            at = add_corpus(workspace, texts, corpus)
            drafts = {at[d]: [draft(c, texts[d], word) for c, word in concepts.items()] for d in texts}
            add_run(workspace, drafts, f"run-{corpus}", corpus=corpus)
        for curator in ("alpha", "beta"):
            decisions.add_curator(workspace, curator, curator.title())
