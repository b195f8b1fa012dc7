"""The published files beside the checkout, against their manifest's counts and their own lines."""

import gzip
import re

import pytest

from core.ontology.lineage import Lineage
from core.ontology.load import load

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
    path = shared_data / "ontology" / file
    ontology = load(path, name="x")
    data = path.read_bytes()
    facts = facts_of((gzip.decompress(data) if path.suffix == ".gz" else data).decode())
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
