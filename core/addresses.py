"""Network addresses: which are of this machine, where the app may listen, and where a request may go."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Mapping
from typing import Any

from core.errors import InputError

INTERNAL_VARIABLE = "TOUCHSTONE_ALLOW_INTERNAL"
"""Set to 1 by whoever runs the server, never by a form: requests to a private network are allowed."""
LOOPBACK = "127.0.0.1"
WILDCARDS = ("0.0.0.0", "::")  # noqa: S104 - refused by name
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
NO_LOGIN = "There is no login: whoever reaches the app can decide under any name."


_NEVER = [
    ipaddress.ip_network(block)
    for block in (
        "169.254.0.0/16",  # link-local, metadata of most clouds
        "fe80::/10",
        "fd00:ec2::254/128",  # the same by other clouds' own addresses
        "fd20:ce::254/128",
        "100.100.100.200/32",
        "168.63.129.16/32",
        "192.0.0.192/32",
        "0.0.0.0/8",
        "::/128",
        "224.0.0.0/4",
        "ff00::/8",
        "255.255.255.255/32",
    )
]
_HOLDS_IPV4 = [ipaddress.ip_network(block) for block in ("64:ff9b::/96", "::ffff:0:0:0/96", "::/96")]
"""Translation by NAT64 and SIIT, and the old compatible form: the last 32 bits are an IPv4 address."""
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")


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


# --- where a request may go -------------------------------------------------------------------------------


def refusal(peer: str, asked: str, *, internal: bool) -> str | None:
    """Why a connection to `peer` may not carry a request; None: it may.

    Args:
        peer: the numeric address that the connection leads to, however it was found.
        asked: the host as the setting names it.
        internal: also private networks; metadata services and link-local addresses never.
    """
    try:
        address = _inner(ipaddress.ip_address(peer.partition("%")[0]))
    except ValueError:
        return "no network address"
    if any(address in block for block in _NEVER):
        return "a link-local, metadata or multicast address, which is never asked"
    if is_loopback(asked):
        return None if address.is_loopback else "not of this machine, although the setting says so"
    if address.is_loopback:
        return "this machine, although the setting names another; write localhost if you mean it"
    if (address.is_global and address not in _LOCAL_NAT64) or internal:
        return None
    return f"an address of an internal network; allow those by {INTERNAL_VARIABLE}=1 if you mean it"


def check_host(host: str, *, internal: bool) -> str | None:
    """Why a host must not be asked as it is written; None: it may be, as long as it leads to a peer that may.

    Only plain ASCII passes: other letters, full-width digits and other full stops among them, are read as
    ASCII by what connects, and as a name by what checks.
    """
    if not host.isascii():
        return (
            "it holds letters outside ASCII; write a host name in its xn-- form, an address in plain digits"
        )
    if is_address(host) or ":" in host:
        return refusal(host, host, internal=internal)
    try:
        socket.inet_aton(host)
    except OSError:
        return None  # a name
    return "it is an address in another spelling; write it plainly, as in 127.0.0.1"


class PeerCheck:
    """A trace for httpx, as `extensions={"trace": ...}`: what is connected to is checked before a byte is
    sent. What a proxy of the user's connects to, only the proxy knows.

    Args:
        asked: the host of the setting; redirects from it lead to peers that this host may have.
        what: who is asked, for the message.
    """

    def __init__(self, asked: str, what: str):
        self.host = asked
        """The host of the request that comes next."""
        self._asked, self._what = asked, what
        self._connecting = ""

    async def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        """Raises InputError where the peer must not be asked."""
        if event == "connection.connect_tcp.started":
            self._connecting = info["host"]
        if event != "connection.connect_tcp.complete" or self._connecting != self.host:
            return
        stream = info["return_value"]
        peer = stream.get_extra_info("server_addr")[0]
        internal = os.environ.get(INTERNAL_VARIABLE) == "1"
        if cause := refusal(peer, self._asked, internal=internal):
            await stream.aclose()
            raise InputError(f"{self._what} leads to {peer}: {cause}.")


def _inner(address: IPAddress) -> IPAddress:
    """The IPv4 address that an IPv6 address stands for, if it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour or address
    if address.teredo:
        return address.teredo[1]
    if int(address) > 1 and any(address in block for block in _HOLDS_IPV4):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address
