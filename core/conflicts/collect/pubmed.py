"""PubMed by NCBI's E-utilities: ESearch leaves a result on the history server, EFetch reads it, page by page.

PubMed hands out the first 9,999 records of a result and no more. A larger one is taken in slices by the day
that records entered PubMed, the newest first; every record has one such day, so slices neither overlap nor
leave gaps. Within a slice (so within the whole result, if it is small enough) records come newest first by
publication. A day of more than 9,999 records cannot be read whole, which is told.

A position names the slices that are left and the place in the first of them. It holds no WebEnv: the history
server forgets, so each session searches anew. If a slice has another size by then it is read again from its
start, because places in it have moved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from core.conflicts.collect.pubmed_answers import (
    Fetched,
    Forgotten,
    Search,
    Unreadable,
    closer,
    records,
    say_forgotten,
    search_result,
)
from core.conflicts.collect.query import Page, Query
from core.conflicts.collect.sending import Faulty, QueryFailed, Sender
from core.conflicts.collect.service import Service
from core.errors import InputError
from core.formats import RowError
from core.formats.rows import shown

REACH = 9_999
"""Records of one result that PubMed hands out."""
FIRST_DAY = date(1700, 1, 1)
LOST = 2
"""Times that the history server may forget one slice."""


@dataclass(slots=True)
class _Position:
    slices: list[tuple[date, date]]
    """First and last day of each, the newest first; the first of them is being read."""
    start: int = 0
    found: int | None = None
    """Size of that slice when it was last searched."""
    total: int | None = None

    @classmethod
    def of(cls, words: str | None) -> _Position:
        if words is None:
            return cls([(FIRST_DAY, datetime.now(UTC).date())])
        try:
            value = json.loads(words)
            slices = [(date.fromisoformat(a), date.fromisoformat(b)) for a, b in value["slices"]]
            return cls(slices, int(value["start"]), value["found"], value["total"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"The stored position {shown(words)} is none of PubMed's ({error}). Collect with --again."
            ) from None

    def words(self) -> str | None:
        if not self.slices:
            return None
        slices = [[a.isoformat(), b.isoformat()] for a, b in self.slices]
        value = {"slices": slices, "start": self.start, "found": self.found, "total": self.total}
        return json.dumps(value, separators=(",", ":"))

    def arrive(self, hits: int) -> int:
        """The first slice was searched. Returns how many records are to be read again."""
        moved = self.start if self.found not in (None, hits) else 0
        self.start -= moved
        self.found = hits
        self.total = hits if self.total is None else self.total
        return moved

    def next_slice(self) -> None:
        del self.slices[0]
        self.start, self.found = 0, None

    def split(self) -> int:
        """Halve the first slice. Returns how many records are to be read again."""
        read = self.start
        first, last = self.slices[0]
        middle = first + (last - first) // 2
        self.slices[:1] = [(middle + timedelta(days=1), last), (first, middle)]
        self.start, self.found = 0, None
        return read


class PubMed:
    """A client of E-utilities, or of a mirror."""

    name = "pubmed"

    def __init__(self, sender: Sender):
        self.sender = sender
        self.service: Service = sender.service

    def count(self, query: Query) -> tuple[int, tuple[str, ...]]:
        """Articles there are, and what PubMed says about the query.

        Raises:
            QueryFailed, ServiceStopped: as `Sender.post`.
        """
        found = self._search(query, FIRST_DAY, datetime.now(UTC).date(), history=False)
        return found.hits, found.notes

    def pages(self, query: Query, position: str | None, want: int | None) -> Iterator[Page]:
        """Pages from a position on (None: the beginning), until `want` articles came or nothing is left. The
        last page may be empty, and says that nothing is left.

        Raises:
            QueryFailed, ServiceStopped: as `Sender.post`. Pages that came are whole.
        """
        at = _Position.of(position)
        search: Search | None = None
        forgotten = again = 0
        largest = self.service.page
        told: set[str] = set()
        notes: tuple[str, ...] = ()
        while at.slices:
            first, last = at.slices[0]
            if search is None:
                search = self._search(query, first, last)
                again += at.arrive(search.hits)
                beyond = _out_of_reach(search.hits, first, last)
                notes = (*notes, *(note for note in (*search.notes, *beyond) if note not in told))
                told.update(notes)
            larger = search.hits > REACH and first < last
            missing = None if want is None else want + again
            if larger and (missing is None or at.start + missing > REACH):
                again += at.split()
                search = None
                continue
            end = min(search.hits, REACH)
            if at.start >= end:
                at.next_slice()
                search = None
                continue
            size = min(largest, end - at.start, missing or largest)
            try:
                got = self._fetch(search, at.start, size)
            except Unreadable as fault:  # halve, until the record at fault is alone
                if size > 1:
                    largest = size // 2
                    continue
                got = Fetched((), (RowError("PubMed", None, None, None, str(fault)),), 0, 1)
            except Forgotten:
                forgotten, search = forgotten + 1, None
                if forgotten > LOST:
                    raise QueryFailed("PubMed's history server forgets this result time and again.") from None
                continue
            at.start, largest = at.start + size, self.service.page
            if at.start >= end and not larger:
                at.next_slice()
                search = None
            if (short := size - got.records) > 0:
                notes = (*notes, f"{short} records did not come, though PubMed counts them.")
            page = _page(got, at, notes, again)
            yield page
            if want is not None:
                want += again - len(got.documents)
            forgotten, again, notes = 0, 0, ()
            if page.position is None or (want is not None and want <= 0):
                return
        yield _page(Fetched((), (), 0, 0), at, notes, again)

    # --- requests -----------------------------------------------------------------------------------------

    def _form(self, **fields: str) -> dict[str, str]:
        key = self.service.key.get_secret_value()
        further = {"tool": self.service.tool, "email": self.service.email, "api_key": key}
        return {"db": "pubmed", **fields, **{name: value for name, value in further.items() if value}}

    def _search(self, query: Query, first: date, last: date, *, history: bool = True) -> Search:
        term = query.asked(self.name)
        found, unknown = self._searched(term, first, last, history)
        if (nearer := closer(term, unknown)) != term:
            lacking = unknown
            found, unknown = self._searched(nearer, first, last, history)
            told = f"Not in PubMed's index of phrases, so asked for as words side by side: {_list(lacking)}."
            found = found._replace(notes=(told, *found.notes))
        if unknown:
            told = f"PubMed knows no such phrase and reads single words: {_list(unknown)}."
            found = found._replace(notes=(*found.notes, told))
        return found

    def _searched(self, term: str, first: date, last: date, history: bool) -> tuple[Search, tuple[str, ...]]:
        fields = {"retmode": "json", "retmax": "0", "sort": "pub_date", "term": term, "datetype": "edat"}
        fields |= {"mindate": f"{first:%Y/%m/%d}", "maxdate": f"{last:%Y/%m/%d}"}
        fields |= {"usehistory": "y"} if history else {}
        return self.sender.post(
            "esearch.fcgi",
            self._form(**fields),
            lambda body: search_result(body, self.sender.quoted, history=history),
        )

    def _fetch(self, search: Search, start: int, size: int) -> Fetched:
        place = {"WebEnv": search.webenv, "query_key": search.query_key}
        form = self._form(retmode="xml", retstart=str(start), retmax=str(size), **place)
        name, tries = f"PubMed, records {start + 1} to {start + size}", 0

        def read(body: bytes) -> Fetched:
            nonlocal tries
            tries += 1
            got = records(body, name, self.sender.quoted)
            if got.records == 0 or (got.records < size and tries == 1):
                raise Faulty(f"{got.records} records where {size} were asked for")
            return got

        return self.sender.post("efetch.fcgi", form, read, declined=say_forgotten)


def _page(got: Fetched, at: _Position, notes: tuple[str, ...], again: int) -> Page:
    return Page(got.documents, got.faults, got.without_abstract, at.words(), at.total, notes, again)


def _out_of_reach(hits: int, first: date, last: date) -> tuple[str, ...]:
    if hits <= REACH or first < last:
        return ()
    return (f"{hits - REACH} of the {hits} articles that entered PubMed on {first} are out of reach.",)


def _list(phrases: tuple[str, ...]) -> str:
    return ", ".join(shown(phrase) for phrase in phrases)
