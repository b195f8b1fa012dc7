"""Texts that must not leave this machine, and what would take them away: endpoints elsewhere, batch files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import InputError
from core.store import corpora
from core.store.corpora import Corpus
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.llm import Endpoint

NAMED = 5
"""Passages that a message names."""


def check_corpus(workspace: Workspace, corpus: Corpus, endpoint: Endpoint, *, to_file: bool = False) -> None:
    """Refuse what would take confidential texts off this machine.

    A text is confidential by its sha256: it stays so in a corpus that was added without the mark.

    Raises:
        InputError: the corpus is confidential, or holds a text of one that is, and the endpoint is not
            plainly of this machine, or the requests are to be written to a file that is made to be sent away.
    """
    if corpus.confidential:
        held = f"Corpus {corpus.name!r} is confidential: its texts"
    elif locked := corpora.locked_passages(workspace, corpus.id):
        held = f"Corpus {corpus.name!r} holds {_told(locked)}: these texts"
    else:
        return
    _check(held, endpoint, to_file=to_file)


def check_text(workspace: Workspace, text: str, name: str, endpoint: Endpoint) -> None:
    """Refuse to send a text that holds a confidential one as a whole.

    Args:
        name: what the text is called in the message, such as its file's name.

    Raises:
        InputError: as `check_corpus`.
    """
    if locked := corpora.locked_within(workspace, text):
        _check(f"{name} holds {_told(locked)}: these texts", endpoint)


def _check(held: str, endpoint: Endpoint, *, to_file: bool = False) -> None:
    from core.llm import is_loopback

    if not is_loopback(endpoint.base_url):
        raise InputError(
            f"{held} may never leave this machine, and {endpoint.base_url} is not of this machine. Name an "
            "endpoint on 127.0.0.1 or localhost, or work offline (--offline)."
        )
    if to_file:
        raise InputError(
            f"{held} may never leave this machine, so they are not written to a batch file. Ask an endpoint "
            "of this machine, or work offline (--offline)."
        )


def _told(locked: Sequence[tuple[str, str]]) -> str:
    """Such as `2 confidential passages (a, marked in secret; b, marked in secret)`."""
    named = "; ".join(f"{doc_id}, marked in {corpus}" for doc_id, corpus in locked[:NAMED])
    more = f"; and {len(locked) - NAMED:,} more" if len(locked) > NAMED else ""
    passages = "1 confidential passage" if len(locked) == 1 else f"{len(locked):,} confidential passages"
    return f"{passages} ({named}{more})"
