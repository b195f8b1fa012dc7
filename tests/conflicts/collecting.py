"""Pages of a client from a server of ours."""

from __future__ import annotations

from typing import Any

from core.conflicts.collect import EuropePMC, Page, PubMed, Query
from core.conflicts.collect.sending import Sender
from tests.conflicts.libraries import Library, PubMedLibrary, service, serving

ALPHA = Query("alpha", '"alpha"[tiab]', 'TITLE_ABS:"alpha"')
KEY = "canary0f1e2d3c4b5a"
"""A key that is nobody's, to be looked for where no key may be."""


def pages(
    library: Library,
    query: Query = ALPHA,
    position: str | None = None,
    want: int | None = None,
    **settings: Any,
) -> list[Page]:
    """All pages of a query from a server."""
    with serving(library), Sender(service(library, **settings)) as sender:
        client = PubMed(sender) if isinstance(library, PubMedLibrary) else EuropePMC(sender)
        return list(client.pages(query, position, want))


def names(found: list[Page]) -> list[str]:
    return [document.doc_id for page in found for document in page.documents]


def expected(count: int) -> list[str]:
    return [f"PMID{n}" for n in range(1, count + 1)]
