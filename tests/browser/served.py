"""Servers of the app that begin without importing it: forked from one process for each worker of pytest."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRELOADED = "tests.browser.preloaded"
CAN_FORK = sys.platform == "linux"
"""Elsewhere there is no fork, or the system's own libraries do not survive one."""


class Forked:
    """`streamlit ARGUMENTS`, with what `subprocess.Popen` says of a process.

    Args:
        arguments: of Streamlit's command line.
        environment: all of the server's variables.
        log: file that its output is appended to.
    """

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path):
        log.touch()
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([PRELOADED])
        self._process = context.Process(target=_serve, args=(tuple(arguments), dict(environment), log))
        with contextlib.chdir(ROOT), _no_main():  # where the first start of all finds what to preload
            self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        """The exit status; None: it runs."""
        return self._process.exitcode

    def wait(self) -> None:
        self._process.join()

    def kill(self) -> None:
        self._process.kill()


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """A child imports the main module of its parent, which may be a script that another test left there."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _serve(arguments: tuple[str, ...], environment: dict[str, str], log: Path) -> None:
    """Be `python -m streamlit ARGUMENTS`, at the head of a process group of its own."""
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    with Path(os.devnull).open("rb") as nothing, log.open("ab") as output:
        os.dup2(nothing.fileno(), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    importlib.import_module(PRELOADED)  # done long ago, unless something in it cannot be imported
    from streamlit.web import cli

    sys.argv[:] = ["streamlit", *arguments]
    cli.main()
