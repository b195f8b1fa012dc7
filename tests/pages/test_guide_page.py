"""The guide in the app: every page is shown, its links lead on, its pictures come from the project."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets import guide
from tests.pages.reader import open_page
from tests.test_docs import PICTURE

PAGE = "pages/guide/guide.py"
TITLES = guide.titles()


def prose(page: AppTest) -> str:
    return "\n".join(part.value for part in page.main.markdown)


def source(title: str) -> str:
    return (guide.FOLDER / TITLES[title]).read_text("utf-8")


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("title", TITLES)
def test_every_page_is_shown_whole_under_its_own_address(title: str) -> None:
    page = open_page(PAGE, guide__page=title)
    assert [one.value for one in page.main.title] == [title]
    headings = re.findall(r"^##+ .+$", source(title), re.MULTILINE)
    assert [line for line in prose(page).splitlines() if line.startswith("##")] == headings
    assert "<!--" not in prose(page)
    assert len(page.get("image")) == len(PICTURE.findall(source(title)))


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("title", TITLES)
def test_every_link_leads_to_a_page_of_the_guide_of_the_app_or_to_a_heading(title: str) -> None:
    found = [target for _, target in guide.LINK.findall(prose(open_page(PAGE, guide__page=title)))]
    pages = {path.stem for path in (guide.ROOT / "pages").glob("*/*.py")}
    for target in found:
        file, _, anchor = target.partition("#")
        name, _, query = file.partition("?")
        assert name in pages | {""}
        if query:
            [known] = parse_qs(query)[guide.PARAMETER]
            assert f"\n## {anchor.replace('-', ' ')}\n" in f"\n{source(known).lower()}" or not anchor


@pytest.mark.usefixtures("opened")
def test_without_a_page_in_the_address_the_list_is_shown() -> None:
    page = open_page(PAGE)
    assert [one.value for one in page.main.title] == [
        guide.heading((guide.FOLDER / guide.LIST).read_text("utf-8"))
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[words](numbers.md)", "[words](guide?guide.page=Numbers)"),
        ("[words](command-line.md#verbs)", "[words](guide?guide.page=Command+line#verbs)"),
        ("[*Metrics*](../../pages/reports/metrics.py)", "[*Metrics*](metrics)"),
        ("[here](#keys)", "[here](#keys)"),
        ("[`data/schemas/`](../schemas/)", "`data/schemas/`"),
        ("[all](../../README.md)", "all"),
        ("[site](https://hpo.jax.org)", "[site](https://hpo.jax.org)"),
        ("```sh\nls [x](numbers.md)\n```", "```text\nls [x](numbers.md)\n```"),
    ],
)
def test_links_are_those_of_the_app(text: str, shown: str) -> None:
    assert guide.in_app(text, {name: title for title, name in TITLES.items()}) == shown
