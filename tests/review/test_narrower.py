"""Narrower concepts whose words stand in the text."""

from __future__ import annotations

from typing import Any

from core.records import Concept, Ontology, Synonym
from core.review.terms import terms_of
from core.review.views.passages import passage_views
from core.store import Workspace, decisions, ontologies
from tests.review.clinic import FOCAL, NERVOUS, SEIZURE, add_corpus, add_run, draft, item, ontology

TEXT = "Seizures with a focal onset. Her mother has none."


def items(workspace: Workspace, passage: int) -> dict[str, dict[str, Any]]:
    [view] = passage_views(workspace, "alpha", [passage])
    return {one["concept"]: one for one in view["items"]}


def test_an_item_names_what_is_narrower_and_whose_words_its_passage_has(workspace: Workspace) -> None:
    ontologies.add_ontology(workspace, ontology())
    at = add_corpus(workspace, {"d1": TEXT})["d1"]
    add_run(workspace, {at: [draft(SEIZURE, TEXT, "Seizures"), draft(NERVOUS)]})
    decisions.add_curator(workspace, "alpha", "Alpha")
    held = items(workspace, at)
    [focal] = held[SEIZURE]["narrower"]
    assert (focal["id"], focal["name"], focal["item"]) == (FOCAL, "Focal-onset seizure", None)
    assert focal["path"] == ["Abnormality of the nervous system", "Seizure"]
    below = [(row["id"], row["item"]) for row in held[NERVOUS]["narrower"]]  # the nearest comes first
    assert below == [(SEIZURE, item(workspace, at, SEIZURE)), (FOCAL, None)]


def test_words_may_stand_anywhere_but_all_of_them_must(workspace: Workspace) -> None:
    terms = terms_of(workspace, ontologies.add_ontology(workspace, ontology()))

    def below(text: str) -> list[str]:
        rows = terms.narrower(workspace, text, [NERVOUS]).get(NERVOUS, [])
        return [row["id"] for row in rows]

    assert below("The SEIZURE came back. Its onset was said to be focal.") == [SEIZURE, FOCAL]
    assert below("A focal seizure.") == [SEIZURE]
    assert below("Epileptic fits at night.") == [SEIZURE]  # an exact synonym
    assert below("Nothing of note.") == []
    assert terms.narrower(workspace, "A seizure.", ["X:1"]) == {}


def test_at_most_five_and_only_by_names_that_are_no_broader(workspace: Workspace) -> None:
    concepts = [
        Concept("R", "Rash", alt_ids=("R:OLD",)),
        *(Concept(f"C{n}", f"Red rash {n}", parents=("R",)) for n in range(7)),
        Concept(
            "B", "Papules", synonyms=(Synonym("Bumps", "BROAD"), Synonym("Spots", "RELATED")), parents=("R",)
        ),
    ]
    made = ontologies.add_ontology(workspace, Ontology("skin", "1", "R", "1" * 64, tuple(concepts)))
    terms = terms_of(workspace, made)
    text = "A red rash, 0 1 2 3 4 5 6, with bumps and spots."
    found = terms.narrower(workspace, text, ["R:OLD"])
    assert [row["id"] for row in found["R:OLD"]] == ["C0", "C1", "C2", "C3", "C4"]
