"""The review component for concept labels."""

from __future__ import annotations

from pages.widgets.desk.component import Component

VIEW = ("words", "passage", "card", "panel", "rows", "dialogs", "view", "page")

desk = Component("concept", VIEW, "ConceptView")
