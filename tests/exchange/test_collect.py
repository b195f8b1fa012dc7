"""Collections into a corpus: whole, resumable, and without the key in anything that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.conflicts.collect import Query
from core.errors import InputError, NotFoundError, WorkspaceError
from core.exchange.collect import CollectReport, collect
from core.exchange.queries import plan, preview
from core.records import Concept, Document, Ontology, Synonym
from core.store import Workspace, collections, corpora, ontologies, open_workspace
from core.store.collections import Collection
from tests.conflicts.libraries import (
    EuropePMCLibrary,
    Fault,
    Library,
    PubMedLibrary,
    Study,
    article_set,
    drop,
    send,
    service,
    serving,
    status,
    studies,
)

ALPHA = Query("demo/broad_recall/alpha", '"alpha"[tiab]', 'TITLE_ABS:"alpha"', meta={"domain": "demo"})
BETA = Query("demo/contradiction/beta", '"beta"[tiab]', 'TITLE_ABS:"beta"', meta={"domain": "demo"})


@pytest.fixture(params=[PubMedLibrary, EuropePMCLibrary])
def library(request: pytest.FixtureRequest) -> Iterator[Library]:
    with serving(request.param(studies(35))) as running:
        yield running


def bring(
    workspace: Workspace, library: Library, *queries: Query, again: bool = False, **settings
) -> CollectReport:
    return collect(workspace, service(library, **settings), queries or [ALPHA], corpus="c", again=again)


def held(workspace: Workspace) -> list[str]:
    return [passage.doc_id for passage in corpora.passages(workspace, "c")]


def state(workspace: Workspace, query: Query = ALPHA) -> Collection:
    found = collections.of_corpus(workspace, corpora.corpus(workspace, "c").id)
    [only] = [row for _, row in found if row.query.startswith(query.name)]
    return only


def every(count: int, first: int = 1) -> set[str]:
    return {f"PMID{n}" for n in range(first, first + count)}


# --- what is kept -----------------------------------------------------------------------------------------


def test_a_collection_is_whole(workspace: Workspace, library: Library) -> None:
    report = bring(workspace, library)
    assert (report.added, report.done, report.failures, report.stopped) == (35, 1, 0, None)
    assert set(held(workspace)) == every(35)
    first = next(corpora.passages(workspace, "c"))
    assert first.text == "Alpha lowered beta in 1 adults."
    assert (first.meta["domain"], first.meta["query"]) == ("demo", "demo/broad_recall/alpha")
    assert (first.meta["year"], first.meta["pmid"], first.meta["journal"]) == (2024, "1", "Journal of Alpha")
    row = state(workspace)
    assert (row.found, row.fetched, row.added, row.done, row.position) == (35, 35, 35, True, None)
    corpus = corpora.corpus(workspace, "c")
    assert (corpus.domain, corpus.source) == ("demo", first.meta["source"])


def test_what_the_corpus_has_is_not_added_again(workspace: Workspace, library: Library) -> None:
    report = bring(workspace, library, ALPHA, BETA)
    assert (report.fetched, report.added, report.known) == (70, 35, 35)
    assert len(held(workspace)) == 35
    assert state(workspace, BETA).added == 0


def test_both_sources_add_to_one_corpus(workspace: Workspace) -> None:
    with serving(PubMedLibrary(studies(20))) as first:
        bring(workspace, first)
    with serving(EuropePMCLibrary([*studies(20, first=11)])) as second:
        report = bring(workspace, second)
    assert (report.added, report.known) == (10, 10)
    assert set(held(workspace)) == every(30)


def test_a_finished_query_is_not_asked_again_unless_told(workspace: Workspace, library: Library) -> None:
    bring(workspace, library)
    asked = len(library.requests)
    report = bring(workspace, library)
    assert (report.before, report.done, report.requests) == (1, 1, 0)
    assert len(library.requests) == asked
    library.shelf.insert(0, Study(99))
    report = bring(workspace, library, again=True)
    assert (report.added, report.known) == (1, 35)
    assert state(workspace).fetched == 36


def test_more_can_be_wanted_later(workspace: Workspace, library: Library) -> None:
    def asking(most: int | None) -> Query:
        return Query(ALPHA.name, ALPHA.pubmed, ALPHA.europepmc, most=most)

    assert bring(workspace, library, asking(12)).added == 12
    assert set(held(workspace)) == every(12)
    assert bring(workspace, library, asking(12)).before == 1
    assert bring(workspace, library, asking(30)).added == 18
    assert bring(workspace, library, asking(None)).added == 5
    assert state(workspace).exhausted()
    assert set(held(workspace)) == every(35)


def test_a_reworded_query_is_another_one(workspace: Workspace, library: Library) -> None:
    bring(workspace, library)
    reworded = Query(ALPHA.name, '"alphas"[tiab]', 'TITLE_ABS:"alphas"')
    assert bring(workspace, library, reworded).before == 0
    assert len(collections.of_corpus(workspace, corpora.corpus(workspace, "c").id)) == 2


def test_nothing_found_is_done(workspace: Workspace, library: Library) -> None:
    library.shelf.clear()
    report = bring(workspace, library)
    assert (report.added, report.done, report.failures) == (0, 1, 0)
    assert state(workspace).found == 0
    assert held(workspace) == []


def test_the_same_page_twice_adds_nothing_twice(workspace: Workspace) -> None:
    with serving(PubMedLibrary(studies(35))) as library:
        twice = lambda handler: send(handler, article_set(studies(10)))  # noqa: E731
        library.script("efetch.fcgi", None, twice)
        report = bring(workspace, library)
    assert (report.added, report.known) == (25, 10)
    assert len(set(held(workspace))) == len(held(workspace)) == 25


def test_two_who_collect_at_once_add_each_article_once(
    workspace: Workspace, workspace_path: Path, library: Library
) -> None:
    """Ahead of every page, another process has added the articles of that page and the next."""
    path = "efetch.fcgi" if isinstance(library, PubMedLibrary) else "searchPOST"
    turn = iter(range(1, 100, 10))

    def other(asked: str, fields: dict[str, str]) -> None:
        if asked != path:
            return
        with open_workspace(workspace_path) as second, second.write() as db:
            known = {corpus.name: corpus.id for corpus in corpora.list_corpora(second)}
            corpus_id = known.get("c") or corpora.create_corpus(db, "c")
            first = next(turn)
            mine = [Document(f"PMID{n}", "Alpha.") for n in range(first, min(first + 15, 36), 3)]
            there = collections.known_documents(db, corpus_id, [document.doc_id for document in mine])
            list(corpora.insert_passages(db, corpus_id, [d for d in mine if d.doc_id not in there]))

    library.before = other
    report = bring(workspace, library)
    assert report.failures == 0
    assert report.known > 0
    assert sorted(held(workspace)) == sorted(every(35))


# --- what goes wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [status(500), drop, status(429, b"", Retry_After="3600")], ids=range(3))
def test_where_it_stopped_it_goes_on(workspace: Workspace, library: Library, fault: Fault) -> None:
    for path in ("efetch.fcgi", "searchPOST"):
        library.script(path, None, None, *[fault] * 3)
    report = bring(workspace, library, ALPHA, BETA, retries=2)
    assert report.stopped is not None
    assert report.failures == 1
    assert (report.added, report.done) == (20, 0)
    row = state(workspace)
    assert (row.fetched, row.done) == (20, False)
    assert row.message == report.stopped[:500]
    library.scripts.clear()
    report = bring(workspace, library, ALPHA, BETA)
    assert (report.added, report.done, report.stopped) == (15, 2, None)
    assert set(held(workspace)) == every(35)
    assert state(workspace).message is None


def test_a_query_that_is_declined_leaves_the_others(workspace: Workspace, library: Library) -> None:
    for path in ("esearch.fcgi", "searchPOST"):
        library.script(path, status(400, b"bad query"))
    report = bring(workspace, library, ALPHA, BETA)
    assert report.stopped is None
    assert [line.partition(":")[0] for line in report.failed] == [ALPHA.name]
    assert (report.added, report.done, report.failures) == (35, 1, 1)
    assert "--again" not in report.failed[0]
    assert bring(workspace, library, ALPHA, BETA).done == 2


def test_a_place_that_the_service_forgot_can_be_left(workspace: Workspace) -> None:
    with serving(EuropePMCLibrary(studies(35))) as library:
        library.script("searchPOST", None, status(400, b"cursor"), status(400, b"cursor"))
        for _ in range(2):
            assert "--again begins anew" in bring(workspace, library).failed[0]
        assert bring(workspace, library, again=True).added == 25
    assert set(held(workspace)) == every(35)


def test_a_service_that_answers_nonsense_is_given_up(workspace: Workspace, library: Library) -> None:
    for path in ("esearch.fcgi", "searchPOST"):
        library.script(path, *[status(200, b"<html>maintenance</html>")] * 100)
    queries = [Query(f"q{n}", f"alpha{n}[ti]", f"TITLE:alpha{n}") for n in range(20)]
    report = bring(workspace, library, *queries, retries=1)
    assert report.stopped == "Stopped after 3 queries in a row without a usable answer."
    assert len(report.failed) == 3
    assert len(library.requests) == 6
    assert "maintenance" in report.failed[0]


def test_nothing_is_made_where_nothing_came(workspace: Workspace, library: Library) -> None:
    for path in ("esearch.fcgi", "searchPOST"):
        library.script(path, *[status(404)] * 9)
    assert bring(workspace, library).stopped is not None
    assert corpora.list_corpora(workspace) == []


def test_records_that_cannot_be_read_are_told_and_cost_no_others(workspace: Workspace) -> None:
    with serving(PubMedLibrary(studies(5))) as library:
        body = article_set(studies(5)).replace(b'<PMID Version="1">3</PMID>', b"")
        body = body.replace(b'<ArticleId IdType="pubmed">3</ArticleId>', b"")
        library.script("efetch.fcgi", *[lambda handler: send(handler, body)] * 2)
        report = bring(workspace, library)
    assert set(held(workspace)) == {"PMID1", "PMID2", "PMID4", "PMID5"}
    assert (report.added, report.faults, report.failures) == (4, 1, 1)
    assert report.bad == ("PubMed, records 1 to 5, line 3, PMID: the record has no PMID",)


def test_a_corpus_has_a_name_that_can_be_named(workspace: Workspace, library: Library) -> None:
    with pytest.raises(InputError, match="cannot name a corpus"):
        collect(workspace, service(library), [ALPHA], corpus="a b")


def test_a_workspace_that_cannot_be_written_says_so(workspace: Workspace, library: Library) -> None:
    workspace.read_only = True
    with pytest.raises(WorkspaceError, match="Not saved"):
        bring(workspace, library)


# --- per concept ------------------------------------------------------------------------------------------


@pytest.fixture
def ontology(workspace: Workspace) -> str:
    concepts = (
        Concept("X:1", "alpha", synonyms=(Synonym("first letter", "EXACT"),)),
        Concept("X:2", "beta", parents=("X:1",)),
        Concept("X:3", "gamma", parents=("X:2",)),
        Concept("X:4", "delta", parents=("X:1",)),
        Concept("X:5", "old", obsolete=True),
    )
    ontologies.add_ontology(workspace, Ontology("x", "1", "X:1", "0" * 64, concepts))
    return "x"


def test_up_to_so_many_newest_abstracts_of_each_concept(
    workspace: Workspace, library: Library, ontology: str
) -> None:
    library.matches = lambda text, study: (
        ("alpha" in text and study.pmid <= 30) or ("beta" in text and study.pmid > 28) or "gamma" in text
    )
    queries = plan(workspace, ontology=ontology, per_concept=4)
    assert [query.name for query in queries] == ["X:1", "X:2", "X:3", "X:4"]
    assert queries[0].pubmed == '"alpha"[tiab] OR "first letter"[tiab]'
    report = bring(workspace, library, *queries)
    assert (report.added, report.known, report.done) == (8, 4, 4)
    assert set(held(workspace)) == every(4) | every(4, first=29)
    by = {p.doc_id: p.meta["concept"] for p in corpora.passages(workspace, "c")}
    assert (by["PMID1"], by["PMID29"]) == ("X:1", "X:2")


def test_concepts_below_a_root(workspace: Workspace, ontology: str) -> None:
    assert [q.name for q in plan(workspace, ontology=ontology, per_concept=1, root="X:2")] == ["X:2", "X:3"]
    with pytest.raises(NotFoundError, match="X:9"):
        plan(workspace, ontology=ontology, per_concept=1, root="X:9")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({}, "Say what to ask for"),
        ({"pack": "amr", "ontology": "x"}, "Say what to ask for"),
        ({"pack": "amr", "per_concept": 3}, "--per-concept goes with --ontology"),
        ({"ontology": "x"}, "how many abstracts of each concept"),
        ({"ontology": "x", "per_concept": 3, "groups": ["contradiction"]}, "--groups goes with --queries"),
        ({"ontology": "nowhere", "per_concept": 3}, "no ontology 'nowhere'"),
        ({"pack": "amr", "groups": ["x"]}, "no group 'x'"),
    ],
)
def test_what_cannot_be_planned_says_why(workspace: Workspace, options: dict, fault: str) -> None:
    with pytest.raises((InputError, NotFoundError), match=fault):
        plan(workspace, **options)


def test_a_preview_stores_nothing(workspace: Workspace, library: Library) -> None:
    library.script("esearch.fcgi", None, status(400, b"bad"))
    library.script("searchPOST", None, status(400, b"bad"))
    first, second = preview(service(library), [ALPHA, BETA])
    assert (first.hits, first.text) == (35, ALPHA.asked(library_source(library)))
    assert second.hits is None
    assert second.message is not None
    assert "declines it" in second.message
    assert corpora.list_corpora(workspace) == []
    assert len(library.requests) == 2


def library_source(library: Library) -> str:
    return "pubmed" if isinstance(library, PubMedLibrary) else "europepmc"
