"""Where to ask for articles, as whom, how fast, and within which bounds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from core.errors import InputError

KEY_VARIABLES = ("TOUCHSTONE_NCBI_API_KEY", "NCBI_API_KEY")
TOOL_VARIABLE, EMAIL_VARIABLE = "TOUCHSTONE_TOOL", "TOUCHSTONE_EMAIL"
PACE_VARIABLE = "TOUCHSTONE_COLLECT_PER_SECOND"
"""Requests a second, for a mirror or where the service has agreed to more."""
WITH_KEY = 10.0
"""Requests a second that E-utilities allow with an API key."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place to collect from, as it is by default."""

    title: str
    base_url: str
    url_variable: str
    per_second: float
    """Requests a second without a key."""
    page: int
    """Records asked for at once."""


SOURCES: dict[str, Source] = {
    "pubmed": Source(
        "PubMed", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils", "TOUCHSTONE_EUTILS_URL", 3.0, 200
    ),
    "europepmc": Source(
        "Europe PMC",
        "https://www.ebi.ac.uk/europepmc/webservices/rest",
        "TOUCHSTONE_EUROPEPMC_URL",
        5.0,
        500,
    ),
}


@dataclass(frozen=True)
class Service:
    """One source and how to use it. No text form of it shows the key."""

    source: str
    """A name in `SOURCES`."""
    base_url: str
    key: SecretStr = field(default=SecretStr(""), repr=False)
    """Of NCBI, for PubMed; empty: none."""
    tool: str = "touchstone"
    """What both services ask a program to call itself."""
    email: str = ""
    """Whom they may write to before they block it; empty: nobody."""
    per_second: float = 3.0
    page: int = 200
    retries: int = 4
    """Further attempts of one request after server errors, broken connections and unusable answers."""
    backoff: float = 1.0
    """Seconds before the first further attempt; doubled before each next one, 30 at most."""
    deadline: float = 180.0
    """Seconds for one attempt in all, from the first byte sent to the last one read."""
    longest_wait: float = 120.0
    """Seconds of Retry-After that are sat out; a longer one stops the collection."""
    max_bytes: int = 128 << 20
    """Largest body, unpacked."""

    @property
    def title(self) -> str:
        return SOURCES[self.source].title

    @property
    def url_variable(self) -> str:
        return SOURCES[self.source].url_variable

    @classmethod
    def from_environment(
        cls, source: str, environment: Mapping[str, str] | None = None, **settings: Any
    ) -> Service:
        """What the caller leaves out comes from the environment: `TOUCHSTONE_EUTILS_URL` or
        `TOUCHSTONE_EUROPEPMC_URL`, `TOUCHSTONE_NCBI_API_KEY` or `NCBI_API_KEY`, `TOUCHSTONE_TOOL`,
        `TOUCHSTONE_EMAIL` and `TOUCHSTONE_COLLECT_PER_SECOND`.

        Raises:
            InputError: an unknown source, or a setting that cannot be used; names the variable, never a key.
        """
        given = os.environ if environment is None else environment
        if source not in SOURCES:
            raise InputError(f"There is no source {source!r} to collect from. Known: {', '.join(SOURCES)}.")
        default = SOURCES[source]
        key = next((given[name].strip() for name in KEY_VARIABLES if given.get(name, "").strip()), "")
        key = key if source == "pubmed" else ""
        if not key.isascii() or not key.isprintable() or any(c.isspace() for c in key):
            raise InputError(
                "The NCBI API key holds a space, a line break or a letter outside ASCII. Copy it again, "
                f"alone ({' or '.join(KEY_VARIABLES)})."
            )
        settings.setdefault("base_url", given.get(default.url_variable) or default.base_url)
        settings["base_url"] = _checked_url(settings["base_url"], default.url_variable)
        settings.setdefault("tool", given.get(TOOL_VARIABLE) or "touchstone")
        settings.setdefault("email", given.get(EMAIL_VARIABLE, ""))
        settings.setdefault("per_second", _pace(given.get(PACE_VARIABLE), bool(key), default))
        settings.setdefault("page", default.page)
        return cls(source=source, key=SecretStr(key), **settings)


def _pace(given: str | None, has_key: bool, default: Source) -> float:
    if not given:
        return WITH_KEY if has_key else default.per_second
    try:
        pace = float(given)
    except ValueError:
        pace = 0.0
    if not 0 < pace <= 1000:
        raise InputError(
            f"{PACE_VARIABLE} is {given!r}. Set it to requests a second, such as 3, or unset it."
        )
    return pace


def _checked_url(url: str, variable: str) -> str:
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname or ""
        sound = parts.scheme in ("http", "https") and bool(host) and host.isascii() and parts.port != 0
    except ValueError:
        sound = False
    if not sound or parts.username or parts.query or parts.fragment or any(c.isspace() for c in url.strip()):
        raise InputError(
            f"{variable} is no plain http or https address. It looks like https://example.org/api, in ASCII "
            "and without user, query or fragment; unset it to ask the service itself."
        )
    return url.strip().rstrip("/")
