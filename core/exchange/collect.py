"""Articles by query, live from PubMed or Europe PMC, into a corpus: page by page, each in one write with the
place at which the next one begins, so that a collection can be stopped anywhere and goes on from there."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.conflicts.collect import EuropePMC, Page, PubMed, Query, QueryFailed, Service, ServiceStopped
from core.conflicts.collect.sending import Sender
from core.exchange.queries import CLIENTS
from core.formats import BadRows
from core.records import Document
from core.store import Workspace, collections, corpora
from core.store.collections import Collection
from core.store.names import check_name

if TYPE_CHECKING:
    from core.store.connect import sqlite3

IN_A_ROW = 3
"""Queries without a usable answer, one after the other, until the collection stops."""
LISTED = 20
"""Notes that a report prints."""
TOLD = 500
"""Characters of a message that are stored."""

Progress = Callable[[int, int], None]
"""Called with queries done and queries in all."""


@dataclass(slots=True)
class CollectReport:
    """What came in. Every article that came is added, known already, or among the faults."""

    source: str
    corpus: str
    queries: int = 0
    done: int = 0
    """Queries that are finished now, those that were so before included."""
    before: int = 0
    """Queries that were finished before."""
    fetched: int = 0
    """Articles with an abstract that came."""
    added: int = 0
    known: int = 0
    """Articles that came and that the corpus had, by doc_id."""
    without_abstract: int = 0
    faults: int = 0
    """Records that could not be read."""
    bad: tuple[str, ...] = ()
    """The first of their faults."""
    failed: list[str] = field(default_factory=list)
    """Queries without an answer, and why; the same command asks them again."""
    notes: list[str] = field(default_factory=list)
    requests: int = 0
    stopped: str | None = None
    """Why it ended before its end."""

    @property
    def failures(self) -> int:
        return len(self.failed) + self.faults + bool(self.stopped)

    def __str__(self) -> str:
        rest = [f"{self.known} the corpus had"] if self.known else []
        rest += [f"{self.without_abstract} had no abstract"] if self.without_abstract else []
        lines = [
            f"Corpus {self.corpus}: {self.added} articles added{''.join(f', {each}' for each in rest)}; "
            f"{self.done} of {self.queries} queries are done.",
            *self.notes[:LISTED],
            *(
                [f"... and {len(self.notes) - LISTED} more such notes (--json)."]
                if self.notes[LISTED:]
                else []
            ),
        ]
        lines += [f"Records that could not be read: {self.faults}.", *self.bad] if self.faults else []
        lines += [f"Not done: {each}" for each in self.failed]
        return "\n".join([*lines, *([self.stopped] if self.stopped else [])])


def collect(
    workspace: Workspace,
    service: Service,
    queries: Iterable[Query],
    *,
    corpus: str,
    domain: str | None = None,
    again: bool = False,
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
) -> CollectReport:
    """Ask every query that is not finished, from where it stopped, and add what the corpus does not have. The
    corpus is made with the first page. The same article under another doc_id is left to `normalise`.

    Args:
        domain: of the corpus, if it is new, and of articles whose query names none.
        again: ask every query from its beginning, for what is new.

    Raises:
        InputError: the corpus cannot be so called.
        WorkspaceError: a page cannot be stored; those before it are.
    """
    workspace.refuse_look_only()
    if corpus not in {known.name for known in corpora.list_corpora(workspace)}:
        check_name("corpus", corpus)
    asked = list(queries)
    report = CollectReport(service.source, corpus, len(asked))
    with Sender(service, announce) as sender:
        intake = _Intake(workspace, service.source, corpus, domain, report, announce)
        client = CLIENTS[service.source](sender)
        in_a_row = 0
        for number, query in enumerate(asked):
            if progress is not None:
                progress(number, len(asked))
            try:
                intake.ask(client, query, again)
                in_a_row = 0
            except QueryFailed as failure:
                report.failed.append(f"{query.name}: {failure}")
                in_a_row = 0 if failure.refused else in_a_row + 1
                if in_a_row >= IN_A_ROW:
                    report.stopped = f"Stopped after {in_a_row} queries in a row without a usable answer."
            except ServiceStopped as stop:
                report.stopped = str(stop)
            if report.stopped:
                break
        else:
            if progress is not None:
                progress(len(asked), len(asked))
        report.requests, report.bad = sender.requests, intake.bad.sentences()
    return report


class _Intake:
    """Pages on their way into a corpus."""

    def __init__(
        self,
        workspace: Workspace,
        source: str,
        corpus: str,
        domain: str | None,
        report: CollectReport,
        announce: Callable[[str], None] | None,
    ):
        self._workspace, self._source, self._corpus, self._domain = workspace, source, corpus, domain
        self._report, self._announce = report, announce
        self.bad = BadRows()
        known = {each.name: each.id for each in corpora.list_corpora(workspace)}
        self._id = known.get(corpus)
        self._states = {} if self._id is None else collections.of_source(workspace, self._id, source)

    def ask(self, client: PubMed | EuropePMC, query: Query, again: bool) -> None:
        """Raises QueryFailed, ServiceStopped; what came before is stored, and where it stopped, too."""
        key = f"{query.name}: {query.asked(self._source)}"
        state = Collection(key) if again else self._states.get(key, Collection(key))
        want = state.wanted(query.most)
        if want == 0:
            self._report.before += 1
            self._report.done += 1
            return
        state = replace(state, message=None)
        try:
            for page in client.pages(query, state.position, want):
                state = self._store(query, state, page)
                if self._announce is not None:
                    self._announce(f"{query.name}: {state.fetched} of {state.found}")
        except (QueryFailed, ServiceStopped) as failure:
            if self._id is not None:
                with self._workspace.write(bump=False) as db:
                    collections.save(db, self._id, self._source, replace(state, message=str(failure)[:TOLD]))
            if isinstance(failure, QueryFailed) and failure.refused and state.position is not None:
                # perhaps it is the place that the service does not know any more
                hint = f"{failure} It declines to go on from the stored place; --again begins anew."
                raise QueryFailed(hint, refused=True) from None
            raise
        self._report.done += state.done

    def _store(self, query: Query, state: Collection, page: Page) -> Collection:
        fields = ({"domain": self._domain} if self._domain else {}) | query.meta | {"query": query.name}
        unique = {document.doc_id: document for document in page.documents}
        fetched = state.fetched + len(page.documents) - page.again
        enough = query.most is not None and fetched >= query.most
        told = " ".join([*([state.message] if state.message else []), *page.notes])[:TOLD]
        with self._workspace.write() as db:
            corpus_id = self._corpus_id(db, query)
            known = collections.known_documents(db, corpus_id, unique)
            new = [_marked(document, fields) for name, document in unique.items() if name not in known]
            added = sum(1 for _ in corpora.insert_passages(db, corpus_id, new))
            state = replace(
                state,
                position=page.position,
                found=page.found,
                fetched=fetched,
                added=state.added + added,
                done=page.position is None or enough,
                message=told or None,
            )
            collections.save(db, corpus_id, self._source, state)
        self._id = corpus_id
        report = self._report
        report.fetched += len(page.documents)
        report.added += added
        report.known += len(page.documents) - added
        report.without_abstract += page.without_abstract
        for fault in page.faults:
            self.bad.add(fault)
        report.faults = self.bad.count
        report.notes += [f"{query.name}: {note}" for note in itertools.islice(page.notes, 20)]
        return state

    def _corpus_id(self, db: sqlite3.Connection, query: Query) -> int:
        """Of the corpus, which is made here if there is none yet."""
        if self._id is not None:
            return self._id
        for each in corpora.list_corpora(self._workspace):  # another process may have been first
            if each.name == self._corpus:
                return each.id
        domain = self._domain or query.meta.get("domain")
        meta = {"collected_from": self._source}
        return corpora.create_corpus(db, self._corpus, domain=domain, source=self._source, meta=meta)


def _marked(document: Document, fields: dict[str, str]) -> Document:
    """The document with its domain and the query that brought it first."""
    return replace(document, meta={**document.meta, **fields})
