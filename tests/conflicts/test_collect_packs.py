"""Queries in PubMed's syntax, their translation, packs of them, and one for each concept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.conflicts.collect import Group, concept_queries, load_pack, packs
from core.conflicts.collect.syntax import SyntaxFault, check_europepmc, read, to_europepmc
from core.errors import InputError
from core.records import Concept, Synonym

# --- syntax -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"alpha beta"[tiab]', 'TITLE_ABS:"alpha beta"'),
        ("alpha[ti]", 'TITLE:"alpha"'),
        ("alphab*[tiab]", "TITLE_ABS:alphab*"),
        ('"Alpha, Beta"[mh]', 'KW:"Alpha, Beta"'),
        ('"Alpha/drug therapy"[MeSH Terms]', 'KW:"Alpha"'),
        ("alpha[Mesh:noexp]", 'KW:"alpha"'),
        ("alpha[nm]", 'CHEM:"alpha"'),
        ('"Randomized Controlled Trial"[pt]', 'PUB_TYPE:"Randomized Controlled Trial"'),
        ("english[la]", 'LANG:"eng"'),
        ("alpha", '(TITLE_ABS:"alpha" OR KW:"alpha")'),
        ("2001:2005[dp]", "PUB_YEAR:[2001 TO 2005]"),
        ('"2001"[dp] : "3000"[dp]', "PUB_YEAR:[2001 TO 3000]"),
        ("2007[dp]", "PUB_YEAR:[2007 TO 2007]"),
        ("a[ti] AND b[ti] AND c[ti]", 'TITLE:"a" AND TITLE:"b" AND TITLE:"c"'),
        ("(a[ti] OR b[ti]) NOT c[ti]", '(TITLE:"a" OR TITLE:"b") NOT TITLE:"c"'),
        ("((a[ti]))", 'TITLE:"a"'),
        (
            "a[ti]\n  AND (b[ti] OR (c[ti] AND d[ti]))",
            'TITLE:"a" AND (TITLE:"b" OR (TITLE:"c" AND TITLE:"d"))',
        ),
    ],
)
def test_pubmed_is_translated(query: str, expected: str) -> None:
    assert to_europepmc(query) == expected
    check_europepmc(expected)


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("", "it is empty"),
        ('"alpha[tiab]', "a quotation mark is not closed"),
        ('""[tiab]', "a phrase is empty"),
        ("(alpha[tiab]", r"a '\(' is not closed"),
        ("alpha[tiab])", r"a '\)' closes no parenthesis"),
        ("alpha[tiab", r"a '\[' stands alone"),
        ("alpha[xyz]", r"no field \[xyz\]"),
        ("alpha[ti] and beta[ti]", "'and' is written AND"),
        ("alpha[ti] beta[ti]", "an operator is missing"),
        ("alpha beta[ti]", "more than one word"),
        ("alpha[ti] AND", "ends where a term is due"),
        ("AND alpha[ti]", "'AND' stands where a term is due"),
        ("a[ti] AND b[ti] OR c[ti]", "side by side"),
        ("a[ti] AND b[ti] NOT c[ti]", "side by side"),
        ("“alpha”[ti]", "no plain quotation mark"),
        ("al*[ti]", "four letters or more"),
        ("al*pha[ti]", "ends a word"),
        ("alpha[dp]", "no year"),
        ("alpha:beta[ti]", "a range is one of years"),
        ("alpha\x00[ti]", r"U\+0000"),
    ],
)
def test_what_pubmed_would_read_otherwise_is_refused(query: str, fault: str) -> None:
    with pytest.raises(SyntaxFault, match=fault):
        read(query)


@pytest.mark.parametrize(
    "query", ['"a b"[tiab:~3]', "alpha[sb]", "alpha[sh]", '"alpha beta*"[tiab]', "german[la]"]
)
def test_what_europe_pmc_cannot_be_asked_wants_a_form_of_its_own(query: str) -> None:
    read(query)
    with pytest.raises(SyntaxFault, match="give the Europe PMC form"):
        to_europepmc(query)


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ('TITLE:"alpha', "quotation mark"),
        ("(TITLE:alpha", r"'\(' is not closed"),
        ("TITLE:alpha]", "closes nothing"),
        ("(TITLE:alpha]", "closes nothing"),
        ("TITEL:alpha", "no field 'TITEL'"),
        ("TITLE:alpha or TITLE:beta", "'or' is written OR"),
        (" ", "empty"),
    ],
)
def test_a_form_of_its_own_is_checked(query: str, fault: str) -> None:
    with pytest.raises(SyntaxFault, match=fault):
        check_europepmc(query)


# --- packs that ship ----------------------------------------------------------------------------------------

DOMAINS = ("amr", "clinical_trials", "genomics", "infectious_disease", "oncology")
BY_HAND = {
    # paper 004, Table 19, for the four that have a row there
    "oncology": (12, 10, 8, 10),
    "infectious_disease": (14, 10, 8, 10),
    "genomics": (13, 10, 8, 10),
    "clinical_trials": (12, 12, 10, 11),
}


def test_a_pack_for_each_domain_ships() -> None:
    assert tuple(packs()) == DOMAINS


@pytest.mark.parametrize("name", DOMAINS)
def test_every_query_that_ships_is_well_formed_and_translates(name: str) -> None:
    pack = load_pack(name)
    counts = tuple(len(pack.groups[group]) for group in Group)
    assert counts == BY_HAND.get(name, (12, 10, 8, 10))
    queries = pack.queries()
    assert len({query.name for query in queries}) == len(queries) == sum(counts)
    assert (
        len({query.pubmed for query in queries})
        == len({query.europepmc for query in queries})
        == len(queries)
    )
    for query in queries:
        for text in (query.asked("pubmed"), query.asked("europepmc")):
            bare = re.sub(r'"[^"]*"', "", text)
            assert text.count('"') % 2 == 0
            assert bare.count("(") == bare.count(")")
            assert bare.count("[") == bare.count("]")
            assert len(text) < 4000
        check_europepmc(query.asked("europepmc"))
        assert query.meta == {"domain": pack.domain}


def test_no_query_stands_in_two_packs() -> None:
    texts = [query.pubmed for name in DOMAINS for query in load_pack(name).queries()]
    assert len(set(texts)) == len(texts) == 208


# --- packs of one's own -----------------------------------------------------------------------------------

GOOD = """
name: own
domain: alpha studies
title: Own
since: 2010
groups:
  broad_recall:
    - {id: one, pubmed: '"alpha"[tiab]', most: 7}
    - {id: two, pubmed: '"beta"[tiab:~1]', europepmc: 'TITLE_ABS:beta', since: 2015, until: 2020}
  contradiction:
    - {id: three, pubmed: 'gamma[ti]'}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, "utf-8")
    return path


def test_groups_years_and_limits(tmp_path: Path) -> None:
    pack = load_pack(write(tmp_path, GOOD))
    one, two, three = pack.queries(most=50)
    assert (one.name, one.most, one.since, one.until) == ("own/broad_recall/one", 7, 2010, None)
    assert (two.most, two.since, two.until) == (50, 2015, 2020)
    assert two.asked("pubmed") == '("beta"[tiab:~1]) AND hasabstract AND ("2015"[dp] : "2020"[dp])'
    assert two.asked("europepmc").endswith("AND PUB_YEAR:[2015 TO 2020]")
    assert [query.name for query in pack.queries(["contradiction"])] == [three.name]
    assert [query.since for query in pack.queries(since=2012)] == [2012, 2015, 2012]
    with pytest.raises(InputError, match="no group 'context_sensitive'"):
        pack.queries(["context_sensitive"])


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            '"alpha"[tiab]',
            '"alpha[tiab]',
            "own.yaml, group broad_recall, query one: pubmed: a quotation mark",
        ),
        ("most: 7", "most: 0", "own.yaml, group broad_recall, query one, most: expected"),
        ("most: 7", "mots: 7", "own.yaml, group broad_recall, query one, mots: "),
        ("TITLE_ABS:beta", "TITEL:beta", "query two: europepmc: Europe PMC has no field 'TITEL'"),
        (", europepmc: 'TITLE_ABS:beta'", "", "query two: pubmed: .* give the Europe PMC form"),
        ("until: 2020", "until: 2011", "query two: since 2015 is after until 2011"),
        ("id: three, ", "", "group contradiction, query number 1, id: is missing"),
        ("id: three", "id: Three!", "group contradiction, query Three!, id: "),
        ("id: three", "id: one", "group contradiction, query one: this id stands in group broad_recall"),
        ("gamma[ti]", '"ALPHA" [tiab]', "query three: the same query as one"),
        ("contradiction:", "contradictions:", "group contradictions: the groups are broad_recall"),
        ("contradiction:", "broad_recall:", "own.yaml, line 10: 'broad_recall' stands twice"),
        ("domain: alpha studies\n", "", "own.yaml, domain: is missing"),
        ("since: 2010", "since: &x 2010\nuntil: *x", "YAML aliases"),
        ("groups:", "groups: [", "own.yaml, line .*: no valid YAML"),
        ("name: own", "name: !!python/object:os.x {}", "no valid YAML"),
    ],
)
def test_a_fault_names_file_group_and_query(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError, match=fault) as caught:
        load_pack(write(tmp_path, GOOD.replace(old, new)))
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("text", ["", "alpha", "- alpha", "groups: {broad_recall: alpha}", "\x00"])
def test_what_is_no_pack_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"own\.yaml"):
        load_pack(write(tmp_path, text))


def test_an_unknown_pack_lists_the_known() -> None:
    with pytest.raises(InputError, match=r"There is no query pack alpha\. Name one of amr, clinical_trials"):
        load_pack("alpha")


# --- per concept --------------------------------------------------------------------------------------------


def test_a_concept_is_asked_for_by_name_and_exact_synonyms() -> None:
    concept = Concept(
        "X:1",
        'Alpha "beta" [gamma]',
        synonyms=(
            Synonym("Delta*", "EXACT"),
            Synonym("alpha beta gamma", "EXACT"),
            Synonym("Broader", "BROAD"),
            Synonym("ABG", "EXACT"),
            Synonym("ABGD", "EXACT", "abbreviation"),
        ),
    )
    [query] = concept_queries(
        [concept, Concept("X:2", "Old", obsolete=True), Concept("X:3", "***")], 10, since=2000
    )
    assert query.name == "X:1"
    assert query.pubmed == '"Alpha beta gamma"[tiab] OR "Delta"[tiab]'
    assert query.europepmc == 'TITLE_ABS:"Alpha beta gamma" OR TITLE_ABS:"Delta"'
    assert (query.most, query.since, query.meta) == (10, 2000, {"concept": "X:1"})
    read(query.pubmed)
    check_europepmc(query.europepmc)
