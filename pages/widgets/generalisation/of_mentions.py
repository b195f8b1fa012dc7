"""What two files of mentions say: discovery of what an older ontology lacks, or places ranked for it."""

from __future__ import annotations

from core.evaluate.families.result import FamilyResult
from pages.widgets.generalisation.uploads import KEY
from pages.widgets.item_list import Links, nowhere
from pages.widgets.metrics import show_notes, show_table
from pages.widgets.metrics.family import all_values

FAMILIES = ("discovery", "placement")
LINKS = Links(nowhere, head="mention")


def show(result: FamilyResult) -> None:
    """Tables alone: the cards of a family speak of documents, and these values rest on mentions."""
    base = f"{KEY}{result.family}_"
    show_notes(result.caveats)
    for table in (*result.tables, all_values(result)):
        show_table(table, base, LINKS)
