"""Forty bodies with status 200 that are no answer: forty typed failures, nothing stored as an answer."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from core.llm import FailureKind, ReplyFailure
from tests.llm.asking import Memory, ask, endpoint
from tests.llm.server import Fault, completion, scripted_server

GOOD = '{"things": ["alpha"]}'
HTML = "<!doctype html><html><body><h1>Sign in to the network</h1></body></html>"


def choice(**parts: Any) -> dict[str, Any]:
    return {"choices": [parts]}


def message(content: Any, **parts: Any) -> dict[str, Any]:
    return choice(index=0, finish_reason="stop", message={"role": "assistant", "content": content, **parts})


MALFORMED: dict[str, Fault] = {
    "empty": Fault(),
    "white space": Fault(body=" \r\n\t "),
    "HTML": Fault(body=HTML, headers={"content-type": "text/html"}),
    "HTML typed as JSON": Fault(body=HTML),
    "plain words": Fault(body="upstream is restarting"),
    "null": Fault(body="null"),
    "true": Fault(body="true"),
    "number": Fault(body="42"),
    "string": Fault(body='"alpha"'),
    "bare reply": Fault(body=GOOD),
    "list": Fault(body="[]"),
    "list of a completion": Fault(body=[completion(GOOD)]),
    "empty object": Fault(body={}),
    "error object": Fault(body={"error": {"message": "model is loading", "type": "server_error"}}),
    "error text": Fault(body={"error": "out of memory"}),
    "error beside choices": Fault(body={**completion(GOOD), "error": {"message": "partial"}}),
    "detail": Fault(body={"detail": "Not Found"}),
    "truncated": Fault(body=json.dumps(completion(GOOD))[:-25]),
    "two bodies": Fault(body=json.dumps(completion(GOOD)) * 2),
    "event stream": Fault(body=f"data: {json.dumps(completion(GOOD))}\n\ndata: [DONE]\n"),
    "JSON lines": Fault(body=f"{json.dumps(completion(GOOD))}\n{{}}"),
    "UTF-16": Fault(body=json.dumps(completion(GOOD)).encode("utf-16")),
    "Latin-1": Fault(body=json.dumps(completion("é"), ensure_ascii=False).encode("latin-1")),
    "cut within a character": Fault(body="é".encode()[:1]),
    "NUL bytes": Fault(body=b"\0" * 100),
    "nested 100,000 deep": Fault(body="[" * 100_000 + "]" * 100_000),
    "5,000 digits": Fault(body='{"choices": ' + "9" * 5000 + "}"),
    "gzip unannounced": Fault(body=gzip.compress(json.dumps(completion(GOOD)).encode())),
    "no choices": Fault(body={"id": "x", "object": "chat.completion"}),
    "choices null": Fault(body={"choices": None}),
    "choices empty": Fault(body={"choices": []}),
    "choices an object": Fault(body={"choices": {"0": {"message": {"content": GOOD}}}}),
    "choice null": Fault(body={"choices": [None]}),
    "choice a string": Fault(body={"choices": [GOOD]}),
    "no message": Fault(body=choice(index=0, finish_reason="stop")),
    "message null": Fault(body=choice(message=None)),
    "old completion": Fault(body=choice(text=GOOD)),
    "content a number": Fault(body=message(7)),
    "content an object": Fault(body=message({"things": ["alpha"]})),
    "content of images": Fault(body=message([{"type": "image_url", "image_url": {"url": "x"}}])),
}

NO_ANSWER = {
    "content null": (message(None), FailureKind.EMPTY),
    "content absent": (choice(message={"role": "assistant"}), FailureKind.EMPTY),
    "content empty": (message(""), FailureKind.EMPTY),
    "content blank": (message(" \n "), FailureKind.EMPTY),
    "tool call": (message(None, tool_calls=[{"id": "1"}]), FailureKind.EMPTY),
    "refusal": (message(None, refusal="I cannot do that."), FailureKind.REFUSED),
    "filter": (completion(GOOD, finish_reason="content_filter"), FailureKind.REFUSED),
    "cut off": (completion(GOOD, finish_reason="length"), FailureKind.CUT_OFF),
}


def test_there_are_forty() -> None:
    assert len(MALFORMED) == 40


@pytest.mark.parametrize("fault", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_body_is_a_typed_failure(fault: Fault) -> None:
    ledger = Memory()
    with scripted_server(lambda body: fault) as server:
        (failure,) = ask(endpoint(server.url), ledger, ["text"])
    assert isinstance(failure, ReplyFailure)
    assert failure.kind is FailureKind.MALFORMED
    assert "did not answer as expected" in failure.message
    assert failure.call == 1
    (call,) = ledger.calls
    assert (call.failure, call.answer) == ("malformed", None)
    assert call.attempts == len(server.requests) == 2  # a proxy's page may be gone the second time


@pytest.mark.parametrize(("body", "kind"), NO_ANSWER.values(), ids=NO_ANSWER)
def test_a_completion_without_an_answer_is_a_typed_failure(body: dict[str, Any], kind: FailureKind) -> None:
    ledger = Memory()
    with scripted_server(lambda _: body) as server:
        (failure,) = ask(endpoint(server.url), ledger, ["text"])
    assert isinstance(failure, ReplyFailure)
    assert failure.kind is kind
    assert ledger.answered == []
    rooms = [asked.body["max_tokens"] for asked in server.requests]
    assert rooms == ([2048] if kind is FailureKind.REFUSED else [2048, 4096])


def test_all_malformed_bodies_in_one_run_leave_the_good_answers_alone() -> None:
    """The last message names the body to send."""
    faults = list(MALFORMED.values())

    def answer(body: dict[str, Any]) -> str | Fault:
        number = json.loads(body["messages"][-1]["content"].split("\n")[2])["text"]
        return GOOD if number == "good" else faults[int(number)]

    ledger = Memory()
    texts = [str(number) for number in range(40)] + ["good"]
    with scripted_server(answer) as server:
        found = ask(endpoint(server.url), ledger, texts)
    failures = [each for each in found if isinstance(each, ReplyFailure)]
    assert len(failures) == 40
    assert {failure.kind for failure in failures} == {FailureKind.MALFORMED}
    assert len(ledger.calls) == 41
    assert [call.answer for call in ledger.answered] == [GOOD]
