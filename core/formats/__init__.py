"""Files of documents: pure readers and writers. Records in, bytes out; bytes in, records out.

One format a file: json (also JSONL), csv, pubtator, paper003 (the strict form); articles from pubmed (XML),
medline (nbib) and europepmc (JSON); labels of other tools from bioc, phenopackets, phentrieve, fasthpocr and
hi_ald, in the words of `foreign`; decisions and manifest go out beside them.

    source        gzip, encodings, sizes              rows        row errors, notes, what a reader yields
    documents     the schema, as models               grounding   does each quote stand where it says?
    strict_json   JSON without silent changes         assemble    from rows to checked documents
    schemas       the published JSON Schema files     articles    an abstract and its sections as a text
    alignment     texts that differ by white space    foreign     ids, statuses, scores as others write them
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from pydantic import ValidationError

from core.errors import InputError
from core.formats import (
    bioc,
    csv,
    europepmc,
    fasthpocr,
    hi_ald,
    json,
    medline,
    paper003,
    phenopackets,
    phentrieve,
    pubmed,
    pubtator,
)
from core.formats.articles import as_documents
from core.formats.assemble import assemble, first_fault
from core.formats.documents import Metadata
from core.formats.rows import BadRows, DocumentSet, Notes, Raw, Reading, RowError, shown
from core.formats.source import Source
from core.records import Document

Reader = Callable[[Source, Notes], tuple[Any, Iterator[Raw | RowError]]]
Writer = Callable[[Metadata, Iterable[Document], BinaryIO], dict[str, int]]
"""Writes a document set and returns how often each field had to be left out."""


class Format(NamedTuple):
    """One file format; `write` is None for a format that cannot hold what Touchstone knows."""

    read: Reader
    write: Writer | None
    extensions: tuple[str, ...]
    of: str = ""
    """What the files are, where the name does not say it, for help."""


FORMATS: dict[str, Format] = {
    "json": Format(json.read_object, json.write_object, (".json",)),
    "jsonl": Format(json.read_lines, json.write_lines, (".jsonl", ".ndjson")),
    "csv": Format(csv.read, csv.write, (".csv", ".tsv")),
    "pubtator": Format(pubtator.read, pubtator.write, (".pubtator", ".txt")),
    "paper003": Format(json.read_object, paper003.write, ()),
    "pubmed": Format(pubmed.read, None, (".xml",), "XML"),
    "medline": Format(medline.read, None, (".nbib", ".medline"), "nbib"),
    "europepmc": Format(europepmc.read, None, (), "JSON"),
    "bioc": Format(bioc.read, None, (".bioc",), "XML or JSON"),
    "phenopackets": Format(phenopackets.read, phenopackets.write, (), "JSON"),
    "phentrieve": Format(phentrieve.read, None, (), "JSON or CSV"),
    "fasthpocr": Format(fasthpocr.read, None, ()),
    "hi-ald": Format(hi_ald.read, None, (), "JSON"),
}


def listed(names: Iterable[str]) -> str:
    """Names of formats as a help text tells them: `json, csv or pubmed (XML)`."""
    told = [f"{name} ({FORMATS[name].of})" if FORMATS[name].of else name for name in names]
    return f"{', '.join(told[:-1])} or {told[-1]}"


def format_of(path: Path, name: str | None = None) -> str:
    """The format that is named, or that the file's extension (before `.gz`) means.

    Raises:
        InputError: an unknown name, or an extension that means none; the known ones are listed.
    """
    if name is not None:
        if name not in FORMATS:
            raise InputError(f"There is no format {shown(name)}. Known: {', '.join(FORMATS)}.")
        return name
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    for known, form in FORMATS.items():
        if suffixes and suffixes[-1] in form.extensions:
            return known
    extensions = ", ".join(e for form in FORMATS.values() for e in form.extensions)
    raise InputError(
        f"The name {shown(path.name)} does not say its format. Name it with --format "
        f"({', '.join(FORMATS)}), or use one of the extensions {extensions}, each also with .gz."
    )


def read_documents(
    path: Path | str, format: str | None = None, reading: Reading | None = None
) -> DocumentSet:
    """Open a file of concept documents or articles and stream it.

    Args:
        path: in one of `FORMATS`, plain or gzipped; or a folder of such files, whose format is named.
        format: name in `FORMATS`; None: told by the extension.
        reading: unit of the offsets, what to do with quotes that are not in the text, texts to label.

    Raises:
        InputError: the file cannot be read as this format; each row's own fault is a `RowError` among the
            rows instead. Line-based formats may raise it while rows are taken, too.
    """
    reading = reading or Reading()
    source = Source(path, offsets=reading.offsets)
    if source.path.is_dir() and format is None:
        raise InputError(f"{source.name} is a folder. Name the format of its files with --format.")
    name = format_of(source.path, format)
    notes = Notes()
    given, rows = _of_files(source, FORMATS[name].read, notes)
    try:
        metadata = Metadata.model_validate(given)
    except ValidationError as failure:
        field, cause = first_fault(failure)
        raise InputError(f"{source.name}, metadata, {field or 'the whole'}: {cause}. Correct it.") from None
    rows = as_documents(rows, source.name, notes, reading.offsets)
    checked = assemble(_not_empty(source.name, rows, notes), source.name, reading, notes)
    return DocumentSet(source.name, name, metadata, checked, notes)


def _of_files(source: Source, read: Reader, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """What a file holds, or the files of a folder one after another; of their metadata those of the first."""
    files = source.files()
    opened = (read(Source(path, offsets=source.offsets), notes) for path in files)
    given, first = next(opened)
    if len(files) == 1:
        return given, first
    each = zip(files, chain([first], (rows for _, rows in opened)), strict=True)
    return given, (
        replace(row, file=Source(path).name) if isinstance(row, Raw) else row
        for path, rows in each
        for row in rows
    )


def _not_empty(file: str, rows: Iterator[Raw | RowError], notes: Notes) -> Iterator[Raw | RowError]:
    first = next(rows, None)
    if first is None and notes.without_abstract:
        raise InputError(
            f"{file} holds no abstract: all of its records were left out. {' '.join(notes.sentences())} "
            "Check that it was downloaded with abstracts."
        )
    if first is None:
        raise InputError(f"{file} holds no documents. Check that it is complete, and its --format.")
    yield first
    yield from rows


__all__ = [
    "FORMATS",
    "BadRows",
    "DocumentSet",
    "Format",
    "Metadata",
    "Notes",
    "Reading",
    "RowError",
    "format_of",
    "listed",
    "read_documents",
]
