"""A run by batch files: the requests go out in one file and come back answered in another."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.llm import Collector, Deferred, FailureKind, read_batch, write_batch
from core.llm.prices import Price, Prices
from tests.llm.asking import Memory, ask, endpoint
from tests.llm.server import completion, scripted_server

GOOD = '{"things": ["alpha"]}'
TABLE = Prices({"scripted": Price(input=1000.0, output=5000.0, batch=0.5)})
FAR = "http://127.0.0.1:9/v1"


def collected(texts: list[str], ledger: Memory | None = None) -> tuple[Collector, list[Any]]:
    collector = Collector()
    return collector, ask(endpoint(FAR), ledger or Memory(), texts, collector=collector)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def service(batch: Path, answers: Path, *, failing: str | None = None) -> Path:
    """What a batch service does, in the form of the OpenAI Batch API; last request first."""
    lines = []
    for row in reversed(rows(batch)):
        good = {"status_code": 200, "request_id": "r", "body": completion(GOOD)}
        line = {"id": "b", "custom_id": row["custom_id"], "response": good, "error": None}
        if failing and failing in row["body"]["messages"][1]["content"]:
            line |= {"response": None, "error": {"code": "batch_expired", "message": "too late"}}
        lines.append(json.dumps(line))
    answers.write_text("\n".join(lines) + "\n", "utf-8")
    return answers


def test_requests_are_collected_once_and_nothing_is_sent(tmp_path: Path) -> None:
    collector, found = collected(["alpha", "beta", "alpha"])
    assert {type(each) for each in found} == {Deferred}
    (path,) = write_batch(tmp_path / "batch.jsonl", collector)
    lines = rows(path)
    assert len(lines) == 2
    assert {line["custom_id"] for line in lines} == {each.key for each in found}
    assert all(len(line["custom_id"]) == 64 for line in lines)  # as long as the services take
    assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
    assert set(lines[0]) == {"custom_id", "method", "url", "body"}


def test_the_body_in_the_file_is_the_body_on_the_wire(tmp_path: Path) -> None:
    with scripted_server(lambda body: GOOD) as server:
        ask(endpoint(server.url), Memory(), ["text"])
    collector, _ = collected(["text"])
    (path,) = write_batch(tmp_path / "batch.jsonl", collector)
    assert rows(path)[0]["body"] == server.requests[0].body


def test_answers_from_a_file_are_those_of_the_network(tmp_path: Path) -> None:
    texts = ["alpha", "beta", "gamma"]
    collector, _ = collected(texts)
    (batch,) = write_batch(tmp_path / "batch.jsonl", collector)
    answers = service(batch, tmp_path / "answers.jsonl", failing="beta")
    ledger = Memory()
    for call in read_batch(answers, batch, TABLE):
        asyncio.run(ledger.add(call))
    assert [call.failure for call in ledger.calls] == [None, "unavailable", None]
    call = ledger.calls[0]
    assert (call.stage, call.passage_id, call.prompt) == ("list", 3, "list@000000000000")
    assert (call.model, call.endpoint, call.transport, call.answer) == ("scripted", FAR, "batch", GOOD)
    assert call.price == pytest.approx((100 * 1000 + 2 * 5000) / 1e6 / 2)

    again, found = collected(texts, ledger)
    assert [type(each).__name__ for each in found] == ["Answer", "Deferred", "Answer"]
    assert found[0].value.things == ["alpha"]
    assert list(again.waiting) == [found[1].key]


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        ({"status_code": 200, "body": None}, FailureKind.MALFORMED),
        ({"status_code": 200, "body": []}, FailureKind.MALFORMED),
        ({"status_code": 200, "body": completion(None)}, FailureKind.EMPTY),
        ({"status_code": 200, "body": completion("{", finish_reason="length")}, FailureKind.CUT_OFF),
        ({"status_code": 400, "body": {"error": {"message": "too long"}}}, FailureKind.REFUSED),
        ({}, FailureKind.REFUSED),
        ("text", FailureKind.UNAVAILABLE),
        (None, FailureKind.UNAVAILABLE),
    ],
)
def test_what_is_no_answer_in_a_file_is_a_typed_failure(
    response: Any, kind: FailureKind, tmp_path: Path
) -> None:
    collector, (deferred,) = collected(["text"])
    (batch,) = write_batch(tmp_path / "batch.jsonl", collector)
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"custom_id": deferred.key, "response": response}))
    (call,) = read_batch(answers, batch, TABLE)
    assert call.failure == kind


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("{", "no batch file"),
        ("[]", "no batch file"),
        ('{"custom_id": "x"}', "Line 1 of answers.jsonl answers a request that is not in batch.jsonl"),
        ("{}", "Line 1"),
        ('{"custom_id": ["KEY"]}', "Line 1"),
        ('{"custom_id": "KEY"}\n\n{"custom_id": "KEY"}', "Line 3 of answers.jsonl .* a second time"),
        ("[" * 100_000, "no batch file"),
    ],
)
def test_a_file_of_another_kind_or_batch_is_an_input_error(text: str, cause: str, tmp_path: Path) -> None:
    collector, (deferred,) = collected(["text"])
    (batch,) = write_batch(tmp_path / "batch.jsonl", collector)
    (tmp_path / "answers.jsonl").write_text(text.replace("KEY", deferred.key))
    with pytest.raises(InputError, match=cause):
        list(read_batch(tmp_path / "answers.jsonl", batch, TABLE))


def test_a_missing_index_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"batch\.index\.jsonl cannot be read"):
        list(read_batch(tmp_path / "answers.jsonl", tmp_path / "batch.jsonl", TABLE))


def test_nothing_waiting_writes_nothing(tmp_path: Path) -> None:
    assert write_batch(tmp_path / "batch.jsonl", Collector()) == []
    assert list(tmp_path.iterdir()) == []


def test_a_large_batch_goes_into_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.llm.batch.LINES", 2)
    collector, _ = collected([str(i) for i in range(5)])
    files = write_batch(tmp_path / "batch.jsonl", collector)
    assert [path.name for path in files] == ["batch.jsonl", "batch-2.jsonl", "batch-3.jsonl"]
    assert [len(rows(path)) for path in files] == [2, 2, 1]
    answers = service(files[1], tmp_path / "answers.jsonl")
    assert len(list(read_batch(answers, files[1], TABLE))) == 2
