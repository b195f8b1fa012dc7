"""Name regularity and abbreviations: is a mention found by what it is, or by how it looks?

**Name regularity.** A mention has it if its normalised text (`mentions.normalise`) ends in one of the five
words disease, syndrome, infection, cancer, tumor, or the plural of one, and at least one word stands before
it. `tumour` is read as `tumor`: with it 25 of the 165 CON mentions of NCBI-disease have name regularity, the
15.2 % that the paper prints; without it there are 22.

**Abbreviation.** The paper counts abbreviations (29.7 % of those 165) without saying how. Here: take out the
white space around hyphens; what is left is one word of 2 to 10 characters that holds at least two capital
letters and no more small letters than capital ones. So `T - PLL` and `T-PLL` are both one, `vWf` is one, and
`I` is none. It finds 54 (32.7 %).

The two do not exclude each other; a mention with neither is **plain**. Both look at the text alone. For each
of the three kinds, over all mentions and within each split of `mem_syn_con`:

    share    mentions of the kind / gold mentions of the split          undefined: the split is empty
    recall   those predicted with identical place / mentions of the kind      undefined: there are none (U0)

Range [0, 1]. A recall of regular names far above that of plain ones says that the pattern does the work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from core.metrics.bootstrap import Draws, Floats
from core.metrics.definition import Family, Metric
from core.metrics.marked import Mask
from core.metrics.mem_syn_con import Partition, Split
from core.metrics.mentions import Occurrence, normalise
from core.metrics.sums import Scored, divide, scored

Kind = Literal["regular", "abbreviation", "plain"]
KINDS: tuple[Kind, ...] = ("regular", "abbreviation", "plain")
PATTERNS = ("disease", "syndrome", "infection", "cancer", "tumor")
"""Last words that make a name of a disease regular."""

_NO_MENTION = "No gold mention in the split: undefined (rule U0)."


def _metrics(kind: str, title: str, which: str, rule: str) -> dict[str, Metric]:
    return {
        f"{kind}_share": Metric(
            f"Share of {title}",
            f"How many of the gold mentions {which}?",
            f"gold mentions of the split that {rule} / gold mentions of the split",
            direction="none",
            undefined=_NO_MENTION,
        ),
        f"{kind}_recall": Metric(
            f"Recall of {title}",
            f"Which share was found of the gold mentions that {which.replace('is ', 'are ')}?",
            f"those predicted with identical document, start, end and type / gold mentions that {rule}",
        ),
    }


FAMILY = Family(
    title="Name regularity and abbreviations",
    item="a gold mention: document, start, end and type",
    source="MEM / SYN / CON (paper 002), sections 3.3 and 5; the rules stand in core/metrics/names.py",
    undefined="No such gold mention in the split: undefined (rule U0).",
    metrics={
        **_metrics(
            "regular",
            "regular names",
            "end in a pattern such as `... syndrome`",
            f"end, after another word, in {', '.join(PATTERNS)} or a plural of these",
        ),
        **_metrics(
            "abbreviation",
            "abbreviations",
            "look like an abbreviation",
            "are one word of 2 to 10 characters with at least two capitals, and no more small letters",
        ),
        **_metrics("plain", "plain names", "are neither regular nor abbreviated", "are neither"),
    },
)

_REGULAR = re.compile(rf"\w.* (?:{'|'.join(PATTERNS)}|tumour)s?")
_HYPHEN = re.compile(r"\s*-\s*")


def is_regular(mention: str) -> bool:
    """Whether a mention has name regularity."""
    return _REGULAR.fullmatch(normalise(mention)) is not None


def is_abbreviation(mention: str) -> bool:
    """Whether a mention looks like an abbreviation."""
    word = _HYPHEN.sub("-", mention.strip())
    capital = sum(map(str.isupper, word))
    return (
        2 <= len(word) <= 10
        and not any(map(str.isspace, word))
        and capital >= 2
        and capital >= sum(map(str.islower, word))
    )


@lru_cache(maxsize=200_000)
def kinds_of(mention: str) -> tuple[Kind, ...]:
    """What a mention is by its looks: one or two of `KINDS`."""
    regular: tuple[Kind, ...] = ("regular",) if is_regular(mention) else ()
    short: tuple[Kind, ...] = ("abbreviation",) if is_abbreviation(mention) else ()
    return (*regular, *short) or ("plain",)


@dataclass(frozen=True)
class Looks:
    """Gold mentions by what they look like."""

    cut: Partition

    @cached_property
    def kinds(self) -> Mask:
        """Whether each mention is of each of `KINDS`, shape (mentions, 3)."""

        def of(text: str) -> list[bool]:
            return [kind in kinds_of(text) for kind in KINDS]

        return self.cut.gold.by_text(of).reshape(-1, len(KINDS))

    def count(self, kind: Kind, split: Split | None, *, found: bool) -> int:
        return int(np.count_nonzero(self._among(kind, split, found)))

    def of(self, kind: Kind, split: Split | None, *, found: bool) -> list[Occurrence]:
        """The mentions of a kind, in a split or in all."""
        return self.cut.gold.occurrences(self._among(kind, split, found))

    def _among(self, kind: Kind, split: Split | None, found: bool) -> Mask:
        return self.cut.among(split, found=found) & self.kinds[:, KINDS.index(kind)]

    def table(self, strata: Sequence[Split | None]) -> Floats:
        """Per document and stratum: mentions, those of each kind, found ones of each; shape (n, 7 strata)."""
        cut = self.cut
        every = np.ones((len(cut.gold), 1), dtype=np.bool_)
        rows = np.hstack((every, self.kinds, self.kinds & cut.found[:, None]))
        columns = [
            np.bincount(cut.gold.document[row & cut.among(stratum)], minlength=len(cut.documents))
            for stratum in strata
            for row in rows.T
        ]
        return np.column_stack(columns).astype(np.float64)


WIDTH = 1 + 2 * len(KINDS)


def score(
    looks: Looks,
    *,
    splits: Sequence[Split] = (),
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> Scored:
    """Share and recall of each kind: `regular_share`, and `regular_share:CON` for each of `splits`.

    Args:
        index_lists: resamples over the documents of the partition; empty for no intervals.
    """
    strata: tuple[Split | None, ...] = (None, *splits)
    table = looks.table(strata)

    def statistic(sums: Floats) -> Floats:
        cut = sums.reshape(len(sums), len(strata), WIDTH)
        n, here, hits = cut[:, :, :1], cut[:, :, 1 : 1 + len(KINDS)], cut[:, :, 1 + len(KINDS) :]
        recalls, shares = divide(hits, here), divide(here, n)
        return np.concatenate((recalls, shares), axis=2).reshape(len(sums), len(strata) * 2 * len(KINDS))

    held = np.count_nonzero(table, axis=0)
    cells = {
        f"{kind}_{measure}" + (f":{stratum}" if stratum else ""): (stratum, measure, kind)
        for stratum in strata
        for measure in ("recall", "share")
        for kind in KINDS
    }

    def rests_on(name: str) -> int:
        stratum, measure, kind = cells[name]
        return int(held[strata.index(stratum) * WIDTH + (measure == "recall") * (1 + KINDS.index(kind))])

    def reason(name: str) -> str:
        stratum, measure, kind = cells[name]
        return _reason(stratum, kind if measure == "recall" else "")

    return scored(
        table, statistic, tuple(cells), n=rests_on, reason=reason, index_lists=index_lists, level=level
    )


def _reason(split: Split | None, kind: str) -> str:
    where = f"split {split}" if split else "gold"
    return f"The {where} holds no {kind} mention.".replace("  ", " ")
