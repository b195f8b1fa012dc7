"""Learned sets go out and come in as JSON; their names go out as new synonyms for editors of an ontology."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from core.errors import InputError
from core.exchange.atomic import replacing
from core.records.learned import Known, LearnedSet
from core.store import learned, ontologies
from core.store.learned import LearnedRow
from core.store.workspace import Workspace

Form = Literal["json", "robot", "kgcl"]
LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is read; sets of thousands of documents have a few."""
_HEAD = ("ID", "Label", "Synonym", "Right in", "Of documents", "From")
_TEMPLATE = ("ID", "", "A oboInOwl:hasRelatedSynonym", "", "", "")


def export_learned(workspace: Workspace, name: str, out: Path, form: Form = "json") -> int:
    """Write what `written` gives to a file.

    Returns:
        Entries of the set, or synonyms.

    Raises:
        NotFoundError: no such set.
        InputError: the file cannot be written.
    """
    data, count = written(workspace, name, form)
    with replacing(out) as file:
        file.write(data.encode())
    return count


def written(workspace: Workspace, name: str, form: Form) -> tuple[str, int]:
    """A set, or its names as synonyms: a ROBOT template (TSV) or KGCL commands. Scope `related`, since
    editors decide what a word means everywhere; how often it was right stands beside it.

    Returns:
        The text, and its entries or synonyms.

    Raises:
        NotFoundError: no such set.
    """
    row = learned.find(workspace, name)
    held = learned.read(workspace, row)
    named = [one for one in held.known if one.name is not None]
    if form == "json":
        return held.model_dump_json(indent=1) + "\n", len(held.known)
    if form == "kgcl":
        return _kgcl(named, row.reference, held), len(named)
    known = [r for r in ontologies.list_ontologies(workspace) if r.reference == held.ontology]
    labels = ontologies.labels(workspace, known[0].id) if known else {}
    return _robot(named, labels), len(named)


def add_learned(workspace: Workspace, file: Path, name: str) -> tuple[LearnedRow, LearnedSet]:
    """Add a set from a file that `export_learned` wrote.

    Raises:
        InputError: the file cannot be read or does not follow the form, or `name` cannot name a set.
    """
    try:
        if file.stat().st_size > LARGEST:
            raise InputError(f"{file.name} is larger than a learned set can be. Name another file.")
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file.name} cannot be read: {error}. Name a file of `learned export`.") from error
    held = learned.parse(text)
    with workspace.write() as db:
        return learned.add(db, name, held, "added"), held


def _robot(named: Sequence[Known], labels: dict[str, str]) -> str:
    out = io.StringIO()
    rows = csv.writer(out, delimiter="\t", lineterminator="\n")
    rows.writerows((_HEAD, _TEMPLATE))
    for one in named:
        label, text = labels.get(one.concept, ""), one.name or ""
        rows.writerow((one.concept, label, text, one.kept, one.seen, ", ".join(one.by)))
    return out.getvalue()


def _kgcl(named: Sequence[Known], reference: str, held: LearnedSet) -> str:
    lines = [f"# Names of {reference}, learned from {held.gold}, for {held.ontology}."]
    for one in named:
        text = (one.name or "").replace("\\", "\\\\").replace("'", "\\'")
        lines.append(f"# right in {one.kept} of {one.seen} documents, from {', '.join(one.by)}")
        lines.append(f"create related synonym '{text}' for {one.concept}")
    return "\n".join(lines) + "\n"
