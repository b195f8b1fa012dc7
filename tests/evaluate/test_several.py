"""Several runs on one gold: mean and standard deviation by hand."""

import pytest

from core.errors import InputError
from core.evaluate import Settings, score_several
from core.store import runs
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, NEGATED, A, B, C, D


@pytest.fixture
def three(workspace):
    ids = ward.fill(workspace)
    with workspace.write() as db:
        corpus, ontology = db.execute("SELECT corpus_id, ontology_id FROM runs").fetchone()
        said = {"d1": [(A, AFFIRMED), (B, AFFIRMED)], "d2": [(C, AFFIRMED), (D, NEGATED)]}
        for run in ("lexicon-2", "lexicon-3"):
            ward.add_run(db, run, corpus, ontology, {ids[d]: drafts for d, drafts in said.items()})
    return (ward.RUN, "lexicon-2", "lexicon-3")


def test_mean_and_spread_over_runs(workspace, three):
    found = score_several(workspace, three, ward.GOLD)
    # micro F1 2/3, 6/7, 6/7 (tests/cli/test_compare.py): mean 50/63, ddof = 0: 4/21 · √(2/9)
    f1 = found.families["corpus"]["micro_f1"]
    assert f1.value == pytest.approx(50 / 63, abs=1e-9)
    assert f1.std == pytest.approx(4 / 21 * 2**0.5 / 3, abs=1e-9)
    assert (f1.n, f1.low) == (3, None)
    assert found.each["corpus"]["micro_f1"] == pytest.approx((2 / 3, 6 / 7, 6 / 7))
    (table,) = found.tables()
    row = next(row for row in table.rows if row[0] == "Micro F1")
    assert row[1:4] == (f1.value, f1.std, 3)
    assert table.columns[4:] == three
    assert found.to_json()["families"]["corpus"]["micro_f1"]["mean"] == f1.value


def test_any_family_is_meant(workspace, three):
    found = score_several(workspace, three, ward.GOLD, Settings(families=("corpus", "assertions")))
    assert found.families["assertions"]["joint_f1"].n == 3


def test_runs_are_named_once_and_of_one_kind(workspace, three):
    with pytest.raises(InputError, match="twice"):
        score_several(workspace, (ward.RUN, ward.RUN), ward.GOLD)
    with workspace.write() as db:
        corpus = db.execute("SELECT corpus_id FROM runs").fetchone()[0]
        runs.begin_run(
            db, "pairs", kind="conflicts", source="x", corpus_id=corpus, ontology_id=None, settings={},
            fingerprint="f",
        )  # fmt: skip
    with pytest.raises(InputError, match="one kind"):
        score_several(workspace, (ward.RUN, "pairs"), ward.GOLD)
