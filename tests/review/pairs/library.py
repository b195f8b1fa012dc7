"""A small workspace for tests of pair review: abstracts written for it, claims of them, labelled pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from core.conflicts.identity import claim_id, pair_id
from core.records import (
    Article,
    Axis,
    CandidatePair,
    Claim,
    ClaimType,
    ConflictType,
    Direction,
    Document,
    Level,
    Likelihood,
    Normalised,
    Origin,
    PairLabel,
    PairSpan,
    Scores,
    Tier,
)
from core.store import Workspace, claims, corpora, decisions, open_workspace, pairs, runs

LOWERED = "Zetavir lowered 28-day mortality from 14.2% to 9.1%."
UNCHANGED = "Zetavir did not change 28-day mortality (11.0% against 11.4%)."
IN_DENMARK = (
    "BACKGROUND: Zetavir shortens fever in mild influenza, but whether it saves lives in severe disease is"
    " not known. METHODS: In a randomised, double-blind trial in 18 hospitals in Denmark between 2012 and"
    " 2015, 1,204 adults aged over 65 years with influenza A (H3N2) confirmed by RT-PCR drew 600 mg of"
    " zetavir a day or placebo for five days. The main outcome was death from any cause within 28 days."
    f" RESULTS: The groups were alike at the start. {LOWERED} Patients who began treatment within 48 hours"
    " gained most. Nausea was more frequent with zetavir. Kidney function did not differ between the groups."
    " CONCLUSIONS: In older inpatients with influenza A, early treatment with zetavir saves lives. Trials in"
    " other age groups are needed before it can be given to all."
)
IN_VIETNAM = (
    "BACKGROUND: Guidelines differ on antiviral treatment of influenza in children. METHODS: We followed 862"
    " children under 12 years who were admitted with influenza B to three hospitals in Vietnam in 2019."
    " Diagnosis rested on a rapid antigen test. Zetavir, 150 mg a day for three days, was given at the"
    " physician's discretion, so that this was an observational cohort study. RESULTS: After adjustment for"
    f" age and days since onset no benefit was seen. {UNCHANGED} Length of stay was the same. Five children"
    " were moved to intensive care. CONCLUSIONS: In this cohort zetavir was of no use to children with"
    " influenza B. A randomised trial in this age group would be worth its cost."
)
LONG = " ".join(f"Aside {n} says nothing that matters here and only makes the text long." for n in range(40))


@dataclass(frozen=True)
class Library:
    """Items by place in the queue as made; texts by item and side."""

    items: tuple[int, ...]
    texts: dict[int, tuple[str, str]]


def contextual(a: str, b: str, origin: Origin = Origin.MODEL, **fields: object) -> PairLabel:
    """A label of the pair of `LOWERED` and `UNCHANGED`, whose quotes stand in both texts."""
    in_a, in_b = "adults aged over 65 years", "children under 12 years"
    plain = PairLabel(
        comparable=True,
        conflict_type=ConflictType.CONTEXTUAL_CONTRADICTION,
        axes=(Axis.POPULATION_COHORT, Axis.GEOGRAPHY, Axis.STUDY_DESIGN),
        confounder=Axis.POPULATION_COHORT,
        reconciliation="Older inpatients with influenza A gained; children with influenza B did not.",
        evidence=(
            span("a", a, LOWERED, Level.CLAIM),
            span("a", a, in_a, Level.ABSTRACT),
            span("b", b, UNCHANGED, Level.CLAIM),
            span("b", b, in_b, Level.ABSTRACT),
        ),
        confidence=0.82,
        notes="Scripted for this test.",
        origin=origin,
        annotator="scripted-model" if origin is Origin.MODEL else "rules",
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def direct(a: str, b: str, **fields: object) -> PairLabel:
    """What the second annotator says of the same pair."""
    plain = contextual(
        a,
        b,
        Origin.HEURISTIC,
        conflict_type=ConflictType.DIRECT_CONTRADICTION,
        axes=(),
        confounder=None,
        reconciliation="",
        evidence=(span("a", a, LOWERED, Level.CLAIM), span("b", b, UNCHANGED, Level.CLAIM)),
        confidence=0.41,
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def span(side: str, text: str, quote: str, level: Level) -> PairSpan:
    """Grounded where the quote stands in the text."""
    start = text.find(quote)
    return (
        PairSpan(side, quote, start, start + len(quote), level)
        if start >= 0
        else PairSpan(side, quote, None, None)
    )


@dataclass(frozen=True)
class Draft:
    """A pair to be: two abstracts that hold `LOWERED` and `UNCHANGED` somewhere, and its labels."""

    a: str
    b: str
    labels: tuple[PairLabel, ...]
    tier: Tier = Tier.FULL
    score: float = 0.6
    domain: str = "infectious_disease"
    titles: tuple[str, str] = (
        "Zetavir in older inpatients: a randomised trial",
        "Zetavir in children admitted with influenza B",
    )
    claims: tuple[str, str] = (LOWERED, UNCHANGED)
    likelihood: float | None = None


def shelve(
    workspace: Workspace,
    drafts: Iterable[Draft],
    *,
    corpus: str = "trials",
    run: str = "alpha",
    source: str = "scripted-model",
) -> Library:
    """A corpus with two articles a draft, and a run of kind conflicts that holds their pairs and labels."""
    made = list(drafts)
    texts = [text for draft in made for text in (draft.a, draft.b)]
    with workspace.write() as db:
        corpus_id = corpora.create_corpus(db, corpus)
        documents = [
            Document(
                f"{corpus}-{n:04}",
                text,
                title=made[n // 2].titles[n % 2],
                meta={
                    "year": 2016 if n % 2 == 0 else 2020,
                    "journal": "Archive of Invented Trials" if n % 2 == 0 else "Made-up Paediatrics",
                },
            )
            for n, text in enumerate(texts)
        ]
        passages = [p for p, _ in corpora.insert_passages(db, corpus_id, documents)]
        runs.begin_run(
            db,
            run,
            kind="conflicts",
            source=source,
            corpus_id=corpus_id,
            ontology_id=None,
            settings={},
            fingerprint=run,
        )
        kept = claims.insert_texts(
            db,
            [
                Normalised(
                    Article(d.doc_id, d.text, "infectious_disease", p),
                    d.text,
                    ((0, len(d.text), 0, len(d.text)),),
                )
                for d, p in zip(documents, passages, strict=True)
            ],
        )
        claims.insert_claims(
            db,
            run,
            [
                _claim(made[n // 2], documents[n], n, passages[n], kept[passages[n]])
                for n in range(len(texts))
            ],
        )
    stored = {claim.article_uid: claim for claim in claims.claims(workspace, run)}
    with workspace.write() as db:
        found = [
            _pair(draft, stored[f"{corpus}-{2 * n:04}"], stored[f"{corpus}-{2 * n + 1:04}"])
            for n, draft in enumerate(made)
        ]
        pairs.insert_pairs(db, run, found)
    by_id = {pair.pair_id: pair for pair in pairs.pairs(workspace, run)}
    order = [by_id[pair.pair_id] for pair in found]
    with workspace.write() as db:
        pairs.insert_labels(
            db,
            run,
            [(pair, label, None) for pair, draft in zip(order, made, strict=True) for label in draft.labels],
        )
        runs.finish_run(db, run)
    return Library(
        tuple(pair.item_id for pair in order),
        {pair.item_id: (draft.a, draft.b) for pair, draft in zip(order, made, strict=True)},
    )


def _claim(draft: Draft, document: Document, n: int, passage: int, text_id: int) -> Claim:
    quote = draft.claims[n % 2]
    start = document.text.index(quote)
    end = start + len(quote)
    return Claim(
        claim_id=claim_id(document.doc_id, document.text, start, end),
        article_uid=document.doc_id,
        domain=draft.domain,
        start=start,
        end=end,
        text=quote,
        sentence_start=start,
        sentence_end=end,
        claim_type=ClaimType.EFFICACY,
        confidence=0.74,
        section="results",
        direction=Direction.DECREASED if n % 2 == 0 else Direction.UNCHANGED,
        negated=n % 2 == 1,
        entities=("zetavir",),
        passage_id=passage,
        text_id=text_id,
    )


def _pair(draft: Draft, a: Claim, b: Claim) -> CandidatePair:
    return CandidatePair(
        pair_id(a, b),
        draft.domain,
        a,
        b,
        Scores(0.81, 0.7, 0.5, 1.0, 0.02, draft.score),
        ("direction: decreased / unchanged", "one side negated"),
        draft.tier,
        None if draft.likelihood is None else Likelihood(draft.likelihood, (("similarity", 0.81),)),
    )


def furnish(workspace: Workspace) -> Library:
    """Four pairs in the order in which they are queued, curators `alpha` and `beta`: repaired, pilot,
    development, full (by rule alone)."""
    a, b = IN_DENMARK, IN_VIETNAM
    found = shelve(
        workspace,
        [
            Draft(
                a, f"{b} First.", (contextual(a, b, repaired=True, repairs=("an unknown axis was dropped",)),)
            ),
            Draft(a + " Second.", b, (contextual(a, b), direct(a, b)), Tier.PILOT, 0.5),
            Draft(a + " Third.", b + " Third.", (contextual(a, b, confidence=0.3),), Tier.DEVELOPMENT, 0.9),
            Draft(a + " Fourth.", b + " Fourth.", (direct(a, b),), Tier.FULL, 0.95),
        ],
    )
    for curator in ("alpha", "beta"):
        decisions.add_curator(workspace, curator, curator.title())
    return found


def many(path: Path, corpora_: dict[str, int]) -> dict[str, Library]:
    """A workspace of its own: corpora of so many pairs, best score first, each labelled twice."""
    shelves = {}
    with open_workspace(path) as workspace:
        for corpus, count in corpora_.items():
            drafts = [
                Draft(
                    f"{IN_DENMARK} Report {corpus} {n}.",
                    f"{IN_VIETNAM} Report {corpus} {n}.",
                    (contextual(IN_DENMARK, IN_VIETNAM), direct(IN_DENMARK, IN_VIETNAM)),
                    score=0.9 - n / 1000,
                )
                for n in range(count)
            ]
            shelves[corpus] = shelve(workspace, drafts, corpus=corpus, run=f"run-{corpus}")
        for curator in ("alpha", "beta"):
            decisions.add_curator(workspace, curator, curator.title())
    return shelves
