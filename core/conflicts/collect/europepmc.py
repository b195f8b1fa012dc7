"""Europe PMC by its REST search: pages of JSON by `cursorMark`, newest first, of PubMed records, articles of
PubMed Central and preprints.

A position is the service's own cursor. It outlives a session and names the record behind which the next page
begins, so that what is new meanwhile moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from core.conflicts.collect.query import Page, Query
from core.conflicts.collect.sending import Faulty, QueryFailed, RateLimited, Sender
from core.conflicts.collect.service import Service
from core.formats import Notes, RowError, europepmc
from core.formats.rows import shown
from core.formats.strict_json import JsonFault, loads
from core.records import Document

BEGINNING = "*"
REPEATS = 3
"""Pages in a row that bring nothing this session has not seen, until a query is given up."""


class _Results(NamedTuple):
    found: int
    cursor: str | None
    records: list[dict[str, Any]]


class EuropePMC:
    """A client of the REST service, or of a mirror."""

    name = "europepmc"

    def __init__(self, sender: Sender):
        self.sender = sender
        self.service: Service = sender.service

    def count(self, query: Query) -> tuple[int, tuple[str, ...]]:
        """Articles there are, and what is worth telling about the query.

        Raises:
            QueryFailed, ServiceStopped: as `Sender.post`.
        """
        return self._search(query, BEGINNING, 1, "idlist").found, ()

    def pages(self, query: Query, position: str | None, want: int | None) -> Iterator[Page]:
        """Pages from a position on (None: the beginning), until `want` articles came or nothing is left. The
        last page may be empty, and says that nothing is left.

        Raises:
            QueryFailed, ServiceStopped: as `Sender.post`. Pages that came are whole.
        """
        cursor = position or BEGINNING
        seen: set[str] = set()
        repeats = 0
        while True:
            size = min(self.service.page, want or self.service.page)
            got = self._search(query, cursor, size, "core")
            whole = cursor == BEGINNING and len(got.records) >= got.found
            following = None if got.cursor == cursor or whole or not got.records else got.cursor
            name = f"Europe PMC, {query.name}"
            notes = Notes()
            rows = list(europepmc.documents(got.records, name, notes))
            documents = tuple(row for row in rows if isinstance(row, Document))
            faults = tuple(row for row in rows if isinstance(row, RowError))
            yield Page(documents, faults, len(notes.without_abstract), following, got.found)
            if following is None or (want is not None and (want := want - len(documents)) <= 0):
                return
            names = {str(record.get("id")) for record in got.records}
            repeats = repeats + 1 if names <= seen else 0
            seen |= names
            if repeats >= REPEATS:
                raise QueryFailed(f"Europe PMC goes round in circles: {repeats} pages brought nothing new.")
            cursor = following

    def _search(self, query: Query, cursor: str, size: int, kind: str) -> _Results:
        form = {
            "query": query.asked(self.name),
            "resultType": kind,
            "format": "json",
            "pageSize": str(size),
            "cursorMark": cursor,
            "sort": "P_PDATE_D desc",
        }
        form |= {"email": self.service.email} if self.service.email else {}
        return self.sender.post("searchPOST", form, lambda body: self._results(body, cursor))

    def _results(self, body: bytes, cursor: str) -> _Results:
        try:
            value = loads(body.decode("utf-8"))
        except (UnicodeDecodeError, JsonFault):
            raise Faulty(f"no search result but {self.sender.quoted(body)}") from None
        if not isinstance(value, dict):
            raise Faulty(f"no search result but {self.sender.quoted(body)}")
        if "errCode" in value or "errMsg" in value:
            said = shown(str(value.get("errMsg") or value.get("errCode")), 200)
            code = str(value.get("errCode", ""))
            if code == "429":
                raise RateLimited
            if code.startswith("4"):
                raise QueryFailed(f"Europe PMC declines it: {said}.", refused=True)
            raise Faulty(f"an error: {said}")
        found, held, following = value.get("hitCount"), value.get("resultList"), value.get("nextCursorMark")
        records = held.get("result", []) if isinstance(held, dict) else [] if found == 0 else None
        if not isinstance(found, int) or isinstance(found, bool) or not isinstance(records, list):
            raise Faulty(f"a search result without hits: {self.sender.quoted(body)}")
        if not all(isinstance(record, dict) for record in records):
            raise Faulty(f"results that are none: {self.sender.quoted(body)}")
        if following is not None and not isinstance(following, str):
            raise Faulty(f"a cursor that is no text: {self.sender.quoted(body)}")
        if not records and following not in (None, cursor) and found:
            raise Faulty(f"an empty page, and a cursor to a next one: {self.sender.quoted(body)}")
        if not records and cursor == BEGINNING and found:
            raise Faulty(f"{found} articles, but not one of them on the first page")
        return _Results(found, following, records)
