"""What curators say of the items that they were asked about twice, by hand and against scikit-learn."""

from __future__ import annotations

import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.proportion import proportion_confint

from core.evaluate import Settings, agreement_of
from core.records import Action, Answer, Assertion, ConceptClass, NewDecision
from core.store import Workspace, decisions, open_workspace, repeats
from core.store.queue import items_of_passages
from tests.review import clinic

PLAIN = Settings(bootstrap=0)
SAID = (
    # first, again: one item each
    ("affirmed", "affirmed"),
    ("affirmed", "absent"),
    ("negated", "negated"),
    ("absent", "absent"),
    ("absent", "affirmed"),
    ("affirmed", "affirmed"),
    ("negated", "affirmed"),
    ("absent", "absent"),
)


def new(item: int, concept: str, label: str, cid: str, curator: str = "alpha") -> NewDecision:
    if label == "absent":
        return NewDecision(cid, curator, Action.REJECT, item_id=item)
    if label == "unsure":
        return NewDecision(cid, curator, Action.UNSURE, item_id=item)
    answer = Answer(concept, clinic.NAMES[concept], Assertion(label), ConceptClass.EXPLICIT)
    return NewDecision(cid, curator, Action.ACCEPT, item_id=item, answer=answer)


@pytest.fixture
def asked(tmp_path):
    """Alpha answers one item in each of eight documents, all once more, and a ninth unsure."""
    clinic.many(tmp_path / "many.db", {"ward": 10})
    with open_workspace(tmp_path / "many.db") as workspace:
        answer(workspace, "alpha", SAID)
        yield workspace


def answer(workspace: Workspace, curator: str, said: tuple[tuple[str, str], ...]) -> None:
    passages = [row[0] for row in workspace.db.execute("SELECT id FROM passages ORDER BY id")]
    rows = [items_of_passages(workspace, [passage])[0] for passage in passages][: len(said) + 1]
    with workspace.write() as db:
        again = repeats.items(db, [row.id for row in rows])
    for turn, ids in enumerate(([row.id for row in rows], again)):
        told = [pair[turn] for pair in said] + ["unsure" if turn else "affirmed"]
        outcomes = decisions.append(
            workspace,
            [
                new(item, row.subject, label, f"{curator}-{turn}-{item}", curator)
                for item, row, label in zip(ids, rows, told, strict=True)
            ],
        )
        assert not [one.refused for one in outcomes if one.refused]


def own(found):
    [table] = [table for table in found.result.tables if table.name == "own"]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows], table


def test_it_equals_the_libraries(asked: Workspace) -> None:
    [row], _ = own(agreement_of(asked, "ward", settings=PLAIN))
    first, again = zip(*SAID, strict=True)
    same = sum(a == b for a, b in SAID)
    low, high = proportion_confint(same, len(SAID), method="wilson")
    assert (row["curator"], row["asked twice"], row["differ"]) == ("Alpha", 8, 3)
    assert row["same answer"].value == 5 / 8
    assert (row["same answer"].low, row["same answer"].high) == pytest.approx((low, high), abs=1e-9)
    assert row["kappa"].value == pytest.approx(cohen_kappa_score(first, again), abs=1e-9)


def test_one_curator_alone_is_enough(asked: Workspace) -> None:
    found = agreement_of(asked, "ward", settings=PLAIN)
    assert found.result.absent is not None
    assert found.to_json()["tables"]["own"]["rows"][0]["asked_twice"] == 8


def test_each_curator_has_a_row_and_the_others_figures_stay_the_same(asked: Workspace) -> None:
    answer(asked, "beta", tuple((a, a) for a, _ in SAID))
    found = agreement_of(asked, "ward", settings=PLAIN)
    rows, _ = own(found)
    assert [(row["curator"], row["same answer"].value) for row in rows] == [("Alpha", 5 / 8), ("Beta", 1.0)]
    assert found.result.estimates["alpha"].value == 1.0, "the first answers of both are the same"


def test_presence_counts_a_change_of_status_as_the_same(asked: Workspace) -> None:
    [row], _ = own(agreement_of(asked, "ward", field="presence", settings=PLAIN))
    assert row["differ"] == 2


def test_a_number_opens_its_items_with_both_answers(asked: Workspace) -> None:
    _, table = own(agreement_of(asked, "ward", settings=PLAIN))
    [[_, rated, differ, *_]] = table.opens
    assert [item.detail for item in table.items[differ]()] == [
        "first: affirmed; again: absent",
        "first: absent; again: affirmed",
        "first: negated; again: affirmed",
    ]
    assert len(table.items[rated]()) == 8
