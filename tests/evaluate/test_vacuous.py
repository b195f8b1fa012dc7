"""What a document with neither gold nor proposals scores, in every family that the switch concerns."""

import json

import pytest

from core.evaluate import Scope, Settings, evaluate_files
from core.ontology.lineage import Lineage

SCOPE = Scope(name="tiny@1", lineage=lambda: Lineage(["X:0", "X:1", "X:2"], [("X:1", "X:0"), ("X:2", "X:0")]))


@pytest.fixture
def scored(tmp_path):
    def write(name, sets):
        path = tmp_path / name
        rows = [
            {"doc_id": f"d{i}", "annotations": [{"concept_id": c} for c in held]}
            for i, held in enumerate(sets)
        ]
        path.write_text(json.dumps({"documents": rows}), encoding="utf-8")
        return path

    def made(vacuous, gold, said):
        asked = Settings.parse(families="corpus,relaxed,bounds", bootstrap=0, vacuous=vacuous)
        return evaluate_files(write("said.json", said), write("gold.json", gold), asked, SCOPE)

    return made


@pytest.mark.parametrize(
    ("vacuous", "macro", "n"), [("one", 3 / 4, 2), ("zero", 1 / 4, 2), ("skip", 1 / 2, 1)]
)
def test_means_over_documents(scored, vacuous, macro, n):
    """One document right in one of two (P = R = F1 = 1/2, no kinship), one without anything."""
    found = scored(vacuous, [["X:0", "Y:1"], []], [["X:0", "Y:9"], []])
    for family, name in (("corpus", "macro_f1"), ("relaxed", "macro_f1")):
        held = found.families[family]
        estimate = held.estimates[name]
        assert (estimate.value, estimate.n) == (pytest.approx(macro, abs=1e-9), n), family
    assert found.families["relaxed"].estimates["f1"].value == pytest.approx(1 / 2, abs=1e-9)
    spread = {"one": 1 / 4, "zero": 1 / 4, "skip": 0.0}[vacuous]  # population, of 1/2 and the other
    assert found.families["relaxed"].estimates["macro_f1"].std == pytest.approx(spread, abs=1e-9)


@pytest.mark.parametrize(("vacuous", "value"), [("one", 1.0), ("zero", 0.0), ("skip", None)])
def test_where_no_document_holds_anything(scored, vacuous, value):
    found = scored(vacuous, [[], []], [[], []])
    assert found.families["corpus"].estimates["micro_f1"].value == value
    relaxed, bounds = (found.families[name].estimates for name in ("relaxed", "bounds"))
    assert {relaxed[name].value for name in ("precision", "recall", "f1", "macro_f1")} == {value}
    assert {estimate.value for estimate in bounds.values()} == {value}
    if value is None:
        assert "skipped" in relaxed["f1"].reason
        assert "skipped" in bounds["expected:f1"].reason


def test_the_default_is_one(scored):
    assert Settings().vacuous == "one"
