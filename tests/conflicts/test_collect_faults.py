"""What goes wrong on the way to PubMed and Europe PMC: what passes, what stops, and that no key is told."""

from __future__ import annotations

import dataclasses
import json
import logging
import random
import socket
import time
from datetime import date
from typing import Any

import pytest

from core.conflicts.collect import PubMed, QueryFailed, ServiceStopped
from core.conflicts.collect.sending import Sender
from core.errors import InputError
from tests.conflicts.collecting import ALPHA, KEY, expected, names, pages
from tests.conflicts.libraries import (
    EuropePMCLibrary,
    Fault,
    Library,
    PubMedLibrary,
    Study,
    article_set,
    cut,
    drop,
    send,
    service,
    serving,
    status,
    studies,
)

HTML = status(200, b"<!DOCTYPE html><html><body>Down for maintenance</body></html>", Content_Type="text/html")


@pytest.fixture(params=[PubMedLibrary, EuropePMCLibrary])
def library(request: pytest.FixtureRequest) -> Library:
    return request.param(studies(25))


# --- what passes ------------------------------------------------------------------------------------------

PASSING: dict[str, Fault] = {
    "500": status(500, b"Internal Server Error"),
    "502 of HTML": status(502, b"<html><h1>Bad Gateway</h1></html>"),
    "503": status(503),
    "429": status(429, b'{"error":"API rate limit exceeded","api-key":"x","count":"4","limit":"3"}'),
    "429 for a while": status(429, b"", Retry_After="0"),
    "503 for a while": status(503, b"", Retry_After="1"),
    "cut off": cut,
    "no answer": drop,
    "HTML": HTML,
    "empty": status(200),
    "null": status(200, b"null"),
    "list": status(200, b"[]"),
    "bad UTF-8": status(200, b"\xff\xfe\x00"),
    "NUL": status(200, b"\x00" * 50),
}


@pytest.mark.parametrize("fault", PASSING, ids=str)
def test_what_passes_is_tried_again(library: Library, fault: str) -> None:
    for path in ("esearch.fcgi", "efetch.fcgi", "searchPOST"):
        library.script(path, None, PASSING[fault])
    assert names(pages(library)) == expected(25)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("made", [PubMedLibrary, EuropePMCLibrary])
def test_nothing_is_missing_after_a_mix_of_faults(made: type[Library], seed: int) -> None:
    """Every fourth request, about, meets a fault that passes."""
    chance = random.Random(seed)
    kinds = [fault for name, fault in PASSING.items() if name != "503 for a while"]  # which waits a second
    library = made(studies(400))
    for path in ("esearch.fcgi", "efetch.fcgi", "searchPOST"):
        library.script(path, *[chance.choice([*kinds, *[None] * 3 * len(kinds)]) for _ in range(200)])
    found = pages(library, retries=12)
    assert names(found) == expected(400)
    assert len(library.requests) < 41 * 2


PUBMED_PASSING: dict[str, Fault] = {
    "limit": status(200, b'{"error":"API rate limit exceeded","api-key":"x","count":"4","limit":"3"}'),
    "forwarding": status(400, b'{"error":"error forwarding request","api-key":"x","type":"ip"}'),
    "cut XML": lambda handler: send(handler, article_set(studies(10))[:-60]),
    "cut XML at a record": lambda handler: send(handler, article_set(studies(10))[:-19]),
    "an error": status(200, b"<?xml version='1.0'?><eFetchResult><ERROR>Empty result</ERROR></eFetchResult>"),
    "no records": lambda handler: send(handler, article_set([])),
    "fewer records": lambda handler: send(handler, article_set(studies(7))),
    "forgotten": status(200, b"<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>"),
    "forgotten, 400": status(
        400, b"<eFetchResult><ERROR>Cannot retrieve history data</ERROR></eFetchResult>"
    ),
    "another set": status(200, b"<?xml version='1.0'?><Other></Other>"),
}


@pytest.mark.parametrize("fault", PUBMED_PASSING, ids=str)
def test_what_e_utilities_say_in_a_body_is_understood(fault: str) -> None:
    library = PubMedLibrary(studies(25))
    library.script("efetch.fcgi", None, PUBMED_PASSING[fault])
    assert names(pages(library)) == expected(25)


@pytest.mark.parametrize(
    "body",
    [
        b'{"esearchresult":{"ERROR":"Search Backend failed: Exception"}}',
        b'{"esearchresult":{"count":"25"}}',
        b'{"esearchresult":{"count":"many","webenv":"a","querykey":"1"}}',
        b'{"esearchresult":{"count":"25","webenv":"a","querykey":"1"',
        b'{"error":"API rate limit exceeded","count":"4"}',
    ],
)
def test_a_search_without_a_result_is_tried_again(body: bytes) -> None:
    library = PubMedLibrary(studies(25))
    library.script("esearch.fcgi", status(200, body))
    assert names(pages(library)) == expected(25)


@pytest.mark.parametrize(
    "body",
    [
        b'{"errCode":500,"errMsg":"internal"}',
        b'{"errCode":429,"errMsg":"slow down"}',
        b'{"hitCount":25}',
        b'{"hitCount":25,"resultList":{"result":[]},"nextCursorMark":"after-9"}',
        b'{"hitCount":25,"resultList":{"result":[]}}',
        b'{"hitCount":25,"resultList":{"result":[1]}}',
        b'{"hitCount":25,"resultList":{"result":[{"id":"1"}]},"nextCursorMark":7}',
        b'{"hitCount":"25","resultList":{"result":[]}}',
        b'{"hitCount":25,"resultList":{"result":[{"id":',
    ],
)
def test_a_page_that_is_none_is_tried_again(body: bytes) -> None:
    library = EuropePMCLibrary(studies(25))
    library.script("searchPOST", status(200, body))
    assert names(pages(library)) == expected(25)


def test_records_that_never_come_are_told() -> None:
    library = PubMedLibrary(studies(25))
    few = lambda handler: send(handler, article_set(studies(8)))  # noqa: E731
    library.script("efetch.fcgi", few, few)
    found = pages(library)
    assert names(found) == [*expected(8), *expected(25)[10:]]
    assert [note for page in found for note in page.notes] == [
        "2 records did not come, though PubMed counts them."
    ]


def test_a_record_without_an_abstract_and_one_that_cannot_be_read_cost_nothing_else() -> None:
    bare, broken = Study(3, text=None), Study(4)
    library = EuropePMCLibrary([*studies(2), bare, broken, *studies(2, first=5)])
    original = library.answer

    def answer(handler, path, fields):  # one result has a title that is no text
        body = bytearray()
        handler.wfile, real = (
            type("Sink", (), {"write": lambda self, data: body.extend(data)})(),
            handler.wfile,
        )
        original(handler, path, fields)
        handler.wfile = real
        value = json.loads(bytes(body).partition(b"\r\n\r\n")[2])
        value["resultList"]["result"][3]["title"] = ["alpha"]
        handler._headers_buffer = []
        send(handler, json.dumps(value).encode())

    library.answer = answer
    [page] = pages(library)
    assert names([page]) == ["PMID1", "PMID2", "PMID5", "PMID6"]
    assert page.without_abstract == 1
    assert [fault.field for fault in page.faults] == ["title"]


def test_one_record_that_breaks_its_page_is_left_out_alone() -> None:
    library = PubMedLibrary(
        [*studies(12), Study(13, date(2024, 1, 2), text="Alpha \x01."), *studies(12, first=14)]
    )
    found = pages(library)
    assert set(names(found)) == {*expected(25)} - {"PMID13"}
    [fault] = [fault for page in found for fault in page.faults]
    assert "not well-formed" in fault.cause
    assert sum(page.again for page in found) == 0


# --- what does not pass -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (status(500, b"Internal"), "no answer in 3 attempts; the last: it answers 500: 'Internal'"),
        (drop, "no answer in 3 attempts"),
        (cut, "no answer in 3 attempts"),
        (status(404, b"Not found"), "it answers 404: 'Not found'. Check TOUCHSTONE_"),
        (status(403, b"blocked"), "it answers 403: 'blocked'"),
        (status(302, Location="http://127.0.0.1:9/x?y"), "redirects to '127.0.0.1', and redirects are not"),
        (status(429, b"", Retry_After="3600"), "asks to wait until"),
        (status(503, b"", Retry_After="3600"), "asks to wait until"),
    ],
)
def test_what_befalls_every_query_stops_the_collection(library: Library, fault: Fault, said: str) -> None:
    for path in ("esearch.fcgi", "searchPOST"):
        library.script(path, *[fault] * 9)
    with pytest.raises(ServiceStopped, match="goes on from there") as caught:
        pages(library, retries=2)
    assert said in str(caught.value)
    assert len(library.requests) == (3 if "3 attempts" in said else 1)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (HTML, "sent nothing usable in 3 attempts: .*Down for maintenance"),
        (status(200), "sent nothing usable in 3 attempts"),
        (status(400, b"bad query"), "declines it: it answers 400: 'bad query'"),
        (status(414, b""), "declines it: it answers 414: no body"),
    ],
)
def test_what_befalls_one_query_fails_it_alone(library: Library, fault: Fault, said: str) -> None:
    for path in ("esearch.fcgi", "searchPOST"):
        library.script(path, *[fault] * 9)
    with pytest.raises(QueryFailed, match=said):
        pages(library, retries=2)


def test_europe_pmc_declines_in_the_body() -> None:
    library = EuropePMCLibrary(studies(3))
    library.script("searchPOST", status(200, b'{"errCode":404,"errMsg":"Invalid query"}'))
    with pytest.raises(QueryFailed, match="Europe PMC declines it: 'Invalid query'") as caught:
        pages(library)
    assert caught.value.refused


def test_a_limit_without_end_stops() -> None:
    library = PubMedLibrary(studies(3))
    library.script("esearch.fcgi", *[status(429)] * 50)
    with pytest.raises(ServiceStopped, match="its rate limit does not end"):
        pages(library)
    assert len(library.requests) == 11


def test_a_wait_that_is_asked_for_is_kept_and_told() -> None:
    library, told = PubMedLibrary(studies(3)), []
    library.script("esearch.fcgi", status(429, b"", Retry_After="1"))
    with serving(library), Sender(service(library), told.append) as sender:
        assert names(PubMed(sender).pages(ALPHA, None, None)) == expected(3)
    assert library.times[1] - library.times[0] >= 0.99
    assert told[0].startswith("PubMed asks to wait until ")
    assert told[-1] == ""


def test_a_server_that_drips_is_given_up_in_time() -> None:
    library = PubMedLibrary(studies(3))

    def drip(handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        for _ in range(200):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    library.script("esearch.fcgi", drip)
    with pytest.raises(ServiceStopped, match=r"no whole answer within 0\.3 s"):
        pages(library, deadline=0.3, retries=0)


def test_a_body_without_end_is_refused() -> None:
    library = PubMedLibrary(studies(3))
    library.script("efetch.fcgi", status(200, b"x" * (3 << 20)))
    with pytest.raises(QueryFailed, match="larger than 1 MB"):
        pages(library, max_bytes=1 << 20, retries=0)


def test_a_packed_bomb_is_refused() -> None:
    import gzip

    library = PubMedLibrary(studies(3))
    library.script("efetch.fcgi", status(200, gzip.compress(b"x" * (64 << 20)), Content_Encoding="gzip"))
    with pytest.raises(QueryFailed, match="larger than 1 MB"):
        pages(library, max_bytes=1 << 20, retries=0)


@pytest.mark.parametrize(
    "fault",
    [
        status(400, b'{"error":"API key invalid","api-key":"%s","type":"client"}' % KEY.encode()),
        status(400, b'{"error":"bad","api-key":"%s"}' % KEY.encode()),
        status(403, b'{"error":"API key wrong","api-key":"%s"}' % KEY.encode()),
        status(500, b"api_key=%s" % KEY.encode()),
        status(200, b"<html>%s</html>" % KEY.encode()),
        status(200, b'{"error":"odd","api-key":"%s"}' % KEY.encode()),
        status(200, b'{"esearchresult":{"ERROR":"key %s"}}' % KEY.encode()),
        status(302, b"%s" % KEY.encode(), Location="http://127.0.0.1:9/"),
        drop,
    ],
)
def test_the_key_is_in_no_error_and_no_log(fault: Fault, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    library = PubMedLibrary(studies(3))
    library.script("esearch.fcgi", *[fault] * 9)
    with pytest.raises((QueryFailed, ServiceStopped)) as caught:
        pages(library, retries=1, environment={"NCBI_API_KEY": KEY})
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in str(error)
        error = error.__context__ if not error.__suppress_context__ else error.__cause__
    assert KEY not in caplog.text
    assert library.asked("esearch.fcgi")[0]["api_key"] == KEY


def test_a_public_name_that_leads_inside_learns_neither_key_nor_query(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = socket.getaddrinfo

    def here(host: Any, *rest: Any, **options: Any) -> Any:
        return resolve(
            "127.0.0.1" if host in ("articles.example.org", b"articles.example.org") else host,
            *rest,
            **options,
        )

    monkeypatch.setattr(socket, "getaddrinfo", here)
    monkeypatch.setenv("NO_PROXY", "*")
    with serving(library):
        url = library.url.replace("127.0.0.1", "articles.example.org")
        moved = dataclasses.replace(service(library), base_url=url)
        with Sender(moved) as sender, pytest.raises(InputError, match=r"leads to 127\.0\.0\.1: this machine"):
            sender.post("searchPOST", {"term": "alpha"}, bytes)
    assert library.requests == []
