"""The claims of articles, one article at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.conflicts.cues import find_cues
from core.conflicts.extract.abbreviations import long_forms
from core.conflicts.extract.alone import alone, is_boilerplate
from core.conflicts.extract.entities import entities_of
from core.conflicts.extract.kinds import claim_type_of, is_trial
from core.conflicts.extract.score import LEAST, confidences
from core.conflicts.extract.sections import in_sections
from core.conflicts.extract.slots import slots_of
from core.conflicts.finding.direction import is_negated
from core.conflicts.identity import claim_id
from core.conflicts.stance import corrected
from core.records import Article, Claim, Cue, Normalised
from core.records.claims import ALONE, BOILERPLATE


def run(
    articles: Iterable[Normalised], *, least: float = LEAST
) -> Iterator[tuple[Normalised, tuple[Claim, ...]]]:
    """Every article with its claims in the order of the text, none for an article without.

    Args:
        least: confidence from which a sentence is a claim, in [0, 1].
    """
    for normalised in articles:
        yield normalised, claims_of(normalised.article, least=least)


def claims_of(article: Article, *, least: float = LEAST) -> tuple[Claim, ...]:
    """The claims of one normalised article."""
    sentences = in_sections(article.text, article.sections)
    trial = is_trial(f"{article.title or ''}\n{article.text}")
    longer = long_forms(f"{article.title or ''}\n{article.text}")
    sure = confidences([(article.text[s.start : s.end], s.section) for s in sentences])
    found = []
    before: str | None = None
    for sentence, confidence in zip(sentences, sure, strict=True):
        text, said = article.text[sentence.start : sentence.end], before
        before = text
        if confidence < least:
            continue
        slots = slots_of(text)
        if is_boilerplate(text):
            slots[BOILERPLATE] = True
        elif resolved := alone(text, article.text, article.title, said):
            slots[ALONE] = resolved
        found.append(
            Claim(
                claim_id=claim_id(article.uid, article.text, sentence.start, sentence.end),
                article_uid=article.uid,
                domain=article.domain,
                start=sentence.start,
                end=sentence.end,
                text=text,
                sentence_start=sentence.whole.start,
                sentence_end=sentence.whole.end,
                claim_type=claim_type_of(text, trial=trial),
                confidence=round(confidence, 4),
                section=sentence.section,
                direction=corrected(text),
                negated=is_negated(text),
                entities=entities_of(text, longer),
                slots=slots,
                cues=_moved(find_cues(text), sentence.start),
                year=article.year,
                journal=article.journal,
                passage_id=article.passage_id,
            )
        )
    return tuple(found)


def _moved(cues: list[Cue], by: int) -> tuple[Cue, ...]:
    return tuple(replace(cue, start=cue.start + by, end=cue.end + by) for cue in cues)
