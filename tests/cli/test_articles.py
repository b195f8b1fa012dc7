"""Articles on the command line: from files of every format to a corpus with its years and journals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_flow import done, run
from tests.formats.article_examples import FILES, pubmed, record


@pytest.mark.parametrize("kind", FILES)
def test_a_file_of_articles_becomes_a_corpus(tmp_path: Path, kind: str) -> None:
    name, form, content = FILES[kind]
    (tmp_path / name).write_text(content, encoding="utf-8")
    workspace = tmp_path / "w.db"
    named = ("--format", form) if form else ()
    added = done(workspace, "corpus", "add", tmp_path / name, "--name", "a", "--domain", "oncology", *named)
    assert (added["documents"], added["without_abstract"], added["rejected"]) == (2, [], [])
    (corpus,) = done(workspace, "corpus", "list")["corpora"]
    assert (corpus["name"], corpus["passages"], corpus["years"]) == ("a", 2, [2005, 2005])
    shown = done(workspace, "corpus", "show", "a")
    assert shown["published"] == {
        "articles": 2,
        "years": [2005, 2005],
        "without_year": 0,
        "journals": 1,
        "most": [["Journal of alpha", 2]],
    }
    words = run(workspace, "corpus", "show", "a").stdout
    assert "2 articles, 2005, 1 journals" in words
    assert "Journal of alpha" in words
    assert "2005" in run(workspace, "corpus", "list").stdout


def test_passages_have_no_years(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"doc_id": "a", "text": "x"}\n')
    done(tmp_path / "w.db", "corpus", "add", tmp_path / "a.jsonl", "--name", "a")
    assert done(tmp_path / "w.db", "corpus", "list")["corpora"][0]["years"] is None
    assert "articles" not in run(tmp_path / "w.db", "corpus", "show", "a").stdout


def test_bad_records_and_records_without_an_abstract(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(pubmed(record("1"), record("2", ""), record("x")))
    refused = run(tmp_path / "w.db", "corpus", "add", path, "--name", "a")
    assert refused.returncode == 2
    assert "a.xml, line 10, PMID: expected digits, found 'x'" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert done(tmp_path / "w.db", "corpus", "list") == {"corpora": []}
    result = run(tmp_path / "w.db", "corpus", "add", path, "--name", "a", "--skip-bad", "--json")
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert (report["documents"], report["faults"], report["without_abstract"]) == (1, 1, ["PMID2"])
    assert json.loads(Path(report["rejects"]).read_text())["line"] == 10


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.xml", "<html><body>404</body></html>", "error page"),
        ("a.xml", "<!DOCTYPE a [<!ENTITY x 'y'>]><PubmedArticleSet>&x;</PubmedArticleSet>", "unsafe XML"),
        ("a.xml", "<PubmedArticleSet><PubmedArticle>", "cut off"),
        ("a.nbib", "API rate limit exceeded", "begins no record of MEDLINE"),
        ("a.json", '{"resultList": {"result": []}}', "--format europepmc"),
        ("a.csv", "title,abstract\nx,y\n", "no column doc_id"),
    ],
)
def test_a_mistaken_file_gets_a_sentence(tmp_path: Path, name: str, content: str, words: str) -> None:
    (tmp_path / name).write_text(content)
    result = run(tmp_path / "w.db", "corpus", "add", tmp_path / name, "--name", "a")
    assert result.returncode == 2
    assert words in result.stderr
    assert name in result.stderr
    assert "Traceback" not in result.stderr
