"""Figures of the components of a run: candidates, sentences before they are merged, statuses."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, partial

import numpy as np

from core.charts import Cell, Chart, Table
from core.evaluate.families.inputs import Inputs, Mention, Mentions
from core.metrics.bootstrap import Floats, bounded, draws, resample
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.sentence_pairs import Integers, Pairs, pair_counts, sentence_pairs
from core.metrics.stage_lists import Stages, Step, entered, per_way
from core.metrics.sums import divide
from core.records import Assertion, Curie
from core.text.sentences import sentences

Places = dict[Curie, list[tuple[int, int]]]
_NO_STEPS: Mapping[Curie, Sequence[Step]] = {}
_STOP = re.compile(r"[.!?\n]")
"""Without any of these no sentence ends."""
_SURE = re.compile(r"[a-z]{7,}\.\s+[A-Z][a-z]")
"""Here one ends: no abbreviation is that long."""
NO_GOLD = "No complete document holds a gold concept."
NO_PLACES = "No gold mention of a complete document has a place in the text."
NONE_PROPOSED = "Nothing with a place in the text is proposed there."
NOT_BOTH = "No concept of a complete document is present on both sides."
_REASONS = {
    "candidate_recall": NO_GOLD,
    "sentence_recall": NO_PLACES,
    "sentence_precision": NONE_PROPOSED,
    "merging_loss": NONE_PROPOSED,
    "assertion_accuracy": NOT_BOTH,
}
COMPONENTS = tuple(_REASONS)
_TITLES = {
    "candidate_recall": "candidate recall",
    "sentence_recall": "recall per sentence",
    "sentence_precision": "precision per sentence",
    "merging_loss": "precision lost by merging",
    "assertion_accuracy": "assertion accuracy",
}


class Components:
    """Over complete documents."""

    def __init__(self, inputs: Inputs, stages: Stages):
        self.inputs, self.stages = inputs, stages
        known = inputs.known
        self.gold_mentions: Mentions = known.gold_mentions() if known.gold_mentions else {}
        self.mentions: Mentions = known.predicted_mentions() if known.predicted_mentions else {}

    @cached_property
    def _sums(self) -> Floats:
        """One row per complete document: gold concepts, of them candidates; pairs of gold, proposed, both;
        documents' right and proposed where gold has places; on both sides, of them equal."""
        rows = []
        candidate, never = per_way(entered), ()
        nothing: dict[Curie, Assertion] = {}
        for o in self.inputs.complete:
            gold = self.inputs.gold_statuses.get(o.doc_id, nothing)
            said = self.inputs.predicted_statuses.get(o.doc_id, nothing)
            held = self.stages.steps.get(o.doc_id, _NO_STEPS)
            came_up = sum([candidate(held.get(c, never)) for c in gold])
            labels = self.inputs.gold_labels.get(o.doc_id, frozenset())
            equal = [(c, status) in labels for c, status in said.items() if c in gold]
            rows.append((len(gold), came_up, len(o.tp), len(o.tp) + len(o.fp), len(equal), sum(equal)))
        sums = np.array(rows, dtype=np.float64).reshape(len(rows), 6)
        pairs = self._pair_counts()
        sums[pairs[:, 0] == 0, 2:4] = 0
        return np.concatenate([sums[:, :2], pairs, sums[:, 2:]], axis=1)

    def _pair_counts(self) -> Integers:
        """(sentence, concept) pairs of each complete document: gold, proposed, both; none where no gold
        mention has a place or the text is not known."""
        rows: list[tuple[int, int, int, bool]] = []
        codes: dict[Curie, int] = {}
        sides = ((self.gold_mentions, self.inputs.gold, False), (self.mentions, self.inputs.predicted, True))
        doc_ids = [o.doc_id for o in self.inputs.complete]
        for number, doc_id in enumerate(doc_ids):
            if doc_id not in self._texts:
                continue
            for mentions, counted, proposed in sides:
                concepts, before = counted[doc_id], len(rows)
                rows += [
                    (number, codes.setdefault(concept, len(codes)), start, proposed)
                    for start, end, concept, _, _ in mentions.get(doc_id, ())
                    if start is not None and end is not None and concept in concepts
                ]
                if len(rows) == before:
                    break  # without places in gold nothing counts
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        starts: dict[int, list[int]] = {}

        def apart(number: int, first: int, second: int) -> bool:
            text = self._texts[doc_ids[number]]
            if not _STOP.search(text, first, second):
                return False
            if _SURE.search(text, first, second + 2):
                return True
            if number not in starts:
                starts[number] = [s.start for s in sentences(text)]
            return bisect_right(starts[number], first) < bisect_right(starts[number], second)

        return pair_counts(len(doc_ids), columns[0], columns[1], columns[2], columns[3] > 0, apart)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return self.inputs.known.texts() if self.inputs.known.texts else {}

    def _pairs(self, doc_id: str) -> Pairs:
        """Of a complete document whose text is known; empty where no gold mention has a place."""
        gold = places(self.gold_mentions.get(doc_id, ()), self.inputs.gold[doc_id])
        if not gold or doc_id not in self._texts:
            return Pairs(frozenset(), frozenset())
        proposed = places(self.mentions.get(doc_id, ()), self.inputs.predicted[doc_id])
        return sentence_pairs(gold, proposed, [s.start for s in sentences(self._texts[doc_id])])

    def table(self) -> Table:
        found = self.estimates
        return Table.of(
            "Components",
            ("component", "value", "n"),
            [
                (_TITLES[name], Cell(found[name], name, partial(self._listed, of)), found[name].n)
                for name, of in _ITEMS.items()
            ],
            "components",
            chart=Chart("intervals", x="component", y=("value",)),
            note="n: complete documents that the value rests on. Intervals by bootstrap over documents. Per "
            "sentence: of what the run proposes in the end.",
            help={},
        )

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        sums, settings = self._sums, self.inputs.settings
        values = _components(sums.sum(axis=0, keepdims=True))[0]
        drawn = draws(len(sums), settings.bootstrap, settings.seed)
        resampled = resample(sums, _components, drawn)
        rests = (sums[:, [0, 2, 3, 3, 7]] > 0).sum(axis=0)
        found = {}
        for i, name in enumerate(COMPONENTS):
            if np.isnan(values[i]):
                no_places = name.startswith(("sentence", "merging")) and not sums[:, 2].any()
                found[name] = Estimate(None, 0, reason=NO_PLACES if no_places else _REASONS[name])
                continue
            found[name] = bounded(float(values[i]), int(rests[i]), resampled[:, i], settings.level)
        return found

    # --- items ---

    def _listed(self, of: Callable[[Components], Iterable[Item]]) -> list[Item]:
        return list(of(self))

    def _candidates(self) -> Iterable[Item]:
        for o in self.inputs.complete:
            steps = self.stages.steps.get(o.doc_id, {})
            for concept in sorted(self.inputs.gold_statuses.get(o.doc_id, {}), key=str):
                came_up = concept in steps and entered(steps[concept])
                yield Item(o.doc_id, concept, "candidate" if came_up else "no candidate")

    def _sentences(self, *, proposed: bool = True, gold: bool = True) -> Iterable[Item]:
        for o in self.inputs.complete:
            pairs = self._pairs(o.doc_id)
            chosen = (pairs.gold if gold else frozenset()) | (pairs.proposed if proposed else frozenset())
            for number, concept in sorted(chosen, key=lambda pair: (str(pair[1]), pair[0])):
                sides = ((number, concept) in pairs.gold, (number, concept) in pairs.proposed)
                outcome = "tp" if all(sides) else "fn" if sides[0] else "fp"
                yield Item(o.doc_id, concept, outcome, f"sentence {number + 1}")

    def _statuses(self) -> Iterable[Item]:
        for o in self.inputs.complete:
            gold = self.inputs.gold_statuses.get(o.doc_id, {})
            said = self.inputs.predicted_statuses.get(o.doc_id, {})
            for concept in sorted(gold.keys() & said.keys(), key=str):
                labels = self.inputs.gold_labels[o.doc_id]
                equal = (concept, said[concept]) in labels
                right = " and ".join(status for status in Assertion if (concept, status) in labels)
                detail = f"gold {right}, proposed {said[concept]}"
                yield Item(o.doc_id, concept, "equal" if equal else "confused", detail)


_ITEMS: dict[str, Callable[[Components], Iterable[Item]]] = {
    "candidate_recall": Components._candidates,
    "sentence_recall": lambda made: made._sentences(proposed=False),
    "sentence_precision": lambda made: made._sentences(gold=False),
    "merging_loss": Components._sentences,
    "assertion_accuracy": Components._statuses,
}


def _components(sums: Floats) -> Floats:
    """Sums over documents (rows, 9) -> the values of `COMPONENTS` (rows, 5); NaN: undefined."""
    gold, came_up, said, proposed, right, doc_right, doc_proposed, both, equal = sums.T
    per_sentence = divide(right, np.where(said > 0, proposed, 0))
    return np.column_stack(
        (
            divide(came_up, gold),
            divide(right, said),
            per_sentence,
            per_sentence - divide(doc_right, doc_proposed),
            divide(equal, both),
        )
    )


def places(mentions: Iterable[Mention], concepts: AbstractSet[Curie] | None = None) -> Places:
    """Concept -> places in the text, of these concepts (None: all)."""
    found: Places = {}
    for mention in mentions:
        wanted = concepts is None or mention.concept in concepts
        if wanted and mention.start is not None and mention.end is not None:
            found.setdefault(mention.concept, []).append((mention.start, mention.end))
    return found
