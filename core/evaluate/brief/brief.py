"""One question, and what the articles of a corpus find: for, against, undecided; what splits them, what
people decided, what is missing. Findings and sides are read by rule; labels of pairs say who made them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from core.conflicts.cues import find_cues
from core.conflicts.finding.terms import content
from core.errors import InputError
from core.evaluate.brief.gaps import missing
from core.evaluate.brief.records import Brief, Line, PairLine, Split
from core.evaluate.brief.sides import Side, asked, side, sign, study_size
from core.evaluate.brief.topic import about_topic, topic_of
from core.formats.rows import shown
from core.kinds.names import called
from core.records import (
    Axis,
    CandidatePair,
    Claim,
    ConflictType,
    ItemKind,
    Origin,
    PairAnswer,
    PairLabel,
    PairSort,
)
from core.store import Workspace, corpora, documents, pairs, runs
from core.store import claims as stored
from core.store.blind import blind_among
from core.store.rows import chunks
from core.store.settled import Settled, settled

MOST = 60
"""Findings of a side that are told; the rest is counted."""
VALUES = 3
"""Things that a side says along an axis, at most."""
SMALL = 1_000
"""Pairs of a run on which a brief is there at once."""
CONSIDERED, QUESTIONS, WORDS = 12, 5, 6
"""Questions that are tried, those told to begin with, and words of one, at most."""
_MADE_BY = {Origin.MODEL: "a model", Origin.HEURISTIC: "a rule", Origin.PERSON: "a person, as imported"}


def brief(
    workspace: Workspace, corpus: str, about: str, run: str | None = None, curator: str | None = None
) -> Brief:
    """The brief of a question on one corpus.

    Args:
        about: a question in plain words, or the id of a concept.
        run: of claim pairs; None: the newest of the corpus that found claims.
        curator: who reads it and still decides: what others said of pairs that they are to answer blind is
            left out. None: a reader of results.

    Raises:
        NotFoundError: no such corpus, run or concept.
        InputError: no run of the corpus has claims, or none is about the question.
    """
    topic, made = topic_of(workspace, about), _run(workspace, corpus, run)
    titles = documents.titles(workspace, corpora.corpus(workspace, corpus).id)
    found = about_topic(workspace, topic, made, titles)
    if not found:
        raise InputError(
            f"No claim of run {made} is about {shown(topic.question)}. Use fewer words, or words that "
            "abstracts use."
        )
    signs = {claim.id: sign(claim) for claim in found}
    supposed = asked(topic.question, signs.values())
    at = {claim.id: side(signs[claim.id], supposed) for claim in found}
    reading = _Reading(workspace, made, curator, titles, settled(workspace, corpus, ItemKind.PAIR))
    held = reading.pairs(at.keys())
    lines = {one: reading.lines([c for c in found if at[c.id] is one], held) for one in Side}
    split = [p for p in held if {at[p.a.id], at[p.b.id]} == {Side.FOR, Side.AGAINST}]
    return Brief(
        question=topic.question,
        corpus=corpus,
        run=made,
        gold=reading.verdicts.reference,
        sides={one: of[:MOST] for one, of in lines.items()},
        counts={one: len(of) for one, of in lines.items()},
        articles=len({claim.article_uid for claim in found}),
        splits=reading.splits(split, at),
        decided=reading.decided(held),
        missing=tuple(
            missing(
                lines,
                pairs=len(held),
                between=len(split),
                unexplained=sum(reading.is_conflict(p) and not reading.axes_of(p) for p in split),
                settled=sum(p.pair_id in reading.verdicts.answers for p in held),
            )
        ),
        items=tuple(pair.item_id for pair in held),
    )


def _run(workspace: Workspace, corpus: str, run: str | None) -> str:
    corpora.corpus(workspace, corpus)
    if run is not None:
        found = runs.find_run(workspace, run)
        if found.proposes != ItemKind.PAIR or found.corpus != corpus:
            raise InputError(f"Run {run!r} is not one of claim pairs on the corpus {corpus}.")
        return found.id
    if newest := _newest(workspace, corpus):
        return newest.id
    raise InputError(
        f"Nobody has looked for claims in the corpus {corpus}. Run `touchstone run conflicts --corpus "
        f"{corpus} --offline` first."
    )


def _newest(workspace: Workspace, corpus: str) -> runs.Run | None:
    """The newest run of a corpus that found claims."""
    known = [
        one for one in runs.list_runs(workspace) if one.proposes == ItemKind.PAIR and one.corpus == corpus
    ]
    return next((one for one in reversed(known) if stored.claim_counts(workspace, one.id)), None)


def questions(workspace: Workspace, corpus: str) -> tuple[str, ...]:
    """Questions to begin with: words that both claims of a pair share, those that most axes split first.

    None where no run of the corpus has claims, or one has so many pairs that a brief takes its time.
    """
    run = _newest(workspace, corpus)
    if run is None or runs.proposals(workspace, run) > SMALL:
        return ()
    found = (_shared(pair) for pair in pairs.pairs(workspace, run.id, order=PairSort.LIKELIHOOD))
    likeliest = islice(dict.fromkeys(filter(None, found)), CONSIDERED)
    split = {one: len(brief(workspace, corpus, one, run.id).splits) for one in likeliest}
    return tuple(sorted(split, key=split.__getitem__, reverse=True)[:QUESTIONS])


def _shared(pair: CandidatePair) -> str | None:
    """As the first claim writes them; None where they are too few to tell what a claim is about."""
    both = content(pair.a.text) & content(pair.b.text)
    words = [word.strip(".,;:()") for word in pair.a.text.split()]
    telling = list(dict.fromkeys(word for word in words if len(word) > 2 and content(word) & both))
    return " ".join(telling[:WORDS]) if len(telling) > 1 else None


class _Reading:
    """What the workspace holds about some claims of a run."""

    def __init__(
        self, workspace: Workspace, run: str, curator: str | None, titles: dict[int, str], verdicts: Settled
    ) -> None:
        self._workspace, self._run, self._curator, self._titles = workspace, run, curator, titles
        self.verdicts = verdicts
        self._labels: dict[int, PairLabel] = {}
        self._hidden: set[int] = set()
        self._bodies: dict[int, str] = {}

    def pairs(self, claim_ids: Iterable[int]) -> list[CandidatePair]:
        """Pairs of two of these claims, the likeliest conflict first."""
        held = pairs.pairs_among(self._workspace, self._run, claim_ids)
        held.sort(key=lambda p: (-(p.likelihood.value if p.likelihood else -1.0), -p.scores.combined, p.id))
        items = [pair.item_id for pair in held]
        for part in chunks(items, 200):
            for item, labels in pairs.labels_of_items(self._workspace, part).items():
                own = [one for one in labels if one.run == self._run]
                if own:
                    self._labels[item] = own[0].label
        if self._curator:
            self._hidden = blind_among(self._workspace, self._curator, items)
        return held

    def lines(self, found: Sequence[Claim], held: Sequence[CandidatePair]) -> tuple[Line, ...]:
        """Findings, those first that stand in the likeliest conflict; then the newest."""
        self._bodies |= stored.bodies(self._workspace, (claim.text_id for claim in found))
        of: dict[int, list[tuple[int, CandidatePair]]] = {}
        for rank, pair in enumerate(held):
            for claim in (pair.a, pair.b):
                of.setdefault(claim.id, []).append((rank, pair))
        last = len(held)
        ordered = sorted(
            found, key=lambda c: (of[c.id][0][0] if c.id in of else last, -(c.year or 0), c.key())
        )
        return tuple(
            Line(
                claim_id=claim.claim_id,
                quote=claim.text,
                study=self._study(claim),
                article=claim.article_uid,
                journal=claim.journal or None,
                n=study_size(self._bodies[claim.text_id]),
                year=claim.year,
                pairs=tuple(self._pair(pair, claim) for _, pair in of.get(claim.id, ())),
            )
            for claim in ordered
        )

    def _study(self, claim: Claim) -> str:
        return self._titles.get(claim.passage_id) or claim.article_uid

    def _pair(self, pair: CandidatePair, of: Claim) -> PairLine:
        other = pair.b if pair.a.id == of.id else pair.a
        label, blind = self._labels.get(pair.item_id), pair.item_id in self._hidden
        said = "to be answered blind" if blind else self._said(label)
        return PairLine(
            item_id=pair.item_id,
            pair_id=pair.pair_id,
            other=other.text,
            other_study=self._study(other),
            likelihood=pair.likelihood.word if pair.likelihood else None,
            label=said,
            reconciliation=label.reconciliation if label and not blind else "",
            decided=None if blind else self._verdict(pair.pair_id),
        )

    @staticmethod
    def _said(label: PairLabel | None) -> str:
        if label is None:
            return "not labelled yet"
        axes = ", ".join(called(axis) for axis in label.axes)
        kind = called(label.conflict_type) + (f" ({axes})" if axes else "")
        return f"{kind}, says {_MADE_BY[label.origin]}"

    def _verdict(self, pair_id: str) -> str | None:
        v = self.verdicts
        if pair_id in v.answers:
            answer: PairAnswer = v.answers[pair_id]
            axes = ", ".join(called(axis) for axis in answer.axes)
            return called(answer.conflict_type) + (f" ({axes})" if axes else "")
        for name, of in (("unusable", v.rejected), ("people differ", v.disputed), ("unsure", v.unsure)):
            if pair_id in of:
                return name
        return None

    def axes_of(self, pair: CandidatePair) -> tuple[Axis, ...]:
        """As people settled them, else as the machine says; none where the pair is no conflict."""
        if pair.item_id in self._hidden:
            return ()
        answer = self.verdicts.answers.get(pair.pair_id)
        label = answer or self._labels.get(pair.item_id)
        return label.axes if label and pair.pair_id not in self.verdicts.rejected else ()

    def splits(self, between: Sequence[CandidatePair], at: dict[int, Side]) -> tuple[Split, ...]:
        counts = Counter(axis for pair in between for axis in self.axes_of(pair))
        order = sorted(counts, key=lambda axis: (-counts[axis], list(Axis).index(axis)))
        return tuple(
            Split(
                called(axis),
                counts[axis],
                *(self._values(between, axis, at, one) for one in (Side.FOR, Side.AGAINST)),
            )
            for axis in order
        )

    def _values(
        self, between: Sequence[CandidatePair], axis: Axis, at: dict[int, Side], of: Side
    ) -> tuple[str, ...]:
        """What the abstracts of one side say along an axis: the claim's own words first."""
        found: Counter[str] = Counter()
        claims = {c.id: c for p in between for c in (p.a, p.b) if axis in self.axes_of(p)}
        for claim in claims.values():
            if at[claim.id] is of:
                own = [cue.quote for cue in claim.cues if cue.axis is axis]
                around = find_cues(self._bodies[claim.text_id]) if not own else []
                found.update(set(own or [cue.quote for cue in around if cue.axis is axis]))
        return tuple(words for words, _ in found.most_common(VALUES))

    def decided(self, held: Sequence[CandidatePair]) -> tuple[tuple[str, int], ...]:
        seen = [pair for pair in held if pair.item_id not in self._hidden]
        said = Counter(
            called(self.verdicts.answers[p.pair_id].conflict_type)
            if p.pair_id in self.verdicts.answers
            else self._verdict(p.pair_id) or "nobody decided yet"
            for p in seen
        )
        if len(seen) < len(held):
            said["to be answered blind"] = len(held) - len(seen)
        return tuple(sorted(said.items(), key=lambda row: (row[0] == "nobody decided yet", -row[1], row[0])))

    def is_conflict(self, pair: CandidatePair) -> bool:
        label = self.verdicts.answers.get(pair.pair_id) or self._labels.get(pair.item_id)
        return label is not None and label.conflict_type is not ConflictType.NO_CONFLICT
