"""No page of the demo shows a machine's word: a value with underscores, a reference of files, an option of
the command line, a hash, or a concept id without its name. Code to be copied may hold them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.cli.demo import build_demo
from core.store import open_workspace
from core.store.curators import add_curator
from tests.pages import reader

MACHINE = {
    "a value with underscores": re.compile(r"[^\W_]{2,}_\w{2,}"),
    "a reference": re.compile(r"@(?:\d+|now)\b|\b(?:imported|reviewed|corrected|estimated)[:@]\S"),
    "an option": re.compile(r"(?<![\w-])--[a-z][a-z-]+"),
    "a hash": re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{10,}\b(?!…)"),
    "an abbreviation": re.compile(r"\bstd\b"),
    "a concept without its name": re.compile(r"(?<!\()\bHP:\d{7}\b(?! \()"),
}
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
UNSEEN = {
    *("id", "key", "query_param_key", "form_id", "url", "query_string", "page", "url_path", "icon"),
    *("deferred_file_id", "page_script_hash", "element_hash", "spec", "config"),
}
"""Fields of messages to the browser that it shows nobody."""
BESIDE_A_NAME = {"concept"}
"""Columns of concept ids: the name stands in the column beside them."""
DRAWN = {"text", "hovertext", "name", "title", "x", "y", "labels", "ticktext", "hovertemplate", "label"}
"""Of a figure, what is read. Custom data of bars and points stand in the text that hovers over them, behind
two or three numbers."""
CORRECTED, IN_WORDS = "corrected@now:demo@1", "Imported gold demo, version 1, with confirmed changes"
VIEWS = {
    "audit/error_taxonomy": None,
    "audit/false_positives": None,
    "explore/corpus": None,
    "explore/ontology": None,
    "guide/guide": None,
    "reports/agreement": None,
    "reports/conflict_metrics": "conflict_metrics.view",
    "reports/generalisation": "generalisation.view",
    "reports/metrics": "metrics.view",
    "reports/runs": "runs.view",
    "review/adjudication": None,
    "review/concept_labels": None,
    "review/conflict_labels": None,
    "start/start": None,
    "start/try_text": None,
}
"""Page -> the key of the switch between its views."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("words") / "demo.db"
    build_demo(built)
    with open_workspace(built) as workspace:
        add_curator(workspace, "visitor", "Visitor")
    return built


@pytest.mark.parametrize("name", VIEWS)
def test_a_page_speaks_in_words(demo: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(demo))
    file, key = f"pages/{name}.py", VIEWS[name]
    page = reader.open_page(file, curator="visitor")
    found = hits(page)
    if key is not None:
        (switch,) = [one for one in page.segmented_control if one.key == key]
        for view in switch.options:
            found |= hits(reader.choose(page, **{key.replace(".", "__"): view}))
    assert sorted(found) == []


@pytest.mark.parametrize("asked", [CORRECTED, IN_WORDS])
def test_an_address_names_a_gold_as_files_do_or_in_words(
    demo: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(demo))
    page = reader.open_page("pages/reports/metrics.py", metrics__gold=asked, metrics__vacuous="score 0")
    for _ in range(2):
        assert page.selectbox(key="metrics.gold").value == CORRECTED
        assert page.query_params["metrics.gold"] == IN_WORDS
        assert page.selectbox(key="metrics.vacuous").value == "zero"
        page = reader.checked(page.run())


def hits(page: AppTest) -> set[str]:
    """What is a machine's word, and where it stands."""
    return {
        f"{where}: {what} {word.group()!r} in {text[:120]!r}"
        for where, text in texts(page)
        for what, pattern in MACHINE.items()
        for word in pattern.finditer(CODE.sub("", text.replace("\\", "")))
    }


def texts(page: AppTest) -> Iterator[tuple[str, str]]:
    """Where a text stands -> what a reader sees."""
    for element in page._tree:
        message = getattr(element, "proto", None)
        if element.type == "dataframe":
            yield from _of_table(element)
        elif element.type == "plotly_chart":
            yield from _of_figure(json.loads(element.proto.spec), "chart")
        elif element.type not in ("bidi_component", "code") and hasattr(message, "ListFields"):
            yield from _of_message(message, element.type)


def _of_table(table: Any) -> Iterator[tuple[str, str]]:
    shown = json.loads(table.proto.columns or "{}")
    for name, column in table.value.items():
        settings = shown.get(str(name), {})
        yield f"head of {name}", str(settings.get("label", name))
        yield f"help of {name}", str(settings.get("help") or "")
        if name not in BESIDE_A_NAME:
            yield from ((f"column {name}", cell) for cell in column if isinstance(cell, str))


def _of_figure(value: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, one in value.items():
            if name == "customdata":
                yield from (("chart hover", cell) for row in one for cell in row if isinstance(cell, str))
            elif name != "template" and (not isinstance(one, str) or name in DRAWN):
                yield from _of_figure(one, f"chart {name}")
    elif isinstance(value, list):
        for one in value:
            yield from _of_figure(one, where)
    elif isinstance(value, str):
        yield where, re.sub(r"%\{[^}]*\}", "", value)


def _of_message(message: Any, where: str) -> Iterator[tuple[str, str]]:
    for field, value in message.ListFields():
        if field.name in UNSEEN:
            continue
        several = value if not isinstance(value, str) and hasattr(value, "__iter__") else [value]
        for one in several:
            if isinstance(one, str):
                yield f"{where} {field.name}", one
            elif hasattr(one, "ListFields"):
                yield from _of_message(one, where)
