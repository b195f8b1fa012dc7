"""The metrics page on a workspace small enough to score by hand (tests/evaluate/ward.py)."""

import json

import pytest
import streamlit as st

from core.evaluate import Settings, score_documents
from core.evaluate.estimated import estimated
from core.kinds.gold_change import change_of
from core.records import Action, Answer, ConceptClass, Document, ErrorAnswer, ErrorType, NewDecision
from core.review.audit import Audit, audited, draw_audit
from core.review.frames import next_units
from core.store import corpora, decisions, frames, open_workspace, queue, runs
from pages.widgets import lasting
from pages.widgets.metrics import documents
from pages.widgets.metrics.views import VIEWS
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, LABELS, A, E
from tests.pages import reader
from tests.pages.reader import checked, choose, click, links, queues, select, table, tables
from tests.review.clinic import add_labelled, hypotonia_and_cataract

PAGE = "pages/reports/metrics.py"
NAMES = {view.title: name for name, view in VIEWS.items()} | {"More": "more"}


def open_page(**address):
    return reader.open_page(PAGE, **address)


def all_values(page=None):
    """The overview with all its values, which are shut at first."""
    return choose(page or open_page(), metrics__all=True)


def cards(page):
    return [(m.label, m.value, m.delta) for m in page.metric]


def shown(page, key):
    """A table of the page, rows by the first column."""
    return {next(iter(row.values())): row for row in table(page, key)}


def view(page, name):
    return checked(page.button_group(key="metrics.view").set_value(name).run())


def test_headline_before_and_after_review(reviewed):
    assert cards(open_page()) == [("Macro F1", "1.000", "+0.208")], "the headline alone"
    page = all_values()
    assert cards(page) == [
        ("Macro F1", "1.000", "+0.208"),
        ("Micro F1", "1.000", "+0.333"),
        ("Weighted F1", "1.000", "+0.333"),
    ], "the value after review, and what review changed"
    beside = [m.proto.delta_description for m in page.metric]
    assert beside == ["better"] * 3
    captions = [c.value for c in page.caption]
    said = [c.replace("\\", "") for c in captions if c.endswith("before")]
    assert said == [f"after review; {was} before" for was in ("0.792", "0.667", "0.667")]
    assert any(
        "fraction" in c and "interval 1\\.000 to 1\\.000" in c and "4 documents, few" in c for c in captions
    )
    values, counts = shown(page, "metrics.values_table"), shown(page, "metrics.counts_table")
    assert values["Micro Precision"]["as proposed"].startswith("0.600 [")
    assert values["Micro Precision"]["after review"] == "1.000 [1.000, 1.000]"
    assert values["Micro Precision"]["change"].startswith("+0.400 [")
    assert [counts[k]["as proposed"] for k in ("Right", "Spurious", "Missed")] == [3, 2, 1]
    assert [counts[k]["after review"] for k in ("Right", "Spurious", "Missed")] == [4, 0, 0]
    assert any("what alpha decided, up to decision 6" in t.value for t in page.text)


def test_every_family_shows_its_change_by_review_with_an_interval(reviewed):
    page = view(open_page(), "assertions")
    said = [c.value for c in page.caption if c.value.startswith("by review")]
    assert said
    assert all("95% interval" in caption for caption in said)


def test_where_review_lowers_a_score_the_doubtful_gold_is_listed_and_leads_to_review(filled):
    """A of d1 is right by the gold and rejected; E of d3 and C of d4 are not in the gold and added."""
    path, ids = filled
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, "alpha", "Alpha")
        new = [NewDecision("no", "alpha", Action.REJECT, passage_id=ids["d1"], subject=A)]
        for doc, concept in (("d3", E), ("d4", ward.C)):
            answer = Answer(concept, LABELS[concept], AFFIRMED, ConceptClass.EXPLICIT)
            new.append(
                NewDecision(doc, "alpha", Action.ADD, passage_id=ids[doc], subject=concept, answer=answer)
            )
        assert all(done.number for done in decisions.append(workspace, new))
    page = open_page()
    (told,) = [w.value.replace("\\", "") for w in page.warning if "gold may" in w.value]
    assert "Review need not be wrong: the gold may lack these 2 and the gold may hold these 1 wrongly" in told
    assert not [frame for frame in page.dataframe if "doubt" in (frame.key or "")], "shut"
    page = choose(page, metrics__doubt_lacks=True, metrics__doubt_holds=True)
    lacks, holds = (table(page, f"metrics.doubt_{name}_items") for name in ("lacks", "holds"))
    assert [(i["outcome"], i["document"], i["concept"], i["label"]) for i in lacks] == [
        ("spurious", "d3", E, "=Eczema"),
        ("spurious", "d4", ward.C, "Cough"),
    ]
    assert [(i["outcome"], i["document"], i["concept"]) for i in holds] == [("missed", "d1", A)]
    page.session_state["metrics.doubt_lacks"] = True
    page = select(page, "metrics.doubt_lacks_items", cells=[(0, "document")])
    with open_workspace(path) as workspace:
        (item,) = queue.items_of_passages(workspace, [ids["d3"]])
    assert links(page) == [f"item={item.id}"]


def test_a_review_that_lowers_nothing_lists_no_doubtful_gold(reviewed):
    assert not [w for w in open_page().warning if "gold may" in w.value]


def test_one_average_alone(reviewed):
    page = all_values()
    page.button_group(key="metrics.average").set_value("micro").run()
    assert list(shown(page, "metrics.values_table")) == ["Micro F1", "Micro Recall", "Micro Precision"]


def test_published_values_are_lines_once_they_are_asked_for(reviewed):
    """RAG-HPO is printed with P 0.84, R 0.78, F1 0.80: one line in each macro row, over both sides."""

    def lines(page):
        (chart,) = [c for c in page.get("plotly_chart") if "metrics.values_chart" in c.proto.id]
        return [trace for trace in json.loads(chart.proto.spec)["data"] if trace.get("meta") == "reference"]

    page = all_values()
    assert lines(page) == []
    page.button_group(key="metrics.published").set_value(["RAG-HPO (Llama-3 70B), 120 case reports"]).run()
    assert not page.exception
    (line,) = lines(page)
    assert line["x"] == [0.8, 0.8, None, 0.78, 0.78, None, 0.84, 0.84, None]
    assert "published" in line["name"]


def test_a_small_test_set_says_so(reviewed):
    assert any("4 complete documents" in info.value for info in open_page().info)


def test_without_decisions_there_is_no_after(filled):
    page = all_values()
    assert cards(page)[0] == ("Macro F1", "0.792", "")
    assert list(shown(page, "metrics.values_table")["Macro F1"]) == ["value", "as proposed"]
    assert [h.value for h in page.header[:2]] == ["Right, spurious, missed", "Values"]
    assert not [group for group in view(page, "assertions").button_group if group.key == "metrics.proposals"]


def test_a_cell_opens_its_items_and_an_item_its_review(reviewed):
    page = select(all_values(), "metrics.counts_table", cells=[(1, "as proposed")])
    items = tables(page)[-1]
    assert [(i["outcome"], i["document"], i["concept"], i["label"]) for i in items] == [
        ("spurious", "d1", E, "=Eczema"),
        ("spurious", "d2", ward.D, "Dyspnoea"),
    ]
    assert page.query_params["open"] == "metrics.counts/before:fp"
    page = select(page, "metrics.counts_items", cells=[(0, "document")])
    with open_workspace(reviewed) as workspace:
        of = {i.subject: i.id for i in queue.items_of_passages(workspace, [1, 2])}
    assert links(page) == [f"item={of[E]}"]
    (offered,) = queues(page)
    assert (offered.label, offered.items) == ("Review these 2", [of[E], of[ward.D]]), "as in the table"
    assert (offered.page, offered.corpus) == ("concept_labels", "ward")
    assert offered.name == "Spurious, as proposed: lexicon-1 against the imported gold ward, version 1"
    assert offered.back == "metrics?open=metrics.counts%2Fbefore%3Afp"


def test_ticked_rows_are_a_queue_of_their_own_until_another_number_is_opened(reviewed):
    page = select(all_values(), "metrics.counts_table", cells=[(0, "as proposed")])
    (every,) = queues(page)
    page = select(page, "metrics.counts_items", rows=[2, 0])
    (ticked,) = queues(page)
    assert (ticked.label, ticked.items) == ("Review these 2", [every.items[0], every.items[2]])
    assert not links(page), "a tick shows no row"
    page = select(page, "metrics.counts_table", cells=[(1, "as proposed")])
    (other,) = queues(page)
    assert (other.label, len(other.items)) == ("Review these 2", 2)
    assert other.name.startswith("Spurious")


def test_missed_concepts_of_one_document_are_reviewed_with_one_item(filled):
    """Nobody has spoken of B: it is missed in d1, beside whose first item, A, it is added."""
    path, ids = filled
    page = select(all_values(), "metrics.counts_table", cells=[(2, "as proposed")])
    with open_workspace(path) as workspace:
        (first, *_) = queue.items_of_passages(workspace, [ids["d1"]])
    (offered,) = queues(page)
    assert (offered.label, offered.items) == ("Review this one", [first.id])


def test_a_card_and_a_document_open_their_items_as_queues(reviewed):
    page = choose(all_values(), metrics__card_micro=True)
    (offered,) = queues(page)
    assert (offered.label, offered.name) == (
        "Review these 4",
        "Micro F1: lexicon-1, reviewed against the imported gold ward, version 1",
    )
    page = select(view(open_page(), "documents"), "metrics.documents", cells=[(0, "fn")])
    (offered,) = queues(page)
    assert offered.name == "d1, missed, as proposed: lexicon-1 against the imported gold ward, version 1"


def test_a_bar_and_a_point_open_what_their_cells_open(reviewed):
    """The missed concept of d1 behind its piece of the bar; all right ones behind the point of macro F1 after
    review."""
    page = click(open_page(), "metrics.pieces_chart", (0, 3))
    (missed,) = table(page, "metrics.pieces_items")
    assert (missed["outcome"], missed["document"], missed["concept"]) == ("missed", "d1", ward.B)
    assert page.query_params["open"] == "metrics.pieces/before:fn"
    items = table(click(all_values(), "metrics.values_chart", (0, 2)), "metrics.values_items")
    assert [i["outcome"] for i in items] == ["right"] * 4


def test_the_last_click_counts_wherever_it_was(reviewed):
    page = select(all_values(), "metrics.counts_table", cells=[(2, "as proposed")])
    assert [i["outcome"] for i in tables(page)[-1]] == ["missed"]
    assert [i["outcome"] for i in table(page, "metrics.counts_items")] == ["missed"]
    page = select(page, "metrics.values_table", cells=[(8, "as proposed")])
    assert len(table(page, "metrics.values_items")) == 5, "micro precision: 3 right, 2 spurious"
    page = click(page, "metrics.values_chart", (0, 2))
    assert [i["outcome"] for i in table(page, "metrics.values_items")] == ["right"] * 4


def test_an_address_opens_view_and_cell(reviewed):
    page = open_page(
        metrics__view="Assertions",
        metrics__proposals="After review",
        open="metrics.after_assertions_confusion/confusion:affirmed:uncertain",
    )
    assert page.button_group(key="metrics.proposals").value == "after"
    (confused,) = tables(page)[-2] if len(tables(page)[-1]) > 1 else tables(page)[-1]
    assert (confused["document"], confused["concept"]) == ("d2", ward.C)


def test_an_address_that_names_nothing_opens_nothing(reviewed):
    page = open_page(open="metrics.counts/before:<script>")
    assert [frame.key for frame in page.dataframe] == ["metrics.values_table", "metrics.counts_table"]


def test_an_address_of_a_count_opens_all_values_at_it(reviewed):
    page = open_page(open="metrics.counts/before:fn")
    (missed,) = table(page, "metrics.counts_items")
    assert (missed["outcome"], missed["concept"]) == ("missed", ward.B)


def test_the_change_by_review_is_drawn_around_zero(reviewed):
    """Macro F1 rises from 0.792 to 1: +0.208; its interval ends at the same distance on both sides of 0."""
    (figure,) = [c for c in open_page().get("plotly_chart") if "metrics.headline" in c.proto.id]
    spec = json.loads(figure.proto.spec)
    low, high = spec["layout"]["xaxis"]["range"]
    assert low == -high < 0
    assert spec["layout"]["yaxis"]["ticktext"][0] == "F1 +0.208"
    assert spec["data"][0]["x"][0] == pytest.approx(5 / 24)


def test_without_decisions_the_headline_is_drawn_with_its_interval(filled):
    (figure,) = [c for c in open_page().get("plotly_chart") if "metrics.headline" in c.proto.id]
    spec = json.loads(figure.proto.spec)
    assert spec["layout"]["yaxis"]["ticktext"] == ["Macro F1", "Macro Recall", "Macro Precision"]
    assert spec["data"][0]["x"][0] == pytest.approx(19 / 24)


def test_a_confusion_cell_opens_exactly_its_items(reviewed):
    page = view(open_page(), "assertions")
    page = select(page, "metrics.before_assertions_confusion_table", cells=[(1, "affirmed")])
    (item,) = table(page, "metrics.before_assertions_confusion_items")
    assert (item["document"], item["concept"], item["label"]) == ("d2", ward.D, "Dyspnoea")
    page = select(page, "metrics.before_assertions_confusion_items", cells=[(0, "document")])
    (link,) = links(page)
    assert link.startswith("item=")


def test_side_by_side_shows_both(reviewed):
    page = view(open_page(), "assertions")
    page.button_group(key="metrics.proposals").set_value("both").run()
    before = shown(page, "metrics.before_assertions_confusion_table")
    after = shown(page, "metrics.after_assertions_confusion_table")
    assert (before["negated"]["affirmed"], before["negated"]["negated"]) == (1, 0)
    assert (after["negated"]["affirmed"], after["negated"]["negated"]) == (0, 1)


def test_a_number_of_a_document_opens_its_items(reviewed):
    page = select(view(open_page(), "documents"), "metrics.documents", cells=[(0, "fn")])
    (missed,) = tables(page)[-1]
    assert (missed["outcome"], missed["document"], missed["concept"]) == ("missed", "d1", ward.B)


def test_branches_hang_from_a_concept_that_a_reader_names(reviewed):
    """A and B lie at and below A. Gold holds A twice and B once, the run A twice: recall 2/3."""
    page = view(open_page(), "slices")
    page.text_input(key="metrics.root.lexicon-1").set_value(A).run()
    assert not page.exception
    (row,) = [
        row
        for frame in page.dataframe
        for row in frame.value.to_dict("records")
        if row.get("branch") == LABELS[ward.B]
    ]
    assert (row["gold"], row["missed"]) == (1, 1)
    page.text_input(key="metrics.root.lexicon-1").set_value("HP:<b>").run()
    assert not page.exception
    assert "holds no concept" in page.error[0].value


def test_a_run_that_took_a_part_from_gold_says_so(filled):
    path, _ = filled
    with open_workspace(path) as workspace, workspace.write() as db:
        old = runs.find_run(workspace, ward.RUN)
        runs.begin_run(
            db,
            "oracle-1",
            kind="concepts",
            source="offline",
            corpus_id=old.corpus_id,
            ontology_id=old.ontology_id,
            settings={"oracle": "candidates"},
            fingerprint="o",
        )
        runs.finish_run(db, "oracle-1")
    page = open_page()
    page.selectbox(key="metrics.run").select("oracle-1").run()
    assert "took its candidates from gold" in page.warning[-1].value


def test_two_runs_are_compared_on_one_gold(filled):
    """The other run finds A and B in d1, nothing in d2: F1 of d1 0.5 -> 1, of d2 2/3 -> 0. It alone is right
    about B, and about E and D, which it rightly leaves out."""
    path, ids = filled
    with open_workspace(path) as workspace:
        old = runs.find_run(workspace, ward.RUN)
        with workspace.write() as db:
            said = {ids["d1"]: [(A, AFFIRMED), (ward.B, AFFIRMED)], ids["d4"]: [(A, AFFIRMED)]}
            ward.add_run(db, "other-1", old.corpus_id, old.ontology_id, said)
    page = open_page()
    page.selectbox(key="metrics.run").select(ward.RUN).run()
    page = view(page, "compare")
    differences = shown(page, "metrics.paired_differences_table")
    assert differences["Macro F1"]["B - A"].startswith("-0.042 [")  # (0.5 - 2/3) / 4
    page = select(page, "metrics.paired_items_table", cells=[(0, "A wrong")])
    found = {(row["document"], row["concept"]) for row in table(page, "metrics.paired_items_items")}
    assert found == {("d1", ward.B), ("d1", E), ("d2", ward.D)}
    page.selectbox(key="metrics.compared").select("assertions").run()
    assert not page.exception
    joint = shown(page, "metrics.paired_assertions_differences_table")["Joint F1"]
    assert joint["B - A"].endswith("]")


def test_the_full_report_is_made_when_it_is_asked_for(reviewed):
    settings = Settings(families=("corpus", "assertions"))
    report = documents._report(reviewed, ward.RUN, ward.GOLD, settings)
    assert report.startswith("<!doctype html>")
    assert "Confusion of statuses" in report
    labels = [b.label for b in view(open_page(), "documents").get("download_button")]
    assert labels == ["Documents, CSV", "Items, CSV", "Distribution, CSV", "Full report, HTML"]


def test_a_bar_of_the_distribution_narrows_the_list_and_an_order_sorts_it(reviewed):
    page = view(open_page(), "documents")
    page.selectbox(key="metrics.order").select("worst").run()
    assert [row["doc_id"] for row in tables(page)[0]] == ["d1", "d2", "d3", "d4"]
    page = click(page, "metrics.distribution_chart", (5, 1))
    assert [row["doc_id"] for row in tables(page)[0]] == ["d1"]
    assert any("1 of 4 documents: 0.5 to 0.6" in c.value for c in page.caption)


def test_reviewed_gold_shows_what_is_undefined_and_why(filled):
    path, ids = filled
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, "alpha", "Alpha")
        decisions.append(
            workspace,
            [NewDecision("1", "alpha", Action.REJECT, passage_id=ids["d1"], subject=E)],
        )
    page = open_page()
    page.selectbox(key="metrics.gold").select("reviewed@now:curator=alpha").run()
    all_values(page)
    assert cards(page)[0] == ("Macro F1", "–", "")
    said = "\n".join(info.value for info in page.info)
    assert "No document of this gold is complete \\(closed in review\\)" in said
    assert "agree with it by construction" in said
    assert shown(page, "metrics.values_table")["Micro Precision"]["as proposed"].startswith("0.000")


def test_another_choice_of_assertions_changes_the_numbers(reviewed):
    page = all_values()
    page.button_group(key="metrics.assertions").set_value(["affirmed"]).run()
    # d2 is now without a right answer: C is uncertain, D wrong
    micro = shown(page, "metrics.values_table")["Micro F1"]
    assert micro["as proposed"].startswith("0.500")  # TP 2, FP 2, FN 2
    page.button_group(key="metrics.assertions").set_value([]).run()
    assert [info.value for info in page.info] == ["Choose at least one assertion."]


def test_documents_with_nothing_may_be_left_out(filled):
    page = open_page()
    page.selectbox(key="metrics.vacuous").select("skip").run()
    assert cards(page)[0][1] == "0.722"  # (0.5 + 2/3 + 1) / 3


def test_a_new_decision_is_in_the_numbers_at_the_next_look(filled):
    path, ids = filled
    page = all_values()
    assert cards(page)[1] == ("Micro F1", "0.667", "")
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, "alpha", "Alpha")
        answer = Answer(A, "Anaemia", AFFIRMED, ConceptClass.EXPLICIT)
        decisions.append(
            workspace,
            [
                NewDecision("1", "alpha", Action.ACCEPT, passage_id=ids["d1"], subject=A, answer=answer),
                NewDecision("2", "alpha", Action.REJECT, passage_id=ids["d1"], subject=E),
            ],
        )
    assert cards(page.run())[1] == ("Micro F1", "0.750", "+0.083")  # TP 3, FP 1, FN 1


def test_an_empty_workspace_says_what_to_do(opened):
    assert "There are no runs yet" in open_page().info[0].value


def test_every_view_opens_without_a_fault(reviewed):
    page = open_page()
    titles = page.button_group(key="metrics.view").options
    for title in titles:
        page.button_group(key="metrics.view").set_value(NAMES[title]).run()
        assert not page.exception, title


def test_a_frame_is_opened_and_says_what_the_whole_run_is_worth(reviewed):
    page = view(open_page(), "whole")
    page.text_input(key="metrics.frame_name").set_value("pilot")
    page = checked(page.button(key="FormSubmitter:metrics.frame-Open the frame").click().run())
    row = tables(page)[0][0]
    with open_workspace() as workspace:
        found = estimated(workspace, "pilot")
        units = next_units(workspace, "pilot", 100)
    assert row["decided"] == f"{found.headline.n} of {found.headline.of} items"
    assert row["waiting"] == found.waiting
    (listed,) = queues(page)
    assert (listed.name, listed.items) == ("Frame pilot", [unit.item_id for unit in units])
    page.text_input(key="metrics.frame_name").set_value("pilot")
    page = page.button(key="FormSubmitter:metrics.frame-Open the frame").click().run()
    assert "exists already" in page.error[0].value


def test_without_gold_a_frame_is_opened_all_the_same(workspace, monkeypatch):
    """Its first answer makes gold; the way back leads to the view that it was opened in."""
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace.path))
    add_labelled(workspace, "ward", {"d": "Marked hypotonia, no cataract."}, hypotonia_and_cataract)
    page = open_page()
    assert "Nothing to score this run against" in page.info[0].value
    page.text_input(key="metrics.frame_name").set_value("first")
    page = checked(page.button(key="FormSubmitter:metrics.frame-Open the frame").click().run())
    (listed,) = queues(page)
    assert listed.items == [unit.item_id for unit in next_units(workspace, "first", 100)]
    decisions.add_curator(workspace, "alpha", "Alpha")
    new = NewDecision("first", "alpha", Action.REJECT, item_id=listed.items[0])
    decisions.append(workspace, [new])
    page = open_page(**page.query_params)
    assert tables(page)[0][0]["decided"] == "1 of 2 items"


def test_a_frame_of_passages_offers_what_to_close_next_as_long_as_something_is_left(reviewed):
    page = view(open_page(), "whole")
    page.text_input(key="metrics.frame_name").set_value("whole-notes")
    page.radio(key="metrics.frame_unit").set_value("passage")
    page = checked(page.button(key="FormSubmitter:metrics.frame-Open the frame").click().run())
    with open_workspace() as workspace:
        found = estimated(workspace, "whole-notes")
        left = [unit.passage_id for unit in next_units(workspace, "whole-notes", 100)]
    (said,) = [one.value.replace("\\", "") for one in page.caption if "are decided" in one.value]
    assert said.startswith(f"{found.counted + found.waiting} of {found.frame.size} are decided.")
    assert [(one.name, one.items) for one in queues(page)] == ([("Frame whole-notes", left)] if left else [])
    assert all(".passages=" in link.proto.query_string for link in page.get("page_link")[-1:]) or not left


def test_a_frame_by_strata_and_below_a_concept(reviewed):
    page = view(open_page(), "whole")
    page.text_input(key="metrics.frame_name").set_value("cut")
    page.selectbox(key="metrics.frame_draw").set_value("class")
    page = checked(page.button(key="FormSubmitter:metrics.frame-Open the frame").click().run())
    page.text_input(key="metrics.frame_name").set_value("below")
    page.text_input(key="metrics.frame_root").set_value(A)
    page = checked(page.button(key="FormSubmitter:metrics.frame-Open the frame").click().run())
    with open_workspace() as workspace:
        opened = {frame.name: frame for frame in frames.list_frames(workspace)}
    assert {name: (frame.policy, frame.scope.get("by")) for name, frame in opened.items()} == {
        "cut": ("strata", "class"),
        "below": ("strata", "class"),
    }
    assert (opened["cut"].scope.get("root"), opened["below"].scope["root"]) == (None, A)
    assert opened["below"].size < opened["cut"].size
    said = [one.value.replace("\\", "") for one in page.caption if "are decided" in one.value]
    assert ["Only" in one for one in said] == [False, True]
    page.text_input(key="metrics.frame_name").set_value("none")
    page.text_input(key="metrics.frame_root").set_value("HP:9999999")
    page = page.button(key="FormSubmitter:metrics.frame-Open the frame").click().run()
    assert "holds no concept" in page.error[0].value


def test_against_corrected_gold_the_imported_one_stands_beside_it(reviewed):
    """E of d1 was missing in the gold: 4 of 5 proposals are right by the corrected one, 3 by the imported."""
    with open_workspace(reviewed) as workspace:
        decisions.add_curator(workspace, "beta", "Beta")
        draw_audit(workspace, Audit(ward.RUN, ward.GOLD, 2, name="a"))
        on = next(one for one in audited(workspace, "a") if one.concept == E)
        said = ErrorAnswer(ErrorType.MISSING_GOLD)
        answer = Answer(E, LABELS[E], AFFIRMED, ConceptClass.EXPLICIT)
        subject = change_of(ward.GOLD, E)
        done = decisions.append(
            workspace,
            [
                NewDecision("m", "alpha", Action.CLASSIFY_ERROR, item_id=on.item_id, answer=said),
                NewDecision(
                    "c", "beta", Action.ACCEPT, passage_id=on.passage_id, subject=subject, answer=answer
                ),
            ],
        )
        assert all(one.number for one in done)
    plain = open_page()
    (choice,) = [box for box in plain.selectbox if box.label == "Gold"]
    assert choice.options == [
        "Imported gold ward, version 1",
        "Imported gold ward, version 1, with confirmed changes",
        "What Alpha decided",
    ]
    page = all_values(open_page(**{"metrics.gold": "corrected@now:ward@1"}))
    (bars,) = [c for c in page.get("plotly_chart") if "metrics.pieces" in c.proto.id]
    assert json.loads(bars.proto.spec)["layout"]["yaxis"]["ticktext"] == [
        "As proposed",
        "After review",
        "Against imported gold",
    ]
    row = shown(page, "metrics.values_table")["Micro Precision"]
    assert list(row) == [
        *("value", "as proposed", "after review", "change", "as proposed, against imported:ward@1"),
    ]
    assert row["as proposed"].startswith("0.800 [")
    assert row["as proposed, against imported:ward@1"].startswith("0.600 [")
    assert (
        row["as proposed, against imported:ward@1"]
        == shown(all_values(plain), "metrics.values_table")["Micro Precision"]["as proposed"]
    )
    captions = [c.value.replace("\\", "").replace("\u2060", "") for c in page.caption]
    assert any(
        "with confirmed changes, up to decision 8, unless a column names another." in c for c in captions
    )


def test_a_run_is_scored_as_proposed_once_and_after_review_at_each_decision(filled, monkeypatch):
    """What it is called tells which: a finished run against imported gold."""
    path, ids = filled
    named = []
    plain = score_documents._evaluated

    def counting(*given):
        named.append(given[-1])
        return plain(*given)

    monkeypatch.setattr(score_documents, "_evaluated", counting)
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
    before = cards(open_page())
    with open_workspace(path) as workspace:
        ward.second_review(workspace, ids)
    assert cards(open_page()) != before
    assert sorted(named) == ["lexicon-1", "lexicon-1, reviewed", "lexicon-1, reviewed"]


def test_documents_added_to_the_corpus_count_at_once(filled):
    """Such a document has neither gold nor proposals: it scores 1."""
    path, _ = filled
    before = cards(open_page())
    with open_workspace(path) as workspace, workspace.write() as db:
        list(corpora.insert_passages(db, corpora.corpus(workspace, "ward").id, [Document("d5", "More.")]))
    after = cards(open_page())
    assert after != before
    lasting.forget()  # as in a server that has just begun
    st.cache_resource.clear()
    assert cards(open_page()) == after


@pytest.mark.parametrize("chosen", ["overview", "assertions"])
def test_after_every_change_the_figures_are_those_of_a_server_that_has_just_begun(filled, chosen):
    path, ids = filled

    def seen():
        page = open_page(**{"metrics.view": chosen})
        return cards(page), {frame.key: table(page, frame.key) for frame in page.dataframe}

    def decide(workspace):
        ward.review(workspace, ids)

    def take_back(workspace):
        undo = NewDecision("undo", "alpha", Action.UNDO, undoes=2)
        assert decisions.append(workspace, [undo])[0].number

    def add_document(workspace):
        with workspace.write() as db:
            corpus = corpora.corpus(workspace, "ward").id
            list(corpora.insert_passages(db, corpus, [Document("d5", "More.")]))

    def add_run(workspace):
        with workspace.write() as db:
            corpus = corpora.corpus(workspace, "ward").id
            ontology = runs.find_run(workspace, ward.RUN).ontology_id
            ward.add_run(db, "another", corpus, ontology, {ids["d3"]: [(E, AFFIRMED)]})

    before = seen()
    for change in (decide, take_back, add_document, add_run):
        with open_workspace(path) as workspace:
            change(workspace)
        after = seen()
        lasting.forget()
        st.cache_resource.clear()
        st.cache_data.clear()
        anew = seen()
        assert after == anew, change.__name__
        assert change is add_run or after != before, change.__name__
        before = after
