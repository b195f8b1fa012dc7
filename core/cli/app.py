"""touchstone demo | app"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import bar, say
from core.errors import InputError
from core.store import default_path, open_workspace

CHECKOUT = Path(__file__).parents[2]
DEMO_DATA = CHECKOUT / "data" / "demo"
DEMO_WORKSPACE = CHECKOUT / "data" / "workspaces" / "demo.db"

Port = Annotated[int, typer.Option(min=1, max=65535, help="Port on 127.0.0.1.")]
ReadOnly = Annotated[bool, typer.Option("--read-only", help="Look, but store nothing.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")]


def register(cli: typer.Typer) -> None:
    cli.command()(demo)
    cli.command()(app)


def demo(
    port: Port = 8501,
    read_only: ReadOnly = False,
    browser: Browser = True,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over, forgetting earlier decisions.")] = False,
) -> None:
    """Open the app on a workspace built from the demo data; what you decide there is kept until --fresh."""
    build_demo(DEMO_WORKSPACE, fresh=fresh)
    _serve(DEMO_WORKSPACE, port, read_only, browser)


def app(
    context: typer.Context, port: Port = 8501, read_only: ReadOnly = False, browser: Browser = True
) -> None:
    """Open the app on a workspace."""
    path = context.obj or default_path()
    open_workspace(path, create=not read_only, check=True).close()
    _serve(path, port, read_only, browser)


def build_demo(path: Path, *, fresh: bool = False) -> None:
    """Build the demo workspace if it is not there: ontology, two corpora, hand-made gold, proposals of the
    offline annotator, claim pairs. Built aside and moved into place whole."""
    if path.exists() and not fresh:
        return
    from core.exchange import add_corpus, add_ontology, add_pairs
    from core.pipeline import annotate

    part = path.with_name(path.name + ".part")
    for suffix in ("", "-wal", "-shm"):
        part.with_name(part.name + suffix).unlink(missing_ok=True)
    say("Building the demo workspace")
    with open_workspace(part) as workspace, bar("Demo") as progress:
        add_ontology(workspace, str(DEMO_DATA / "hpo-demo.obo"), name="hpo-demo")
        add_corpus(workspace, DEMO_DATA / "passages.json", name="demo", domain="clinical passages")
        add_corpus(workspace, DEMO_DATA / "abstracts.json", name="demo-abstracts")
        for corpus in ("demo", "demo-abstracts"):
            annotate(workspace, corpus=corpus, ontology="hpo-demo", progress=progress)
        add_pairs(
            workspace,
            DEMO_DATA / "abstract_pairs.jsonl",
            run="demo-pairs",
            source="written by hand for the demonstration",
            corpus="demo-abstracts",
        )
        workspace.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
        part.with_name(part.name + suffix).unlink(missing_ok=True)
    part.replace(path)


def _serve(workspace: Path, port: int, read_only: bool, browser: bool) -> None:
    url = f"http://127.0.0.1:{port}"
    environment = os.environ | {"TOUCHSTONE_WORKSPACE": str(workspace.resolve())}
    if read_only:
        environment["TOUCHSTONE_READ_ONLY"] = "1"
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)),
            *("--server.scriptHealthCheckEnabled", "true"),
        ],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    # whoever stops this process by a signal means the server, too
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    threading.Thread(target=_announce, args=(url, workspace, browser, server), daemon=True).start()
    try:
        status = server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return
    if status > 0:
        raise InputError(
            f"The app stopped with status {status}. If port {port} is taken, choose another with --port."
        )


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=30):  # noqa: S310 - our own loopback URL
            return True
    except (urllib.error.URLError, OSError):
        return False


def _announce(url: str, workspace: Path, browser: bool, server: subprocess.Popen[bytes]) -> None:
    """Say where the app is as soon as it answers, and open it."""
    while not _answers(f"{url}/_stcore/health"):
        if server.poll() is not None:
            return
        time.sleep(0.2)
    # one run of the script before anybody comes: the first visitor finds it warm, and a deep link is known
    _answers(f"{url}/_stcore/script-health-check")
    say(f"Touchstone is open at {url} on {workspace.name}. Stop it with Ctrl+C.")
    if browser and (
        sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        webbrowser.open(url)
