"""The review component for concept labels."""

from __future__ import annotations

from pages.widgets.desk.component import Component, message

VIEW = ("words", "passage", "card", "panel", "dialogs", "view", "page")

desk = Component("concept", VIEW, "ConceptView")
show = desk.show

__all__ = ["desk", "message", "show"]
