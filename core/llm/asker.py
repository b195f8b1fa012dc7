"""Asking a model for one reply: from the ledger if it is there, else once over the network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel

from core.errors import TouchstoneError
from core.llm.batch import Collector
from core.llm.budget import Budget, Spending
from core.llm.completion import Completion
from core.llm.counting import count, used
from core.llm.dialect import Dialect, Request
from core.llm.endpoint import Endpoint
from core.llm.faults import EndpointError, FailureKind, ReplyFailure
from core.llm.ledger import Answer, Ledger, Tally
from core.llm.prices import Prices, load_prices
from core.llm.prompts import Prompt
from core.llm.replies import Checked, Unusable, read_reply, reply_schema
from core.llm.sending import Outcome, Sender, Status
from core.records import Call, StoredCall

T = TypeVar("T", bound=BaseModel)

CALLS = 3
"""Calls for one reply at most: the first, and what repairs or more room need."""
FIRST_GUESS = 400
"""Tokens of an answer, until answers of the stage are known."""


class Asker:
    """Asks one endpoint. Belongs to one event loop; close it, or use it as `async with Asker(...) as asker`.

    Args:
        ledger: where each call is stored before its answer is used, and looked up before it is made.
        prices: the price table; by default the shipped one.
        budget: ceiling on cost; by default none.
        status: told what the calls wait for, as in `waiting until 14:05: rate limit`, and "" when they go on.
        collector: takes requests for a batch file; then nothing is sent, and `Deferred` is raised instead.

    Raises:
        EndpointError: the address is not allowed, or a ceiling in dollars is set for a model without a known
            price.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        ledger: Ledger,
        *,
        prices: Prices | None = None,
        budget: Budget | None = None,
        status: Status | None = None,
        collector: Collector | None = None,
    ):
        self.endpoint = endpoint
        self.prices = prices or load_prices()
        self.budget = budget or Budget()
        self.tally = Tally()
        self._ledger = ledger
        self._collector = collector
        self._sender = Sender(endpoint, status)
        self._slots = asyncio.Semaphore(endpoint.concurrency)
        self._dialects: dict[str, Dialect] = {}
        self._under_way: dict[str, asyncio.Future[StoredCall]] = {}
        self._said: dict[str, tuple[int, int]] = {}
        self._stopped: TouchstoneError | None = None
        Spending(self.budget.ceiling, self.budget.ceiling_tokens).check(endpoint.names(), self.prices)

    @property
    def attempts(self) -> int:
        """Requests sent, failed ones included."""
        return self._sender.attempts

    async def ask(
        self,
        prompt: Prompt,
        reply: type[T],
        *,
        terms: Mapping[str, str],
        data: Mapping[str, Any],
        stage: str,
        passage_id: int | None,
        check: Callable[[T], Checked[T]] | None = None,
        room: int = 0,
    ) -> Answer[T]:
        """One reply, in at most three calls.

        Args:
            terms: trusted words for the `{name}` places of the prompt.
            data: what nobody vouches for; becomes one JSON object between marks, at `{data}`.
            room: tokens that the answer may need; where the endpoint's own limit is larger, that holds.
            check: looks at a well-formed reply: repairs what has one meaning, names what to ask again for.

        Raises:
            ReplyFailure: this passage gets no usable reply.
            EndpointError, Paused, OverBudget: the run stops.
            Deferred: the request has gone into the batch.
        """
        room = max(room, self.endpoint.max_tokens)
        request = self._request(tuple(prompt.messages(terms, data)), reply, stage, room)
        notes: tuple[str, ...] = ()
        problem = ""
        stored: StoredCall | None = None
        for _ in range(CALLS):
            try:
                stored = await self._answered(request, stage, passage_id, prompt.title)
            except ReplyFailure as failure:
                short = failure.kind in (FailureKind.CUT_OFF, FailureKind.EMPTY)
                if not short or request.max_tokens > room:
                    raise
                request = request.with_more_room()
                continue
            text = stored.call.answer or ""
            try:
                checked = read_reply(text, reply, check)
            except Unusable as cause:
                problem = str(cause)
                corrected = request.again(text, cause.problems)
                if corrected.key == request.key:
                    break  # the model says the same to the same: a further call would say it again
                request = corrected
                notes = (*notes, f"asked again: {problem}")
            else:
                notes = (*notes, *checked.notes)
                return Answer(checked.value, stored.id, bool(notes), notes)
        raise ReplyFailure(
            FailureKind.INVALID,
            f"no reply in the form asked for, though asked again: {problem or 'no content'}",
            stored.id if stored else None,
        )

    def _request(
        self, messages: tuple[Mapping[str, str], ...], reply: type[BaseModel], stage: str, room: int
    ) -> Request:
        return Request(
            self.endpoint.base_url,
            self.endpoint.model_for(stage),
            messages,
            room,
            self.endpoint.temperature,
            self.endpoint.seed,
            reply_schema(reply),
            reply.__name__,
        )

    async def _answered(
        self, request: Request, stage: str, passage_id: int | None, prompt: str
    ) -> StoredCall:
        """The stored answer to a request. Of identical requests at one time one is made, and it goes on
        though whoever asked first has been cancelled."""
        found = self._ledger.find(request.key)
        if found is not None:
            self.tally.found += 1
            return found
        same = self._under_way.get(request.key)
        if same is None:
            dialect = self._dialects.setdefault(request.model, Dialect(self.endpoint))
            if self._collector is not None:
                raise self._collector.defer(request, dialect, stage, passage_id, prompt)
            same = asyncio.ensure_future(self._made(request, dialect, stage, passage_id, prompt))
            self._under_way[request.key] = same
            same.add_done_callback(partial(self._over, request.key))
        return await asyncio.shield(same)

    def _over(self, key: str, made: asyncio.Future[StoredCall]) -> None:
        del self._under_way[key]
        if not made.cancelled():
            made.exception()  # that nobody waits for it any more is no fault

    async def _made(
        self, request: Request, dialect: Dialect, stage: str, passage_id: int | None, prompt: str
    ) -> StoredCall:
        async with self._slots:
            if not dialect.settled:
                async with dialect.settling:  # one request finds out for all what the endpoint understands
                    if not dialect.settled:
                        return await self._paid(request, dialect, stage, passage_id, prompt)
            return await self._paid(request, dialect, stage, passage_id, prompt)

    async def _paid(
        self, request: Request, dialect: Dialect, stage: str, passage_id: int | None, prompt: str
    ) -> StoredCall:
        """Make the call, store it, and only then look at how it ended."""
        if self._stopped:
            raise self._stopped
        expected, room = self._expected(request, stage)
        async with self.budget.room(expected, room):
            try:
                outcome, body = await self._sent(request, dialect)
            except EndpointError as error:
                self._stopped = self._stopped or error
                raise
            spent = used(body, outcome.completion)
            call = self._call(request, body, outcome, stage, passage_id, prompt, spent)
            self.budget.pay(call.price, sum(spent or ()))
        self._stopped = self._stopped or outcome.stop
        number = await asyncio.shield(asyncio.ensure_future(self._ledger.add(call)))
        return self._judged(outcome, call, number, stage)

    async def _sent(self, request: Request, dialect: Dialect) -> tuple[Outcome, dict[str, Any]]:
        attempts = 0
        before = dialect.form, dialect.room, dialect.dropped
        while True:
            body = dialect.body(request)
            outcome = await self._sender.send(body)
            attempts += outcome.attempts
            completion = outcome.completion
            if not outcome.stop and dialect.adapt(body, outcome.status, completion.raw):
                continue
            refused = completion.failure is FailureKind.REFUSED and outcome.status != 200
            if refused and not dialect.settled:  # no form helped: it was the request, not its form
                dialect.form, dialect.room, dialect.dropped = before
            dialect.settled = dialect.settled or not refused
            return replace(outcome, attempts=attempts), body

    def _judged(self, outcome: Outcome, call: Call, number: int, stage: str) -> StoredCall:
        if outcome.stop:
            self.tally.failed += 1
            raise outcome.stop
        completion = outcome.completion
        self.tally.prompt_tokens += completion.prompt_tokens or 0
        self.tally.completion_tokens += completion.completion_tokens or 0
        if completion.failure:
            self.tally.failed += 1
            raise ReplyFailure(completion.failure, completion.message, number)
        self.tally.paid += 1
        answers, total = self._said.get(stage, (0, 0))
        self._said[stage] = answers + 1, total + (completion.completion_tokens or count([call.answer or ""]))
        return StoredCall(number, call)

    def _call(
        self,
        request: Request,
        body: dict[str, Any],
        outcome: Outcome,
        stage: str,
        passage_id: int | None,
        prompt: str,
        spent: tuple[int, int] | None,
    ) -> Call:
        found: Completion = outcome.completion
        return Call(
            request.key,
            stage,
            passage_id,
            prompt,
            request.model,
            request.endpoint,
            body,
            None if found.answer is None else self._clean(found.answer),
            found.raw or found.message,
            found.failure.value if found.failure else None,
            found.finish_reason,
            found.prompt_tokens,
            found.completion_tokens,
            outcome.seconds,
            self.prices.cost(request.model, *(spent or (None, None))),
            outcome.attempts,
        )

    def _expected(self, request: Request, stage: str) -> tuple[float, int]:
        """Likely cost of a call: US dollars, tokens."""
        if not self.budget.limits:
            return 0.0, 0
        asked = count(message["content"] for message in request.messages)
        answers, total = self._said.get(stage, (0, 0))
        said = round(total / answers) if answers else min(FIRST_GUESS, request.max_tokens)
        return self.prices.cost(request.model, asked, said) or 0.0, asked + said

    def _clean(self, text: str) -> str:
        """The wire took the key out of the body as it came; here it may have been written with escapes."""
        key = self.endpoint.secret()
        return text.replace(key, "[key]") if len(key) >= 8 else text

    async def close(self) -> None:
        """Give up what is under way, and close the connections."""
        left = list(self._under_way.values())
        for made in left:
            made.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self._sender.close()

    async def __aenter__(self) -> Asker:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
