"""What every kind of item goes through: proposed, decided, undone, settled, exported, taken in, scored.

python -m tests.kinds.contract grade     # in a checkout that has such a kind
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.exchange import add_decisions, export
from core.kinds import KINDS
from core.records import Action, Decision, ErrorAnswer, ErrorType, ItemKind, NewDecision
from core.review import desk
from core.review.events import identity
from core.review.views import VIEWS
from core.review.walks.concept import Filters
from core.review.walks.listing import ListingFilters
from core.review.walks.pair import PairFilters
from core.store import Workspace, decisions, gold, open_workspace, proposals, runs
from core.store.chain import verify
from core.store.settled import settled
from tests.review import audit_ward
from tests.store import making, pairing

Fields = dict[str, Any]


@dataclass(frozen=True)
class Saying:
    """What a curator says of an item."""

    action: Action
    fields: Callable[[Fields], Fields] = lambda item: {}
    """What the page sends beside the action, of an item as it shows it."""


@dataclass(frozen=True)
class Case:
    """A kind, in a small workspace."""

    build: Callable[[Workspace], Any]
    """Makes a run that proposes something."""
    filters: Any
    corpus: str
    second: Saying
    """Another answer than the first."""
    first: Saying = field(default_factory=lambda: Saying(Action.ACCEPT))
    answer: Any = None
    """What the first says; None: what is proposed."""


def _fixed_concept(item: Fields) -> Fields:
    answer = {"concept": item["concept"], "assertion": "uncertain", "class": "explicit", "spans": []}
    return {"answer": answer}


def _fixed_pair(item: Fields) -> Fields:
    return {"answer": {"comparable": False, "conflict_type": "no_conflict"}}


def _error(error: ErrorType) -> Saying:
    return Saying(Action.CLASSIFY_ERROR, lambda item: {"answer": {"error": error.value}})


def _curators(workspace: Workspace) -> None:
    for name in making.CURATORS:
        decisions.add_curator(workspace, name, name.title())


def _errors(workspace: Workspace) -> None:
    _curators(workspace)
    audit_ward.furnish(workspace)


def _changes(workspace: Workspace) -> None:
    """Another curator has found one in an audit."""
    _curators(workspace)
    item = audit_ward.furnish(workspace)[0]
    answer = ErrorAnswer(ErrorType.MISSING_GOLD)
    new = NewDecision("found", "beta", Action.CLASSIFY_ERROR, item_id=item, answer=answer)
    assert decisions.append(workspace, [new])[0].refused is None


def _pairs(workspace: Workspace) -> None:
    _curators(workspace)
    pairing.pair_up(workspace)


def _grades(workspace: Workspace) -> None:
    from core.kinds.grade import Grade  # type: ignore[import-not-found]

    house = making.furnish(workspace, 2)
    with workspace.write() as db:
        runs.begin_run(
            db,
            "graded",
            kind="imported",
            source="rules",
            corpus_id=house.corpus_id,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
        places = [(passage, "grade-plainness") for passage in house.passages]
        held = proposals.items(db, "grade", places)
        stated = KINDS["grade"].stated(Grade("grade-plainness", 4))
        proposals.insert(db, "graded", [(held[place], stated, {}) for place in places])
        runs.finish_run(db, "graded")


def _grade_filters() -> Any:
    from core.review.views.grade import GradeFilters  # type: ignore[import-not-found]

    return GradeFilters("cases")


CASES: dict[str, Callable[[], Case]] = {
    ItemKind.CONCEPT: lambda: Case(
        making.furnish, Filters("cases"), "cases", Saying(Action.FIX, _fixed_concept)
    ),
    ItemKind.PAIR: lambda: Case(
        _pairs, PairFilters(pairing.CORPUS), pairing.CORPUS, Saying(Action.FIX, _fixed_pair)
    ),
    ItemKind.ERROR: lambda: Case(
        _errors,
        ListingFilters("error", "ward", "ward"),
        "ward",
        _error(ErrorType.MISSING_GOLD),
        _error(ErrorType.TRIGGER),
        ErrorAnswer(ErrorType.TRIGGER),
    ),
    ItemKind.GOLD_CHANGE: lambda: Case(
        _changes, ListingFilters("gold_change", "ward"), "ward", Saying(Action.REJECT)
    ),
    "grade": lambda: Case(
        _grades, _grade_filters(), "cases", Saying(Action.FIX, lambda item: {"answer": {"grade": 2}})
    ),
}


class Page:
    """A browser, as far as the server can tell."""

    def __init__(self, workspace: Workspace, kind: str, case: Case, curator: str) -> None:
        self.workspace, self.kind, self.case, self.curator = workspace, kind, case, curator
        self.sent = 0

    def serve(self, *events: dict[str, Any], **more: Any) -> dict[str, Any]:
        raw = json.loads(json.dumps({"desk": self.curator, "events": events, **more}))
        reply = desk.serve(self.workspace, raw, self.case.filters, self.curator)
        assert reply["problem"] is None
        assert reply["refused"] == {}
        return dict(json.loads(json.dumps(reply)))

    def do(self, item: dict[str, Any], action: str, **fields: Any) -> dict[str, Any]:
        self.sent += 1
        shown = [one["id"] for one in item["proposals"]]
        return self.serve(
            {
                "kind": self.kind,
                "cid": f"{self.curator}-{self.sent}",
                "workspace": identity(self.workspace),
                "curator": self.curator,
                "action": action,
                "item": item["id"],
                "passage": item["passage"],
                "concept": item["concept"],
                "shown": shown,
                "proposal": shown[0],
                **fields,
            }
        )


def settled_by(workspace: Workspace, kind: str, corpus: str, curator: str) -> dict[str, Any]:
    """Subject -> what agrees with the answer of a curator: of a concept its status in gold."""
    if kind == ItemKind.CONCEPT:
        held = gold.gold_set(workspace, f"reviewed@now:curator={curator}", corpus)
        return {f"{doc} {c}": status for doc, by in held.documents.items() for c, status in by.items()}
    found = settled(workspace, corpus, kind, f"curator={curator}")
    said = {subject: KINDS[kind].said(answer) for subject, answer in found.answers.items()}
    return dict.fromkeys(found.rejected) | said


def of_alpha(workspace: Workspace) -> list[Decision]:
    return [one for one in decisions.standing(workspace) if one.curator == "alpha"]


def walk(kind: str, folder: Path) -> None:
    """Raises AssertionError where a kind does not do what every kind does."""
    case = CASES[kind]()
    with open_workspace(folder / "one.db") as workspace:
        case.build(workspace)
        page = Page(workspace, kind, case, "alpha")
        first = page.serve(want=2)
        sheet = next(s for s in first["passages"] if any(i["id"] == first["page"][0] for i in s["items"]))
        item = next(i for i in sheet["items"] if i["id"] == first["page"][0])
        [proposed, *_] = VIEWS[kind].held(workspace, [item["id"]])[item["id"]]
        first_said = case.answer or VIEWS[kind].proposed(workspace, proposed)
        reply = page.do(item, case.first.action, **case.first.fields(item))
        assert reply["progress"]["mine"] == 1
        [stored] = of_alpha(workspace)
        assert (stored.kind, stored.subject, stored.answer) == (kind, item["concept"], first_said)
        before = settled_by(workspace, kind, case.corpus, "alpha")
        assert len(before) == 1
        page.do(item, "undo", undoes=stored.number)
        assert of_alpha(workspace) == []
        page.do(item, case.second.action, **case.second.fields(item))
        [stored] = of_alpha(workspace)
        assert stored.action is case.second.action
        # scored: what people settled differs from what was said first
        assert stored.answer is None or KINDS[kind].said(stored.answer) != KINDS[kind].said(first_said)
        after = settled_by(workspace, kind, case.corpus, "alpha")
        assert (after.keys(), after) != (before.keys(), before)
        assert after.keys() == before.keys()
        assert verify(workspace).problems == ()
        export(workspace, "decisions", folder / "log.jsonl")
        export(workspace, "decisions", folder / "log.csv")
        history = page.serve()["history"]
        assert [row["action"] for row in history] == [case.second.action.value]
    for name in ("log.jsonl", "log.csv"):
        with open_workspace(folder / f"{name}.db") as other:
            case.build(other)
            assert add_decisions(other, folder / name).stored == 3
            assert settled_by(other, kind, case.corpus, "alpha") == after
            assert of_alpha(other)[0].answer == stored.answer
            assert verify(other).problems == ()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        walk(sys.argv[1], Path(place))
    print(f"{sys.argv[1]}: proposed, decided, undone, settled, exported, taken in, scored")
