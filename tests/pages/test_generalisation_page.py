"""The generalisation page: a run with a training set, uploaded trees and tags, items and messages."""

import json

import pytest

from core.store import open_workspace
from tests.evaluate import trained, ward
from tests.evaluate.ward import A, B, C, E
from tests.pages import reader
from tests.pages.reader import checked, links, queues, select

PAGE = "pages/reports/generalisation.py"
TREE = json.dumps({A: [0, 0], B: [0, 1], C: [1, 0], E: [1, 1]}).encode()


@pytest.fixture
def trained_on(filled):
    """The ward with a training set, and the ids of its passages."""
    path, ids = filled
    with open_workspace(path) as workspace:
        trained.add_training(workspace)
    return path, ids


def open_page():
    return reader.open_page(PAGE)


def cards(page):
    return [(m.label.replace("\\", ""), m.value, m.delta) for m in page.metric]


def upload(page, **files):
    for name, (file, content) in files.items():
        page.file_uploader(key=f"generalisation.{name}").set_value([(file, content, "text/plain")])
    return checked(page.run())


def choose(page, **values):
    return reader.choose(page, **{f"generalisation__{name}": value for name, value in values.items()})


def on_a_tree(page):
    return upload(choose(page, trained_on="imported:train@1", view="unseen"), index=("tree.json", TREE))


def test_without_a_training_set_the_page_says_what_to_give(trained_on):
    page = choose(open_page(), view="mem_syn_con")
    assert any("training set" in info.value for info in page.info)


def test_closeness_of_a_run_on_an_uploaded_tree(trained_on):
    # A is seen; B: 1 of 2 levels, C: exact (tests/evaluate/test_generalisation.py)
    page = on_a_tree(open_page())
    assert cards(page)[:3] == [
        ("U-RC", "0.750", ""),
        ("U-CS", "1.333", ""),
        ("Recall of unseen concepts", "0.500", ""),
    ]
    rows = {row["answers"]: row for row in page.dataframe[0].value.to_dict("records")}
    assert rows["always a parent"]["closeness (U-RC)"] == "0.500"
    assert rows["the predictions"]["units"] == 2


def test_a_cell_opens_its_items_and_an_item_its_review(trained_on):
    page = on_a_tree(open_page())
    base = "generalisation.before_unseen_closeness"
    page = select(page, f"{base}_table", cells=[(0, "units")])
    items = page.dataframe[1].value.to_dict("records")
    assert [(i["document"], i["concept"], i["outcome"]) for i in items] == [
        ("d1", B, "missed"),
        ("d2", C, "right"),
    ]
    (queue,) = queues(page)
    assert (queue.label, queue.corpus) == ("Review these 2", "ward")
    assert queue.back.startswith("generalisation")
    found = links(select(page, f"{base}_items", cells=[(1, "document")]))
    assert any(link.startswith("item=") for link in found)


def test_what_review_changes(trained_on):
    path, ids = trained_on
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
    page = on_a_tree(open_page())
    assert cards(page)[0] == ("U-RC", "1.000", "+0.250")  # after review, and by how much
    assert cards(choose(page, proposals="after"))[0] == ("U-RC", "1.000", "")


def test_the_gold_is_no_training_set_for_itself(trained_on):
    page = choose(open_page(), trained_on="imported:ward@1")
    assert any("gold itself" in warning.value for warning in page.warning)


def test_a_file_that_cannot_be_read_is_a_message(trained_on):
    page = upload(choose(open_page(), view="unseen"), index=("tree.json", b"[]"))
    assert any("no JSON object" in error.value for error in page.error)


def recalls(page):
    """Of each split, without its interval."""
    rows = page.dataframe[0].value.to_dict("records")
    return {
        row["split"]: row["recall"].partition(" ")[0] if isinstance(row["recall"], str) else None
        for row in rows
        if row["split"].isupper()
    }


def test_tagged_files(trained_on):
    page = choose(open_page(), source="tags")
    assert any("Give the predicted tags" in info.value for info in page.info)
    page = upload(
        page,
        predicted=("said.txt", b"AT B\nx O\n\nnew O\n"),
        gold_tags=("gold.txt", b"AT B\nx O\n\nnew B\n"),
        names=("names.txt", b"at\n"),
    )
    assert cards(page)[0][:2] == ("Recall", "0.500")
    assert recalls(page) == {"MEM": "1.000", "UNS": "0.000"}
    page = upload(page, gold_ids=("ids.txt", b"AT D1\nx -\n\nnew D2\n"), ids=("list.txt", b"D2\n"))
    assert recalls(page) == {"MEM": "1.000", "SYN": "0.000", "CON": None}
    page = upload(page, predicted=("said.txt", b"other B\n"))
    assert any("same tokens" in error.value for error in page.error)


def test_files_of_mentions(trained_on):
    gold = b'{"mention_id": "m1", "concept_id": "NIL"}\n{"mention_id": "m2", "concept_id": "X:1"}\n'
    said = b'{"mention_id": "m1", "concept_id": "NIL"}\n{"mention_id": "m2", "concept_id": "X:2"}\n'
    page = choose(open_page(), source="tags")
    page = upload(page, predicted=("said.jsonl", said), gold_tags=("gold.jsonl", gold))
    rows = page.dataframe[0].value.to_dict("records")
    assert [(r["mentions"], r["gold"], r["right"]) for r in rows] == [
        ("out-of-KB (NIL)", 1, 1),
        ("in-KB, right concept", 1, 0),
        ("in-KB, any concept", 1, 1),
    ]
    base = "generalisation.discovery_strata"
    page.session_state[f"{base}_table"] = {"selection": {"rows": [], "columns": [], "cells": [(1, "gold")]}}
    page.run()
    (item,) = page.dataframe[1].value.to_dict("records")
    assert (item["mention"], item["outcome"]) == ("m2", "missed")
    edges = b'{"mention_id": "m1", "edges": [{"parent": "X:1", "child": null}]}\n'
    page = upload(page, predicted=("said.jsonl", edges), gold_tags=("gold.jsonl", edges))
    assert [row["gold edges"] for row in page.dataframe[0].value.to_dict("records")] == [1, 1, 1, 1]
    page = upload(page, gold_tags=("gold.jsonl", gold))
    assert any("of one kind" in error.value for error in page.error)


def test_markup_in_tokens_stays_text(trained_on):
    page = upload(
        choose(open_page(), source="tags"),
        predicted=("<b>x.txt", b"a O\n<b>hi</b> B\n"),
        gold_tags=("gold.txt", b"a O\n<b>hi</b> B\n"),
    )
    assert not page.error


def test_an_empty_workspace(opened):
    assert any("no runs yet" in info.value for info in open_page().info)
