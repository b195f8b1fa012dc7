from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

import pytest

from core.llm import Asker, Checked, EndpointError, FailureKind, ReplyFailure
from tests.llm.asking import KEY, Memory, Things, ask, endpoint, one
from tests.llm.server import Fault, Server, completion, scripted_server

GOOD = '{"things": ["alpha"]}'


def test_an_answer_is_stored_and_never_asked_for_twice() -> None:
    ledger = Memory()
    with scripted_server(lambda body: GOOD) as server:
        (answer,) = ask(endpoint(server.url), ledger, ["text"])
        (again,) = ask(endpoint(server.url), ledger, ["text"])
    assert answer == again
    assert (answer.value.things, answer.call, answer.repaired, answer.notes) == (["alpha"], 1, False, ())
    assert len(server.requests) == len(ledger.calls) == 1
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_stored_call_says_all_about_it() -> None:
    ledger = Memory()
    with scripted_server(lambda body: GOOD) as server:
        ask(endpoint(server.url, model="m", models={"list": "gpt-4o-mini"}), ledger, ["text"])
    (call,) = ledger.calls
    assert (call.stage, call.passage_id, call.prompt) == ("list", 1, "list@000000000000")
    assert (call.model, call.endpoint, call.transport) == ("gpt-4o-mini", server.url, "live")
    assert call.request == server.requests[0].body
    assert (call.answer, call.failure, call.finish_reason) == (GOOD, None, "stop")
    assert json.loads(call.raw) == completion(GOOD, "gpt-4o-mini")
    assert (call.prompt_tokens, call.completion_tokens, call.attempts) == (100, 2, 1)
    assert call.price == pytest.approx((100 * 0.15 + 2 * 0.60) / 1e6)
    assert call.seconds > 0


def test_identical_requests_at_one_time_are_paid_once() -> None:
    ledger = Memory()
    with scripted_server(lambda body: GOOD, delay=0.05) as server:
        found = ask(endpoint(server.url), ledger, ["same"] * 20)
    assert {each.call for each in found} == {1}
    assert len(server.requests) == len(ledger.calls) == 1


def test_one_waiter_that_is_cancelled_leaves_the_others_their_answer() -> None:
    ledger = Memory()

    async def work(server: Server) -> Any:
        async with Asker(endpoint(server.url), ledger) as asker:
            tasks = [asyncio.create_task(one(asker)) for _ in range(3)]
            while not server.requests:
                await asyncio.sleep(0.01)
            tasks[0].cancel()
            return await asyncio.gather(*tasks, return_exceptions=True)

    with scripted_server(lambda body: GOOD, delay=1.0) as server:
        first, second, third = asyncio.run(work(server))
    assert isinstance(first, asyncio.CancelledError)
    assert second == third
    assert len(ledger.calls) == len(server.requests) == 1


def test_a_failure_is_stored_and_asked_for_anew() -> None:
    ledger = Memory()
    said = [Fault(body="[]"), Fault(body="[]"), GOOD]
    with scripted_server(lambda body: said.pop(0)) as server:
        (failure,) = ask(endpoint(server.url), ledger, ["text"])
        (answer,) = ask(endpoint(server.url), ledger, ["text"])
    assert isinstance(failure, ReplyFailure)
    assert answer.value.things == ["alpha"]
    assert [call.failure for call in ledger.calls] == ["malformed", None]


WRONG = {
    "no JSON": "I found alpha.",
    "wrong type": '{"things": 7}',
    "wrong name": '{"items": ["alpha"]}',
    "out of range": '{"things": ["alpha"], "confidence": 7}',
    "cut in two": '{"things": ["al',
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_reply_that_stays_wrong_costs_three_calls(wrong: str) -> None:
    ledger = Memory()
    counter = itertools.count()
    with scripted_server(lambda body: wrong + "\n" * next(counter)) as server:
        (failure,) = ask(endpoint(server.url), ledger, ["text"])
        assert len(server.requests) == 3
        (again,) = ask(endpoint(server.url), ledger, ["text"])  # from the ledger: wrong answers are answers
    assert isinstance(failure, ReplyFailure)
    assert (failure.kind, failure.call) == (FailureKind.INVALID, 3)
    assert (again.kind, again.call) == (failure.kind, failure.call)
    assert len(server.requests) == 3


def test_a_model_that_repeats_itself_is_asked_twice() -> None:
    with scripted_server(lambda body: "no") as server:
        (failure,) = ask(endpoint(server.url), Memory(), ["text"])
    assert isinstance(failure, ReplyFailure)
    assert (failure.kind, failure.call, len(server.requests)) == (FailureKind.INVALID, 2, 2)


def test_a_reask_names_the_problem_and_its_answer_counts() -> None:
    said = ['{"things": 7}', GOOD]
    with scripted_server(lambda body: said.pop(0)) as server:
        (answer,) = ask(endpoint(server.url), Memory(), ["text"])
    assert answer.value.things == ["alpha"]
    assert answer.repaired
    assert answer.notes[0].startswith("asked again: things: ")
    roles = [message["role"] for message in server.requests[1].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert server.requests[1].body["messages"][2]["content"] == '{"things": 7}'
    assert "valid list" in server.requests[1].user


def test_faults_and_reasks_and_more_room_share_the_three_calls() -> None:
    counter = itertools.count()

    def answer(body: dict[str, Any]) -> str | dict[str, Any]:
        return completion("{", finish_reason="length") if next(counter) == 1 else f"no {body['max_tokens']}"

    with scripted_server(answer) as server:
        (failure,) = ask(endpoint(server.url), Memory(), ["text"])
    assert isinstance(failure, ReplyFailure)
    assert failure.kind is FailureKind.INVALID
    assert [asked.body["max_tokens"] for asked in server.requests] == [2048, 2048, 4096]


def test_a_check_repairs_or_asks_again() -> None:
    def check(reply: Things) -> Checked[Things]:
        if "omega" in reply.things:
            return Checked(reply, problems=("'omega' is none of the candidates",))
        kept = [thing for thing in reply.things if thing == "alpha"]
        return Checked(Things(things=kept), notes=("dropped what is no candidate",))

    said = ['{"things": ["omega"]}', '{"things": ["alpha", "psi"]}']
    with scripted_server(lambda body: said.pop(0)) as server:
        (answer,) = ask(endpoint(server.url), Memory(), ["text"], check=check)
    assert answer.value.things == ["alpha"]
    assert answer.notes == (
        "asked again: 'omega' is none of the candidates",
        "dropped what is no candidate",
    )
    assert "'omega' is none of the candidates" in server.requests[1].user


def refusing(*words: str):
    """An endpoint of old: it knows none of these words in a request."""

    def answer(body: dict[str, Any]) -> str | Fault:
        text = json.dumps({name: value for name, value in body.items() if name != "messages"})
        unknown = next((word for word in words if word in text), None)
        said = {"error": {"message": f"Unsupported parameter: {unknown}"}}
        return Fault(status=400, body=said) if unknown else GOOD

    return answer


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (("json_schema",), 1),
        (("response_format",), 2),
        (("temperature", "seed"), 2),
        (("json_schema", "temperature"), 2),
    ],
)
def test_what_an_endpoint_refuses_is_found_out_once(words: tuple[str, ...], refused: int) -> None:
    ledger = Memory()
    with scripted_server(refusing(*words)) as server:
        found = ask(endpoint(server.url, seed=1), ledger, [str(i) for i in range(30)])
    assert {type(each).__name__ for each in found} == {"Answer"}
    assert len(server.requests) == 30 + refused
    if "temperature" not in words or "json_schema" in words:
        assert "It follows this JSON schema" in server.requests[-1].body["messages"][0]["content"]


def test_newer_models_take_their_room_by_another_name() -> None:
    said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."

    def answer(body: dict[str, Any]) -> str | Fault:
        return Fault(status=400, body={"error": {"message": said}}) if "max_tokens" in body else GOOD

    with scripted_server(answer) as server:
        ask(endpoint(server.url), Memory(), ["alpha", "beta"])
    assert [("max_tokens" in asked.body) for asked in server.requests] == [True, False, False]


def test_the_same_request_has_the_same_hash_in_every_form() -> None:
    """A schema endpoint that is downgraded meanwhile must not pay for what is there."""
    ledger = Memory()
    with scripted_server(refusing("json_schema")) as server:
        ask(endpoint(server.url), ledger, ["text"])
        before = len(server.requests)
        ask(endpoint(server.url, json_schema="off"), ledger, ["text"])
    assert len(server.requests) == before


def test_a_request_that_is_refused_by_itself_changes_nothing_for_the_others() -> None:
    def answer(body: dict[str, Any]) -> str | Fault:
        long = "alpha" in body["messages"][1]["content"]
        return Fault(status=400, body={"error": {"message": "context length exceeded"}}) if long else GOOD

    ledger = Memory()
    with scripted_server(answer) as server:
        first, second = ask(endpoint(server.url), ledger, ["alpha", "beta"])
    assert isinstance(first, ReplyFailure)
    assert first.kind is FailureKind.REFUSED
    assert "context length" in first.message
    assert second.value.things == ["alpha"]
    assert server.requests[-1].body["response_format"]["type"] == "json_schema"


def test_a_schema_that_is_insisted_on_is_not_given_up() -> None:
    with scripted_server(refusing("json_schema")) as server:
        (failure,) = ask(endpoint(server.url, json_schema="on"), Memory(), ["text"])
    assert isinstance(failure, ReplyFailure)
    assert len(server.requests) == 1


def test_after_a_stop_nothing_is_sent() -> None:
    async def work(url: str) -> list[Any]:
        async with Asker(endpoint(url), Memory()) as asker:
            return [(await asyncio.gather(one(asker, text), return_exceptions=True))[0] for text in "abc"]

    with scripted_server(lambda body: Fault(status=401)) as server:
        found = asyncio.run(work(server.url))
    assert {type(each) for each in found} == {EndpointError}
    assert len(server.requests) == 1


def test_the_tally_counts() -> None:
    async def work(url: str) -> Asker:
        async with Asker(endpoint(url), Memory()) as asker:
            for text in ("alpha", "beta", "alpha"):
                await one(asker, text)
        return asker

    with scripted_server(lambda body: GOOD) as server:
        asker = asyncio.run(work(server.url))
    tally = asker.tally
    assert (tally.paid, tally.found, tally.failed, asker.attempts) == (2, 1, 0, 2)
    assert (tally.prompt_tokens, tally.completion_tokens) == (200, 4)
