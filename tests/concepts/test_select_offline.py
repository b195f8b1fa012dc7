"""Stage 5 offline: quality from how sure labels are and what they cover."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.concepts import select
from core.records import Candidate, Quality, Verdict
from tests.concepts.offline_parts import records, run, start, tools


def rated(sure: float | None, missed: int = 0, labels: int = 1) -> tuple[Quality | None, bool]:
    made = start("Text.")
    for number in range(missed):
        made = made.record("generate", Verdict.UNMATCHED, name=str(number))
    candidates = tuple(Candidate(f"T:{i}", "Label", name="label", confidence=sure) for i in range(labels))
    (judged,) = select.run([replace(made, candidates=candidates)], tools())
    return judged.quality, judged.retained


@pytest.mark.parametrize(
    ("sure", "missed", "labels", "quality", "retained"),
    [
        (0.9, 0, 1, Quality.EXCELLENT, True),
        (0.9, 1, 1, Quality.GOOD, True),  # 0.9 x 1/2
        (None, 0, 1, Quality.GOOD, True),
        (0.3, 0, 1, Quality.AVERAGE, True),
        (0.3, 3, 1, Quality.POOR, False),  # 0.3 x 1/4 = 0.075
        (0.3, 9, 1, Quality.VERY_POOR, False),  # 0.3 x 1/10
        (0.9, 3, 9, Quality.EXCELLENT, True),  # 0.9 x 9/12
    ],
)
def test_tiers(sure: float | None, missed: int, labels: int, quality: Quality, retained: bool) -> None:
    assert rated(sure, missed, labels) == (quality, retained)


def test_a_passage_without_labels_stays_unrated() -> None:
    assert rated(0.9, 5, 0) == (None, True)


def test_a_plain_passage_is_kept_with_a_record() -> None:
    made = run("She had seizures and ataxia, but no cataract.", "generate classify relabel select")
    assert made.quality is Quality.EXCELLENT
    (record,) = records(made, "select", "rated")
    assert record.payload == {"quality": "excellent", "retained": True}
    assert record.concept is None
