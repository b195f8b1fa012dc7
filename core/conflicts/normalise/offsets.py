"""Where each character of a normalised text comes from.

A text is changed by edits, step after step; the map from the newest text back to the first one is carried
along. Characters that an edit takes out leave a gap between the originals of two runs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from core.records.claims import OffsetMap

Edit = tuple[int, int, str]
"""(start, end, what stands there instead), end > start."""
Run = tuple[int, int, int, int]


def unchanged(text: str) -> OffsetMap:
    """The map of a text on itself."""
    return ((0, len(text), 0, len(text)),) if text else ()


def edited(text: str, offsets: OffsetMap, edits: Iterable[Edit]) -> tuple[str, OffsetMap]:
    """A text after some edits, and its map to where `offsets` leads from `text`.

    Args:
        edits: ascending, without overlap. One that cuts a run that maps as a whole takes in all of the run.
    """
    parts: list[str] = []
    runs: list[Run] = []
    done = new = 0
    for start, end, instead in [*_whole(text, offsets, edits), (len(text), len(text), "")]:
        for run in offsets[_at(offsets, done) :] if done < start else ():
            if run[0] >= start:
                break
            _append(runs, _moved(_cut(run, done, start), new - done))
        new += start - done
        parts += (text[done:start], instead)
        if instead:
            _append(runs, (new, new + len(instead), *original_span(offsets, start, end)))
            new += len(instead)
        done = end
    return "".join(parts), tuple(runs)


def _straight(run: Run) -> bool:
    """Whether a run maps character by character."""
    return run[1] - run[0] == run[3] - run[2]


def _cut(run: Run, start: int, end: int) -> Run:
    """The part of a run that lies between two places; all of one that maps as a whole."""
    if not _straight(run):
        return run
    first, last = max(start, run[0]), min(end, run[1])
    return first, last, run[2] + first - run[0], run[2] + last - run[0]


def _moved(run: Run, by: int) -> Run:
    return run[0] + by, run[1] + by, run[2], run[3]


def _append(runs: list[Run], run: Run) -> None:
    """Add a run; one that goes on where the last one ends, character by character, makes it longer."""
    if runs:
        last = runs[-1]
        if last[3] == run[2] and _straight(last) and _straight(run):
            runs[-1] = (last[0], run[1], last[2], run[3])
            return
    runs.append(run)


def _whole(text: str, offsets: OffsetMap, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits, each stretched over the runs it cuts that map as a whole, and joined where they meet."""
    blocks: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        first, last = offsets[_at(offsets, edit[0])], offsets[_at(offsets, edit[1] - 1)]
        start = edit[0] if _straight(first) else first[0]
        end = edit[1] if _straight(last) else last[1]
        if blocks and start < blocks[-1][1]:
            begin, stop, inside = blocks.pop()
            inside.append(edit)
            blocks.append((begin, max(stop, end), inside))
        else:
            blocks.append((start, end, [edit]))
    for start, end, inside in blocks:
        parts: list[str] = []
        done = start
        for begin, stop, instead in inside:
            parts += (text[done:begin], instead)
            done = stop
        yield start, end, "".join(parts) + text[done:end]


def _at(offsets: OffsetMap, position: int) -> int:
    """Number of the run that a character of the text lies in."""
    return bisect_right(offsets, position, key=lambda run: run[0]) - 1


def original_span(offsets: OffsetMap, start: int, end: int) -> tuple[int, int]:
    """The part of the original that text[start:end] was made from: the smallest span that holds the origin of
    each of its characters, with whatever was taken out between them.

    Raises:
        ValueError: not 0 <= start < end <= length of the text.
    """
    if not (offsets and 0 <= start < end <= offsets[-1][1]):
        raise ValueError(f"there is no span {start} to {end} in a text of {offsets[-1][1] if offsets else 0}")
    first, last = offsets[_at(offsets, start)], offsets[_at(offsets, end - 1)]
    return _cut(first, start, end)[2], _cut(last, start, end)[3]


def normalised_span(offsets: OffsetMap, start: int, end: int) -> tuple[int, int] | None:
    """The part of the text that was made from original[start:end]; None where nothing is left of it."""
    found: list[int] = []
    for run in offsets[max(0, bisect_right(offsets, start, key=lambda run: run[2]) - 1) :]:
        if run[2] >= end:
            break
        low, high = max(run[2], start), min(run[3], end)
        if low < high:
            by = run[0] - run[2]
            found += (low + by, high + by) if _straight(run) else run[:2]
    return (found[0], found[-1]) if found else None


_FOREIGN = re.compile(r"[^\x00-\x7f]+(?:[ \xa0][^\x00-\x7f]+)*")


def differences(before: str, after: str) -> list[Edit]:
    """Edits that make one text of another, where nobody tells them and ASCII mostly stays: between two
    stretches of ASCII that are found again, in order, a stretch of other characters became what stands there.
    What it began and ended with stays, too.
    """
    edits: list[Edit] = []
    done = there = 0
    found = list(_FOREIGN.finditer(before))
    for number, foreign in enumerate(found):
        start = foreign.start()
        there += start - done
        stop = found[number + 1].start() if number + 1 < len(found) else len(before)
        # a space may have been taken for half a character: it need not be found again
        for end in (foreign.end(), foreign.end() + 1):
            plain = before[end:stop]
            place = after.find(plain, there) if plain or stop < len(before) else len(after)
            if end <= stop and place >= 0:
                break
        else:
            break
        if before[start:end] != after[there:place]:
            edits.append(_trimmed(before, (start, end, after[there:place])))
        done, there = end, place
    rebuilt = "".join(_applied(before, edits))
    return edits if rebuilt == after else _wordwise(before, after)


def _trimmed(text: str, edit: Edit) -> Edit:
    """An edit without what stays at its two ends; a character of the text at least remains."""
    start, end, instead = edit
    begun = _same(text[start : end - 1], instead)
    start, instead = start + begun, instead[begun:]
    ended = _same(text[start + 1 : end][::-1], instead[::-1])
    return start, end - ended, instead[: len(instead) - ended]


def _same(one: str, other: str) -> int:
    """Length of what two texts begin with."""
    differing = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


def _applied(text: str, edits: Sequence[Edit]) -> Iterator[str]:
    done = 0
    for start, end, instead in edits:
        yield text[done:start]
        yield instead
        done = end
    yield text[done:]


_TOKEN = re.compile(r"[A-Za-z0-9]+|.", re.DOTALL)


def _wordwise(before: str, after: str) -> list[Edit]:
    """The same for any two texts, `before` not empty: words that are the same stay. Slow."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    starts, targets = _starts(old), _starts(new)
    edits: list[Edit] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        start, end, instead = starts[a], starts[b], after[targets[c] : targets[d]]
        if start == end:  # what came in new belongs to the word before it, or behind it at the very start
            start, end = (starts[a - 1], end) if a else (start, starts[b + 1])
            instead = before[start:end] + instead if a else instead + before[start:end]
        if edits and edits[-1][1] > start:
            last = edits.pop()
            start, instead = last[0], last[2] + instead[last[1] - start :]
        edits.append((start, end, instead))
    return edits


def _starts(tokens: Sequence[str]) -> list[int]:
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    return starts
