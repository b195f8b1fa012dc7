"""What pages load when they are first opened, loaded beforehand: nobody waits for it at the first chart.

Not the encoder: it takes half a gigabyte and is loaded where somebody searches by meaning.
"""

from __future__ import annotations

import importlib
import threading
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARIES = ("pandas", "plotly.express", "plotly.graph_objs.bar", "plotly.graph_objs.scatter", "scipy.sparse")
"""Pandas first: Plotly would take it half imported from another thread."""
_wanted = threading.Event()


def prepare() -> None:
    """The server asks for it, once."""
    _wanted.set()


def begin() -> None:
    """A page is drawn: load it in a thread of its own, where it was asked for and nobody has begun."""
    if _wanted.is_set():
        _wanted.clear()
        threading.Thread(target=load, name="touchstone-warm", daemon=True).start()


def load() -> None:
    """All that pages are drawn with."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for path in sorted(ROOT.glob("pages/widgets/*/[a-z]*.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
