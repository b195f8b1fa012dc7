"""The start page, as far as Python draws it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from core.records import Action, NewDecision
from core.review.frames import Wanted, next_units, open_frame
from core.store import decisions, ontologies, open_workspace
from tests.evaluate import ward
from tests.pages.reader import APP, checked
from tests.patience import SECONDS
from tests.review.clinic import SEIZURE, add_corpus, add_run, draft, furnish, items_of_run, ontology
from tests.store.pairing import pair_up


def opened_page() -> AppTest:
    return checked(AppTest.from_file(str(APP), default_timeout=SECONDS).run())


def said(page: AppTest) -> str:
    return "\n".join(str(one.value) for one in (*page.title, *page.markdown, *page.caption)).replace("\\", "")


def ways(page: AppTest) -> dict[str, tuple[str, dict[str, list[str]]]]:
    """Label of a link -> (page, its query parameters)."""
    found: dict[str, Any] = {}
    for link in page.get("page_link"):
        found[link.proto.label] = link.proto.page, parse_qs(link.proto.query_string)
    return found


def test_an_empty_workspace_says_what_to_do_first(opened: Path) -> None:
    page = opened_page()
    assert page.title[0].value == "Nothing is labelled yet"
    commands = [one.value for one in page.code]
    assert [line.split()[1] for line in commands] == ["ontology", "corpus", "annotate"]
    assert not page.error


def test_what_is_there_already_is_ticked_off(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        ontologies.add_ontology(workspace, ontology())
        add_corpus(workspace, {"d1": "A seizure."})
    page = opened_page()
    assert [one.value for one in page.code] == ["touchstone annotate --corpus ward --ontology mini"]
    assert "There is mini" in said(page)
    assert "**Try your own text**" in ways(page)


def test_one_sentence_three_ways_and_no_question_for_a_name(reviewed: Path) -> None:
    page = opened_page()
    assert page.title[0].value.replace("\\", "") == (
        "5 machine labels on 4 passages. 4 checked by people: 1 is right, 2 wrong, 1 unsure."
    )
    told = said(page)
    assert "**✓ Right:** 1 of 5 labels" in told
    assert "**✕ Wrong:** 2 of 5 labels" in told
    assert "**☐ Not known:** 2 of 5 labels" in told
    assert "**Today:** 5 decisions by 1 person." in told  # the closing of d1 is no judgement
    assert "**Health:**" in told
    assert not page.text_input
    assert not page.warning
    found = ways(page)
    assert found["**Try your own text**"][0] == "try_text"
    assert found["**See where the machine errs**"][0] == "metrics"
    assert not any("disagree" in label for label in found)


def test_the_next_labels_are_those_that_nobody_has_judged(reviewed: Path) -> None:
    with open_workspace(reviewed) as workspace:
        run = items_of_run(workspace, ward.RUN)
        judged = {row[0] for row in workspace.db.execute("SELECT DISTINCT item_id FROM decisions")}
    (left,) = set(run) - judged
    page, query = ways(opened_page())["**Review 1 label (1 min)**"]
    assert page == "concept_labels"
    assert query["concept_labels.items"] == [str(left)]
    assert "Reckoned with 9 seconds a label: nobody has been timed here yet." in said(opened_page())


def test_labels_of_a_frame_come_in_its_order_and_take_as_long_as_before(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        ontologies.add_ontology(workspace, ontology())
        texts = {f"d{n:02}": "A seizure." for n in range(30)}
        at = add_corpus(workspace, texts)
        add_run(workspace, {at[d]: [draft(SEIZURE, texts[d], "seizure")] for d in texts})
        decisions.add_curator(workspace, "alpha", "Alpha")
        open_frame(workspace, Wanted("alpha", "pilot"))
        first = [unit.item_id for unit in next_units(workspace, "pilot", 21)]
        new = NewDecision("1", "alpha", Action.REJECT, item_id=first[0], milliseconds=9_000)
        assert decisions.append(workspace, [new])[0].number == 1
    found = ways(opened_page())
    page, query = found["**Review 20 labels (3 min)**"]  # 20 times 9 s
    assert page == "concept_labels"
    assert query["concept_labels.items"] == [".".join(map(str, first[1:]))]


def test_claim_pairs_have_a_way_of_their_own(opened: Path) -> None:
    with open_workspace(opened) as workspace:
        furnish(workspace)
        pair_up(workspace)
    found = ways(opened_page())
    assert found["Look at claims that seem to disagree"][0] == "conflict_labels"


def test_an_old_address_of_the_desk_still_leads_there(reviewed: Path) -> None:
    page = AppTest.from_file(str(APP), default_timeout=SECONDS)
    page.query_params["concept_labels.show"] = "All"
    checked(page.run())
    assert [title.value for title in page.title] == ["Concept labels"]
