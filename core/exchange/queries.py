"""What to collect: the queries of a pack or of an ontology, and how many articles each would find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.conflicts.collect import EuropePMC, PubMed, Query, QueryFailed, Service, concept_queries, load_pack
from core.conflicts.collect.sending import Sender
from core.errors import InputError
from core.store import Workspace, ontologies

CLIENTS: dict[str, type[PubMed] | type[EuropePMC]] = {"pubmed": PubMed, "europepmc": EuropePMC}
PER_QUERY = 500
"""Articles a query of a pack, where nobody says how many."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What a query would find."""

    name: str
    text: str
    """As it is sent."""
    hits: int | None
    """None: it has no answer."""
    most: int | None
    message: str | None = None


def plan(
    workspace: Workspace | None,
    *,
    pack: str | Path | None = None,
    groups: Iterable[str] | None = None,
    ontology: str | None = None,
    root: str | None = None,
    per_concept: int | None = None,
    most: int | None = None,
    since: int | None = None,
) -> list[Query]:
    """The queries of a pack, or one for each concept of an ontology.

    Args:
        pack: name of a pack, or a YAML file.
        root: only concepts below this one, itself included.
        most: articles a query of a pack; 0: all there are; None: `PER_QUERY`.

    Raises:
        InputError, NotFoundError: what is named does not exist or cannot be used.
    """
    if (pack is None) == (ontology is None):
        raise InputError("Say what to ask for: --queries PACK, or --ontology ID with --per-concept N.")
    if pack is not None:
        if per_concept is not None:
            raise InputError("--per-concept goes with --ontology. For a pack, say --most N.")
        limit = PER_QUERY if most is None else most or None
        return load_pack(pack).queries(groups, most=limit, since=since)
    if per_concept is None or per_concept < 1:
        raise InputError("Say how many abstracts of each concept are wanted: --per-concept N, 1 or more.")
    if groups:
        raise InputError("--groups goes with --queries: an ontology has none.")
    if workspace is None or ontology is None:
        raise InputError("An ontology is read from a workspace: name one.")
    row = ontologies.find_ontology(workspace, ontology)
    concepts = ontologies.read_ontology(workspace, row.name, row.version).concepts
    if root is not None:
        from core.ontology.lineage import Lineage

        ontologies.concept(workspace, row.id, root)
        below = Lineage(*ontologies.is_a(workspace, row.id)).descendants(root, include_self=True)
        concepts = tuple(concept for concept in concepts if concept.curie in below)
    return list(concept_queries(concepts, per_concept, since=since))


def preview(
    service: Service,
    queries: Sequence[Query],
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> list[Hits]:
    """Ask for the hits of each query, and store nothing.

    Args:
        progress: called with queries done and queries in all.

    Raises:
        ServiceStopped: the service does not answer.
    """
    found = []
    with Sender(service, announce) as sender:
        client = CLIENTS[service.source](sender)
        for number, query in enumerate(queries):
            if progress is not None:
                progress(number, len(queries))
            text, message, hits = query.asked(service.source), None, None
            try:
                hits, notes = client.count(query)
                message = " ".join(notes) or None
            except QueryFailed as failure:
                message = str(failure)
            found.append(Hits(query.name, text, hits, query.most, message))
    return found
