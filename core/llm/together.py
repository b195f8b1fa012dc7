"""Several questions at the same time, all of which end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from core.llm.faults import Deferred, ReplyFailure

T = TypeVar("T")


async def together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All of them at the same time. Each ends before an error is passed on, so that what was paid for is
    stored and a batch collects every request. Errors that stop the run come first, then failures, then
    deferrals."""
    ended = await asyncio.gather(*calls, return_exceptions=True)
    errors = [one for one in ended if isinstance(one, BaseException)]
    if errors:
        raise min(errors, key=lambda error: 2 * isinstance(error, Deferred) + isinstance(error, ReplyFailure))
    return [one for one in ended if not isinstance(one, BaseException)]
