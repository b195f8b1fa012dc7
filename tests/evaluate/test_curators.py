"""Agreement of curators from their decisions: concepts (tests/evaluate/ward.py) and claim pairs, by hand.

alpha and beta on the ward, concepts named by either:

| d1 | A affirmed, affirmed | B affirmed, absent (closed without it) | E absent (rejected), affirmed |
| d2 | D negated, affirmed  | C: alpha is unsure, beta rejects it: in the wider universe, and missing     |
"""

import pytest

from core.errors import InputError, NotFoundError
from core.evaluate import Settings, agreement_of
from core.evaluate.curator_agreement import curator_agreement
from core.evaluate.curator_answers import concept_ratings, pair_answers
from core.evaluate.curators import Ratings, review_items
from core.metrics.near_agreement import ABSENT
from core.records import Action, Answer, Axis, ConceptClass, ConflictType, NewDecision
from core.store import decisions, queue
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, OLD_A, A, B, C, D, E
from tests.store import pairing

PLAIN = Settings(bootstrap=0)


@pytest.fixture
def reviewed(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    ward.second_review(workspace, ids)
    return workspace


def decide(workspace, curator, *wanted):
    """(action, passage id, concept) each; answers are affirmed."""
    decisions.add_curator(workspace, curator, curator.title())
    head = decisions.chain_head(workspace)[0]
    new = []
    for n, (action, passage, concept) in enumerate(wanted):
        positive = action in (Action.ACCEPT, Action.ADD)
        answer = Answer(concept, concept, AFFIRMED, ConceptClass.EXPLICIT) if positive else None
        new.append(
            NewDecision(
                f"{curator}-{head}-{n}", curator, action, passage_id=passage, subject=concept, answer=answer
            )
        )
    assert [o.refused for o in decisions.append(workspace, new)] == [None] * len(new)


def table(found, name):
    return next(t for t in found.result.tables if t.name == name)


def row(found, number=0):
    t = table(found, "pairs")
    return dict(zip(t.columns, t.rows[number], strict=True))


def keys(items):
    return [(i.doc_id, i.id) for i in items]


# --- labels -----------------------------------------------------------------------------------------------


def test_what_is_a_label(reviewed):
    found = concept_ratings(reviewed, "ward")
    assert found.curators == ("alpha", "beta")
    said = {(doc_id, item): labels for doc_id, item, labels in found.universe(found.curators, "judged")}
    assert said == {
        ("d1", A): ("affirmed", "affirmed"),
        ("d1", B): ("affirmed", ABSENT),
        ("d1", E): (ABSENT, "affirmed"),
        ("d2", C): (None, ABSENT),
        ("d2", D): ("negated", "affirmed"),
    }
    assert ("d2", C) not in [unit[:2] for unit in found.universe(found.curators, "named")]
    assert all(
        found.label(c, d, i) == x
        for (d, i), both in said.items()
        for c, x in zip(found.curators, both, strict=True)
    )
    assert found.looked(found.curators) == ["d1", "d2"]
    assert found.unsure == {"alpha": 1, "beta": 0}


def test_silence_in_an_open_document_is_no_answer(reviewed):
    found = concept_ratings(reviewed, "ward")
    assert found.label("alpha", "d3", A) is None
    assert found.label("alpha", "d1", C) == ABSENT  # closed: nothing is missing


def test_what_was_proposed_before_closing_and_left_open_is_missing(workspace):
    ids = ward.fill(workspace)
    decide(workspace, "alpha", (Action.ACCEPT, ids["d1"], A), (Action.CLOSE, ids["d1"], None))
    found = concept_ratings(workspace, "ward")
    assert found.label("alpha", "d1", E) is None  # lexicon-1 had proposed it
    assert found.label("alpha", "d1", B) == ABSENT  # nobody had


def test_alternative_ids_are_one_concept(workspace):
    ids = ward.fill(workspace)
    decide(workspace, "alpha", (Action.ACCEPT, ids["d1"], A))
    decide(workspace, "beta", (Action.ADD, ids["d1"], OLD_A))
    assert len(concept_ratings(workspace, "ward").universe(("alpha", "beta"), "named")) == 2
    same = agreement_of(workspace, "ward", ontology="hp", settings=PLAIN)
    assert (row(same)["items"], row(same)["differ"]) == (1, 0)


def test_a_number_pins_what_was_said(reviewed):
    assert concept_ratings(reviewed, "ward", number=6).curators == ("alpha",)
    with pytest.raises(NotFoundError, match="99"):
        concept_ratings(reviewed, "ward", number=99)


# --- values -----------------------------------------------------------------------------------------------


def test_values_by_hand(reviewed):
    found = agreement_of(reviewed, "ward", ontology="hp", settings=PLAIN)
    r = row(found)
    assert (r["curators"], r["n"], r["items"], r["missing"], r["differ"]) == ("Alpha, Beta", 2, 4, 0, 3)
    # alpha: affirmed 2, absent 1, negated 1; beta: affirmed 3, absent 1
    # p_o 1/4, p_e (2·3 + 1·1)/16 = 7/16: kappa (4 - 7)/(16 - 7)
    assert r["observed"].value == pytest.approx(1 / 4, abs=1e-9)
    assert r["kappa"].value == pytest.approx(-1 / 3, abs=1e-9)
    # 8 ratings: affirmed 5, absent 2, negated 1: D_o 3/4, D_e (64 - 30)/56; alpha 1 - 0.75·56/34
    assert r["alpha"].value == pytest.approx(1 - 0.75 * 56 / 34, abs=1e-9)
    # affirmed counts: both A; only alpha B; only beta E and D
    assert r["pairwise F1"].value == pytest.approx(2 / 5, abs=1e-9)
    # Fleiss: mean P_i 1/4, P_e (25 + 4 + 1)/64: (16 - 30)/(64 - 30)
    assert found.result.estimates["fleiss"].value == pytest.approx(-14 / 34, abs=1e-9)
    assert found.result.estimates["alpha"].value == r["alpha"].value


def test_relatives_count_by_how_alike_they_are(reviewed):
    ratings = concept_ratings(reviewed, "ward")

    def similar(left, right):
        near = {frozenset((B, E)): 0.8}
        return [1.0 if a == b else near.get(frozenset((a, b)), 0.0) for a, b in zip(left, right, strict=True)]

    found = curator_agreement(ratings, PLAIN, similar=similar)
    # B of alpha and E of beta are paired: 2 (1 + 0.8) / (2 + 3)
    assert row(found)["hierarchy F1"].value == pytest.approx(3.6 / 5, abs=1e-9)
    # items (A, A), (B, E), (D negated, D affirmed): D_o (2·0.2 + 2)/6 = 0.4; labels A 2 and four single
    # ones: 36 - 8 = 28 ordered pairs, B and E at 0.2: 26.4/30 = 0.88
    assert row(found)["hierarchy alpha"].value == pytest.approx(1 - 0.4 / 0.88, abs=1e-9)
    plain = curator_agreement(
        ratings, PLAIN, similar=lambda a, b: [float(x == y) for x, y in zip(a, b, strict=True)]
    )
    assert row(plain)["hierarchy F1"].value == row(plain)["pairwise F1"].value


def test_the_wider_universe_holds_what_somebody_rejected(reviewed):
    found = agreement_of(reviewed, "ward", universe="judged", settings=PLAIN)
    assert (row(found)["items"], row(found)["missing"]) == (4, 1)
    assert keys(found.result.open("missing:0:1")) == [("d2", C)]
    assert row(found)["pairwise F1"].value == pytest.approx(2 / 5, abs=1e-9)


def test_three_curators_and_one_who_saw_less(reviewed):
    decide(reviewed, "gamma", (Action.ACCEPT, 1, A), (Action.REJECT, 1, E))
    found = agreement_of(reviewed, "ward", settings=PLAIN)
    assert [r[0] for r in table(found, "pairs").rows] == ["Alpha, Beta", "Alpha, Gamma", "Beta, Gamma"]
    # all three rated A (affirmed x 3) and E (absent, affirmed, absent): P_i 1 and 1/3, P̄ 2/3;
    # 4 affirmed and 2 absent: P_e 20/36; kappa (24 - 20)/(36 - 20)
    assert found.result.estimates["fleiss"].value == pytest.approx(1 / 4, abs=1e-9)
    together = table(found, "together")
    assert [r[-2:] for r in together.rows] == [(4, 0), (2, 2)]
    assert keys(found.result.open("rated:all")) == [("d1", A), ("d1", E)]
    # gamma has not judged B: missing for the two that differ in having it
    assert keys(found.result.open("missing:0:2")) == [("d1", B), ("d2", D)]


def test_intervals_resample_documents(reviewed):
    found = agreement_of(reviewed, "ward", settings=Settings(bootstrap=100, seed=5))
    again = agreement_of(reviewed, "ward", settings=Settings(bootstrap=100, seed=5))
    kappa = row(found)["kappa"]
    assert kappa == row(again)["kappa"]
    # d1 alone: p_o 1/3, p_e (2·2 + 1)/9: -1/2; d2 alone: two constant labels, 0
    assert (kappa.low, kappa.high) == (pytest.approx(-0.5), pytest.approx(0.0))


# --- what cells open --------------------------------------------------------------------------------------


def test_every_cell_opens_as_many_items_as_it_says(reviewed):
    decide(reviewed, "gamma", (Action.ACCEPT, 1, A), (Action.REJECT, 1, E))
    found = agreement_of(reviewed, "ward", ontology="hp", settings=PLAIN)
    opened = found.result.open
    for t in found.result.tables:
        for cells, ks in zip(t.rows, t.opens, strict=True):
            for cell, key in zip(cells, ks, strict=True):
                if isinstance(cell, int) and key is not None:
                    assert len(opened(key)) == cell, (t.name, key)
    for name in found.result.estimates:
        assert {i.outcome for i in opened(name)} <= {"differ"}
    assert keys(opened("kappa:Alpha, Beta")) == [("d1", B), ("d1", E), ("d2", D)]
    with pytest.raises(KeyError):
        opened("tp")


def test_an_item_says_who_said_what_to_those_who_may_know(reviewed):
    found = agreement_of(reviewed, "ward", settings=PLAIN)
    items = found.result.open("differ:0:1")
    assert items[0].detail == "Alpha: affirmed; Beta: absent"
    decide(reviewed, "gamma", (Action.REJECT, 1, E))
    again = agreement_of(reviewed, "ward", settings=PLAIN)
    everything = again.result.open("differ:0:1")
    assert keys(again.seen_by("gamma").result.open("differ:0:1")) == [("d1", E)]
    assert again.seen_by(None).result.open("differ:0:1") == everything
    unseen = again.seen_by("nobody")
    assert unseen.result.open("differ:0:1") == unseen.result.open("alpha") == []
    for shown in (*unseen.overview, unseen.labels_of("alpha", "beta")):
        assert not any(items() for items in shown.items.values())


def test_each_curator(reviewed):
    found = agreement_of(reviewed, "ward", settings=PLAIN)
    rows = table(found, "curators").rows
    assert [r[:5] for r in rows] == [("Alpha", 1, 3, 1, 1), ("Beta", 1, 3, 1, 0)]
    assert rows[0][5].value == pytest.approx(1 / 5, abs=1e-9)


def test_items_to_review(reviewed):
    found = concept_ratings(reviewed, "ward")
    (item,) = [i for i in queue.items_of_passages(reviewed, [1]) if i.subject == E]
    first = min(i.id for i in queue.items_of_passages(reviewed, [1]))
    assert first != item.id
    missed = "HP:0099999"  # nobody has spoken of it: it is added beside the first item
    assert queue.items_of_passages(reviewed, [3]) == []
    wanted = [("d1", E), ("d1", missed), ("d3", E), ("d9", E)]
    assert review_items(reviewed, found, wanted) == [item.id, first, None, None]


# --- too few, and none ------------------------------------------------------------------------------------


def test_nobody_and_one_alone(workspace):
    ids = ward.fill(workspace)
    assert "there is none" in agreement_of(workspace, "ward").result.absent
    ward.review(workspace, ids)
    assert "there is only one" in agreement_of(workspace, "ward").result.absent
    with pytest.raises(NotFoundError, match="clinic"):
        agreement_of(workspace, "clinic")


def test_two_who_never_met(workspace):
    ids = ward.fill(workspace)
    decide(workspace, "alpha", (Action.ACCEPT, ids["d1"], A))
    decide(workspace, "beta", (Action.ACCEPT, ids["d2"], D))
    r = row(agreement_of(workspace, "ward", settings=PLAIN))
    assert (r["items"], r["missing"], r["n"], r["observed"].value) == (0, 2, 0, None)
    assert (r["kappa"].value, r["alpha"].value, r["pairwise F1"].value) == (None, None, None)
    assert r["kappa"].reason == "No item was rated by both."


def test_names_that_two_curators_share_are_told_apart():
    labels = {c: {"d": {"x": "affirmed"}} for c in ("a1", "a2")}
    people = {"a1": "Alpha (a1)", "a2": "Alpha (a2)"}
    found = curator_agreement(Ratings("c", "concepts", ("a1", "a2"), labels, people=people), PLAIN)
    assert row(found)["curators"] == "Alpha (a1), Alpha (a2)"
    assert row(found)["kappa"].value is None  # one label for everything


# --- claim pairs ------------------------------------------------------------------------------------------


@pytest.fixture
def paired(workspace):
    made = pairing.pair_up(workspace)
    for curator in ("alpha", "beta"):
        decisions.add_curator(workspace, curator, curator.title())
    one, two = made.pairs

    def say(n, curator, action, pair, **fields):
        answer = pairing.answer(pair, **fields) if fields or action is Action.FIX else None
        new = NewDecision(f"{curator}-{n}", curator, action, item_id=pair.item_id, answer=answer)
        (outcome,) = decisions.append(workspace, [new])
        assert outcome.refused is None

    say(1, "alpha", Action.FIX, one, axes=(Axis.GEOGRAPHY, Axis.POPULATION_COHORT))
    say(1, "beta", Action.FIX, one)
    say(2, "alpha", Action.FIX, two, conflict_type=ConflictType.NO_CONFLICT, axes=(), confounder=None)
    say(2, "beta", Action.REJECT, two)
    return workspace, one, two


def test_pairs_by_conflict_type(paired):
    workspace, one, two = paired
    ratings = pair_answers(workspace, pairing.CORPUS).fields["conflict_type"]
    found = curator_agreement(ratings, PLAIN)
    r = row(found)
    assert (r["items"], r["differ"], r["observed"].value) == (2, 1, 0.5)
    # labels: contextual twice; none against rejected. p_e 1/4: kappa (1/2 - 1/4)/(3/4)
    assert r["kappa"].value == pytest.approx(1 / 3, abs=1e-9)
    (item,) = found.result.open("differ:0:1")
    assert (item.id, item.detail) == (two.pair_id, "Alpha: no conflict; Beta: rejected")
    assert review_items(workspace, ratings, [(item.doc_id, item.id)]) == [two.item_id]
    assert "pairwise F1" not in table(found, "pairs").columns
    assert keys(found.result.open("rated:0:1"))[0][1] in (one.pair_id, two.pair_id)


def test_pairs_by_axes_count_what_overlaps(paired):
    workspace, _, _ = paired
    found = agreement_of(workspace, pairing.CORPUS, "pairs", "axes", settings=PLAIN)
    # labels {geography, population} and {geography} (Jaccard 1/2), {} and rejected (1): n = 4
    # D_o (2·1/2 + 2·1)/4 = 3/4; D_e: 12 ordered pairs, 10 at 1 and 2 at 1/2: 11/12
    assert found.result.estimates["overlap_alpha"].value == pytest.approx(1 - (3 / 4) / (11 / 12), abs=1e-9)
    assert found.result.estimates["alpha"].value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("field", "labels"), [("comparable", ("comparable",) * 2), ("confounder", ("geography",) * 2)]
)
def test_other_fields(paired, field, labels):
    workspace, one, _ = paired
    found = pair_answers(workspace, pairing.CORPUS).fields[field]
    (doc_id,) = [d for d, item, _ in found.universe(found.curators, "named") if item == one.pair_id]
    assert tuple(found.label(c, doc_id, one.pair_id) for c in found.curators) == labels


def test_an_unknown_field_is_named(paired):
    with pytest.raises(InputError, match="colour"):
        agreement_of(paired[0], pairing.CORPUS, "pairs", "colour", settings=PLAIN)
