"""Errors that a user may meet. Each names the item, the cause and the next step.

The command line prints them as one sentence with exit status 2, a page shows them as a message; anything
else that escapes is a fault of ours.
"""


class TouchstoneError(Exception):
    """Base of all errors meant for users. `str(error)` is one or more full sentences."""


class InputError(TouchstoneError):
    """A file, an option or a value cannot be used as given."""


class NotFoundError(TouchstoneError):
    """A named thing (corpus, run, ontology, curator, item...) is not in the workspace."""

    def __init__(self, kind: str, name: object, known: list[str] | None = None):
        known_text = f" Known: {', '.join(known)}." if known else ""
        super().__init__(f"There is no {kind} {str(name)!r} in this workspace.{known_text}")


class WorkspaceError(TouchstoneError):
    """The workspace file cannot be opened, read or written safely."""


class IntegrityError(TouchstoneError):
    """Stored history does not add up: something was altered, cut off or damaged."""
