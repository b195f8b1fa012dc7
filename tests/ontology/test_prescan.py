import json
import random
import re

import networkx
import pytest

from core.errors import InputError
from core.ontology.prescan import LISTED, find_cycles
from tests.ontology import tiny

HEAD = "format-version: 1.2\n"


def obo(edges, count):
    """Terms X:0..., one stanza of fixed shape each, and the line of each is_a link."""
    lines, line_of = [HEAD.strip()], {}
    for child in range(count):
        lines += ["", "[Term]", f"id: X:{child}", f"name: n{child}"]
        for parent in sorted(p for c, p in edges if c == child):
            lines.append(f"is_a: X:{parent} ! n{parent}")
            line_of[child, parent] = len(lines)
    return "\n".join(lines) + "\n", line_of


# --- cycles -----------------------------------------------------------------------------------------------


def random_links(random_numbers):
    count = random_numbers.randint(2, 12)
    return {
        (random_numbers.randrange(count), random_numbers.randrange(count))
        for _ in range(random_numbers.randint(1, 2 * count))
    }


def test_cycles_are_found_in_exactly_the_random_graphs_that_have_one():
    random_numbers = random.Random(41)
    cyclic = 0
    for _ in range(1000):
        links = random_links(random_numbers)
        graph = networkx.DiGraph(list(links))
        acyclic = networkx.is_directed_acyclic_graph(graph)
        found = find_cycles([(str(a), str(b)) for a, b in links], 3)
        assert bool(found) is not acyclic
        seen = set()
        for cycle in found:
            steps = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            assert {(int(a), int(b)) for a, b in steps} <= links
            assert len(set(cycle)) == len(cycle)
            assert not seen & set(cycle)
            seen |= set(cycle)
        cyclic += not acyclic
    assert 200 < cyclic < 900  # the sample holds plenty of both kinds


def test_a_cycle_is_refused_with_its_links_and_lines(read):
    text, line_of = obo({(1, 0), (2, 1), (3, 2), (1, 3), (4, 1)}, 5)
    with pytest.raises(InputError) as refused:
        read(text)
    lines = " and ".join(str(line_of[link]) for link in ((1, 3), (3, 2), (2, 1)))
    assert f"X:1 is_a X:3 is_a X:2 is_a X:1 (lines {lines})" in str(refused.value)


def test_a_self_cycle_is_refused_with_its_line(read):
    text, line_of = obo({(1, 1), (2, 1)}, 3)
    with pytest.raises(InputError, match=rf"X:1 is_a X:1 \(line {line_of[1, 1]}\)"):
        read(text)


def test_cycles_in_json_and_owl_are_refused(read):
    graph = tiny.graph()
    graph["graphs"][0]["edges"].append(
        {"sub": f"{tiny.OBO_IRI}TY_0000001", "pred": "is_a", "obj": f"{tiny.OBO_IRI}TY_0000004"}
    )
    with pytest.raises(InputError, match="TY:0000001 is_a TY:0000004 is_a TY:0000001"):
        read(graph)
    link = '<rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/TY_0000004"/>'
    owl = tiny.OWL.replace("<rdfs:label>All</rdfs:label>", f"<rdfs:label>All</rdfs:label>\n{link}")
    lines = [number for number, line in enumerate(owl.splitlines(), 1) if link in line]
    with pytest.raises(InputError, match=rf"TY:0000001 is_a TY:0000004 .*lines {lines[0]} and"):
        read(owl)


def test_a_long_cycle_is_named_in_short(read):
    count = 500
    text, _ = obo({(n, (n + 1) % count) for n in range(count)}, count)
    with pytest.raises(InputError, match=r"\.\.\..*500 links") as refused:
        read(text)
    assert len(str(refused.value)) < 600


# --- duplicates and missing parents -----------------------------------------------------------------------


def test_every_planted_duplicate_is_refused_with_both_lines(read):
    random_numbers = random.Random(42)
    for _ in range(60):
        count = random_numbers.randint(2, 20)
        text, _ = obo(set(), count)
        again = random_numbers.randrange(count)
        at = random_numbers.choice([m.start() for m in re.finditer(r"\[Term\]", text)])
        text = f"{text[:at]}[Term]\nid: X:{again}\nname: other\n\n{text[at:]}"
        lines = [n for n, line in enumerate(text.splitlines(), 1) if line == f"id: X:{again}"]
        assert len(lines) == 2
        with pytest.raises(InputError, match=rf"X:{again} \(lines {lines[0]} and {lines[1]}\)"):
            read(text)


def test_duplicates_in_json_and_owl(read):
    graph = tiny.graph()
    graph["graphs"][0]["nodes"].append(dict(graph["graphs"][0]["nodes"][0], lbl="Everything"))
    with pytest.raises(InputError, match=r"TY:0000001 \(2 times\)"):
        read(graph)
    again = '<owl:Class rdf:about="http://purl.obolibrary.org/obo/TY_0000001">{}</owl:Class>\n</rdf:RDF>'
    described = again.format("<rdfs:label>Everything</rdfs:label>")
    with pytest.raises(InputError, match=r"TY:0000001 \(lines \d+ and \d+\)"):
        read(tiny.OWL.replace("</rdf:RDF>", described))


def test_a_class_may_be_described_in_two_places_of_an_owl_file(read):
    more = (
        '<owl:Class rdf:about="http://purl.obolibrary.org/obo/TY_0000001">'
        "<oboInOwl:hasExactSynonym>Everything</oboInOwl:hasExactSynonym></owl:Class>\n</rdf:RDF>"
    )
    row = read(tiny.OWL.replace("</rdf:RDF>", more))["by_id"]["TY:0000001"]
    assert (row[1], row[3]) == ("All", [["Everything", "EXACT", None]])


def test_links_to_missing_parents_are_left_out_and_reported_by_line(read):
    text = f"{HEAD}\n[Term]\nid: X:1\nname: a\nis_a: Y:1\n\n[Term]\nid: X:2\nname: b\nis_a: X:1\nis_a: Y:2\n"
    answer = read(text)
    assert {curie: row[4] for curie, row in answer["by_id"].items()} == {"X:1": [], "X:2": ["X:1"]}
    assert answer["noted"] == [(6, "dangling_parent"), (12, "dangling_parent")]
    assert "Y:1" in answer["findings"][0][2]


def test_missing_parents_in_json_and_owl_make_no_concepts(read):
    graph = tiny.graph()
    far = f"{tiny.OBO_IRI}BFO_0000003"
    graph["graphs"][0]["edges"].append({"sub": f"{tiny.OBO_IRI}TY_0000001", "pred": "is_a", "obj": far})
    from_json = read(graph)
    owl = tiny.OWL.replace("http://www.w3.org/2002/07/owl#Thing", far)
    from_owl = read(owl)
    for answer in (from_json, from_owl):
        assert sorted(answer["by_id"]) == [f"TY:000000{n}" for n in (1, 2, 3, 4)]
        assert answer["by_id"]["TY:0000001"][4] == []
        assert [kind for _, kind in answer["noted"]] == ["dangling_parent"]
    line = next(n for n, text in enumerate(owl.splitlines(), 1) if far in text)
    assert from_owl["noted"][0][0] == line


def test_long_lists_of_findings_are_counted(read):
    stanzas = (f"\n[Term]\nid: X:{n}\nname: n{n}\nis_a: Y:{n}\n" for n in range(LISTED + 7))
    answer = read(HEAD + "".join(stanzas))
    assert len(answer["findings"]) == LISTED + 1
    assert answer["findings"][-1] == [None, "dangling_parent", "7 more of this kind are not listed."]


def test_a_second_name_is_reported(read):
    answer = read(f"{HEAD}\n[Term]\nid: X:1\nname: a\nname: b\n")
    assert answer["by_id"]["X:1"][1] == "b"
    assert answer["noted"] == [(6, "duplicate_clause")]


def test_terms_without_name_and_undeclared_synonym_types_are_reported(read):
    text = f'{HEAD}\n[Term]\nid: X:1\n\n[Term]\nid: X:2\nname: b\nsynonym: "c" EXACT plural []\n'
    answer = read(text)
    assert answer["by_id"]["X:1"][1] == "X:1"
    assert answer["by_id"]["X:2"][3] == [["c", "EXACT", "plural"]]
    assert answer["noted"] == [(9, "undeclared_synonym_type"), (None, "unnamed")]


# --- what is no ontology ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is empty"),
        (" \n\t\n", "is empty"),
        ("\ufeff\n", "is empty"),
        ("<!DOCTYPE html><html><body>404 Not Found</body></html>", "is a web page"),
        ("\n <html lang='en'><head/></html>", "is a web page"),
        ("<!-- cached -->\n<HTML></HTML>", "is a web page"),
        (f"{HEAD}ontology: x\n", "holds no terms"),
        (f"{HEAD}\n[Typedef]\nid: part_of\nname: part of\n", "holds no terms"),
        ("PMID\tconcept\n1\tHP:1\n", "not an ontology file"),
        ("[1, 2]", "not an ontology file"),
        ("{}", "no OBO Graph"),
        ('{"graphs": []}', "no OBO Graph"),
        ('{"graphs": [{"id": "x", "nodes": [], "edges": []}]}', "holds no terms"),
        ('{"graphs": [{"nodes": [{"type": "CLASS"}]}]}', 'node 1 has no "id"'),
        ('{"graphs": [{"nodes": [7]}]}', "must be a list of objects"),
        ('{"graphs": [{"nodes": [{"id": "X:1", "type": "CLASS"}], "edges": [{"sub": "X:1"}]}]}', "edge 1"),
        ('{"graphs": [], "graphs": []}', "repeats the key 'graphs'"),
        ("@prefix owl: <http://www.w3.org/2002/07/owl#> .", "is in Turtle"),
        ("Prefix(:=<http://x/>)\nOntology(<http://x>)", "OWL functional syntax"),
        ("Ontology: <http://x>", "Manchester syntax"),
        (
            '<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#"/>',
            "XML but not RDF/XML",
        ),
        (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>',
            "no owl:Ontology element",
        ),
        (b"PK\x03\x04whatever", "zip archive"),
        (b"BZh91AY", "bzip2 archive"),
    ],
)
def test_files_that_are_no_ontology_are_told_apart(read, content, expected):
    with pytest.raises(InputError, match=re.escape(expected)):
        read(content)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (tiny.OBO.encode("latin-1"), "line 33 holds the byte 0xe9"),
        (tiny.OBO.encode("utf-16"), "is in UTF-16"),
        (tiny.OBO.replace("name: All", "name: A\0ll").encode(), "NUL character in line 10"),
        (json.dumps(tiny.graph(), ensure_ascii=False).encode("latin-1"), "line 1 holds the byte 0xe9"),
        (json.dumps(tiny.graph()).replace('"All"', '"A\\u0000ll"').encode(), "NUL character"),
        (json.dumps(tiny.graph()).replace('"All"', '"A\\ud800ll"').encode(), "lone surrogate"),
        (tiny.OWL.encode("latin-1"), "not well-formed XML"),
        (tiny.OWL.replace("All", "A\0ll").encode(), "not well-formed XML"),
    ],
)
def test_bad_encoding_is_named_by_line(read, content, expected):
    with pytest.raises(InputError, match=expected):
        read(content)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + tiny.OBO.encode(),
        tiny.OBO.replace("\n", "\r\n").encode(),
        tiny.OBO.replace("\n", "\r").encode(),
        b"\n\n" + tiny.OBO.encode(),
        b"! a comment first\n" + tiny.OBO.encode(),
        b"\xef\xbb\xbf" + json.dumps(tiny.graph()).encode(),
        b"\xef\xbb\xbf" + tiny.OWL.encode(),
        tiny.OWL.replace('version="1.0"', 'version="1.0" encoding="ISO-8859-1"').encode("latin-1"),
        tiny.OWL.encode("utf-16"),
        json.dumps(tiny.graph()).replace("Caf", "Caf").replace("/", "\\/").encode(),
    ],
)
def test_harmless_variants_of_encoding_load_the_same(read, content):
    assert read(content)["concepts"] == read(tiny.OBO)["concepts"]
