"""A review that teaches: a name is muted and comes back, forty answers change what the next run says."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from core.evaluate import Settings, evaluate_run
from core.pipeline import annotate
from core.records import Annotation, Assertion, Concept, Document, Ontology, Span, Synonym
from core.store import corpora, learned, ontologies, open_workspace, queue, runs
from tests.browser.conftest import StartApp
from tests.browser.review import Desk, click

SEIZURE = "X:2"
TERMS = (
    Concept("X:1", "Phenotype"),
    Concept(SEIZURE, "Seizure", synonyms=(Synonym("Spell", "RELATED"),), parents=("X:1",)),
)
WORDS = ("spell", "seizure")
TAUGHT, JUDGED = 40, 10
NAMES = {"ward": TAUGHT, "rest": JUDGED}


def fill(path: Path) -> None:
    """`ward`: every other text says a spell, which is no seizure; `rest`, with gold, is never reviewed."""
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, Ontology("toy", "1", "X:1", "0" * 64, TERMS))
        for corpus, count in NAMES.items():
            texts = {f"{corpus}{n:02}": f"Visit {n} at {corpus}: a {WORDS[n % 2]}." for n in range(count)}
            with workspace.write() as db:
                made = corpora.create_corpus(db, corpus)
                stored = corpora.insert_passages(db, made, (Document(d, t) for d, t in texts.items()))
                marked = [(number, mark(d.text)) for number, d in stored if "seizure" in d.text]
                if corpus == "rest":
                    corpora.add_annotation_set(
                        db, corpus, "1", made, marked, exhaustive=True, sha256="0" * 64
                    )
            annotate(workspace, corpus=corpus, ontology="toy")


def mark(text: str) -> Annotation:
    at = text.index("seizure")
    return Annotation(SEIZURE, "Seizure", Assertion.AFFIRMED, Span(at, at + 7, "seizure"))


def f1(path: Path, run: str) -> float | None:
    with open_workspace(path, create=False) as workspace:
        scored = evaluate_run(workspace, run, "imported:rest", Settings(bootstrap=0)).before
        assert (len(scored.outcomes), scored.beside["learned_from"]) == (JUDGED, 0)
        return scored.estimate("micro_f1").value


def test_forty_answers_change_the_next_run(module_app_server: StartApp, tmp_path: Path, page: Page) -> None:
    path = tmp_path / "learning.db"
    fill(path)
    with open_workspace(path) as workspace:
        items = queue.unanswered(workspace, "lexicon-ward-toy", TAUGHT)
    keys = {item: "xa"[n % 2] for n, item in enumerate(items)}
    desk = Desk(page, module_app_server(path).url, path, "ana", "?concept_labels.corpus=ward")
    notice = page.locator(".notice.mute")
    for item in items[:5]:  # the third spell is the fifth text
        desk.shows(item)
        desk.press(keys[item])
    expect(notice).to_contain_text("You rejected “spell” as Seizure 3 times. Mute it? 17 open proposals go.")
    desk.press("q")
    expect(notice).to_contain_text("17 open proposals have left the queue")
    expect(page.locator(".progress strong")).to_have_text("5 / 23")
    desk.shows(items[5])
    desk.press("z")
    expect(page.locator(".progress strong")).to_have_text("5 / 40")
    with open_workspace(path) as workspace:
        assert [(one.muted, one.curator) for one in learned.mutes(workspace)] == [(False, "ana")]
    assert len(desk.log()) == 5, "undo takes back the mute, and no answer"
    for item in items[5:]:
        desk.shows(item)
        desk.press(keys[item])
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Learn from these 40 decisions").click()
    learning = opened.value
    click(learning.get_by_role("button", name="Learn", exact=True))
    expect(learning.get_by_text("0 names from 40 documents. On held-out")).to_be_visible()

    with open_workspace(path) as workspace:
        annotate(workspace, corpus="rest", ontology="toy", learned="learned", run="taught")
        said = runs.predictions(workspace, "taught")
        assert [bool(found) for found in said.values()] == [n % 2 == 1 for n in range(JUDGED)]
    # ten proposals, five of them right, five in gold: 2 * 5 / (10 + 5); then the five right ones alone
    assert f1(path, "lexicon-rest-toy") == 2 / 3
    assert f1(path, "taught") == 1.0
