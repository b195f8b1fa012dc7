"""Scores on pages: any table of scores, any metric family, and the views of the metrics page.

    links = item_list.of_run(ws, run, evaluation)
    show_family(evaluation.families["assertions"], f"{state.METRICS}before_", links)
    show_table(table, state.AGREEMENT, links)

tables    one table: chart, numbers, download, and the items of the cell that was clicked
family    one family: notes, cards, tables, all values
"""

from pages.widgets.metrics.family import show_cards, show_family, show_notes
from pages.widgets.metrics.tables import pictures, show_chart, show_table

__all__ = ["pictures", "show_cards", "show_chart", "show_family", "show_notes", "show_table"]
