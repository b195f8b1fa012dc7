"""Complex concepts: what stands in logical definitions, as parents of their own, with an id and in words.

    parents = complex_parents(definition)    # {"[EX.](inheres_in UBERON:0001255)", ...}
    Words(labels).of("[EX.](inheres_in UBERON:0001255)")   # "something that inheres in the urinary bladder"

A definition is a conjunction, genus and existential restrictions. Each outermost conjunct is one parent
(ontology enrichment, section 4, step 0 (i)): the genus as it is, `relation FILLER` as the complex concept
"exists relation.FILLER". Complex concepts are parents only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from core.ontology import source
from core.records import Concept, Curie

Definition = tuple[tuple[str | None, Curie], ...]
"""(relation, filler) of each conjunct; the genus has relation None."""

LARGEST = 512 << 20
"""Bytes of a file, unpacked."""
ABNORMAL = "PATO:0000460"
ANONYMOUS = "_:"
"""How ids of fillers begin that are nameless expressions themselves."""
_ID = re.compile(r"\[EX\.\]\((\S+) (\S+)\)")
_COMMENT = re.compile(
    r"^(?:intersection_of|is_a|relationship|id):.*?(\S+)(?: \{[^}]*\})? ! (.+?)\s*$", re.MULTILINE
)
_PATTERNS = {
    "inheres_in": "something that inheres in the {}",
    "inheres_in_part_of": "something that inheres in a part of the {}",
    "qualifier": "something that is {}",
    "towards": "something towards {}",
    "has_part": "something with {} as a part",
    "during": "something during {}",
}


def restriction(relation: str, filler: Curie) -> Curie:
    """The id of "exists relation.filler"."""
    return f"[EX.]({relation} {filler})"


def parts(expression: Curie) -> tuple[str, Curie] | None:
    """(relation, filler) of the id of a complex concept; None for any other id."""
    found = _ID.fullmatch(expression)
    return (found[1], found[2]) if found else None


def is_complex(curie: Curie) -> bool:
    return _ID.fullmatch(curie) is not None


def definitions(concepts: Iterable[Concept]) -> dict[Curie, Definition]:
    """Concept -> its logical definition, of those that have one."""
    return {c.curie: c.intersection_of for c in concepts if c.intersection_of and not c.obsolete}


def conjuncts(definition: Definition) -> Iterator[tuple[str, Curie]]:
    """(kind, parent) of each outermost conjunct: `genus`, `complex`, or `anonymous`, which is no parent."""
    for relation, filler in definition:
        if filler.startswith(ANONYMOUS):
            yield "anonymous", filler
        elif relation is None:
            yield "genus", filler
        else:
            yield "complex", restriction(relation, filler)


def comments(path: Path) -> dict[Curie, str]:
    """Id -> the label that stands behind it after `!` in an OBO file, the first where there are several. What
    a file imports is often named there alone.

    Raises:
        InputError: the file cannot be read.
    """
    if ".obo" not in path.name.lower():
        return {}
    found: dict[Curie, str] = {}
    for curie, label in _COMMENT.findall(
        source.decode(source.unpack(source.read_file(path, LARGEST), LARGEST, path.name), path.name)
    ):
        found.setdefault(curie, label)
    return found


class Words:
    """Ids in words that people read; the id beside them says the same exactly."""

    def __init__(self, labels: Mapping[Curie, str]):
        self._labels = labels

    def of(self, curie: Curie | None) -> str:
        """Of an atomic or complex concept, or of no child; never empty."""
        if curie is None:
            return "no narrower concept"
        if (found := parts(curie)) is None:
            return self._labels.get(curie) or curie
        relation, filler = found
        if (relation, filler) == ("qualifier", ABNORMAL):
            return "something abnormal"
        pattern = _PATTERNS.get(relation, f"something that {relation.replace('_', ' ')} {{}}")
        return pattern.format(self.of(filler))
