"""A finished run of all five stages, small enough to count by hand. Every answer in it is made up here.

p1  generate: two claims lead to seizure (by two names), fever and cough; `glow` matches nothing. classify
    drops cough, relabel adds ataxia, guideline drops fever, select rates it good.
p2  generate: one claim leads to headache, which every stage keeps until select rates the passage poor.
p3  generate: one claim leads to seizure; classify gets no usable answer.
"""

from __future__ import annotations

import json
from typing import Any

from core.records import (
    Assertion,
    Concept,
    ConceptClass,
    Document,
    Draft,
    Evidence,
    Ontology,
    StageRecord,
    Verdict,
)
from core.store import Workspace, corpora, ontologies, proposals, runs

SEIZURE, ATAXIA, FEVER, HEADACHE, COUGH = (
    "HP:0001250",
    "HP:0001251",
    "HP:0001945",
    "HP:0002315",
    "HP:0012735",
)
ROOT = "HP:0000118"
NAMES = {
    ROOT: "Phenotypic abnormality",
    SEIZURE: "Seizure",
    ATAXIA: "Ataxia",
    FEVER: "Fever",
    HEADACHE: "Headache",
    COUGH: "Cough",
}
RUN = "five-stages"
STAGES = ("generate", "classify", "relabel", "guideline", "select")
TEXTS = {
    "p1": "A boy fell and shook for a minute; later his gait was broad. No fever. He coughed politely.",
    "p2": "Her head ached.",
    "p3": "He shook again.",
}
ANSWER = '{"claims": ["The boy had a convulsion.", "The boy walked with a broad gait."]}'
CLASS, OWN = "not_relevant", "A polite cough is no finding."
GUIDELINE = "Absent findings are left out."


def fill(workspace: Workspace, run: str = RUN, *, confidential: bool = False) -> dict[str, int]:
    """Store ontology, corpus and run; returns passage ids by doc_id."""
    concepts = [Concept(c, n, parents=() if c == ROOT else (ROOT,)) for c, n in NAMES.items()]
    ontology = ontologies.add_ontology(workspace, Ontology("mini", "1", ROOT, "0" * 64, tuple(concepts)))
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "notes", confidential=confidential)
        documents = [Document(doc_id, text, title=f"Note {doc_id}") for doc_id, text in TEXTS.items()]
        at = {d.doc_id: i for i, d in corpora.insert_passages(db, corpus, documents)}
    settings = {"profile": "hpa", "stages": list(STAGES), "offline": False, "model": "scripted-1"}
    add_run(workspace, at, corpus, ontology, run, settings)
    return at


def add_run(
    workspace: Workspace,
    at: dict[str, int],
    corpus_id: int,
    ontology_id: int,
    run: str,
    settings: dict[str, Any],
) -> None:
    with workspace.write() as db:
        runs.begin_run(
            db,
            run,
            kind="concepts",
            source="scripted-1",
            corpus_id=corpus_id,
            ontology_id=ontology_id,
            settings=settings,
            fingerprint=run,
        )
        generated = add_call(db, run, "generate", at["p1"], ANSWER, price=0.002, seconds=1.5)
        judged = add_call(db, run, "classify", at["p1"], '{"seizure": "explicit"}', price=0.001, seconds=0.5)
        broken = add_call(db, run, "classify", at["p3"], None, failure="not_json", seconds=2.0)
        for chunk in (
            passage_1(at["p1"], generated, judged),
            passage_2(at["p2"]),
            passage_3(at["p3"], broken),
        ):
            runs.add_stage_records(db, run, chunk)
        drafts = [draft(SEIZURE, "shook for a minute"), draft(ATAXIA, "gait was broad")]
        proposals.add(db, run, [(at["p1"], drafts), (at["p2"], [])])
        runs.finish_run(db, run)


def draft(concept: str, quote: str) -> Draft:
    start = TEXTS["p1"].index(quote)
    return Draft(
        concept,
        NAMES[concept],
        Assertion.AFFIRMED,
        ConceptClass.LOGICALLY_IMPLICIT,
        0.75,
        "the text describes it",
        (Evidence(quote, start, start + len(quote), True),),
        "generate" if concept == SEIZURE else "relabel",
    )


def said(
    stage: str,
    passage: int,
    verdict: Verdict,
    concept: str | None = None,
    reason: str | None = None,
    call: int | None = None,
    **payload: Any,
) -> StageRecord:
    return StageRecord(stage, passage, concept, verdict.value, reason, call, payload)


def passage_1(p: int, generated: int, judged: int) -> list[StageRecord]:
    v = Verdict
    return [
        said(
            "generate", p, v.CLAIM, call=generated, text="The boy had a convulsion.", confidence=0.9, number=0
        ),
        said(
            "generate",
            p,
            v.CLAIM,
            call=generated,
            text="He walked with a broad gait.",
            confidence=0.6,
            number=1,
        ),
        said(
            "generate",
            p,
            v.CANDIDATE,
            SEIZURE,
            call=generated,
            name="convulsion",
            score=0.83,
            claim=0,
            how="claim",
        ),
        said(
            "generate",
            p,
            v.CANDIDATE,
            SEIZURE,
            call=generated,
            name="fit",
            score=0.61,
            claim=0,
            how="claim",
        ),
        said(
            "generate",
            p,
            v.CANDIDATE,
            FEVER,
            call=generated,
            name="fever",
            score=1.0,
            claim=None,
            how="claim",
        ),
        said(
            "generate",
            p,
            v.CANDIDATE,
            COUGH,
            call=generated,
            name="polite cough",
            score=0.7,
            claim=None,
            how="claim",
        ),
        said("generate", p, v.UNMATCHED, call=generated, name="glow", score=0.31, nearest="Cough"),
        said(
            "classify",
            p,
            v.KEPT,
            SEIZURE,
            "A minute of shaking is a seizure.",
            judged,
            **{"class": "logically_implicit"},
        ),
        said("classify", p, v.KEPT, FEVER, "It is named.", judged, **{"class": "explicit"}),
        said("classify", p, v.DROPPED, COUGH, OWN, judged, **{"class": CLASS}),
        said("relabel", p, v.KEPT, SEIZURE),
        said("relabel", p, v.KEPT, FEVER),
        said(
            "relabel",
            p,
            v.ADDED,
            ATAXIA,
            "A broad gait.",
            name="broad-based gait",
            score=0.71,
            claim=1,
            how="claim",
        ),
        said("guideline", p, v.KEPT, SEIZURE),
        said("guideline", p, v.DROPPED, FEVER, GUIDELINE),
        said("guideline", p, v.KEPT, ATAXIA),
        said("select", p, v.RATED, reason="Every label has its quote.", quality="good", retained=True),
        said("select", p, v.DONE),
    ]


def passage_2(p: int) -> list[StageRecord]:
    v = Verdict
    return [
        said("generate", p, v.CLAIM, text="Her head ached.", confidence=None, number=0),
        said("generate", p, v.CANDIDATE, HEADACHE, name="headache", score=1.0, claim=0, how="claim"),
        said("classify", p, v.KEPT, HEADACHE, **{"class": "explicit"}),
        said("relabel", p, v.KEPT, HEADACHE),
        said("guideline", p, v.KEPT, HEADACHE),
        said("select", p, v.RATED, reason="One sentence.", quality="poor", retained=False),
        said("select", p, v.DONE),
    ]


def passage_3(p: int, broken: int) -> list[StageRecord]:
    v = Verdict
    return [
        said("generate", p, v.CLAIM, text="He shook.", confidence=0.5, number=0),
        said("generate", p, v.CANDIDATE, SEIZURE, name="shaking", score=0.64, claim=0, how="claim"),
        said("classify", p, v.FAILED, None, "The answer is no JSON.", broken, kind="not_json"),
    ]


_keys = iter(range(10**9))


def add_call(
    db: Any,
    run: str,
    stage: str,
    passage: int,
    answer: str | None,
    *,
    failure: str | None = None,
    price: float | None = None,
    seconds: float = 1.0,
) -> int:
    request = {"model": "scripted-1", "messages": [{"role": "user", "content": "What is said here?"}]}
    raw = (
        json.dumps({"choices": [{"message": {"content": answer}}]}) if answer else "<html>Bad gateway</html>"
    )
    cursor = db.execute(
        "INSERT INTO calls (key, run_id, stage, passage_id, prompt, model, endpoint, request, answer, raw,"
        " failure, prompt_tokens, completion_tokens, seconds, price, attempts, transport, asked_at)"
        " VALUES (?, ?, ?, ?, ?, 'scripted-1', 'http://127.0.0.1:1/v1', ?, ?, ?, ?, 100, 20, ?, ?, 1, 'live',"
        " ?)",
        (
            f"{next(_keys):064}",
            run,
            stage,
            passage,
            f"{stage}@0123456789ab",
            json.dumps(request),
            answer,
            raw,
            failure,
            seconds,
            price,
            "2026-01-01T00:00:00.000+00:00",
        ),
    )
    return int(cursor.lastrowid)
