"""Ontology enrichment: what a newer release knows and an older one does not, as data to find and place it by.

releases       two versions as one problem: concepts that are new, and where they belong in the older version
catalogue      the edges of the older version between which a concept may be placed, complex parents included
mention_edges  mentions of a corpus with their edges, in the keys of the published data set

Source: ontology enrichment (paper 001), sections 3 to 5.1. Gold edges: metric-definitions 3.1 and 3.3.
"""
