"""What a run may spend: a ceiling in US dollars or in tokens, kept while calls are under way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.llm.faults import EndpointError, OverBudget
from core.llm.prices import Prices, load_prices


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run may spend, and at which prices. Without a ceiling nothing stops it."""

    ceiling: float | None = None
    """US dollars."""
    ceiling_tokens: int | None = None
    """Tokens read and written."""
    prices: Path | None = None
    """A file like data/prices.yaml."""
    price: str | None = None
    """`IN,OUT`, of every model that is asked, US dollars per million tokens."""

    def table(self) -> Prices:
        """Raises InputError where file or price cannot be read."""
        return load_prices(*([self.prices] if self.prices else []), given=self.price)

    def options(self) -> dict[str, Any]:
        """As a run keeps them, to be gone on with."""
        return {
            "ceiling": self.ceiling,
            "ceiling_tokens": self.ceiling_tokens,
            "prices": str(self.prices.resolve()) if self.prices else None,
            "price": self.price,
        }

    def check(self, models: Iterable[str], table: Prices | None = None) -> None:
        """Refuse a ceiling that nothing would keep.

        Raises:
            EndpointError: a ceiling in dollars alone, and a model without a known price; says the ways out.
            InputError: as `table`.
        """
        table = table or self.table()
        if self.ceiling is None or self.ceiling_tokens is not None:
            return
        for model in models:
            if table.of(model) is None:
                raise EndpointError(
                    f"A ceiling in dollars cannot be kept: the price of the model {model!r} is unknown. "
                    "Give it with --price IN,OUT (dollars per million tokens; 0,0 where it costs nothing) or "
                    "in a file (--prices), set a ceiling in tokens instead (--ceiling-tokens), or run "
                    "without a ceiling."
                )


class Budget:
    """A ceiling that is never crossed by more than what the calls under way cost beyond their estimate.

    Before a call its likely cost is set aside; a call that does not fit waits until others have settled, and
    is refused once it cannot fit any more.

    Args:
        ceiling: US dollars; None: no ceiling.
        spent: US dollars so far, earlier sessions of the run included if the caller says so.
        ceiling_tokens: tokens read and written; None: no ceiling.
        used: tokens so far, as `spent`.
    """

    def __init__(
        self,
        ceiling: float | None = None,
        spent: float = 0.0,
        *,
        ceiling_tokens: int | None = None,
        used: int = 0,
    ):
        self.ceiling, self.ceiling_tokens = ceiling, ceiling_tokens
        self.spent, self.used = spent, used
        self._aside, self._tokens_aside = 0.0, 0
        self._settled = asyncio.Event()

    @property
    def limits(self) -> bool:
        return self.ceiling is not None or self.ceiling_tokens is not None

    def check(self, expected: float = 0.0, tokens: int = 0) -> None:
        """Raise `OverBudget` if a call of that cost cannot fit even when nothing else is under way."""
        if self.ceiling is not None and (self.spent >= self.ceiling or self.spent + expected > self.ceiling):
            raise OverBudget(
                f"The run has cost ${self.spent:.4f} of at most ${self.ceiling:.4f}, and the next "
                f"call (about ${expected:.4f}) does not fit. Raise the ceiling to go on."
            )
        most = self.ceiling_tokens
        if most is not None and (self.used >= most or self.used + tokens > most):
            raise OverBudget(
                f"The run has used {self.used:,} of at most {most:,} tokens, and the next call (about "
                f"{tokens:,}) does not fit. Raise --ceiling-tokens to go on."
            )

    def _crowded(self, expected: float, tokens: int) -> bool:
        """Whether a call fits only once others have settled."""
        dear = self.ceiling is not None and self.spent + self._aside + expected > self.ceiling
        most = self.ceiling_tokens
        long = most is not None and self.used + self._tokens_aside + tokens > most
        return (dear and self._aside > 0) or (long and self._tokens_aside > 0)

    @asynccontextmanager
    async def room(self, expected: float, tokens: int = 0) -> AsyncIterator[None]:
        """Set the cost of one call aside while it is under way.

        Raises:
            OverBudget: the ceiling is reached.
        """
        self.check(expected, tokens)
        while self._crowded(expected, tokens):
            self._settled.clear()
            await self._settled.wait()
            self.check(expected, tokens)
        self._aside += expected
        self._tokens_aside += tokens
        try:
            yield
        finally:
            self._aside = max(0.0, self._aside - expected)
            self._tokens_aside -= tokens
            self._settled.set()

    def pay(self, price: float | None, tokens: int = 0) -> None:
        self.spent += price or 0.0
        self.used += tokens
