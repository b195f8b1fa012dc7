"""What is in the list after each stage, and (sentence, concept) pairs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.sentence_pairs import pair_counts, sentence_pairs
from core.metrics.stage_lists import Stages, Step, brought_in, left, lists, out_by, per_way

ORDER = ("generate", "classify", "relabel")
IN, OUT, BACK = Step("generate", "candidate"), Step("classify", "dropped"), Step("relabel", "added")


def after(steps, **beside):
    return [sorted(held) for held in lists(Stages(ORDER, {"d": steps}, **beside), "d").values()]


def test_a_concept_is_listed_from_its_entry_to_its_drop():
    said = {
        "a": [IN],
        "b": [IN, OUT],
        "c": [IN, OUT, BACK],
        "d": [BACK],
        "e": [IN, Step("relabel", "added"), Step("relabel", "dropped")],
        "f": [Step("generate", "candidate"), Step("generate", "dropped")],
    }
    assert after(said) == [["a", "b", "c", "e"], ["a", "e"], ["a", "c", "d"]]


def test_a_document_that_failed_or_was_discarded_has_no_list_from_there_on():
    assert after({"a": [IN]}, failed={"d": "relabel"}) == [["a"], ["a"], []]
    assert after({"a": [IN]}, discarded={"d": "classify"}) == [["a"], [], []]
    assert after({"a": [IN]}, failed={"d": "generate"}) == [[], [], []]


def test_a_document_without_records_has_empty_lists():
    assert lists(Stages(ORDER, {}), "d") == {"generate": set(), "classify": set(), "relabel": set()}


def test_what_is_left_is_counted_over_documents():
    """d: a right throughout, b wrong and out at the second stage; e, thrown away by the second: a; f does not
    count. So right 2, 1, 1 and wrong 1, 0, 0."""
    said = {"d": {"a": [IN], "b": [IN, OUT]}, "e": {"a": [IN]}, "f": {"c": [IN]}}
    found = left(Stages(ORDER, said, discarded={"e": "classify"}), {"d": {"a"}, "e": {"a", "z"}})
    assert found == {"generate": (2, 1), "classify": (1, 0), "relabel": (1, 0)}


def test_one_object_is_asked_once():
    asked = []
    length = per_way(lambda steps: asked.append(steps) or len(steps))
    ways = [(IN,), (IN, OUT), (IN,)]
    assert [length(way) for way in (*ways, *ways)] == [1, 2, 1] * 2
    assert asked == ways


def test_records_beside_the_stages_change_no_list():
    assert after({"a": [IN, Step("oracle", "kept")]}) == [["a"], ["a"], ["a"]]


steps = st.lists(
    st.builds(Step, st.sampled_from(ORDER), st.sampled_from(["candidate", "kept", "dropped", "added"])),
    min_size=1,
    max_size=6,
).map(lambda held: sorted(held, key=lambda s: ORDER.index(s.stage)))


@settings(deadline=None)
@given(steps)
def test_the_last_list_holds_what_nothing_took_out(held):
    last = lists(Stages(ORDER, {"d": {"a": held}}), "d")["relabel"]
    entered = any(s.verdict in ("candidate", "added") for s in held)
    assert ("a" in last) == (entered and out_by(held) is None)
    assert brought_in(held) in held


# --- sentences ----------------------------------------------------------------------------------------------


def test_mentions_in_one_sentence_are_one_pair():
    """Sentences begin at 0 and 20. a: twice in the first; b: in both."""
    gold = {"a": [(0, 3), (10, 13)], "b": [(5, 8), (25, 28)]}
    pairs = sentence_pairs(gold, {"b": [(26, 28)], "c": [(20, 22)]}, [0, 20])
    assert pairs.gold == {(0, "a"), (0, "b"), (1, "b")}
    assert pairs.proposed == {(1, "b"), (1, "c")}
    assert pairs.gold & pairs.proposed == {(1, "b")}


def test_what_stands_before_the_first_sentence_is_in_it():
    assert sentence_pairs({"a": [(0, 2)]}, {}, [1, 9]).gold == {(0, "a")}


places = st.dictionaries(
    st.sampled_from("abc"), st.lists(st.integers(0, 40).map(lambda s: (s, s + 3)), min_size=1, max_size=2)
)


@settings(deadline=None)
@given(places, places, st.lists(st.integers(1, 40), max_size=4).map(lambda rest: [0, *sorted(set(rest))]))
def test_pairs_of_many_documents_are_counted_as_one_by_one(gold, proposed, starts):
    """The second document is the first with its sides changed, the third is empty."""
    rows = [(d, ord(c), s, d != at) for d in (0, 1) for at, side in enumerate((gold, proposed))
            for c, held in side.items() for s, _ in held]  # fmt: skip
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    found = pair_counts(3, *columns[:3], columns[3] > 0, lambda d, a, b: any(a < s <= b for s in starts))
    pairs = sentence_pairs(gold, proposed, starts)
    both = len(pairs.gold & pairs.proposed)
    expected = [len(pairs.gold), len(pairs.proposed), both], [len(pairs.proposed), len(pairs.gold), both]
    assert found.tolist() == [*expected, [0, 0, 0]]
