"""MEM / SYN / CON / UNS: every rule of metric-definitions 2, worked out by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics import mem_syn_con
from core.metrics.bootstrap import draws
from core.metrics.mem_syn_con import Training, partition
from core.metrics.mentions import Occurrence, normalise, single_ids

EXACT = 1e-9
TRAINING = Training.of(["Skin tumour", "A-T"], ["D1", "D2|D3", "-1"])


def score(cut, **options):
    return mem_syn_con.score(cut, **options).estimates


def split_of(text, ids, training):
    return partition([Occurrence("d", 0, 1, "", text, ids)], [], training).splits[0]


def at(doc_id, start, text, *ids, end=None, kind=""):
    return Occurrence(doc_id, start, start + len(text) if end is None else end, kind, text, ids)


# --- normalising, and what training holds -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mention", "normalised"),
    [
        ("Ataxia-Telangiectasia (A-T)", "ataxia telangiectasia a t"),  # the specification's own example
        ("skin tumour", "skin tumour"),
        ("  skin \t\n tumour. ", "skin tumour"),
        ("A-T", "a t"),  # punctuation becomes a space, it is not deleted (R6)
        ("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", ""),  # all of the ASCII punctuation
        ("x_y", "x y"),
        ("A–T", "a–t"),  # punctuation beyond ASCII stays
        ("Straße", "straße"),  # lower-cased, not case-folded
        ("\u00a0skin\u2003tumour", "skin tumour"),  # white space beyond ASCII is white space
        ("", ""),
    ],
)
def test_a_mention_is_normalised(mention, normalised):
    assert normalise(mention) == normalised


@given(st.text())
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("field", "ids"),
    [
        ("D1", ("D1",)),
        ("D1|D2", ("D1", "D2")),
        ("D1+D2", ("D1", "D2")),
        ("D1|D2+D3", ("D1", "D2", "D3")),  # both signs, not one or the other (R7)
        (" D1 | | D2 +", ("D1", "D2")),  # trimmed, without empties
        ("", ()),
        (["D1|D2", "D3", ""], ("D1", "D2", "D3")),  # a list, element by element
        ("D1|D1", ("D1",)),
    ],
)
def test_a_field_of_ids_is_split(field, ids):
    assert single_ids(field) == ids


def test_training_holds_neither_the_empty_mention_nor_the_unknown_id():
    training = Training.of(["--", "A-T", "a t"], ["-1", "-1|D4"])
    assert training.mentions == {"a t"}
    assert training.concepts == {"D4"}


# --- which split a mention falls into -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ids", "split"),
    [
        ("SKIN  tumour", ("D9",), "MEM"),  # seen text, whatever its id
        ("a t", ("-1",), "MEM"),  # MEM is asked first (R5)
        ("skin tumours", ("D1",), "SYN"),
        ("skin tumours", ("D9", "D3"), "SYN"),  # one known id is enough
        ("skin tumours", ("D9|D3",), "SYN"),  # also within a field
        ("skin tumours", ("-1|D2",), "SYN"),  # of a mixed field the others decide
        ("skin tumours", ("D9",), "CON"),
        ("skin tumours", ("D9+D8",), "CON"),
        ("skin tumours", ("-1",), "CON"),  # -1 never makes a mention SYN, though training has it, too
        ("skin tumours", ("-1|D9",), "CON"),
        ("skin tumours", (), "CON"),
        ("...", ("D1",), "SYN"),  # nothing is left of it, so it is never MEM
        ("...", ("D9",), "CON"),
    ],
)
def test_the_split_of_a_mention(text, ids, split):
    assert split_of(text, ids, TRAINING) == split


def test_a_mention_without_letters_is_not_memorised_even_if_training_has_it():
    assert split_of("--", ("D9",), Training.of(["--"], ["D1"])) == "CON"


@pytest.mark.parametrize(("text", "split"), [("skin tumour", "MEM"), ("skin tumours", "UNS"), ("..", "UNS")])
def test_without_ids_what_is_not_seen_is_uns(text, split):
    assert split_of(text, ("D1",), Training.of(["Skin tumour", ".."], None)) == split


# --- the numbers --------------------------------------------------------------------------------------------

GOLD = [
    at("d1", 0, "Skin tumour", "D1"),  # MEM, found
    at("d1", 20, "skin tumour", "D9"),  # MEM, missed: the prediction is one character longer
    at("d1", 40, "A-T", "-1"),  # MEM, found
    at("d2", 0, "skin tumours", "D1"),  # SYN, found
    at("d2", 30, "new name", "D2"),  # SYN, missed: the prediction has another start
    at("d2", 50, "other", "D9"),  # CON, missed
]
SAID = [
    at("d1", 0, "Skin tumour").place,
    at("d1", 20, "", end=32).place,
    at("d1", 40, "A-T").place,
    at("d2", 0, "skin tumours").place,
    at("d2", 31, "", end=38).place,
    at("d2", 50, "other", kind="chemical").place,  # another type is another mention
    at("d3", 0, "", end=4).place,
]
DOCUMENTS = ("d1", "d2", "d3")


@pytest.fixture
def scored():
    return score(partition(GOLD, SAID, TRAINING, DOCUMENTS))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recall:MEM", 2 / 3),
        ("recall:SYN", 1 / 2),
        ("recall:CON", 0.0),
        ("recall:unseen", 1 / 3),
        ("mentions:MEM", 3),
        ("mentions:SYN", 2),
        ("mentions:CON", 1),
        ("share:MEM", 3 / 6),
        ("share:SYN", 2 / 6),
        ("share:CON", 1 / 6),
        ("precision", 3 / 7),
        ("recall", 3 / 6),
        ("f1", 6 / 13),
        ("overestimation", 3 / 6 - 1 / 3),
    ],
)
def test_values_by_hand(scored, name, value):
    assert scored[name].value == pytest.approx(value, abs=EXACT)
    assert scored[name].reason is None


def test_precision_and_f1_belong_to_no_split(scored):
    assert not [name for name in scored if name.startswith(("precision:", "f1:"))]


def test_each_value_says_how_many_documents_it_rests_on(scored):
    assert {name: scored[name].n for name in ("recall:MEM", "recall:CON", "precision")} == {
        "recall:MEM": 1,
        "recall:CON": 1,
        "precision": 3,
    }


def test_identical_mentions_collapse_into_one_with_the_ids_of_all():
    twice = [at("d1", 0, "new name", "D9"), at("d1", 0, "new name", "D1"), at("d1", 0, "new name", "D9")]
    cut = partition(twice, [twice[0].place, twice[0].place], TRAINING)
    assert [(m.ids, s) for m, s in zip(cut.mentions, cut.splits, strict=True)] == [(("D9", "D1"), "SYN")]
    assert score(cut)["precision"].value == 1.0


def test_a_mention_within_another_is_not_found_with_it():
    gold = [at("d1", 0, "skin tumour", "D1"), at("d1", 5, "tumour", "D1")]
    assert score(partition(gold, [gold[1].place], TRAINING))["recall"].value == 0.5


def test_an_empty_split_is_undefined():
    scored = score(partition([at("d1", 0, "A-T", "D1")], [], TRAINING))
    assert scored["recall:SYN"].value is None
    assert scored["recall:SYN"].reason == "No gold mention is SYN."
    assert scored["share:SYN"].value == 0.0  # a share of something that is there
    assert scored["recall:unseen"].value is None
    assert scored["overestimation"].value is None


def test_nothing_anywhere_is_undefined():
    scored = score(partition([], [], TRAINING, ["d1"]))
    assert {e.value for name, e in scored.items() if not name.startswith("mentions")} == {None}
    assert scored["precision"].reason == "Neither gold nor prediction holds a mention."


@pytest.mark.parametrize(("gold", "said"), [(GOLD[:1], []), ([], SAID[:1]), (GOLD[:1], SAID[1:2])])
def test_other_zero_denominators_give_zero(gold, said):
    scored = score(partition(gold, said, TRAINING))
    assert [scored[name].value for name in ("precision", "recall", "f1")] == [0.0, 0.0, 0.0]


def test_mentions_of_documents_that_are_not_scored_are_in_no_number():
    cut = partition(GOLD, SAID, TRAINING, ["d1"])
    assert score(cut)["precision"].value == pytest.approx(2 / 3, abs=EXACT)
    assert score(cut)["mentions:CON"].value == 0.0


def test_what_is_behind_the_numbers():
    cut = partition(GOLD, SAID, TRAINING, DOCUMENTS)
    assert [m.start for m in cut.of("MEM", found=True)] == [0, 40]
    assert [m.start for m in cut.of("unseen", found=False)] == [30, 50]
    assert len(cut.of()) == 6
    assert [place[1] for place in cut.spurious] == [20, 31, 50, 0]


# --- properties ---------------------------------------------------------------------------------------------

texts = st.sampled_from(["A-T", "skin tumour", "new name", "other", "..."])
fields = st.sampled_from(["D1", "D2|D9", "D9", "-1", ""])
mentions = st.lists(
    st.builds(
        lambda d, s, t, i: at(f"d{d}", s, t, i, end=s + 1),
        st.integers(0, 3),
        st.integers(0, 5),
        texts,
        fields,
    ),
    max_size=12,
)
quick = settings(max_examples=60, deadline=None)


@quick
@given(mentions, mentions, st.randoms(use_true_random=False))
def test_order_of_the_input_does_not_matter(gold, said, random):
    gold = list({m.place: m for m in gold}.values())
    places = [m.place for m in said]
    one = score(partition(gold, places, TRAINING))
    random.shuffle(gold)
    random.shuffle(places)
    assert score(partition(gold, places, TRAINING)) == one


@quick
@given(mentions.filter(bool))
def test_a_perfect_prediction_has_the_best_values(gold):
    scored = score(partition(gold, [m.place for m in gold], TRAINING))
    best = {name: e.value for name, e in scored.items() if name.startswith(("recall", "prec", "f1"))}
    assert set(best.values()) <= {1.0, None}
    assert best["recall"] == best["f1"] == 1.0


@quick
@given(mentions, mentions)
def test_splits_add_up_and_stay_in_range(gold, said):
    cut = partition(gold, [m.place for m in said], TRAINING)
    scored = score(cut)
    assert sum(scored[f"mentions:{s}"].value for s in cut.in_use) == len({m.place for m in gold})
    for name, e in scored.items():
        if e.value is not None and not name.startswith("mentions"):
            assert -1 <= e.value <= 1
            assert name == "overestimation" or e.value >= 0
    if gold:  # recall is the mean of the splits' recalls, each weighing as much as it holds
        parts = [(scored[f"share:{s}"].value, scored[f"recall:{s}"].value or 0.0) for s in cut.in_use]
        assert scored["recall"].value == pytest.approx(sum(w * r for w, r in parts), abs=EXACT)


def test_intervals_are_those_of_a_loop_over_the_same_resamples():
    random = np.random.default_rng(5)
    names = ["A-T", "skin tumour", "new name", "other"]
    ids = ["D1", "D2", "D9", "-1"]
    gold = [
        at(
            f"d{random.integers(20)}",
            int(s),
            names[random.integers(4)],
            ids[random.integers(4)],
            end=int(s) + 1,
        )
        for s in random.integers(0, 500, 80)
    ]
    said = [m.place for m in gold if random.random() < 0.6] + [at("d3", 900, "x").place]
    documents = [f"d{i}" for i in range(20)]
    cut = partition(gold, said, TRAINING, documents)
    lists = np.concatenate(list(draws(20, 200, 7)))
    again = score(cut, index_lists=lists)
    assert score(cut, index_lists=draws(20, 200, 7)) == again  # reproducible
    found: list[Fraction] = []
    for resample in lists:
        hits = total = 0
        for document in resample:
            for m, split, hit in zip(cut.mentions, cut.splits, cut.found, strict=True):
                if m.doc_id == documents[document] and split == "CON":
                    total, hits = total + 1, hits + hit
        if total:
            found.append(Fraction(int(hits), total))
    low, high = np.percentile([float(f) for f in found], [2.5, 97.5])
    assert again["recall:CON"].low == pytest.approx(low, abs=EXACT)
    assert again["recall:CON"].high == pytest.approx(high, abs=EXACT)
    assert again["recall:CON"].dropped == 200 - len(found)
