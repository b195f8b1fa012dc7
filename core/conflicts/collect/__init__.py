"""Stage 1 of 6, ahead of a run: articles by query, live from PubMed and Europe PMC (paper 004, section 5.1
and appendix G; per concept of an ontology as in paper 000, appendix A.1.1).

    packs        queries of a domain, from YAML      per_concept   a query for each concept of an ontology
    syntax       what PubMed and Europe PMC read     query         one query, and a page of its answer
    pubmed       E-utilities, in pages               europepmc     the REST search, in pages
    service      where to ask, as whom, how fast     sending       one request to its end

Nothing here stores: a client yields pages, each with the position at which the next one begins, and its
caller keeps both in one write (`core.exchange.collect`).
"""

from core.conflicts.collect.europepmc import EuropePMC
from core.conflicts.collect.packs import Group, Pack, load_pack, packs
from core.conflicts.collect.per_concept import concept_queries
from core.conflicts.collect.pubmed import PubMed
from core.conflicts.collect.query import Page, Query
from core.conflicts.collect.sending import QueryFailed, ServiceStopped
from core.conflicts.collect.service import SOURCES, Service

__all__ = [
    "SOURCES",
    "EuropePMC",
    "Group",
    "Pack",
    "Page",
    "PubMed",
    "Query",
    "QueryFailed",
    "Service",
    "ServiceStopped",
    "concept_queries",
    "load_pack",
    "packs",
]
