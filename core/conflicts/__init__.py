"""Conflict labels: from articles to labelled pairs of claims, in six stages (BioDivergence, paper 004,
sections 3 to 5).

    collect      articles by query, from PubMed and Europe PMC            (files come in by `corpus add`)
    normalise    text repaired, duplicates merged, every merge told
    extract      sentences that state a finding, with type, slots, cues
    mine         pairs of like claims of different articles that may disagree
    annotate     a label of each pair: type, axes, confounder, reconciliation, evidence
    package      article-disjoint splits, audit, statistics, release card

`guide` holds the definitions that annotators and curators go by, `cues` the words of a context, `finding`
what a sentence says was found, `articles` how a passage is an article, `identity` the ids of claims and
pairs. `side_by_side` holds two abstracts against each other, in memory.
"""

STAGES = ("normalise", "extract", "mine", "annotate")
"""What `run conflicts` runs, in this order; collecting comes before a run and packaging after it."""
