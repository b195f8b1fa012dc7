"""Stage 4 offline: the rules of the task profile."""

from __future__ import annotations

from tests.concepts.offline_parts import labels, records, run, tools

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
