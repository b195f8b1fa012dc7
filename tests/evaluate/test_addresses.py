"""Under which items the rows of a list are reviewed, on a workspace small enough to know (ward.py)."""

import pytest

from core.evaluate import queued, review_items
from core.evaluate.curator_answers import concept_ratings
from core.evaluate.curators import review_items as items_of_ratings
from core.store import queue
from tests.evaluate import ward
from tests.evaluate.ward import RUN, A, B, C, D, E


@pytest.fixture
def ids(workspace):
    return ward.fill(workspace)


def own(workspace, ids):
    """(document, concept) -> item."""
    names = {passage: doc_id for doc_id, passage in ids.items()}
    rows = queue.items_of_passages(workspace, list(ids.values()))
    return {(names[row.passage_id], row.subject): row.id for row in rows}


def test_rows_become_items_in_their_order_each_once(workspace, ids):
    items = own(workspace, ids)
    rows = [("d4", A), ("d2", D), ("d1", E), ("d3", A), ("d2", C), ("elsewhere", A), ("d1", E)]
    found = review_items(workspace, RUN, rows)
    d4, d2, d1 = items["d4", A], items["d2", D], items["d1", E]
    assert found == [d4, d2, d1, None, items["d2", C], None, d1]
    assert queued(found) == ((d4, d2, d1, items["d2", C]), 2, 1)


def test_a_missed_concept_is_reviewed_beside_the_first_item_of_its_document(workspace, ids):
    items = own(workspace, ids)
    assert review_items(workspace, RUN, [("d1", B)]) == [items["d1", A]]


def test_a_concept_is_found_under_an_alternative_id(workspace, ids):
    with workspace.write() as db:
        said = (ids["d3"], ward.OLD_A)
        db.execute("INSERT INTO items (passage_id, kind, subject) VALUES (?, 'concept', ?)", said)
    assert review_items(workspace, RUN, [("d3", A)]) == [own(workspace, ids)["d3", ward.OLD_A]]


def test_what_another_curator_alone_added_is_in_no_list_yet(workspace, ids):
    ward.review(workspace, ids)  # alpha adds B to d1
    items = own(workspace, ids)
    rows = [("d1", B)]
    assert review_items(workspace, RUN, rows) == [items["d1", B]]
    assert review_items(workspace, RUN, rows, "alpha") == [items["d1", B]]
    assert review_items(workspace, RUN, rows, "beta") == [items["d1", A]]


def test_rows_of_an_agreement_lead_to_the_same_items(workspace, ids):
    ward.review(workspace, ids)
    ratings = concept_ratings(workspace, "ward")
    rows = [("d2", D), ("d1", A), ("d3", A)]
    assert items_of_ratings(workspace, ratings, rows) == review_items(workspace, RUN, rows)


def test_as_many_questions_are_asked_of_the_store_whatever_the_number_of_rows(workspace, ids):
    rows = [("d4", A), ("d2", D), ("d1", E), ("d2", C), ("d1", A)]
    few, many = [], []
    for wanted, seen in ((rows[:1], few), (rows * 40, many)):
        workspace.db.set_trace_callback(seen.append)
        review_items(workspace, RUN, wanted, "beta")
        workspace.db.set_trace_callback(None)
    assert len(few) == len(many) < 10


def test_an_empty_list_is_an_empty_queue(workspace, ids):
    assert review_items(workspace, RUN, []) == []
    assert queued([]) == ((), 0, 0)
