"""The runs page on runs written by hand (tests/store/pathway.py): what is expected was counted there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.pipeline import background
from core.records import Action, Answer, Assertion, ConceptClass, NewDecision
from core.store import Workspace, decisions, guidelines, open_workspace, queue, runs
from pages.widgets.plain import escape
from pages.widgets.runs import control, figures
from pages.widgets.runs.origin import marked
from tests.pages import reader
from tests.pages.reader import APP, checked, links, queues, tables
from tests.patience import SECONDS
from tests.review import clinic
from tests.store import pathway
from tests.store.pathway import ATAXIA, COUGH, RUN, SEIZURE

PAGE = "pages/reports/runs.py"
DASH = "–"


@pytest.fixture
def path(workspace_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a workspace with one finished run of all five stages."""
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    with open_workspace(workspace_path) as workspace:
        pathway.fill(workspace)
    return workspace_path


def open_page(**query: str) -> AppTest:
    return reader.open_page(PAGE, **query)


def select(page: AppTest, key: str, *rows: int) -> AppTest:
    """Click rows."""
    return reader.select(page, key, cells=[(row, "document") for row in rows])


def tab(page: AppTest, name: str) -> AppTest:
    page.session_state[f"runs.tabs_{RUN}"] = name
    return checked(page.run())


def view(page: AppTest, name: str) -> AppTest:
    return checked(page.button_group(key="runs.view").set_value(name).run())


def said(page: AppTest) -> str:
    kinds = (page.caption, page.text, page.markdown, page.info, page.warning, page.error, page.code)
    return "\n".join(bare(str(element.value)) for kind in kinds for element in kind)


def bare(text: str) -> str:
    """Without what `escape` put in."""
    return text.replace("\\", "").replace("\u2060", "")


def item_of(path: Path, concept: str) -> int:
    with open_workspace(path) as workspace:
        return {row.subject: row.id for row in queue.items_of_passages(workspace, [1])}[concept]


# --- one run ------------------------------------------------------------------------------------------------


def test_the_list_and_the_headline(path: Path) -> None:
    page = open_page()
    (row,) = tables(page)[0]
    assert (row["run"], row["state"], row["labels"], row["corpus"]) == (RUN, "done", 2, "notes")
    assert [(m.label, m.value) for m in page.metric] == [
        ("Labels", "2"),
        ("Passages", "2"),
        ("Failures", "1"),
        ("Cost, US$", "0.0030"),
    ]


def test_the_funnel_adds_up(path: Path) -> None:
    flows = {row["stage"]: row for row in tables(open_page())[2]}
    columns = ("in", "added", "dropped", "out")
    assert [tuple(flows[figures.stage_name(s)][c] for c in columns) for s in pathway.STAGES] == [
        (0, 5, 0, 5),
        (5, 0, 1, 3),  # one was lost with the passage that failed
        (3, 1, 0, 4),
        (4, 0, 1, 3),
        (3, 0, 1, 2),
    ]


def test_a_reason_lists_its_candidates_and_these_their_trail(path: Path) -> None:
    page = open_page()
    reasons = tables(page)[1]
    at = next(n for n, row in enumerate(reasons) if row["reason"] == "not relevant")
    page = select(page, "runs.drops", at)
    (row,) = tables(page)[2]
    assert (row["document"], row["label"], row["reason"]) == ("p1", "Cough", pathway.OWN)
    page = select(page, "runs.drops_rows", 0)
    assert f"run={RUN}&passage=1&concept=HP%3A0012735" in links(page)
    (offered,) = queues(page)
    first = min(item_of(path, SEIZURE), item_of(path, ATAXIA))
    assert (offered.items, offered.name) == ([first], f"Judging, not relevant: {RUN}")


def test_failures_show_what_came_back(path: Path) -> None:
    page = tab(open_page(), "Failures (1)")
    (row,) = tables(page)[1]
    assert (row["document"], row["stage"], row["kind"]) == ("p3", "Judging", "not json")
    page = select(page, "runs.failures", 0)
    (folded,) = [e for e in page.expander if "unusable" in e.label]
    assert "not json) · classify@0123456789ab" in bare(folded.label)


def test_cost_and_time_by_stage(path: Path) -> None:
    rows = {row["stage"]: row for row in tables(tab(open_page(), "Cost and time"))[1]}
    assert rows["Finding concepts"]["cost"] == pytest.approx(0.002)
    assert rows["Judging"]["failures"] == 1
    assert rows["All stages"]["each"] == pytest.approx(0.003 / 2)
    assert rows["All stages"]["seconds"] == pytest.approx(4.0 / 2)


def test_the_data_set_as_table_1(path: Path) -> None:
    (row,) = tables(tab(open_page(), "Data set"))[1]
    assert (row["passages"], row["labels"], row["unique"]) == (3, 2, 2)
    assert row["coverage"] == pytest.approx(40.0)  # two of the five concepts below the root


def test_settings_are_written_out(path: Path) -> None:
    rows = {row["setting"]: row["value"] for row in tables(tab(open_page(), "Settings"))[1]}
    assert rows["Stages"] == ("Finding concepts, Judging, Second reading, Guideline, Rating")
    assert rows["Offline"] == "no"
    assert rows["Made by"] == "scripted-1"


def test_labels_lead_to_their_trail_and_their_review(path: Path) -> None:
    page = tab(open_page(), "Labels")
    assert [row["label"] for row in tables(page)[1]] == ["Seizure", "Ataxia"]
    page = select(page, "runs.labels", 1)
    assert f"run={RUN}&item={item_of(path, ATAXIA)}" in links(page)
    assert f"item={item_of(path, ATAXIA)}" in links(page)
    (offered,) = queues(page)
    assert offered.items == [item_of(path, SEIZURE), item_of(path, ATAXIA)]
    assert (offered.label, offered.name, offered.corpus) == ("Review these 2", f"Labels of {RUN}", "notes")
    assert offered.back == f"runs?run={RUN}"
    (ticked,) = queues(reader.select(page, "runs.labels", rows=[1]))
    assert (ticked.label, ticked.items) == ("Review this one", [item_of(path, ATAXIA)])
    page.text_input(key="runs.document").set_value("p2").run()
    assert "There is no label here." in said(page)


def test_a_run_without_stages_says_so(workspace_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    with open_workspace(workspace_path) as workspace:
        at = clinic.furnish(workspace)
        item = clinic.item(workspace, at["d1"], clinic.SEIZURE)
    assert "no stages to show" in said(open_page())
    trail = said(open_page(run="alpha", item=str(item)))
    assert "made in one pass" in trail
    assert "its name stands there" in trail


# --- one label ----------------------------------------------------------------------------------------------


def test_the_trail_tells_all_that_led_to_a_label(path: Path) -> None:
    page = open_page(run=RUN, item=str(item_of(path, SEIZURE)))
    assert page.title[0].value == "Seizure"
    words = said(page)
    for part in (
        "“The boy had a convulsion.”",
        "confidence 0.90",
        "“convulsion” → Seizure",
        "similarity 0.830",
        "Kept: logically implicit",
        "A minute of shaking is a seizure.",
        "Passage good, kept",
        ":orange-background[shook for a minute]",
    ):
        assert part in words
    assert [bare(e.label).split(" · ")[:2] for e in page.expander if "Raw" in e.label] == [
        ["Raw answer", "generate@0123456789ab"],
        ["Raw answer", "generate@0123456789ab"],
        ["Raw answer", "classify@0123456789ab"],
    ]


def test_the_trail_of_what_was_dropped(path: Path) -> None:
    page = open_page(run=RUN, passage="1", concept=COUGH)
    assert page.title[0].value == "Cough"
    words = said(page)
    assert "Dropped at this stage: judging" in words
    assert pathway.OWN in words


@pytest.mark.parametrize(
    "query",
    [
        {"run": "none", "item": "1"},
        {"run": RUN, "item": "999"},
        {"run": RUN, "item": "-1' OR 1"},
        {"run": RUN, "item": "²"},
        {"run": RUN, "item": "9" * 30},
        {"run": RUN, "passage": "1", "concept": "<script>"},
    ],
)
def test_a_bad_link_says_what_is_wrong(path: Path, query: dict[str, str]) -> None:
    (error,) = open_page(**query).error
    assert "There is no" in error.value


def test_a_passage_is_marked_up_by_nothing_but_its_evidence() -> None:
    text = "a *b* [c](http://d.example) <e> :red[f]"
    shown = marked(text, [(2, 5), (4, 8)])
    assert shown.startswith(f"a :orange-background[{escape('*b*')}]")
    assert escape(text[5:]) in shown


# --- comparison ---------------------------------------------------------------------------------------------


@pytest.fixture
def two(path: Path) -> Path:
    """A second run on the same corpus, which proposes other concepts."""
    with open_workspace(path) as workspace:
        clinic.add_run(
            workspace,
            {1: [clinic.draft(SEIZURE, label="Seizure"), clinic.draft(COUGH, label="Cough")]},
            "other",
            corpus="notes",
        )
    return path


def test_two_runs_disagreements_first(two: Path) -> None:
    page = view(open_page(), "compare")
    page = checked(page.selectbox(key="runs.a").select(RUN).run())
    metrics = {m.label: m.value for m in page.metric}
    assert (metrics["Both propose"], metrics["Only A"], metrics["Only B"]) == ("1", "1", "1")
    assert metrics["Pairwise F1"] == "0.500"
    assert metrics["Cohen's kappa"] != DASH
    rows = tables(page)[0]
    assert [(r["change"], r["label"]) for r in rows] == [
        ("Only A", "Ataxia"),
        ("Only B", "Cough"),
        ("Another class", "Seizure"),
    ]
    page = select(page, "runs.items", 1)
    with open_workspace(two) as workspace:
        cough = clinic.item(workspace, 1, COUGH)
    assert f"item={cough}" in links(page)
    assert f"run=other&item={cough}" in links(page)
    (offered,) = queues(page)
    assert offered.items == [item_of(two, ATAXIA), cough, item_of(two, SEIZURE)], "as in the table"


def test_two_runs_are_compared_on_a_gold(two: Path) -> None:
    """Alpha accepts the seizure and closes the passage: run and other propose one concept each beside it."""
    with open_workspace(two) as workspace:
        decisions.add_curator(workspace, "alpha", "Alpha")
        answer = Answer(SEIZURE, "Seizure", Assertion.AFFIRMED, ConceptClass.EXPLICIT)
        done = decisions.append(
            workspace,
            [
                NewDecision("1", "alpha", Action.ACCEPT, passage_id=1, subject=SEIZURE, answer=answer),
                NewDecision("2", "alpha", Action.REJECT, passage_id=1, subject=ATAXIA),
                NewDecision("3", "alpha", Action.REJECT, passage_id=1, subject=COUGH),
                NewDecision("4", "alpha", Action.CLOSE, passage_id=1),
            ],
        )
        assert [one.refused for one in done] == [None] * 4
    page = view(open_page(), "compare")
    page = checked(page.selectbox(key="runs.a").select(RUN).run())
    page = checked(page.selectbox(key="runs.gold").select("reviewed@now:curator=alpha").run())
    frames = {frame.key: frame.value.to_dict("records") for frame in page.dataframe}
    # either has one right and one wrong concept: F1 2/3 both, and no difference
    macro = frames["runs.paired_differences_table"][0]
    assert (macro["A"], macro["B"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert frames["runs.paired_items_table"] == [
        {"concepts": "B right", "A right": 1, "A wrong": 1},
        {"concepts": "B wrong", "A right": 1, "A wrong": 0},
    ]


def test_one_run_cannot_be_compared(path: Path) -> None:
    assert "only one run" in said(view(open_page(), "compare"))


# --- guidelines ---------------------------------------------------------------------------------------------


def test_a_guideline_is_edited_as_a_new_version(path: Path) -> None:
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, "ada", "Ada")
    page = view(open_page(), "guidelines")
    name = page.selectbox(key="runs.profile").value
    page.text_area(key=f"runs.summary_{name}_0").set_value("Leave out <b>bold</b> findings.")
    page = checked(next(b for b in page.button if b.label.startswith("Save")).click().run())
    assert "Choose a curator" in said(page)
    page.sidebar.selectbox[0].select("Ada").run()
    page.text_area(key=f"runs.summary_{name}_0").set_value("Leave out <b>bold</b> findings.")
    page = checked(next(b for b in page.button if b.label.startswith("Save")).click().run())
    with open_workspace(path) as workspace:
        (version,) = guidelines.history(workspace, name)
    assert (version.version, version.origin, version.curator_id) == (1, "person", "ada")
    assert version.summary == "Leave out <b>bold</b> findings."
    assert [code.value for code in page.code] == [version.summary]


# --- a new run ----------------------------------------------------------------------------------------------


def new_run(monkeypatch: pytest.MonkeyPatch, base_url: str = "", model: str = "") -> AppTest:
    """The form, with this endpoint in the environment."""
    for name in ("TOUCHSTONE_BASE_URL", "OPENAI_BASE_URL", "TOUCHSTONE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    if base_url:
        monkeypatch.setenv("TOUCHSTONE_BASE_URL", base_url)
    monkeypatch.setenv("TOUCHSTONE_MODEL", model)
    return view(open_page(), "start")


def test_the_form_offers_what_the_workspace_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = new_run(monkeypatch)
    assert page.selectbox(key="runs.corpus").options == ["notes, 3 passages"]
    assert page.selectbox(key="runs.task_mini@1").value == "hpa"  # the one whose root is in the ontology
    assert "TOUCHSTONE_BASE_URL" in said(page)  # how a model would be asked
    assert not page.button(key="runs.start").disabled
    assert "hpa-notes-mini-offline" in said(page)


def test_stages_run_in_their_order_whatever_the_order_of_clicks(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = new_run(monkeypatch)
    page = checked(page.button_group(key="runs.stages_hpa").set_value(["select", "classify"]).run())
    lines = [line for line in said(page).splitlines() if line.startswith("- **")]
    assert [line.split("**")[1] for line in lines] == [
        "Finding concepts",
        "Judging",
        "Rating",
    ]


def test_a_profile_that_does_not_fit_cannot_be_started(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = new_run(monkeypatch)
    page = checked(page.selectbox(key="runs.task_mini@1").select("go_bp").run())
    assert "GO:0008150" in bare(page.error[0].value)
    assert page.button(key="runs.start").disabled


def test_a_model_run_says_where_texts_go_and_what_it_may_cost(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = new_run(monkeypatch, "https://user:secret@models.example/v1", "scripted-1")
    page = checked(page.button_group(key="runs.form").set_value("model").run())
    words = said(page)
    assert "Texts of this corpus go to https://models.example/v1." in words
    assert "secret" not in words
    assert "3 passages: about" in words
    assert not page.button(key="runs.start").disabled


def test_a_ceiling_is_in_dollars_only_where_the_model_has_a_price(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = new_run(monkeypatch, "http://127.0.0.1:9/v1", "scripted-1")
    page = checked(page.button_group(key="runs.form").set_value("model").run())
    assert [box.label for box in page.number_input] == ["Most tokens it may use"]
    assert not page.button(key="runs.start").disabled
    page = checked(page.text_input(key="runs.model").set_value("gpt-4o-mini").run())
    assert [box.label for box in page.number_input] == ["Most it may cost, US$"]


@pytest.mark.parametrize(
    ("base_url", "allowed"),
    [
        ("https://models.example/v1", False),
        ("http://10.0.0.1:8000/v1", False),
        ("http://127.0.0.1:9/v1", True),
    ],
)
def test_a_confidential_corpus_is_refused_before_the_first_call(
    workspace_path: Path, monkeypatch: pytest.MonkeyPatch, base_url: str, allowed: bool
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    with open_workspace(workspace_path) as workspace:
        pathway.fill(workspace, confidential=True)
    page = new_run(monkeypatch, base_url, "scripted-1")
    assert "never leave this machine" in said(page)
    page = checked(page.button_group(key="runs.form").set_value("model").run())
    assert page.button(key="runs.start").disabled is not allowed
    assert any("may never leave this machine" in bare(e.value) for e in page.error) is not allowed


def test_a_name_that_is_taken_is_said_before_the_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = new_run(monkeypatch)
    page = checked(page.text_input(key="runs.name").set_value(RUN).run())
    assert "it is done" in said(page)
    assert page.button(key="runs.start").disabled


def test_a_process_that_did_not_get_to_work_is_quoted(path: Path) -> None:
    page = open_page()
    log = background.log_path(path, "broken")
    log.write_text("The encoder <b>x</b> is missing.\n", "utf-8")
    page.session_state["runs.starting"] = control.Starting("broken", time.time() - 5)
    page = checked(page.run())
    assert "Run broken has not begun." in said(page)
    assert "The encoder <b>x</b> is missing." in [code.value for code in page.code]
    page = checked(page.button(key="runs.leave").click().run())
    assert "has not begun" not in said(page)


def test_a_read_only_workspace_starts_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_READ_ONLY", "1")
    assert new_run(monkeypatch).button(key="runs.start").disabled


# --- states, notes ------------------------------------------------------------------------------------------


def test_an_empty_workspace_says_what_to_do(workspace_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    open_workspace(workspace_path).close()
    assert "no runs yet" in said(open_page())


def test_a_run_that_nobody_works_on_can_go_on(path: Path) -> None:
    with open_workspace(path) as workspace, workspace.write() as db:
        run = runs.find_run(workspace, RUN)
        settings = {"stages": ["generate"]}
        runs.begin_run(
            db,
            "half",
            kind="concepts",
            source="x",
            corpus_id=run.corpus_id,
            ontology_id=run.ontology_id,
            settings=settings,
            fingerprint="half",
        )
    page = open_page(run="half")
    assert {row["run"]: row["state"] for row in tables(page)[0]} == {"half": "stopped", RUN: "done"}
    assert not page.button(key="runs.resume").disabled


@pytest.mark.parametrize("view", ["pages/review/concept_labels.py", "pages/reports/metrics.py", PAGE])
def test_every_page_that_shows_a_confidential_corpus_says_so(
    workspace_path: Path, monkeypatch: pytest.MonkeyPatch, view: str
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    with open_workspace(workspace_path) as workspace:
        pathway.fill(workspace, confidential=True)
        decisions.add_curator(workspace, "ada", "Ada")
        reject(workspace)
    app = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    app.sidebar.selectbox[0].select("Ada").run()
    assert "never leave this machine" in said(checked(app.switch_page(view).run()))


def test_an_open_corpus_needs_no_note(path: Path) -> None:
    assert "never leave" not in said(open_page())


def test_the_page_loads_no_heavy_library(path: Path) -> None:
    script = (
        "import sys; from streamlit.testing.v1 import AppTest;"
        f"app = AppTest.from_file({str(APP)!r}, default_timeout={SECONDS}).run().switch_page({PAGE!r}).run();"
        "assert not app.exception; assert app.metric;"
        "print(*(m for m in ('torch', 'sentence_transformers', 'faiss', 'openai', 'pronto')"
        " if m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=APP.parent, env=os.environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def reject(workspace: Workspace) -> None:
    """Some gold, so that the metrics page has something to show."""
    decisions.append(workspace, [NewDecision("1", "ada", Action.REJECT, passage_id=1, subject=SEIZURE)])


# --- figures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(None, DASH), (4.4, "4 s"), (89, "89 s"), (180, "3 min"), (7500, "2 h 05 min"), (-1, "0 s")],
)
def test_durations(seconds: float | None, shown: str) -> None:
    assert figures.duration(seconds) == shown


@pytest.mark.parametrize(
    ("dollars", "shown"), [(None, DASH), (0, "0.00"), (0.00123, "0.0012"), (1234.5, "1,234.50")]
)
def test_money(dollars: float | None, shown: str) -> None:
    assert figures.money(dollars) == shown
