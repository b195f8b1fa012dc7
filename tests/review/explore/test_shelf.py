"""Documents by their words, and what narrows them."""

from __future__ import annotations

import pytest

from core.errors import NotFoundError
from core.records import Action, Document, NewDecision
from core.review.explore import Asked, Results, look
from core.store import Workspace, corpora, decisions
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, add_corpus, furnish, item
from tests.store.test_search import HOSTILE


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    """The clinic's three passages, and one of another corpus with the same text as d3."""
    at = furnish(workspace)
    return at | add_corpus(workspace, {"e1": "Nothing of note but cataract."}, "other")


def found(workspace: Workspace, typed: str = "", **filters: object) -> Results:
    return look(workspace, Asked(typed, **filters), "alpha", first=0, most=10)  # type: ignore[arg-type]


def ids(workspace: Workspace, typed: str = "", **filters: object) -> set[int]:
    return {row.id for row in found(workspace, typed, **filters).rows}


def test_one_text_in_two_corpora_is_two_documents(workspace: Workspace, at: dict[str, int]) -> None:
    assert ids(workspace, "cataract") == {at["d1"], at["d3"], at["e1"]}
    assert ids(workspace, "cataract", corpus="other") == {at["e1"]}
    assert ids(workspace, "cataract hypotonia") == {at["d1"]}


def test_a_title_and_an_id_are_found_and_come_first(workspace: Workspace, at: dict[str, int]) -> None:
    assert ids(workspace, "note d2") == {at["d2"]}, "its title is Note d2"
    with workspace.write() as db:
        of = corpora.corpus(workspace, "other").id
        said = Document("seizures", "Nothing.", title="Of other things")
        [(passage, _)] = corpora.insert_passages(db, of, [said])
    assert found(workspace, "seizures").rows[0].id == passage
    assert ids(workspace, "seizures") == {passage, at["d1"], at["d2"]}


def test_words_that_nobody_wrote_are_taken_as_beginnings(workspace: Workspace, at: dict[str, int]) -> None:
    results = found(workspace, "likely hypot")
    assert ([row.id for row in results.rows], results.beginning) == ([at["d2"]], "hypot")
    assert found(workspace, "hypotonia").beginning is None
    assert found(workspace, "hy zz").total == 0


def test_filters(workspace: Workspace, at: dict[str, int]) -> None:
    assert ids(workspace) == set(at.values())
    assert ids(workspace, run="alpha") == {at["d1"], at["d2"], at["d3"]}
    assert ids(workspace, gold=True) == set()
    with pytest.raises(NotFoundError):
        found(workspace, run="nobody")


def test_a_document_is_unanswered_until_every_label_has_an_answer(
    workspace: Workspace, at: dict[str, int]
) -> None:
    assert ids(workspace, unanswered=True) == {at["d1"], at["d2"], at["d3"]}
    for concept in (SEIZURE, HYPOTONIA):
        new = NewDecision(f"b-{concept}", "beta", Action.REJECT, item_id=item(workspace, at["d2"], concept))
        decisions.append(workspace, [new])
    new = NewDecision("one", "beta", Action.REJECT, item_id=item(workspace, at["d1"], CATARACT))
    decisions.append(workspace, [new])
    assert ids(workspace, unanswered=True) == {at["d1"], at["d3"]}


def test_pages_do_not_overlap_and_the_total_is_of_all(workspace: Workspace) -> None:
    add_corpus(workspace, {f"n{n}": f"Fever number {n}." for n in range(25)}, "many")
    pages = [look(workspace, Asked("fever"), None, first=at, most=10) for at in (0, 10, 20)]
    rows = [row.id for page in pages for row in page.rows]
    assert (len(rows), len(set(rows)), {page.total for page in pages}) == (25, 25, {25})


@pytest.mark.parametrize("typed", HOSTILE, ids=lambda typed: ascii(typed[:12]))
def test_whatever_is_typed_is_looked_for(workspace: Workspace, at: dict[str, int], typed: str) -> None:
    assert found(workspace, typed).total >= 0
