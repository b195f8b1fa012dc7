"""PubMed's E-utilities and Europe PMC's REST search on 127.0.0.1: real HTTP, answers in their formats.

What they hold is invented. `script` puts answers of another kind, such as errors, first.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from core.conflicts.collect import Service
from tests.patience import SECONDS

REACH = 9_999
"""As E-utilities: `retstart` of PubMed cannot be larger than 9998."""

Handler = BaseHTTPRequestHandler
Fault = Callable[[Handler], None]


@dataclass(frozen=True)
class Study:
    pmid: int
    entered: date = date(2024, 3, 1)
    year: int = 2024
    text: str | None = "Alpha lowered the rate of beta infection in 120 adults."
    source: str = "MED"


def studies(count: int, first: int = 1, **fields: Any) -> list[Study]:
    """Studies with running numbers, one a day, the newest first."""
    return [
        Study(
            n,
            date(2024, 12, 31) - timedelta(days=n - first),
            text=f"Alpha lowered beta in {n} adults.",
            **fields,
        )
        for n in range(first, first + count)
    ]


def send(handler: Handler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def status(code: int, body: bytes = b"", **headers: str) -> Fault:
    return lambda handler: send(handler, body, code, **headers)


def cut(handler: Handler) -> None:
    """A connection that ends in the middle of a body."""
    send(handler, b"<?xml version=", Content_Length="1000000")
    handler.close_connection = True
    handler.connection.shutdown(2)


def drop(handler: Handler) -> None:
    """A connection that ends before any answer."""
    handler.close_connection = True
    handler.connection.shutdown(2)


@dataclass
class Library:
    """One service: what it holds, what it was asked, what it answers instead."""

    shelf: list[Study] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """(last part of the path, fields)"""
    times: list[float] = field(default_factory=list)
    scripts: dict[str, list[Fault | None]] = field(default_factory=dict)
    matches: Callable[[str, Study], bool] = lambda term, study: True
    before: Callable[[str, dict[str, str]], None] = lambda path, fields: None
    """Called ahead of every answer."""
    url: str = ""

    def script(self, path: str, *answers: Fault | None) -> None:
        """What the next requests of a path meet, in order; None: the right answer."""
        self.scripts.setdefault(path, []).extend(answers)

    def asked(self, path: str) -> list[dict[str, str]]:
        return [fields for name, fields in self.requests if name == path]

    def answer(self, handler: Handler, path: str, fields: dict[str, str]) -> None:
        raise NotImplementedError


@dataclass
class PubMedLibrary(Library):
    history: dict[str, list[Study]] = field(default_factory=dict)
    phrases: set[str] | None = None
    """The phrase index; None: it has every phrase."""

    def answer(self, handler: Handler, path: str, fields: dict[str, str]) -> None:
        assert fields["db"] == "pubmed"
        return {"esearch.fcgi": self._search, "efetch.fcgi": self._fetch}[path](handler, fields)

    def _search(self, handler: Handler, fields: dict[str, str]) -> None:
        low, high = (date(*map(int, fields[name].split("/"))) for name in ("mindate", "maxdate"))
        assert fields["datetype"] == "edat"
        term = fields["term"]
        found = [s for s in self.shelf if low <= s.entered <= high and self.matches(term, s) and s.text]
        if years := re.search(r'"(\d{4})"\[dp\] : "(\d{4})"\[dp\]', term):
            found = [s for s in found if int(years[1]) <= s.year <= int(years[2])]
        lacking = []
        if self.phrases is not None:
            quoted = re.findall(r'"([^"]+)"\[tiab\]', term)
            lacking = [f'"{words}"[tiab]' for words in quoted if " " in words and words not in self.phrases]
        result: dict[str, Any] = {
            "count": str(len(found)), "retmax": "0", "retstart": "0", "idlist": [], "translationset": [],
            "querytranslation": term,
        }  # fmt: skip
        if fields.get("usehistory") == "y":
            webenv = f"MCID_{len(self.history):06x}"
            self.history[webenv] = sorted(found, key=lambda s: (-s.year, -s.entered.toordinal(), s.pmid))
            result |= {"querykey": "1", "webenv": webenv}
        if lacking or not found:
            messages = [] if found else ["No items found."]
            result["warninglist"] = {
                "phrasesignored": [], "quotedphrasesnotfound": lacking, "outputmessages": messages
            }  # fmt: skip
        send(
            handler,
            json.dumps({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result}).encode(),
        )

    def _fetch(self, handler: Handler, fields: dict[str, str]) -> None:
        start, size = int(fields["retstart"]), int(fields["retmax"])
        held = self.history.get(fields["WebEnv"])
        if held is None:
            return send(handler, _error("Unable to obtain query #1"), 400)
        if start >= REACH:
            return send(handler, _error("'retstart' cannot be larger than 9998."), 400)
        send(handler, article_set(held[:REACH][start : start + size]))


def _error(said: str) -> bytes:
    head = '<?xml version="1.0" encoding="UTF-8" ?>'
    return f"{head}\n<eFetchResult>\n\t<ERROR>{said}</ERROR>\n</eFetchResult>".encode()


def article_set(held: list[Study]) -> bytes:
    articles = "".join(map(_article, held))
    doctype = (
        '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
        '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">'
    )
    return f'<?xml version="1.0" ?>\n{doctype}\n<PubmedArticleSet>{articles}</PubmedArticleSet>'.encode()


def _article(study: Study) -> str:
    abstract = f"<Abstract><AbstractText>{escape(study.text)}</AbstractText></Abstract>" if study.text else ""
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{study.pmid}</PMID>'
        f'<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><PubDate><Year>{study.year}'
        "</Year></PubDate></JournalIssue><Title>Journal of Alpha</Title></Journal>"
        f"<ArticleTitle>Study {study.pmid}.</ArticleTitle>{abstract}</Article></MedlineCitation><PubmedData>"
        f'<ArticleIdList><ArticleId IdType="pubmed">{study.pmid}</ArticleId></ArticleIdList></PubmedData>'
        "</PubmedArticle>"
    )


@dataclass
class EuropePMCLibrary(Library):
    def answer(self, handler: Handler, path: str, fields: dict[str, str]) -> None:
        assert path == "searchPOST"
        assert fields["format"] == "json"
        size, cursor = int(fields["pageSize"]), fields["cursorMark"]
        assert size <= 1000
        found = [s for s in self.shelf if self.matches(fields["query"], s)]
        start = 0 if cursor == "*" else 1 + [s.pmid for s in found].index(int(cursor.removeprefix("after-")))
        page = found[start : start + size]
        following = f"after-{page[-1].pmid}" if page else cursor
        value = {
            "version": "6.9", "hitCount": len(found), "nextCursorMark": following,
            "request": {"queryString": fields["query"], "cursorMark": cursor, "pageSize": size},
            "resultList": {"result": [_result(s) for s in page]},
        }  # fmt: skip
        send(handler, json.dumps(value).encode())


def _result(study: Study) -> dict[str, Any]:
    return {
        "id": str(study.pmid), "source": study.source, "pmid": str(study.pmid),
        "title": f"Study {study.pmid}.", "pubYear": str(study.year), "abstractText": study.text,
        "journalInfo": {"yearOfPublication": study.year, "journal": {"title": "Journal of Alpha"}},
    }  # fmt: skip


@contextmanager
def serving(library: Library) -> Iterator[Library]:
    """The library as a server, until the block ends."""
    import time

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            given = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = {name: values[0] for name, values in parse_qs(given).items()}
            path = self.path.rpartition("/")[2]
            assert "?" not in self.path
            library.times.append(time.monotonic())
            library.requests.append((path, fields))
            library.before(path, fields)
            waiting = library.scripts.get(path)
            fault = waiting.pop(0) if waiting else None
            try:
                fault(self) if fault else library.answer(self, path, fields)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def do_GET(self) -> None:
            library.requests.append((f"GET {self.path}", {}))
            send(self, b"", 405)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    library.url = f"http://127.0.0.1:{server.server_port}/api"
    try:
        yield library
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def service(library: Library, **settings: Any) -> Service:
    """A service at a library, with no time to lose."""
    source = "pubmed" if isinstance(library, PubMedLibrary) else "europepmc"
    environment = settings.pop("environment", {})
    quick = {"per_second": 1000.0, "backoff": 0.001, "page": 10, "deadline": SECONDS}
    return Service.from_environment(source, environment, base_url=library.url, **{**quick, **settings})
