"""Learn from gold or decisions, and use what was learned: a set with a name and versions, never changed.

    learn(workspace, gold="reviewed@now:agreed", ontology="hp", name="cases")
    annotate(workspace, corpus="rest", ontology="hp", learned="cases")

What people answered blind, as units of a frame, never teaches: an estimate that rests on those answers must
not come from a run that has seen them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.concepts.learned import Curve, Lesson, System, check, choose, gain, learning_curve, teach
from core.concepts.learned.counts import is_silenced
from core.concepts.learned.curve import LEAST
from core.concepts.lexicon import Lexicon
from core.errors import InputError
from core.pipeline.lessons import Lessons, corpus_of
from core.pipeline.prepare import root_of
from core.records import Curie
from core.records.learned import Gain, Head, Known, LearnedSet
from core.store import corpora, learned, ontologies
from core.store.names import check_name
from core.store.workspace import Workspace


@dataclass(frozen=True)
class LearnReport:
    """What was learned, for whoever asked for it."""

    learned: str
    """`NAME@VERSION`"""
    gold: str
    corpus: str
    documents: int
    blind: int
    """Documents, and answers in others, that were left out because they are answered blind."""
    names: int
    """That join the dictionary."""
    silenced: int
    """Words of the dictionary that were wrong so often that they say nothing any more."""
    head: Head | None
    """None: too little to learn from, or it brought nothing sure on held-out documents."""
    hypernyms: str | None
    """What becomes of more general concepts, where a rule for that surely brought something."""
    gain: Gain


def learn(
    workspace: Workspace,
    *,
    gold: str,
    ontology: str,
    name: str,
    corpus: str | None = None,
    root: Curie | None = None,
    announce: Callable[[str], None] | None = None,
) -> LearnReport:
    """Learn names and a keep/drop head from gold, measure what they bring on held-out documents, store them.

    Args:
        gold: a gold reference (`core.store.gold`).
        ontology: `NAME` or `NAME@VERSION`.
        corpus: whose decisions; default the only one in which somebody has decided.
        root: only concepts below this one; default the ontology's own root.
        announce: told what is being done.

    Raises:
        InputError: nothing can be learned from this gold, or the name cannot be used.
        NotFoundError: no such gold, corpus, ontology or root.
    """
    check_name("learned set", name)
    row = ontologies.find_ontology(workspace, ontology)
    root = root_of(workspace, row, root)
    chosen = corpus_of(workspace, gold, corpus)
    tell = announce or (lambda _: None)
    tell("Reading the ontology")
    read = Lessons.read(workspace, gold, chosen, row, root)
    lexicon, lessons = read.lexicon, read.all()
    if not lessons:
        raise InputError(
            f"{read.standard.reference} tells nothing about a concept of {row.reference} in corpus {chosen!r}"
            " that could be learned from. Review some labels first, or name other gold."
        )
    tell(f"Learning from {len(lessons)} documents")
    known, head, system, measured = _learned(lexicon, lessons, tell)
    made = LearnedSet(
        ontology=row.reference,
        ontology_sha256=row.sha256,
        root=root,
        gold=read.standard.reference,
        corpus=chosen,
        documents=tuple(sorted(corpora.text_digest(lesson.text) for lesson in lessons)),
        known=known,
        head=head,
        hypernyms=system if system == "keep_named_apart" or system == "drop" else None,
        gain=measured,
    )
    with workspace.write() as db:
        kept = learned.add(db, name, made)
    return _report(kept.reference, made, read.blind)


def _report(reference: str, made: LearnedSet, blind: int) -> LearnReport:
    return LearnReport(
        learned=reference,
        gold=made.gold,
        corpus=made.corpus,
        documents=len(made.documents),
        blind=blind,
        names=sum(one.name is not None for one in made.known),
        silenced=sum(map(is_silenced, made.known)),
        head=made.head,
        hypernyms=made.hypernyms,
        gain=made.gain,
    )


def _learned(
    lexicon: Lexicon, lessons: Sequence[Lesson], tell: Callable[[str], None]
) -> tuple[tuple[Known, ...], Head | None, System, Gain]:
    """Names; the head, or what becomes of more general concepts, where it surely brings something on held-out
    documents; and what all brings there."""
    known, head = teach(lexicon, lessons)
    tell("Measuring on documents that are held out")
    checked = check(lexicon, lessons)
    if head is None:
        checked = checked._replace(head=checked.names)
    system = choose(checked)
    return known, head if system == "head" else None, system, gain(checked, system)


def curve(
    workspace: Workspace,
    *,
    gold: str,
    ontology: str,
    corpus: str | None = None,
    root: Curie | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Curve:
    """What more review brings, measured on held-out documents of this gold (`core.concepts.learned.curve`).
    Nothing is stored.

    Args:
        gold: a gold reference (`core.store.gold`).
        ontology: `NAME` or `NAME@VERSION`.
        corpus: whose decisions; default the only one in which somebody has decided.
        root: only concepts below this one; default the ontology's own root.
        progress: told how many of how many steps are done.

    Raises:
        InputError: there are too few documents.
        NotFoundError: no such gold, corpus, ontology or root.
    """
    row = ontologies.find_ontology(workspace, ontology)
    chosen = corpus_of(workspace, gold, corpus)
    read = Lessons.read(workspace, gold, chosen, row, root_of(workspace, row, root))
    documents = read.costed()
    if len(documents) < LEAST:
        raise InputError(
            f"{read.standard.reference} tells of {len(documents)} documents of corpus {chosen!r}. A learning"
            f" curve needs {LEAST}: review some more first."
        )
    return learning_curve(read.lexicon, documents, progress)
