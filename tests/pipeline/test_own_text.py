"""A text that somebody tries: what is refused, how it is cut, and how it is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.concepts.lexicon import Lexicon
from core.errors import InputError, WorkspaceError
from core.pipeline.own_text import LONGEST, keep, pieces, readable
from core.records import Assertion
from core.store import Workspace, corpora, ontologies, queue, runs
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, add_corpus, furnish, ontology

LEXICON = Lexicon.build(ontology().concepts)
TEXT = "He had a seizure, but no cataract. Hypotonia was suspected."


@pytest.mark.parametrize("text", ["", "  \n\t ", "\r\n"])
def test_nothing_is_no_text(text: str) -> None:
    with pytest.raises(InputError, match="The text is empty"):
        readable(text)


def test_a_long_text_is_refused_with_its_length() -> None:
    assert readable("x" * LONGEST) == "x" * LONGEST
    with pytest.raises(InputError, match=r"abstract A has 200,000 characters; at most 20,000"):
        readable("x" * 200_000, "abstract A")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ab\x00c", r"a control character, the first one \(U\+0000\) at character 3"),
        ("\x1b[31mred\x1b[0m", r"2 control characters, the first one \(U\+001B\) at character 1"),
        ("half \ud83d of one", r"a control character, the first one \(U\+D83D\) at character 6"),
    ],
)
def test_what_nobody_can_have_typed_is_named_by_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        readable(text)


def test_ends_of_lines_tabs_and_letters_of_any_script_stay() -> None:
    assert readable("  one\r\ntwo\rthree\tfour 癫痫 ﷺ 🧠 \n") == "one\ntwo\nthree\tfour 癫痫 ﷺ 🧠"


def test_the_text_is_cut_where_a_mention_begins_or_ends() -> None:
    found = pieces(TEXT, LEXICON.annotate(TEXT))
    assert "".join(one.text for one in found) == TEXT
    assert [(one.text, one.names, one.assertion) for one in found if one.names] == [
        ("seizure", ("Seizure",), Assertion.AFFIRMED),
        ("cataract", ("Cataract",), Assertion.NEGATED),
        ("Hypotonia", ("Hypotonia",), Assertion.UNCERTAIN),
    ]


def test_a_concept_inside_the_words_of_another_one_is_named_after_it() -> None:
    text = "A focal-onset seizure began 🧠 in sleep."
    named = {one.text: one.names for one in pieces(text, LEXICON.annotate(text)) if one.names}
    assert named == {"focal-onset ": ("Focal-onset seizure",), "seizure": ("Focal-onset seizure", "Seizure")}


def test_a_kept_text_is_a_corpus_with_a_run_like_any_other(workspace: Workspace) -> None:
    furnish(workspace)
    name = keep(workspace, TEXT, "mini@1")
    assert name == "own-text-1"
    assert corpora.confidential(workspace, name)
    (passage,) = corpora.passages(workspace, name)
    assert (passage.text, passage.title) == (TEXT, TEXT)
    (run,) = [one for one in queue.run_names(workspace) if one.corpus == name]
    assert run.done
    assert {c: s.value for c, s in runs.predictions(workspace, run.id)[name].items()} == {
        SEIZURE: "affirmed",
        CATARACT: "negated",
        HYPOTONIA: "uncertain",
    }


def test_the_same_text_is_kept_once_and_another_one_beside_it(workspace: Workspace) -> None:
    ontologies.add_ontology(workspace, ontology())
    add_corpus(workspace, {"d1": TEXT}, "ward")  # the same text, but nobody tried it there
    first = keep(workspace, TEXT, "mini@1")
    before = workspace.db.execute("SELECT count(*) FROM proposals").fetchone()[0]
    assert keep(workspace, TEXT, "mini@1") == first
    assert workspace.db.execute("SELECT count(*) FROM proposals").fetchone()[0] == before
    assert keep(workspace, "No seizure.", "mini@1") == "own-text-2"


def test_another_vocabulary_makes_another_run_of_the_same_text(workspace: Workspace) -> None:
    ontologies.add_ontology(workspace, ontology())
    keep(workspace, TEXT, "mini@1")
    for later in (replace(ontology(), version="2", sha256="1" * 64), ontology("other")):
        ontologies.add_ontology(workspace, later)
        for _ in range(2):
            assert keep(workspace, TEXT, f"{later.name}@{later.version}") == "own-text-1"
    found = queue.run_names(workspace)
    assert [(run.corpus, run.done) for run in found] == [("own-text-1", True)] * 3


def test_a_workspace_to_look_at_only_keeps_nothing(workspace: Workspace) -> None:
    ontologies.add_ontology(workspace, ontology())
    workspace.read_only = True
    with pytest.raises(WorkspaceError, match="Not saved"):
        keep(workspace, TEXT, "mini@1")
    assert corpora.list_corpora(workspace) == []
