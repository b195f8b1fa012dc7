"""Putting proposals right: another concept, class, status or evidence; adding what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from core.records import Action, Assertion, ConceptClass
from core.store import ontologies, open_workspace
from pages.widgets.desk import component
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import Desk, select
from tests.review.clinic import (
    CATARACT,
    EYE,
    FOCAL,
    HYPOTONIA,
    SEIZURE,
    add_corpus,
    add_run,
    draft,
    items_of_run,
    ontology,
)

ODD = "👩🏽‍⚕️ noted: 🧠🧠 a fo\u0301cal seizure 😀 in oboe\u0308, e\u0301 and cataracts 👨‍👩‍👧 of both eyes."
"""Emoji of one to seven code points, letters with combining accents."""
CORPORA = ("shared", "overlap", "order", "narrow", "several")
GOES_ON = 20
"""Passages of the queue in which tests go on one behind the other."""


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("fix") / "fix.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in CORPORA:
            texts = {f"{corpus}{n:02}": ODD for n in range(GOES_ON if corpus == "shared" else 3)}
            at = add_corpus(workspace, texts, corpus)
            first = [
                draft(SEIZURE, ODD, "seizure"),
                draft(CATARACT, ODD, "cataracts"),
            ]
            if corpus == "overlap":
                first += [
                    draft(FOCAL, ODD, "fo\u0301cal seizure"),
                    draft(HYPOTONIA, ODD, "seizure 😀 in oboe\u0308"),
                ]
            if corpus == "order":
                first += [draft(HYPOTONIA, ODD, "floppy"), draft(FOCAL, ODD, "fo\u0301cal", repaired=True)]
            if corpus == "several":  # a mention of the patient's, one of a relative's
                own, other = first[0].evidence[0], draft(CATARACT, ODD, "cataracts").evidence[0]
                both = (own, replace(other, assertion=Assertion.OTHER_PERSON))
                first = [replace(first[0], evidence=both)]
            labelled = at.values() if corpus == "shared" else [at[f"{corpus}00"]]
            add_run(workspace, dict.fromkeys(labelled, first), f"run-{corpus}", corpus=corpus)
    return Ward(module_app_server(path), path)


@pytest.fixture(scope="module")
def sitting(house: Ward, module_page: Page) -> tuple[Desk, Iterator[int]]:
    """A desk, and where tests begin at it: at the Seizure of each passage."""
    desk = house.desk(module_page, "shared")
    with open_workspace(house.workspace) as workspace:
        return desk, iter(items_of_run(workspace, "run-shared")[::2])


@pytest.fixture
def desk(sitting: tuple[Desk, Iterator[int]]) -> Desk:
    """A desk that goes on at a Seizure."""
    desk, firsts = sitting
    return desk.begin_at(next(firsts))


def test_a_mention_in_focus_is_left_out_and_the_rest_is_stored_as_a_fix(house: Ward, page: Page) -> None:
    desk = house.desk(page, "several")
    mentions = page.locator('[data-key^="mention "]')
    expect(mentions).to_have_count(2)
    mentions.nth(0).focus()
    desk.press("e")
    expect(mentions.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(mentions.nth(0)).to_be_focused()
    chosen = page.locator('[data-key="Status other_person"]')
    expect(chosen).to_have_attribute("aria-checked", "true")  # all that is left is a relative's
    desk.press("Tab")
    desk.press("e")  # the last one stays
    desk.see("last mention")
    desk.press("a")
    desk.wait_for_decisions(1)
    (fixed,) = desk.log()
    assert fixed.action is Action.FIX
    assert fixed.answer is not None
    assert [span.quote for span in fixed.answer.spans] == ["cataracts"]
    assert (fixed.answer.concept, fixed.answer.assertion) == (SEIZURE, Assertion.OTHER_PERSON)


def test_fix_to_another_concept_in_three_keys(desk: Desk) -> None:
    page = desk.page
    page.wait_for_timeout(600)  # as long as a reader looks at it; candidates are fetched meanwhile
    desk.press("f")
    row = page.locator('[role="option"]').nth(1)
    expect(row).to_contain_text("Focal-onset seizure")
    expect(row).to_contain_text(FOCAL)
    expect(row).to_contain_text("What is meant by focal-onset seizure.")
    expect(row).to_contain_text("Abnormality of the nervous system›Seizure")
    desk.press("1")
    expect(row).to_have_attribute("aria-selected", "true")
    desk.press("Enter")
    desk.wait_for_decisions(1)
    (fixed,) = desk.log()
    assert fixed.action is Action.FIX
    assert fixed.answer is not None
    assert (fixed.answer.concept, fixed.answer.label) == (FOCAL, "Focal-onset seizure")
    assert [s.quote for s in fixed.answer.spans] == ["seizure"]
    desk.see("Fixed")

    desk.press("f")  # search: letters go into the box, arrows move, Enter saves
    page.keyboard.type("abnormality eye")
    expect(page.get_by_role("combobox", name="Search the ontology")).to_have_value("abnormality eye")
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_attribute("data-concept", EYE)
    desk.press("Escape")
    assert page.get_by_role("combobox", name="Search the ontology").input_value() == ""
    page.keyboard.type("hp:0001252")
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_attribute("data-concept", HYPOTONIA)
    desk.press("Enter")
    desk.wait_for_decisions(2)
    last = desk.log()[-1]
    assert last.answer is not None
    assert last.answer.concept == HYPOTONIA
    assert last.subject == CATARACT  # still the same item


def test_change_class_and_status_in_the_panel(desk: Desk) -> None:
    page = desk.page
    desk.press("f", "0")
    panel = page.locator(".panel")
    panel.get_by_role("radio", name="Pragmatic").click()
    panel.get_by_role("radio", name="Negated").click()
    panel.get_by_role("button", name="Save").click()
    desk.wait_for_decisions(1)
    (fixed,) = desk.log()
    assert fixed.answer is not None
    assert fixed.answer.concept == SEIZURE
    assert fixed.answer.concept_class is ConceptClass.PRAGMATICALLY_IMPLICIT
    assert fixed.answer.assertion is Assertion.NEGATED


def test_evidence_marked_with_the_mouse_counts_code_points(desk: Desk) -> None:
    page = desk.page
    select(page, "fo\u0301cal seizure 😀")
    desk.see("Evidence for this item")
    desk.press("f")  # opens with the selection as evidence and the concept kept
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_attribute("data-concept", SEIZURE)
    select(page, "👨‍👩‍👧")
    expect(page.locator(".spans .chip")).to_have_count(2)
    desk.press("Enter")
    desk.wait_for_decisions(1)
    (fixed,) = desk.log()
    assert fixed.answer is not None
    assert [(s.start, s.end, s.quote) for s in fixed.answer.spans] == [
        (ODD.index("fo\u0301cal"), ODD.index(" in oboe"), "fo\u0301cal seizure 😀"),
        (ODD.index("👨"), ODD.index(" of both"), "👨‍👩‍👧"),
    ]


def test_add_what_is_missing_from_selected_text(desk: Desk) -> None:
    page = desk.page
    select(page, "both eyes")
    desk.see("Evidence for this item")
    desk.press("m")
    expect(page.get_by_role("combobox", name="Search the ontology")).to_have_value("both eyes")
    expect(page.locator('[role="option"]').first).to_have_attribute("data-concept", EYE)
    desk.press("1", "Enter")
    page.locator(".slot-list").get_by_text("Added").wait_for()
    desk.wait_for_decisions(1)
    (added,) = desk.log()
    assert added.action is Action.ADD
    assert added.answer is not None
    assert added.answer.concept == EYE
    assert [(s.start, s.quote) for s in added.answer.spans] == [(ODD.index("both eyes"), "both eyes")]
    desk.press("m")  # what is there already is shown instead of added again
    page.keyboard.type("cataract")
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_attribute("data-concept", CATARACT)
    desk.press("Enter")
    desk.see("This concept is in the passage already")
    assert "Cataract" in desk.text(".card .label")
    desk.saved()
    desk.press("z")  # takes the addition back
    desk.wait_for_decisions(2)
    expect(page.locator(".slot-list").get_by_text("Added")).to_have_count(0)
    page.reload()
    desk.ready()
    expect(page.locator(".slot-list li")).to_have_count(2)


def test_overlapping_evidence_is_cut_at_every_edge_and_shown(house: Ward, page: Page) -> None:
    house.desk(page, "overlap", "omega")
    region = page.locator(".slot-text .text")
    assert region.evaluate("(e) => e.textContent") == ODD
    pieces = region.locator(".piece").evaluate_all(
        "(all) => all.map((p) => [p.textContent, p.querySelectorAll('.mark').length])"
    )
    assert pieces == [
        ["fo\u0301cal ", 1],
        ["seizure", 3],
        [" 😀 in oboe\u0308", 1],
        ["cataracts", 1],
    ]
    lanes = region.locator(".piece").nth(1).locator(".mark")
    assert len({lanes.nth(n).get_attribute("class") for n in range(3)}) == 3


def test_ungrounded_and_repaired_come_first_in_red_words(house: Ward, page: Page) -> None:
    desk = house.desk(page, "order", "pi")
    seen = set()
    for _ in range(2):
        seen.add(desk.text(".card .label").split("\n")[0])
        if "Hypotonia" in desk.text(".card .label"):
            assert "Not in the text: floppy" in desk.text(".evidence .ungrounded")
            red = page.locator(".evidence .ungrounded").evaluate("(e) => getComputedStyle(e).color")
            plain = page.locator(".card .label").evaluate("(e) => getComputedStyle(e).color")
            assert red != plain
            desk.see("Ungrounded: a quote does not stand in the text.")
        else:
            desk.see("Repaired: the model's reply was not in the agreed form.")
        desk.press("j")
    assert len(seen) == 2


def test_narrow_and_dark(house: Ward, page: Page) -> None:
    desk = house.desk(page, "narrow", "nu")
    page.set_viewport_size({"width": 400, "height": 900})
    text, card = page.locator(".slot-text"), page.locator(".card")
    page.wait_for_timeout(300)
    one, two = text.bounding_box(), card.bounding_box()
    assert one is not None
    assert two is not None
    assert two["y"] >= one["y"] + one["height"]
    assert abs(two["x"] - one["x"]) < 2
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="dark")
    page.reload()
    desk.ready()
    channels = page.locator(".card").evaluate(
        "(e) => getComputedStyle(e).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert max(channels[:3]) < 80


def test_code_points_and_units(page: Page) -> None:
    """The converter itself, against Python's own count."""
    source = (component.HERE / "codepoints.js").read_text("utf-8")
    page.goto("about:blank")
    texts = ["", "plain", "e\u0301a\u0308", "🧠x🧠", ODD, "a\U0001f9e0", "\U0001f9e0"]
    got = page.evaluate(
        f"""(texts) => {{ {source}
            return texts.map((text) => {{
                const frame = new TextFrame(text)
                const points = [...Array(frame.length + 1).keys()]
                const back = points.map((p) => frame.point(frame.unit(p)))
                return [frame.length, points.map((p) => frame.slice(0, p)), back]
            }})
        }}""",
        texts,
    )
    for text, (length, heads, back) in zip(texts, got, strict=True):
        assert length == len(text)
        assert heads == [text[:n] for n in range(len(text) + 1)]
        assert back == list(range(len(text) + 1))
    snaps = page.evaluate(
        f"""([text, cuts]) => {{ {source}
            const frame = new TextFrame(text)
            return cuts.map(([from, to]) => frame.snap(from, to))
        }}""",
        ["  e\u0301👩🏽‍⚕️ x  ", [[0, 3], [2, 3], [5, 6], [3, 5], [0, 2], [0, 99], [6, 5]]],
    )
    accent, nurse = [2, 4], [4, 9]  # an e with its accent; woman, skin tone, joiner, staff, selector
    assert snaps == [accent, accent, nurse, [2, 9], None, [2, 11], nurse]
