"""The review component for concept labels. What the curator goes by comes first in its module."""

from __future__ import annotations

import json

from core import review
from pages.widgets.desk.component import Component

VIEW = (
    *("words", "marks", "place", "card", "panel", "rows", "dialogs", "view", "page"),
    *("mentions", "mute", "together", "nested", "alike", "listing"),
)

desk = Component(
    "concept", VIEW, "ConceptView", words=f"const GUIDE = {json.dumps(review.concept_guide())}\n"
)
