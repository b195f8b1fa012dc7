"""What is missing in a brief, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from core.evaluate.brief.records import Line
from core.evaluate.brief.sides import Side


def missing(
    lines: dict[Side, tuple[Line, ...]], *, pairs: int, between: int, unexplained: int, settled: int
) -> Iterator[str]:
    """What a reader would want to know and does not find here.

    Args:
        pairs: of two findings on the question.
        between: of these, of a finding for it with one against.
        unexplained: of these, conflicts that no axis explains.
        settled: of all pairs, those that people settled.
    """
    every = [line for of in lines.values() for line in of]
    for one, words in ((Side.FOR, "for"), (Side.AGAINST, "against")):
        if not lines[one]:
            yield f"No finding {words} it."
    if lines[Side.UNDECIDED]:
        yield f"Of {len(lines[Side.UNDECIDED]):,} findings no rule can read which way they go."
    for what, count in (
        ("number of people or samples", sum(line.n is None for line in every)),
        ("year", sum(line.year is None for line in every)),
    ):
        if count:
            yield f"{count:,} of {len(every):,} findings come without a {what}."
    if lines[Side.FOR] and lines[Side.AGAINST] and not between:
        yield "No finding for it is paired with one against it."
    if unexplained:
        yield f"{unexplained:,} conflicts name no axis that explains them."
    if settled < pairs:
        yield f"People have not settled {pairs - settled:,} of {pairs:,} pairs."
