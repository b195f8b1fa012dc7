"""What the kinds share of which frames ask some items blind: before any machine answer is seen.

Which items these are is told by the frames and by what the curator has answered before, never by the page.
Source: review-budget, section 5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from core.errors import InputError
from core.records import JUDGEMENTS, Action, NewDecision
from core.review.views.view import View
from core.review.walks.walk import Ids
from core.store import Workspace
from core.store.blind import blind_among, blind_of

BLIND = "Blind check: answer before any machine answer is seen."
"""Why the curator sees an item of which the sheet holds nothing that a machine said."""


def _answers(event: Any) -> bool:
    return event.item is not None and event.action in JUDGEMENTS


class BlindView(View):
    """A kind of which frames ask some items blind."""

    def is_blind(self, workspace: Workspace, event: Any) -> bool:
        """One that names proposals is not, whatever it claims: they were on the screen before the frame was
        opened."""
        named = bool(event.shown or event.proposal)
        return _answers(event) and not named and bool(blind_among(workspace, event.curator, [event.item]))

    def decision(self, workspace: Workspace, event: Any) -> NewDecision:
        """An event that claims to be blind and is not had all proposals of its item on the screen."""
        blind = self.is_blind(workspace, event)
        if blind and event.action is Action.ACCEPT and event.answer is None:
            raise InputError(
                "A blind check shows no proposal, so there is none to accept. Give an answer of your own."
            )
        if blind or not event.blind or not _answers(event):
            return super().decision(workspace, event.model_copy(update={"blind": blind}))
        held = self.held(workspace, [event.item]).get(event.item, [])
        shown = tuple(one.id for one in held)
        new = super().decision(workspace, event.model_copy(update={"blind": False, "shown": shown}))
        fixes = new.action is Action.ACCEPT and new.answer not in [
            self.proposed(workspace, one) for one in held
        ]
        return replace(new, action=Action.FIX) if fixes else new

    def without_blind(self, workspace: Workspace, order: Ids, curator: str) -> Ids:
        """A queue chosen by what machines say: that a blind item passes would tell its answer."""
        return order[~np.isin(order, list(blind_of(workspace, curator)))]
