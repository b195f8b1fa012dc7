"""E-1 by hand on a small ontology with two parents, a short cut and a branch of its own.

        R
       / \\
      A   B         A-C, C-D, A-D (a short cut), B-D (a second parent), B-E
      |\\  |\\
      C | | E
       \\|/
        D
"""

from __future__ import annotations

import pytest

from core.metrics.errors_lineage import Kin, elsewhere, nearest
from core.ontology.lineage import Lineage

LINKS = [("A", "R"), ("B", "R"), ("C", "A"), ("D", "C"), ("D", "A"), ("D", "B"), ("E", "B")]
LINEAGE = Lineage("RABCDE", LINKS)


@pytest.mark.parametrize(
    ("concept", "supported", "found"),
    [
        ("A", {"C"}, Kin("ancestor", ("A", "C"))),
        ("C", {"A"}, Kin("descendant", ("C", "A"))),
        ("D", {"A"}, Kin("descendant", ("D", "A"))),  # by the short cut
        ("R", {"D"}, Kin("ancestor", ("R", "A", "D"))),  # of two shortest ways the lower id
        ("D", {"R", "B"}, Kin("descendant", ("D", "B"))),  # the nearest
        ("C", {"A", "D"}, Kin("descendant", ("C", "A"))),  # of equally near ones the lowest id
        ("C", {"E", "D"}, Kin("ancestor", ("C", "D"))),
        ("C", {"E", "B"}, None),  # cousins and another branch
        ("A", {"B"}, None),  # siblings
        ("A", {"A", "C"}, None),  # supported itself
        ("A", set(), None),
        ("X", {"A"}, None),  # not in the ontology
        ("A", {"X"}, None),
    ],
)
def test_the_nearest_supported_concept_on_one_path(
    concept: str, supported: set[str], found: Kin | None
) -> None:
    assert nearest(concept, supported, LINEAGE) == found


def test_steps_are_counted_along_the_path() -> None:
    far = nearest("R", {"D"}, LINEAGE)
    assert far is not None
    assert far.steps == 2


@pytest.mark.parametrize(
    ("branches", "supported", "found"),
    [
        ({"A"}, [{"B"}], True),
        ({"A", "B"}, [{"B"}], False),
        ({"A"}, [{"B"}, {"A", "B"}], False),
        (set(), [{"B"}], False),  # nothing is known of it
        ({"A"}, [set()], False),
        ({"A"}, [], False),
    ],
)
def test_another_branch_is_one_that_no_supported_concept_shares(
    branches: set[str], supported: list[set[str]], found: bool
) -> None:
    assert elsewhere(branches, supported) is found
