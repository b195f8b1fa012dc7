"""What curators answered, in every field, by hand: the ward (tests/evaluate/ward.py), and claim pairs."""

import pytest

from core.errors import InputError, NotFoundError
from core.evaluate import Settings, agreement_of
from core.evaluate.curator_answers import concept_answers, pair_answers
from core.evaluate.curators import FIELDS
from core.metrics.near_agreement import ABSENT
from core.records import Action, Answer, ConceptClass, NewDecision
from core.store import decisions, queue
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, LABELS, A, B, C, D, E
from tests.store import pairing

PLAIN = Settings(bootstrap=0)


@pytest.fixture
def reviewed(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    ward.second_review(workspace, ids)
    return workspace


def said(ratings, universe="judged"):
    return {(d, item): labels for d, item, labels in ratings.universe(ratings.curators, universe)}


def kappa(found):
    return found.result.estimates["kappa:Alpha, Beta"].value


def fix(workspace, curator, passage, concept, to, meant=ConceptClass.EXPLICIT):
    decisions.add_curator(workspace, curator, curator.title())
    answer = Answer(to, LABELS[to], AFFIRMED, meant)
    new = NewDecision(
        f"{curator}-fix", curator, Action.FIX, passage_id=passage, subject=concept, answer=answer
    )
    assert [o.refused for o in decisions.append(workspace, [new])] == [None]


# --- fields of concepts -------------------------------------------------------------------------------------


def test_present_or_absent(reviewed):
    assert said(concept_answers(reviewed, "ward").fields["presence"], "named") == {
        ("d1", A): ("present", "present"),
        ("d1", B): ("present", ABSENT),
        ("d1", E): (ABSENT, "present"),
        ("d2", D): ("present", "present"),
    }
    # 2 of 4 equal, each present 3 and absent 1: (4·2 - 10)/(16 - 10)
    assert kappa(agreement_of(reviewed, "ward", field="presence", settings=PLAIN)) == pytest.approx(-1 / 3)


def test_classes(reviewed):
    fix(reviewed, "gamma", 1, A, A, ConceptClass.LOGICALLY_IMPLICIT)
    found = said(concept_answers(reviewed, "ward").fields["class"], "named")
    assert found["d1", A] == ("explicit", "explicit", "logically_implicit")
    assert found["d1", B] == ("explicit", ABSENT, None)


def test_which_concept_a_proposal_should_have_named(reviewed):
    ratings = concept_answers(reviewed, "ward").fields["concept"]
    assert said(ratings) == {
        ("d1", A): (A, A),
        ("d1", B): (B, None),  # beta closed without it: silence is no answer to a proposal
        ("d1", E): (ABSENT, E),
        ("d2", C): (None, ABSENT),
        ("d2", D): (D, D),
    }
    # A, D and (absent, E): 2 of 3 equal, A and D used once by each: (3·2 - 2)/(9 - 2)
    found = agreement_of(reviewed, "ward", field="concept", settings=PLAIN)
    assert kappa(found) == pytest.approx(4 / 7, abs=1e-9)
    (pairs,) = [t for t in found.result.tables if t.name == "pairs"]
    assert "pairwise F1" not in pairs.columns  # a concept is no status that counts


def test_what_was_turned_into_another_concept(reviewed):
    fix(reviewed, "gamma", 1, A, B)
    found = concept_answers(reviewed, "ward")
    assert said(found.fields["concept"])["d1", A] == (A, A, B)
    assert said(found.fields["presence"])["d1", A] == ("present", "present", ABSENT)
    assert said(found.fields["presence"])["d1", B] == ("present", ABSENT, "present")
    items = {i.subject: i.id for i in queue.items_of_passages(reviewed, [1])}
    assert found.fields["status"].items["d1", B] == items[B]  # alpha added it: it has an item of its own
    numbers = found.numbers["gamma"]
    assert numbers["d1", A] == numbers["d1", B] == decisions.chain_head(reviewed)[0]


def test_what_has_no_item_is_answered_under_what_was_turned_into_it(workspace):
    ward.fill(workspace)
    fix(workspace, "alpha", 1, A, C)
    found = concept_answers(workspace, "ward")
    items = {i.subject: i.id for i in queue.items_of_passages(workspace, [1])}
    assert found.fields["status"].items == {("d1", A): items[A], ("d1", C): items[A]}


def test_the_same_under_an_alternative_id(workspace):
    ward.fill(workspace)
    fix(workspace, "alpha", 1, A, A)
    found = concept_answers(workspace, "ward", {A: B}, {B: "Bruising"})
    assert said(found.fields["concept"]) == {("d1", B): (B,)}
    assert found.fields["concept"].names == {B: "Bruising"}
    assert found.proposed["d1", B] == "explicit"


def test_who_may_see_an_item_has_settled_it_in_some_field(reviewed):
    # beta has rejected C, by which it is settled in every field; alpha is unsure of it
    found = agreement_of(reviewed, "ward", field="concept", universe="judged", settings=PLAIN)
    missing = found.result.open("missing:0:1")
    assert [i.id for i in missing] == [B, C]
    assert [i.id for i in found.seen_by("alpha").result.open("missing:0:1")] == [B]
    assert [i.id for i in found.seen_by("beta").result.open("missing:0:1")] == [B, C]  # closed without B


# --- of one run ---------------------------------------------------------------------------------------------


def test_only_what_a_run_proposed(reviewed):
    found = agreement_of(reviewed, "ward", run=ward.RUN, settings=PLAIN)
    # B was added by hand. A, E (absent, affirmed), D (negated, affirmed): beta says one label throughout
    assert kappa(found) == 0
    (pairs,) = [t for t in found.result.tables if t.name == "pairs"]
    row = dict(zip(pairs.columns, pairs.rows[0], strict=True))
    assert (row["n"], row["items"], row["differ"]) == (2, 3, 2)
    ratings = concept_answers(reviewed, "ward", run=ward.RUN).fields["status"]
    assert ratings.unsure == {"alpha": 1, "beta": 0}
    assert ratings.closed["alpha"] == {"d1"}


def test_a_run_that_proposed_nothing_here(reviewed):
    with reviewed.write() as db:
        ward.add_run(db, "empty-1", 1, 1, {})
    assert "there is none" in agreement_of(reviewed, "ward", run="empty-1").result.absent


def test_a_run_that_does_not_fit_is_refused(reviewed):
    pairing.pair_up(reviewed)
    with pytest.raises(NotFoundError, match="missing-1"):
        agreement_of(reviewed, "ward", run="missing-1")
    with pytest.raises(InputError, match="labels corpus articles, not ward"):
        agreement_of(reviewed, "ward", run=pairing.RUN)
    with pytest.raises(InputError, match="proposes claim pairs"):
        agreement_of(reviewed, pairing.CORPUS, "concepts", run=pairing.RUN)
    with pytest.raises(InputError, match="proposes concepts"):
        agreement_of(reviewed, "ward", "pairs", run=ward.RUN)


def test_what_nobody_knows_is_named_with_what_there_is(reviewed):
    with pytest.raises(InputError, match=r"'colour'.*status, presence, class, concept"):
        agreement_of(reviewed, "ward", field="colour")
    with pytest.raises(InputError, match=r"'spans'.*concepts, pairs"):
        agreement_of(reviewed, "ward", "spans")
    with pytest.raises(InputError, match=r"'all'.*named, judged"):
        agreement_of(reviewed, "ward", universe="all")


# --- claim pairs --------------------------------------------------------------------------------------------


def test_pairs_in_every_field_and_of_one_run(workspace):
    made = pairing.pair_up(workspace)
    decisions.add_curator(workspace, "alpha", "Alpha")
    one, two = made.pairs
    accepted = NewDecision("alpha-1", "alpha", Action.FIX, item_id=one.item_id, answer=pairing.answer(one))
    unsure = NewDecision("alpha-2", "alpha", Action.UNSURE, item_id=two.item_id)
    assert [o.refused for o in decisions.append(workspace, [accepted, unsure])] == [None, None]
    for run in (None, pairing.RUN):
        found = pair_answers(workspace, pairing.CORPUS, run)
        assert tuple(found.fields) == FIELDS["pairs"]
        ((place, labels),) = said(found.fields["confounder"]).items()
        assert (place[1], labels) == (one.pair_id, ("geography",))
        assert found.fields["axes"].unsure == {"alpha": 1}
        assert found.fields["axes"].items[place] == one.item_id
        assert found.numbers["alpha"][place] == 1
    # the first by model and rule, of which the model speaks; the second by rule alone
    assert [found.proposed[key] for key in sorted(found.proposed, key=lambda key: key[1] != one.pair_id)] == [
        "contextual_contradiction",
        "no_conflict",
    ]


def test_the_kind_of_a_run_is_known(workspace):
    pairing.pair_up(workspace)
    found = agreement_of(workspace, pairing.CORPUS, run=pairing.RUN)
    assert (found.ratings.kind, found.ratings.asked) == ("pairs", "conflict_type")


# --- what they differ on ------------------------------------------------------------------------------------


def test_what_they_differ_on_in_any_field_each_once_the_worst_field_first(reviewed):
    found = agreement_of(reviewed, "ward", field="concept", settings=PLAIN)
    assert found.apart is not None
    assert [ratings.asked for ratings in found.apart.fields] == ["status", "presence", "class", "concept"]
    assert found.apart.disputed == (("d1", B), ("d1", E), ("d2", D))
    assert [unit[:2] for unit in found.differing] == [("d1", E)]


def test_what_was_adjudicated_is_settled_until_that_is_taken_back(reviewed):
    decisions.add_curator(reviewed, "gamma", "Gamma")
    items = {i.subject: i.id for i in queue.items_of_passages(reviewed, [1])}
    answer = Answer(B, LABELS[B], AFFIRMED, ConceptClass.EXPLICIT)
    ruling = NewDecision("gamma-1", "gamma", Action.ADJUDICATE, item_id=items[B], answer=answer)
    (outcome,) = decisions.append(reviewed, [ruling])
    assert outcome.refused is None
    found = agreement_of(reviewed, "ward", settings=PLAIN).apart
    assert found.disputed == (("d1", B), ("d1", E), ("d2", D))
    assert found.unsettled == (("d1", E), ("d2", D))
    undo = NewDecision("gamma-2", "gamma", Action.UNDO, item_id=items[B], undoes=outcome.number)
    assert decisions.append(reviewed, [undo])[0].refused is None
    found = agreement_of(reviewed, "ward", settings=PLAIN).apart
    assert found.unsettled == found.disputed
