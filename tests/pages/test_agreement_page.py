"""The agreement page on two small workspaces: concepts (tests/evaluate/ward.py) and claim pairs."""

import pytest

from core.records import Action, NewDecision
from core.store import decisions, open_workspace, queue
from tests.evaluate import ward
from tests.evaluate.ward import A, B, C, D, E
from tests.pages import reader
from tests.pages.reader import links, queues, select, table
from tests.store import pairing

PAGE = "pages/reports/agreement.py"


@pytest.fixture
def twice_reviewed(filled):
    path, ids = filled
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
        ward.second_review(workspace, ids)
    return path


def open_page(curator=None):
    return reader.open_page(PAGE, curator=curator)


def test_headline_and_pairs(twice_reviewed):
    page = open_page()
    # worked out in tests/evaluate/test_curators.py
    assert [(m.label, m.value) for m in page.metric][:2] == [
        ("Krippendorff's alpha", "-0.235"),
        ("Fleiss' kappa", "-0.412"),
    ]
    (row,) = table(page, "agreement.pairs_table")
    assert (row["curators"], row["items"], row["differ"]) == ("Alpha, Beta", 4, 3)
    assert row["kappa"].startswith("-0.333 [")
    assert row["in words"] == "-0.33, poor"
    # Fleiss -14/34
    assert next(c.value for c in page.caption if "Landis" in c.value) == r"Landis and Koch\: \-0\.41, poor"


def test_the_answer_agreed_on_least_stands_first_and_opens_what_they_differ_on(twice_reviewed):
    page = open_page()
    # worked out in tests/evaluate/test_agreement_parts.py
    found = table(page, "agreement.fields_table")
    assert [row["answer"] for row in found] == ["status", "presence", "class", "concept"]
    assert found[0]["in words"] == "-0.33, poor"
    page = select(page, "agreement.fields_table", cells=[(3, "differ")])
    (item,) = table(page, "agreement.fields_items")
    assert (item["concept"], item["detail"]) == (E, f"Alpha: absent; Beta: {E} (=Eczema)")
    assert [row["proposed as"] for row in table(page, "agreement.classes_table")] == [
        "explicit",
        "not proposed",
    ]
    assert any("needs 20 items" in c.value for c in page.caption)


def test_a_number_opens_the_items_they_differ_on_and_an_item_its_review(twice_reviewed):
    page = select(open_page(), "agreement.pairs_table", cells=[(0, "kappa")])
    items = table(page, "agreement.pairs_items")
    assert [(i["document"], i["concept"], i["label"]) for i in items] == [
        ("d1", B, "Bruising"),
        ("d1", E, "=Eczema"),
        ("d2", D, "Dyspnoea"),
    ]
    assert items[0]["detail"] == "Alpha: affirmed; Beta: absent"
    page = select(page, "agreement.pairs_items", cells=[(1, "document")])
    with open_workspace(twice_reviewed) as workspace:
        of = {i.subject: i.id for i in queue.items_of_passages(workspace, [1, 2])}
    assert links(page) == [f"item={of[E]}"]
    (offered,) = queues(page)
    assert (offered.label, offered.items) == ("Review these 3", [of[B], of[E], of[D]])
    assert (offered.name, offered.corpus) == ("Alpha, Beta, kappa: agreement on ward", "ward")
    assert offered.back.startswith("agreement?open=agreement.pairs")


def test_one_button_leads_to_all_that_they_differ_on(twice_reviewed):
    (offered,) = queues(open_page(), "Settle")
    with open_workspace(twice_reviewed) as workspace:
        of = {i.subject: i.id for i in queue.items_of_passages(workspace, [1, 2])}
    assert (offered.label, offered.items) == ("Settle these 3", [of[B], of[E], of[D]])
    assert (offered.page, offered.name, offered.corpus) == (
        "adjudication",
        "What curators differ on: agreement on ward",
        "ward",
    )
    assert offered.back.startswith("agreement?")


def test_what_is_settled_is_not_to_be_settled_again(twice_reviewed):
    with open_workspace(twice_reviewed) as workspace:
        of = {i.subject: i.id for i in queue.items_of_passages(workspace, [1, 2])}
        decisions.add_curator(workspace, "gamma", "Gamma")
        ruled = [
            NewDecision(f"gamma-{item}", "gamma", Action.ADJUDICATE, item_id=item) for item in (of[B], of[E])
        ]
        assert [o.refused for o in decisions.append(workspace, ruled)] == [None, None]
    page = open_page()
    (offered,) = queues(page, "Settle")
    assert (offered.label, offered.items) == ("Settle this one", [of[D]])
    assert any("Settled\\: 2" in m.value for m in page.markdown)


def test_pairs_are_settled_as_pairs(opened):
    with open_workspace(opened) as workspace:
        one, two = pairing.pair_up(workspace).pairs
        for curator in ("alpha", "beta"):
            decisions.add_curator(workspace, curator, curator.title())
        answer = pairing.answer(one)
        said = [
            NewDecision("a-1", "alpha", Action.FIX, item_id=one.item_id, answer=answer),
            NewDecision("b-1", "beta", Action.REJECT, item_id=one.item_id),
            *(NewDecision(f"{c}-2", c, Action.REJECT, item_id=two.item_id) for c in ("alpha", "beta")),
        ]
        assert [o.refused for o in decisions.append(workspace, said)] == [None] * 4
    page = open_page()
    (offered,) = queues(page, "Settle")
    assert (offered.label, offered.items, offered.page) == ("Settle this one", [one.item_id], "adjudication")
    (link,) = [found for found in page.get("page_link") if str(found.proto.label).startswith("Settle")]
    assert "adjudication.of=Claim+pairs" in link.proto.query_string
    assert [row["answers"] for row in table(page, "agreement.dots:0:1_table")] == ["both no", "split"]


def test_every_item_is_a_dot_that_opens_it(twice_reviewed):
    page = open_page()
    assert [
        (row["answers"], row["document"], row["concept"]) for row in table(page, "agreement.dots:0:1_table")
    ] == [
        ("both yes", "d1", f"{A} (Anaemia)"),
        ("split", "d1", f"{B} (Bruising)"),
        ("split", "d1", f"{E} (=Eczema)"),
        ("split", "d2", f"{D} (Dyspnoea)"),
        ("one missing", "d2", f"{C} (Cough)"),
    ]
    page = reader.click(page, "agreement.dots:0:1_chart", (2, 0))
    (item,) = table(page, "agreement.dots:0:1_items")
    assert (item["document"], item["concept"]) == ("d1", E)
    (offered,) = [found for found in queues(page) if found.label == "Review this one"]
    with open_workspace(twice_reviewed) as workspace:
        of = {i.subject: i.id for i in queue.items_of_passages(workspace, [1])}
    assert offered.items == [of[E]]


def test_dots_are_of_items_that_the_curator_has_settled(twice_reviewed):
    page = open_page("alpha")
    assert "one missing" not in [row["answers"] for row in table(page, "agreement.dots:0:1_table")]
    assert any("Left out are 1 that you have not settled yet" in c.value for c in page.caption)


def test_another_field_and_one_run_alone_count(twice_reviewed):
    page = reader.choose(open_page(), agreement__answer="concept")
    # worked out in tests/evaluate/test_curator_answers.py
    (row,) = table(page, "agreement.pairs_table")
    assert (row["items"], row["differ"], row["kappa"].partition(" ")[0]) == (3, 1, "0.571")
    page = reader.choose(open_page(), agreement__run=ward.RUN)
    (row,) = table(page, "agreement.pairs_table")
    assert (row["items"], row["differ"], row["kappa"].partition(" ")[0]) == (3, 2, "0.000")


def test_a_cell_of_the_labels_opens_its_items(twice_reviewed):
    page = select(open_page(), "agreement.labels:0:1_table", cells=[(2, "affirmed")])  # negated, affirmed
    assert [(i["document"], i["concept"]) for i in table(page, "agreement.labels:0:1_items")] == [("d2", D)]


def test_nobody_sees_what_others_say_before_answering(twice_reviewed):
    # alpha has not settled C, which beta rejects: unsure is no answer
    page = open_page("alpha")
    assert any("stays unseen" in c.value for c in page.caption)
    page.selectbox(key="agreement.universe").select("judged").run()
    page = select(page, "agreement.pairs_table", cells=[(0, "missing")])
    assert not any(f.key == "agreement.pairs_items" for f in page.dataframe)
    page = open_page("beta")
    page.selectbox(key="agreement.universe").select("judged").run()
    page = select(page, "agreement.pairs_table", cells=[(0, "missing")])
    assert [i["document"] for i in table(page, "agreement.pairs_items")] == ["d2"]


def test_one_curator_is_too_few(filled):
    path, ids = filled
    assert "So far there is none" in open_page().info[0].value
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
    assert "So far there is only one" in open_page().info[0].value


def test_an_empty_workspace_says_what_to_do(opened):
    assert "There is no corpus yet" in open_page().info[0].value


def test_a_new_decision_is_in_the_numbers_at_the_next_look(filled):
    path, ids = filled
    page = open_page()
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
        ward.second_review(workspace, ids)
    assert page.run().metric[0].value == "-0.235"
