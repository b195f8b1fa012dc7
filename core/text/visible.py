"""Text from outside as people see it: what a terminal or a browser would obey or hide is written out.

A control character can move the cursor or recolour a terminal, a bidirectional one turns the words after it
round, and one without width makes two different names look the same. The one filter for all that is shown;
files that are written, and JSON, keep the text as it is.
"""

from __future__ import annotations

import re

HIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but tab and line feed
    r"\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # no width, or a direction
    r"\U000e0000-\U000e007f"  # tags: whole sentences that nobody sees
)
"""Those characters, as the inside of a class of a regular expression."""
_HIDDEN = re.compile(f"[{HIDDEN}]")


def visible(text: str) -> str:
    """The same text with every such character as its number: `abc[U+202E]def`."""
    return _HIDDEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


def in_json(text: str) -> str:
    """JSON with the same characters as escapes, so that it says the same and is safe to print."""
    return _HIDDEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
