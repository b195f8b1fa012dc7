"""The runs page on a run of claim pairs: funnel, counts, pairs, failures, and the way to each answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from core.evaluate import compare_runs
from core.pipeline.status import State, statuses
from core.records import Origin
from core.store import open_workspace, pair_tally, pairs, runs
from pages.widgets.runs import figures
from tests.llm.server import scripted_server
from tests.pages import reader
from tests.pages.reader import checked, links, queues, tables
from tests.patience import until
from tests.pipeline.conflicts import lab

PAGE = "pages/reports/runs.py"
ARTICLES = 30


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one asked run, in which the scripted model failed on one drug."""
    path = tmp_path_factory.mktemp("runs") / "w.db"
    with open_workspace(path) as workspace:
        lab.fill(workspace, ARTICLES)
        with scripted_server(lab.fails_about(lab.HEARSAY)) as server:
            lab.label(workspace, server.url)
    return path


@pytest.fixture
def path(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(made))
    return made


@pytest.fixture
def counts(made: Path) -> pair_tally.PairTally:
    with open_workspace(made) as workspace:
        return pair_tally.pair_tally(workspace, "r")


def open_page(**query: str) -> AppTest:
    return reader.open_page(PAGE, **query)


def tab(page: AppTest, name: str) -> AppTest:
    page.session_state["runs.tabs_r"] = name
    return checked(page.run())


def table(page: AppTest, column: str) -> list[dict[str, Any]]:
    """The one that has this column."""
    return next(rows for rows in tables(page) if rows and column in rows[0])


def test_the_list_and_the_headline(path: Path, counts: pair_tally.PairTally) -> None:
    page = open_page()
    total = sum(counts.pairs.values())
    (row,) = tables(page)[0]
    assert (row["run"], row["state"], row["labels"], row["corpus"]) == ("r", "done", total, "c")
    assert {m.label: m.value for m in page.metric} == {
        "Articles": str(ARTICLES),
        "Claims": str(2 * ARTICLES),
        "Pairs": str(total),
        "Repaired": str(counts.repaired),
        "Failures": str(counts.failed),
        "Cost, US$": "0.00",
    }


def test_the_funnel_by_domain_and_why_articles_left(path: Path, counts: pair_tally.PairTally) -> None:
    page = open_page()
    assert {row["reason"]: row["n"] for row in table(page, "reason")} == {
        "too short": 1,
        "same DOI": 1,
        "same text": 1,
    }
    rows = {row["domain"]: row for row in table(page, "articles")}
    assert rows["infection"]["articles"] == ARTICLES / 2 + 2
    assert rows["oncology"]["claims"] == ARTICLES
    assert sum(row["pairs"] for name, row in rows.items() if name != "general") == sum(counts.pairs.values())


def test_types_and_axes_of_both_annotators(path: Path, counts: pair_tally.PairTally) -> None:
    page = tab(open_page(), "Types and axes")
    rows = {row["name"]: row for row in table(page, "Model") if "conflict" in row["name"]}
    by_model = counts.labels(Origin.MODEL)
    assert rows["no conflict"]["Model"] == by_model["no_conflict"]
    assert rows["no conflict"]["Rules"] == counts.labels(Origin.HEURISTIC)["no_conflict"]
    assert sum(row["n"] for row in table(page, "rules")) == sum(by_model.values())


def test_failed_pairs_lead_to_review_and_to_what_came_back(path: Path, counts: pair_tally.PairTally) -> None:
    page = tab(open_page(), f"Failures ({counts.failed})")
    rows = table(page, "note")
    assert len(rows) == counts.failed
    assert {row["note"] for row in rows} == {"invalid"}
    page.session_state["runs.failed"] = {"selection": {"rows": [], "columns": [], "cells": [(0, "a")]}}
    page = checked(page.run())
    item = next(link for link in links(page) if "pair=" in link).rpartition("pair=")[2]
    assert f"item={item}" in links(page), "the review page opens on the pair"
    origin = open_page(run="r", pair=item)
    folded = [e.label for e in origin.expander if "unusable" in e.label or "Raw answer" in e.label]
    assert len(folded) == 2, "asked once, and once more with what was wrong"
    assert [row["verdict"] for row in table(origin, "verdict")].count("Failed") == 1


def test_every_list_and_every_tab_opens(path: Path, counts: pair_tally.PairTally) -> None:
    page = open_page()
    for name in ("Pairs", f"Repaired ({counts.repaired})", "Cost and time", "Settings"):
        page = tab(page, name)
    page = tab(page, "Pairs")
    page.selectbox(key="runs.pair_type").set_value("contextual_contradiction")
    page = checked(page.run())
    rows = table(page, "model")
    said = counts.labels(Origin.MODEL)["contextual_contradiction"]
    with open_workspace(path) as workspace:
        silver = {
            one.item_id: one.label.conflict_type.value
            for one in sorted(pairs.labels(workspace, "r"), key=lambda one: one.label.origin.value)
        }  # the model's label comes after the heuristic's
    (offered,) = queues(page)
    assert offered.page == "conflict_labels"
    assert len(offered.items) == list(silver.values()).count("contextual_contradiction")
    assert {silver[item] for item in offered.items} == {"contextual_contradiction"}
    assert offered.name == "Pairs, contextual contradiction: r"
    assert len(rows) == min(50, list(silver.values()).count("contextual_contradiction")) >= min(50, said)
    settings = {row["setting"]: row["value"] for row in table(tab(page, "Settings"), "setting")}
    assert settings["Mining: per_article"] == "6"


def test_an_address_that_names_no_pair_is_told(path: Path) -> None:
    for query in ({"run": "r", "pair": "999999"}, {"run": "none", "pair": "1"}, {"run": "r", "pair": "x"}):
        page = open_page(**query)
        assert page.error


def test_the_other_views_open_beside_such_a_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "TOUCHSTONE_API_KEY", "TOUCHSTONE_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    page = open_page()
    for name in ("compare", "guidelines", "start"):
        page = checked(page.button_group(key="runs.view").set_value(name).run())
    page = checked(page.button_group(key="runs.kind").set_value("conflicts").run())
    said = [element.value for element in page.markdown]
    assert any(figures.plain("conflicts") in text and "offline" in text for text in said)
    assert not page.button(key="runs.start").disabled
    assert not page.error


def test_it_is_not_compared_with_runs_of_concepts(path: Path) -> None:
    with open_workspace(path) as workspace, pytest.raises(InputError, match="claim pairs"):
        compare_runs(workspace, "r", "r")


def test_a_run_is_started_from_the_page_and_comes_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "TOUCHSTONE_API_KEY", "TOUCHSTONE_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "w.db"
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(path))
    with open_workspace(path) as workspace:
        lab.fill(workspace, 12)
    page = checked(open_page().button_group(key="runs.view").set_value("start").run())
    page = checked(page.button_group(key="runs.kind").set_value("conflicts").run())
    checked(page.button(key="runs.start").click().run())
    with open_workspace(path) as workspace:
        until(lambda: any(one.state is State.DONE for one in statuses(workspace)), every=0.2)
        (one,) = statuses(workspace)
        assert runs.proposals(workspace, one.run) > 0
    assert one.run.id == "conflicts-c-offline"
    page = open_page()
    assert {m.label: m.value for m in page.metric}["Articles"] == "12"
