"""How a call to a model can end without an answer, and who is told."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from core.errors import InputError, TouchstoneError


class FailureKind(StrEnum):
    """Why a passage has no usable answer; also `Call.failure` of the stored call."""

    MALFORMED = "malformed"
    """The endpoint answered with something that is no chat completion."""
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    """No answer within the deadline of a call."""
    UNAVAILABLE = "unavailable"
    """Server errors or broken connections, to the last attempt."""
    LIMITED = "limited"
    """Rate limit; stored where it stops the run, never the end of a passage."""
    REFUSED = "refused"
    """The endpoint takes no such request, or the model declined to answer."""
    CUT_OFF = "cut_off"
    """The answer reached the token limit, with twice the room, too."""
    EMPTY = "empty"
    """No content."""
    INVALID = "invalid"
    """There is an answer, but it does not take the form asked for, after the last repair and re-ask."""
    ENDPOINT = "endpoint"
    """A setting is wrong: the run stops."""


class ReplyFailure(Exception):
    """This passage has no usable answer; the next one may. `call` is the stored call that says why."""

    def __init__(self, kind: FailureKind, message: str, call: int | None = None):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.call = call


class EndpointError(InputError):
    """The endpoint cannot be used as it is set: no further call is made. Names the setting."""


class Paused(TouchstoneError):
    """The endpoint asks for a longer wait than a run sits out. Nothing has failed; resume it later."""

    def __init__(self, message: str, until: datetime | None = None):
        super().__init__(message)
        self.until = until
        """Local time, as far as the endpoint named one."""


class OverBudget(TouchstoneError):
    """The ceiling on cost is reached. What is answered is stored; a higher ceiling goes on from here."""


class Deferred(Exception):
    """The request went into a batch: the answer is not there yet. `key` is its request hash."""

    def __init__(self, key: str):
        super().__init__(f"request {key[:12]} waits in the batch")
        self.key = key
