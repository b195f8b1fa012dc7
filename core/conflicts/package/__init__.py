"""Stage 6: the release. Labelled pairs in; splits that share no article, statistics and a card out.

    entries      a row without its texts             select      as many of each domain as are wanted
    duplicates   one row a pair id                   split       article-disjoint, and the legacy by pairs
    components   articles joined by pairs            cut         which pairs to leave out so that they fit
    statistics   counts of a release                 card        the README of its folder

Source: BioDivergence (paper 004), section 5.1 and appendices F, J, M; metric-definitions 10.2 to 10.4.
"""

from core.conflicts.package.duplicates import Resolved, resolve
from core.conflicts.package.entries import Entry, entry_of
from core.conflicts.package.select import LEAST_CONFIDENCE, LEAST_OF_CONFLICTS, PER_DOMAIN, Pool, select
from core.conflicts.package.split import SPLITS, Split, legacy_split, split, violations

__all__ = [
    "LEAST_CONFIDENCE",
    "LEAST_OF_CONFLICTS",
    "PER_DOMAIN",
    "SPLITS",
    "Entry",
    "Pool",
    "Resolved",
    "Split",
    "entry_of",
    "legacy_split",
    "resolve",
    "select",
    "split",
    "violations",
]
