"""The only router: which pages there are, and the frame around each of them.

A section is a folder in `pages/`. A page whose file is not there is left out of the menu. Streamlit loads
this file once as the server, with the perimeter around it, and runs it as the script of every session.
"""

from pathlib import Path

import streamlit as st

from pages.widgets import perimeter, scripts, warm

ROOT = Path(__file__).parent

PAGES = {
    "": [  # pages without a heading; the first one is what the bare address shows
        ("pages/start/start.py", "Start"),
        ("pages/start/try_text.py", "Try your own text"),
    ],
    "Review": [
        ("pages/review/concept_labels.py", "Concept labels"),
        ("pages/review/conflict_labels.py", "Conflict labels"),
        ("pages/review/adjudication.py", "Adjudication"),
    ],
    "Audit": [
        ("pages/audit/false_positives.py", "False positives"),
        ("pages/audit/error_taxonomy.py", "Error taxonomy"),
    ],
    "Reports": [
        ("pages/reports/metrics.py", "Metrics"),
        ("pages/reports/conflict_metrics.py", "Conflict metrics"),
        ("pages/reports/generalisation.py", "Generalisation"),
        ("pages/reports/trees.py", "Trees"),
        ("pages/reports/agreement.py", "Agreement"),
        ("pages/reports/runs.py", "Runs"),
    ],
    "Explore": [
        ("pages/explore/ontology.py", "Ontology"),
        ("pages/explore/versions.py", "Versions"),
        ("pages/explore/corpus.py", "Corpus"),
        ("pages/explore/brief.py", "Topic brief"),
    ],
    "Guide": [
        ("pages/guide/guide.py", "Guide"),
    ],
}


def menu() -> dict[str, list[st.Page]]:
    """Section -> pages, of those that exist. No icons: `:material:` ones are fetched from outside."""
    found = {
        section: [st.Page(path, title=title) for path, title in rows if (ROOT / path).exists()]
        for section, rows in PAGES.items()
    }
    return {section: pages for section, pages in found.items() if pages}


if __name__ == "__main__":  # a session
    from pages.widgets import frame, take_away, tour

    st.set_page_config(page_title="Touchstone", page_icon="🪙", layout="wide")
    page = st.navigation(menu(), position="sidebar", expanded=True)
    frame.show()
    tour.show()
    asking = frame.is_asking()
    if asking and page.title in dict([*PAGES["Reports"], *PAGES["Explore"]]).values():
        frame.outline(page.title)  # to compute can wait for the answer; a desk stays on the page meanwhile
    else:
        take_away.begin()
        page.run()
        if not asking:
            take_away.offer(page.title)
    warm.begin()  # once this page is drawn
else:  # the server
    # Pages are named by st.navigation. Until that has run once, Streamlit would look for them in pages/
    # and answer a first visit that asks for one with "Page not found".
    st.runtime.pages_manager.PagesManager.uses_pages_directory = False
    app = st.App(__file__, routes=scripts.routes(), middleware=perimeter.middleware())
    perimeter.check_address()
    warm.prepare()
