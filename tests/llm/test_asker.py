from __future__ import annotations

from tests.llm.asking import KEY, Memory, ask, endpoint
from tests.llm.server import scripted_server


def test_an_answer_is_stored_and_never_asked_for_twice() -> None:
    ledger = Memory()
    with scripted_server(lambda body: '{"things": ["alpha"]}') as server:
        first = ask(endpoint(server.url), ledger, ["text"])[0]
        again = ask(endpoint(server.url), ledger, ["text"])[0]
    assert first == again
    assert first.value.things == ["alpha"]
    assert len(server.requests) == len(ledger.calls) == 1
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
