"""Train, dev and test that share no article (metric-definitions 10.3), and the legacy split by pairs.

Articles are joined by the pairs between them; a connected component goes into one split as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.conflicts.package.components import Component, components
from core.conflicts.package.entries import Entry
from core.conflicts.package.fit import SHARES, SPLITS, fitted
from core.conflicts.package.select import chance

LEGACY_SHARES = {"train": 0.70, "dev": 0.10, "test": 0.20}
"""As 8,750 / 1,250 / 2,500 of 12,500 (paper 004, Table 18)."""


@dataclass(frozen=True, slots=True)
class Split:
    """Which pairs are in which split."""

    train: tuple[Entry, ...]
    dev: tuple[Entry, ...]
    test: tuple[Entry, ...]
    components: tuple[Component, ...] = ()
    """Largest first; empty for a split by pairs."""
    left_out: tuple[Entry, ...] = ()
    """By pair id: what had to go for the components to fit."""

    def of(self, name: str) -> tuple[Entry, ...]:
        found: tuple[Entry, ...] = getattr(self, name)
        return found


def split(
    entries: Sequence[Entry],
    *,
    allow_heuristic: bool = False,
    shares: Mapping[str, float] = SHARES,
) -> Split:
    """Place every component into one split. Pair ids occur once (`duplicates.resolve`).

    Per domain, components that may stand anywhere go, the largest first, where most is lacking; those that
    exceed what dev or test is to hold, and those with a provisional label, go to train. A component that
    exceeds what train is to hold is cut first (`fit`), as is one where dev or test would else be empty.

    Args:
        allow_heuristic: let provisional labels into dev and test: for work without a model, and never for
            figures to report.
        shares: wished for, of the pairs of a domain.
    """
    found, gone = fitted(entries, allow_heuristic, shares)
    kept = [entry for entry in entries if entry.pair_id in found.place]
    return _split(kept, found.place, tuple(components(kept)), gone)


def legacy_split(
    entries: Sequence[Entry],
    *,
    seed: int = 13,
    allow_heuristic: bool = False,
) -> Split:
    """The split by pairs alone: articles and claims may stand in several splits. For comparison with older
    figures, not for new ones (paper 004, section 5.1).

    Dev and test of a domain are chosen by chance, the same for the same seed, from labels that are not
    provisional.
    """
    place = {entry.pair_id: "train" for entry in entries}
    domains: dict[str, list[Entry]] = {}
    for entry in entries:
        domains.setdefault(entry.domain, []).append(entry)
    for held in domains.values():
        free = [e for e in held if allow_heuristic or not e.provisional]
        free.sort(key=lambda e: (chance(seed, "legacy", e.pair_id), e.pair_id))
        test = round(LEGACY_SHARES["test"] * len(held))
        dev = round(LEGACY_SHARES["dev"] * len(held))
        # where too few labels will do, dev and test share them in proportion
        if free and test + dev > len(free):
            test = round(len(free) * test / (test + dev))
            dev = len(free) - test
        place |= {e.pair_id: "test" for e in free[:test]}
        place |= {e.pair_id: "dev" for e in free[test : test + dev]}
    return _split(entries, place, ())


def _split(
    entries: Sequence[Entry],
    place: Mapping[str, str],
    found: tuple[Component, ...],
    left_out: tuple[Entry, ...] = (),
) -> Split:
    ordered = sorted(entries, key=lambda entry: entry.pair_id)
    train, dev, test = (tuple(e for e in ordered if place[e.pair_id] == name) for name in SPLITS)
    return Split(train, dev, test, found, left_out)


# --- invariants -------------------------------------------------------------------------------------------


def violations(found: Split, entries: Sequence[Entry], *, allow_heuristic: bool) -> list[str]:
    """Which invariants of an article-disjoint split do not hold, each with the ids that offend."""
    return [
        *_overlaps(found),
        *_lost(found, entries),
        *_torn(found, entries),
        *([] if allow_heuristic else _provisional(found)),
    ]


def _overlaps(found: Split) -> list[str]:
    kinds: dict[str, Callable[[Entry], tuple[str, ...]]] = {
        "article": lambda e: (e.article_a, e.article_b),
        "claim": lambda e: (e.claim_a, e.claim_b),
        "pair id": lambda e: (e.pair_id,),
        "claim pair": lambda e: (" + ".join(sorted((e.claim_a, e.claim_b))),),
    }
    said = []
    for kind, of in kinds.items():
        places: dict[str, set[str]] = {}
        for name in SPLITS:
            for entry in found.of(name):
                for one in of(entry):
                    places.setdefault(one, set()).add(name)
        said += _told(f"{kind} in several splits", [one for one, names in places.items() if len(names) > 1])
    return said


def _lost(found: Split, entries: Sequence[Entry]) -> list[str]:
    placed = Counter(e.pair_id for name in (*SPLITS, "left_out") for e in found.of(name))
    given = Counter(entry.pair_id for entry in entries)
    return [
        *_told("pair lost", [one for one in given if not placed[one]]),
        *_told(
            "pair placed more than once, or not asked for", [o for o, n in placed.items() if n != given[o]]
        ),
    ]


def _torn(found: Split, entries: Sequence[Entry]) -> list[str]:
    place = {entry.pair_id: name for name in SPLITS for entry in found.of(name)}
    gone = {entry.pair_id for entry in found.left_out}
    kept = [entry for entry in entries if entry.pair_id not in gone]
    torn = [c.articles[0] for c in components(kept) if len({place.get(p) for p in c.pairs}) > 1]
    return _told("component in several splits, told by its first article", torn)


def _provisional(found: Split) -> list[str]:
    held = [e.pair_id for name in ("dev", "test") for e in found.of(name) if e.provisional]
    return _told("unreviewed heuristic or repaired label in dev or test", held)


def _told(what: str, ids: list[str]) -> list[str]:
    return [f"{what}: {', '.join(sorted(ids)[:10])} ({len(ids)} in all)"] if ids else []
