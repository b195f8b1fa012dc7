"""The long tables of a card: counts, and the leakage audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.conflicts.package.fit import SPLITS
from core.conflicts.package.markdown import share, table, words

_ROWS = {
    "either_article": "rows with either article in {other}",
    "both_articles": "rows with both articles in {other}",
    "claim_pairs": "distinct claim pairs also in {other}",
    "pair_ids": "pair ids also in {other}",
    "articles": "articles also in {other}",
    "claims": "claims also in {other}",
}


def counts(s: Mapping[str, Any]) -> str:
    """How often what occurs, as in `statistics.json`."""
    confounders = ", ".join(f"{words(axis)} {n:,}" for axis, n in s["dominant_confounders"].items())

    def length(name: str) -> str:
        found = s[name]
        if found["mean"] is None:
            return "–"
        return f"{found['mean']:.2f} on average, median {found['median']:g}"

    axes = "–" if s["axes_per_example"] is None else f"{s['axes_per_example']:.3f}"
    return "\n".join(
        [
            "## Counts\n",
            table(["conflict type", *SPLITS], [(t, *n.values()) for t, n in s["conflict_types"].items()]),
            table(["axis", *SPLITS], [(axis, *n.values()) for axis, n in s["divergence_axes"].items()]),
            f"Dominant confounders: {confounders or 'none'}. Axes per example: {axes}.\n",
            f"Tokens (words and signs) of a claim: {length('claim_tokens')}; of an abstract: "
            f"{length('abstract_tokens')}; over both sides of all examples.\n",
            table(
                ["claim type, of all claims extracted", "claims", "share"],
                [
                    (t, c["count"], "–" if c["share"] is None else f"{100 * c['share']:.1f} %")
                    for t, c in s["claim_types"].items()
                ],
            ),
        ]
    )


def audit(own: Mapping[str, Any], variants: Mapping[str, Mapping[str, Any] | None]) -> str:
    """What splits share: of the release, and of its variants by name, None where there is none."""
    lines = ["## Leakage audit\n"]
    for name, audited in {"": own, **variants}.items():
        if audited is None:
            continue
        about = f" in the variant {name}" if name else ""
        lines.append(
            table(
                [f"what is shared{about}", *(pair.replace("_", " ") for pair in audited)],
                [
                    (
                        said.format(other="the other"),
                        *(
                            share(**{k: rows[row][k] for k in ("count", "of", "share")})
                            for rows in audited.values()
                        ),
                    )
                    for row, said in _ROWS.items()
                ],
            )
        )
    return "\n".join(lines)
