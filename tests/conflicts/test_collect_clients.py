"""Clients of PubMed and Europe PMC against servers of ours: pages, slices, pace, places that move."""

from __future__ import annotations

import json
from datetime import date

import pytest

from core.conflicts.collect import Query, QueryFailed, Service
from core.errors import InputError
from tests.conflicts.collecting import KEY, expected, names, pages
from tests.conflicts.libraries import (
    EuropePMCLibrary,
    Library,
    PubMedLibrary,
    Study,
    status,
    studies,
)


@pytest.fixture(params=[PubMedLibrary, EuropePMCLibrary])
def library(request: pytest.FixtureRequest) -> Library:
    return request.param(studies(25))


# --- what goes well ---------------------------------------------------------------------------------------


def test_all_pages_come_newest_first(library: Library) -> None:
    found = pages(library)
    assert names(found) == expected(25)
    assert found[-1].position is None
    assert {page.found for page in found} == {25}


def test_as_many_come_as_are_wanted_and_the_rest_from_there(library: Library) -> None:
    found = pages(library, want=14)
    assert names(found) == expected(14)
    assert found[-1].position is not None
    assert names(pages(library, position=found[-1].position)) == expected(25)[14:]


@pytest.mark.parametrize("made", [PubMedLibrary, EuropePMCLibrary])
def test_nothing_found_is_one_empty_page(made: type[Library]) -> None:
    [page] = pages(made())
    assert (page.documents, page.position, page.found) == ((), None, 0)


def test_pubmed_is_asked_as_it_wants_to_be() -> None:
    library = PubMedLibrary(studies(3))
    pages(library, environment={"NCBI_API_KEY": KEY, "TOUCHSTONE_EMAIL": "alpha@example.org"})
    [search], [fetch] = library.asked("esearch.fcgi"), library.asked("efetch.fcgi")
    for fields in (search, fetch):
        assert (fields["tool"], fields["email"], fields["api_key"]) == (
            "touchstone",
            "alpha@example.org",
            KEY,
        )
    assert search["term"] == '("alpha"[tiab]) AND hasabstract'
    assert (search["usehistory"], search["sort"]) == ("y", "pub_date")
    assert (fetch["retmode"], fetch["retstart"], fetch["retmax"]) == ("xml", "0", "3")


def test_europe_pmc_is_asked_for_abstracts_of_studies_and_never_for_a_key() -> None:
    library = EuropePMCLibrary(studies(3))
    pages(library, environment={"NCBI_API_KEY": KEY})
    [fields] = library.asked("searchPOST")
    assert KEY not in json.dumps(library.requests)
    assert fields["query"].endswith("AND HAS_ABSTRACT:y AND (SRC:MED OR SRC:PMC OR SRC:PPR)")
    assert (fields["resultType"], fields["cursorMark"], fields["sort"]) == ("core", "*", "P_PDATE_D desc")


def test_a_result_beyond_pubmeds_reach_is_taken_in_slices_of_days() -> None:
    library = PubMedLibrary(
        [Study(n, date(2024, 1 + n % 12, 1 + n % 28), 2024, "Alpha.") for n in range(1, 10_301)]
    )
    found = pages(library, page=1000)
    assert sorted(names(found), key=lambda name: int(name[4:])) == expected(10_300)
    assert {page.found for page in found} == {10_300}
    assert not any(page.notes for page in found)
    slices = {(fields["mindate"], fields["maxdate"]) for fields in library.asked("esearch.fcgi")}
    assert len(slices) > 2


def test_what_a_day_holds_beyond_reach_is_told() -> None:
    library = PubMedLibrary([Study(n, date(2024, 5, 5), 2024, "Alpha.") for n in range(1, 10_101)])
    found = pages(library, page=5000)
    assert len(set(names(found))) == 9_999
    assert [note for page in found for note in page.notes] == [
        "101 of the 10100 articles that entered PubMed on 2024-05-05 are out of reach."
    ]


def test_a_phrase_that_pubmed_lacks_is_not_taken_apart() -> None:
    library = PubMedLibrary(studies(3), phrases={"known words"})
    query = Query("x", '"known words"[tiab] OR "Unknown words"[tiab]', "")
    found = pages(library, query)
    first, second = (fields["term"] for fields in library.asked("esearch.fcgi"))
    assert first.startswith('("known words"[tiab] OR "Unknown words"[tiab])')
    assert second.startswith('("known words"[tiab] OR "Unknown words"[tiab:~0])')
    assert names(found) == expected(3)
    [note] = found[0].notes
    assert "side by side" in note
    assert "Unknown words" in note


def test_the_pace_is_kept() -> None:
    library = PubMedLibrary(studies(30))
    pages(library, per_second=20.0)
    gaps = [b - a for a, b in zip(library.times, library.times[1:], strict=False)]
    assert len(gaps) == 3
    assert sum(gaps) >= 3 / 20


@pytest.mark.parametrize(
    ("source", "environment", "pace"),
    [
        ("pubmed", {}, 3.0),
        ("pubmed", {"NCBI_API_KEY": KEY}, 10.0),
        ("pubmed", {"TOUCHSTONE_NCBI_API_KEY": KEY, "TOUCHSTONE_COLLECT_PER_SECOND": "2.5"}, 2.5),
        ("europepmc", {"NCBI_API_KEY": KEY}, 5.0),
    ],
)
def test_the_pace_is_what_each_service_allows(source: str, environment: dict[str, str], pace: float) -> None:
    made = Service.from_environment(source, environment)
    assert made.per_second == pace
    assert KEY not in repr(made)
    assert KEY not in str(made)


@pytest.mark.parametrize(
    ("environment", "fault"),
    [
        ({"TOUCHSTONE_EUTILS_URL": "ftp://alpha"}, "TOUCHSTONE_EUTILS_URL is no plain http"),
        ({"TOUCHSTONE_EUTILS_URL": "https://a:b@alpha"}, "TOUCHSTONE_EUTILS_URL is no plain http"),
        ({"TOUCHSTONE_EUTILS_URL": "https://alpha/?api_key=1"}, "TOUCHSTONE_EUTILS_URL is no plain http"),
        ({"NCBI_API_KEY": f"{KEY} {KEY}"}, "The NCBI API key holds a space"),
        ({"TOUCHSTONE_COLLECT_PER_SECOND": "many"}, "TOUCHSTONE_COLLECT_PER_SECOND is 'many'"),
        ({"TOUCHSTONE_COLLECT_PER_SECOND": "0"}, "TOUCHSTONE_COLLECT_PER_SECOND is '0'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(environment: dict[str, str], fault: str) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        Service.from_environment("pubmed", environment)
    assert KEY not in str(caught.value)


# --- totals and places that move --------------------------------------------------------------------------


def test_a_slice_of_another_size_is_read_again_from_its_start() -> None:
    library = PubMedLibrary(studies(25))
    first = pages(library, want=10)
    library.shelf[:0] = [Study(100, date(2025, 1, 5), 2025), Study(101, date(2025, 1, 6), 2025)]
    found = pages(library, position=first[-1].position)
    assert set(names(found)) == {*expected(25), "PMID100", "PMID101"}
    assert found[0].again == 10


def test_pages_after_a_change_of_size_still_count_to_what_is_wanted() -> None:
    library = PubMedLibrary(studies(25))
    first = pages(library, want=10)
    library.shelf[:0] = [Study(100, date(2025, 1, 5), 2025)]
    found = pages(library, position=first[-1].position, want=5)
    fetched = 10 + sum(len(page.documents) - page.again for page in found)
    assert fetched == 15
    assert len(set(names(first)) | set(names(found))) == 15


def test_a_total_that_changes_between_pages_of_europe_pmc_ends_with_the_cursor() -> None:
    library = EuropePMCLibrary(studies(25))

    def grow(path: str, fields: dict[str, str]) -> None:
        if fields["cursorMark"] == "after-10":
            library.shelf.append(Study(26))
        if fields["cursorMark"] == "after-20":
            library.shelf.insert(0, Study(27))

    library.before = grow
    found = pages(library)
    assert names(found) == expected(26)
    assert [page.found for page in found][:3] == [25, 26, 27]


def test_the_same_page_again_and_again_is_given_up() -> None:
    library = EuropePMCLibrary(studies(25))
    body = {"hitCount": 25, "resultList": {"result": [{"id": "1", "pmid": "1", "abstractText": "Alpha."}]}}
    library.script(
        "searchPOST",
        *(status(200, json.dumps({**body, "nextCursorMark": f"c{n}"}).encode()) for n in range(20)),
    )
    with pytest.raises(QueryFailed, match="round in circles"):
        pages(library)
