"""What a run will cost, about, before it asks anything."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from core.concepts.asking import prompt
from core.llm import Endpoint, Estimate, Prices, estimate, load_prices
from core.pipeline.plan import Plan
from core.pipeline.settings import FOLDER
from core.store import corpora
from core.store.workspace import Workspace

CLAIM = 110
"""Letters of a passage per claim that is made from it, about."""
CANDIDATES = 12
"""Candidates of a passage, about."""
CANDIDATE = 350
"""Letters of a candidate as a model sees it: id, name, definition."""
JUDGED = 60
"""Tokens of an answer per candidate: class, reason, quote."""


@dataclass(frozen=True, slots=True)
class RunEstimate:
    passages: int
    """Still to be labelled."""
    total: Estimate
    unit: str = "passages"
    """What is counted, where it is not passages."""

    def __str__(self) -> str:
        """One sentence for people."""
        made = self.total
        tokens = f"{made.prompt_tokens:,} tokens to read and {made.completion_tokens:,} to write"
        price = "at an unknown price" if made.price is None else f"about ${made.price:,.2f}"
        return (
            f"{self.passages:,} {self.unit}: about {made.calls:,} calls, {tokens}, {price}. "
            "Answers that are stored already cost nothing."
        )


def estimate_run(
    workspace: Workspace,
    planned: Plan,
    endpoint: Endpoint,
    over: Collection[int],
    prices: Prices | None = None,
    *,
    batch: bool = False,
) -> RunEstimate:
    """For the passages that are not in `over`, as if no answer to them were stored yet.

    Args:
        prices: default the shipped table.
        batch: at the price of a batch file.
    """
    lengths = [len(p.text) for p in corpora.passages(workspace, planned.corpus.name) if p.id not in over]
    prices, total = prices or load_prices(), Estimate()
    guideline = len(planned.guideline.text)
    asked = {"candidates": planned.stages[1:]}.get(planned.oracle.kind if planned.oracle else "")
    for stage in planned.stages if asked is None else asked:
        model = endpoint.model_for(stage)
        for name, data, completion in _asked(planned, stage, lengths, guideline):
            total += estimate(
                prices, model, prompt(FOLDER / stage / f"{name}.md"), data, completion, batch=batch
            )
    return RunEstimate(len(lengths), total)


def _asked(planned: Plan, stage: str, lengths: list[int], guideline: int) -> list[tuple[str, list[int], int]]:
    """(prompt, letters of data of each call, tokens of an answer) of a stage."""
    judged = [length + CANDIDATES * CANDIDATE for length in lengths]
    mean = sum(lengths) // max(1, len(lengths))
    if stage == "generate" and planned.direct:
        return [("direct", lengths, CANDIDATES * 25)]
    if stage == "generate":
        together = planned.profile.claims_per_call
        claims = [max(1, round(length / CLAIM)) for length in lengths]
        names = [together * (CLAIM + 30) for n in claims for _ in range(-(-n // together))]
        return [("claims", lengths, mean // 3 + 50), ("names", names, 40 * together)]
    if stage == "classify":
        variant = {2: "classify_two", 3: "classify_three"}.get(planned.classes, "classify")
        return [(variant, judged, CANDIDATES * JUDGED)]
    if stage == "guideline":
        return [(stage, [length + guideline for length in judged], CANDIDATES * JUDGED)]
    return [(stage, judged, 150 if stage == "select" else CANDIDATES * JUDGED)]
