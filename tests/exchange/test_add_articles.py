"""Articles in: a file of any format becomes a corpus of articles, and what has no abstract is told."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from core.conflicts.articles import article_of
from core.errors import InputError
from core.exchange import add_corpus
from core.formats import FORMATS, Metadata, read_documents
from core.records import Section
from core.store import Workspace, corpora
from core.store.publications import published
from tests.formats.article_examples import DOCTYPE, FILES, RESULTS, SECTIONS_1, TEXT_1, pubmed, record


def file(folder: Path, kind: str) -> tuple[Path, str | None]:
    name, form, content = FILES[kind]
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path, form


@pytest.mark.parametrize("kind", FILES)
def test_a_passage_is_an_article(workspace: Workspace, tmp_path: Path, kind: str) -> None:
    path, form = file(tmp_path, kind)
    report = add_corpus(workspace, path, name="a", format=form, domain="oncology")
    assert (report.documents, report.gold, report.without_abstract) == (2, None, ())
    first, _ = (article_of(passage, "oncology") for passage in corpora.passages(workspace, "a"))
    assert (first.uid, first.text, first.domain, first.title) == (
        "PMID101",
        TEXT_1,
        "oncology",
        "Title of 101.",
    )
    assert (first.doi, first.pmid, first.year) == ("10.1000/a.101", "101", 2005)
    assert first.journal == "Journal of alpha"
    named = () if kind == "rows of CSV" else SECTIONS_1
    assert first.sections == tuple(
        Section(label, TEXT_1.index(text), TEXT_1.index(text) + len(text)) for label, text in named
    )


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_articles_go_out_and_come_in_again(tmp_path: Path, kind: str, form: str) -> None:
    documents = list(read_documents(*file(tmp_path, kind)))
    out = io.BytesIO()
    write = FORMATS[form].write
    assert write is not None
    write(Metadata(), documents, out)  # type: ignore[arg-type]
    path = tmp_path / f"again.{form}"
    path.write_bytes(out.getvalue())
    assert list(read_documents(path)) == documents


def test_an_article_names_its_own_domain(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"doc_id": "a", "abstract": "x", "domain": "genomics"}\n{"doc_id": "b", "abstract": "y"}'
    )
    add_corpus(workspace, path, name="a", domain="oncology")
    domains = [article_of(p, "oncology").domain for p in corpora.passages(workspace, "a")]
    assert domains == ["genomics", "oncology"]


def test_what_has_no_abstract_and_what_was_deleted_is_told(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    deleted = "<DeleteCitation><PMID>9</PMID></DeleteCitation>"
    path.write_text(pubmed(record("1"), record("2", ""), record("3", ""), deleted))
    report = add_corpus(workspace, path, name="a")
    assert (report.documents, report.without_abstract, report.faults) == (1, ("PMID2", "PMID3"), 0)
    assert str(report).splitlines() == [
        "Added corpus a: 1 documents, no gold.",
        "Records without an abstract, left out (PMID2, PMID3): 2.",
        "Records deleted at their source (PMID9): 1.",
    ]


def test_a_file_without_any_abstract_makes_no_corpus(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    lite = [{name: v for name, v in result.items() if name != "abstractText"} for result in RESULTS]
    path.write_text(json.dumps({"resultList": {"result": lite}}))
    for skip_bad in (False, True):
        with pytest.raises(InputError, match=r"no abstract.*\(PMID101, PMID102\): 2"):
            add_corpus(workspace, path, name="a", format="europepmc", skip_bad=skip_bad)
    assert corpora.list_corpora(workspace) == []


def test_damaged_xml_stores_nothing_even_where_bad_rows_are_skipped(
    workspace: Workspace, tmp_path: Path
) -> None:
    """What stands behind the damage is unknown, so there is nothing to skip; behind a cut is nothing."""
    whole = pubmed(*(record(str(i)) for i in range(1, 1200)))
    path = tmp_path / "a.xml"
    for content in (
        whole.replace(">1100<", ">11&00<"),
        whole.replace(DOCTYPE, "<!DOCTYPE a [<!--x-->]>"),
    ):
        path.write_text(content)
        for skip_bad in (False, True):
            with pytest.raises(InputError, match=r"a\.xml"):
                add_corpus(workspace, path, name="a", skip_bad=skip_bad)
    assert corpora.list_corpora(workspace) == []
    assert workspace.db.execute("SELECT count(*) FROM texts").fetchone()[0] == 0
    assert not list(tmp_path.glob("*rejects*"))


@pytest.mark.shared_data
def test_the_open_trial_abstracts_come_in_whole(workspace: Workspace, shared_data: Path) -> None:
    """Counts from the data's own MANIFEST.md."""
    report = add_corpus(workspace, shared_data / "abstracts/rct_abstracts_open.jsonl.gz", name="rct")
    assert (report.documents, report.faults, report.without_abstract) == (3001, 0, ())
    found = published(workspace, "rct")
    assert (found.articles, found.years, found.without_year, found.journals) == (3001, (1993, 2018), 0, 769)
    for passage in corpora.passages(workspace, "rct"):
        article = article_of(passage, None)
        assert len(article.sections) == len(passage.meta.get("sections", []))
        for section in article.sections:
            before = article.text[: section.start].rstrip(": ")
            assert before.endswith(section.label)


def test_whole_articles_before_a_cut_are_kept_on_request(workspace: Workspace, tmp_path: Path) -> None:
    """Of two records, the second one torn: a download that broke off."""
    content = FILES["pubmed"][2]
    path = tmp_path / "cut.xml"
    path.write_text(content[: content.index("Title of 102")], encoding="utf-8")
    words = r"cut.xml, line 9: the XML ends before it is complete: .* cut off, .* record 1 is lost"
    with pytest.raises(InputError, match=words):
        add_corpus(workspace, path, name="a")
    report = add_corpus(workspace, path, name="a", skip_bad=True)
    assert (report.documents, report.faults) == (1, 1)
    assert [passage.doc_id for passage in corpora.passages(workspace, "a")] == ["PMID101"]
