"""What a sentence says was found: the reader that extraction and annotation by rule share."""

from core.conflicts.finding.read import Finding, clause, findings, read
from core.conflicts.finding.words import Effect

__all__ = ["Effect", "Finding", "clause", "findings", "read"]
