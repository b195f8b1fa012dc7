"""The comparison of two checkouts: this one equals itself, and a planted difference is found."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.compare import checkouts
from tests.compare.differences import ABSENT, Difference, differences, same

ROOT = Path(__file__).parents[2]
RECORD: dict[str, Any] = {
    "evaluations": {
        "run": {"estimates": {"f1": {"value": 0.5, "low": None}}, "opened": [["d1", "X:1", "tp"]]}
    },
    "verify": {"out": {"problems": [], "at": "2026-01-02T03:04:05.678+00:00", "n": 3}},
    "built": {"runs": {"a": {"digest": "0" * 64}}},
}


def planted(change: Any) -> list[Difference]:
    after = copy.deepcopy(RECORD)
    change(after)
    return list(differences(RECORD, after))


def test_this_checkout_equals_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = ["releases", "verify"]
    before, after = checkouts.recorded(ROOT, ROOT, tmp_path / "records", parts, whole=False)
    assert checkouts.report(before, after) == 0, capsys.readouterr().out
    assert before.keys() == set(parts)
    assert before["verify"]["verify"]["out"]["problems"] == []
    assert before["verify"]["verify"]["out"]["decisions"] > 100
    assert len(before["releases"]["by hand"]["files"]["train.jsonl"]) > 5


def test_a_changed_number_is_found_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    after = copy.deepcopy(RECORD)
    after["evaluations"]["run"]["estimates"]["f1"]["value"] = 0.5000000000000001
    assert checkouts.report(RECORD, after) == 1
    said = capsys.readouterr().out
    assert "evaluations/run/estimates/f1/value\n" in said
    assert "0.5000000000000001" in said
    assert "1 differ" in said


def test_what_is_new_gone_or_of_another_type_is_found() -> None:
    path = "evaluations/run/opened/0/3"
    assert planted(lambda r: r["evaluations"]["run"]["opened"][0].append("fp")) == [
        Difference(path, ABSENT, "fp")
    ]
    assert planted(lambda r: r["evaluations"]["run"].pop("opened")) == [
        Difference("evaluations/run/opened", [["d1", "X:1", "tp"]], ABSENT)
    ]
    assert planted(lambda r: r["verify"]["out"].update(n=3.0)) == [Difference("verify/out/n", 3, 3.0)]
    assert planted(lambda r: r["verify"]["out"].update(n=None)) == [Difference("verify/out/n", 3, None)]


def test_only_what_is_named_may_differ() -> None:
    assert planted(lambda r: r["verify"]["out"].update(at="2026-09-08T07:06:05+00:00")) == []
    assert planted(lambda r: r["verify"]["out"].update(at="2001-02-03T00:00:01+00:00"))
    assert planted(lambda r: r["built"]["runs"]["a"].update(digest="1" * 64)) == []
    assert planted(lambda r: r["built"]["runs"].update(b={"digest": "1" * 64}))
    assert planted(lambda r: r["evaluations"].update(digest="1" * 64))


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pages/runs/ada/side/2/help", r"\/tmp\/tmp\_816s36r\/stored", r"\/tmp\/tmp0vr75bne\/stored"),
        ("pages/runs/ada/side/0/id", f"$$ID-{'a' * 32}-frame.choice", f"$$ID-{'b' * 32}-frame.choice"),
    ],
)
def test_where_a_checkout_lies_makes_no_difference(path: str, before: str, after: str) -> None:
    assert same(before, after, path)
    assert not same(before, after + "s", path)
