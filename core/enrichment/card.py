"""What must be known of the data sets of mentions and edges: the README beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

Level = Literal["mention", "pair"]


def card(found: dict[str, Any], level: Level) -> Iterator[str]:
    """Lines of Markdown.

    Args:
        found: the statistics of the data sets.
    """
    ontology, null = found["ontology"], found["null"]
    yield f"# Mentions and edges: {found['old']} to {found['new']}\n"
    yield f"Gold: {', '.join(found['gold'])}. Branch: {found['root']}. Placement is at {level} level.\n"
    yield (
        f"{found['new_concepts']:,} concepts of the newer version are out of the older one, which has"
        f" {ontology['concepts']:,} concepts and {ontology['complex_concepts']:,} complex ones;"
        f" {ontology['edges']:,} edges, {ontology['complex_edges']:,} of them complex.\n"
    )
    yield "| part | mentions | pairs | pairs with a complex parent | concepts | documents |"
    yield "|---|---|---|---|---|---|"
    for name, counts in found["mentions"].items():
        if "pairs" in counts:
            yield f"| {name} | {' | '.join(f'{number:,}' for number in counts.values())} |"
    left_out = "; ".join(f"{count:,} {reason}" for reason, count in found["left_out"].items()) or "none"
    yield f"\nAnnotations left out: {left_out}.\n"
    yield (
        "- Placement is trained and validated on mentions of concepts that the older version holds, and"
        " tested on all new ones and on the known ones of the test documents."
    )
    if not found["strict"]:
        yield (
            "- A document with a new concept may be in train through its other mentions: its text has been"
            " seen, the new concept has not. `--strict` leaves such documents out."
        )
    yield (
        "- The edges of a known concept are taken as if it were not there: each parent with each child, or"
        " with none."
    )
    said = "for every parent" if null == "every" else "for leaves and parents of leaves alone"
    yield f"- Edges without a child are there {said}."
    if found["complex"]:
        yield (
            f"- Complex parents come from {found['complex']}, joined by id; its release may differ from"
            " that of the older version."
        )
    yield (
        "- Keys: `data/schemas/mention-edges-mention-line.schema.json` and"
        " `data/schemas/mention-edges-pair-line.schema.json`."
    )
