"""A curator at a desk, without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from core import review
from core.store import Workspace


class Seat:
    """A curator's browser, of whichever desk, that takes a few items at a time and answers each at once."""

    def __init__(self, workspace: Workspace, curator: str, filters: Any, verdict: Callable[[int], str]):
        self.workspace, self.curator, self.filters, self.verdict = workspace, curator, filters, verdict
        self.queue: str | None = None
        self.held: list[int] = []
        self.views: dict[int, dict[str, Any]] = {}
        self.replies: list[dict[str, Any]] = []
        self.answered: list[int] = []

    def say(self, *events: dict[str, Any], want: int = 0) -> dict[str, Any]:
        sent = {"desk": self.curator, "queue": self.queue, "held": self.held, "want": want, "beat": True}
        reply = json.loads(
            json.dumps(
                review.serve(self.workspace, {**sent, "events": list(events)}, self.filters, self.curator)
            )
        )
        assert not reply["problem"]
        assert not reply["refused"]
        self.queue = reply["queue"]
        self.held += [item for item in reply["page"] if item not in self.held]
        self.views |= {one["id"]: one for sheet in reply["passages"] for one in sheet["items"]}
        self.replies.append(reply)
        return reply

    def decide(self) -> None:
        """Answer the item at hand."""
        item = self.held.pop(0)
        view, action = self.views[item], self.verdict(item)
        assert view["mine"] == []
        event = {
            "cid": f"{self.curator}-{item}",
            "kind": self.filters.kind,
            "workspace": review.identity(self.workspace),
            "curator": self.curator,
            "action": action,
            "item": item,
            "ms": 900,
            "passage": view["passage"],
            "concept": view["concept"],
            "shown": [one["id"] for one in view["proposals"]],
            "proposal": view["proposals"][0]["id"] if action == "accept" else None,
            "note": f"Only {self.curator} wrote this.",
        }
        self.say(event)
        self.answered.append(item)

    def work(self) -> bool:
        """A few items; False where there are none."""
        self.say(want=3)
        some = bool(self.held)
        while self.held:
            self.decide()
        return some
