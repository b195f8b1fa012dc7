"""Verbs of the checkout under comparison, run in this process as `python -m core.cli` runs them, which saves
a second each time."""

from __future__ import annotations

import contextlib
import io
import json
import runpy
import sys
from pathlib import Path
from typing import Any


def verb(workspace: Path, *words: object) -> dict[str, Any]:
    """What a verb said: its exit status, standard output (parsed where it is JSON) and messages as lines."""
    out, err, status, before = io.StringIO(), io.StringIO(), 0, sys.argv
    sys.argv = ["touchstone", "--workspace", str(workspace), *map(str, words)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_module("core.cli", run_name="__main__")
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        sys.argv = before
    said = out.getvalue()
    shown = json.loads(said) if "--json" in words and said else said.splitlines()
    return {"status": status, "out": shown, "messages": err.getvalue().splitlines()}


def done(workspace: Path, *words: object) -> Any:
    """Standard output of a verb that must not fail: of one that makes the inputs.

    Raises:
        RuntimeError: it failed; the message holds what it said.
    """
    found = verb(workspace, *words)
    if found["status"]:
        raise RuntimeError(f"{' '.join(map(str, words))}: " + "\n".join(found["messages"]))
    return found["out"]


def content(path: Path) -> Any:
    """A file as a record holds it: JSON parsed, any other text as lines with their ends."""
    text = path.read_bytes().decode("utf-8")
    return json.loads(text) if path.suffix == ".json" else text.splitlines(keepends=True)


def contents(folder: Path) -> dict[str, Any]:
    """Every file below a folder, by its name in it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): content(path) for path in files}
