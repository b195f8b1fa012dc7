"""Load one version of one ontology from a file: OBO, OBO Graph JSON or OWL in RDF/XML, plain or gzipped.

The file is read by pronto in a child process, whose memory and time are watched from here, so that no
file can stop or starve the server that curators work on.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import core
from core.errors import InputError
from core.ontology import child, source
from core.ontology.lineage import Lineage
from core.records import Concept, Curie, Finding, Ontology, Synonym

_CHECKOUT = Path(core.__file__).resolve().parent.parent
_RELEASE_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_POLL = 0.02
_SAY_EVERY = 2.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may take. The defaults read HPO, GO, Mondo or Uberon with room to spare."""

    file_bytes: int = 512 << 20
    unpacked_bytes: int = 512 << 20
    memory_bytes: int = 2 << 30
    """Resident memory of the child process."""
    seconds: float = 300.0
    """From start to end, by the clock."""


DEFAULT_LIMITS = Limits()


def load(
    path: Path,
    *,
    name: str,
    version: str | None = None,
    root: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[str], None] | None = None,
) -> Ontology:
    """The ontology in `path`, under `name`.

    Version: as given; else the release date within the file's data-version (`hp/releases/2024-02-08` is
    `2024-02-08`), the data-version as it stands, the file's version info or date; else the first twelve
    digits of its sha256. Root: as given; else the live concept without parents that has the most
    descendants, if more than half of all live concepts are under it; else None.

    `findings` lists what was noticed or mended, by line. `progress` gets a sentence now and then; an
    exception it raises stops the reading and comes out here.

    InputError: the file is missing, too large, no ontology, damaged beyond mending, or takes more than
    `limits`; or `root` is not a live concept in it.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no file {str(path)!r}. Check the path.")
    answer = _read_in_child(path.resolve(), limits, progress or (lambda _text: None))
    concepts = tuple(_concept(row) for row in answer["concepts"])
    findings = [Finding(line, kind, message) for line, kind, message in answer["findings"]]
    chosen = _given_root(root, concepts, path.name) if root else _find_root(concepts, findings)
    return Ontology(
        name=name,
        version=version or _version(answer),
        root=chosen,
        sha256=answer["sha256"],
        concepts=concepts,
        title=answer["title"],
        findings=tuple(findings),
    )


def _concept(row: list[Any]) -> Concept:
    curie, name, definition, synonyms, parents, relations, parts, alt_ids, obsolete, replaced_by, space = row
    return Concept(
        curie,
        name,
        definition,
        tuple(Synonym(*synonym) for synonym in synonyms),
        tuple(parents),
        tuple((relation, target) for relation, target in relations),
        tuple((relation, filler) for relation, filler in parts),
        tuple(alt_ids),
        obsolete,
        tuple(replaced_by),
        space,
    )


def _version(answer: dict[str, Any]) -> str:
    stated = answer["data_version"] or answer["version_info"] or answer["date"]
    if not stated or not stated.strip():
        return str(answer["sha256"][:12])
    dated = _RELEASE_DATE.search(stated)
    return dated[1] if dated else str(stated).strip()


def _given_root(root: str, concepts: tuple[Concept, ...], file: str) -> Curie:
    known = {concept.curie: concept for concept in concepts}
    if root not in known:
        raise InputError(f"The root {root!r} is not a concept in {file!r}. Give the id of one that is.")
    if known[root].obsolete:
        raise InputError(f"The root {root!r} is obsolete in {file!r}. Give the id of a live concept.")
    return root


def _find_root(concepts: tuple[Concept, ...], findings: list[Finding]) -> Curie | None:
    live = [concept for concept in concepts if not concept.obsolete]
    lineage = Lineage((c.curie for c in live), ((c.curie, above) for c in live for above in c.parents))
    sizes = {
        concept.curie: int(lineage.under(concept.curie).sum())
        for concept in live
        if not concept.parents and lineage.children(concept.curie)
    }
    if not sizes:
        return None
    best = min(sizes, key=lambda curie: (-sizes[curie], curie))
    chosen = best if sizes[best] * 2 > len(live) else None
    if len(sizes) > 1:
        largest = sorted(sizes, key=lambda curie: (-sizes[curie], curie))[:3]
        named = ", ".join(f"{curie} with {sizes[curie] - 1:,} concepts below" for curie in largest)
        message = f"There are {len(sizes)} roots ({named}); taken: {chosen or 'none'}. Another can be given."
        findings.append(Finding(None, "several_roots", message))
    return chosen


# --- the child process ------------------------------------------------------------------------------------


def _read_in_child(path: Path, limits: Limits, progress: Callable[[str], None]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="touchstone-ontology-") as scratch:
        folder = Path(scratch)
        with (folder / "steps.txt").open("wb") as steps, (folder / "errors.txt").open("wb") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "core.ontology.child", str(path), scratch, json.dumps(asdict(limits))],
                cwd=_CHECKOUT,
                stdin=subprocess.DEVNULL,
                stdout=steps,
                stderr=errors,
                # one allocator arena: more would only widen the address space that the limit counts
                env={**os.environ, "RUST_BACKTRACE": "0", "MALLOC_ARENA_MAX": "2", "PYTHONUTF8": "1"},
            )
            try:
                _watch(process, path.name, folder, limits, progress)
            finally:
                process.kill()
                process.wait()
        if process.returncode == child.DONE:
            result: dict[str, Any] = json.loads((folder / child.RESULT).read_text(encoding="utf-8"))
            return result
        if process.returncode == child.REFUSED:
            raise InputError((folder / child.REFUSAL).read_text(encoding="utf-8"))
        errors_text = (folder / "errors.txt").read_text(encoding="utf-8", errors="replace")
        raise _died(path.name, process.returncode, errors_text, limits)


def _watch(
    process: subprocess.Popen[bytes],
    name: str,
    folder: Path,
    limits: Limits,
    progress: Callable[[str], None],
) -> None:
    """Return when the process has ended; raise InputError as soon as it exceeds a limit."""
    import psutil

    started = time.monotonic()
    said_at, step, shown = started, "Starting", 0
    with (folder / "steps.txt").open("rb") as steps:
        while True:
            ended = process.poll() is not None
            for line in steps.read().decode("utf-8", errors="replace").splitlines():
                step, shown = line, 0
            seconds = time.monotonic() - started
            if not shown or time.monotonic() - said_at > _SAY_EVERY:
                progress(f"{name}: {step}" + (f" ({seconds:.0f} s)" if shown else ""))
                said_at, shown = time.monotonic(), shown + 1
            if ended:
                return
            if seconds > limits.seconds:
                raise InputError(
                    f"Reading {name!r} takes longer than {limits.seconds:g} s, the limit. "
                    "Try a smaller file, or raise the limit."
                )
            try:
                memory = psutil.Process(process.pid).memory_info().rss
            except psutil.Error:  # it has just ended
                memory = 0
            if memory > limits.memory_bytes:
                raise _too_much_memory(name, limits)
            try:
                process.wait(_POLL)
            except subprocess.TimeoutExpired:
                continue


def _too_much_memory(name: str, limits: Limits) -> InputError:
    return InputError(
        f"Reading {name!r} takes more than {source.megabytes(limits.memory_bytes)} of memory, the limit. "
        "Try a smaller file, or raise the limit."
    )


def _died(name: str, status: int, errors: str, limits: Limits) -> InputError:
    """Why a child ended without an answer."""
    if status == child.OUT_OF_MEMORY or "memory allocation" in errors or "MemoryError" in errors:
        return _too_much_memory(name, limits)
    if status < 0:
        return InputError(
            f"Reading {name!r} was stopped by the system (signal {-status}), most likely for want of memory. "
            "Try again when the machine has more to spare, or a smaller file."
        )
    last = errors.strip().splitlines()[-1] if errors.strip() else f"exit status {status}"
    return InputError(f"{name!r} cannot be read: {last[:300]}.")
