"""Answers that an earlier page may have changed are found, and nothing else, until somebody has looked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.records import Action, Answer, Assertion, ConceptClass, NewDecision, Span
from core.review import MADE_BY, Doubts, in_doubt
from core.review.views.passages import passage_views
from core.store import Workspace, decisions
from tests.review.clinic import FOCAL, HYPOTONIA, NERVOUS, SEIZURE, TEXTS, furnish, item

LOGICAL = ConceptClass.LOGICALLY_IMPLICIT
Give = Callable[..., int]


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    return furnish(workspace)


@pytest.fixture
def give(workspace: Workspace, at: dict[str, int]) -> Give:
    """`give(action, concept, doc, *quotes, of=...)`: an answer on the item of concept `of`, its number."""
    given = iter(range(1, 100))

    def give(
        action: Action,
        concept: str,
        doc: str,
        *quotes: str,
        of: str | None = None,
        kind: ConceptClass = ConceptClass.EXPLICIT,
        status: Assertion = Assertion.AFFIRMED,
        made: str = "life-",
        curator: str = "alpha",
        undoes: int | None = None,
        took: int | None = 900,
    ) -> int:
        text = TEXTS[doc]
        spans = tuple(Span(text.index(q), text.index(q) + len(q), q) for q in quotes)
        answer = Answer(concept, concept, status, kind, spans)
        on = item(workspace, at[doc], of or concept) if action is not Action.ADD else None
        new = NewDecision(
            f"{made}{next(given)}",
            curator,
            action,
            item_id=on,
            passage_id=None if on else at[doc],
            subject=None if on else concept,
            answer=answer if action in (Action.FIX, Action.ADD) else None,
            undoes=undoes,
            milliseconds=took,
        )
        (outcome,) = decisions.append(workspace, [new])
        assert outcome.refused is None
        assert outcome.number is not None
        return outcome.number

    return give


def found(workspace: Workspace, curator: str = "alpha") -> Doubts:
    return in_doubt(workspace, curator)


def test_fixes_that_kept_their_words_but_changed_the_concept(
    workspace: Workspace, at: dict[str, int], give: Give
) -> None:
    give(Action.FIX, NERVOUS, "d1", "seizure", of=SEIZURE)  # the concept alone: most are meant so
    give(Action.FIX, NERVOUS, "d1", "hypotonia", of=HYPOTONIA, kind=LOGICAL)
    give(Action.FIX, NERVOUS, "d2", of=SEIZURE)  # its evidence taken away
    give(Action.FIX, HYPOTONIA, "d2", "Hypotonia", of=HYPOTONIA, kind=LOGICAL)  # the concept is kept
    assert found(workspace).fixes == (
        item(workspace, at["d1"], HYPOTONIA),
        item(workspace, at["d2"], SEIZURE),
        item(workspace, at["d1"], SEIZURE),
    )
    assert found(workspace, "beta") == Doubts((), ())


def test_evidence_of_its_own_was_marked_for_the_concept(workspace: Workspace, give: Give) -> None:
    give(Action.FIX, FOCAL, "d1", "focal", of=SEIZURE, kind=LOGICAL)
    assert found(workspace) == Doubts((), ())


def test_an_answer_on_top_of_ones_own(workspace: Workspace, at: dict[str, int], give: Give) -> None:
    """What is kept may be the evidence of an earlier answer."""
    give(Action.FIX, FOCAL, "d1", "focal", of=SEIZURE)
    give(Action.FIX, NERVOUS, "d1", "focal", of=SEIZURE, kind=LOGICAL)
    assert found(workspace).fixes == (item(workspace, at["d1"], SEIZURE),)


def test_additions_without_the_last_word_of_their_evidence(
    workspace: Workspace, at: dict[str, int], give: Give
) -> None:
    give(Action.ADD, FOCAL, "d1", "focal seizure at two years")
    give(Action.ADD, FOCAL, "d2", "Her seizures")  # plural of a word of its name
    give(Action.ADD, NERVOUS, "d1", "Marked hypotonia")  # no word at all: not found by what was selected
    give(Action.ADD, NERVOUS, "d2")
    assert found(workspace) == Doubts((), (item(workspace, at["d1"], FOCAL),))


def test_what_a_page_of_today_makes_is_not_in_doubt(workspace: Workspace, give: Give) -> None:
    give(Action.FIX, NERVOUS, "d1", "seizure", of=SEIZURE, kind=LOGICAL, made=MADE_BY)
    give(Action.ADD, FOCAL, "d1", "focal seizure at two years", made=MADE_BY)
    assert found(workspace) == Doubts((), ())


def test_what_came_from_a_file_was_made_on_no_page(workspace: Workspace, give: Give) -> None:
    """A page tells how long an answer took; a log written elsewhere, such as the demo's, does not."""
    give(Action.FIX, NERVOUS, "d1", "seizure", of=SEIZURE, kind=LOGICAL, took=None)
    assert found(workspace) == Doubts((), ())


def test_whoever_says_it_again_is_not_asked_again(
    workspace: Workspace, at: dict[str, int], give: Give
) -> None:
    first = give(Action.FIX, NERVOUS, "d1", "seizure", of=SEIZURE, kind=LOGICAL)
    same = give(Action.FIX, NERVOUS, "d1", "seizure", of=SEIZURE, kind=LOGICAL, made=MADE_BY)
    assert same == first  # acknowledged as a repeat
    assert found(workspace) == Doubts((), ())


def test_another_answer_settles_it_and_its_undo_brings_it_back(
    workspace: Workspace, at: dict[str, int], give: Give
) -> None:
    give(Action.FIX, NERVOUS, "d1", "seizure", of=SEIZURE, kind=LOGICAL)
    rejected = give(Action.REJECT, SEIZURE, "d1", made=MADE_BY)
    assert found(workspace) == Doubts((), ())
    give(Action.UNDO, SEIZURE, "d1", undoes=rejected, made=MADE_BY)
    assert found(workspace).fixes == (item(workspace, at["d1"], SEIZURE),)


def test_the_page_is_told_which_items(workspace: Workspace, at: dict[str, int], give: Give) -> None:
    give(Action.FIX, NERVOUS, "d1", "seizure", of=SEIZURE, kind=LOGICAL)
    give(Action.FIX, NERVOUS, "d1", "hypotonia", of=HYPOTONIA, kind=LOGICAL, curator="beta")
    (passage,) = passage_views(workspace, "alpha", [at["d1"]])
    assert [i["concept"] for i in passage["items"] if i["doubted"]] == [SEIZURE]
