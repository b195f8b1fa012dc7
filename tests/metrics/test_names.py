"""Name regularity and abbreviations, by the rules in the docstring of core.metrics.names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import names
from core.metrics.bootstrap import draws
from core.metrics.mem_syn_con import Training, partition
from core.metrics.mentions import Occurrence
from core.metrics.names import KINDS, Looks, is_abbreviation, is_regular, kinds_of

EXACT = 1e-9


def score(looks, **options):
    return names.score(looks, **options).estimates


@pytest.mark.parametrize(
    "mention",
    [
        "Alport syndrome",
        "Alport Syndromes",
        "skin infections",
        "breast cancer",
        "breast cancers",
        "skin tumor",
        "skin tumours",  # British spelling
        "Cowden disease",
        "familial Cowden diseases",
        "Guillain-Barre-syndrome",  # punctuation is a space
        "breast cancer.",
        "X disease",
    ],
)
def test_a_regular_name_ends_in_a_pattern_after_another_word(mention):
    assert is_regular(mention)


@pytest.mark.parametrize(
    "mention",
    [
        "disease",  # no word before it
        "syndromes",
        "- cancer",  # punctuation is no word
        "disease of the skin",  # the pattern does not end it
        "syndrome type 2",
        "adenocarcinoma",
        "precancer",  # part of a word
        "skin precancer",
        "skin tumoral",
        "skin diseasess",
        "",
    ],
)
def test_other_names_are_not_regular(mention):
    assert not is_regular(mention)


@pytest.mark.parametrize("mention", ["AT", "SCA1", "T-PLL", "T - PLL", "VWS", "vWF", "NF-1A", "ABCDEFGHIJ"])
def test_abbreviations(mention):
    assert is_abbreviation(mention)


@pytest.mark.parametrize(
    "mention",
    [
        "I",  # one character
        "A1",  # one capital
        "At",
        "VWs type",  # two words
        "SCA 1",
        "Alport",
        "aBcD e",
        "xYzWvu",  # more small letters than capitals
        "ABCDEFGHIJK",  # longer than 10
        "123",
        "",
    ],
)
def test_what_is_no_abbreviation(mention):
    assert not is_abbreviation(mention)


def test_a_name_may_be_both_and_a_plain_one_is_neither():
    assert kinds_of("X-TUMOR") == ("regular", "abbreviation")
    assert kinds_of("adenoma") == ("plain",)


def at(doc_id, start, text, *ids):
    return Occurrence(doc_id, start, start + len(text), "", text, ids)


GOLD = [
    at("d1", 0, "Alport syndrome", "D1"),  # regular, MEM, found
    at("d1", 20, "Cowden disease", "D9"),  # regular, CON, missed
    at("d1", 40, "AT", "D1"),  # abbreviation, SYN, found
    at("d2", 0, "X-TUMOR", "D9"),  # both, CON, found
    at("d2", 20, "adenoma", "D9"),  # plain, CON, missed
]
CUT = partition(
    GOLD,
    [GOLD[i].place for i in (0, 2, 3)],
    Training.of(["alport syndrome"], ["D1"]),
    ["d1", "d2"],
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("regular_share", 3 / 5),
        ("abbreviation_share", 2 / 5),
        ("plain_share", 1 / 5),
        ("regular_recall", 2 / 3),
        ("abbreviation_recall", 1.0),
        ("plain_recall", 0.0),
        ("regular_share:CON", 2 / 3),
        ("regular_recall:CON", 1 / 2),
        ("abbreviation_share:CON", 1 / 3),
        ("abbreviation_recall:SYN", 1.0),
        ("regular_share:MEM", 1.0),
        ("plain_recall:MEM", None),  # U0: no such mention
    ],
)
def test_values_by_hand(name, value):
    found = score(Looks(CUT), splits=CUT.in_use)[name]
    assert found.value == (None if value is None else pytest.approx(value, abs=EXACT))
    assert (found.reason is None) == (value is not None)


def test_what_is_behind_the_numbers():
    looks = Looks(CUT)
    assert [m.text for m in looks.of("regular", "CON", found=False)] == ["Cowden disease"]
    assert [m.text for m in looks.of("regular", None, found=True)] == ["Alport syndrome", "X-TUMOR"]
    assert looks.count("abbreviation", None, found=True) == 2
    assert looks.count("plain", "MEM", found=False) == 0


def test_no_mention_is_undefined():
    found = score(Looks(partition([], [], Training.of(["a"], None), ["d1"])), index_lists=draws(1, 5, 1))
    assert {e.value for e in found.values()} == {None}


texts = st.sampled_from(["Alport syndrome", "AT", "X-TUMOR", "adenoma"])
mentions = st.lists(
    st.builds(lambda d, s, t: at(f"d{d}", s, t, "D1"), st.integers(0, 3), st.integers(0, 90), texts),
    max_size=9,
)


@settings(max_examples=60, deadline=None)
@given(mentions, mentions, st.randoms(use_true_random=False))
def test_range_order_and_the_perfect_prediction(gold, said, random):
    gold = list({m.place: m for m in gold}.values())
    training = Training.of(["at"], ["D1"])
    found = score(Looks(partition(gold, [m.place for m in said], training)), splits=("MEM", "SYN", "CON"))
    assert all(e.value is None or 0 <= e.value <= 1 for e in found.values())
    random.shuffle(gold)
    assert found == score(
        Looks(partition(gold, [m.place for m in reversed(said)], training)), splits=("MEM", "SYN", "CON")
    )
    perfect = score(Looks(partition(gold, [m.place for m in gold], training)))
    assert {perfect[f"{kind}_recall"].value for kind in KINDS} <= {1.0, None}
