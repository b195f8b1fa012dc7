"""The options of every verb that labels by asking a model, spelt once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from core.errors import InputError

if TYPE_CHECKING:
    from core.llm import Endpoint

Model = Annotated[
    str | None, typer.Option(help="Model to ask; default from TOUCHSTONE_MODEL.", envvar="TOUCHSTONE_MODEL")
]
BaseUrl = Annotated[
    str | None,
    typer.Option(help="OpenAI-compatible endpoint; default from TOUCHSTONE_BASE_URL or OPENAI_BASE_URL."),
]
CeilingTokens = Annotated[
    int | None,
    typer.Option(min=1, help="Tokens that may be read and written; counted here where none are reported."),
]
Prices = Annotated[Path | None, typer.Option(help="Prices of further models, a file like data/prices.yaml.")]
PriceOf = Annotated[
    str | None,
    typer.Option("--price", metavar="IN,OUT", help="Price of the model, US dollars per million tokens."),
]
ENDPOINT: dict[str, Any] = {
    "model": Model,
    "base_url": BaseUrl,
    "concurrency": Annotated[int | None, typer.Option(min=1, help="Requests under way at once.")],
    "deadline": Annotated[float | None, typer.Option(min=0.1, help="Seconds for one call in all.")],
    "max_tokens": Annotated[int | None, typer.Option(min=1, help="Room for an answer.")],
    "temperature": Annotated[float | None, typer.Option(min=0, help="Default 0.")],
    "seed": Annotated[int | None, typer.Option(help="Seed sent to the model.")],
    "json_schema": Annotated[
        Literal["auto", "on", "off"] | None, typer.Option(help="Whether to ask for a JSON schema.")
    ],
}
"""What the endpoint is made of."""
RUN: dict[str, Any] = {
    "ceiling": Annotated[
        float | None, typer.Option("--ceiling", "--max-cost", min=0, help="US dollars the run may cost.")
    ],
    "ceiling_tokens": CeilingTokens,
    "prices": Prices,
    "price": PriceOf,
    "batch_out": Annotated[
        Path | None, typer.Option(help="Write the requests to this batch file instead of sending them.")
    ],
}
"""What the run is told besides."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was given of the options: a verb's `asked`, see `asking`."""

    of_endpoint: dict[str, Any]
    of_run: dict[str, Any]
    """`ceiling`, `ceiling_tokens`, `prices`, `price` and `batch_out`, as runs take them."""

    def endpoint(self, model_for: list[str] | None = None) -> Endpoint:
        """As `endpoint_of`."""
        return endpoint_of(**self.of_endpoint, model_for=model_for)


def asking(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options, which it takes together as its parameter `asked`."""
    signature = inspect.signature(verb, eval_str=True)

    @wraps(verb)
    def told(**given: Any) -> None:
        verb(asked=Asked(*({name: given.pop(name) for name in part} for part in (ENDPOINT, RUN))), **given)

    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=form)
        for name, form in {**ENDPOINT, **RUN}.items()
    ]
    own = [one for name, one in signature.parameters.items() if name != "asked"]
    told.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return told


def endpoint_of(
    model: str | None, base_url: str | None, model_for: list[str] | None = None, **settings: Any
) -> Endpoint:
    """The endpoint that the options and the environment name.

    Raises:
        InputError: no model, no such stage, or no address.
    """
    from core.concepts import STAGES
    from core.llm import Endpoint

    pairs = [pair.partition("=") for pair in model_for or []]
    for stage, _, name in pairs:
        if stage not in STAGES or not name:
            raise InputError(
                f"--model-for takes STAGE=MODEL with a stage of {', '.join(STAGES)}, not {stage}={name}."
            )
    models = {stage: name for stage, _, name in pairs}
    given = {name: value for name, value in settings.items() if value is not None}
    return Endpoint.from_environment(model, base_url, models=models, **given)


def cost(spent: float, counted: int) -> str:
    """What a run has cost in words, with how that is known."""
    known = f" (tokens of {counted:,} answers counted here, not reported)" if counted else ""
    return f"${spent:.4f} in all{known}"
