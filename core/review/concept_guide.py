"""What a curator of concept labels goes by: the four classes and the three statuses, each with an example.

Which classes there are, and what tells them apart, is that of HI-ALD (paper 000, section 3.2); sentences and
examples are ours. The prompt of the classify stage draws the same lines.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from core.kinds.names import NAMES
from core.records import Assertion, ConceptClass


class Meaning(NamedTuple):
    """One class or status, in plain sentences."""

    definition: str
    boundary: str
    """How it is told from those beside it."""
    example: str


CLASSES: dict[ConceptClass, Meaning] = {
    ConceptClass.EXPLICIT: Meaning(
        "The text says it: by its name, a synonym or an abbreviation, or in other words of the same meaning.",
        "Ask whether you could underline it. What is denied or doubted in so many words is explicit, too.",
        "“Fits since infancy” says Seizure.",
    ),
    ConceptClass.LOGICALLY_IMPLICIT: Meaning(
        "The text does not say it, but what it says cannot be true without it.",
        "Ask whether denying it would contradict the text.",
        "“At nine she has not said a word yet” cannot hold without Absent speech.",
    ),
    ConceptClass.PRAGMATICALLY_IMPLICIT: Meaning(
        "The text neither says nor needs it, but an expert who reads the text takes it to be so.",
        "Ask whether a colleague would accept it without further proof.",
        "“Dialysis three times a week” lets a clinician suppose Renal insufficiency.",
    ),
    ConceptClass.NOT_RELEVANT: Meaning(
        "The text gives no ground for it.",
        "So is a concept that is narrower than anything that the text supports, and one of which only a word "
        "occurs. To reject the proposal says the same with one key.",
        "“Seen in the eye clinic for a routine check” gives no ground for Abnormality of the eye.",
    ),
}
"""In the order of the keys, 1 to 4. Where two classes fit, the one that stands first holds."""

STATUSES: dict[Assertion, Meaning] = {
    Assertion.AFFIRMED: Meaning(
        "The text takes it to be so, now or in the past.",
        "It stays affirmed where only its degree or its cause is open.",
        "“Mild hypotonia of unknown cause.”",
    ),
    Assertion.NEGATED: Meaning(
        "The text says that it is absent, or that it was ruled out.",
        "What the text does not speak of is not negated: reject it.",
        "“No cataract was found in either eye.”",
    ),
    Assertion.UNCERTAIN: Meaning(
        "The text leaves it open whether it is so: it is suspected, to be looked for, or a mere risk.",
        "It is about the text's doubt. If you yourself are not sure, answer unsure.",
        "“An EEG is planned, since absence seizures are suspected.”",
    ),
    Assertion.OTHER_PERSON: Meaning(
        "The text says it of somebody else, such as a relative, whether they have it or not.",
        "What is said of the patient, too, has the patient's status. “No family history” of it is negated.",
        "“His mother has migraine.”",
    ),
}
"""In the order in which T goes through them."""


def concept_guide() -> dict[str, Any]:
    """Plain JSON: `classes` and `statuses`; each row has a `value`, a `name` and the fields of `Meaning`."""
    return {
        "classes": [_row(kind, meaning) for kind, meaning in CLASSES.items()],
        "statuses": [_row(status, meaning) for status, meaning in STATUSES.items()],
    }


def _row(value: str, meaning: Meaning) -> dict[str, str]:
    return {"value": str(value), "name": NAMES[value], **meaning._asdict()}
