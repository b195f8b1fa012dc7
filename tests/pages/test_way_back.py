"""The way from a list back to its number: out of an address, so it may be anything."""

from __future__ import annotations

import pytest

from pages.widgets import way_back
from pages.widgets.way_back import ROOT, read


def test_a_report_with_its_own_parameters_is_led_back_to() -> None:
    way = read("metrics?metrics.view=Near+misses&open=metrics.counts%2Fbefore%3Afp&metrics.run=%C3%A9")
    assert way == (
        "pages/reports/metrics.py",
        [("metrics.view", "Near misses"), ("open", "metrics.counts/before:fp"), ("metrics.run", "é")],
    )


def test_every_report_can_be_led_back_to() -> None:
    reports = {path.stem for path in (ROOT / "pages/reports").glob("*.py")}
    assert reports
    assert all(read(name) == (f"pages/reports/{name}.py", []) for name in reports)


@pytest.mark.parametrize(
    "given",
    [
        "",
        "https://evil.example/metrics",
        "//evil.example",
        "http:metrics",
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "/metrics",
        "/",
        "..",
        "../metrics",
        "../../app",
        "pages/reports/metrics.py",
        "metrics.py",
        "metrics/",
        "metrics#top",
        "metrics@evil.example",
        " metrics",
        "metrics\n",
        "Metrics",
        "METRICS",
        "concept_labels",
        "__init__",
        "metrics\x00",
        "metrics&x=1",
        f"metrics?metrics.run={'a' * way_back.MOST}",
        "metrics?" + "&".join(["metrics.run=1"] * 61),
    ],
)
def test_anything_else_leads_nowhere(given: str) -> None:
    assert read(given) is None


@pytest.mark.parametrize(
    "query",
    [
        "embed=true",
        "embed_options=dark_theme",
        "concept_labels.items=1.2",
        "metrics=1",
        "item=3",
        "runs.run=1",
        "page=https%3A%2F%2Fevil.example",
        "?metrics.run=1",
        "=",
        "&&",
        "#https://evil.example",
    ],
)
def test_parameters_of_other_pages_are_left_out(query: str) -> None:
    assert read(f"metrics?{query}&metrics.gold=g") == ("pages/reports/metrics.py", [("metrics.gold", "g")])


def test_what_is_said_in_a_parameter_stays_a_value() -> None:
    hostile = "metrics?metrics.run=%3Cscript%3E%26open%3Dx%23%2F%2Fevil.example"
    assert read(hostile) == ("pages/reports/metrics.py", [("metrics.run", "<script>&open=x#//evil.example")])
