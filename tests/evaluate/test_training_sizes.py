"""A curve over training sizes: each size on the same gold and tree, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.charts import draw
from core.errors import InputError
from core.evaluate.inputs.options import Options
from core.evaluate.training_sizes import Size, score_sizes

TREE = {"a:1": [0, 0], "a:2": [0, 1], "a:3": [1, 0], "a:4": [1, 1]}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    def write(name: str, *documents: list[str]) -> None:
        held = [
            {
                "doc_id": f"d{n}",
                "text": "Words.",
                "annotations": [{"concept_id": c, "label": "x"} for c in ids],
            }
            for n, ids in enumerate(documents)
        ]
        (tmp_path / name).write_text(json.dumps({"metadata": {}, "documents": held}))

    write("gold.json", ["a:1", "a:4"], ["a:2"])
    write("small.json", ["a:1"], [])
    write("large.json", ["a:1", "a:3"], ["a:2"])
    write("train-1.json", ["a:1"])
    write("train-2.json", ["a:1"], ["a:2"])
    (tmp_path / "tree.json").write_text(json.dumps(TREE))
    return tmp_path


def test_each_size_is_scored_with_its_own_training_set(files: Path) -> None:
    sizes = [
        Size(str(files / f"{s}.json"), files / f"train-{n}.json") for s, n in (("large", 2), ("small", 1))
    ]
    found = score_sizes(None, sizes, str(files / "gold.json"), Options(index=files / "tree.json"))
    small, large = found.points  # in order of size
    assert (small.passages, small.units) == (1, 2)  # unseen: a:4 in d0, a:2 in d1
    # a:4 from a:1: nothing shared; a:2 from nothing: 0
    assert small.values["u_rc"].value == 0.0
    assert small.values["u_cs"].value == 4.0
    assert small.values["exact_f1"].value == pytest.approx(2 * 1 / (2 * 1 + 0 + 2))
    assert (large.passages, large.units) == (2, 1)  # a:4 alone; a:3 beside it shares 1 of 2
    assert large.values["u_rc"].value == 0.5
    assert large.values["u_cs"].value == 2.0
    assert large.values["exact_f1"].value == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    assert small.values["exact_f1"].low is not None
    near, left = found.tables()
    assert [row[0] for row in near.rows] == [1, 2]
    assert near.chart is not None
    assert near.chart.y == ("F1", "U-RC", "any other concept", "the most frequent seen concept")
    assert [len(line.x) for line in draw(left).data] == [2] * len(draw(left).data)
    assert found.to_json()["points"][1]["values"]["u_rc"]["value"] == 0.5


def test_what_makes_no_curve_is_said(files: Path) -> None:
    options, gold = Options(index=files / "tree.json"), str(files / "gold.json")
    one = Size(str(files / "small.json"), files / "train-1.json")
    with pytest.raises(InputError, match="both trained on 1 passages"):
        score_sizes(None, [one, one], gold, options)
    with pytest.raises(InputError, match="label tree"):
        score_sizes(None, [one], gold, Options())
    (files / "names.txt").write_text("some name\n")
    with pytest.raises(InputError, match="cannot be placed on a curve"):  # it holds no ids
        score_sizes(None, [Size(one.predictions, files / "names.txt", 5)], gold, options)
