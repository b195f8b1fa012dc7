"""Claim pairs for tests: four abstracts, a claim of each, two pairs, labels by model and by rule."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.conflicts.identity import claim_id, pair_id
from core.records import (
    Article,
    Axis,
    CandidatePair,
    Claim,
    ClaimType,
    ConflictType,
    Document,
    Level,
    Normalised,
    Origin,
    PairAnswer,
    PairLabel,
    PairSpan,
    Scores,
    StageRecord,
    Tier,
)
from core.store import Workspace, claims, corpora, pairs, runs

CORPUS, RUN = "articles", "pairs-offline"
ABSTRACTS = (
    "The drug  lowered mortality in adults in Norway.",
    "The drug did not lower mortality in children in Peru.",
    "Resistance was found in 18% of isolates.",
    "Resistance was found in 2% of isolates.",
)
NORMALISED = ("The drug lowered mortality in adults in Norway.", *ABSTRACTS[1:])


@dataclass(frozen=True)
class Paired:
    passages: tuple[int, ...]
    pairs: tuple[CandidatePair, ...]
    labels: dict[str, int]
    """Pair id and origin, as `pair-...:model` -> label."""


def label(origin: Origin = Origin.HEURISTIC, **fields: object) -> PairLabel:
    plain = PairLabel(
        comparable=True,
        conflict_type=ConflictType.CONTEXTUAL_CONTRADICTION,
        axes=(Axis.POPULATION_COHORT, Axis.GEOGRAPHY),
        confounder=Axis.GEOGRAPHY,
        reconciliation="Adults in one country, children in another.",
        evidence=(
            PairSpan("a", "adults in Norway", 30, 46, Level.CLAIM),
            PairSpan("b", "in Mars", None, None),
        ),
        confidence=0.6,
        origin=origin,
        annotator="rules" if origin is Origin.HEURISTIC else "some-model",
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def answer(pair: CandidatePair, **fields: object) -> PairAnswer:
    plain = PairAnswer(
        pair.pair_id,
        True,
        ConflictType.CONTEXTUAL_CONTRADICTION,
        (Axis.GEOGRAPHY,),
        Axis.GEOGRAPHY,
        "Two countries.",
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def pair_up(workspace: Workspace, corpus: str = CORPUS, run: str = RUN) -> Paired:
    """A corpus of four articles and a run of two pairs: the first labelled by model and rule, the second by
    rule alone, without a conflict."""
    with workspace.write() as db:
        corpus_id = corpora.create_corpus(db, corpus, domain="trials")
        documents = [
            Document(f"art{i}", text, meta={"year": 2000 + i, "journal": "A journal"}, title=f"Title {i}")
            for i, text in enumerate(ABSTRACTS)
        ]
        passages = tuple(p for p, _ in corpora.insert_passages(db, corpus_id, documents))
        runs.begin_run(
            db,
            run,
            kind="conflicts",
            source="rules",
            corpus_id=corpus_id,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
        articles = [
            Normalised(
                Article(f"art{i}", text, "trials", passages[i]),
                ABSTRACTS[i],
                ((0, len(text), 0, len(ABSTRACTS[i])),),
            )
            for i, text in enumerate(NORMALISED)
        ]
        texts = claims.insert_texts(db, articles)
        runs.add_stage_records(
            db,
            run,
            [
                StageRecord("normalise", p, None, "kept", payload={"sections": [["RESULTS", 0, 20]]})
                for p in passages
            ],
        )
        claims.insert_claims(
            db,
            run,
            [
                Claim(
                    claim_id=claim_id(f"art{i}", text, 0, len(text)),
                    article_uid=f"art{i}",
                    domain="trials",
                    start=0,
                    end=len(text),
                    text=text,
                    sentence_start=0,
                    sentence_end=len(text),
                    claim_type=ClaimType.EFFICACY if i < 2 else ClaimType.PREVALENCE,
                    confidence=0.5,
                    entities=("drug",),
                    slots={"numbers": ["18%"]},
                    passage_id=passages[i],
                    text_id=texts[passages[i]],
                )
                for i, text in enumerate(NORMALISED)
            ],
        )
    stored = list(claims.claims(workspace, run))
    with workspace.write() as db:
        pairs.insert_pairs(
            db,
            run,
            [
                CandidatePair(
                    pair_id(a, b),
                    "trials",
                    a,
                    b,
                    Scores(0.8, 0.5, 1.0, 1.0, 0.01, 0.695),
                    ("direction",),
                    tier,
                )
                for (a, b), tier in (
                    ((stored[0], stored[1]), Tier.PILOT),
                    ((stored[2], stored[3]), Tier.FULL),
                )
            ],
        )
    found = tuple(pairs.pairs(workspace, run))
    with workspace.write() as db:
        pairs.insert_labels(
            db,
            run,
            [
                (found[0], label(), None),
                (
                    found[0],
                    label(Origin.MODEL, repaired=True, repairs=("an unknown axis was dropped",)),
                    None,
                ),
                (
                    found[1],
                    label(conflict_type=ConflictType.NO_CONFLICT, axes=(), confounder=None, evidence=()),
                    None,
                ),
            ],
        )
    names = {p.item_id: p.pair_id for p in found}
    labels = {
        f"{names[one.item_id]}:{one.label.origin.value}": one.id for one in pairs.labels(workspace, run)
    }
    return Paired(passages, found, labels)
