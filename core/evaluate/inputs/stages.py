"""The stage records of a run, read for the attribution of errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.concepts import STAGES
from core.evaluate.concept_scope import Scope
from core.metrics.stage_lists import ENTERED, Stages, Step
from core.records import Assertion, Curie, Verdict
from core.store import ontologies, runs
from core.store import steps as stored
from core.store.gold import parse_reviewed, verdicts
from core.store.workspace import Workspace

__all__ = ["Stages", "Step", "read_stages"]

_STATUSES: dict[str | None, Assertion] = {a.value: a for a in Assertion}


def read_stages(
    workspace: Workspace, run_id: str, scope: Scope | None = None, review: str | None = None
) -> Stages | None:
    """What each stage of a run did with each concept; None where it came from another tool and has none.

    Args:
        scope: whose alternative ids are read as current ones; default those of the run's ontology.
        review: `reviewed@NUMBER:POLICY` of those who confirm what the gold lacks; None: nobody.

    Raises:
        NotFoundError: no such run, curator or decision.
        InputError: no such form of `review`.
    """
    run = runs.find_run(workspace, run_id)
    ended = stored.ends(workspace, run_id)
    if run.kind != "concepts" or not ended:
        return None
    if scope is None:
        known = ontologies.alt_id_map(workspace, run.ontology_id) if run.ontology_id else {}
        scope = Scope(known)
    steps = _steps(workspace, run_id, scope.current)
    seen = sorted({stage for stage, _ in ended.values()})
    order = tuple(run.settings.get("stages") or sorted(seen, key=[*STAGES, *seen].index))
    failed = {doc_id: stage for doc_id, (stage, through) in ended.items() if not through}
    if run.status != "done":
        failed |= {d: order[0] for d in runs.predictions(workspace, run_id) if d not in ended}
    near: dict[str, dict[Curie, Step]] = {}
    for said in stored.near_misses(workspace, run_id):
        if (concept := scope.current(said.concept)) is not None:
            step = Step(said.stage, said.verdict, said.reason, None, said.name)
            near.setdefault(said.doc_id, {}).setdefault(concept, step)
    confirmed: dict[str, dict[Curie, Assertion]] | None = None
    if review is not None:
        number, policy = parse_reviewed(review)
        confirmed = {}
        for (doc_id, concept), status in verdicts(workspace, run.corpus, policy, number).present.items():
            confirmed.setdefault(doc_id, {})[scope.current(concept) or concept] = status
    return Stages(order, steps, failed, stored.discarded(workspace, run_id), near, confirmed)


def _steps(
    workspace: Workspace, run_id: str, current: Callable[[Curie], Curie | None]
) -> dict[str, dict[Curie, tuple[Step, ...]]]:
    """Of a concept that no stage recorded (an annotator in one pass), the proposal is its one step. Where no
    stage recorded a status, the step that brought it in gave it the proposal's."""
    ids, ways = _Ids(current), _Ways()
    found: dict[str, dict[Curie, tuple[Step, ...]]] = {}
    for record in stored.steps(workspace, run_id):
        if (now := ids[record[1]]) is not None:
            held = found.get(record[0]) or found.setdefault(record[0], {})
            held[now] = ways.onwards(held.get(now, ()), record[2:])
    for doc_id, concept, stage, assertion in stored.proposed(workspace, run_id):
        if (now := ids[concept]) is not None:
            held = found.get(doc_id) or found.setdefault(doc_id, {})
            held[now] = ways.proposed(held.get(now, ()), stage, assertion)
    return found


class _Ids(dict[Curie, Curie | None]):
    """Concept -> the id that now stands for it, None outside the scope; each is asked for once."""

    def __init__(self, current: Callable[[Curie], Curie | None]):
        self._current = current

    def __missing__(self, concept: Curie) -> Curie | None:
        now = self[concept] = self._current(concept)
        return now


class _Ways:
    """Most concepts go one of few ways through the stages: equal sequences of steps are one object, found by
    what was said before, and then."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], tuple[Step, ...]] = {}

    def onwards(self, before: tuple[Step, ...], said: tuple[Any, ...]) -> tuple[Step, ...]:
        """With one more record: its stage, verdict, reason, assertion and name."""
        key = (id(before), said)  # of an object that lives as long as this one, as a value or as ()
        found = self._known.get(key)
        if found is None:
            stage, verdict, reason, assertion, name = said
            step = Step(stage, verdict, reason, _STATUSES.get(assertion), name)
            found = self._known[key] = (*before, step)
        return found

    def proposed(self, before: tuple[Step, ...], stage: str, assertion: str) -> tuple[Step, ...]:
        """Once it was proposed, brought in by this stage with this status."""
        key = (id(before), stage, assertion)
        if key not in self._known:
            self._known[key] = _proposed(before, stage, _STATUSES[assertion])
        return self._known[key]


def _proposed(steps: tuple[Step, ...], stage: str, status: Assertion | None) -> tuple[Step, ...]:
    if not steps:
        return (Step(stage, Verdict.CANDIDATE, None, status),)
    if any(step.assertion for step in steps):
        return steps
    at = next((i for i, step in enumerate(steps) if step.verdict in ENTERED), 0)
    return (*steps[:at], steps[at]._replace(assertion=status), *steps[at + 1 :])
