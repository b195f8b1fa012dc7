"""How far the curators of a corpus agree: what they answered is read, and compared.

agreement_of(workspace, "cases", ontology="hp")                   # concepts, by status
agreement_of(workspace, "abstracts", "pairs", "confounder")       # claim pairs, by one field
agreement_of(workspace, "cases", run="lexicon-1")                 # only what this run proposed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from core.errors import InputError
from core.evaluate.agreement_parts import parts
from core.evaluate.concept_scope import scope
from core.evaluate.curator_agreement import CuratorAgreement, curator_agreement
from core.evaluate.curator_answers import Answers, checked, concept_answers, pair_answers
from core.evaluate.curators import FIELDS, UNIVERSES, Kind, Ratings, Universe
from core.evaluate.own_agreement import own_agreement
from core.evaluate.readings import Readings
from core.evaluate.settings import Settings
from core.metrics.agreement_intervals import Bootstrap
from core.metrics.near_agreement import ABSENT
from core.ontology.lineage import Lineage
from core.ontology.similarity import Similarity
from core.records import Curie, ItemKind
from core.store import ontologies, runs
from core.store.votes import decided_at
from core.store.workspace import Workspace


def agreement_of(
    workspace: Workspace,
    corpus: str,
    kind: str | None = None,
    field: str | None = None,
    universe: str = "named",
    ontology: str | None = None,
    settings: Settings | None = None,
    run: str | None = None,
    *,
    readings: Readings | None = None,
) -> CuratorAgreement:
    """Read what curators decided and compare it.

    Args:
        kind: concepts or pairs; None: what the run proposes, and concepts where none is named.
        field: of an answer, one of `FIELDS`; None: the first of its kind.
        universe: of concepts, see `core.evaluate.curators`.
        ontology: NAME[@VERSION]; for alternative ids, names, and how alike concepts are.
        run: only what it proposed counts; None: everything that was answered.
        readings: of this ontology; what is read anew of it is added.

    Raises:
        InputError: no such kind, field or universe; the run is of another corpus, or proposes the other kind.
        NotFoundError: no such corpus, ontology or run.
    """
    settings, about = settings or Settings(), _kind(workspace, kind, run)
    asked, chosen = checked(about, field), _universe(universe)
    if about == "pairs":
        answers = pair_answers(workspace, corpus, run)
        found = replace(curator_agreement(answers.fields[asked], settings), run=run)
        return _beside(workspace, answers, found, settings)
    readings, known = readings or Readings(), scope(workspace, ontology)
    answers = concept_answers(workspace, corpus, known.alt_ids, _names(workspace, ontology, readings), run)
    ratings, similar = answers.fields[asked], None
    if known.lineage is not None and asked == "status":
        similar = _similar(known.lineage, ratings, settings, readings)
    found = curator_agreement(
        ratings,
        settings,
        universe=chosen,
        similar=similar.of_pairs if similar else None,
        across=similar.across if similar else None,
    )
    return _beside(workspace, answers, replace(found, run=run), settings, known.alt_ids)


def _kind(workspace: Workspace, given: str | None, run: str | None) -> Kind:
    if given is None:
        return "pairs" if run and runs.find_run(workspace, run).proposes == ItemKind.PAIR else "concepts"
    for known in FIELDS:
        if given == known:
            return known
    raise InputError(f"{given!r} is no kind of item that curators agree on. Choose from {', '.join(FIELDS)}.")


def _universe(given: str) -> Universe:
    for known in UNIVERSES:
        if given == known:
            return known
    raise InputError(f"{given!r} is no universe of concepts. Choose from {', '.join(UNIVERSES)}.")


def _names(workspace: Workspace, ontology: str | None, readings: Readings) -> Mapping[str, str]:
    """Of concepts."""
    if ontology is None:
        return {}
    found = ontologies.find_ontology(workspace, ontology).id
    return readings.once("labels", lambda: ontologies.labels(workspace, found))


def _similar(
    lineage: Callable[[], Lineage], ratings: Ratings, settings: Settings, readings: Readings
) -> Similarity:
    """Of the ontology alone, or of what curators name, too."""
    if settings.information == "corpus":
        return Similarity(lineage(), settings.similarity, _named(ratings))
    name = ("similarity", settings.similarity)
    return readings.once(name, lambda: Similarity(lineage(), settings.similarity))


def _named(ratings: Ratings) -> Counter[str]:
    """Concept -> documents in which somebody names it."""
    named = {
        (doc_id, concept)
        for said in ratings.labels.values()
        for doc_id, held in said.items()
        for concept, label in held.items()
        if label != ABSENT
    }
    return Counter(concept for _, concept in named)


def _beside(
    workspace: Workspace,
    answers: Answers,
    found: CuratorAgreement,
    settings: Settings,
    now: Mapping[Curie, Curie] | None = None,
) -> CuratorAgreement:
    """With what stands beside the agreement in one field, and what each curator said twice."""
    how = Bootstrap(settings.bootstrap, settings.seed, settings.level)
    if found.result.absent is None:
        apart = parts(answers, found.ratings, found.universe, how, partial(decided_at, workspace))
        found = found.beside(apart)
    kept = answers.proposed if found.run is not None else None
    own = own_agreement(workspace, found.ratings, how, now, kept)
    if own is None:
        return found
    return replace(found, result=replace(found.result, tables=(*found.result.tables, own)))
