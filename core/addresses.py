"""Network addresses: which are of this machine, where the app may listen, and where a request may go."""

from __future__ import annotations

import ipaddress
import socket

from core.errors import InputError

LOOPBACK = "127.0.0.1"
WILDCARDS = ("0.0.0.0", "::")  # noqa: S104 - refused by name
NO_LOGIN = "There is no login: whoever reaches the app can decide under any name."


def is_loopback(host: str | None) -> bool:
    """Whether a host is plainly of this machine as written: `localhost`, 127.0.0.0/8 or ::1. A name that only
    resolves to this machine is not, nor is a number in another spelling."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def check_listening(address: str | None, *, meant: str | None) -> None:
    """Refuse to listen where other machines reach the app, unless that is meant.

    Args:
        address: where the server is about to listen; None or empty: everywhere.
        meant: the address of `--listen ADDRESS --no-login`; None where they were not given.

    Raises:
        InputError: says who could reach the app, and both ways out.
    """
    if is_loopback(address) or (address and address == meant):
        return
    where = address or "every address of this machine"
    raise InputError(
        f"The app would listen on {where}, where other machines may reach it. {NO_LOGIN} Listen on "
        f"{LOOPBACK} (--server.address, STREAMLIT_SERVER_ADDRESS, server.address in .streamlit/config.toml), "
        "or say that it is meant: touchstone app --listen ADDRESS --no-login."
    )


def is_address(text: str) -> bool:
    """Whether a text is one IP address in its plain spelling."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text


def own_addresses() -> list[str]:
    """The addresses of this machine's network interfaces."""
    import psutil

    entries = [entry for each in psutil.net_if_addrs().values() for entry in each]
    internet = (entry.address for entry in entries if entry.family in (socket.AF_INET, socket.AF_INET6))
    return sorted({address for address in internet if is_address(address)})


def own_names(address: str) -> list[str]:
    """The hosts that a browser may ask for where the app listens on `address`: this machine's own addresses
    and names. A foreign name that leads here is none of them."""
    here = {"localhost", LOOPBACK, socket.gethostname().lower()}
    return sorted(here | (set(own_addresses()) if address in WILDCARDS else {address}))
