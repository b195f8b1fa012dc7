"""The place of a blind item says nothing of what machines say of it: whatever they say, it is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.metrics import draw
from core.records import Assertion, Draft, Tier
from core.review.frames import Wanted, open_frame
from core.review.walks.concept import Filters, Order
from core.review.walks.concept import index_of as concepts_of
from core.review.walks.pair import PairFilters, PairOrder
from core.review.walks.pair import index_of as pairs_of
from core.store import frames, open_workspace
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, TEXTS, add_corpus, add_run, draft
from tests.review.pairs import library
from tests.review.pairs.library import IN_DENMARK as A
from tests.review.pairs.library import IN_VIETNAM as B
from tests.review.pairs.library import contextual, direct

PLACES = [(doc, concept) for doc in TEXTS for concept in (CATARACT, SEIZURE, HYPOTONIA)]
WORDS = {CATARACT: "cataract", SEIZURE: "seizure", HYPOTONIA: "ypotonia"}
SHARE, SEED = 0.5, "13"
PLAIN, ODD = 0, 1
"""What is said of blind items: as of the others, or with all that takes an item forward."""


def is_blind(doc: str, concept: str) -> bool:
    return draw.is_blind(SEED, f"ward/{doc}/{concept}", SHARE)


def concept_order(path: Path, order: Order, said: int) -> tuple[list[tuple[str, str]], set[tuple[str, str]]]:
    """Places in the order of the queue, and those that are blind."""
    with open_workspace(path / f"{said}.db") as workspace:
        at = add_corpus(workspace, TEXTS)
        drafts: dict[int, list[Draft]] = {at[doc]: [] for doc in TEXTS}
        others: dict[int, list[Draft]] = {at[doc]: [] for doc in TEXTS}
        for n, (doc, concept) in enumerate(PLACES):
            odd = said == ODD and is_blind(doc, concept)
            status = Assertion.NEGATED if odd else Assertion.AFFIRMED
            stands = WORDS[concept] if WORDS[concept] in TEXTS[doc] else TEXTS[doc][5:9]
            quote = ("not there" if n % 3 == 0 else TEXTS[doc][:3]) if odd else stands
            confidence = 0.01 * n if odd else 0.9 - 0.01 * n
            one = draft(concept, TEXTS[doc], quote, confidence=confidence, repaired=odd and n % 2 == 0)
            drafts[at[doc]].append(one)
            others[at[doc]].append(draft(concept, TEXTS[doc], stands, assertion=status))
        add_run(workspace, drafts, "alpha")
        add_run(workspace, others, "beta")
        open_frame(workspace, Wanted("alpha", "f", blind=SHARE, seed=SEED, decoys=False))
        names = {
            unit.item_id: (unit.id.split("/")[1], unit.id.split("/")[2], unit.blind)
            for unit in frames.units(workspace, "f")
        }
        ids = concepts_of(workspace).order(Filters("ward", order=order), lambda one: frozenset({one}))
        found = [names[item] for item in ids.tolist()]
        return [(doc, concept) for doc, concept, _ in found], {(d, c) for d, c, blind in found if blind}


@pytest.mark.parametrize("order", list(Order))
def test_of_concepts(tmp_path: Path, order: Order) -> None:
    found, blind = concept_order(tmp_path, order, PLAIN)
    assert blind == {place for place in PLACES if is_blind(*place)}
    assert 0 < len(blind) < len(PLACES)
    assert concept_order(tmp_path, order, ODD) == (found, blind)
    if order is Order.DOCUMENT:
        assert [doc for doc, _ in found] == sorted(doc for doc, _ in found), "each with its passage"
    else:
        assert set(found[-len(blind) :]) == blind, "behind what is sorted by what machines say"


def pair_order(path: Path, order: PairOrder, said: int, blind: set[int]) -> tuple[list[int], set[int]]:
    """Places of pairs in the order of the queue, and of those that are blind."""
    drafts = []
    for n in range(8):
        odd = said == ODD and n in blind
        label = contextual(A, B, confidence=0.01 * n if odd else 0.9 - 0.01 * n, repaired=odd and n % 3 == 0)
        labels = (label, direct(A, B)) if odd else (label,)
        drafts.append(
            library.Draft(f"{A}{n}", B, labels, Tier.FULL, 0.99 - 0.01 * n if odd else 0.5 + 0.02 * n)
        )
    with open_workspace(path / f"{said}-{len(blind)}.db") as workspace:
        items = library.shelve(workspace, drafts).items
        open_frame(workspace, Wanted("alpha", "f", blind=SHARE, seed=SEED))
        drawn = {items.index(unit.item_id or 0) for unit in frames.units(workspace, "f") if unit.blind}
        ids = pairs_of(workspace).order(PairFilters("trials", order=order)).tolist()
        return [items.index(item) for item in ids], drawn


@pytest.mark.parametrize("order", list(PairOrder))
def test_of_pairs(tmp_path: Path, order: PairOrder) -> None:
    found, blind = pair_order(tmp_path, order, PLAIN, set())
    assert 0 < len(blind) < 8
    assert set(found[-len(blind) :]) == blind
    assert pair_order(tmp_path, order, ODD, blind) == (found, blind)
