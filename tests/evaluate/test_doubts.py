"""Where review lowers a score, the items on which the gold may be wrong."""

from core.evaluate import evaluate_run
from core.evaluate.doubts import doubts_of
from core.evaluate.settings import Settings
from core.metrics.documents import Item
from core.records import Action, Answer, ConceptClass, NewDecision
from core.store import decisions
from tests.evaluate import ward


def reviewed(workspace, *actions):
    ids = ward.fill(workspace)
    decisions.add_curator(workspace, "alpha", "Alpha")
    found = [
        NewDecision(
            f"n{n}",
            "alpha",
            action,
            passage_id=ids[doc_id],
            subject=concept,
            answer=Answer(concept, "x", ward.AFFIRMED, ConceptClass.EXPLICIT)
            if action is Action.ADD
            else None,
        )
        for n, (action, doc_id, concept) in enumerate(actions)
    ]
    assert [outcome.refused for outcome in decisions.append(workspace, found)] == [None] * len(found)
    return evaluate_run(workspace, ward.RUN, ward.GOLD, Settings(bootstrap=100))


def test_what_review_adds_and_takes_away_against_the_gold(workspace):
    """A of d1 is right by the gold and rejected, E of d3 is not in the gold and added: both lower F1."""
    found = doubts_of(
        reviewed(
            workspace, (Action.REJECT, "d1", ward.A), (Action.ADD, "d3", ward.E), (Action.ADD, "d4", ward.C)
        )
    )
    assert found.lacks == (Item("d3", ward.E, "fp"), Item("d4", ward.C, "fp"))
    assert found.holds == (Item("d1", ward.A, "fn"),)
    assert "Micro F1" in found.sentence()
    assert "the gold may lack these 2 and the gold may hold these 1 wrongly" in found.sentence()


def test_a_review_that_lowers_nothing_raises_no_doubt(workspace):
    found = doubts_of(reviewed(workspace, (Action.REJECT, "d1", ward.E)))
    assert (found.lowered, found.lacks, found.holds, found.sentence()) == ((), (), (), "")
