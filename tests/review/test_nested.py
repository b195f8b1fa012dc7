"""Broader concepts that stand in a text only inside the words of a narrower one."""

from __future__ import annotations

from typing import Any

import pytest

from core.ontology.lineage import Lineage
from core.records import Assertion, Draft, Evidence
from core.review.frames import Wanted, open_frame
from core.review.nested import Mention, hosts
from core.review.views.passages import passage_views
from core.store import Workspace, decisions, ontologies
from tests.review.clinic import FOCAL, HYPOTONIA, NERVOUS, SEIZURE, add_corpus, add_run, draft, ontology

TEXT = "A focal seizure at night, and no fever."
SHORT, WHOLE = (8, 15), (2, 15)
"""Where "seizure" and "focal seizure" stand."""


@pytest.fixture
def lineage() -> Lineage:
    known = ontology().concepts
    return Lineage([c.curie for c in known], [(c.curie, p) for c in known for p in c.parents])


def test_a_broader_one_inside_a_narrower_ones_words_is_found(lineage: Lineage) -> None:
    said = {1: Mention(FOCAL, "affirmed", (WHOLE,)), 2: Mention(SEIZURE, "affirmed", (SHORT,))}
    assert hosts(lineage, said) == {2: 1}
    assert hosts(lineage, {1: said[1], 2: Mention(SEIZURE, "affirmed", (WHOLE,))}) == {2: 1}


@pytest.mark.parametrize(
    "other",
    [
        Mention(SEIZURE, "affirmed", (SHORT, (30, 37))),  # it is named elsewhere, too
        Mention(SEIZURE, "affirmed", ((8, 17),)),  # it reaches beyond
        Mention(SEIZURE, "negated", (SHORT,)),
        Mention(HYPOTONIA, "affirmed", (SHORT,)),  # a sibling's child
        Mention(FOCAL, "affirmed", (SHORT,)),  # the concept itself
        Mention("X:1", "affirmed", (SHORT,)),  # the ontology does not hold it
    ],
)
def test_nothing_else_is(lineage: Lineage, other: Mention) -> None:
    assert hosts(lineage, {1: Mention(FOCAL, "affirmed", (WHOLE,)), 2: other}) == {}


def test_the_places_of_one_narrower_concept_hold_all_of_them(lineage: Lineage) -> None:
    """Two narrower ones that share them do not."""
    broad = Mention(NERVOUS, "affirmed", ((0, 5), (20, 25)))
    focal, weak = Mention(FOCAL, "affirmed", ((0, 9),)), Mention(HYPOTONIA, "affirmed", ((19, 25),))
    assert hosts(lineage, {1: focal, 2: weak, 3: broad}) == {}
    assert hosts(lineage, {1: focal._replace(places=((0, 9), (18, 25))), 2: weak, 3: broad}) == {3: 1}


def test_of_a_chain_all_lie_in_the_narrowest(lineage: Lineage) -> None:
    chain = {
        3: Mention(FOCAL, "affirmed", (WHOLE,)),
        2: Mention(SEIZURE, "affirmed", (SHORT,)),
        1: Mention(NERVOUS, "affirmed", (SHORT,)),
    }
    assert hosts(lineage, chain) == {2: 3, 1: 3}


def seen(workspace: Workspace, drafts: list[Draft], curator: str = "alpha") -> dict[str, Any]:
    ontologies.add_ontology(workspace, ontology())
    at = add_corpus(workspace, {"d1": TEXT})["d1"]
    add_run(workspace, {at: drafts})
    decisions.add_curator(workspace, curator, curator.title())
    return {one["concept"]: one for one in passage_views(workspace, curator, [at])[0]["items"]}


def test_a_passage_says_which_item_lies_inside_which(workspace: Workspace) -> None:
    found = seen(workspace, [draft(SEIZURE, TEXT, "seizure"), draft(FOCAL, TEXT, "focal seizure")])
    assert found[SEIZURE]["inside"] == found[FOCAL]["id"]
    assert found[FOCAL]["inside"] is None


def test_a_quote_that_does_not_stand_in_the_text_lies_nowhere(workspace: Workspace) -> None:
    lost = draft(SEIZURE, TEXT, "seizure")
    twice = Draft(
        lost.concept,
        lost.label,
        Assertion.AFFIRMED,
        lost.concept_class,
        0.9,
        "",
        (*lost.evidence, Evidence("fits", None, None, False)),
    )
    found = seen(workspace, [twice, draft(FOCAL, TEXT, "focal seizure")])
    assert found[SEIZURE]["inside"] is None


def test_a_blind_item_neither_holds_another_nor_lies_in_one(workspace: Workspace) -> None:
    seen(workspace, [draft(SEIZURE, TEXT, "seizure"), draft(FOCAL, TEXT, "focal seizure")])
    open_frame(workspace, Wanted("alpha", "blind", blind=1.0))
    [view] = passage_views(workspace, "alpha", [1])
    assert {one["inside"] for one in view["items"]} == {None}
