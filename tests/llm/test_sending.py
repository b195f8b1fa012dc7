"""What endpoints do to a call, and what becomes of it: rows 25 to 28 and 34 to 36 of the fault catalogue."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import psutil
import pytest

from core.llm import Asker, EndpointError, FailureKind, Paused, ReplyFailure
from core.llm.pace import retry_after
from tests.llm.asking import Memory, ask, endpoint, one
from tests.llm.server import Asked, Fault, completion, scripted_server
from tests.patience import SECONDS
from tests.repeats import times

GOOD = '{"things": ["alpha"]}'


def first(*faults: Fault):
    """These faults one after the other, then good answers."""
    left = list(faults)
    return lambda body: left.pop(0) if left else GOOD


def test_the_name_of_a_fault_does_not_hang_on_the_clock() -> None:
    packed = [Fault(body=gzip.compress(b"{}", mtime=seconds)) for seconds in (1, 2)]
    assert packed[0] != packed[1]
    assert str(packed[0]) == str(packed[1])


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=500),
        Fault(status=502, body="<html>Bad Gateway</html>"),
        Fault(status=503),
        Fault(status=504),
        Fault(status=408),
        Fault(status=409),
        Fault(status=429),
        Fault(status=429, headers={"retry-after": "soon"}),
        Fault(reset=True),
        Fault(body=completion(GOOD), short=40),
        Fault(body=gzip.compress(b"{}" * 500)[:-9], headers={"content-encoding": "gzip"}),
        Fault(body=b"ab", headers={"content-encoding": "br"}),
    ],
    ids=str,
)
def test_a_passing_fault_is_tried_again(fault: Fault) -> None:
    ledger = Memory()
    with scripted_server(first(fault, fault)) as server:
        (answer,) = ask(endpoint(server.url), ledger, ["text"])
    assert answer.value.things == ["alpha"]
    assert len(server.requests) == 3
    (call,) = ledger.calls
    assert (call.failure, call.attempts) == (None, 3)


def test_the_client_does_not_try_again_by_itself() -> None:
    with scripted_server(lambda body: Fault(status=500)) as server:
        (failure,) = ask(endpoint(server.url, retries=0, patience=SECONDS), Memory(), ["text"])
    assert isinstance(failure, ReplyFailure)
    assert failure.kind is FailureKind.UNAVAILABLE
    assert "HTTP 500" in failure.message
    assert len(server.requests) == 1


def test_a_server_that_says_it_is_no_use_is_believed() -> None:
    refusing = Fault(status=500, headers={"x-should-retry": "false"})
    with scripted_server(lambda body: refusing) as server:
        ask(endpoint(server.url), Memory(), ["text"])
    assert len(server.requests) == 1


def test_one_passage_that_breaks_the_server_leaves_the_others_alone() -> None:
    ledger = Memory()
    with scripted_server(
        lambda body: Fault(status=500) if "poison" in str(body["messages"]) else GOOD
    ) as server:
        found = ask(endpoint(server.url, patience=SECONDS), ledger, ["alpha", "poison", *map(str, range(30))])
    assert [isinstance(each, ReplyFailure) for each in found].count(True) == 1
    assert len(ledger.answered) == 31


ITEMS = times(1000, 5000)


def test_ten_per_cent_of_faults_lose_nothing() -> None:
    """Bars: 0 missing, at most 1.15 requests an item, one stored answer each."""
    draw = random.Random(7)
    faults = [Fault(status=500), Fault(status=503), Fault(reset=True), Fault(status=429)]
    faults.append(Fault(body=completion(GOOD), short=30))
    ledger = Memory()
    with scripted_server(lambda body: draw.choice(faults) if draw.random() < 0.1 else GOOD) as server:
        found = ask(endpoint(server.url, concurrency=32), ledger, [str(i) for i in range(ITEMS)])
    assert sum(isinstance(each, BaseException) for each in found) == 0
    assert len(ledger.answered) == len({call.key for call in ledger.answered}) == ITEMS
    assert len(server.requests) <= 1.15 * ITEMS


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "1"}, 1.0),
        ({"retry-after": "60"}, 60.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "700", "retry-after": "9"}, 0.7),
        ({"retry-after": format_datetime(datetime.now(UTC) - timedelta(hours=1))}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_takes_a_date() -> None:
    later = datetime.now(UTC) + timedelta(seconds=90)
    seconds = retry_after({"retry-after": format_datetime(later, usegmt=True)})
    assert seconds is not None
    assert 85 <= seconds <= 90


def test_retry_after_is_obeyed_by_all_calls_and_told() -> None:
    said: list[str] = []
    arrived: list[float] = []
    busy = [Fault(status=429, headers={"retry-after": "1"})]

    def answer(body: dict[str, Any]) -> str | Fault:
        arrived.append(time.monotonic())
        return busy.pop() if busy else GOOD

    with scripted_server(answer) as server:
        found = ask(endpoint(server.url), Memory(), ["alpha", "beta", "gamma"], status=said.append)
    assert not any(isinstance(each, BaseException) for each in found)
    assert len(arrived) == 4
    assert min(arrived[1:]) - arrived[0] >= 0.99
    assert said[0].startswith("waiting until ")
    assert said[-1] == ""


IN_A_MONTH = format_datetime(datetime.now(UTC) + timedelta(days=30))


@pytest.mark.parametrize("wait", ["121", "3600", IN_A_MONTH], ids=["minutes", "an hour", "a month"])
def test_a_long_retry_after_pauses_the_run_and_fails_nothing(wait: str) -> None:
    ledger = Memory()
    with scripted_server(lambda body: Fault(status=429, headers={"retry-after": wait})) as server:
        found = ask(endpoint(server.url, concurrency=4), ledger, [str(i) for i in range(20)])
    assert {type(each) for each in found} == {Paused}
    assert found[0].until is not None
    assert len(server.requests) <= 4
    assert {call.failure for call in ledger.calls} == {"limited"}


def test_a_rate_limit_without_end_pauses_the_run() -> None:
    with scripted_server(lambda body: Fault(status=429)) as server:
        (paused,) = ask(endpoint(server.url, backoff=0.001), Memory(), ["text"])
    assert isinstance(paused, Paused)
    assert len(server.requests) == 11


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        (Fault(status=401, body={"error": {"message": "bad key"}}), "TOUCHSTONE_API_KEY"),
        (Fault(status=403), "TOUCHSTONE_API_KEY"),
        (Fault(status=404, body={"error": {"message": "The model does not exist"}}), "--model"),
        (Fault(status=404, body="<html>404</html>"), "--base-url"),
        (Fault(status=405), "--base-url"),
        (Fault(status=402), "quota"),
        (Fault(status=429, body={"error": {"code": "insufficient_quota"}}), "quota"),
        (Fault(status=307, headers={"location": "http://127.0.0.1:9/v1"}), "redirects to 127.0.0.1"),
    ],
    ids=str,
)
def test_a_wrong_setting_stops_the_run_at_once(fault: Fault, named: str) -> None:
    ledger = Memory()
    with scripted_server(lambda body: fault) as server:
        found = ask(endpoint(server.url, concurrency=8), ledger, [str(i) for i in range(50)])
    assert {type(each) for each in found} == {EndpointError}
    assert named in str(found[0])
    assert len(server.requests) <= 8
    assert {call.failure for call in ledger.calls} == {"endpoint"}


def test_an_endpoint_that_only_fails_stops_the_run() -> None:
    with scripted_server(lambda body: Fault(status=503)) as server:
        found = ask(endpoint(server.url, concurrency=8), Memory(), [str(i) for i in range(50)])
    assert isinstance(found[-1], EndpointError)
    assert "HTTP 503" in str(found[-1])
    assert sum(isinstance(each, ReplyFailure) for each in found) <= 2
    assert len(server.requests) <= 25


def test_an_endpoint_that_is_not_there_stops_the_run() -> None:
    found = ask(endpoint("http://127.0.0.1:9/v1"), Memory(), ["alpha", "beta", "gamma"])
    assert isinstance(found[-1], EndpointError)
    assert "answered none of the last" in str(found[-1])


def test_an_outage_that_ends_fails_nothing_of_a_busy_run() -> None:
    said: list[str] = []
    with scripted_server(first(*[Fault(status=503)] * 16)) as server:
        found = ask(
            endpoint(server.url, patience=SECONDS, retries=4),
            Memory(),
            [str(i) for i in range(5)],
            status=said.append,
        )
    assert sum(isinstance(each, BaseException) for each in found) <= 2  # one request finds out for all
    assert any("does not answer" in each for each in said)


@pytest.mark.parametrize(
    "fault", [Fault(wait=30), Fault(body=completion(GOOD), drip=0.05)], ids=["hang", "drip"]
)
def test_the_deadline_counts_the_whole_call(fault: Fault) -> None:
    with scripted_server(lambda body: fault) as server:
        (failure,) = ask(endpoint(server.url, deadline=1.0, patience=SECONDS), Memory(), ["text"])
    assert isinstance(failure, ReplyFailure)
    assert failure.kind is FailureKind.TIMEOUT  # without the deadline it would be an answer


def test_a_redirect_gets_nothing() -> None:
    with scripted_server(lambda body: GOOD) as second:
        moved = Fault(status=307, headers={"location": f"{second.url}/chat/completions"})
        with scripted_server(lambda body: moved) as server:
            (error,) = ask(endpoint(server.url), Memory(), ["text"])
        assert isinstance(error, EndpointError)
        assert second.requests == []


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("packed", [True, False], ids=["gzip bomb", "plain"])
def test_a_huge_body_is_refused_without_being_held(packed: bool, status: int) -> None:
    """300 MB; bar: the process grows by at most 50 MB."""
    if packed:
        fault = Fault(status, gzip.compress(b" " * 300_000_000, 1), {"content-encoding": "gzip"})
    else:
        fault = Fault(status, b" " * 300_000_000)
    process = psutil.Process()
    most = [0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.01):
            most[0] = max(most[0], process.memory_info().rss)

    with scripted_server(lambda body: fault) as server:
        ask(endpoint(server.url), Memory(), ["warm up"])
        before = process.memory_info().rss
        watcher = threading.Thread(target=watch)
        watcher.start()
        (failure,) = ask(endpoint(server.url), Memory(), ["text"])
        done.set()
        watcher.join()
    assert isinstance(failure, ReplyFailure)
    assert failure.kind is FailureKind.TOO_LARGE
    assert most[0] - before <= 50_000_000


def test_a_packed_answer_is_read() -> None:
    packed = gzip.compress(json.dumps(completion(GOOD)).encode())
    with scripted_server(lambda body: Fault(body=packed, headers={"content-encoding": "gzip"})) as server:
        (answer,) = ask(endpoint(server.url), Memory(), ["text"])
    assert answer.value.things == ["alpha"]
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_cookie_is_never_sent_back(host: str) -> None:
    """By name, too: aiohttp keeps no cookie of a bare address, whatever its jar."""
    answer = Fault(body=completion(GOOD), headers={"set-cookie": "track=1; Path=/"})
    with scripted_server(lambda body: answer) as server:
        url = server.url.replace("127.0.0.1", host)
        ask(endpoint(url, concurrency=1), Memory(), ["one", "two", "three"])
    assert [asked.headers.get("cookie") for asked in server.requests] == [None] * 3


def test_connections_are_kept_and_requests_bounded() -> None:
    with scripted_server(lambda body: GOOD, delay=0.02) as server:
        ask(endpoint(server.url, concurrency=6), Memory(), [str(i) for i in range(60)])
    assert server.most_at_once == 6
    assert server.connections <= 6


def test_an_answer_that_came_is_stored_though_the_run_is_stopped() -> None:
    """Cancelled while the ledger writes: the call is paid for, so it must be kept."""
    ledger = _Slow()

    async def work(url: str) -> None:
        async with Asker(endpoint(url), ledger) as asker:
            task = asyncio.create_task(one(asker))
            await ledger.writing.wait()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await ledger.written.wait()

    with scripted_server(lambda body: GOOD) as server:
        asyncio.run(work(server.url))
    assert len(ledger.answered) == 1


class _Slow(Memory):
    def __init__(self) -> None:
        super().__init__()
        self.writing, self.written = asyncio.Event(), asyncio.Event()

    async def add(self, call: Any) -> int:
        self.writing.set()
        await asyncio.sleep(0.05)
        number = await super().add(call)
        self.written.set()
        return number


def test_requests_are_what_the_contract_says() -> None:
    with scripted_server(lambda body: GOOD) as server:
        ask(endpoint(server.url, seed=5), Memory(), ["text"])
    (asked,) = server.requests
    assert isinstance(asked, Asked)
    assert asked.path == "/v1/chat/completions"
    assert {
        "model": "scripted",
        "temperature": 0.0,
        "seed": 5,
        "max_tokens": 2048,
    }.items() <= asked.body.items()
    assert asked.body["response_format"]["json_schema"]["schema"]["required"] == ["things", "confidence"]
