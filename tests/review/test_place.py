"""Where a concept stands in its ontology, as its card shows it."""

from __future__ import annotations

from typing import Any

from core.records import Concept, Ontology
from core.review.frames import Wanted, open_frame
from core.review.place import places
from core.review.terms import terms_of
from core.review.views.passages import passage_views
from core.store import Workspace, decisions, ontologies
from tests.review.clinic import FOCAL, GENERAL, NERVOUS, ROOT, SEIZURE, add_corpus, add_run, draft, ontology

TEXT = "A seizure at two years."


def names(side: dict[str, Any]) -> list[str]:
    return [row["name"] for row in side["rows"]]


def test_a_concept_stands_between_its_parents_and_its_children(workspace: Workspace) -> None:
    terms = terms_of(workspace, ontologies.add_ontology(workspace, ontology()))
    found = places(workspace, terms, [SEIZURE, ROOT, FOCAL, "HP:7"])
    assert found.keys() == {SEIZURE, ROOT, FOCAL}
    assert found[SEIZURE] == {
        "above": {
            "rows": [
                {
                    "id": NERVOUS,
                    "name": "Abnormality of the nervous system",
                    "definition": "What is meant by abnormality of the nervous system.",
                }
            ],
            "more": 0,
        },
        "below": {
            "rows": [
                {
                    "id": concept,
                    "name": name,
                    "definition": f"What is meant by {name.lower()}.",
                }
                for concept, name in ((FOCAL, "Focal-onset seizure"), (GENERAL, "Generalized-onset seizure"))
            ],
            "more": 0,
        },
    }
    assert (names(found[ROOT]["above"]), names(found[FOCAL]["below"])) == ([], [])


def test_the_parent_on_the_path_comes_first_and_what_is_not_named_is_counted(workspace: Workspace) -> None:
    concepts = [
        Concept("R", "All"),
        Concept("S", "Skull", parents=("R",)),
        Concept("B", "Brain", parents=("R",)),
        Concept("A", "A part of the brain", parents=("B",)),
        Concept("N", "Not far", parents=("S",)),
        Concept(
            "M",
            "Microcephaly",
            definition="Small. " * 60,
            parents=("A", "N", "S"),
            alt_ids=("M:OLD",),
        ),
        *(Concept(f"C{n}", f"Child {9 - n}", parents=("M",)) for n in range(5)),
        Concept("D", "Below a child", parents=("C0",)),
    ]
    made = ontologies.add_ontology(workspace, Ontology("head", "1", "R", "1" * 64, tuple(concepts)))
    terms = terms_of(workspace, made)
    assert terms.path("M") == ("Skull",)
    found = places(workspace, terms, ["M:OLD", "C0"])
    assert (names(found["M:OLD"]["above"]), found["M:OLD"]["above"]["more"]) == (
        ["Skull", "A part of the brain"],
        1,
    )
    below = found["M:OLD"]["below"]
    assert (names(below), below["more"]) == (["Child 5", "Child 6", "Child 7"], 2)
    [parent] = found["C0"]["above"]["rows"]
    assert parent["definition"].startswith("Small. Small. ")
    assert parent["definition"].endswith("…")
    assert len(parent["definition"]) <= 160
    around = terms.around(workspace, "M:OLD", "nothing")  # what the fix panel lists under an old id
    assert {row["id"] for row in around if row["relation"] == "broader"} == {"A", "N", "S"}


def test_a_blind_item_has_the_place_that_the_ontology_gives_and_no_more(workspace: Workspace) -> None:
    ontologies.add_ontology(workspace, ontology())
    places_ = add_corpus(workspace, {"d1": TEXT, "d2": TEXT})
    drafts = [draft(SEIZURE, TEXT, "seizure"), draft(FOCAL, TEXT, "seizure")]
    add_run(workspace, dict.fromkeys(places_.values(), drafts))
    decisions.add_curator(workspace, "alpha", "Alpha")

    def held() -> dict[str, Any]:
        views = passage_views(workspace, "alpha", list(places_.values()))
        return {one["concept"]: one for view in views for one in view["items"]}

    plain = held()
    open_frame(workspace, Wanted("alpha", "blind", blind=1.0))
    blind = held()
    assert all(one["blind"] and one["proposals"] == [] for one in blind.values())
    for concept in (SEIZURE, FOCAL):
        assert blind[concept]["place"] == plain[concept]["place"]
    assert blind[SEIZURE]["place"]["below"]["rows"][0].keys() == {"id", "name", "definition"}
