"""The review component for claim pairs. What the curator goes by comes first in its module."""

from __future__ import annotations

import json

from core import review
from pages.widgets.desk.component import Component

VIEW = ("words", "draft", "sides", "contexts", "card", "form", "view", "page")

desk = Component("pair", VIEW, "PairView", words=f"const GUIDE = {json.dumps(review.pair_guide())}\n")
