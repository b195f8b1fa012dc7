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
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from core.addresses import (
    LOOPBACK,
    NO_LOGIN,
    WILDCARDS,
    check_listening,
    is_address,
    is_loopback,
    own_addresses,
    own_names,
)
from core.cli.demo import CHECKOUT, build_demo
from core.cli.demo import WORKSPACE as DEMO
from core.cli.output import say
from core.errors import InputError
from core.store import default_path, open_workspace

REFUSED = 2
"""Exit status of an app that would listen where it must not."""

Port = Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")]
Listen = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Address to listen on. Beyond this machine only with --no-login: 0.0.0.0 is every address.",
    ),
]
NoLogin = Annotated[
    bool,
    typer.Option("--no-login", help="Let others in without login: anybody who comes can decide as anybody."),
]
ReadOnly = Annotated[bool, typer.Option("--read-only", help="Look, but store nothing.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser window.")]


def register(cli: typer.Typer) -> None:
    cli.command()(demo)
    cli.command()(app)


def demo(
    port: Port = 8501,
    read_only: ReadOnly = False,
    browser: Browser = True,
    listen: Listen = LOOPBACK,
    no_login: NoLogin = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over, forgetting earlier decisions.")] = False,
) -> None:
    """Open the app on a workspace built from the demo data; what you decide there is kept until --fresh."""
    place = Place(listen, port, no_login)
    if read_only and fresh:
        raise InputError("--fresh forgets what was decided, --read-only saves nothing. Give one of them.")
    build_demo(DEMO, fresh=fresh, replace=not read_only)
    _serve(DEMO, place, read_only, browser)


def app(
    context: typer.Context,
    port: Port = 8501,
    read_only: ReadOnly = False,
    browser: Browser = True,
    listen: Listen = LOOPBACK,
    no_login: NoLogin = False,
) -> None:
    """Open the app on a workspace."""
    place = Place(listen, port, no_login)
    path = context.obj or default_path()
    open_workspace(path, create=not read_only, check=True, read_only=read_only).close()
    _serve(path, place, read_only, browser)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the app listens.

    Raises:
        InputError: no address, or one beyond this machine without `no_login`.
    """

    address: str
    port: int
    no_login: bool

    def __post_init__(self) -> None:
        if not is_address(self.address):
            raise InputError(
                f"--listen takes a numeric address of this machine, not {self.address!r}. "
                f"Known: {', '.join([*WILDCARDS, *own_addresses()])}."
            )
        check_listening(self.address, meant=self.address if self.no_login else None)

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it."""
        host = {"0.0.0.0": LOOPBACK, "::": "::1"}.get(self.address, self.address)  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def options(self) -> list[str]:
        """For `streamlit run app.py`. What is not asked for is left to Streamlit's own settings, which the
        app checks as it starts."""
        found = ["--server.port", str(self.port)]
        if self.address == LOOPBACK and not self.no_login:
            return found
        names = [word for name in own_names(self.address) for word in ("--server.allowedHosts", name)]
        meant = ["--", "--listen", self.address, *(["--no-login"] if self.no_login else [])]
        return [*found, "--server.address", self.address, *names, *meant]


def _serve(workspace: Path, place: Place, read_only: bool, browser: bool) -> None:
    environment = os.environ | {"TOUCHSTONE_WORKSPACE": str(workspace.resolve())}
    if read_only:
        environment["TOUCHSTONE_READ_ONLY"] = "1"
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "streamlit", "run", "app.py"),
            *("--server.scriptHealthCheckEnabled", "true", *place.options()),
        ],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    # whoever stops this process by a signal means the server, too
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    threading.Thread(target=_announce, args=(place, workspace, browser, server), daemon=True).start()
    try:
        status = server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return
    if status == REFUSED:  # the app has said why
        raise typer.Exit(REFUSED)
    if status > 0:
        raise InputError(
            f"The app stopped with status {status}. If port {place.port} is taken, choose another by --port."
        )


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=30):  # noqa: S310 - our own loopback URL
            return True
    except (urllib.error.URLError, OSError):
        return False


def _announce(place: Place, workspace: Path, browser: bool, server: subprocess.Popen[bytes]) -> None:
    """Say where the app is as soon as it answers, and open it."""
    url = place.url
    while not _answers(f"{url}/_stcore/health"):
        if server.poll() is not None:
            return
        time.sleep(0.2)
    # one run of the script before anybody comes: the first visitor finds it warm, and a deep link is known
    _answers(f"{url}/_stcore/script-health-check")
    say(f"Touchstone is open at {url} on {workspace.name}. Stop it with Ctrl+C.")
    if not is_loopback(place.address):
        say(f"It listens on {place.address}. {NO_LOGIN}")
    if browser and (
        sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        webbrowser.open(url)
