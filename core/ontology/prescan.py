"""What a file says about itself before pronto reads it: ids, is_a links, imports, each with its line.

pronto accepts cycles and duplicate ids silently and stops at a missing parent, so these are found here.

Refused (InputError, the first few named by line): a cycle of is_a links, one id defined twice, no terms.
Reported and loaded: an is_a link whose parent is not in the file is left out (files that import others
hold many), imports are never followed, a file without a line break at its end may have been cut off.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from core.errors import InputError
from core.ontology import source
from core.records import Curie, Finding

SHOWN = 3
"""How many instances of one fault an error spells out."""
LISTED = 1000
"""How many findings of one kind are listed one by one; the rest are counted."""


@dataclass(slots=True)
class Scan:
    payload: bytes
    """What pronto is given: the file's text as UTF-8 (OBO), or the parts of it that are kept (JSON, OWL)."""
    defined: dict[Curie, list[int | None]] = field(default_factory=dict)
    """Where each term is defined: lines, or None in a format without lines."""
    is_a: list[tuple[Curie, Curie, int | None]] = field(default_factory=list)
    """(child, parent, line)."""
    imports: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    definitions: dict[Curie, list[tuple[str | None, Curie]]] = field(default_factory=dict)
    """Logical definitions that pronto does not read (JSON, OWL)."""
    synonym_types: dict[tuple[Curie, str, str], str] = field(default_factory=dict)
    """(term, scope, text) -> type, where pronto does not read it (JSON)."""

    def define(self, curie: Curie, line: int | None) -> None:
        self.defined.setdefault(curie, []).append(line)

    @property
    def missing(self) -> set[Curie]:
        """Parents that are not in the file."""
        return {parent for _, parent, _ in self.is_a if parent not in self.defined}


# --- OBO, by line -----------------------------------------------------------------------------------------

_STANZA_OR_CLAUSE = re.compile(
    r"^[ \t]*(?:\[(?P<stanza>\w+)\]|(?P<tag>id|is_a|name|def|import)[ \t]*:[ \t]*(?P<value>.*))", re.M
)
_ID = re.compile(r"(?:\\.|[^\s\\!{])+")
_ONCE = frozenset({"name", "def"})


def scan_obo(data: bytes, name: str) -> Scan:
    """Read the lines that matter here; every other line is left to pronto."""
    text = source.decode(data, name)
    cut = bool(text) and not text.endswith("\n")
    scan = Scan(payload=(text + "\n" if cut else text).encode("utf-8"))
    stanza, term, tag = "", "", ""
    seen: set[str] = set()
    line, at = 1, 0
    for match in _STANZA_OR_CLAUSE.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if match["stanza"]:
            stanza, term, tag, seen = match["stanza"], "", "", set()
            continue
        tag, value = match["tag"], match["value"]
        if tag == "import" and not stanza:
            scan.imports.append(value.strip())
        if stanza != "Term" or not (first := _ID.match(value)):
            continue
        if tag == "id":
            term = first[0]
            scan.define(term, line)
        elif tag == "is_a" and term:
            scan.is_a.append((term, first[0], line))
        elif tag in _ONCE:
            if tag in seen:
                scan.findings.append(
                    Finding(line, "duplicate_clause", f"{term} has a second {tag}; the last one counts.")
                )
            seen.add(tag)
    if cut:
        last = text.count("\n") + 1
        torn_link = (
            tag == "is_a" and scan.is_a and scan.is_a[-1][2] == last and scan.is_a[-1][1] in scan.missing
        )
        if line == last and (tag == "id" or torn_link):
            raise InputError(f"{name!r} is cut off in line {last}, within an id. Get the file again.")
        message = "The file does not end with a line break: its end may be missing."
        scan.findings.append(Finding(last, "no_final_line_break", message))
    return scan


# --- checks, for every format -----------------------------------------------------------------------------


def check(scan: Scan, name: str) -> None:
    """Raise InputError for what cannot be loaded, add to `scan.findings` what was noticed."""
    if not scan.defined:
        raise InputError(f"{name!r} holds no terms. Choose a file that defines some.")
    _refuse_duplicates(scan, name)
    _refuse_cycles(scan, name)
    if scan.imports:
        shown = ", ".join(scan.imports[:SHOWN]) + (", ..." if len(scan.imports) > SHOWN else "")
        scan.findings.append(
            Finding(
                None, "import_ignored", f"Imports are not followed: {len(scan.imports)} listed ({shown})."
            )
        )
    missing = scan.missing
    scan.findings += [
        Finding(
            line, "dangling_parent", f"{child} is_a {parent}: {parent} is not in this file; link left out."
        )
        for child, parent, line in scan.is_a
        if parent in missing
    ]


def shorten(findings: list[Finding]) -> list[Finding]:
    """At most `LISTED` findings of each kind, then one that counts the rest. By line."""
    kept: list[Finding] = []
    count: dict[str, int] = defaultdict(int)
    for finding in sorted(findings, key=lambda f: (f.line is None, f.line or 0, f.kind)):
        count[finding.kind] += 1
        if count[finding.kind] <= LISTED:
            kept.append(finding)
    for kind, number in count.items():
        if number > LISTED:
            kept.append(Finding(None, kind, f"{number - LISTED} more of this kind are not listed."))
    return kept


def _refuse_duplicates(scan: Scan, name: str) -> None:
    twice = [(curie, lines) for curie, lines in scan.defined.items() if len(lines) > 1]
    if not twice:
        return
    shown = "; ".join(
        f"{curie} ({_lines(lines)})" if any(lines) else f"{curie} ({len(lines)} times)"
        for curie, lines in twice[:SHOWN]
    )
    rest = f"; and {len(twice) - SHOWN} more" if len(twice) > SHOWN else ""
    raise InputError(
        f"{name!r} defines {len(twice)} id{'s'[: len(twice) > 1]} more than once: {shown}{rest}. "
        "Remove or merge the repeated definitions and add the file again."
    )


def _lines(lines: list[int | None]) -> str:
    return "lines " + " and ".join(str(line) for line in lines)


def _refuse_cycles(scan: Scan, name: str) -> None:
    cycles = find_cycles([(child, parent) for child, parent, _ in scan.is_a], SHOWN)
    if not cycles:
        return
    line_of = {(child, parent): line for child, parent, line in scan.is_a}
    shown = "; ".join(_cycle_text(cycle, line_of) for cycle in cycles)
    raise InputError(
        f"{name!r} has is_a links that run in a circle: {shown}. "
        "A concept cannot be a kind of itself; remove one link of each circle and add the file again."
    )


def _cycle_text(cycle: list[Curie], line_of: dict[tuple[Curie, Curie], int | None]) -> str:
    steps = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    lines = [line_of[step] for step in steps]
    chain = [*cycle, cycle[0]] if len(cycle) <= 10 else [*cycle[:8], "...", cycle[-1], cycle[0]]
    where = f" ({_lines(lines) if len(lines) > 1 else f'line {lines[0]}'})" if any(lines[:10]) else ""
    return " is_a ".join(chain) + (where if len(lines) <= 10 else f" ({len(lines)} links)")


def find_cycles(edges: list[tuple[Curie, Curie]], most: int) -> list[list[Curie]]:
    """Up to `most` cycles that share no node, each as child, parent, grandparent...; [] if there is none.

    Nodes without a parent are peeled off until only cycles and what hangs below them remain (Kahn 1962);
    walking up from any remaining node then must come round.
    """
    parents: dict[Curie, set[Curie]] = defaultdict(set)
    children: dict[Curie, set[Curie]] = defaultdict(set)
    for child, parent in edges:
        parents[child].add(parent)
        children[parent].add(child)
    cycles: list[list[Curie]] = []
    free = [node for node in list(children) if not parents.get(node)]
    while True:
        while free:
            node = free.pop()
            for child in children.pop(node, ()):
                parents[child].discard(node)
                if not parents[child]:
                    del parents[child]
                    free.append(child)
        left = {child for child, above in parents.items() if above}
        if not left or len(cycles) == most:
            return cycles
        cycle = _walk_round(min(left), parents)
        cycles.append(cycle)
        for node in cycle:
            parents[node] = set()
            free.append(node)


def _walk_round(start: Curie, parents: dict[Curie, set[Curie]]) -> list[Curie]:
    seen: dict[Curie, int] = {}
    path: list[Curie] = []
    node = start
    while node not in seen:
        seen[node] = len(path)
        path.append(node)
        node = min(parents[node])
    return path[seen[node] :]
