import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from core.errors import InputError
from core.ontology.load import Limits, load
from core.records import Concept, Synonym
from tests.ontology import tiny

ROOT = Path(__file__).parents[2]
SPACE = "tiny_phenotype"
EXPECTED = (
    Concept("TY:0000001", "All", namespace=SPACE),
    Concept(
        "TY:0000002",
        "Abnormal heart",
        definition="A heart that differs from the norm.",
        synonyms=(Synonym("Bad heart", "EXACT", "layperson"), Synonym("Cardiac anomaly", "NARROW")),
        parents=("TY:0000001",),
        relations=(("part_of", "TY:0000004"),),
        intersection_of=((None, "PATO:0000001"), ("inheres_in", "UBERON:0000948")),
        alt_ids=("TY:0000009",),
        namespace="organ",
    ),
    Concept("TY:0000003", "obsolete Sick heart", obsolete=True, replaced_by=("TY:0000002",), namespace=SPACE),
    Concept("TY:0000004", "Café finding", parents=("TY:0000001", "TY:0000002"), namespace=SPACE),
)
"""Written out by hand from the three files in `tiny`, which say the same in three formats."""


@pytest.mark.parametrize(
    ("file", "text"),
    [("tiny.obo", tiny.OBO), ("tiny.json", json.dumps(tiny.graph())), ("tiny.owl", tiny.OWL)],
)
def test_the_three_formats_give_the_same_concepts_plain_and_gzipped(write, file, text):
    plain = load(write(file, text), name="tiny")
    packed_bytes = gzip.compress(text.encode())
    packed = load(write(f"{file}.gz", packed_bytes), name="tiny")
    assert plain.concepts == EXPECTED
    assert packed.concepts == EXPECTED
    assert (plain.name, plain.version, plain.root, plain.title) == (
        "tiny",
        "2024-02-08",
        "TY:0000001",
        "A tiny ontology",
    )
    assert plain.findings == ()
    assert plain.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert packed.sha256 == hashlib.sha256(packed_bytes).hexdigest()


def test_the_three_formats_agree_whatever_the_file_is_called(write):
    assert load(write("tiny.owl", tiny.OBO), name="tiny").concepts == EXPECTED
    assert load(write("no extension", tiny.OWL), name="tiny").concepts == EXPECTED


@pytest.mark.parametrize(
    ("header", "version"),
    [
        ("data-version: hp/releases/2020-12-07/imports/go_import.owl\n", "2020-12-07"),
        ("data-version: 1.1.1952\n", "1.1.1952"),
        ("date: 25:06:2014 08:55\n", "2014-06-25"),
        ('property_value: owl:versionInfo "2026-01-23" xsd:string\n', "2026-01-23"),
    ],
)
def test_version_is_what_the_file_states(write, header, version):
    path = write("v.obo", f"format-version: 1.2\n{header}\n[Term]\nid: X:1\nname: x\n")
    assert load(path, name="x").version == version
    assert load(path, name="x", version="mine").version == "mine"


def test_a_file_without_version_is_known_by_its_hash(write):
    path = write("v.obo", "format-version: 1.2\n\n[Term]\nid: X:1\nname: x\n")
    assert load(path, name="x").version == hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def terms(*links: str) -> str:
    """`A`, `B<A`, `C<A,B`: an OBO file with these terms and their parents."""
    stanzas = ["format-version: 1.2\n"]
    for link in links:
        curie, _, parents = link.partition("<")
        lines = [f"is_a: X:{parent}\n" for parent in parents.split(",") if parent]
        stanzas.append(f"\n[Term]\nid: X:{curie}\nname: {curie}\n{''.join(lines)}")
    return "".join(stanzas)


def test_root_is_the_one_that_most_concepts_are_under(write):
    two = load(write("two.obo", terms("A", "B<A", "C<A", "D", "E<D")), name="x")
    assert two.root == "X:A"
    assert [f.kind for f in two.findings] == ["several_roots"]
    even = load(write("even.obo", terms("A", "B<A", "D", "E<D")), name="x")
    assert even.root is None
    assert load(write("flat.obo", terms("A", "B")), name="x").root is None


def test_root_can_be_given(write):
    path = write("two.obo", terms("A", "B<A", "C<A", "D", "E<D"))
    assert load(path, name="x", root="X:D").root == "X:D"
    with pytest.raises(InputError, match="'X:9' is not a concept"):
        load(path, name="x", root="X:9")
    with pytest.raises(InputError, match="'TY:0000003' is obsolete"):
        load(write("tiny.obo", tiny.OBO), name="x", root="TY:0000003")


def test_progress_is_told_and_can_cancel(write):
    path = write("tiny.obo", tiny.OBO)
    said = []
    load(path, name="x", progress=said.append)
    assert said[0] == "tiny.obo: Starting"
    assert any("Reading 4 terms" in text for text in said)

    def cancel(_text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(path, name="x", progress=cancel)


def test_missing_file_and_folder_are_named(tmp_path):
    with pytest.raises(InputError, match="no file"):
        load(tmp_path / "nowhere.obo", name="x")
    with pytest.raises(InputError, match="no file"):
        load(tmp_path, name="x")


def test_refusal_crosses_from_the_child_as_one_sentence(write):
    path = write("bad.obo", terms("A<B", "B<A"))
    with pytest.raises(InputError, match=r"X:A is_a X:B is_a X:A \(lines 6 and 11\)"):
        load(path, name="x")


# --- limits -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many_terms():
    """40,000 terms, which take pronto some seconds and more than 100 MB."""
    stanzas = (f"\n[Term]\nid: X:{n}\nname: term {n}\nis_a: X:0\n" for n in range(1, 40_000))
    return "format-version: 1.2\n\n[Term]\nid: X:0\nname: root\n" + "".join(stanzas)


def test_memory_limit_stops_the_child_and_says_so(write, many_terms):
    with pytest.raises(InputError, match="more than 90 MB of memory, the limit"):
        load(write("many.obo", many_terms), name="x", limits=Limits(memory_bytes=90 << 20))


def test_time_limit_stops_the_child_and_says_so(write, many_terms):
    with pytest.raises(InputError, match=r"longer than 0\.5 s, the limit"):
        load(write("many.obo", many_terms), name="x", limits=Limits(seconds=0.5))


def test_a_child_that_the_system_kills_is_told_as_such(write, many_terms):
    def kill(text):
        if "Reading" in text:
            for process in psutil.Process().children():
                process.kill()

    with pytest.raises(
        InputError, match=r"stopped by the system \(signal 9\), most likely for want of memory"
    ):
        load(write("many.obo", many_terms), name="x", progress=kill)


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux only")
def test_the_child_binds_itself_too():
    code = (
        "import resource; from core.ontology.child import bind; bind(64 << 20, 5.0)\n"
        "print(resource.getrlimit(resource.RLIMIT_CPU)[1])\n"
        "try: bytearray(2 << 30)\n"
        "except MemoryError: print('refused')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.split() == ["65", "refused"]


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux only")
def test_the_child_never_lifts_the_limits_that_it_was_started_with(write):
    """Lifting a hard limit is refused, and root, who may, goes beyond what the operator set."""
    path = write("tiny.obo", tiny.OBO)
    code = (
        "import resource as r; from pathlib import Path; from core.ontology.load import load\n"
        "from core.ontology.child import bind\n"
        "for limit, soft, hard in ((r.RLIMIT_AS, 2 << 30, 3 << 30), (r.RLIMIT_CPU, 40, 50)):\n"
        "    r.setrlimit(limit, (soft, hard))\n"
        f"print(len(load(Path({str(path)!r}), name='x').concepts))\n"
        "bind(8 << 30, 600)\n"
        "print(*r.getrlimit(r.RLIMIT_AS), *r.getrlimit(r.RLIMIT_CPU))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stderr == ""
    known, *limits = map(int, run.stdout.split())
    assert known > 3
    assert limits == [2 << 30, 2 << 30, 40, 40]


def test_size_limits_before_and_after_decompression(write, many_terms):
    packed = write("many.obo.gz", gzip.compress(many_terms.encode()))
    with pytest.raises(InputError, match=r"larger than 0\.1 MB"):
        load(packed, name="x", limits=Limits(file_bytes=100 << 10))
    with pytest.raises(InputError, match=r"expands beyond 1\.0 MB"):
        load(packed, name="x", limits=Limits(unpacked_bytes=1 << 20))
