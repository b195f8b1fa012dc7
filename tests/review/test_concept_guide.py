"""What the help of concept review tells."""

from __future__ import annotations

import json

from core import review
from core.records import Assertion, ConceptClass


def test_every_class_and_status_is_told_with_an_example() -> None:
    guide = json.loads(json.dumps(review.concept_guide()))
    assert [row["value"] for row in guide["classes"]] == [kind.value for kind in ConceptClass]
    assert [row["value"] for row in guide["statuses"]] == [status.value for status in Assertion]
    for row in (*guide["classes"], *guide["statuses"]):
        assert row.keys() == {"value", "name", "definition", "boundary", "example"}
        assert all(text.endswith((".", ".”")) for text in list(row.values())[2:]), row
        assert "“" in row["example"]
