"""An ontology comes in: from a file, or by its name from the OBO library."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from core.records import Finding
from core.store import Workspace, ontologies
from core.store.names import check_name

_LIBRARY_NAME = re.compile(r"[a-z][a-z0-9_]*")
"""A name of the OBO library; a file has a folder or an extension."""


@dataclass(frozen=True, slots=True)
class OntologyReport:
    """What is in the workspace now."""

    reference: str
    """`NAME@VERSION`."""
    title: str | None
    root: str | None
    sha256: str
    concepts: int
    """Live ones."""
    obsolete: int
    names: int
    """Primary names and synonyms."""
    findings: tuple[Finding, ...]
    """What was noticed or mended while loading."""


def add_ontology(
    workspace: Workspace,
    source: Path | str,
    *,
    name: str | None = None,
    version: str | None = None,
    root: str | None = None,
    progress: Callable[[str], None] | None = None,
    library: str | None = None,
) -> OntologyReport:
    """Load one version of an ontology and store it with its search index, in one write.

    Args:
        source: a file, or a name such as `hp` to fetch from the OBO library.
        name: in this workspace; None: the file's name without its extensions, in lower case.
        version: None: the one the file states.
        root: concept of interest; None: the one with most descendants.
        library: address to fetch names from; None: `TOUCHSTONE_OBO_URL`, or else the OBO library.

    Raises:
        InputError: the source cannot be found, fetched or read, or this name and version is there already
            from another file. Nothing was stored.
    """
    from core.ontology import fetch, load

    path = Path(source)
    name = name or _name_of(path)
    if name not in {known.name for known in ontologies.list_ontologies(workspace)}:
        check_name("ontology", name)
    with TemporaryDirectory(prefix="touchstone-") as folder:
        if _LIBRARY_NAME.fullmatch(str(source)) and not path.exists():
            address = library or fetch.library()
            path = fetch.fetch(str(source), Path(folder), base_url=address, progress=progress)
        ontology = load.load(path, name=name, version=version, root=root, progress=progress)
    ontology_id = ontologies.add_ontology(workspace, ontology)
    row = ontologies.ontology_by_id(workspace, ontology_id)
    return OntologyReport(
        reference=row.reference,
        title=row.title,
        root=row.root,
        sha256=row.sha256,
        **ontologies.size(workspace, ontology_id)._asdict(),
        findings=ontology.findings,
    )


def _name_of(path: Path) -> str:
    """`HP.obo.gz` is `hp`."""
    return path.name.split(".")[0].lower()
