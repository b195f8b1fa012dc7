"""The guide's own Markdown files, made fit for a page: links lead on in the app, pictures stand apart.

The files lie in `data/guide` and are read as they are in the repository. `README.md` there lists the others;
its order is theirs.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote_plus

import streamlit as st

from pages.widgets import state, take_away

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data" / "guide"
LIST = "README.md"
PARAMETER = f"{state.GUIDE}page"
"""Of the address: the title of a page."""
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
"""A link of Markdown: its words, and where it leads."""
_PICTURE = re.compile(r"^!\[([^\]]*)\]\(([^()\s]+)\)$", re.MULTILINE)
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LANGUAGE = re.compile(r"^```\w+")
"""Without it Streamlit colours no words, some of which it takes for what they are not."""
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE)
_SAME_TAB = """
const stay = (event) => {
  const link = event.target.closest?.('a[href^="guide?"]')
  if (link) link.target = "_self"
}
export default () => {
  document.addEventListener("click", stay, true)
  return () => document.removeEventListener("click", stay, true)
}
"""
"""Streamlit opens every link of a text in a new tab: those between pages of the guide need none."""
same_tab = st.components.v2.component("touchstone_guide", js=_SAME_TAB)


def titles() -> dict[str, str]:
    """Title -> file name: the list first, then the pages in its order."""
    listed = [target for _, target in LINK.findall(_read(LIST)) if (FOLDER / target).suffix == ".md"]
    return {heading(_read(name)): name for name in dict.fromkeys([LIST, *listed])}


def _read(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def heading(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def show(name: str, known: dict[str, str]) -> None:
    """A page of the guide below its title. `known`: as `titles` gives it."""
    title, _, body = _read(name).partition("\n")
    take_away.note_text(heading(title), _COMMENT.sub("", body).strip())
    titled = {file: title for title, file in known.items()}
    at, text = 0, _COMMENT.sub("", body)
    for picture in _PICTURE.finditer(text):
        st.markdown(in_app(text[at : picture.start()], titled))
        st.image(FOLDER / picture[2], caption=picture[1])
        at = picture.end()
    st.markdown(in_app(text[at:], titled))
    same_tab(key=f"{state.GUIDE}same_tab")


def in_app(text: str, titled: dict[str, str]) -> str:
    """A text of the guide with its links as they lead in the app, where they lead anywhere: to pages of the
    guide, pages of the app and other sites. Of a link to another file only the words stay.

    Args:
        titled: file name -> title, of the guide.
    """

    def lead(link: re.Match[str]) -> str:
        words, target = link.groups()
        file, _, anchor = target.partition("#")
        if not file or "://" in target:
            return link[0]
        place = (FOLDER / file).resolve()
        if place.parent == FOLDER and place.name in titled:
            page = f"guide?{PARAMETER}={quote_plus(titled[place.name])}"
            return f"[{words}]({page}{'#' if anchor else ''}{anchor})"
        if place.is_relative_to(ROOT / "pages"):
            return f"[{words}]({place.stem})"
        return words

    return "".join(
        _LANGUAGE.sub("```text", part) if part.startswith("```") else LINK.sub(lead, part)
        for part in _FENCED.split(text)
    )
