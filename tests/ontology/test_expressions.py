"""Complex concepts: their ids and their words, by hand after logical definitions of the HPO."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from core.ontology.expressions import Words, comments, conjuncts, definitions, is_complex, parts, restriction
from core.records import Concept

BLADDER = "UBERON:0001255"
OBO = """format-version: 1.2

[Term]
id: HP:0000014 ! Abnormality of the bladder
intersection_of: PATO:0000001 ! quality
intersection_of: inheres_in_part_of UBERON:0001255 ! urinary bladder
intersection_of: qualifier PATO:0000460 {source="x"} ! abnormal
"""


def test_an_id_says_what_it_is_made_of() -> None:
    made = restriction("inheres_in", BLADDER)
    assert made == "[EX.](inheres_in UBERON:0001255)"
    assert parts(made) == ("inheres_in", BLADDER)
    assert is_complex(made)
    assert not is_complex(BLADDER)
    assert parts("[EX.](inheres_in UBERON:0001255) more") is None


def test_each_outermost_conjunct_is_a_parent_but_a_nameless_one() -> None:
    definition = ((None, "HP:0000069"), ("inheres_in", BLADDER), ("towards", "_:b1"))
    assert list(conjuncts(definition)) == [
        ("genus", "HP:0000069"),
        ("complex", "[EX.](inheres_in UBERON:0001255)"),
        ("anonymous", "_:b1"),
    ]


def test_obsolete_concepts_define_nothing() -> None:
    logic = ((None, "X:1"), ("part_of", "X:2"))
    concepts = [
        Concept("X:3", "a", intersection_of=logic),
        Concept("X:4", "b", intersection_of=logic, obsolete=True),
    ]
    assert definitions(concepts) == {"X:3": logic}


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("[EX.](inheres_in UBERON:0001255)", "something that inheres in the urinary bladder"),
        (
            "[EX.](inheres_in_part_of UBERON:0001255)",
            "something that inheres in a part of the urinary bladder",
        ),
        ("[EX.](qualifier PATO:0000460)", "something abnormal"),
        ("[EX.](qualifier PATO:0001869)", "something that is pathological"),
        ("[EX.](towards MPATH:68)", "something towards MPATH:68"),
        ("[EX.](has_part UBERON:0001255)", "something with urinary bladder as a part"),
        ("[EX.](during UBERON:0001255)", "something during urinary bladder"),
        ("[EX.](results_in UBERON:0001255)", "something that results in urinary bladder"),
        ("HP:0000014", "Abnormality of the bladder"),
        ("HP:9", "HP:9"),
        (None, "no narrower concept"),
    ],
)
def test_words(expression: str | None, said: str) -> None:
    labels = {
        BLADDER: "urinary bladder",
        "PATO:0001869": "pathological",
        "HP:0000014": "Abnormality of the bladder",
    }
    assert Words(labels).of(expression) == said


def test_labels_stand_behind_the_ids_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "logic.obo.gz"
    path.write_bytes(gzip.compress(OBO.encode()))
    assert comments(path) == {
        "HP:0000014": "Abnormality of the bladder",
        "PATO:0000001": "quality",
        BLADDER: "urinary bladder",
        "PATO:0000460": "abnormal",
    }
