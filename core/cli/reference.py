"""The list of verbs as the guide prints it, made from the command line itself.

`python -m core.cli.reference` prints it; a test holds `data/guide/command-line.md` against it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import typer

START, END = "<!-- verbs -->", "<!-- /verbs -->"


def verbs(cli: typer.Typer, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(full name, first paragraph of the help) of every verb, groups unfolded, in the order of `--help`."""
    alone = cli.registered_callback
    if prefix and alone is not None and alone.invoke_without_command is True and alone.callback is not None:
        yield prefix.strip(), _about(alone.callback)  # a group that does something by itself
    for command in cli.registered_commands:
        function = command.callback
        if function is not None:
            name = command.name or function.__name__.replace("_", "-")
            yield f"{prefix}{name}", _about(function)
    for group in cli.registered_groups:
        if group.typer_instance is not None:
            yield from verbs(group.typer_instance, f"{prefix}{group.name} ")


def _about(function: Callable[..., object]) -> str:
    return " ".join((function.__doc__ or "").split("\n\n")[0].split())


def table(cli: typer.Typer) -> str:
    """A Markdown table of all verbs."""
    rows = [f"| `{name}` | {about} |" for name, about in verbs(cli)]
    return "\n".join(["| verb | does |", "|---|---|", *rows])


if __name__ == "__main__":
    from core.cli import cli

    sys.stdout.write(table(cli) + "\n")
