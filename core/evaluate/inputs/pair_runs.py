"""What a workspace knows of claim pairs, in the shape that scores are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from core.errors import InputError, NotFoundError
from core.evaluate.families.pair_inputs import GoldPair, PairGold, PairPredictions, Said
from core.metrics.conflict_spans import Claims, Marked
from core.metrics.pair_labels import Label
from core.records import CandidatePair, ConflictType, ItemKind, Origin, PairAnswer, PairLabel, Span
from core.store import pair_imports, pairs, runs
from core.store.runs import Run
from core.store.settled import ANY, Settled, settled
from core.store.workspace import Workspace

IMPORTED, REVIEWED = "imported:", "reviewed@"
VERSION = 12
"""Hex digits of a run's digest that are the version of an imported gold run."""


class RunPairs(NamedTuple):
    """The pairs of a run and their silver labels: the model's, else the heuristic's. Some may have none."""

    run: Run
    pairs: dict[str, CandidatePair]
    """Pair id -> pair."""
    labels: dict[str, PairLabel]
    by_rule: dict[str, ConflictType]
    """Pair id -> the type that the heuristic names, beside a model's."""


def pairs_of_run(workspace: Workspace, run_id: str) -> RunPairs:
    """Raises NotFoundError for an unknown run, InputError for one that is not about claim pairs."""
    run = runs.find_run(workspace, run_id)
    if run.proposes != ItemKind.PAIR:
        raise InputError(f"Run {run_id} labels {run.kind}, not claim pairs. Choose a run of kind conflicts.")
    found = {pair.item_id: pair for pair in pairs.pairs(workspace, run_id)}
    labels: dict[str, PairLabel] = {}
    by_rule: dict[str, ConflictType] = {}
    for label in pairs.labels(workspace, run_id):  # of a pair the model's comes first
        if label.item_id in found:
            pair_id = found[label.item_id].pair_id
            labels.setdefault(pair_id, label.label)
            if label.label.origin is Origin.HEURISTIC:
                by_rule[pair_id] = label.label.conflict_type
    return RunPairs(run, {pair.pair_id: pair for pair in found.values()}, labels, by_rule)


def predictions(found: RunPairs, verdicts: Settled | None = None) -> PairPredictions:
    """What a run says; with verdicts, corrected: a settled pair has the answer that people gave.

    A pair that people found unusable keeps its label, for that verdict names no other one.
    """
    said = {
        pair_id: of_label(found.pairs[pair_id], label)._replace(
            confidence=label.confidence, level=_level(label, found.by_rule.get(pair_id))
        )
        for pair_id, label in found.labels.items()
    }
    mended = {pair_id for pair_id, label in found.labels.items() if label.repaired}
    name = found.run.id
    if verdicts is not None:
        settled = {
            pair_id: of_answer(pair, verdicts.answers[pair_id])._replace(level=4)
            for pair_id, pair in found.pairs.items()
            if pair_id in verdicts.answers
        }
        said |= settled
        mended -= settled.keys()
        name = f"{name}, reviewed"
    return PairPredictions(name, said, repaired=len(mended))


def _level(label: PairLabel, by_rule: ConflictType | None) -> int:
    """How far a label was looked at (`families.pair_slices`)."""
    if label.origin is Origin.PERSON:
        return 4
    if label.origin is Origin.HEURISTIC:
        return 0
    if label.repaired:
        return 1
    return 3 if by_rule is label.conflict_type else 2


def of_label(pair: CandidatePair, label: PairLabel) -> Said:
    spans = (_marked(pair, span.side, span.start, span.end, span.quote) for span in label.evidence)
    return Said(
        Label(label.conflict_type, frozenset(label.axes), label.confounder),
        label.reconciliation,
        tuple(spans),
    )


def of_answer(pair: CandidatePair, answer: PairAnswer) -> Said:
    return Said(
        Label(answer.conflict_type, frozenset(answer.axes), answer.confounder),
        answer.reconciliation,
        (*_answered(pair, "a", answer.spans_a), *_answered(pair, "b", answer.spans_b)),
    )


def _answered(pair: CandidatePair, side: str, spans: Iterable[Span]) -> Iterator[Marked]:
    return (_marked(pair, side, span.start, span.end, span.quote) for span in spans)


def _marked(pair: CandidatePair, side: str, start: int | None, end: int | None, quote: str) -> Marked:
    """From the frame of the normalised abstract to that of the claim; what lies outside it marks nothing."""
    of: Literal["a", "b"] = "a" if side == "a" else "b"
    claim = pair.a if of == "a" else pair.b
    if start is None or end is None:
        return Marked(of, None, None, quote)
    return Marked(of, start - claim.start, end - claim.start, quote)


# --- gold ---------------------------------------------------------------------------------------------------


def references(workspace: Workspace, run_id: str) -> list[str]:
    """Every gold that a run of pairs can be scored against: imported runs that hold pairs of it, then
    reviews of its corpus. For reviews that is whoever answered, each curator, and of several those that they
    agree on."""
    run = runs.find_run(workspace, run_id)
    own = pair_imports.pair_ids(workspace, run_id)
    found = [
        f"{IMPORTED}{other.id}@{(other.digest or '')[:VERSION]}"
        for other in runs.list_runs(workspace)
        if other.id != run_id
        and _is_gold(other)
        and not own.isdisjoint(pair_imports.pair_ids(workspace, other.id))
    ]
    answered = settled(workspace, run.corpus, ItemKind.PAIR)
    people = sorted({c for pair_id, by in answered.curators.items() if pair_id in own for c in by})
    if people:
        found.append(f"{REVIEWED}now:{ANY}")
        found += [f"{REVIEWED}now:curator={who}" for who in people]
    if len(people) > 1:
        found += [f"{REVIEWED}now:agreed", f"{REVIEWED}now:adjudicated"]
    return found


def _is_gold(run: Run) -> bool:
    return run.proposes == ItemKind.PAIR and run.status == "done" and bool(run.settings.get("imported"))


def reviewed_gold(found: RunPairs, verdicts: Settled) -> PairGold:
    """The pairs of a run that people settled, as they settled them."""
    own = found.pairs
    return PairGold(
        reference=verdicts.reference,
        pairs={
            pair_id: _gold_pair(own[pair_id], of_answer(own[pair_id], answer))
            for pair_id, answer in verdicts.answers.items()
            if pair_id in own
        },
        excluded=len((verdicts.unsure | verdicts.disputed) & own.keys()),
        rejected=len(verdicts.rejected & own.keys()),
        unpaired=len(verdicts.answers.keys() - own.keys()),
    )


def imported_gold(workspace: Workspace, reference: str, found: RunPairs) -> PairGold:
    """The pairs that an imported run shares with another, as its file labelled them.

    Raises:
        NotFoundError: no imported run of that name and version.
        InputError: one of its labels did not fit the schema.
    """
    asked = reference.removeprefix(IMPORTED)
    chosen = next((run for run in _gold_runs(workspace) if asked in _names(run)), None)
    if chosen is None:
        known = [f"{IMPORTED}{_names(run)[1]}" for run in _gold_runs(workspace)]
        raise NotFoundError("imported run of claim pairs", reference, known)
    gold = pairs_of_run(workspace, chosen.id)
    mended = sorted(pair_id for pair_id, label in gold.labels.items() if label.repaired)
    if mended:
        raise InputError(
            f"Run {chosen.id} cannot be gold: {len(mended)} of its labels did not fit the schema and were"
            f" made to fit, first that of {mended[0]}. Correct the file and add it again under another name."
        )
    shared = [pair_id for pair_id in gold.labels if pair_id in found.pairs]
    return PairGold(
        reference=f"{IMPORTED}{_names(chosen)[1]}",
        pairs={
            pair_id: _gold_pair(found.pairs[pair_id], of_label(gold.pairs[pair_id], gold.labels[pair_id]))
            for pair_id in shared
        },
        ungrounded=sum(s.start is None for p in shared for s in gold.labels[p].evidence),
        unpaired=len(gold.labels) - len(shared),
    )


def _gold_runs(workspace: Workspace) -> list[Run]:
    return [run for run in runs.list_runs(workspace) if _is_gold(run)]


def _names(run: Run) -> tuple[str, str]:
    """What a gold run may be called by: its id, and its id with its version."""
    return run.id, f"{run.id}@{(run.digest or '')[:VERSION]}"


def _gold_pair(pair: CandidatePair, said: Said) -> GoldPair:
    return GoldPair(
        pair_id=pair.pair_id,
        domain=pair.domain,
        articles=(pair.a.article_uid, pair.b.article_uid),
        claims=Claims(pair.a.text, pair.b.text),
        said=said,
        item=pair.item_id,
    )
