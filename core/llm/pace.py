"""When to ask a service again, a model or a database of literature: what it asks for, how long to wait."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LIMITED = 10
"""Rate limits in a row for one request until nothing more is asked."""


def backoff(base: float, times: int, most: float) -> float:
    """Seconds to wait after `times` + 1 failures: twice as long each time, up to `most`, and a little less
    by chance, so that many clients do not come back at once."""
    return min(most, base * 2.0**times) * random.uniform(0.75, 1.0)  # noqa: S311


def is_limited(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an HTTP status says that too much was asked."""
    return status == 429 or (status == 503 and bool(retry_after(headers)))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `retry-after-ms` or `Retry-After` (seconds or a date) asks for; None for nonsense."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            value = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 <= value < 1e9:
            return value
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    seconds: float = (moment - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds)


def clock(moment: datetime, seconds: float) -> str:
    """Local time of day, with seconds for short waits and the date for long ones."""
    if seconds < 60:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%H:%M}" if seconds < 12 * 3600 else f"{moment:%d %b %H:%M}"
