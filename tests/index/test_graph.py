"""Graphs of concepts: weights worked out by hand, whatever the order of the input."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from core.encode import Encoder
from core.errors import InputError
from core.index import Graph, osi, ossi, ssi

IS_A = [("b", "a"), ("c", "a"), ("d", "b"), ("d", "c"), ("d", "elsewhere"), ("a", "a")]
PLACES = {"north": (0.0, 1.0), "east": (1.0, 0.0), "north-east": (1.0, 1.0), "south": (0.0, -1.0)}


def test_a_link_of_the_ontology_weighs_one_by_the_number_of_parents() -> None:
    found = osi("dcba", IS_A)
    assert found.concepts == ("a", "b", "c", "d")
    assert found.links == {(0, 1): 1.0, (0, 2): 1.0, (1, 3): 0.5, (2, 3): 0.5}
    assert osi("abcd", reversed(IS_A)) == found


def test_a_parent_that_is_not_asked_for_does_not_count_as_one() -> None:
    assert osi("bd", IS_A).links == {(0, 1): 1.0}


class Placed:
    """A cache that holds the vectors of all names, so that no model is loaded."""

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        of = {hashlib.sha256(name.encode()).hexdigest(): place for name, place in PLACES.items()}
        unit = {h: np.array(of[h]) / np.linalg.norm(of[h]) for h in hashes}
        return {h: vector.astype("<f4").tobytes() for h, vector in unit.items()}

    def put(self, model: str, vectors: Mapping[str, bytes]) -> None:
        raise AssertionError("every vector is known")


def test_names_are_linked_to_their_nearest_by_one_by_one_and_the_squared_distance() -> None:
    names = {f"X:{n}": name for n, name in enumerate(("north", "east", "north-east", "south"))}
    found = ssi(names, Encoder(cache=Placed()), k=1)
    # north and east: 45 degrees from north-east, d² = 2 - 2 cos 45 = 0.5858; south: 90 from east, d² = 2
    assert found.links == {
        (0, 2): pytest.approx(1 / (1 + 2 - 2**0.5), abs=1e-6),
        (1, 2): pytest.approx(1 / (1 + 2 - 2**0.5), abs=1e-6),
        (1, 3): pytest.approx(1 / 3, abs=1e-6),
    }
    shuffled = ssi(dict(sorted(names.items(), reverse=True)), Encoder(cache=Placed()), k=1)
    assert shuffled == found


def test_a_lone_name_has_no_neighbour_and_none_can_be_asked_for_less_than_one() -> None:
    assert ssi({"X:1": "north"}, Encoder(cache=Placed())).links == {}
    with pytest.raises(InputError, match="at least 1"):
        ssi({"X:1": "north", "X:2": "east"}, Encoder(cache=Placed()), k=0)


def test_both_graphs_by_either_rule() -> None:
    structure = Graph(("a", "b", "c"), {(0, 1): 0.5, (1, 2): 1.0})
    near = Graph(("a", "b", "c"), {(0, 1): 0.75, (0, 2): 0.25})
    assert ossi(structure, near, "max").links == {(0, 1): 0.75, (0, 2): 0.25, (1, 2): 1.0}
    assert ossi(structure, near, "sum").links == {(0, 1): 1.25, (0, 2): 0.25, (1, 2): 1.0}
    with pytest.raises(InputError, match="'least' is no rule"):
        ossi(structure, near, "least")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="different concepts"):
        ossi(structure, Graph(("a",), {}))
