import io
import re
import warnings

import pronto
import pytest

from core.errors import InputError

HEAD = "format-version: 1.2\n"


def bare_pronto(text):
    """What pronto makes of a text by itself, through its public interface."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ontology = pronto.Ontology(io.BytesIO(text.encode()), import_depth=0)
        return {
            term.id: (
                term.name,
                {(s.description, s.scope) for s in term.synonyms},
                {parent.id for parent in term.superclasses(distance=1, with_self=False)},
            )
            for term in ontology.terms()
        }


def in_term(line):
    """A file in which `line` is line 6, between lines that must come out unharmed."""
    return (
        f'{HEAD}\n[Term]\nid: X:1\nname: one\n{line}\nsynonym: "kept" EXACT []\n\n'
        "[Term]\nid: X:2\nname: two\nis_a: X:1 ! one\n"
    )


def repaired(answer):
    return [line for line, kind in answer["noted"] if kind == "repaired"]


@pytest.mark.parametrize(
    ("line", "synonym"),
    [
        ('synonym: "q" EXACT [a:b; https://c.org/d]', ["q", "EXACT", None]),
        ('synonym: "q" EXACT [GOC:pz, Rhea: 36507]', ["q", "EXACT", None]),
        ('synonym: "q" BROAD [TAO:Bird and Mabee 2003]', ["q", "BROAD", None]),
        ('synonym: "q" EXACT [PMID:31784573<new dbxref>]', ["q", "EXACT", None]),
        ('synonym: "q" NARROW [a:b', ["q", "NARROW", None]),
        ('synonym: "q" EXACT [,]', ["q", "EXACT", None]),
        ('synonym: "q" EXACT[] [a:b]', ["q", "EXACT", None]),
        ('synonym: "q" EXACT', ["q", "EXACT", None]),
        ('synonym: "q" exact []', ["q", "EXACT", None]),
        ('synonym: "q" [a:b]', ["q", "RELATED", None]),
        ('synonym: "q"', ["q", "RELATED", None]),
        ('synonym: "q of "inner" r" EXACT []', ['q of "inner" r', "EXACT", None]),
        ("synonym: q EXACT []", ["q", "EXACT", None]),
        ('synonym: "q" EXACT plural [a; b] {c="d"}', ["q", "EXACT", "plural"]),
        ('synonym: "q" EXACT [] {c=d}', ["q", "EXACT", None]),
        ('exact_synonym: "q" [a:b]', ["q", "EXACT", None]),
        ('narrow_synonym: "q" []', ["q", "NARROW", None]),
        ('related_synonym: "q [a; b]" [c:d]', ["q [a; b]", "RELATED", None]),
    ],
)
def test_synonyms_keep_their_text_scope_and_type(read, line, synonym):
    with pytest.raises((SyntaxError, ValueError, TypeError)):
        bare_pronto(in_term(line))
    answer = read(in_term(line))
    assert answer["by_id"]["X:1"][3] == [["kept", "EXACT", None], synonym]
    assert answer["by_id"]["X:2"][4] == ["X:1"]
    assert repaired(answer) == [6]


@pytest.mark.parametrize(
    ("line", "definition"),
    [
        ('def: "text"', "text"),
        ('def: "text" [a:b] [c:d]', "text"),
        ('def: "text" [http://x.org/a b]', "text"),
        ('def: "text of "inner" kind" [a:b]', 'text of "inner" kind'),
        ("def: text", "text"),
        ('def: "text [as is]; so" [a; b]', "text [as is]; so"),
    ],
)
def test_definitions_keep_their_text(read, line, definition):
    answer = read(in_term(line))
    assert answer["by_id"]["X:1"][2] == definition
    assert repaired(answer) == [6]


@pytest.mark.parametrize(
    "line",
    [
        'xref: KEGG COMPOUND:70458-96-7 "CAS Registry Number"',
        "xref: xref (ILX:0770149)",
        "xref: http://neurolex.org/wiki/Category\\:Embryonic_organism",
        "xref:",
        "creation_date: 202z-09-29T15:45:36Z",
        "creation_date: 14-04-2011",
        "created_by:",
        'property_value: x "a "b" c" xsd:string',
        "subset: not a name",
        "some_tag_of_our_own: value",
        "xref_analog: EC:1",
        "is_a:",
        "intersection_of: X:2",
    ],
)
def test_clauses_that_are_not_kept_anyway_are_left_out_and_reported(read, line):
    answer = read(in_term(line))
    assert answer["concepts"] == read(in_term("comment: nothing wrong"))["concepts"]
    assert repaired(answer) == [6]


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("is_a: X:2 two", 4, ["X:2"]),
        ("is_obsolete: True", 8, True),
        ("is_obsolete: 0", 8, False),
        ("replaced_by: X:2 two", 9, ["X:2"]),
        ("alt_id: X:9 two", 7, ["X:9"]),
        ("namespace: human phenotype", 10, "human phenotype"),
    ],
)
def test_other_clauses_are_read_as_meant(read, line, field, value):
    text = in_term(line).replace("is_a: X:1 ! one\n", "")
    answer = read(text)
    assert answer["by_id"]["X:1"][field] == value
    assert repaired(answer) == [6]


def test_braces_in_a_name_are_part_of_it(read):
    answer = read(f"{HEAD}\n[Term]\nid: X:1\nname: kinase {{alpha}}\n")
    assert answer["by_id"]["X:1"][1] == "kinase {alpha}"
    assert repaired(answer) == [5]


def test_a_definition_with_an_unreadable_part_is_left_out_whole(read):
    parts = "intersection_of: X:2\nintersection_of: part_of X:2 X:3\n"
    answer = read(in_term("comment: c").replace('synonym: "kept" EXACT []\n', parts))
    assert answer["by_id"]["X:1"][6] == []
    assert repaired(answer) == [7, 8]


def test_headers_heads_and_comments(read):
    text = (
        "! a comment\n"
        "ontology: x\n"
        "date: 05:20:2021 12:00\n"
        "data-version:\n"
        "\n"
        "[Foo]\nid: X:9\n"
        "\n"
        "[Term] ! an aside\nname: one\n! a comment inside\nid: X:1\n"
    )
    answer = read(text)
    assert [row[:2] for row in answer["concepts"]] == [["X:1", "one"]]
    assert repaired(answer) == [3, 4, 6, 9, 10]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("<<<<<<< HEAD", "line 6: this is no clause of an OBO file"),
        ("and so it goes on", "line 6: this is no clause"),
        ("is_a: X 2", r"line 6: this is_a cannot be read"),
        ("is_obsolete: perhaps", "line 6: this is_obsolete cannot be read"),
        ("id: X:3", "line 6: this id cannot be read"),
    ],
)
def test_what_a_term_is_is_never_left_out(read, line, expected):
    with pytest.raises(InputError, match=expected):
        read(in_term(line))


def test_a_stanza_without_id_is_refused_by_line(read):
    with pytest.raises(InputError, match="line 3: this stanza has no id"):
        read(f"{HEAD}\n[Term]\nname: one\n\n[Term]\nid: X:2\nname: two\n")


def test_files_that_pronto_reads_are_not_touched(read):
    text = in_term('def: "d \\"e\\" {f}" [a:b "c, d; e"] {g="h"}')
    answer = read(text)
    assert answer["noted"] == []
    assert {
        curie: (row[1], {(s[0], s[1]) for s in row[3]}, set(row[4])) for curie, row in answer["by_id"].items()
    } == bare_pronto(text)


# --- the file that started it -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hpo_2017(shared_data):
    """HPO 2017-04-13: text as published, its broken lines, and what bare pronto reads of the mended text."""
    import gzip

    path = shared_data / "ontology" / "hp-2017-04-13.obo.gz"
    mended = gzip.decompress(path.read_bytes()).decode()
    lines, broken = mended.split("\n"), []
    for number, line in enumerate(lines, 1):
        published = re.sub(r", (https?)\\://", r"; \1://", line)
        if published != line:
            lines[number - 1] = published
            broken.append(number)
    return "\n".join(lines), broken, bare_pronto(mended)


def as_bare(answer):
    return {
        curie: (row[1], {(s[0], s[1]) for s in row[3]}, set(row[4])) for curie, row in answer["by_id"].items()
    }


@pytest.mark.shared_data
def test_hpo_2017_as_published_loads_with_every_mended_line_reported(read, hpo_2017):
    published, broken, expected = hpo_2017
    assert len(broken) == 19
    with pytest.raises(SyntaxError, match="line 5944"):
        bare_pronto(published)
    answer = read(published)
    assert repaired(answer) == broken
    assert as_bare(answer) == expected


@pytest.mark.shared_data
def test_unclosed_brackets_in_hpo_2017_are_mended_too(read, hpo_2017):
    published, broken, expected = hpo_2017
    lines = published.split("\n")
    for number in broken:
        assert lines[number - 1].endswith("]")
        lines[number - 1] = lines[number - 1].removesuffix("]")
    answer = read("\n".join(lines))
    assert repaired(answer) == broken
    assert as_bare(answer) == expected
