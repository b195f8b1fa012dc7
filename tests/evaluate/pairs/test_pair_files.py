"""Claim pairs from two files: matched by id, repaired and counted, every cell opening its pairs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.charts import Estimate
from core.errors import InputError
from core.evaluate import Evaluation, Settings, evaluate, evaluate_pair_files, evaluation_tables
from core.evaluate.inputs.claim_pairs import read_gold, read_said
from core.metrics import PAIR_FAMILIES
from core.metrics.reconciliation import Encoder
from core.records import Assertion, GoldSet

A, B = "Alpha lowered beta in mice.", "Alpha raised beta in rats."
PLAIN = Settings(about="pairs", bootstrap=0)


def gold(pair_id: str, kind: str = "no_conflict", **more: Any) -> dict[str, Any]:
    return {
        "pair_id": pair_id,
        "domain": "genomics",
        "claim_a_text": A,
        "claim_a_article_uid": "u1",
        "claim_b_text": B,
        "claim_b_article_uid": "u2",
        "conflict_type": kind,
        **more,
    }


GOLD = [
    gold(
        "p1",
        "contextual_contradiction",
        divergence_axes=["organism_strain_lineage", "dosage_intervention"],
        dominant_confounder="organism_strain_lineage",
        reconciliation="mice against rats, organism strain lineage",
        evidence_spans=[
            {"article_uid": "u1", "text": "in mice", "start": 19, "end": 26},
            {"article_uid": "u2", "text": "in rats", "start": 18, "end": 25},
        ],
    ),
    gold("p2", "direct_contradiction", reconciliation="one of them is wrong"),
    gold("p3"),
]
SAID = [
    {
        "pair_id": "p1",
        "conflict_type": "contextual_contradiction",
        "divergence_axes": ["organism_strain_lineage", "diet"],
        "dominant_confounder": "diet",
        "reconciliation": "mice against rats",
        "evidence_spans": [{"article_uid": "u2", "text": "RATS"}],
    },
    {"pair_id": "p2", "conflict_type": "opposed", "divergence_axes": ["geography"]},
    {"pair_id": "p9", "conflict_type": "no_conflict"},
]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def evaluated(tmp_path: Path) -> Evaluation:
    return evaluate_pair_files(
        write(tmp_path / "said.jsonl", SAID), write(tmp_path / "gold.jsonl", GOLD), PLAIN
    )


def value(evaluation: Evaluation, family: str, name: str) -> float | None:
    return evaluation.estimate(name, family).value


def test_by_hand(evaluated: Evaluation) -> None:
    """p1: type right, axes {organism} of {organism, dosage}, confounder lost, evidence 1 token of 4.
    p2: an unknown type becomes no_conflict, with one spurious axis. p3: not predicted, so no_conflict,
    which is right."""
    assert evaluated.pairs == 3
    types = {name: value(evaluated, "conflict_types", name) for name in ("accuracy", "macro_f1", "kappa")}
    # contextual 1; no_conflict TP 1, FP 1: 2/3; direct 0. p_o 2/3; p_e = 1/3 * 2/3 + 1/3 * 1/3 = 1/3
    assert types == pytest.approx({"accuracy": 2 / 3, "macro_f1": 5 / 18, "kappa": 1 / 2}, abs=1e-9)
    axes = {name: value(evaluated, "divergence_axes", name) for name in ("micro_f1", "micro_f1:primary")}
    # TP 1, FP 1 (geography), FN 1 (dosage, which is provisional): 2/4, and 2/3 over the nine
    assert axes == pytest.approx({"micro_f1": 1 / 2, "micro_f1:primary": 2 / 3}, abs=1e-9)
    assert value(evaluated, "divergence_axes", "exact_match") == pytest.approx(1 / 3, abs=1e-9)
    assert value(evaluated, "divergence_axes", "exact_match:primary") == pytest.approx(2 / 3, abs=1e-9)
    assert value(evaluated, "confounders", "accuracy") == 0.0
    assert value(evaluated, "confounders", "spurious") == 0.0
    # ROUGE-L of p1: 3 words of 6 in order, P 1, R 1/2, F 2/3; p2 is empty; p3 has no reference
    assert value(evaluated, "reconciliation", "rouge_l") == pytest.approx(1 / 3, abs=1e-9)
    assert value(evaluated, "reconciliation", "slot_overlap") == 0.0
    assert evaluated.estimate("rouge_l", "reconciliation").n == 2
    # tokens in, mice, in, rats; `RATS` is found whatever its case: IoU 1/4, P 1, R 1/4, F1 2/5
    spans = {m: value(evaluated, "conflict_spans", m) for m in ("iou", "precision", "recall", "f1")}
    assert spans == pytest.approx({"iou": 1 / 4, "precision": 1.0, "recall": 1 / 4, "f1": 2 / 5}, abs=1e-9)
    assert value(evaluated, "conflict_spans", "n_without_gold") == 2.0


def test_what_did_not_fit_is_counted_and_said(evaluated: Evaluation) -> None:
    assert {name: n for name, n in evaluated.beside.items() if n} == {
        "unpredicted": 1,
        "unscored": 1,
        "repaired": 2,
        "unknown_type": 1,
        "off_schema_axes": 1,
        "off_schema_confounder": 1,
    }
    assert any(note == "Unknown axes dropped: 1." for note in evaluated.notes)
    assert any(note.startswith("Gold pairs without a prediction") for note in evaluated.notes)
    assert any("Small test set: 3 pairs" in note for note in evaluated.notes)


def test_every_cell_opens_the_pairs_that_it_counts(evaluated: Evaluation) -> None:
    checked = 0
    for family in evaluated.families.values():
        for table in family.tables:
            for row, keys in zip(table.rows, table.opens, strict=True):
                for cell, key in zip(row, keys, strict=True):
                    if key is None:
                        continue
                    found = family.open(key)
                    assert found == sorted(found, key=lambda item: (item.doc_id, item.id))
                    if isinstance(cell, int):
                        assert len(found) == cell, (family.family, key)
                        checked += 1
        for name in family.estimates:
            assert isinstance(family.estimates[name], Estimate)
            family.open(name)
    assert checked > 100


@pytest.mark.parametrize(
    ("family", "key", "items"),
    [
        ("conflict_types", "accuracy", [("p1", "right"), ("p2", "wrong"), ("p3", "right")]),
        ("conflict_types", "confusion:direct_contradiction:no_conflict", [("p2", "confused")]),
        ("conflict_types", "precision:no_conflict", [("p2", "fp"), ("p3", "tp")]),
        ("conflict_types", "recall:no_conflict", [("p3", "tp")]),
        ("conflict_types", "f1:direct_contradiction", [("p2", "fn")]),
        ("divergence_axes", "micro_recall", [("p1", "tp"), ("p1", "fn")]),
        ("divergence_axes", "micro_recall:primary", [("p1", "tp")]),
        ("divergence_axes", "spurious:geography", [("p2", "fp")]),
        ("divergence_axes", "exact_match:primary", [("p1", "right"), ("p2", "wrong"), ("p3", "right")]),
        ("confounders", "accuracy", [("p1", "missed")]),
        ("confounders", "confusion:organism_strain_lineage:none", [("p1", "missed")]),
        ("reconciliation", "rouge_l", [("p1", "scored"), ("p2", "empty")]),
        ("reconciliation", "bin:rouge_l:6", [("p1", "scored")]),
        ("conflict_spans", "iou", [("p1", "scored")]),
        ("conflict_spans", "n_without_gold", [("p2", "skipped"), ("p3", "skipped")]),
        ("conflict_spans", "n_bags", []),
    ],
)
def test_the_pairs_behind_a_number(
    evaluated: Evaluation, family: str, key: str, items: list[tuple[str, str]]
) -> None:
    found = evaluated.families[family].open(key)
    assert sorted((i.id, i.outcome) for i in found) == sorted(items)
    assert {i.doc_id for i in found} <= {"u1 + u2"}


def test_a_pair_says_what_was_confused(evaluated: Evaluation) -> None:
    by_id = {i.id: i.detail for i in evaluated.families["conflict_types"].open("accuracy")}
    assert by_id["p2"] == "gold direct contradiction, predicted no conflict"
    assert by_id["p3"] == "gold no conflict, predicted no conflict (no prediction)"


@pytest.mark.parametrize("family", PAIR_FAMILIES)
@pytest.mark.parametrize("key", ["", "nothing", "f1:nothing", "confusion:a:b", "bin:iou:99", "gold", "bin:"])
def test_no_other_key_opens(evaluated: Evaluation, family: str, key: str) -> None:
    with pytest.raises(KeyError):
        evaluated.families[family].open(key)


def test_every_estimate_is_in_the_registry(evaluated: Evaluation) -> None:
    for name, family in evaluated.families.items():
        assert {estimate.partition(":")[0] for estimate in family.estimates} <= set(
            PAIR_FAMILIES[name].metrics
        )


def test_rare_types_are_flagged_as_exploratory(evaluated: Evaluation) -> None:
    classes = next(t for t in evaluated.families["conflict_types"].tables if t.name == "classes")
    assert {row[-1] for row in classes.rows} == {"exploratory"}
    assert any("fewer than 100 gold pairs" in note for note in evaluated.families["conflict_types"].notes)


def test_a_type_with_100_gold_pairs_is_not_flagged(tmp_path: Path) -> None:
    rows = [gold(f"p{n:03}") for n in range(100)]
    path = write(tmp_path / "gold.jsonl", rows)
    classes = evaluate_pair_files(path, path, PLAIN).families["conflict_types"].tables[1]
    assert {row[0] for row in classes.rows if not row[-1]} == {"no_conflict"}


def test_the_template_note_and_the_versions_are_always_there(evaluated: Evaluation) -> None:
    notes = " ".join(evaluated.families["reconciliation"].notes)
    assert "never rank it with real systems" in notes
    assert f"sacrebleu {evaluated.versions['sacrebleu']}" in notes
    assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" in notes


def test_gold_against_itself_is_perfect(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.jsonl", GOLD)
    found = evaluate_pair_files(path, path, PLAIN)
    for family, name in [
        ("conflict_types", "macro_f1_observed"),
        ("divergence_axes", "micro_f1"),
        ("confounders", "accuracy"),
        ("reconciliation", "rouge_l"),
        ("conflict_spans", "iou"),
    ]:
        assert value(found, family, name) == pytest.approx(1.0, abs=1e-9)


def test_order_of_rows_changes_nothing(tmp_path: Path) -> None:
    settings = Settings(about="pairs", bootstrap=100)
    right = write(tmp_path / "gold.jsonl", GOLD)
    turned = write(tmp_path / "turned.jsonl", GOLD[::-1])
    said = write(tmp_path / "said.jsonl", SAID)
    first, second = (evaluate_pair_files(said, path, settings) for path in (right, turned))
    assert first.to_json()["families"] == second.to_json()["families"]


def test_gold_outside_the_schema_is_an_error(tmp_path: Path) -> None:
    said = write(tmp_path / "said.jsonl", SAID)
    for row, says in [
        (gold("p1", "opposed"), "conflict_type"),
        (gold("p1", "direct_contradiction", divergence_axes=["diet"]), "divergence_axes"),
        (gold("p1", "direct_contradiction", dominant_confounder="diet"), "dominant_confounder"),
    ]:
        with pytest.raises(InputError, match=says):
            evaluate_pair_files(said, write(tmp_path / "bad.jsonl", [row]), PLAIN)


def test_files_that_share_no_pair_are_refused(tmp_path: Path) -> None:
    said = write(tmp_path / "said.jsonl", [{"pair_id": "x", "conflict_type": "no_conflict"}])
    with pytest.raises(InputError, match=r"share no pair.*'x'.*'p1'"):
        evaluate_pair_files(said, write(tmp_path / "gold.jsonl", GOLD), PLAIN)


def test_duplicates_are_merged_and_counted(tmp_path: Path) -> None:
    """Metric-definitions 10.2: a model's row before a heuristic's, then the more confident one."""
    rows = [
        {
            "pair_id": "p3",
            "conflict_type": "direct_contradiction",
            "label_origin": "heuristic",
            "confidence": 1,
        },
        {"pair_id": "p3", "conflict_type": "direct_contradiction", "confidence": 0.2},
        {"pair_id": "p3", "conflict_type": "no_conflict", "confidence": 0.9},
    ]
    right = write(tmp_path / "gold.jsonl", [gold("p3"), gold("p3", label_origin="heuristic")])
    found = evaluate_pair_files(write(tmp_path / "said.jsonl", rows), right, PLAIN)
    assert (found.beside["surplus_predicted"], found.beside["surplus_gold"]) == (2, 1)
    assert (found.beside["duplicated_predicted"], found.beside["duplicated_gold"]) == (1, 1)
    assert (found.beside["conflicting_predicted"], found.beside["conflicting_gold"]) == (1, 0)
    assert value(found, "conflict_types", "accuracy") == 1.0


def test_duplicated_gold_pairs_that_differ_are_counted_as_conflicts(tmp_path: Path) -> None:
    """10.2: duplicated ids, surplus rows, and duplicated ids whose conflict types differ: p1 alone."""
    right = [
        gold("p1"),
        gold("p1", conflict_type="direct_contradiction"),
        gold("p1", conflict_type="no_conflict"),
        gold("p2"),
        gold("p2"),
    ]
    said = [{"pair_id": "p1", "conflict_type": "no_conflict"}]
    found = evaluate_pair_files(
        write(tmp_path / "said.jsonl", said), write(tmp_path / "gold.jsonl", right), PLAIN
    )
    counted = {name: found.beside[f"{name}_gold"] for name in ("duplicated", "surplus", "conflicting")}
    assert counted == {"duplicated": 2, "surplus": 3, "conflicting": 1}
    assert "Gold pairs whose rows differ in their conflict type: 1." in found.notes


def test_one_lost_quote_is_flagged_and_both_means_stand_side_by_side(tmp_path: Path) -> None:
    """`mice in rats` stands in neither claim: words mice, in, rats against in, mice, in, rats: IoU 3/4."""
    said = [{"pair_id": "p1", "evidence_spans": [{"text": "mice in rats"}]}]
    found = evaluate_pair_files(
        write(tmp_path / "said.jsonl", said), write(tmp_path / "gold.jsonl", GOLD), PLAIN
    )
    family = found.families["conflict_spans"]
    assert value(found, "conflict_spans", "iou:bags") == pytest.approx(3 / 4, abs=1e-9)
    assert (value(found, "conflict_spans", "n_bags"), value(found, "conflict_spans", "iou:places")) == (
        1,
        None,
    )
    assert family.tables[0].columns == ("value", "all pairs", "by places", "by bags", "pairs")
    assert any("bags of words" in note for note in family.notes)
    assert found.beside["missing_type"] == 1


@pytest.mark.parametrize(
    ("span", "iou"),
    [
        ({"article_uid": "u1", "text": "in mice", "start": 19, "end": 26}, 1 / 2),
        ({"article_uid": "u1", "start": 19, "end": 26}, 1 / 2),  # offsets alone will do
        ({"article_uid": "u2", "side": "a", "text": "in rats", "start": 18, "end": 25}, 1 / 2),
        ({"side": "b", "text": "in rats"}, 1 / 2),
        ({"text": "in mice"}, 1 / 2),
        ({"article_uid": "u1", "text": "in mice", "start": 119, "end": 126, "frame": "abstract"}, 1 / 2),
        ({"article_uid": "u1", "text": "in mice", "start": 26, "end": 19}, 1 / 2),  # no offsets: located
    ],
)
def test_spans_find_their_claim(tmp_path: Path, span: dict[str, Any], iou: float) -> None:
    said = [{"pair_id": "p1", "claim_a_start": 100, "evidence_spans": [span]}]
    found = evaluate_pair_files(
        write(tmp_path / "said.jsonl", said), write(tmp_path / "gold.jsonl", GOLD), PLAIN
    )
    assert value(found, "conflict_spans", "iou") == pytest.approx(iou, abs=1e-9)
    assert value(found, "conflict_spans", "n_bags") == 0.0


def test_offsets_in_another_spelling_of_the_claim_are_not_trusted(tmp_path: Path) -> None:
    """The prediction's claim starts with two words more, so its offsets would mark other words."""
    said = [
        {
            "pair_id": "p1",
            "claim_a_text": f"We found: {A}",
            "evidence_spans": [{"article_uid": "u1", "text": "in mice", "start": 29, "end": 36}],
        }
    ]
    found = evaluate_pair_files(
        write(tmp_path / "said.jsonl", said), write(tmp_path / "gold.jsonl", GOLD), PLAIN
    )
    assert value(found, "conflict_spans", "iou") == pytest.approx(1 / 2, abs=1e-9)


def test_gold_evidence_in_the_abstract_counts_where_it_touches_the_claim(tmp_path: Path) -> None:
    abstract = f"Background. {A} More."
    row = gold(
        "p1",
        "direct_contradiction",
        abstract_a=abstract,
        evidence_spans=[
            {"article_uid": "u1", "text": "mice. More", "start": 34, "end": 44, "frame": "abstract"},
            {"article_uid": "u1", "text": "Background", "start": 0, "end": 10, "frame": "abstract"},
        ],
    )
    said = [{"pair_id": "p1", "evidence_spans": [{"article_uid": "u1", "text": "mice."}]}]
    found = evaluate_pair_files(
        write(tmp_path / "said.jsonl", said), write(tmp_path / "gold.jsonl", [row]), PLAIN
    )
    assert value(found, "conflict_spans", "iou") == 1.0


def test_an_encoder_adds_semantic_similarity_under_its_name(tmp_path: Path) -> None:
    def encode(texts: Any) -> np.ndarray:
        return np.array([[len(text), 1.0] for text in texts])

    found = evaluate_pair_files(
        write(tmp_path / "said.jsonl", SAID),
        write(tmp_path / "gold.jsonl", GOLD),
        PLAIN,
        Encoder("lengths", encode),
    )
    assert 0 < (value(found, "reconciliation", "semsim:lengths") or 0) <= 0.5
    assert found.versions["encoder"] == "lengths"


def test_only_the_families_and_the_domain_that_were_asked_for(tmp_path: Path) -> None:
    rows = [*GOLD, gold("p4", "direct_contradiction") | {"domain": "oncology"}]
    settings = Settings.parse(
        about="pairs", families="confounders, conflict_types", bootstrap=0, domain="oncology"
    )
    found = evaluate_pair_files(
        write(tmp_path / "said.jsonl", SAID), write(tmp_path / "gold.jsonl", rows), settings
    )
    assert list(found.families) == ["conflict_types", "confounders"]  # in the order of the tasks
    assert (found.pairs, found.domains) == (1, {"genomics": 3, "oncology": 1})


def test_one_function_scores_documents_and_pairs(tmp_path: Path) -> None:
    files = write(tmp_path / "said.jsonl", SAID), write(tmp_path / "gold.jsonl", GOLD)
    right, starts = read_gold(files[1])
    found = evaluate(right, read_said(files[0], right, starts), PLAIN)
    assert found.to_json() == evaluate_pair_files(*files, PLAIN).to_json()
    documents = GoldSet("file:gold@1", {"d": {"X:1": Assertion.AFFIRMED}}, frozenset({"d"}))
    assert evaluate(documents, documents.documents, Settings(bootstrap=0)).estimate("macro_f1").value == 1.0


def test_settings_are_checked() -> None:
    assert Settings.parse(about="pairs", families="all").families == tuple(PAIR_FAMILIES)
    assert Settings.parse(about="pairs", families="").families == tuple(PAIR_FAMILIES)
    for bad in ({"families": ("corpus",)}, {"families": ()}, {"bootstrap": -1}, {"level": 1.0}):
        with pytest.raises(InputError):
            Settings(about="pairs", **bad)


def test_tables_and_json_hold_every_family(evaluated: Evaluation) -> None:
    titles = [table.title for table in evaluation_tables(evaluated)]
    assert titles[1] == "Conflict type (task 1)"
    assert titles[-1] == "Read with these numbers"
    value = json.loads(json.dumps(evaluated.to_json(), allow_nan=False))
    assert set(value["families"]) == set(PAIR_FAMILIES)
    assert value["families"]["confounders"]["estimates"]["accuracy"]["value"] == 0.0
    assert value["beside"]["unpredicted"] == 1


def test_gzipped_files_and_json_objects_are_read_alike(tmp_path: Path) -> None:
    packed = tmp_path / "gold.json.gz"
    packed.write_bytes(gzip.compress(json.dumps({"pairs": GOLD}).encode()))
    said = write(tmp_path / "said.jsonl", SAID)
    plain = evaluate_pair_files(said, write(tmp_path / "gold.jsonl", GOLD), PLAIN)
    assert evaluate_pair_files(said, packed, PLAIN).to_json()["families"] == plain.to_json()["families"]
