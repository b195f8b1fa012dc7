"""Collections into a corpus: whole, resumable, and without the key in anything that is kept."""

from __future__ import annotations

from core.conflicts.collect import Query
from core.exchange.collect import collect
from core.store import Workspace, collections, corpora
from tests.conflicts.libraries import EuropePMCLibrary, PubMedLibrary, service, serving, studies

ALPHA = Query("demo/broad_recall/alpha", '"alpha"[tiab]', 'TITLE_ABS:"alpha"', meta={"domain": "demo"})


def test_a_collection_is_whole(workspace: Workspace) -> None:
    for library in (PubMedLibrary(studies(35)), EuropePMCLibrary(studies(35))):
        with serving(library):
            report = collect(workspace, service(library), [ALPHA], corpus=type(library).__name__)
        assert (report.added, report.done, report.failures, report.stopped) == (35, 1, 0, None)
        found = list(corpora.passages(workspace, report.corpus))
        assert sorted(p.doc_id for p in found) == sorted(f"PMID{n}" for n in range(1, 36))
        assert found[0].meta["domain"] == "demo"
        assert found[0].meta["query"] == "demo/broad_recall/alpha"
        assert found[0].meta["year"] == 2024
        corpus = corpora.corpus(workspace, report.corpus)
        [state] = collections.of_corpus(workspace, corpus.id).values()
        assert (state.found, state.fetched, state.added, state.done, state.position) == (
            35,
            35,
            35,
            True,
            None,
        )
