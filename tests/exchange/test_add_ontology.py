"""An ontology from a file or, by name, from a library that answers on this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.errors import InputError
from core.exchange import add_ontology
from core.store import Workspace, ontologies

OBO = """format-version: 1.2
data-version: tiny/releases/2024-02-08
ontology: tiny

[Term]
id: HP:0000118
name: Phenotypic abnormality

[Term]
id: HP:0001250
name: Seizure
synonym: "Epileptic seizure" EXACT []
alt_id: HP:0002279
is_a: HP:0000118
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def library(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "tiny.obo").write_text(OBO)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("name", ["..", "-x", "=x", "nul"])
def test_a_name_that_would_be_misread_is_refused_before_the_file_is_read(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    with pytest.raises(InputError, match=r"cannot name an? ontology"):
        add_ontology(workspace, tmp_path / "gone.obo", name=name)


def test_from_a_file(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "Tiny.obo").write_text(OBO)
    report = add_ontology(workspace, tmp_path / "Tiny.obo")
    assert (report.reference, report.concepts, report.obsolete, report.names) == ("tiny@2024-02-08", 2, 0, 3)
    assert report.root == "HP:0000118"
    assert ontologies.alt_id_map(workspace, 1) == {"HP:0002279": "HP:0001250"}
    named = add_ontology(workspace, str(tmp_path / "Tiny.obo"), name="hp", version="x", root="HP:0001250")
    assert (named.reference, named.root) == ("hp@x", "HP:0001250")


def test_by_name_from_a_library(workspace: Workspace, library: str) -> None:
    said: list[str] = []
    report = add_ontology(workspace, "tiny", library=library, progress=said.append)
    assert report.reference == "tiny@2024-02-08"
    assert any("127.0.0.1" in line for line in said)


def test_what_is_nowhere(workspace: Workspace, library: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no ontology 'nope'"):
        add_ontology(workspace, "nope", library=library)
    with pytest.raises(InputError, match="no file"):
        add_ontology(workspace, tmp_path / "gone.obo", library=library)
    assert ontologies.list_ontologies(workspace) == []
