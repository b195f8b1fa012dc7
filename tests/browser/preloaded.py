"""All that the app imports, imported once: a server that is forked from here begins at once. Nothing here
starts a thread of Python's, opens a file or a workspace, or reads the environment for good."""

from __future__ import annotations

import gc
import importlib
from functools import cache
from pathlib import Path

from streamlit.components.v2 import manifest_scanner

ROOT = Path(__file__).parents[2]
SERVING = """
    streamlit.web.cli streamlit.web.bootstrap streamlit.web.skills streamlit.web.server.app_discovery
    streamlit.web.server.starlette.starlette_app streamlit.web.server.starlette.starlette_server
    streamlit.web.server.starlette.starlette_agent_routes streamlit.runtime.agent.mcp streamlit.emojis
    streamlit.components.v2.manifest_scanner streamlit.watcher.polling_path_watcher
    uvicorn.lifespan.on uvicorn.loops.asyncio uvicorn.protocols.http.h11_impl anyio._backends._asyncio
    uvicorn.protocols.websockets.websockets_sansio_impl starlette.applications starlette.staticfiles
    starlette.middleware.sessions itsdangerous numpy.random pandas pyarrow.compute pyarrow.pandas_compat
    plotly.express plotly.tools plotly.graph_objs.bar plotly.graph_objs.scatter scipy.sparse
    sentence_transformers
"""
"""What a server imports as it starts, or with its first answers and searches."""
WIDGETS = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(ROOT.glob("pages/widgets/**/*.py"))
]

for name in [*SERVING.split(), *WIDGETS]:
    importlib.import_module(name)
# Each server begins by reading the metadata of all installed packages, 150 ms. They stay the same.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
manifest_scanner.scan_component_manifests()
gc.collect()
gc.freeze()  # what is never looked through is never copied
