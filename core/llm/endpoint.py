"""Where to ask, as whom, and within which bounds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from core import addresses
from core.addresses import INTERNAL_VARIABLE
from core.llm.faults import EndpointError

OPENAI = "https://api.openai.com/v1"
URL_VARIABLES = ("TOUCHSTONE_BASE_URL", "OPENAI_BASE_URL")
KEY_VARIABLES = ("TOUCHSTONE_API_KEY", "OPENAI_API_KEY")
MODEL_VARIABLE = "TOUCHSTONE_MODEL"


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible endpoint and how to use it. No text form of it shows the key."""

    base_url: str
    """Such as `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`; user info, query and fragment are
    taken off."""
    model: str
    key: str | SecretStr = field(default="", repr=False)
    models: Mapping[str, str] = field(default_factory=dict)
    """Stage -> model, where it is not `model`."""
    concurrency: int = 16
    """Requests under way at once."""
    deadline: float = 300.0
    """Seconds for one call in all, its retries included; waits that the endpoint asks for are not."""
    max_tokens: int = 2048
    """Room for an answer; doubled once where it is cut off."""
    temperature: float | None = 0.0
    seed: int | None = None
    json_schema: Literal["auto", "on", "off"] = "auto"
    """auto: ask for the reply's JSON schema, and for plain JSON once the endpoint refuses it."""
    retries: int = 4
    """Further attempts of one call after server errors and broken connections."""
    backoff: float = 0.5
    """Seconds before the first further attempt; doubled before each next one."""
    patience: float = 120.0
    """Seconds without any answer from the endpoint until the run is stopped."""
    max_bytes: int = 2 << 20
    """Largest response body, unpacked."""
    allow_internal: bool = False
    """Also private networks; metadata services and link-local addresses are never reached."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", clean_url(self.base_url))
        key = self.key.get_secret_value() if isinstance(self.key, SecretStr) else self.key
        if not key.isascii() or not key.isprintable() or " " in key:
            raise EndpointError(
                "The API key holds a space, a line break or a letter outside ASCII. Copy it again, alone "
                f"({' or '.join(KEY_VARIABLES)})."
            )
        object.__setattr__(self, "key", SecretStr(key))
        if not self.model:
            raise EndpointError(f"No model is named. Give one by --model or {MODEL_VARIABLE}.")
        if self.concurrency < 1 or self.max_tokens < 1 or self.deadline <= 0:
            raise EndpointError(
                "Concurrency, deadline and the token limit of an endpoint must be above zero."
            )

    @classmethod
    def from_environment(
        cls, model: str | None = None, base_url: str | None = None, **settings: Any
    ) -> Endpoint:
        """What the caller leaves out comes from `TOUCHSTONE_BASE_URL` or `OPENAI_BASE_URL` (else OpenAI's own
        address), `TOUCHSTONE_API_KEY` or `OPENAI_API_KEY`, `TOUCHSTONE_MODEL` and
        `TOUCHSTONE_ALLOW_INTERNAL`."""
        settings.setdefault("key", _first(KEY_VARIABLES))
        settings.setdefault("allow_internal", os.environ.get(INTERNAL_VARIABLE) == "1")
        return cls(
            base_url or _first(URL_VARIABLES) or OPENAI,
            model or os.environ.get(MODEL_VARIABLE, ""),
            **settings,
        )

    def secret(self) -> str:
        """The key, for the one place that sends it."""
        return self.key.get_secret_value() if isinstance(self.key, SecretStr) else self.key

    def model_for(self, stage: str) -> str:
        return self.models.get(stage, self.model)

    def names(self) -> set[str]:
        """Every model that may be asked."""
        return {self.model, *self.models.values()}

    def settings(self) -> dict[str, Any]:
        """All but the key, as JSON can hold it: what a run's settings record."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "key"}
        return values | {"models": dict(self.models)}


def clean_url(url: str) -> str:
    """Scheme, host, port and path alone, without a slash at the end.

    Raises:
        EndpointError: no http or https address.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host or any(c.isspace() or c == "\\" for c in host):
        raise EndpointError(
            "The base URL of the endpoint is no http or https address. It looks like "
            f"http://127.0.0.1:11434/v1; set it by --base-url or {URL_VARIABLES[0]}."
        )
    if not host.isascii():
        raise EndpointError(
            f"The base URL names the host {host}, which holds letters outside ASCII, such as full-width "
            "digits or full stops. Write a host name in its xn-- form and an address in plain digits."
        )
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{f':{port}' if port else ''}{parts.path.rstrip('/')}"


def is_loopback(url: str) -> bool:
    """Whether an address is plainly of this machine, see `core.addresses.is_loopback`."""
    try:
        return addresses.is_loopback(urlsplit(url).hostname)
    except ValueError:
        return False


def _first(variables: tuple[str, ...]) -> str:
    return next((value for name in variables if (value := os.environ.get(name, ""))), "")
