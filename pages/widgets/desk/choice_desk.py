"""The review component that asks one thing about a concept of a passage, for each kind that is asked so. What
the curator goes by comes first in its module."""

from __future__ import annotations

import json
from typing import Any

from core import review
from pages.widgets.desk.component import Component

VIEW = ("words", "card", "view", "page")


def _desk(guide: dict[str, Any], view: tuple[str, ...] = VIEW, mounts: str = "ChoiceView") -> Component:
    words = f"const CHOICE = {json.dumps(guide)}\n"
    return Component("choice", view, mounts, words=words, name=guide["kind"])


errors = _desk(review.error_guide())
changes = _desk(review.change_guide())
rulings = _desk(review.ruling_guide(), (*VIEW, "ruling"), "RulingView")
