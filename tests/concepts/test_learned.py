"""Names learned from gold: what joins the dictionary, what is silenced, and what stays as it was."""

import math

import numpy as np
import pytest

from core.concepts.learned import Lesson, Named, choose, learned_lexicon, teach
from core.concepts.learned.checking import Checked
from core.concepts.learned.counts import Counts, LikeIds, sure
from core.concepts.learned.features import FEATURES
from core.concepts.learned.teaching import examples, learn_names
from core.concepts.lexicon import Lexicon
from core.ontology.lineage import Lineage
from core.records import Concept, Synonym
from core.records.learned import Known

CONCEPTS = (
    Concept("X:1", "Phenotype"),
    Concept("X:2", "Seizure", synonyms=(Synonym("Fit", "RELATED"),), parents=("X:1",)),
    Concept("X:3", "Febrile seizure", parents=("X:2",)),
    Concept("X:4", "Ataxia", parents=("X:1",)),
)
PLAIN = Lexicon.build(CONCEPTS, root="X:1")


def said(lexicon: Lexicon, text: str) -> dict[str, float | None]:
    return {draft.concept: draft.confidence for draft in lexicon.annotate(text)}


def lesson(text: str, *present: str, named: tuple[tuple[str, str], ...] = ()) -> Lesson:
    return Lesson(text, frozenset(present), None, tuple(Named(c, quote, "ana") for c, quote in named))


LESSONS = [
    lesson("Her gait was wobbly, with unsteady gait.", "X:4", named=(("X:4", "unsteady gait"),)),
    lesson("An Unsteady  gait was seen.", "X:4", named=(("X:4", "Unsteady  gait"),)),
    lesson("He was fit and well."),
    lesson("She felt fit."),
    lesson("They were fit."),
    lesson("All fit."),
    lesson("A seizure.", "X:2", named=(("X:2", "seizure"),)),
]


def test_names_join_with_counts_and_whose_they_are() -> None:
    known, head = teach(PLAIN, LESSONS)
    assert head is None, "seven documents teach no head"
    by_words = {(one.concept, one.words): one for one in known}
    assert by_words["X:4", "unsteady gait"] == Known(
        concept="X:4", words="unsteady gait", kept=2, seen=2, name="Unsteady gait", by=("ana",)
    )
    assert by_words["X:2", "fit"].kept == 0
    assert by_words["X:2", "fit"].seen == 4
    assert by_words["X:2", "seizure"].name is None, "the ontology has it"


def test_what_was_learned_is_found_and_what_was_wrong_is_silent() -> None:
    learned = learned_lexicon(PLAIN, teach(PLAIN, LESSONS)[0])
    text = "Unsteady gaits; a fit; a seizure."
    assert said(PLAIN, text).keys() == {"X:2"}
    found = {draft.concept: draft for draft in learned.annotate(text)}
    assert found.keys() == {"X:4", "X:2"}
    assert found["X:4"].reason == (
        "'Unsteady gaits' matches a learned name 'Unsteady gait' but for plural, spelling or word order."
        " Right in 2 of 2 documents learned from."
    )
    assert said(learned, "He was fit.") == {}
    assert said(PLAIN, "He was fit.").keys() == {"X:2"}, "the plain lexicon stays as it is"


def test_a_person_silences_words_for_one_concept_or_for_all() -> None:
    known = teach(PLAIN, LESSONS)[0]
    for muted in (("X:4", "unsteady gait"), (None, "unsteady gait")):
        assert said(learned_lexicon(PLAIN, known, muted=[muted]), "An unsteady gait.") == {}
    other = learned_lexicon(PLAIN, known, muted=[("X:2", "unsteady gait")])
    assert said(other, "An unsteady gait.").keys() == {"X:4"}
    longer = learned_lexicon(PLAIN, (), muted=[("X:3", "febrile seizure")])
    assert said(longer, "A febrile seizure.").keys() == {"X:2"}, "the shorter name inside speaks"


def test_confidence_is_a_beta_binomial_mean() -> None:
    # prior of two documents at 0.6, then 3 of 4: (3 + 1.2) / 6
    assert sure((3, 4), 0.6) == pytest.approx(0.7)
    counts = Counts([Known(concept="X:4", words="unsteady gait", kept=3, seen=4)])
    assert counts.of(("X:4", "unsteady gait")) == (3, 4)
    assert counts.of(("X:4", "other")) == (0, 0)
    assert counts.of_concept("X:4") == (3, 4)


def test_ids_like_those_of_rejected_concepts_speak_against_a_concept() -> None:
    """By hand: two of 100 ids away weigh 1/e each; two concepts weigh the mean of all, a half, in as well."""
    ids = [f"X:{number:03}" for number in range(100)]
    known = [
        Known(concept=ids[10], words="a", kept=1, seen=1),
        Known(concept=ids[90], words="b", kept=0, seen=3),
    ]
    like = LikeIds(Lineage(ids, ()), Counts(known))
    near = math.exp(-1)
    assert like.share(ids[12]) == pytest.approx((near + 1) / (near + 2))
    assert like.share(ids[88]) == pytest.approx(1 / (near + 2))
    assert like.share(ids[10]) == pytest.approx(0.5), "its own answers tell nothing of its neighbours"
    assert LikeIds(Lineage(ids, ()), Counts(())).share(ids[0]) == 0.5


def test_a_document_does_not_teach_its_own_row() -> None:
    """A name that one document alone bears is not known when that document is an example."""
    lessons = [*LESSONS[1:], lesson("Odd walk.", "X:4", named=(("X:4", "Odd walk"),))]
    rows, kept, documents, missed = examples(PLAIN, lessons, folds=len(lessons))
    assert rows.shape == (len(kept), len(FEATURES))
    assert 0 not in documents, "'unsteady gait' is borne by this document alone now"
    assert len(lessons) - 1 not in documents
    assert missed == 2
    assert sorted(kept.tolist()) == [False, False, False, False, True]


def test_a_row_is_made_as_a_new_document_is_read() -> None:
    """A name that is wrong where it was not learned is in the rows as wrong; and words that are right in one
    document of two tell of both the same: what the documents of other folds say."""
    name = (("X:4", "swaying"),)
    lessons = [lesson("Swaying.", "X:4", named=name), lesson("A swaying crowd."), lesson("No doubt.")]
    rows, kept, documents, _ = examples(PLAIN, lessons, folds=3)
    assert (documents.tolist(), kept.tolist()) == ([1], [False])
    assert rows[0][FEATURES.index("by a learned name")] == 1
    lessons = [lesson("A fit.", "X:2"), lesson("A fit."), lesson("Fit.", "X:2"), lesson("A fit.")]
    rows, kept, _, _ = examples(PLAIN, lessons, folds=2)
    seen = rows[:, FEATURES.index("documents with the words (log)")]
    assert kept.tolist() == [True, True, False, False]
    assert seen == pytest.approx(math.log(3)), "two documents of the other fold"


def test_what_nobody_judged_teaches_nothing() -> None:
    half = [Lesson("A seizure with ataxia.", frozenset({"X:2"}), frozenset())]
    assert {one.concept for one in learn_names(PLAIN, half)} == {"X:2"}
    open_ = [Lesson("A seizure with ataxia.", frozenset(), None, unsettled=frozenset({"X:2"}))]
    assert {one.concept for one in learn_names(PLAIN, open_)} == {"X:4"}


def test_names_alone_are_kept_unless_another_is_surely_better() -> None:
    """One document in twenty gains: a head that may be chance is not kept. All gain alike: it is."""
    names = np.tile([6.0, 2.0, 2.0], (20, 1))
    once, always = names.copy(), names.copy()
    once[0] = (6, 1, 2)
    always[:, 1] = 1
    none = np.tile([0.0, 0.0, 8.0], (20, 1))
    assert choose(Checked(none, names, none, none, once)) == "names"
    assert choose(Checked(none, names, none, none, always)) == "head"
    assert choose(Checked(none, names, always, none, always)) == "keep_named_apart", "as good, and simpler"
    assert choose(Checked(none, none, none, none, none)) == "names"
