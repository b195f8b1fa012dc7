"""Which subsets of the stages are compared with the first stage alone. Source: HI-ALD, table 2.

The paper writes PCC, CC, RL, GF and QS for generate, classify, relabel, guideline and select.
"""

from __future__ import annotations

from typing import NamedTuple

ARROW = " → "


class Row(NamedTuple):
    """One configuration of the stages."""

    stages: tuple[str, ...]
    direct: bool = False
    """Concept names from the passage itself, without claims."""

    @property
    def name(self) -> str:
        """Such as `generate → classify`."""
        return ARROW.join(self.stages) + (" (direct, no claims)" if self.direct else "")

    @property
    def key(self) -> str:
        """The same for a run id, such as `generate-classify`."""
        return "-".join(self.stages) + ("-direct" if self.direct else "")


def rows(*, guideline: bool) -> tuple[Row, ...]:
    """The rows of the paper for phenotypes; where there is a guideline, also those it has for processes; and
    the direct form, which the paper tells of in its text."""
    ends: list[tuple[str, ...]] = [(), ("classify",), ("relabel",), ("select",), ("classify", "relabel")]
    ends.append(("classify", "relabel", "select"))
    if guideline:
        ends.insert(3, ("guideline",))
        ends += [("classify", "relabel", "guideline"), ("classify", "relabel", "guideline", "select")]
    return (*(Row(("generate", *end)) for end in ends), Row(("generate",), direct=True))
