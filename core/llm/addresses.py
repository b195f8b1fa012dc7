"""Which network addresses an endpoint may have. A setting must not make Touchstone a way into a network."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

from core.llm.endpoint import INTERNAL_VARIABLE, Endpoint, is_loopback
from core.llm.faults import EndpointError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

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
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def check(endpoint: Endpoint) -> None:
    """Refuse a base URL whose host is written as an address that must not be reached.

    Raises:
        EndpointError: names the address. Host names are checked when they are resolved, see `Guarded`.
    """
    host = urlsplit(endpoint.base_url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        try:
            socket.inet_aton(host)
        except OSError:
            return  # a name
        raise EndpointError(
            f"The base URL writes an address as {host}. Write it plainly, as in 127.0.0.1."
        ) from None
    if cause := refusal(address, endpoint):
        raise EndpointError(_told(host, cause))


def refusal(address: Address, endpoint: Endpoint) -> str | None:
    """Why this endpoint may not be at that address; None: it may."""
    inner = _inner(address)
    if any(inner in block for block in _NEVER):
        return "a link-local, metadata or multicast address, which is never an endpoint"
    if is_loopback(endpoint.base_url):
        return None if inner.is_loopback else "not of this machine, although the base URL says so"
    if inner.is_loopback:
        return "this machine, although the base URL names another; write localhost if you mean it"
    if inner.is_global or endpoint.allow_internal:
        return None
    return f"an address of an internal network; allow those by {INTERNAL_VARIABLE}=1 if you mean it"


def _inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for, if it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour or address
    if address.teredo:
        return address.teredo[1]
    if address in _NAT64 or (int(address) >> 32 == 0 and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _told(host: str, cause: str) -> str:
    return f"The endpoint's base URL leads to {host}: {cause}."


class Guarded:
    """An aiohttp resolver: the addresses that it lets pass are the ones that are connected to, so that a name
    cannot change its address between check and use."""

    def __init__(self, inner: Any, endpoint: Endpoint):
        self._inner = inner
        self._endpoint = endpoint

    async def resolve(self, host: str, port: int = 0, family: Any = socket.AF_UNSPEC) -> list[Any]:
        found = await self._inner.resolve(host, port, family)
        causes = [
            refusal(ipaddress.ip_address(entry["host"].partition("%")[0]), self._endpoint) for entry in found
        ]
        allowed = [entry for entry, cause in zip(found, causes, strict=True) if cause is None]
        if found and not allowed:
            raise EndpointError(_told(host, str(causes[0])))
        return allowed

    async def close(self) -> None:
        await self._inner.close()
