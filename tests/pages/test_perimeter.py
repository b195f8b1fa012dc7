"""What reaches the app and what does not, asked of the running server without a browser: row 58 of the fault
catalogue, and the addresses on which it may listen."""

from __future__ import annotations

import base64
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.addresses import check_listening, own_addresses
from core.cli import cli
from core.errors import InputError
from core.store import open_workspace
from tests.browser.conftest import AppServer, free_port, servers
from tests.patience import SECONDS

ROOT = Path(__file__).parents[2]
UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
HEADERS = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """`streamlit run app.py`, bare, on an empty workspace."""
    folder = tmp_path_factory.mktemp("perimeter")
    open_workspace(folder / "w.db").close()
    with servers(folder, fork=False) as start:
        yield start(folder / "w.db")


def ask(port: int, line: str, *headers: str) -> tuple[int, dict[str, str]]:
    """Status and headers of the answer to one request, given byte by byte."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
        client.sendall("\r\n".join([f"{line} HTTP/1.1", *headers, "Content-Length: 0", "", ""]).encode())
        with client.makefile("rb") as answer:
            status = int(answer.readline().split()[1])
            lines = iter(lambda: answer.readline().decode("latin-1").strip(), "")
            pairs = [line.partition(":") for line in lines]
    return status, {name.lower(): value.strip() for name, _, value in pairs}


def websocket(port: int, *headers: str) -> int:
    key = base64.b64encode(os.urandom(16)).decode()
    return ask(port, "GET /_stcore/stream", *UPGRADE, f"Sec-WebSocket-Key: {key}", *headers)[0]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST"])
def test_the_app_answers_its_own_pages(app: AppServer, name: str) -> None:
    host = f"{name}:{app.port}"
    assert ask(app.port, "GET /_stcore/health", f"Host: {host}")[0] == 200
    assert ask(app.port, "GET /", f"Host: {host}", *fetch("cross-site", "document"))[0] == 200  # a link
    assert websocket(app.port, f"Host: {host}", f"Origin: http://{host}") == 101


def fetch(site: str, destination: str) -> tuple[str, str]:
    """What a browser says of a request: where its page stands to the server, and what for it asks."""
    return f"Sec-Fetch-Site: {site}", f"Sec-Fetch-Dest: {destination}"


PROBES = {
    "foreign host": ("GET /_stcore/health", "Host: touchstone.example"),
    "rebound host, port and all": ("GET /", "Host: touchstone.example:{port}"),
    "host that begins like ours": ("GET /", "Host: 127.0.0.1.touchstone.example:{port}"),
    "host with a user": ("GET /", "Host: touchstone.example@127.0.0.1:{port}"),
    "host with a path": ("GET /", "Host: 127.0.0.1:{port}/touchstone.example"),
    "host of every address": ("GET /", "Host: 0.0.0.0:{port}"),
    "two hosts": ("GET /", "Host: 127.0.0.1:{port}", "Host: touchstone.example"),
    "health asked by another port": ("GET /_stcore/health", "Host: {own}", "Origin: http://127.0.0.1:9"),
    "page asked by another name": ("GET /", "Host: {own}", "Origin: http://localhost:{port}"),
    "page asked by a sandbox": ("GET /", "Host: {own}", "Origin: null"),
    "file taken up by another port": ("PUT /_stcore/upload_file/a/b", "Host: {own}", "Origin: http://127.0.0.1:9"),
    "form posted from elsewhere": ("POST /_stcore/stream", "Host: {own}", "Origin: http://touchstone.example"),
    "script asked by another port": ("GET /static/x.js", "Host: {own}", *fetch("same-site", "script")),
    "frame in another page": ("GET /", "Host: {own}", *fetch("cross-site", "iframe")),
    "download asked from elsewhere": ("GET /media/x.csv", "Host: {own}", *fetch("cross-site", "empty")),
    "socket without an origin": ("WS", "Host: {own}"),
    "socket of a foreign page": ("WS", "Host: {own}", "Origin: http://touchstone.example"),
    "socket of another port": ("WS", "Host: {own}", "Origin: http://127.0.0.1:9"),
    "socket of another name": ("WS", "Host: {own}", "Origin: http://localhost:{port}"),
    "socket of a sandbox": ("WS", "Host: {own}", "Origin: null"),
    "socket of no port": ("WS", "Host: {own}", "Origin: http://127.0.0.1"),
    "socket of a foreign host": ("WS", "Host: touchstone.example", "Origin: http://touchstone.example"),
    "socket of two origins": ("WS", "Host: {own}", "Origin: http://{own}", "Origin: http://touchstone.example"),
}  # fmt: skip


@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
def test_what_is_not_from_here_is_refused(app: AppServer, probe: tuple[str, ...]) -> None:
    line, *headers = (text.format(port=app.port, own=f"127.0.0.1:{app.port}") for text in probe)
    status = websocket(app.port, *headers) if line == "WS" else ask(app.port, line, *headers)[0]
    assert status in (400, 403)  # 400: the server below refuses it as no HTTP


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("GET /", 200),
        ("GET /concept_labels", 200),
        ("GET /_stcore/health", 200),
        ("GET /_stcore/host-config", 200),
        ("GET /media/none.csv", 404),
        ("GET /scripts/none.js", 404),
        ("GET /favicon.png", 200),
        ("POST /_stcore/agent/mcp", 400),
        ("PUT /_stcore/upload_file/a/b", 403),  # without Streamlit's own token
        ("GET /..%2fapp.py", 400),
    ],
)
def test_every_answer_has_the_headers(app: AppServer, line: str, status: int) -> None:
    found, headers = ask(app.port, line, f"Host: 127.0.0.1:{app.port}")
    assert found == status
    assert HEADERS.items() <= headers.items()
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["frame-ancestors"] == policy["default-src"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in policy["script-src"]
    assert not any("http" in sources or "*" in sources for sources in policy.values())


@pytest.mark.parametrize(
    ("site", "parted"), [("none", False), ("same-origin", False), ("same-site", True), ("cross-site", True)]
)
def test_the_app_is_parted_from_a_page_that_opened_it(app: AppServer, site: str, parted: bool) -> None:
    asked = (f"Host: 127.0.0.1:{app.port}", f"Sec-Fetch-Site: {site}", "Sec-Fetch-Dest: document")
    found, headers = ask(app.port, "GET /", *asked)
    assert found == 200
    assert ("cross-origin-opener-policy" in headers) is parted


# --- where the app listens --------------------------------------------------------------------------------


def test_the_app_is_bound_to_loopback_alone(app: AppServer) -> None:
    """127.0.0.2 is this machine too on Linux, but another address."""
    if sys.platform != "linux":
        pytest.skip("only Linux has a whole network of loopback addresses")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", app.port), timeout=SECONDS)


@pytest.mark.parametrize("address", ["0.0.0.0", "0", "::", "", "ward-pc"])  # noqa: S104
def test_the_command_line_refuses_before_it_starts_anything(address: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["--workspace", str(tmp_path / "w.db"), "app", "--listen", address])
    assert isinstance(done.exception, InputError)
    assert not (tmp_path / "w.db").exists()


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback_needs_no_words(address: str) -> None:
    check_listening(address, meant=None)


BEYOND = (
    *(None, "", "0.0.0.0", "::", "0", "0x0", "000.0.0.0", "::0", "::ffff:0.0.0.0"),  # noqa: S104
    *("192.168.1.5", "fe80::1", "ward-pc", "127.1", "localhost.example.org", "unix://app.sock"),
)


@pytest.mark.parametrize("address", BEYOND)
@pytest.mark.parametrize("meant", [None, "", "10.0.0.9"])
def test_beyond_loopback_must_be_meant(address: str | None, meant: str | None) -> None:
    with pytest.raises(InputError, match=r"--listen ADDRESS --no-login"):
        check_listening(address, meant=meant)
    if address:
        check_listening(address, meant=address)


def start(words: list[str], folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    """A process of Streamlit's or Touchstone's own command line, of the checkout in `folder`."""
    own = {"TOUCHSTONE_WORKSPACE": str(folder / "w.db"), "PYTHONPATH": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**os.environ, **own, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def checkout(folder: Path, config: str) -> Path:
    """A copy of what is needed to start the app, with another configuration."""
    folder.mkdir()
    for name in ("core", "pages", "data"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "app.py", folder)
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(config, "utf-8")
    return folder


def test_every_way_of_asking_to_listen_beyond_this_machine_is_refused(tmp_path: Path) -> None:
    closed, opened = (
        checkout(tmp_path / address, f"[server]\nheadless = true\naddress = '{address}'\n")
        for address in ("127.0.0.1", "0.0.0.0")  # noqa: S104
    )

    bare = ["streamlit", "run", "app.py", "--server.port"]
    asked = [
        start([*bare, str(free_port()), "--server.address", "::", "--", "--listen", "::"], closed, {}),
        start([*bare, str(free_port())], opened, {}),
        start(["core.cli", "app"], closed, {"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"}),  # noqa: S104
    ]
    try:
        for process in asked:
            output = process.communicate(timeout=SECONDS)
            assert process.returncode == 2, output
            assert "where other machines may reach it" in output[1]
            assert "Traceback" not in output[1]
    finally:
        for process in asked:
            process.kill()


def test_the_app_listens_beyond_this_machine_where_that_is_meant(tmp_path: Path) -> None:
    """On every address, asked by one that is not loopback; a name that only leads here stays foreign."""
    beyond = [address for address in own_addresses() if ":" not in address and not address.startswith("127.")]
    if not beyond:
        pytest.skip("this machine has no address but loopback")
    port = free_port()
    words = ["core.cli", "app", "--no-browser", "--port", str(port), "--listen", "0.0.0.0", "--no-login"]  # noqa: S104
    process = start(words, ROOT, {"TOUCHSTONE_WORKSPACE": str(tmp_path / "w.db")})
    try:
        assert process.stderr is not None
        said = process.stderr.readline() + process.stderr.readline()
        assert "no login" in said
        host = f"{beyond[0]}:{port}"
        with socket.create_connection((beyond[0], port), timeout=SECONDS) as client:
            client.sendall(f"GET /_stcore/health HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert client.recv(12).endswith(b"200")
        assert websocket(port, f"Host: {host}", f"Origin: http://{host}") == 101
        assert websocket(port, f"Host: {host}", f"Origin: http://127.0.0.1:{port}") == 403
        assert websocket(port, f"Host: evil.example:{port}", f"Origin: http://evil.example:{port}") == 403
    finally:
        process.terminate()
        process.communicate()


def test_a_server_that_was_bound_past_the_check_answers_loopback_alone(tmp_path: Path) -> None:
    """Started by uvicorn itself, which knows nothing of Streamlit's settings."""
    beyond = [address for address in own_addresses() if ":" not in address and not address.startswith("127.")]
    if not beyond:
        pytest.skip("this machine has no address but loopback")
    port = free_port()
    words = ["uvicorn", "app:app", "--host", "0.0.0.0", "--port", str(port)]  # noqa: S104
    process = start(words, ROOT, {"TOUCHSTONE_WORKSPACE": str(tmp_path / "w.db")})
    try:
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                found = ask(port, "GET /_stcore/health", f"Host: 127.0.0.1:{port}")[0]
                break
            except OSError:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert found == 200
        with socket.create_connection((beyond[0], port), timeout=SECONDS) as client:
            client.sendall(f"GET /_stcore/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            assert client.recv(12).endswith(b"403")
    finally:
        process.kill()
        process.communicate()
