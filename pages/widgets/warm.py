"""What pages load when they are first opened, loaded beforehand: nobody waits for it at the first chart.

Not the encoder: it takes half a gigabyte and is loaded where somebody searches by meaning.
"""

from __future__ import annotations

import importlib
import threading
from pathlib import Path

from streamlit import runtime

ROOT = Path(__file__).parents[2]
LIBRARIES = ("pandas", "plotly.express", "plotly.graph_objs.bar", "plotly.graph_objs.scatter", "scipy.sparse")
"""Pandas first: Plotly would take it half imported from another thread."""
_begun = threading.Event()


def begin() -> None:
    """Load it in a thread of its own; nothing where that was done already, or no server runs."""
    if not _begun.is_set() and runtime.exists():
        _begun.set()
        threading.Thread(target=load, name="touchstone-warm", daemon=True).start()


def load() -> None:
    """All that pages are drawn with."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for path in sorted(ROOT.glob("pages/widgets/*/[a-z]*.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
