"""General candidates beside more specific ones, under the three policies of a task profile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.concepts.hypernyms import left, outdone
from core.concepts.profile import Hypernyms
from core.concepts.tools import Tools
from core.ontology.lineage import Lineage
from core.records import Assertion, Evidence, Labelling
from tests.concepts.scripted import (
    CATARACT,
    HEARING,
    SENSORINEURAL,
    Names,
    below,
    labelled,
    lexicon,
    ontology,
    profile,
)

ABNORMAL_HEARING = "HP:0000364"
CHAIN = (ABNORMAL_HEARING, HEARING, SENSORINEURAL, CATARACT)
"""Each of the first three is an ancestor of the next; the last stands apart."""


def tools(policy: Hypernyms) -> Tools:
    return Tools(
        profile(hypernyms=policy), below(), Lineage.of(ontology()), Names(), lexicon(), threshold=0.6
    )


def gone(labelling: Labelling, policy: Hypernyms) -> list[str]:
    return list(outdone(labelling.candidates, tools(policy), labelling.passage.text))


def quoting(labelling: Labelling, concept: str, quote: str) -> Labelling:
    start = labelling.passage.text.index(quote)
    evidence = (Evidence(quote, start, start + len(quote), grounded=True),)
    changed = tuple(
        replace(c, evidence=evidence) if c.concept == concept else c for c in labelling.candidates
    )
    return replace(labelling, candidates=changed)


@pytest.mark.parametrize(
    ("policy", "dropped"),
    [
        (Hypernyms.KEEP, []),
        (Hypernyms.DROP, [ABNORMAL_HEARING, HEARING]),
        (Hypernyms.KEEP_NAMED_APART, [ABNORMAL_HEARING, HEARING]),
    ],
)
def test_a_chain_of_ever_more_specific_concepts(policy: Hypernyms, dropped: list[str]) -> None:
    assert sorted(gone(labelled("Sensorineural deafness and cataract.", *CHAIN), policy)) == dropped


def test_a_quote_elsewhere_counts_as_named_apart_even_where_the_dictionary_sees_nothing() -> None:
    text = "Sensorineural deafness. She cannot follow speech in noise."
    came = labelled(text, HEARING, SENSORINEURAL)
    assert gone(came, Hypernyms.KEEP_NAMED_APART) == [HEARING]
    assert gone(quoting(came, HEARING, "cannot follow speech"), Hypernyms.KEEP_NAMED_APART) == []


def test_a_quote_around_the_specific_one_does_not() -> None:
    came = labelled("Sensorineural deafness of both ears.", HEARING, SENSORINEURAL)
    wide = quoting(came, HEARING, "Sensorineural deafness of both ears")
    assert gone(wide, Hypernyms.KEEP_NAMED_APART) == [HEARING]


def test_only_the_same_assertion_outdoes() -> None:
    came = labelled("Sensorineural deafness.", HEARING, SENSORINEURAL)
    denied = replace(came.candidates[1], assertion=Assertion.NEGATED)
    mixed = replace(came, candidates=(came.candidates[0], denied))
    assert gone(mixed, Hypernyms.DROP) == []


def test_the_reason_names_the_more_specific_one() -> None:
    came = labelled("Sensorineural deafness.", HEARING, SENSORINEURAL)
    reasons = outdone(came.candidates, tools(Hypernyms.DROP), came.passage.text)
    assert reasons == {HEARING: "More general than Sensorineural hearing impairment."}


def test_none_or_one_candidate() -> None:
    assert gone(labelled("Deafness."), Hypernyms.DROP) == []
    assert gone(labelled("Deafness.", HEARING), Hypernyms.DROP) == []


def test_who_outdid_another_tells_so() -> None:
    """What the annotator leaves, in one pass: the reason stands on the card of the narrower concept."""
    names = lexicon()
    text = "Sensorineural hearing impairment in both ears."
    found = {draft.label for draft in names.annotate(text)}
    assert found == {"Sensorineural hearing impairment", "Hearing impairment"}
    kept = left(names.annotate(text), Hypernyms.KEEP_NAMED_APART, names.lineage)
    assert [draft.label for draft in kept] == ["Sensorineural hearing impairment"]
    assert (kept[0].reason or "").endswith("Set aside as more general: Hearing impairment.")
    apart = names.annotate(f"{text} Hearing impairment runs in the family.")
    assert len(left(apart, Hypernyms.KEEP_NAMED_APART, names.lineage)) == 2
    assert len(left(apart, Hypernyms.DROP, names.lineage)) == 1
    assert left(apart, Hypernyms.KEEP, names.lineage) == apart
