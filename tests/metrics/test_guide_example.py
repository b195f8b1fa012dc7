"""The ten concepts of the guide: its figures are those that the code gives."""

from __future__ import annotations

from pathlib import Path

from core.index.tree import LabelTree, shape
from core.metrics.unseen import baseline, score

GUIDE = (Path(__file__).parents[2] / "data/guide/generalisation.md").read_text("utf-8")
TREE = LabelTree(
    {
        **{name: (0, n) for n, name in enumerate(("Ataxia", "Gait ataxia", "Tremor", "Dystonia"))},
        "Seizure": (1, 0),
        "Focal seizure": (1, 1, 0),
        "Absence seizure": (1, 1, 1),
        **{name: (2, n) for n, name in enumerate(("Tachycardia", "Bradycardia", "Palpitations"))},
    }
)
PARENTS = {"Gait ataxia": ["Ataxia"], "Focal seizure": ["Seizure"]}


def test_u_rc_and_u_cs_of_the_drawn_tree():
    assert shape(TREE).valid
    for name, index in TREE.indices.items():
        assert any(name in line and str(list(index)) in line for line in GUIDE.splitlines()), name
    found = score(
        {"p": {"Gait ataxia", "Focal seizure", "Palpitations"}},
        {"p": {"Ataxia", "Absence seizure", "Palpitations"}},
        {"Ataxia", "Seizure", "Palpitations"},
        TREE,
    )
    assert [(u.concept, u.shared, u.depth, u.size, u.nearest) for u in found.units] == [
        ("Focal seizure", 2, 3, 2, "Absence seizure"),
        ("Gait ataxia", 1, 2, 4, "Ataxia"),
    ]
    parent = baseline([u.concept for u in found.units], TREE, PARENTS.__getitem__, "parent")
    told = (found.estimates["u_rc"], found.estimates["u_cs"], parent.closeness, parent.size)
    shown = [f"{estimate.value:.3f}" for estimate in told]
    assert shown == ["0.583", "2.667", "0.417", "3.429"]
    assert all(number in GUIDE for number in shown)
