"""Task 4 of BioDivergence: does the written explanation say what reconciles the two claims
(metric-definitions 9.5)?

Packages and options are fixed (R32): sacrebleu's corpus BLEU-4 with tokeniser 13a, case kept, exponential
smoothing and one reference; ROUGE-L over the tokens of rouge-score, no stemmer. An empty hypothesis scores 0
everywhere and stays in. Pairs without a reference are skipped and counted. No pair left: every value
undefined (rule N0).

Slot overlap (R33) asks whether the hypothesis names the structured answer in words. A template filled from
gold fields scores near 1 by construction: never rank it with real systems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.metrics.bootstrap import Floats
from core.metrics.definition import Family, Metric
from core.metrics.pair_scores import Lists
from core.metrics.sums import Scored, divide, scored

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

_SOURCE = "BioDivergence (paper 004), section 7.1, K.1 and C.2; metric-definitions 9.5"
_N0 = "No pair with a reference: undefined. An empty hypothesis scores 0."

FAMILY = Family(
    title="Reconciliation (task 4)",
    item="a claim pair with a reference reconciliation",
    source=_SOURCE,
    undefined=_N0,
    metrics={
        "bleu": Metric(
            "BLEU",
            "How many word sequences does the wording share with the references, over all pairs together?",
            "corpus BLEU-4 / 100 by sacrebleu, nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp",
            source=_SOURCE + ", R32: not to be compared with Table 7 of the paper",
        ),
        "rouge_l": Metric(
            "ROUGE-L",
            "How much of the reference's words come in the same order?",
            "mean F of the longest common subsequence of tokens, as rouge-score defines it, no stemmer",
            source=_SOURCE + ", R32",
        ),
        "slot_overlap": Metric(
            "Slot overlap",
            "How much of the structured answer does the text name?",
            "mean of named slots / slots; slots = {conflict type} ∪ gold axes ∪ {confounder}, named if their"
            " words occur in a row as whole words",
            source=_SOURCE + ", R33",
        ),
        "bleu_sentence_mean": Metric(
            "BLEU, mean over pairs",
            "The same pair by pair, so that each counts alike?",
            "mean of sacrebleu's sentence BLEU, effective order on, / 100",
        ),
        "semsim": Metric(
            "Semantic similarity",
            "How close are hypothesis and reference in meaning, whatever their words?",
            "mean cosine of their sentence embeddings, each clipped to [0, 1]; the encoder's name is part of"
            " the value's name",
            undefined=_N0 + " Without an encoder it is not computed.",
        ),
    },
)
LEXICAL = ("bleu", "rouge_l", "slot_overlap", "bleu_sentence_mean")
NO_REFERENCE = "No pair has a reference reconciliation."
SIGNATURE = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"

Encode = Callable[[Sequence[str]], npt.NDArray[np.floating[Any]]]
"""Texts -> vectors, shape (texts, dimensions); of any length, they are scaled here."""


class Encoder(NamedTuple):
    name: str
    encode: Encode


class Reconciled(NamedTuple):
    """Values of one pair, each in [0, 1]."""

    rouge_l: float
    slot_overlap: float
    bleu_sentence: float
    semsim: float | None


@dataclass(frozen=True, slots=True)
class ReconciliationScores:
    scores: Scored
    pairs: tuple[Reconciled | None, ...]
    """Of every pair given; None: it has no reference."""

    @property
    def skipped(self) -> int:
        """Pairs without a reference."""
        return self.pairs.count(None)


def versions() -> dict[str, str]:
    """Packages that define numbers here -> version, printed with every result."""
    return {name: version(name) for name in ("sacrebleu", "rouge-score")}


def score(
    hypotheses: Sequence[str],
    references: Sequence[str],
    slots: Sequence[Collection[str]],
    encoder: Encoder | None = None,
    *,
    index_lists: Lists = (),
    level: float = 0.95,
) -> ReconciliationScores:
    """Values of `LEXICAL`, and `semsim:NAME` with an encoder, over pairs in the same order.

    Args:
        references: blank: the pair is skipped.
        slots: gold conflict type, axes and confounder of each pair; never empty.

    Raises:
        ValueError: the three differ in length.
    """
    texts = list(zip(hypotheses, references, slots, strict=True))
    kept = [row for row, (_, reference, _) in enumerate(texts) if reference.strip()]
    alike = _similarities([texts[row][:2] for row in kept], encoder) if encoder else [None] * len(kept)
    found: list[Reconciled | None] = [None] * len(texts)
    table = np.zeros((len(texts), 15))
    for row, semsim in zip(kept, alike, strict=True):
        hypothesis, reference, named = texts[row]
        sentence, statistics = _bleu(hypothesis, reference)
        one = Reconciled(rouge_l(hypothesis, reference), slot_overlap(hypothesis, named), sentence, semsim)
        found[row] = one
        table[row] = (*statistics, one.rouge_l, one.slot_overlap, sentence, semsim or 0.0, 1.0)
    names = (*LEXICAL, *((f"semsim:{encoder.name}",) if encoder else ()))
    std = {
        name: float(np.std(table[kept, column])) if kept else None
        for name, column in zip((*LEXICAL[1:], *names[len(LEXICAL) :]), (10, 11, 12, 13), strict=False)
    }
    scores = scored(
        table,
        lambda sums: _statistic(sums)[:, : len(names)],
        names,
        n=lambda name: len(kept),
        reason=lambda name: NO_REFERENCE,
        std=std,
        index_lists=index_lists,
        level=level,
    )
    return ReconciliationScores(scores, tuple(found))


def slot_overlap(hypothesis: str, slots: Collection[str]) -> float:
    """Share of the slots whose words occur in the hypothesis in a row, as whole words, in [0, 1].

    Both are lower-cased; runs of `[a-z0-9]` are words, so `clinical_setting` is `clinical setting`.

    Raises:
        ValueError: no slots; a gold conflict type is always one.
    """
    wanted = {_words(slot) for slot in slots}
    if not wanted:
        raise ValueError("slot overlap needs at least the conflict type")
    said = f" {_words(hypothesis)} "
    return sum(f" {slot} " in said for slot in wanted) / len(wanted)


def _words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def rouge_l(hypothesis: str, reference: str) -> float:
    """F of the longest common subsequence of tokens: P = LCS / hypothesis, R = LCS / reference, in [0, 1]."""
    # rouge_score's scorer would load nltk for a stemmer that is not used; its tokens are the definition
    from rouge_score.tokenize import tokenize  # type: ignore[import-untyped]

    said, right = tokenize(hypothesis, None), tokenize(reference, None)
    common = _longest_common(said, right)
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(right)
    return 2 * precision * recall / (precision + recall)


def _longest_common(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence, one bit per word of `a` (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for i, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << i
    everything = (1 << len(a)) - 1
    open_bits = everything
    for word in b:
        match = open_bits & places.get(word, 0)
        open_bits = (open_bits + match | open_bits - match) & everything
    return len(a) - open_bits.bit_count()


@cache
def _scorer() -> BLEU:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize="13a", lowercase=False, smooth_method="exp", effective_order=True)


@lru_cache(maxsize=2**15)
def _bleu(hypothesis: str, reference: str) -> tuple[float, tuple[float, ...]]:
    """Sentence BLEU in [0, 1], and what corpus BLEU sums: matches and totals of 1- to 4-grams, lengths."""
    # kept, because most texts are the same before and after review
    one = _scorer().sentence_score(hypothesis, [reference])
    return min(1.0, one.score / 100), (*one.counts, *one.totals, one.sys_len, one.ref_len)


def corpus_bleu(sums: Floats) -> Floats:
    """Corpus BLEU in [0, 1] from sums of matches, totals, hypothesis and reference length: what sacrebleu
    computes from the same sums with exponential smoothing and no effective order, (rows, 10) -> (rows,)."""
    correct, total, said, right = sums[:, :4], sums[:, 4:8], sums[:, 8], sums[:, 9]
    missing = (correct == 0) & (total > 0)
    # the k-th order without a match counts as 1 / 2^k matches
    smoothed = np.where(missing, 0.5 ** np.cumsum(missing, axis=1), correct)
    precision = divide(smoothed, total, 0.0)
    defined = (precision > 0).all(axis=1) & (correct.sum(axis=1) > 0)
    mean = np.log(np.where(precision > 0, precision, 1.0)).mean(axis=1)
    short = np.where(said < right, 1 - divide(right, said, np.inf), 0.0)
    return np.where(defined, np.exp(mean + short), 0.0)


def _statistic(sums: Floats) -> Floats:
    """Sums -> BLEU, ROUGE-L, slot overlap, mean sentence BLEU, semsim, shape (rows, 15) -> (rows, 5)."""
    n = sums[:, 14]
    means = divide(sums[:, 10:14], n[:, None])
    return np.column_stack((np.where(n > 0, corpus_bleu(sums[:, :10]), np.nan), means))


def _similarities(texts: Sequence[tuple[str, str]], encoder: Encoder) -> list[float | None]:
    """Cosine of each hypothesis and reference, clipped to [0, 1]; 0 for an empty hypothesis."""
    said = [(h, r) for h, r in texts if h.strip()]
    if not said:
        return [0.0 for _ in texts]
    unique = list(dict.fromkeys(text for pair in said for text in pair))
    vectors = np.asarray(encoder.encode(unique), dtype=np.float64)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = divide(vectors, length, 0.0)
    row = {text: i for i, text in enumerate(unique)}
    return [float(np.clip(unit[row[h]] @ unit[row[r]], 0.0, 1.0)) if h.strip() else 0.0 for h, r in texts]
