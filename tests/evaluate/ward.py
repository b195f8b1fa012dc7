"""A workspace small enough to score by hand: four passages, imported gold, one run, one curator.

| passage | gold            | run              | right | spurious | missed | what alpha decides            |
| d1      | A, B            | A, E             | A     | E        | B      | A yes, E no, adds B, closes |
| d2      | C, D (negated)  | C (uncertain), D | C     | D        |        | D is negated, C unsure      |
| d3      |                 |                  |       |          |        |                             |
| d4      | A, by an old id | A                | A     |          |        |                             |
"""

from core.records import (
    Action,
    Annotation,
    Answer,
    Assertion,
    Concept,
    ConceptClass,
    Document,
    Draft,
    NewDecision,
    Ontology,
)
from core.store import corpora, decisions, ontologies, proposals, runs

ROOT, A, B, C, D, E = (f"HP:000000{i}" for i in range(6))
OLD_A = "HP:0000099"
LABELS = {A: "Anaemia", B: "Bruising", C: "Cough", D: "Dyspnoea", E: "=Eczema"}
AFFIRMED, NEGATED, UNCERTAIN = Assertion.AFFIRMED, Assertion.NEGATED, Assertion.UNCERTAIN
RUN, GOLD = "lexicon-1", "imported:ward@1"


def fill(workspace) -> dict[str, int]:
    """Store ontology, corpus, gold and run; returns passage ids by doc_id."""
    ontology = ontologies.add_ontology(
        workspace,
        Ontology(
            name="hp",
            version="test",
            root=ROOT,
            sha256="0" * 64,
            concepts=(
                Concept(ROOT, "All"),
                Concept(A, LABELS[A], parents=(ROOT,), alt_ids=(OLD_A,)),
                Concept(B, LABELS[B], parents=(A,)),
                *(Concept(c, LABELS[c], parents=(ROOT,)) for c in (C, D, E)),
            ),
        ),
    )
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "ward")
        stored = corpora.insert_passages(
            db, corpus, [Document(f"d{i}", f"Passage {i}.") for i in range(1, 5)]
        )
        ids = {document.doc_id: passage for passage, document in stored}
        gold = [
            ("d1", A, AFFIRMED),
            ("d1", B, AFFIRMED),
            ("d2", C, AFFIRMED),
            ("d2", D, NEGATED),
            ("d4", OLD_A, AFFIRMED),
        ]
        corpora.add_annotation_set(
            db,
            "ward",
            "1",
            corpus,
            [(ids[d], Annotation(c, assertion=a)) for d, c, a in gold],
            exhaustive=True,
            sha256="1" * 64,
        )
        said = {
            "d1": [(A, AFFIRMED), (E, AFFIRMED)],
            "d2": [(C, UNCERTAIN), (D, AFFIRMED)],
            "d4": [(A, AFFIRMED)],
        }
        add_run(db, RUN, corpus, ontology, {ids[d]: drafts for d, drafts in said.items()})
    return ids


def add_run(db, run_id, corpus, ontology, said) -> None:
    runs.begin_run(
        db,
        run_id,
        kind="concepts",
        source="lexicon",
        corpus_id=corpus,
        ontology_id=ontology,
        settings={},
        fingerprint="f",
    )
    proposals.add(
        db,
        run_id,
        [
            (p, [Draft(c, LABELS[c], a, ConceptClass.EXPLICIT, 0.9, "name found") for c, a in drafts])
            for p, drafts in said.items()
        ],
    )
    runs.finish_run(db, run_id)


def review(workspace, ids, curator="alpha") -> None:
    """What the table above says alpha decides: five judgements and one closing, numbers 1 to 6."""
    decisions.add_curator(workspace, curator, curator.title())

    def decide(number, action, passage, concept=None, status=None):
        answer = Answer(concept, LABELS[concept], status, ConceptClass.EXPLICIT) if status else None
        return NewDecision(
            f"{curator}-{number}", curator, action, passage_id=ids[passage], subject=concept, answer=answer
        )

    outcomes = decisions.append(
        workspace,
        [
            decide(1, Action.ACCEPT, "d1", A, AFFIRMED),
            decide(2, Action.REJECT, "d1", E),
            decide(3, Action.ADD, "d1", B, AFFIRMED),
            decide(4, Action.CLOSE, "d1"),
            decide(5, Action.FIX, "d2", D, NEGATED),
            decide(6, Action.UNSURE, "d2", C),
        ],
    )
    assert [o.refused for o in outcomes] == [None] * 6


def second_review(workspace, ids, curator="beta") -> None:
    """A second opinion on d1 (A yes, E yes, closed without B) and d2 (D affirmed, C rejected)."""
    decisions.add_curator(workspace, curator, curator.title())

    def decide(number, action, passage, concept=None, status=None):
        answer = Answer(concept, LABELS[concept], status, ConceptClass.EXPLICIT) if status else None
        return NewDecision(
            f"{curator}-{number}", curator, action, passage_id=ids[passage], subject=concept, answer=answer
        )

    outcomes = decisions.append(
        workspace,
        [
            decide(1, Action.ACCEPT, "d1", A, AFFIRMED),
            decide(2, Action.ACCEPT, "d1", E, AFFIRMED),
            decide(3, Action.CLOSE, "d1"),
            decide(4, Action.FIX, "d2", D, AFFIRMED),
            decide(5, Action.REJECT, "d2", C),
        ],
    )
    assert [o.refused for o in outcomes] == [None] * 5
