import re
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.errors import InputError
from core.ontology.fetch import fetch
from core.ontology.load import load
from tests.ontology import tiny

BODY = tiny.OBO.encode()


@contextmanager
def library(answer):
    """A server on this machine that calls `answer(handler)` for every GET; yields (address, paths asked)."""
    paths = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            paths.append(self.path)
            try:
                answer(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/obo", paths
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def send(handler, body, status=200, **headers):
    handler.send_response(status)
    given = {key.replace("_", "-"): value for key, value in headers.items()}
    for key, value in {"Content-Length": len(body), **given}.items():
        handler.send_header(key, str(value))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


def test_fetches_through_redirects_tells_progress_and_loads(tmp_path):
    def answer(handler):
        if handler.path == "/obo/tiny.obo":
            return send(handler, b"", 302, Location="/releases/latest")
        if handler.path == "/releases/latest":
            address = f"http://127.0.0.1:{handler.server.server_port}/releases/2024/tiny.obo"
            return send(handler, b"", 301, Location=address)
        return send(handler, BODY)

    said = []
    with library(answer) as (address, paths):
        path = fetch("tiny", tmp_path / "new folder", base_url=address, progress=said.append)
    assert path == tmp_path / "new folder" / "tiny.obo"
    assert path.read_bytes() == BODY
    assert paths == ["/obo/tiny.obo", "/releases/latest", "/releases/2024/tiny.obo"]
    assert said[-1] == "tiny: 0.0 MB fetched"
    assert load(path, name="tiny").version == "2024-02-08"


def test_progress_counts_megabytes(tmp_path):
    body = b"format-version: 1.2\n" + b"!" * (5 << 20)
    said = []
    with library(lambda handler: send(handler, body)) as (address, _):
        fetch("tiny", tmp_path, base_url=address, progress=said.append)
    assert any(re.fullmatch(r"tiny: \d\.\d MB of 5\.0 MB", text) for text in said)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda h: send(h, b"no", 404), "has no ontology 'tiny'"),
        (lambda h: send(h, b"no", 500), "500 Internal Server Error"),
        (lambda h: send(h, b"<html>hello</html>"), "the answer is a web page"),
        (lambda h: send(h, b"\n<!DOCTYPE html><html></html>"), "the answer is a web page"),
        (lambda h: send(h, b""), "the answer is empty"),
        (
            lambda h: send(h, BODY[:100], Content_Length=len(BODY), Connection="close"),
            "complete message body",
        ),
        (lambda h: send(h, b"", 302, Location=h.path), "redirects more than 10 times"),
        (lambda h: send(h, b"", 302, Location="http://localhost:9/tiny.obo"), "which is not secure"),
        (lambda h: send(h, b"", 302, Location="file:///etc/passwd"), "which is not secure"),
        (lambda h: send(h, b"", 302, Location="ftp://127.0.0.1/tiny.obo"), "which is not secure"),
        (lambda h: send(h, b"", 302, Location="http://[/"), "could not be fetched"),
        (lambda h: send(h, b"x" * 3_000_000), r"larger than 2\.0 MB"),
        (lambda h: send(h, b"", Content_Length=9 << 40), r"larger than 2\.0 MB"),
        (lambda h: h.wfile.write(b"this is not HTTP\r\n\r\n"), "could not be fetched"),
    ],
)
def test_what_goes_wrong_is_said_and_leaves_nothing_behind(tmp_path, answer, expected):
    earlier = tmp_path / "tiny.obo"
    earlier.write_text("from before")

    def answer_and_close(handler):
        handler.close_connection = True
        answer(handler)

    with library(answer_and_close) as (address, _), pytest.raises(InputError, match=expected):
        fetch("tiny", tmp_path, base_url=address, max_bytes=2 << 20)
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.obo"]
    assert earlier.read_text() == "from before"


def test_a_public_name_that_leads_inside_is_asked_nothing(tmp_path, monkeypatch):
    resolve = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: resolve("127.0.0.1" if "example" in str(host) else host, *rest, **more),
    )
    monkeypatch.setenv("NO_PROXY", "*")
    with library(lambda h: send(h, BODY)) as (address, paths):
        inside = address.replace("127.0.0.1", "library.example.org")
        with pytest.raises(InputError, match=r"leads to 127\.0\.0\.1: this machine"):
            fetch("tiny", tmp_path, base_url=inside)
    assert paths == []
    assert list(tmp_path.iterdir()) == []


def test_a_body_without_length_that_grows_too_large_is_stopped(tmp_path):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"!" * 100_000)

    with library(answer) as (address, _), pytest.raises(InputError, match=r"larger than 2\.0 MB"):
        fetch("tiny", tmp_path, base_url=address, max_bytes=2 << 20)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", ["headers", "body"])
def test_a_server_that_drips_is_given_up_in_time(tmp_path, part):
    stop = threading.Event()

    def answer(handler):
        if part == "body":
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(BODY)))
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not stop.wait(0.05):
            handler.wfile.write(b"!")
            handler.wfile.flush()

    with library(answer) as (address, _):
        with pytest.raises(InputError, match="took longer than 1 s"):
            fetch("tiny", tmp_path, base_url=address, seconds=1.0)
        stop.set()
    assert list(tmp_path.iterdir()) == []


def test_no_server_is_said(tmp_path):
    with pytest.raises(InputError, match=r"could not be fetched.*add it by its path"):
        fetch("tiny", tmp_path, base_url="http://127.0.0.1:9/obo", seconds=10)


@pytest.mark.parametrize(
    "name",
    ["", "../hp", "hp/../x", "HP", "hp.obo", "hp obo", "http://x", "0hp", "h\u00e9", "hp\n", "a" * 100, ".."],
)
def test_names_that_could_be_paths_are_refused_unasked(tmp_path, name):
    with library(lambda handler: send(handler, BODY)) as (address, paths):
        with pytest.raises(InputError, match="is no name in the OBO library"):
            fetch(name, tmp_path, base_url=address)
        assert paths == []
    assert list(tmp_path.iterdir()) == []
