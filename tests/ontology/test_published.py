"""The published files beside the checkout, against their manifest's counts and their own lines."""

import functools
import gzip
import re

import pytest

from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.ontology.versions import compare

pytestmark = pytest.mark.shared_data


LINKS = ("is_a", "alt_id", "replaced_by", "relationship", "intersection_of")


def facts_of(text):
    """Ids, names and links of the terms, read by plain string operations."""
    facts = {tag: set() for tag in ("id", "name", "is_obsolete", *LINKS)}
    for stanza in re.split(r"\n\[", text)[1:]:
        if not stanza.startswith("Term]"):
            continue
        lines = [line.partition(": ") for line in stanza.splitlines()[1:] if ": " in line]
        (curie,) = [value.split(" ! ")[0] for tag, _, value in lines if tag == "id"]
        facts["id"].add(curie)
        for tag, _, value in lines:
            if tag == "name":
                facts["name"].add((curie, re.split(r" \{\w+=", value)[0].replace("\\", "").strip()))
            elif tag == "is_obsolete" and value.startswith("true"):
                facts["is_obsolete"].add(curie)
            elif tag in LINKS:
                first = re.split(r" [!{]", value)[0]
                facts[tag].add((curie, *first.split()))
    return facts


@functools.cache
def published(path):
    """(ontology, text) of a file: read once for all tests."""
    data = path.read_bytes()
    return load(path, name="x"), (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


FILES = {
    # file: live terms, descendants of the branch, all as the manifest counts them
    "hp-2015-01-27.obo.gz": ("2015-01-27", 10_972, "HP:0000118", 10_889),
    "hp-2017-04-13.obo.gz": ("2017-04-13", 12_226, "HP:0000118", 12_066),
    "hp-2024-02-08-rebuilt.obo.gz": ("2024-02-08", 18_082, "HP:0000118", 17_547),
    "hp-logical-definitions-2014-06-25.obo.gz": ("2014-06-25", 4_204, None, None),
    "go-subset-from-hpo-import-2020-12-07.obo.gz": ("2020-12-07", None, "GO:0008150", 2_127),
    "goslim_generic-2026-01-23.obo": ("2026-01-23", 141, None, None),
}


@pytest.mark.parametrize("file", FILES)
def test_published_file_loads_whole(shared_data, file):
    version, live, branch, descendants = FILES[file]
    ontology, text = published(shared_data / "ontology" / file)
    facts = facts_of(text)
    concepts = ontology.concepts
    assert {c.curie for c in concepts} == facts["id"]
    if facts["name"]:  # the logical definitions of 2014 name nothing
        assert {(c.curie, c.name.strip()) for c in concepts} == facts["name"]
    assert {c.curie for c in concepts if c.obsolete} == facts["is_obsolete"]
    assert {(c.curie, p) for c in concepts for p in c.parents} == facts["is_a"]
    assert {(c.curie, a) for c in concepts for a in c.alt_ids} == facts["alt_id"]
    assert {(c.curie, r) for c in concepts for r in c.replaced_by} == facts["replaced_by"]
    assert {(c.curie, *r) for c in concepts for r in c.relations} == facts["relationship"]
    parts = {(c.curie, *filter(None, part)) for c in concepts for part in c.intersection_of}
    assert parts == facts["intersection_of"]
    assert ontology.version == version
    if live:
        assert sum(not c.obsolete for c in concepts) == live
    if branch:
        lineage = Lineage.of(ontology)
        assert len(lineage.descendants(branch)) == descendants
        assert int(lineage.under(branch).sum()) == descendants + 1
    assert not [f for f in ontology.findings if f.kind in ("repaired", "dangling_parent")]
    if file == "hp-2017-04-13.obo.gz":
        assert ontology.root == "HP:0000001"
        types = {s.type for c in concepts for s in c.synonyms}
        assert types == {None, "layperson", "HP:0045076", "HP:0045077", "HP:0045078"}
        assert sum(len(c.synonyms) for c in concepts if not c.obsolete) == 15_943


# --- what changed between releases --------------------------------------------------------------------------

BRANCH = "HP:0000118"
WORDING = re.compile(r'^(def|synonym): "((?:[^"\\]|\\.)*)" ?([A-Z]*)')


class Release:
    """One file as sets of lines: no code of the product reads it."""

    def __init__(self, text):
        facts = facts_of(text)
        self.live = facts["id"] - facts["is_obsolete"]
        self.obsolete, self.replaced = facts["is_obsolete"], dict(facts["replaced_by"])
        self.alt, self.alts_of = {}, {}
        for curie, alt in sorted(facts["alt_id"]):
            if curie in self.live:
                self.alt.setdefault(alt, []).append(curie)
                self.alts_of.setdefault(curie, set()).add(alt)
        self.is_a = {pair for pair in facts["is_a"] if pair[0] in self.live}
        self.up, self.down = {}, {}
        for child, parent in self.is_a:
            self.up.setdefault(child, set()).add(parent)
            self.down.setdefault(parent, set()).add(child)
        self.branch = self.closure(BRANCH, self.down)
        self.wording, self.name = {}, {}
        for stanza in re.split(r"\n\[", text)[1:]:
            found = [WORDING.match(line) for line in stanza.splitlines()]
            curie = re.search(r"^id: (\S+)", stanza, re.MULTILINE)[1]
            self.name[curie] = "".join(re.findall(r"^name: (.*)$", stanza, re.MULTILINE))
            self.wording[curie] = {(m[1], unescaped(m[2]), m[3]) for m in found if m}

    @staticmethod
    def closure(start, step):
        found, level = set(), {start}
        while level:
            level = {n for one in level for n in step.get(one, ())} - found
            found |= level
        return found

    def now(self, curie, wanted=frozenset()):
        """Of a concept that was split, the wanted part."""
        for _ in range(6):
            if curie in self.live:
                return curie
            parts = self.alt.get(curie) or [self.replaced.get(curie)]
            curie = min(wanted & set(parts), default=parts[0])
        return None


def counted(old, new):
    """Concepts of each kind of change, counted by sets."""
    gone = old.branch - new.live
    by_alt = gone & new.alt.keys()
    known = old.live | old.alt.keys()
    replaced = {c for c in gone - by_alt if new.now(c)}
    lost = gone - by_alt - replaced
    added = {c for c in new.branch - known if not new.alts_of.get(c, set()) & old.live}
    both = old.branch & new.live
    parents = {
        c: {new.now(p, new.up.get(c, set())) or p for p in old.up.get(c, set()) & old.live} for c in both
    }
    moved = {c for c in both if parents[c] != new.up.get(c, set()) & new.live}
    worded = {
        kind: {c for c in both if _of(kind, old, c) != _of(kind, new, c)} for kind in ("def", "synonym")
    }
    found = {
        "added": added,
        "id_changed": {c for c in by_alt if new.alt[c][0] not in known},
        "merged": {c for c in by_alt if new.alt[c][0] in known},
        "replaced": replaced,
        "obsoleted": lost & new.obsolete,
        "removed": lost - new.obsolete,
        "renamed": {c for c in both if old.name[c] != new.name[c]},
        "moved": moved,
        "moved_away": {c for c in moved if parents[c] - new.closure(c, new.up) - {c}},
        "extended": {c for c in both if new.down.get(c, set()) & added},
        "redefined": worded["def"],
        "synonyms_changed": worded["synonym"],
    }
    return {kind: sorted(curies) for kind, curies in found.items()}


def _of(kind, release, curie):
    """Scopes count for synonyms, white space does not for definitions."""
    held = [(text, scope) for k, text, scope in release.wording[curie] if k == kind]
    return set(held) if kind == "synonym" else {" ".join(text.split()) for text, _ in held}


def unescaped(text):
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), text)


RELEASES = ("hp-2015-01-27.obo.gz", "hp-2017-04-13.obo.gz", "hp-2024-02-08-rebuilt.obo.gz")
COUNTS = {
    # new, gone, by alt_id, renamed, parents changed, moved away, new child: as counted when the files came in
    (0, 1): (1_252, 77, 56, 273, 588, 137, 454),
    (0, 2): (6_915, 250, 248, 1_285, 1_730, 542, 1_288),
    (1, 2): (5_691, 196, 194, 1_230, 1_448, 466, 1_195),
}


@pytest.mark.parametrize("pair", COUNTS)
def test_changes_between_releases_are_those_of_a_plain_reading_of_the_lines(shared_data, pair):
    (old, before), (new, after) = (published(shared_data / "ontology" / RELEASES[at]) for at in pair)
    found = compare(old, new, BRANCH).to_json()
    assert found == counted(Release(before), Release(after))
    of = {kind: len(curies) for kind, curies in found.items()}
    by_alt = of["merged"] + of["id_changed"]
    gone = by_alt + of["replaced"] + of["obsoleted"] + of["removed"]
    rest = (of[kind] for kind in ("renamed", "moved", "moved_away", "extended"))
    assert (of["added"], gone, by_alt, *rest) == COUNTS[pair]
