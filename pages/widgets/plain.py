"""Text from outside, made fit for Streamlit calls that read markdown (labels, messages, captions)."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=@/])")
_ADDRESS = re.compile(r"(?i)(?:https?|ftp|mailto|xmpp)(?=:)|www(?=\.)|(?<=\w)(?=@)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def escape(text: str) -> str:
    """The same text with nothing left that markdown, HTML, LaTeX, emoji or colour directives could act on.

    Control characters and line breaks become one space. An invisible word joiner keeps addresses from
    becoming links, which no escape does.
    """
    joined = _ADDRESS.sub("\\g<0>\u2060", _CONTROL.sub(" ", text))
    return _SPECIAL.sub(r"\\\1", joined)
