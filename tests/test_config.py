"""`.streamlit/config.toml`: every option exists, it is as closed as it claims, its colours can be read."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import SECONDS

ROOT = Path(__file__).parents[1]
CONFIG: dict[str, Any] = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))


def options(table: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from options(value, f"{prefix}{name}.")
        else:
            yield prefix + name


def test_streamlit_knows_every_option() -> None:
    from streamlit import config

    known = set(config.get_config_options())
    assert set(options(CONFIG)) <= known


def test_nothing_is_told_to_strangers() -> None:
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["client"]["showErrorDetails"] == "none"
    assert not {"enableCORS", "enableXsrfProtection", "enableStaticServing", "enableAgentApi"} & set(
        CONFIG["server"]
    )


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Port of a server with this configuration and an app of one line."""
    folder = tmp_path_factory.mktemp("app")
    (folder / "app.py").write_text("import streamlit as st; st.write('here')", "utf-8")
    (folder / ".streamlit").symlink_to(ROOT / ".streamlit")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        number = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={number}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + SECONDS
        while True:
            assert server.poll() is None, (folder / "log").read_text("utf-8")
            assert time.monotonic() < deadline, "no answer"
            try:
                socket.create_connection(("127.0.0.1", number), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield number
    finally:
        server.kill()
        server.wait()


def status(port: int, path: str, *headers: str) -> int:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
        client.sendall("\r\n".join([f"GET {path} HTTP/1.1", *headers, "", ""]).encode())
        return int(client.makefile("rb").readline().split()[1])


def websocket(port: int, host: str, *more: str) -> int:
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
    return status(port, "/_stcore/stream", f"Host: {host}", *upgrade, f"Sec-WebSocket-Key: {key}", *more)


def test_the_app_answers_on_this_machine(port: int) -> None:
    assert status(port, "/_stcore/health", f"Host: 127.0.0.1:{port}") == 200
    for host in ("127.0.0.1", "localhost"):
        assert websocket(port, f"{host}:{port}", f"Origin: http://{host}:{port}") == 101


def test_a_foreign_host_or_origin_is_refused(port: int) -> None:
    assert websocket(port, "touchstone.example") == 403
    assert websocket(port, "touchstone.example", "Origin: http://touchstone.example") == 403
    assert websocket(port, f"127.0.0.1:{port}", "Origin: http://touchstone.example") == 403


def test_the_app_is_bound_to_loopback_alone(port: int) -> None:
    """127.0.0.2 is this machine too on Linux, but another address."""
    if sys.platform != "linux":
        pytest.skip("only Linux has a whole network of loopback addresses")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port), timeout=SECONDS)


def contrast(one: str, other: str) -> float:
    """WCAG 2.2 contrast ratio of two #rrggbb colours, 1 to 21."""

    def luminance(colour: str) -> float:
        shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_what_the_standard_says() -> None:
    """Values printed in WCAG's own examples: black on white 21, #777777 on white just under 4.5."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_can_be_read(mode: str) -> None:
    theme = CONFIG["theme"][mode]
    for ground in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        assert contrast(theme["textColor"], ground) >= 7
    assert contrast(theme["linkColor"], theme["backgroundColor"]) >= 4.5
    assert contrast("#ffffff", theme["primaryColor"]) >= 4.5, "white words on a primary button"
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) >= 3
    assert contrast(theme["yellowTextColor"], theme["yellowBackgroundColor"]) >= 4.5
    for colour in theme["chartCategoricalColors"]:
        assert contrast(colour, theme["backgroundColor"]) >= 3
