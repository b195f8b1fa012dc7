from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.llm import (
    Asker,
    Budget,
    EndpointError,
    Estimate,
    OverBudget,
    Prompt,
    Spending,
    estimate,
    load_prices,
)
from core.llm.counting import count
from core.llm.prices import Price, Prices, tokens
from tests.llm.asking import Memory, ask, endpoint
from tests.llm.server import completion, scripted_server

GOOD = '{"things": ["alpha"]}'
TABLE = Prices({"scripted": Price(input=1000.0, output=5000.0, batch=0.5)})
COST = (100 * 1000 + 2 * 5000) / 1e6
"""Of one call to the scripted server: 100 tokens in, 2 out; 0.11 dollars."""


def test_a_price_is_input_and_output_per_million() -> None:
    prices = load_prices()
    assert prices.cost("gpt-4o-mini", 1_000_000, 0) == pytest.approx(0.15)
    assert prices.cost("gpt-4o-mini", 2000, 1000) == pytest.approx(0.0003 + 0.0006)
    assert prices.cost("gpt-4o-mini", 2000, 1000, batch=True) == pytest.approx(0.00045)


@pytest.mark.parametrize(
    ("model", "known"),
    [
        ("gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4o", "gpt-4o"),
        ("gpt-4o-mini-tuned", None),
        ("llama3.1:8b", None),
        ("", None),
        ("-2024-07-18", None),
    ],
)
def test_a_model_is_found_by_its_name_with_or_without_a_date(model: str, known: str | None) -> None:
    prices = load_prices()
    assert prices.of(model) == (prices.table[known] if known else None)


def test_an_unknown_price_is_none_not_zero() -> None:
    assert load_prices().cost("llama3.1:8b", 10, 10) is None
    assert load_prices().cost("gpt-4o", None, 10) is None


def test_each_shipped_price_names_its_date_and_source() -> None:
    for price in load_prices().table.values():
        assert price.as_of
        assert price.source.startswith("https://")


def test_a_users_table_adds_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("models:\n  own: {input: 1, output: 2}\n  gpt-4o: {input: 0, output: 0}\n")
    prices = load_prices(path)
    assert prices.cost("own", 1_000_000, 1_000_000) == 3
    assert prices.cost("gpt-4o", 10, 10) == 0
    assert prices.of("gpt-4o-mini") is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a",
        "models: 1",
        "models: {a: 1}",
        "models: {a: {input: -1, output: 1}}",
        "models: {a: {input: .nan, output: 1}}",
        "models: {a: {input: 1}}",
        "models: {a: {input: 1, output: 1, more: 1}}",
        "models: {a: {input: 1,",
        "\0",
    ],
)
def test_a_broken_table_is_an_input_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(text)
    with pytest.raises(InputError, match=r"own\.yaml is no price table"):
        load_prices(tmp_path / "own.yaml")


def test_tokens_are_estimated_near_what_tokenisers_say() -> None:
    text = (
        "Short stature, delayed skeletal maturation and hypoplastic kidneys were noted in both siblings. "
        * 10
    )
    assert 180 <= tokens(text) <= 290  # about 230 by the tokenisers of large models
    assert tokens("") >= 0
    assert tokens("低身長") > tokens("abc")


def test_an_estimate_adds_up_stages() -> None:
    prompt = Prompt("list", "0" * 12, "s" * 400, "u" * 400)
    one = estimate(TABLE, "scripted", prompt, [4000] * 10, completion=100)
    assert one.calls == 10
    assert one.completion_tokens == 1000
    assert one.prompt_tokens == pytest.approx(10 * (1000 + 200 + 100), rel=0.02)
    assert one.price == pytest.approx((one.prompt_tokens * 1000 + 1000 * 5000) / 1e6)
    both = one + one
    assert (both.calls, both.price) == (20, pytest.approx(2 * one.price))
    assert (one + estimate(TABLE, "unknown", prompt, [1])).price is None
    assert estimate(TABLE, "scripted", prompt, []) == Estimate()
    assert estimate(TABLE, "scripted", prompt, [4000] * 10, 100, batch=True).price == pytest.approx(
        one.price / 2
    )


def run(ceiling: float, texts: int, concurrency: int, answer: Any = lambda body: GOOD) -> tuple[Any, ...]:
    budget, ledger = Budget(ceiling), Memory()
    with scripted_server(answer, delay=0.01) as server:
        settings = endpoint(server.url, concurrency=concurrency)
        names = [str(i) for i in range(texts)]
        found = ask(settings, ledger, names, prices=TABLE, budget=budget)
    return budget, ledger, found, server


@pytest.mark.parametrize("concurrency", [1, 8, 64])
def test_a_run_stops_at_its_ceiling(concurrency: int) -> None:
    """Bar: within the concurrency of the cap; less by far, since likely costs are set aside."""
    budget, ledger, found, server = run(20 * COST, 200, concurrency)
    assert any(isinstance(each, OverBudget) for each in found)
    assert budget.spent == pytest.approx(sum(call.price for call in ledger.calls))
    assert budget.spent <= 25 * COST
    assert len(server.requests) == len(ledger.calls) <= 25
    assert len(ledger.calls) >= 10


def test_a_ceiling_that_suffices_stops_nothing() -> None:
    budget, _, found, _ = run(1000.0, 50, 16)
    assert not any(isinstance(each, OverBudget) for each in found)
    assert budget.spent == pytest.approx(50 * COST)


def test_what_earlier_sessions_spent_counts() -> None:
    with scripted_server(lambda body: GOOD) as server:
        (stop,) = ask(endpoint(server.url), Memory(), ["text"], prices=TABLE, budget=Budget(5.0, spent=5.0))
    assert isinstance(stop, OverBudget)
    assert server.requests == []


def test_failures_that_cost_are_paid_for() -> None:
    budget, ledger, _, _ = run(1000.0, 1, 1, lambda body: completion("cut", finish_reason="length"))
    assert len(ledger.calls) == 2
    assert budget.spent == pytest.approx(2 * (100 * 1000 + 1 * 5000) / 1e6)


def test_answers_from_the_ledger_cost_nothing() -> None:
    budget, ledger = Budget(100.0), Memory()
    with scripted_server(lambda body: GOOD) as server:
        for _ in range(3):
            ask(endpoint(server.url), ledger, ["text"], prices=TABLE, budget=budget)
    assert budget.spent == pytest.approx(COST)


SILENT = {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": GOOD}}]}
"""An answer without a word of the tokens it took."""


ZERO = {"prompt_tokens": 0, "completion_tokens": 0}


@pytest.mark.parametrize("usage", [{}, {"usage": None}, {"usage": ZERO}])
def test_tokens_that_an_endpoint_does_not_report_are_counted_here(usage: dict[str, Any]) -> None:
    budget, ledger, _, _ = run(1000.0, 1, 1, lambda body: SILENT | usage)
    [call] = ledger.calls
    read, written = count(m["content"] for m in call.request["messages"]), count([GOOD])
    assert call.prompt_tokens is None, "reported is what the endpoint said, and nothing else"
    assert call.price == pytest.approx((read * 1000 + written * 5000) / 1e6)
    assert budget.spent == call.price


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("fever and headache", 3),
        ("Fever, and headache.", 5),  # the comma and the full stop are tokens of their own
        ('{"things": ["alpha"]}', 11),
    ],
)
def test_tokens_are_those_of_the_encoders_vocabulary(text: str, expected: int) -> None:
    """Counted by hand against vocab.txt: whole words there, and every punctuation mark."""
    assert count([text]) == expected
    assert count([text, text]) == 2 * expected


def test_a_text_longer_than_the_encoder_reads_is_counted_to_its_end() -> None:
    assert count(["fever " * 5000]) == 5000


@pytest.mark.parametrize("url", ["https://models.example.org/v1", "http://localhost/v1"])
def test_a_ceiling_in_dollars_needs_a_known_price_and_says_the_ways_out(url: str) -> None:
    ways = r"--price IN,OUT .* \(--prices\), .*--ceiling-tokens"
    for made in (endpoint(url, model="gpt-4o", models={"list": "llama"}), endpoint(url, model="llama")):
        with pytest.raises(EndpointError, match=f"'llama' is unknown.*{ways}"):
            Asker(made, Memory(), budget=Budget(1.0))
        Asker(made, Memory())
        Asker(made, Memory(), budget=Budget(1.0, ceiling_tokens=1000))
        Asker(made, Memory(), budget=Budget(1.0), prices=load_prices(given="0.5,1.5"))
        Spending(1.0, price="0,0").check(made.names())
        with pytest.raises(EndpointError, match="'llama'"):
            Spending(1.0).check(made.names())


def test_a_price_that_was_given_is_that_of_every_model() -> None:
    table = load_prices(given=" 0.5, 1.5 ")
    assert table.cost("llama", 1_000_000, 2_000_000) == pytest.approx(3.5)
    assert table.cost("gpt-4o", 1_000_000, 0) == pytest.approx(0.5)


@pytest.mark.parametrize("text", ["1", "1,2,3", "a,b", "-1,2", "1,nan", "inf,1", "1;2", ","])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"two numbers IN,OUT"):
        load_prices(given=text)


@pytest.mark.parametrize("reported", [True, False])
@pytest.mark.parametrize("concurrency", [1, 16])
def test_a_run_stops_at_its_ceiling_in_tokens(concurrency: int, reported: bool) -> None:
    """For a model without a price, too; a call more or less is under way when the ceiling is met."""
    ledger, budget = Memory(), Budget(ceiling_tokens=3000)
    with scripted_server(lambda body: GOOD if reported else SILENT, delay=0.01) as server:
        made = endpoint(server.url, model="llama", concurrency=concurrency)
        found = ask(made, ledger, [str(n) for n in range(200)], budget=budget)
    stops = [each for each in found if isinstance(each, OverBudget)]
    assert "at most 3,000 tokens" in str(stops[0])
    assert "--ceiling-tokens" in str(stops[0])
    one = 102 if reported else count([*(m["content"] for m in ledger.calls[0].request["messages"]), GOOD])
    assert budget.used == pytest.approx(one * len(ledger.calls), abs=2 * len(ledger.calls))
    assert budget.used <= 3000 + concurrency * one
    assert len(ledger.calls) >= 5


def test_a_waiting_call_goes_on_when_others_cost_less_than_expected() -> None:
    async def work() -> list[float]:
        budget, order = Budget(10.0), []

        async def call(expected: float, price: float) -> None:
            async with budget.room(expected):
                await asyncio.sleep(0)
                budget.pay(price)
                order.append(price)

        await asyncio.gather(*(call(6.0, 1.0) for _ in range(4)))
        return order

    assert asyncio.run(work()) == [1.0] * 4


def test_the_table_is_yaml_that_json_can_say() -> None:
    assert json.dumps({name: price.model_dump() for name, price in load_prices().table.items()})
