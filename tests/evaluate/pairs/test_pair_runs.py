"""A run of claim pairs in a workspace: before and after review, against reviewed and imported gold."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encode import BUNDLED
from core.encode.models import identity
from core.errors import InputError, NotFoundError
from core.evaluate import Settings, evaluate_pair_run, evaluation_tables, pair_gold_references
from core.exchange import add_pairs
from core.exchange.pair_rows import pair_rows
from core.records import Action, Axis, ConflictType, NewDecision, PairAnswer, Span
from core.store import Workspace, corpora, decisions, pairs, runs
from core.store.vectors import StoredVectors
from tests.review.pairs.library import IN_DENMARK, IN_VIETNAM, LOWERED, UNCHANGED, furnish

PLAIN = Settings(about="pairs", bootstrap=0)
SETTINGS = Settings(about="pairs", bootstrap=100)
POPULATION, DOSE = Axis.POPULATION_COHORT, Axis.DOSAGE_INTERVENTION


def spans(text: str, *quotes: str) -> tuple[Span, ...]:
    return tuple(Span(text.index(q), text.index(q) + len(q), q) for q in quotes)


@pytest.fixture
def filled(workspace: Workspace) -> list[str]:
    """Pair ids in the order of `furnish`. All four are labelled contextual with axes population, geography,
    study design, but the last, which is labelled direct by rule alone. The first label was repaired."""
    library = furnish(workspace)
    by_item = {pair.item_id: pair.pair_id for pair in pairs.pairs(workspace, "alpha")}
    return [by_item[item] for item in library.items]


def decide(workspace: Workspace, curator: str, ids: list[str]) -> None:
    """The first is right, the second is a direct contradiction, the third rests on population and dosage, and
    the fourth is of no use."""
    items = {pair.pair_id: pair.item_id for pair in pairs.pairs(workspace, "alpha")}
    first = PairAnswer(
        ids[0],
        True,
        ConflictType.CONTEXTUAL_CONTRADICTION,
        (POPULATION, Axis.GEOGRAPHY, Axis.STUDY_DESIGN),
        POPULATION,
        "Older inpatients with influenza A gained; children with influenza B did not.",
        spans(IN_DENMARK, LOWERED, "adults aged over 65 years"),
        spans(IN_VIETNAM, UNCHANGED),
    )
    second = PairAnswer(
        ids[1],
        True,
        ConflictType.DIRECT_CONTRADICTION,
        reconciliation="Both cannot be true.",
        spans_a=spans(IN_DENMARK, "Zetavir lowered"),
        spans_b=spans(IN_VIETNAM, "Zetavir did not change"),
    )
    third = PairAnswer(
        ids[2], True, ConflictType.CONTEXTUAL_CONTRADICTION, (POPULATION, DOSE), DOSE, "Doses differ."
    )
    said: list[tuple[Action, Any]] = [
        (Action.ACCEPT, first),
        (Action.FIX, second),
        (Action.FIX, third),
        (Action.REJECT, None),
    ]
    outcomes = decisions.append(
        workspace,
        [
            NewDecision(f"{curator}-{i}", curator, action, item_id=items[ids[i]], answer=answer)
            for i, (action, answer) in enumerate(said)
        ],
    )
    assert [outcome.refused for outcome in outcomes] == [None] * 4


def test_against_reviewed_gold_by_hand(workspace: Workspace, filled: list[str]) -> None:
    """Three settled pairs: contextual, direct, contextual; labelled contextual all three.
    Contextual: TP 2, FP 1: F1 4/5; direct 0: six-class mean 0.8 / 6, observed 0.4; p_o = p_e = 2/3: kappa 0.
    Axes: TP 3 + 0 + 1, FP 0 + 3 + 2, FN dosage: 8/14; over the nine, where dosage is none, 8/13.
    Confounder: population right, dosage missed: 1/2; the second was given one without need."""
    decide(workspace, "alpha", filled)
    result = evaluate_pair_run(workspace, "alpha", "reviewed@now:any", PLAIN)
    before = result.before
    assert (before.pairs, before.gold) == (3, "reviewed@4:any")

    def value(family: str, name: str) -> float | None:
        return before.estimate(name, family).value

    expected = {
        ("conflict_types", "accuracy"): 2 / 3,
        ("conflict_types", "macro_f1"): 0.8 / 6,
        ("conflict_types", "macro_f1_observed"): 0.4,
        ("conflict_types", "kappa"): 0.0,
        ("divergence_axes", "micro_f1"): 8 / 14,
        ("divergence_axes", "micro_f1:primary"): 8 / 13,
        ("divergence_axes", "exact_match"): 1 / 3,
        ("confounders", "accuracy"): 1 / 2,
        ("confounders", "spurious"): 1.0,
    }
    for (family, name), wanted in expected.items():
        assert value(family, name) == pytest.approx(wanted, abs=1e-9), name
    # Evidence on the claims. First: equal tokens, what is quoted elsewhere in the abstracts marks nothing: 1.
    # Second: gold Zetavir, lowered (a), Zetavir, did, not, change (b): 6 tokens; predicted both claims whole.
    # The third has no gold evidence, so it is skipped.
    in_a, in_b = (len(words(text)) for text in (LOWERED, UNCHANGED))
    assert value("conflict_spans", "iou") == pytest.approx((1 + 6 / (in_a + in_b)) / 2, abs=1e-9)
    assert value("conflict_spans", "recall") == 1.0
    assert value("conflict_spans", "n_without_gold") == 1.0
    assert (before.beside["rejected"], before.beside["repaired"]) == (1, 1)


def test_vectors_of_explanations_are_those_that_the_workspace_keeps(
    workspace: Workspace, filled: list[str]
) -> None:
    """Cosine 1 of the first with itself, 0.6 of the second and 0 of the third: mean 1.6 / 3."""
    decide(workspace, "alpha", filled)
    said = "Older inpatients with influenza A gained; children with influenza B did not."
    kept = {said: (1.0, 0.0), "Both cannot be true.": (0.6, 0.8), "Doses differ.": (0.0, 1.0)}
    StoredVectors(workspace).put(
        identity(BUNDLED) or "",
        {sha256(text.encode()).hexdigest(): np.array(v, "<f4").tobytes() for text, v in kept.items()},
    )
    chosen = Settings(about="pairs", families=("reconciliation",), bootstrap=0, encoder=BUNDLED)
    found = evaluate_pair_run(workspace, "alpha", "reviewed@now:any", chosen).before
    assert found.estimate(f"semsim:{BUNDLED}", "reconciliation").value == pytest.approx(1.6 / 3, abs=1e-7)


def words(text: str) -> list[str]:
    """Tokens without a regular expression: runs of letters and digits, and every other sign but a space."""
    found: list[str] = []
    grow = False
    for letter in text:
        if letter.isalnum() and grow:
            found[-1] += letter
        elif not letter.isspace():
            found.append(letter)
        grow = letter.isalnum()
    return found


def test_a_review_scored_against_itself_is_perfect_and_says_so(
    workspace: Workspace, filled: list[str]
) -> None:
    decide(workspace, "alpha", filled)
    result = evaluate_pair_run(workspace, "alpha", "reviewed@now:any", SETTINGS)
    assert result.after is not None
    assert result.difference is not None
    assert (result.is_circular, result.review) == (True, "reviewed@4:any")
    assert result.after.estimate("accuracy", "conflict_types").value == 1.0
    assert result.after.estimate("micro_f1", "divergence_axes").value == 1.0
    assert result.after.estimate("iou", "conflict_spans").value == 1.0
    assert result.difference["conflict_types"]["accuracy"].value == pytest.approx(1 / 3, abs=1e-9)
    assert result.after.beside["repaired"] == 0  # the first, accepted by a person
    assert any(
        "agree with it by construction" in str(row) for t in evaluation_tables(result) for row in t.rows
    )
    value = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert value["gold_is_the_review"] is True
    assert value["after_review"]["families"]["confounders"]["estimates"]["accuracy"]["value"] == 1.0


def test_without_decisions_there_is_no_gold_and_no_after(workspace: Workspace, filled: list[str]) -> None:
    assert pair_gold_references(workspace, "alpha") == []
    result = evaluate_pair_run(workspace, "alpha", "reviewed@now:any", PLAIN)
    assert (result.after, result.review, result.difference, result.before.pairs) == (None, None, None, 0)
    for family in result.before.families.values():
        for name, estimate in family.estimates.items():
            if not name.startswith(("spurious", "n_")):
                assert (estimate.value, bool(estimate.reason)) == (None, True)


def test_curators_who_differ_settle_nothing(workspace: Workspace, filled: list[str]) -> None:
    decide(workspace, "alpha", filled)
    item = next(p.item_id for p in pairs.pairs(workspace, "alpha") if p.pair_id == filled[0])
    other = PairAnswer(filled[0], True, ConflictType.NO_CONFLICT)
    decisions.append(workspace, [NewDecision("b", "beta", Action.FIX, item_id=item, answer=other)])
    assert pair_gold_references(workspace, "alpha") == [
        "reviewed@now:any",
        "reviewed@now:curator=alpha",
        "reviewed@now:curator=beta",
        "reviewed@now:agreed",
        "reviewed@now:adjudicated",
    ]
    everybody = evaluate_pair_run(workspace, "alpha", "reviewed@now:any", PLAIN).before
    assert (everybody.pairs, everybody.beside["excluded"]) == (2, 1)
    alone = evaluate_pair_run(workspace, "alpha", "reviewed@now:curator=beta", PLAIN).before
    assert (alone.pairs, alone.estimate("accuracy", "conflict_types").value) == (1, 0.0)
    pinned = evaluate_pair_run(workspace, "alpha", "reviewed@4:any", PLAIN).before
    assert pinned.pairs == 3


def test_every_pair_leads_to_its_review(workspace: Workspace, filled: list[str]) -> None:
    decide(workspace, "alpha", filled)
    before = evaluate_pair_run(workspace, "alpha", "reviewed@now:any", PLAIN).before
    items = {pair.pair_id: pair.item_id for pair in pairs.pairs(workspace, "alpha")}
    key = "confusion:direct_contradiction:contextual_contradiction"
    (found,) = before.families["conflict_types"].open(key)
    assert found.id == filled[1]
    assert before.review_items([found]) == [items[filled[1]]]


@pytest.fixture
def gold_run(workspace: Workspace, filled: list[str], tmp_path: Path) -> str:
    """The same pairs with other labels, brought in as a run of their own; the fourth is left out."""
    rows = [row.value() for row in pair_rows(workspace, "alpha")]
    path = tmp_path / "gold.jsonl"
    kept = []
    for row in rows:
        number = filled.index(row["pair_id"])
        row |= {"label_origin": "person", "repaired": False, "repairs": [], "pair_id": f"theirs-{number}"}
        if number == 1:
            row |= {
                "conflict_type": "direct_contradiction",
                "divergence_axes": [],
                "dominant_confounder": None,
            }
        if number < 3:
            kept.append(row)
    path.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
    add_pairs(workspace, path, run="experts", source="experts", corpus="trials")
    digest = runs.find_run(workspace, "experts").digest
    assert digest is not None
    return f"imported:experts@{digest[:12]}"


def test_against_an_imported_run_whatever_its_file_called_the_pairs(
    workspace: Workspace, filled: list[str], gold_run: str
) -> None:
    assert pair_gold_references(workspace, "alpha") == [gold_run]
    for name in (gold_run, "imported:experts"):
        result = evaluate_pair_run(workspace, "alpha", name, PLAIN)
        assert result.after is None
        assert (result.before.gold, result.before.pairs) == (gold_run, 3)
        assert result.before.estimate("accuracy", "conflict_types").value == pytest.approx(2 / 3, abs=1e-9)
        assert result.before.estimate("iou", "conflict_spans").value == 1.0
        assert result.before.beside["unscored"] == 1


def test_review_is_measured_against_the_imported_run(
    workspace: Workspace, filled: list[str], gold_run: str
) -> None:
    """Review makes the second pair right; the fourth, which people found unusable, has no gold here."""
    decide(workspace, "alpha", filled)
    result = evaluate_pair_run(workspace, "alpha", gold_run, SETTINGS)
    assert result.after is not None
    assert result.difference is not None
    assert (result.review, result.is_circular) == ("reviewed@4:any", False)
    assert result.after.estimate("accuracy", "conflict_types").value == 1.0
    assert result.difference["conflict_types"]["accuracy"].value == pytest.approx(1 / 3, abs=1e-9)
    assert result.after.pairs == result.before.pairs == 3


def test_gold_from_a_file_matches_by_pair_id(workspace: Workspace, filled: list[str], tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    rows = [row.value() for row in pair_rows(workspace, "alpha")]
    rows.append(rows[0] | {"pair_id": "elsewhere"})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = evaluate_pair_run(workspace, "alpha", path, PLAIN).before
    assert (result.pairs, result.beside["unpaired"]) == (4, 1)
    assert result.estimate("accuracy", "conflict_types").value == 1.0
    assert result.estimate("iou", "conflict_spans").value == 1.0
    assert result.places.keys() == set(filled)


def test_gold_that_was_made_to_fit_is_refused(
    workspace: Workspace, filled: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "gold.jsonl"
    row = next(iter(pair_rows(workspace, "alpha"))).value() | {"conflict_type": "opposed"}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    add_pairs(workspace, path, run="mended", source="a model", corpus="trials")
    with pytest.raises(InputError, match="did not fit the schema"):
        evaluate_pair_run(workspace, "alpha", "imported:mended", PLAIN)


def test_what_is_no_gold_is_refused_by_name(workspace: Workspace, filled: list[str], gold_run: str) -> None:
    with pytest.raises(NotFoundError, match="experts"):
        evaluate_pair_run(workspace, "alpha", "imported:nothing", PLAIN)
    with pytest.raises(NotFoundError, match="experts"):  # a machine's run is no gold
        evaluate_pair_run(workspace, "experts", "imported:alpha", PLAIN)
    with pytest.raises(InputError, match="no gold reference"):
        evaluate_pair_run(workspace, "alpha", "whatever", PLAIN)
    with pytest.raises(NotFoundError):
        evaluate_pair_run(workspace, "nothing", gold_run, PLAIN)


def test_a_run_of_concepts_is_refused(workspace: Workspace) -> None:
    with workspace.write() as db:
        corpus_id = corpora.create_corpus(db, "c")
        runs.begin_run(
            db,
            "r",
            kind="concepts",
            source="s",
            corpus_id=corpus_id,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
    with pytest.raises(InputError, match="not claim pairs"):
        evaluate_pair_run(workspace, "r", "reviewed@now:any", PLAIN)
