"""What calls cost: the price table, and an estimate before a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import InputError

if TYPE_CHECKING:
    from core.llm.prompts import Prompt

TABLE = Path(__file__).parents[2] / "data" / "prices.yaml"


class Price(BaseModel):
    """List price of one model, US dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    batch: float = Field(default=1.0, ge=0, le=1)
    """Share of the price that a request in a batch file costs."""
    source: str = ""
    as_of: str = ""


class Prices:
    """Prices by model name. A name with a date behind it, such as `m-2026-01-31`, has the price of `m`.

    Args:
        given: the price of every model, whatever the table says.
    """

    def __init__(self, table: dict[str, Price], given: Price | None = None):
        self.table = table
        self.given = given

    def of(self, model: str) -> Price | None:
        """None where the table does not know the model: its cost is unknown, not zero."""
        if self.given is not None:
            return self.given
        for name in (model, model.rpartition("/")[2]):
            for known in (name, _undated(name)):
                if known in self.table:
                    return self.table[known]
        return None

    def cost(
        self, model: str, prompt: int | None, completion: int | None, *, batch: bool = False
    ) -> float | None:
        """US dollars of one call; None where model or tokens are unknown."""
        price = self.of(model)
        if price is None or prompt is None or completion is None:
            return None
        whole = (prompt * price.input + completion * price.output) / 1e6
        return whole * price.batch if batch else whole


def parse_price(text: str) -> Price:
    """`IN,OUT`: US dollars per million tokens read and written.

    Raises:
        InputError: anything else.
    """
    try:
        read, written = (float(part) for part in text.split(","))
        return Price(input=read, output=written, source="given")
    except ValueError:
        raise InputError(
            f"A price is two numbers IN,OUT in US dollars per million tokens, such as 0.15,0.6; not {text!r}."
        ) from None


def load_prices(*further: Path, given: str | None = None) -> Prices:
    """The shipped table, with what further files add or replace.

    Args:
        given: `IN,OUT`, the price of every model.

    Raises:
        InputError: a file does not follow the form; names the file and the field.
    """
    table: dict[str, Price] = {}
    for path in (TABLE, *further):
        try:
            found = yaml.safe_load(path.read_text("utf-8"))
            table |= {str(name): Price.model_validate(value) for name, value in found["models"].items()}
        except (
            OSError,
            KeyError,
            TypeError,
            AttributeError,
            ValueError,
            yaml.YAMLError,
            ValidationError,
        ) as e:
            raise InputError(f"{path.name} is no price table: {e}. Compare it with data/prices.yaml.") from e
    return Prices(table, parse_price(given) if given else None)


def _undated(name: str) -> str:
    """`m-2026-01-31` and `m-20260131` without the date."""
    stem, _, date = name.rpartition("-")
    if len(date) == 8 and date.isdigit():
        return stem
    head = name[:-11]
    return head if name[-11:].replace("-", "").isdigit() and name[-11:-10] == "-" and head else name


def tokens(text: str) -> int:
    """About how many tokens a text has, within some 20 % for English with medical words: four letters of
    ASCII a token, one and a half of any other script."""
    ascii_letters = len(text.encode("ascii", "ignore"))
    return round(ascii_letters / 4 + (len(text) - ascii_letters) / 1.5) + 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """What calls will cost, about. Estimates add up."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    price: float | None = 0.0
    """US dollars; None once one of the models has no known price."""

    def __add__(self, other: Estimate) -> Estimate:
        known = self.price is not None and other.price is not None
        return Estimate(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            (self.price or 0) + (other.price or 0) if known else None,
        )


def estimate(
    prices: Prices,
    model: str,
    prompt: Prompt,
    data: Iterable[int],
    completion: int = 400,
    *,
    batch: bool = False,
) -> Estimate:
    """Cost of one stage, before it starts.

    Args:
        data: for each call the letters of its data (the passage and whatever goes with it).
        completion: tokens that an answer has, about.
    """
    fixed = tokens(prompt.system) + tokens(prompt.user) + 100  # the rule, the marks and the reply's schema
    lengths = list(data)
    asked = len(lengths) * fixed + sum(length // 4 + 1 for length in lengths)
    said = len(lengths) * completion
    return Estimate(len(lengths), asked, said, prices.cost(model, asked, said, batch=batch))
