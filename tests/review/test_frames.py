"""Opening frames: strata, a root, claim pairs, and what is refused."""

from __future__ import annotations

import hashlib

import pytest

from core.errors import InputError, NotFoundError
from core.metrics import draw
from core.records import Action, ConceptClass
from core.review.audit import Audit, draw_audit
from core.review.frames import Wanted, next_units, open_frame
from core.store import Workspace, frames, ontologies
from core.store.blind import decoys
from core.store.chain import verify
from tests.evaluate.test_estimated import answer, say
from tests.review.auditing import GOLD, with_gold
from tests.review.clinic import (
    CATARACT,
    EYE,
    FOCAL,
    HYPOTONIA,
    NERVOUS,
    ROOT,
    SEIZURE,
    TEXTS,
    add_corpus,
    add_run,
    draft,
    furnish,
    item,
    ontology,
)
from tests.review.pairs import library


@pytest.fixture
def places(workspace: Workspace) -> dict[str, int]:
    return furnish(workspace)


def chances(workspace: Workspace, name: str) -> dict[str, float]:
    """Document and concept -> q."""
    return {unit.id.removeprefix("ward/"): unit.q for unit in frames.units(workspace, name)}


# --- strata -----------------------------------------------------------------------------------------------


def test_strata_by_branch_worked_by_hand(workspace: Workspace, places: dict[str, int]) -> None:
    """Four of the five lie in the nervous system, one in the eye: scores 0.8 * 0.5 and 0.2 * 0.5, their mean
    over the five 0.34, so (0.4 / 0.34 + 1) / 2 and (0.1 / 0.34 + 1) / 2."""
    frame = open_frame(workspace, Wanted("alpha", "cut", policy="strata", by="branch"))
    found = chances(workspace, "cut")
    assert found.pop(f"d3/{CATARACT}") == pytest.approx(11 / 17, abs=1e-12)
    assert list(found.values()) == pytest.approx([37 / 34] * 4, abs=1e-12)
    assert (frame.policy, frame.scope) == (
        "strata",
        {"assertions": ["affirmed", "uncertain"], "by": "branch"},
    )
    u = {one: int(hashlib.sha256(f"13|ward/{one}".encode()).hexdigest(), 16) / 2**256 for one in found}
    u[f"d3/{CATARACT}"] = int(hashlib.sha256(f"13|ward/d3/{CATARACT}".encode()).hexdigest(), 16) / 2**256
    q = chances(workspace, "cut")
    assert list(q) == sorted(q, key=lambda one: u[one] / q[one])
    assert verify(workspace).problems == ()


@pytest.mark.parametrize(
    ("by", "rare"),
    [("class", f"d1/{SEIZURE}"), ("assertion", f"d2/{HYPOTONIA}"), ("stage", None)],
)
def test_strata_are_what_is_proposed(workspace: Workspace, by: str, rare: str | None) -> None:
    ontologies.add_ontology(workspace, ontology())
    at = add_corpus(workspace, TEXTS)
    implied = draft(SEIZURE, concept_class=ConceptClass.LOGICALLY_IMPLICIT)
    uncertain = draft(HYPOTONIA, assertion=next(iter(Wanted("", "").assertions[1:])))
    given = {at["d1"]: [implied, draft(HYPOTONIA)], at["d2"]: [draft(SEIZURE), uncertain]}
    add_run(workspace, given)
    open_frame(workspace, Wanted("alpha", "cut", policy="strata", by=by))
    found = chances(workspace, "cut")
    lowest = [unit for unit, q in found.items() if q < 1]
    assert lowest == ([rare] if rare else [])
    if rare is None:
        assert set(found.values()) == {1.0}  # one stage proposed all


def test_a_pilot_says_how_many_are_right_in_each_stratum(
    workspace: Workspace, places: dict[str, int]
) -> None:
    """Of the nervous system three are right and one is wrong, p = 3/4; the cataract is right, p = 1 and the
    score 0. So 0.8 * sqrt(3/16) against 0, their mean over the five 0.8 of the first: (1 / 0.8 + 1) / 2."""
    open_frame(workspace, Wanted("alpha", "first", seed="1"))
    for unit in frames.units(workspace, "first"):
        concept = unit.id.split("/")[-1]
        wrong = unit.id == f"ward/d2/{HYPOTONIA}"
        action, said = (Action.REJECT, None) if wrong else (Action.ACCEPT, answer(concept))
        last = say(workspace, "alpha", action, unit.item_id or 0, answer=said)
    frame = open_frame(workspace, Wanted("alpha", "cut", policy="strata", by="branch", pilot="first"))
    found = chances(workspace, "cut")
    assert found.pop(f"d3/{CATARACT}") == 0.5
    assert list(found.values()) == pytest.approx([1.125] * 4, abs=1e-12)
    assert frame.scope["pilot"] == f"estimated@{last}:first"
    for pilot, error in (("none", NotFoundError), ("notes", InputError)):
        if pilot == "notes":
            open_frame(workspace, Wanted("alpha", "notes", unit="passage"))
        with pytest.raises(error):
            open_frame(workspace, Wanted("alpha", "x", policy="strata", by="branch", pilot=pilot))


def test_an_audit_set_names_the_same_strata(workspace: Workspace) -> None:
    with_gold(workspace)
    with workspace.write() as db:
        db.execute("UPDATE runs SET ontology_id = NULL")
    for opens in (
        lambda: draw_audit(workspace, Audit("alpha", GOLD, 2, by="branch", name="a")),
        lambda: open_frame(workspace, Wanted("alpha", "f", policy="strata", by="branch")),
    ):
        with pytest.raises(InputError, match="lie in no known branch"):
            opens()


# --- below a root -----------------------------------------------------------------------------------------


def test_a_root_keeps_itself_and_what_lies_below(workspace: Workspace, places: dict[str, int]) -> None:
    frame = open_frame(workspace, Wanted("alpha", "eye", root=EYE))
    assert [unit.id for unit in frames.units(workspace, "eye")] == [f"ward/d3/{CATARACT}"]
    assert frame.scope == {"assertions": ["affirmed", "uncertain"], "root": EYE}
    open_frame(workspace, Wanted("alpha", "seizures", root=SEIZURE))
    assert {unit.id for unit in frames.units(workspace, "seizures")} == {
        f"ward/d1/{SEIZURE}",
        f"ward/d2/{SEIZURE}",
    }
    assert open_frame(workspace, Wanted("alpha", "all", root=ROOT)).size == 5
    assert open_frame(workspace, Wanted("alpha", "nerves", root=NERVOUS)).size == 4
    assert verify(workspace).problems == ()


def test_ids_that_a_concept_bore_before_lie_below_a_root_and_may_be_it(
    workspace: Workspace, places: dict[str, int]
) -> None:
    known = ontologies.list_ontologies(workspace)[-1].id
    with workspace.write() as db:
        db.execute("INSERT INTO alt_ids VALUES (?, 'HP:0000001', ?)", (known, EYE))
        db.execute("INSERT INTO alt_ids VALUES (?, 'HP:0000002', ?)", (known, CATARACT))
    assert ontologies.branch(workspace, known, EYE) == {EYE, CATARACT, "HP:0000001", "HP:0000002"}
    add_run(workspace, {places["d1"]: [draft("HP:0000002")]}, "old")
    open_frame(workspace, Wanted("old", "eye", root="HP:0000001"))
    assert [unit.id for unit in frames.units(workspace, "eye")] == ["ward/d1/HP:0000002"]


def test_passages_hold_what_is_proposed_below_the_root(workspace: Workspace, places: dict[str, int]) -> None:
    """d1 and d2 hold two in the nervous system each, d3 none: sizes 2, 2, 0."""
    open_frame(workspace, Wanted("alpha", "nerves", unit="passage", policy="size", root=NERVOUS))
    found = {unit.id: unit.q for unit in frames.units(workspace, "nerves")}
    mean = (2 * 3**0.5 + 1) / 3
    assert found == pytest.approx(
        {
            "ward/d1": (3**0.5 / mean + 1) / 2,
            "ward/d2": (3**0.5 / mean + 1) / 2,
            "ward/d3": (1 / mean + 1) / 2,
        }
    )


def test_a_root_that_is_not_there_is_refused(workspace: Workspace, places: dict[str, int]) -> None:
    with pytest.raises(InputError, match=r"mini@1 holds no concept 'HP:9999999'\. Name one"):
        open_frame(workspace, Wanted("alpha", "x", root="HP:9999999"))
    with pytest.raises(InputError, match=f"proposes nothing below {FOCAL} that is affirmed or uncertain"):
        open_frame(workspace, Wanted("alpha", "x", root=FOCAL))
    with workspace.write() as db:
        db.execute("UPDATE runs SET ontology_id = NULL")
    with pytest.raises(InputError, match="names no ontology, so nothing is known to lie below"):
        open_frame(workspace, Wanted("alpha", "x", root=EYE))
    assert frames.list_frames(workspace) == []


# --- claim pairs ------------------------------------------------------------------------------------------


@pytest.fixture
def shelf(workspace: Workspace) -> library.Library:
    return library.furnish(workspace)


def pair_ids(workspace: Workspace, shelf: library.Library) -> list[str]:
    rows = dict(workspace.db.execute("SELECT id, subject FROM items WHERE kind = 'pair'").fetchall())
    return [rows[one] for one in shelf.items]


def test_a_frame_of_pairs_draws_them_by_their_ids(workspace: Workspace, shelf: library.Library) -> None:
    """The model's label counts before the rules': of the second pair 0.82 and not 0.41."""
    frame = open_frame(workspace, Wanted("alpha", "pairs", seed="7"))
    ids = pair_ids(workspace, shelf)
    units = list(frames.units(workspace, "pairs"))
    by_hash = sorted(ids, key=lambda one: hashlib.sha256(f"7|{one}".encode()).hexdigest())
    assert [unit.id for unit in units] == by_hash
    assert {unit.id: unit.f for unit in units} == dict(zip(ids, (0.82, 0.82, 0.3, 0.41), strict=True))
    assert (frame.size, frame.unit, frame.noun, frame.blind, frame.scope) == (
        4,
        "item",
        "pair",
        0.1,
        {"kind": "pair"},
    )
    assert [unit.blind for unit in units] == [draw.is_blind("7", unit.id, 0.1) for unit in units]
    assert [unit.id for unit in next_units(workspace, "pairs", 2)] == by_hash[:2]
    assert verify(workspace).problems == ()


def test_any_share_of_pairs_is_blind_and_no_concept_is_asked_about_among_them(
    workspace: Workspace, shelf: library.Library
) -> None:
    for share, blind in ((0.0, set()), (1.0, set(shelf.items))):
        made = open_frame(workspace, Wanted("alpha", f"at-{share:.0f}", blind=share))
        assert made.blind == share
        assert {unit.item_id for unit in frames.units(workspace, made.name) if unit.blind} == blind
    assert decoys(workspace, "trials") == []
    assert verify(workspace).problems == ()


def test_a_pair_without_a_label_is_not_drawn(workspace: Workspace) -> None:
    a, b = library.IN_DENMARK, library.IN_VIETNAM
    made = [library.Draft(a, b, ()), library.Draft(a + " Two.", b, (library.contextual(a, b),))]
    shelf = library.shelve(workspace, made)
    open_frame(workspace, Wanted("alpha", "pairs"))
    assert [unit.item_id for unit in frames.units(workspace, "pairs")] == [shelf.items[1]]
    library.shelve(workspace, made[:1], corpus="bare", run="bare")
    with pytest.raises(InputError, match="labels no claim pair"):
        open_frame(workspace, Wanted("bare", "x"))


def test_pairs_by_type(workspace: Workspace, shelf: library.Library) -> None:
    """Three are contextual, one is direct: scores 0.75 * 0.5 and 0.25 * 0.5, their mean over the four
    0.3125."""
    open_frame(workspace, Wanted("alpha", "pairs", policy="strata", by="type"))
    found = {unit.item_id: unit.q for unit in frames.units(workspace, "pairs")}
    assert [found[one] for one in shelf.items] == pytest.approx([1.1] * 3 + [0.7], abs=1e-12)


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Wanted("alpha", "x", blind=1.1), "between 0 and 1"),
        (Wanted("alpha", "x", unit="passage"), "Choose one of: item"),
        (Wanted("alpha", "x", root=EYE), "below no concept"),
        (Wanted("alpha", "x", assertions=Wanted("", "").assertions[:1]), "have no status"),
        (Wanted("alpha", "x", policy="strata", by="class"), "Choose with --by one of: type"),
        (Wanted("alpha", "x", policy="strata"), "Choose with --by one of: type"),
    ],
)
def test_what_pairs_do_not_know_is_refused(
    workspace: Workspace, shelf: library.Library, wanted: Wanted, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        open_frame(workspace, wanted)
    assert frames.list_frames(workspace) == []


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Wanted("alpha", "x", policy="strata", by="type"), "one of: class, branch, assertion, stage"),
        (Wanted("alpha", "x", policy="strata"), "Strata need a name"),
        (Wanted("alpha", "x", by="class"), "Choose --policy strata"),
        (Wanted("alpha", "x", pilot="first"), "Choose --policy strata"),
        (Wanted("alpha", "x", unit="passage", policy="strata", by="class"), "Choose one of: random, size"),
    ],
)
def test_strata_that_do_not_suit_are_refused(
    workspace: Workspace, places: dict[str, int], wanted: Wanted, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        open_frame(workspace, wanted)


def test_pairs_without_a_confidence_are_not_drawn_by_doubt(workspace: Workspace) -> None:
    a, b = library.IN_DENMARK, library.IN_VIETNAM
    library.shelve(workspace, [library.Draft(a, b, (library.contextual(a, b, confidence=None),))])
    with pytest.raises(InputError, match="has no confidence, by which the policy 'active' draws"):
        open_frame(workspace, Wanted("alpha", "x", policy="active"))
    assert open_frame(workspace, Wanted("alpha", "x")).size == 1


def test_items_of_a_frame_are_those_that_are_reviewed(workspace: Workspace, places: dict[str, int]) -> None:
    open_frame(workspace, Wanted("alpha", "eye", root=EYE))
    (unit,) = next_units(workspace, "eye")
    assert unit.item_id == item(workspace, places["d3"], CATARACT)
