"""Pages of others, in the same browser: they frame the app, open its websocket, post to it, read it. That the
app's own pages do with what its policy allows them is seen wherever one is opened: see `refused`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page

from core.store import open_workspace
from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import REST, Desk
from tests.evaluate import ward

ASK = """async (app) => {
    const told = (good, bad) => new Promise((done) => { good(() => done('open')); bad(() => done('shut')) })
    const element = (name, set) => told(
        (open) => { const e = Object.assign(document.createElement(name), set); e.onload = open
                    window.asked = e },
        (shut) => { window.asked.onerror = shut; document.body.append(window.asked) })
    const socket = new WebSocket(app.replace('http', 'ws') + '/_stcore/stream', ['streamlit'])
    const read = (path, how) => fetch(app + path, how).then((r) => r.ok ? 'open' : 'shut', () => 'shut')
    return {
        socket: await told((open) => (socket.onopen = open), (shut) => (socket.onerror = shut)),
        health: await read('/_stcore/health'),
        post: await read('/_stcore/upload_file/a/b', { method: 'PUT', body: 'x' }),
        script: await element('script', { src: app + SCRIPT }),
        image: await element('img', { src: app + '/favicon.png' }),
    }
}"""


@pytest.fixture(scope="module")
def app(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> AppServer:
    """One server for this file, on a workspace with items to decide."""
    path = tmp_path_factory.mktemp("perimeter") / "ward.db"
    with open_workspace(path) as workspace:
        ward.fill(workspace)
    return module_app_server(path)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[int]:
    """Port of a server that has nothing to do with the app, with an empty page."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Elsewhere</title><body>")

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_framed_app_takes_no_click_and_no_key(
    app: AppServer, elsewhere: int, page: Page, refused: list[str]
) -> None:
    """The page around it is of the same host, so that the frame has the curator's name and cookies."""
    desk = Desk(page, app.url, app.workspace, "ada")
    page.goto(f"http://127.0.0.1:{elsewhere}/")
    page.evaluate(
        """(url) => new Promise((done) => {
            const frame = Object.assign(document.createElement('iframe'), { src: url, onload: done })
            frame.style = 'width: 1300px; height: 900px'
            document.body.append(frame)
        })""",
        app.url,
    )
    page.wait_for_timeout(2000)
    page.mouse.click(600, 400)
    page.keyboard.press("a")
    page.wait_for_timeout(1000)
    assert desk.log() == []
    [frame] = page.frames[1:]
    assert frame.url.startswith("chrome-error:")
    assert frame.locator("#root").count() == 0
    assert "frame-ancestors" in refused.pop()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_port_or_name_reaches_nothing(
    host: str, app: AppServer, elsewhere: int, page: Page
) -> None:
    page.goto(app.url)
    own = page.locator("script[src]").first.get_attribute("src") or ""
    asking = ASK.replace("SCRIPT", repr(own.removeprefix(".")))
    assert set(page.evaluate(asking, app.url).values()) - {"shut"} == {"open"}, "asked by itself"
    page.goto(f"http://{host}:{elsewhere}/")
    for name in ("127.0.0.1", "localhost"):
        found = page.evaluate(asking, f"http://{name}:{app.port}")
        assert found == dict.fromkeys(found, "shut"), name


def test_a_form_posted_from_elsewhere_is_refused(app: AppServer, elsewhere: int, page: Page) -> None:
    page.goto(f"http://127.0.0.1:{elsewhere}/")
    with page.expect_navigation(url=f"{app.url}/**") as arrived:
        page.evaluate(
            """(url) => {
                const form = Object.assign(document.createElement('form'), { method: 'POST', action: url })
                document.body.append(form)
                form.submit()
            }""",
            f"{app.url}/_stcore/health",
        )
    assert arrived.value.status == 403


def test_the_policy_stops_what_a_text_could_bring(app: AppServer, page: Page, refused: list[str]) -> None:
    page.goto(app.url)
    page.locator(REST).wait_for()
    outside: list[str] = []
    page.on("response", lambda answer: outside.append(answer.url))
    page.evaluate(
        """() => {
            const add = (name, set) => document.body.append(Object.assign(document.createElement(name), set))
            add('script', { textContent: 'window.ran = 1' })
            add('img', { src: 'http://touchstone.example/a.png' })
            document.body.insertAdjacentHTML('beforeend', '<b onclick="window.ran = 2">b</b>')
            document.body.lastChild.click()
            setTimeout('window.ran = 3')  // eval itself is let through here: a debugger asks for it
            fetch('http://touchstone.example/b').catch(() => {})
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    for what in ("inline script", "inline event handler", "example/a.png", "example/b"):
        assert any(what in one for one in refused), what
    refused.clear()
    assert not any("touchstone.example" in url for url in outside)
