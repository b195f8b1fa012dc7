"""What a workspace comes to in one sentence, for whoever opens it.

    found = headline(workspace)
    found.sentence()        # "308 machine labels on 40 passages. 13 checked by people; about 69 of 100 are
                            #  right (60 to 77)."
    found.squares()         # (60, 23, 17): right, wrong and unknown, of 100

It speaks of one run: the newest finished one with answers to a frame of it; else the newest with any answer;
else the one that proposes most. What is tried with own texts counts only where there is nothing else. A share
of all labels is told only where they were drawn (`core.evaluate.estimated`), or where all are checked: what
people chose to look at says nothing sure about the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.evaluate.estimated import Estimated, estimated
from core.kinds import KINDS
from core.records import ItemKind
from core.store import corpora, frames, queue, runs
from core.store.decisions import chain_head
from core.store.frame_answers import checked
from core.store.workspace import Workspace

SQUARES = 100


@dataclass(frozen=True, slots=True)
class Headline:
    """What one run proposes, and how much of it is known to be right."""

    run: str
    corpus: str
    pairs: bool
    """Whether its labels are those of claim pairs."""
    labels: int
    passages: int
    right: int
    """Labels that the answers leave as they are."""
    wrong: int
    unsure: int
    whole: Estimated | None = None
    """Of a frame of the run with answers from its front; None: there is none, or all labels are checked."""

    @property
    def checked(self) -> int:
        return self.right + self.wrong + self.unsure

    @property
    def is_whole(self) -> bool:
        """Whether every label is known to be right or wrong."""
        return self.right + self.wrong == self.labels > 0

    def bounds(self) -> tuple[int, int, int] | None:
        """(about, at least, at most) how many of 100 labels are right; None: nothing tells."""
        if self.is_whole:
            share = round(SQUARES * self.right / self.labels)
            return share, share, share
        if self.whole is None:
            return None
        found = self.whole.headline
        if found.value is None or found.low is None or found.high is None:
            return None
        return round(SQUARES * found.value), round(SQUARES * found.low), round(SQUARES * found.high)

    def sentence(self) -> str:
        """The headline, in one or two plain sentences."""
        noun = "claim pair" if self.pairs else "passage"
        said = f"{_many(self.labels, 'machine label')} on {_many(self.passages, noun)}."
        if not self.checked:
            return f"{said} Nobody has checked any yet."
        who = "All" if self.checked == self.labels else f"{self.checked:,}"
        bounds = self.bounds()
        if bounds is None:
            return f"{said} {who} checked by people: {self._counted()}."
        about, least, most = bounds
        if self.is_whole:
            return f"{said} {who} checked by people: {about} of 100 are right."
        return f"{said} {who} checked by people; about {about} of 100 are right ({least} to {most})."

    def _counted(self) -> str:
        told = ((self.right, "right"), (self.wrong, "wrong"), (self.unsure, "unsure"))
        first, *rest = [(n, word) for n, word in told if n]
        verb = "is" if first[0] == 1 else "are"
        return ", ".join([f"{first[0]:,} {verb} {first[1]}", *(f"{n:,} {word}" for n, word in rest)])

    def rests_on(self) -> str:
        """What the figures rest on, as a sentence."""
        if not self.checked:
            return "Check some of them, and this page tells how good they are."
        if self.is_whole:
            return "Every label is checked, so this is exact."
        if self.whole is None:
            return (
                "These were not drawn at random, so they say nothing sure about the rest. Whole run, on the"
                " page Metrics, draws a random order to check in."
            )
        drawn, of = f"{self.whole.counted:,}", f"{self.whole.frame.size:,}"
        noun = {"item": "label", "pair": "claim pair"}.get(self.whole.frame.noun, "passage")
        said = f"From {drawn} {noun}s that were drawn at random from {of} and checked."
        if self.bounds() is None:
            return f"{said} They are too few to tell how many of all labels are right."
        if "negated" not in self.whole.frame.scope.get("assertions", ["negated"]):
            return f"{said} It speaks of what is said to be there, not of what is said to be absent."
        return said

    def squares(self) -> tuple[int, int, int]:
        """(right, wrong, unknown) of 100 squares. Of drawn labels the interval says how many are surely
        right, and how many surely wrong; else what is checked does. What there is has a square at least."""
        if bounds := self.bounds():
            _, least, most = bounds
            return least, SQUARES - most, most - least
        right, wrong = (_share(n, self.labels) for n in (self.right, self.wrong))
        return right, wrong, SQUARES - right - wrong


def _share(n: int, of: int) -> int:
    """Squares for n of so many: one at least for any, and never all but for all."""
    return 0 if not n else min(max(round(SQUARES * n / of), 1), SQUARES if n == of else SQUARES - 2)


def _many(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def headline(workspace: Workspace) -> Headline | None:
    """The headline of a workspace; None where no finished run proposes anything."""
    number = chain_head(workspace)[0]
    own = {one.name for one in corpora.list_corpora(workspace) if one.domain == corpora.OWN_TEXTS}
    for kind in KINDS:  # the first of which a run proposes something
        done = [one for one in reversed(queue.run_names(workspace, kind)) if one.done]
        for of_own in (False, True):
            names = [one.id for one in done if (one.corpus in own) == of_own]
            if found := _of(workspace, names, number):
                return found
    return None


def _of(workspace: Workspace, names: list[str], number: int) -> Headline | None:
    """That of the run to speak of, among finished ones, newest first."""
    framed = {frame.run for frame in _of_all(workspace)} if number else set()
    for name in (one for one in names if one in framed):
        found = _made(workspace, name, number)
        if found.whole or found.is_whole:
            return found
    unchecked = []
    for name in names:
        found = _made(workspace, name, number)
        if found.checked:
            return found
        unchecked.append(found)
    return max((one for one in unchecked if one.labels), key=lambda one: one.labels, default=None)


def _made(workspace: Workspace, name: str, number: int) -> Headline:
    run = runs.find_run(workspace, name)
    said = list(checked(workspace, run, number).values()) if number else []
    pairs, labels = run.proposes == ItemKind.PAIR, runs.proposals(workspace, run)
    passages = labels if pairs else corpora.corpus(workspace, run.corpus).passages
    found = Headline(
        *(run.id, run.corpus, pairs, labels, passages),
        *(said.count(True), said.count(False), said.count(None)),
    )
    return replace(found, whole=_whole(workspace, run.id)) if said and not found.is_whole else found


def _of_all(workspace: Workspace, run: str | None = None) -> list[frames.Frame]:
    """Frames of a run, or of all runs, that are drawn from all that it proposes."""
    return [frame for frame in frames.list_frames(workspace, run) if "root" not in frame.scope]


def _whole(workspace: Workspace, run: str) -> Estimated | None:
    """From the frame of the whole run of which most is counted, if any is."""
    found = [estimated(workspace, frame.name) for frame in _of_all(workspace, run)]
    return max((one for one in found if one.counted), key=lambda one: one.counted, default=None)
