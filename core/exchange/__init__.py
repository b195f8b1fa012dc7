"""In and out of a workspace: whole files, in one write, with their provenance.

corpora       texts and the gold they carry     proposals   silver that another tool made
ontologies    from a file or the OBO library    export      proposals, gold, decisions; with a manifest
accepting     good rows in, bad rows aside      gold        a gold standard as documents
atomic        files that appear whole           pairs       claim pairs that another tool labelled
decisions     a log that `export` wrote         manifests   what proves where an exported file comes from
release       splits, audit and card of a run of claim pairs, as one folder
mention_edges data sets to find and place new concepts, and the edges of a version
given         documents that a name stands for: a file, a gold reference, a run
baselines     what dictionaries find, as files          unseen_splits  training sets as one file
"""

from core.exchange.corpora import CorpusReport, add_corpus
from core.exchange.decisions import DecisionsReport, add_decisions
from core.exchange.export import export
from core.exchange.ontologies import OntologyReport, add_ontology
from core.exchange.pairs import PairsReport, add_pairs
from core.exchange.proposals import ProposalsReport, add_proposals
from core.exchange.release import ReleaseReport, release

__all__ = [
    "CorpusReport",
    "DecisionsReport",
    "OntologyReport",
    "PairsReport",
    "ProposalsReport",
    "ReleaseReport",
    "add_corpus",
    "add_decisions",
    "add_ontology",
    "add_pairs",
    "add_proposals",
    "export",
    "release",
]
