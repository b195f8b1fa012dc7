"""Stage 4 offline: the rules of the task profile."""

from __future__ import annotations

from dataclasses import replace

from core.concepts.guideline.offline import _left_out
from core.concepts.lexicon import Lexicon
from core.concepts.profile import load_profile
from core.concepts.tools import Tools
from core.ontology.lineage import Lineage
from core.records import Concept, Ontology, Synonym
from tests.concepts.offline_parts import WordsOnly, labels, records, run, tools

TEXT = "An abnormality of the eye, deafness and cataract."


def test_names_that_the_profile_leaves_out_by_name_or_synonym() -> None:
    made = run(TEXT, "generate guideline", tools(drop_names=("Abnormality of the Eye", "deafness")))
    assert labels(made) == ["Cataract"]
    dropped = {r.concept: r.reason for r in records(made, "guideline", "dropped")}
    assert set(dropped) == {"HP:0000478", "HP:0000365"}
    assert "leaves out 'deafness'" in str(dropped["HP:0000365"])


def test_nothing_else_is_dropped() -> None:
    made = run(TEXT, "generate guideline", tools(drop_names=()))
    assert sorted(labels(made)) == ["Abnormality of the eye", "Cataract", "Hearing impairment"]
    assert {r.payload["class"] for r in records(made, "guideline", "kept")} == {"explicit"}


def test_the_processes_that_annotators_name_are_kept() -> None:
    """Labels of the CRAFT corpus as HI-ALD shows them, biological regulation among them (figure 10)."""
    root = "GO:0008150"
    concepts = (
        Concept(root, "biological_process"),
        Concept("GO:0065007", "biological regulation", parents=(root,)),
        Concept("GO:0051179", "localization", parents=(root,)),
        Concept("GO:0032502", "developmental process", parents=(root,)),
        Concept(
            "GO:0008152", "metabolic process", parents=(root,), synonyms=(Synonym("metabolism", "EXACT"),)
        ),
    )
    ontology = Ontology("go", "1", root, "a" * 64, concepts)
    made = Tools(
        load_profile("go_bp"),
        concepts,
        Lineage.of(ontology),
        WordsOnly(),
        Lexicon.build(concepts, root=root),
        0.6,
        direct=False,
    )
    text = "Biological regulation of metabolism, localization and a developmental process."
    found = run(text, "generate guideline", made)
    assert sorted(labels(found)) == [
        "biological regulation",
        "developmental process",
        "localization",
        "metabolic process",
    ]


def test_a_broad_synonym_leaves_nothing_out() -> None:
    broad = Concept("HP:1", "Cell projection", synonyms=(Synonym("deafness", "BROAD"),))
    made = tools(drop_names=("deafness",))
    made = replace(made, concepts=(*made.concepts, broad))
    assert "HP:1" not in _left_out(made)
    assert "HP:0000365" in _left_out(made)
