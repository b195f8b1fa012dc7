"""Numbers that no text, tree or catalogue reaches are refused on reading, with file, line and item."""

import json

import pytest

from core.cli import main
from core.errors import InputError
from core.evaluate import read_statuses
from core.formats.index_answers import read_answers
from core.formats.label_trees import read_indices
from core.formats.mentions import read_edges

HUGE = [2**31, 10**17, 2**63, 10**400]


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def document(end, start=0):
    marked = {"concept_id": "X:1", "start_offset": start, "end_offset": end, "text_span": "word"}
    return {"doc_id": "d1", "annotations": [marked]}


def refused(read, path):
    with pytest.raises(InputError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("huge", HUGE)
def test_offsets(tmp_path, huge):
    path = lines(tmp_path / "said.jsonl", {"doc_id": "d0", "annotations": []}, document(huge))
    said = refused(read_statuses, path)
    assert "said.jsonl, line 2" in said
    assert "end_offset" in said
    assert "2147483647" in said


def test_the_largest_offset_is_read(tmp_path):
    found = read_statuses(lines(tmp_path / "said.jsonl", document(2**31 - 1)))
    assert found.mentions["d1"][0].end == 2**31 - 1


@pytest.mark.parametrize("huge", HUGE)
def test_exit_status_and_message_of_the_command(tmp_path, capsys, huge):
    said, gold = lines(tmp_path / "said.jsonl", document(huge)), lines(tmp_path / "gold.jsonl", document(4))
    with pytest.raises(SystemExit) as left:
        main(["evaluate", str(said), "--gold", str(gold), "--families", "spans"])
    assert left.value.code == 2
    assert "end_offset" in capsys.readouterr().err


@pytest.mark.parametrize("huge", [2**53 + 1, 10**400])
def test_edges_of_the_catalogue(tmp_path, huge):
    edges = {"mention_id": "m1", "edges": [{"parent": "X:1", "child": None}]}
    said = refused(read_edges, lines(tmp_path / "gold.jsonl", {"metadata": {"edges": huge}}, edges))
    assert "gold.jsonl, metadata, edges" in said


@pytest.mark.parametrize("huge", HUGE)
def test_steps_of_an_index(tmp_path, huge):
    said = refused(
        read_answers, lines(tmp_path / "said.jsonl", {"doc_id": "d1", "indices": [[1], [2, huge]]})
    )
    assert "said.jsonl, line 1" in said
    assert "indices[1][1]" in said
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps({"X:1": [0], "X:2": [huge]}), encoding="utf-8")
    assert "'X:2'" in refused(read_indices, tree)
