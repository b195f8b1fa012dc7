"""What an auditor goes by: what each answer to an apparent false positive means, with an example.

The categories are those of paper 000, A.7; the words and the examples are this project's own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from core.kinds.names import NAMES
from core.records import ErrorType, ItemKind


class Told(NamedTuple):
    """An answer in words."""

    name: str
    short: str
    """Beside the name, where there is little room."""
    definition: str
    example: str


ERRORS = {
    ErrorType.MISSING_GOLD: Told(
        NAMES[ErrorType.MISSING_GOLD],
        "The passage supports it; gold lacks it.",
        "The passage says it, or leaves no other reading. Gold lacks it, so the proposal is right.",
        "“She had two fits last week.” Proposed: Seizure. Gold holds nothing of this sentence.",
    ),
    ErrorType.GRANULARITY: Told(
        NAMES[ErrorType.GRANULARITY],
        "The right path, the wrong depth.",
        "The passage supports a broader or a narrower concept on the same path of the ontology. Only the "
        "depth is wrong.",
        "“Absence seizures since the age of four.” Proposed: Seizure. Supported: Absence seizure.",
    ),
    ErrorType.SCOPE: Told(
        NAMES[ErrorType.SCOPE],
        "It means something else.",
        "The concept is about something else than the passage is: another meaning, not another depth.",
        "“He forgets what he did in the morning.” Proposed: Delayed speech. Supported: Memory loss.",
    ),
    ErrorType.CONTEXT: Told(
        NAMES[ErrorType.CONTEXT],
        "A part is taken for the whole.",
        "The passage tells of one part or one result. The concept claims the whole, which nobody states.",
        "“Creatinine was raised once.” Proposed: Chronic kidney disease.",
    ),
    ErrorType.TRIGGER: Told(
        NAMES[ErrorType.TRIGGER],
        "A word alone brought it up.",
        "A word of the passage brings the concept to mind, but the passage does not speak of it.",
        "“She was seen in the eye clinic.” Proposed: Abnormality of the eye.",
    ),
    ErrorType.OVERREACH: Told(
        NAMES[ErrorType.OVERREACH],
        "A step that the text does not take.",
        "The concept needs a step that the passage does not take, such as a cause or a consequence.",
        "“He fell twice on the stairs.” Proposed: Ataxia.",
    ),
}
"""In the order of the keys, 0 to 5."""
CHANGE = {
    "accept": Told(
        "Yes, gold lacks it",
        "It becomes a part of corrected gold.",
        "The passage expresses the concept. It becomes a part of corrected gold as it is proposed here.",
        "“She had two fits last week.” Proposed: Seizure, affirmed.",
    ),
    "reject": Told(
        "No, gold is right",
        "Gold stays as it is.",
        "The passage does not express the concept. Gold stays as it is.",
        "“Her brother had a seizure.” Proposed: Seizure, affirmed, of the patient.",
    ),
}
"""Action -> what it says of a change of gold."""
KEYS = {"accept": "a", "reject": "xr"}
"""Action -> its keys, one letter each; the first stands on the button."""


def error_guide() -> dict[str, Any]:
    """The desk of apparent false positives, as plain JSON: `kind`, `question`, `action` of an answer, and
    `fields`, each with its `options`."""
    options = [
        {"keys": str(i), "value": error.value, "code": error.value if i else "", **ERRORS[error]._asdict()}
        for i, error in enumerate(ErrorType)
    ]
    return {
        "kind": ItemKind.ERROR.value,
        "question": "Gold lacks this concept. Does the passage support it? If not, what went wrong?",
        "action": "classify_error",
        "fields": [{"name": "error", "heading": "What it is", "options": options}],
    }


def change_guide() -> dict[str, Any]:
    """The same for changes of gold. Here an option is an action itself."""
    options = [
        {"keys": KEYS[action], "value": action, "action": action, **told._asdict()}
        for action, told in CHANGE.items()
    ]
    return {
        "kind": ItemKind.GOLD_CHANGE.value,
        "question": "Gold lacks this concept, says an auditor. Does the passage express it?",
        "action": None,
        "fields": [{"name": "verdict", "heading": "Change of gold", "options": options}],
    }
