"""Mentions of concepts that an older version of an ontology lacks: found (discovery) and placed (placement).

    evaluate_mentions(Path("said.jsonl"), Path("gold.jsonl"))    # linked mentions, or ranked edges

files      two files, by what they hold          settings   resamples
discovery  linked mentions as a family           placement  ranked edges as a family
"""

from core.evaluate.enrichment.files import evaluate_mentions
from core.evaluate.enrichment.settings import EnrichmentSettings

__all__ = ["EnrichmentSettings", "evaluate_mentions"]
