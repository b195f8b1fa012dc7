"""Ontologies: reading files safely (`load`), fetching them (`fetch`), and lineage in memory (`lineage`)."""
