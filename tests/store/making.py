"""Small workspaces for the store's tests: a corpus, a run with proposals, curators, decisions to append."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.records import (
    Action,
    Annotation,
    Answer,
    Assertion,
    ConceptClass,
    Document,
    Draft,
    Evidence,
    NewDecision,
    Span,
    StageRecord,
)
from core.store import Workspace, corpora, decisions, proposals, runs

NAMES = {"HP:0001250": "Seizure", "HP:0001251": "Ataxia", "HP:0001945": "Fever", "HP:0002315": "Headache"}
CONCEPTS = tuple(NAMES)
TEXT = "Case {n} 🧠: seizure at night, ataxia, no fever; headache since May."
"""The emoji is one code point, two UTF-16 units: offsets behind it show which of the two are counted."""
CURATORS = ("alpha", "beta", "gamma")


@dataclass(frozen=True)
class Furniture:
    """What `furnish` put into a workspace."""

    corpus_id: int
    passages: tuple[int, ...]
    items: dict[tuple[int, str], int]
    """(passage id, concept) -> item id"""
    proposals: dict[int, int]
    """item id -> proposal id"""

    def item(self, passage: int = 0, concept: int = 0) -> int:
        return self.items[self.passages[passage], CONCEPTS[concept]]


def documents(count: int, first: int = 0) -> list[Document]:
    return [Document(f"doc-{n}", TEXT.format(n=n), title=f"Case {n}") for n in range(first, first + count)]


def span_of(text: str, concept: str) -> Span:
    quote = NAMES[concept].lower()
    start = text.index(quote)
    return Span(start, start + len(quote), quote)


def draft(text: str, concept: str) -> Draft:
    span = span_of(text, concept)
    return Draft(
        concept=concept,
        label=NAMES[concept],
        assertion=Assertion.NEGATED if f"no {span.quote}" in text else Assertion.AFFIRMED,
        concept_class=ConceptClass.EXPLICIT,
        confidence=0.875,
        reason=f"named as '{span.quote}'",
        evidence=(Evidence(span.quote, span.start, span.end, grounded=True),),
    )


def furnish(
    workspace: Workspace,
    passages: int = 3,
    *,
    corpus: str = "cases",
    run: str = "run-1",
    concepts: tuple[str, ...] = CONCEPTS,
) -> Furniture:
    """A corpus with imported gold, a finished run that proposes `concepts` in every passage, curators."""
    texts: dict[int, str] = {}
    with workspace.write() as db:
        corpus_id = corpora.create_corpus(db, corpus, source="cases.json")
        for passage_id, document in corpora.insert_passages(db, corpus_id, documents(passages)):
            texts[passage_id] = document.text
        corpora.add_annotation_set(
            db,
            corpus,
            "1",
            corpus_id,
            [
                (p, Annotation(c, NAMES[c], span=span_of(t, c)))
                for p, t in texts.items()
                for c in CONCEPTS[:2]
            ],
            exhaustive=True,
            sha256="0" * 64,
        )
        add_run(db, corpus_id, run, texts, concepts)
    for name in CURATORS:
        decisions.add_curator(workspace, name, name.title())
    return furniture(workspace, corpus_id)


def add_run(db: Any, corpus_id: int, run: str, texts: dict[int, str], concepts: tuple[str, ...]) -> None:
    runs.begin_run(
        db,
        run,
        kind="concepts",
        source="lexicon 1",
        corpus_id=corpus_id,
        ontology_id=None,
        settings={"root": None},
        fingerprint="f" * 64,
    )
    proposals.add(db, run, [(p, [draft(t, c) for c in concepts]) for p, t in texts.items()])
    runs.add_stage_records(
        db,
        run,
        [StageRecord("lexicon", p, None, "done", payload={"proposals": len(concepts)}) for p in texts],
    )
    runs.finish_run(db, run)


def furniture(workspace: Workspace, corpus_id: int = 1) -> Furniture:
    rows = workspace.db.execute(
        "SELECT i.id, i.passage_id, i.subject, (SELECT min(id) FROM proposals WHERE item_id = i.id)"
        " FROM items i JOIN passages p ON p.id = i.passage_id WHERE p.corpus_id = ? AND i.kind = 'concept'",
        (corpus_id,),
    ).fetchall()
    passages = workspace.db.execute("SELECT id FROM passages WHERE corpus_id = ? ORDER BY id", (corpus_id,))
    return Furniture(
        corpus_id,
        tuple(row[0] for row in passages),
        {(row[1], row[2]): row[0] for row in rows},
        {row[0]: row[3] for row in rows},
    )


def answer(
    concept: str = CONCEPTS[0],
    assertion: Assertion = Assertion.AFFIRMED,
    concept_class: ConceptClass = ConceptClass.EXPLICIT,
    spans: tuple[Span, ...] = (),
) -> Answer:
    return Answer(concept, NAMES.get(concept, concept), assertion, concept_class, spans)


_client = iter(range(10**9))


def new(curator: str, action: Action, item_id: int | None = None, **fields: Any) -> NewDecision:
    """A decision with a client id of its own, which no stored workspace of `before/` holds either."""
    fields.setdefault("client_id", f"new-{curator}-{next(_client)}")
    return NewDecision(curator=curator, action=action, item_id=item_id, **fields)


def say(workspace: Workspace, curator: str, action: Action, item_id: int | None = None, **fields: Any) -> int:
    """Append one decision that must be stored, and return its number."""
    outcome = decisions.append(workspace, [new(curator, action, item_id, **fields)])[0]
    assert outcome.refused is None
    assert outcome.number is not None
    return outcome.number


def judge(workspace: Workspace, items: list[int], curator: str = "alpha", tag: str = "") -> list[int]:
    """Unsure about every item: the plainest decision there is, one write each."""
    return [
        say(workspace, curator, Action.UNSURE, item, **({"client_id": f"{tag}{item}"} if tag else {}))
        for item in items
    ]
