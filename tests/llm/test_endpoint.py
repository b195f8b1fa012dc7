"""Where requests may go and who learns the key: rows 36 to 38 of the fault catalogue."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import json
import logging
import pickle
import socket
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from core.addresses import refusal
from core.llm import Asker, Endpoint, EndpointError, is_loopback
from core.store import open_workspace
from tests.llm.asking import KEY, Memory, ask, endpoint, one
from tests.llm.server import Fault, completion, scripted_server

GOOD = '{"things": ["alpha"]}'

REFUSED = [
    "http://169.254.169.254/latest",
    "http://169.254.170.2/v2",
    "http://[fe80::1]/v1",
    "http://[fd00:ec2::254]/latest",
    "http://100.100.100.200/latest",
    "http://168.63.129.16/machine",
    "http://192.0.0.192/latest",
    "http://10.0.0.5/v1",
    "http://172.16.9.9/v1",
    "http://192.168.1.20:8000/v1",
    "http://100.64.0.9/v1",
    "http://[fc00::1]/v1",
    "http://[fd12:3456::1]/v1",
    "http://0.0.0.0:8000/v1",
    "http://[::]/v1",
    "http://224.0.0.1/v1",
    "http://255.255.255.255/v1",
    "http://[ff02::1]/v1",
    "http://2130706433/v1",
    "http://2852039166/latest",
    "http://0x7f000001/v1",
    "http://0x7f.1/v1",
    "http://0177.0.0.1/v1",
    "http://127.1/v1",
    "http://169.254.43518/v1",
    "http://[::ffff:169.254.169.254]/v1",
    "http://[::ffff:10.0.0.1]/v1",
    "http://[2002:a9fe:a9fe::1]/v1",
    "http://[64:ff9b::a9fe:a9fe]/v1",
    "http://[::169.254.169.254]/v1",
]


@pytest.mark.parametrize("url", REFUSED)
def test_internal_addresses_are_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(EndpointError, match="address"):
        Asker(Endpoint(url, "scripted"), Memory())


def test_there_are_thirty() -> None:
    assert len(REFUSED) == 30


@pytest.mark.parametrize("url", ["http://10.0.0.5/v1", "http://192.168.1.20:8000/v1", "http://[fc00::1]/v1"])
def test_a_private_network_can_be_allowed(url: str) -> None:
    Asker(Endpoint(url, "scripted", allow_internal=True), Memory())


@pytest.mark.parametrize("url", REFUSED[:7])
def test_metadata_services_cannot_be_allowed(url: str) -> None:
    with pytest.raises(EndpointError, match="never asked"):
        Asker(Endpoint(url, "scripted", allow_internal=True), Memory())


@pytest.mark.parametrize(
    "host",
    [
        "169\u3002254\u3002169\u3002254",
        "169\uff0e254\uff0e169\uff0e254",
        "169\uff61254\uff61169\uff61254",
        "\uff11\uff16\uff19.254.169.254",
        "\u2460\u2461\u2466.0.0.1",
        "10\u30020\u30020\u30025",
        "127\u30020\u30020\u30021",
        "mod\u00e8les.example.org",
    ],
)
def test_a_host_outside_ascii_is_a_named_error(host: str) -> None:
    with pytest.raises(EndpointError, match="outside ASCII, such as full-width digits"):
        Endpoint(f"http://{host}/v1", "scripted", allow_internal=True)


@pytest.mark.parametrize(
    ("peer", "reason"),
    [
        ("127.0.0.1", "this machine"),
        ("::1", "this machine"),
        ("::ffff:127.0.0.1", "this machine"),
        ("10.1.2.3", "internal network"),
        ("169.254.169.254", "never asked"),
        ("fe80::1%2", "never asked"),
        ("2002:a9fe:a9fe::", "never asked"),
        ("64:ff9b::a9fe:a9fe", "never asked"),
        ("64:ff9b:1::a9fe:a9fe", "internal network"),
        ("::ffff:0:a9fe:a9fe", "never asked"),
        ("::169.254.169.254", "never asked"),
        ("2001:0:0:0:0:0:5601:5601", "never asked"),  # Teredo holds the address inverted
    ],
)
def test_a_peer_that_a_name_led_to_is_judged_by_its_address(peer: str, reason: str) -> None:
    assert reason in (refusal(peer, "models.example.org", internal=False) or "")
    assert refusal("93.184.216.34", "models.example.org", internal=False) is None


@pytest.mark.parametrize("changes", [False, True])
def test_a_name_that_changes_its_address_reaches_nothing(
    changes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the name leads to a public address when it is looked at, and here when it is used."""
    resolve, asked = socket.getaddrinfo, []

    def moving(host: Any, *rest: Any, **options: Any) -> Any:
        if host != "models.example.org":
            return resolve(host, *rest, **options)
        asked.append(host)
        return resolve("127.0.0.1" if changes or len(asked) > 1 else "93.184.216.34", *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", moving)
    with scripted_server(lambda body: GOOD) as server:
        if not changes:
            moving("models.example.org", 80)  # whoever checks the name first
        url = f"http://models.example.org:{urlsplit(server.url).port}/v1"
        (error,) = ask(endpoint(url), Memory(), ["text"])
        assert isinstance(error, EndpointError)
        assert "this machine" in str(error)
        assert server.connections == 0


def test_what_the_library_reads_as_an_address_meets_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the text is taken away: the one of the peer holds alone."""
    monkeypatch.setattr("core.llm.wire.check_host", lambda host, internal: None)
    with scripted_server(lambda body: GOOD) as server:
        made = endpoint("http://models.example.org/v1")
        object.__setattr__(made, "base_url", server.url.replace("127.0.0.1", "127\u30020\u30020\u30021"))
        (error,) = ask(made, Memory(), ["text"])
        assert isinstance(error, EndpointError)
        assert "leads to 127.0.0.1: this machine" in str(error)
        assert server.connections == 0


def test_a_name_for_this_machine_reaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is resolved by the system, to a server that listens and must hear nothing."""
    resolve = socket.getaddrinfo

    def here(host: Any, *rest: Any, **options: Any) -> Any:
        return resolve("127.0.0.1" if host == "models.example.org" else host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", here)
    with scripted_server(lambda body: GOOD) as server:
        port = urlsplit(server.url).port
        ledger = Memory()
        (error,) = ask(endpoint(f"http://models.example.org:{port}/v1"), ledger, ["text"])
        assert isinstance(error, EndpointError)
        assert "this machine" in str(error)
        assert server.connections == 0


def test_localhost_is_asked_and_no_proxy_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_server(lambda body: GOOD) as proxy, scripted_server(lambda body: GOOD) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        url = server.url.replace("127.0.0.1", "localhost")
        (answer,) = ask(endpoint(url), Memory(), ["text"])
        assert answer.value.things == ["alpha"]
        assert (len(server.requests), len(proxy.requests)) == (1, 0)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://127.8.9.1/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://0.0.0.0/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1.nip.io/v1", False),
        ("http://127.0.0.1@example.org/v1", False),
        ("http://example.org/?127.0.0.1", False),
        ("http://2130706433/v1", False),
        ("http://[::1", False),
        ("https://api.openai.com/v1", False),
        ("", False),
    ],
)
def test_loopback_is_what_is_written_so(url: str, expected: bool) -> None:
    assert is_loopback(url) is expected


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("https://alpha:secret@example.org/v1/", "https://example.org/v1"),
        ("https://example.org:8443/v1?key=secret#x", "https://example.org:8443/v1"),
        (" http://[::1]:8000/v1 ", "http://[::1]:8000/v1"),
        ("HTTP://EXAMPLE.org/v1", "http://example.org/v1"),
    ],
)
def test_an_address_keeps_no_user_and_no_query(url: str, clean: str) -> None:
    assert Endpoint(url, "scripted").base_url == clean


@pytest.mark.parametrize(
    "url", ["", "example.org", "ftp://example.org", "file:///v1", "http://", "http://[::1"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(EndpointError, match="base URL"):
        Endpoint(url, "scripted")


@pytest.mark.parametrize("key", ["sk-1\nX-Admin: 1", "sk 1", "sk-é"])
def test_a_key_that_cannot_be_a_header_is_refused_without_being_told(key: str) -> None:
    with pytest.raises(EndpointError) as caught:
        Endpoint("http://localhost/v1", "scripted", key=key)
    assert key not in str(caught.value)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TOUCHSTONE_BASE_URL", "TOUCHSTONE_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert Endpoint.from_environment("m").base_url == "https://api.openai.com/v1"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-open")
    monkeypatch.setenv("TOUCHSTONE_MODEL", "scripted")
    found = Endpoint.from_environment(base_url="http://localhost/v1", concurrency=3)
    assert (found.secret(), found.model, found.concurrency) == ("sk-open", "scripted", 3)
    monkeypatch.setenv("TOUCHSTONE_API_KEY", "sk-touch")
    assert Endpoint.from_environment().secret() == "sk-touch"
    assert not Endpoint.from_environment().allow_internal
    monkeypatch.setenv("TOUCHSTONE_ALLOW_INTERNAL", "1")
    assert Endpoint.from_environment().allow_internal
    monkeypatch.delenv("TOUCHSTONE_MODEL")
    with pytest.raises(EndpointError, match="TOUCHSTONE_MODEL"):
        Endpoint.from_environment()


def test_no_text_form_of_an_endpoint_shows_the_key() -> None:
    made = endpoint("http://localhost/v1", models={"list": "m"})
    forms = [
        repr(made),
        str(made),
        json.dumps(made.settings()),
        repr(dataclasses.asdict(made)),
        repr(vars(made)),
    ]
    assert not any(KEY in form for form in forms)
    assert copy.deepcopy(made).secret() == dataclasses.replace(made, concurrency=2).secret() == KEY
    assert pickle.loads(pickle.dumps(made)).secret() == KEY  # noqa: S301 - made on the line before


ECHOES = {
    "answer": lambda: completion(f'{{"things": ["{KEY}"]}}'),
    "escaped": lambda: Fault(
        body=json.dumps(completion(f'{{"things": ["{KEY}"]}}')).replace("sk-", "\\u0073k-")
    ),
    "401": lambda: Fault(status=401, body={"error": {"message": f"Incorrect API key: {KEY}"}}),
    "500": lambda: Fault(status=500, body=f"Authorization: Bearer {KEY}"),
    "400": lambda: Fault(status=400, body=f"<pre>{KEY}</pre>"),
    "malformed": lambda: Fault(body=f"<pre>{KEY}</pre>"),
    "refusal": lambda: completion(None, refusal=KEY),
    "error with 200": lambda: Fault(body={"error": KEY}),
    "header": lambda: Fault(status=429, headers={"retry-after": KEY}),
    "redirect": lambda: Fault(status=302, headers={"location": f"http://{KEY}.example.org"}),
    "wrong reply": lambda: f'{{"things": "{KEY}"}}',
    "reset": lambda: Fault(reset=True),
}


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_the_key_is_found_nowhere(
    echo: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Canary: an endpoint that sends the key back, logs at their loudest, a workspace that stores it all."""
    from core.pipeline.ledger import WorkspaceLedger
    from core.pipeline.writer import Writer

    path = tmp_path / "workspace.db"
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2", "aiohttp", "asyncio"):
        caplog.set_level(logging.DEBUG, name)
    said: list[str] = []
    found: list[Any] = []

    async def work(url: str) -> None:
        with open_workspace(path) as workspace, Writer(path) as writer:
            ledger = WorkspaceLedger(workspace, writer, None)
            async with Asker(endpoint(url, backoff=0.001), ledger, status=said.append) as asker:
                found.extend(await asyncio.gather(one(asker, number=None), return_exceptions=True))

    with scripted_server(lambda body: echo()) as server:
        asyncio.run(work(server.url))
        assert server.requests[0].headers["authorization"].endswith(KEY)
    shown = [repr(found), str(found), str(said), caplog.text, *capfd.readouterr()]
    for each in found:
        if isinstance(each, BaseException):
            shown.append("".join(traceback.format_exception(each)))
    assert not any(KEY in text for text in shown)
    for file in tmp_path.iterdir():
        assert KEY.encode() not in file.read_bytes()
