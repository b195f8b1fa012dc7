"""The same two articles in every format for articles, and pieces to build others from."""

from __future__ import annotations

import json

DOCTYPE = (
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"'
    ' "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">'
)

TEXT_1 = "BACKGROUND: Krampfanfälle 😀 are rare.\nRESULTS: Fever fell in 12 of 40 rats (p < 0.05)."
TEXT_2 = "One part without a label, on β-cells."
SECTIONS_1 = [
    ("BACKGROUND", "Krampfanfälle 😀 are rare."),
    ("RESULTS", "Fever fell in 12 of 40 rats (p < 0.05)."),
]


def pubmed(*records: str) -> str:
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8" ?>',
            DOCTYPE,
            "<PubmedArticleSet>",
            *records,
            "</PubmedArticleSet>",
            "",
        ]
    )


def record(
    pmid: str, abstract: str = "<AbstractText>Rats slept.</AbstractText>", more: str = "", data: str = ""
) -> str:
    """A PubMed record; `more` goes into its Article, `data` into its PubmedData."""
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{pmid}</PMID>\n'
        '<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print"><PubDate><Year>2005</Year>'
        "<Month>Mar</Month><Day>6</Day></PubDate></JournalIssue><Title>Journal of alpha</Title>"
        "<ISOAbbreviation>J Alpha</ISOAbbreviation></Journal>\n"
        f"<ArticleTitle>Title of {pmid}.</ArticleTitle><Abstract>{abstract}</Abstract>{more}"
        f"<Language>eng</Language></Article></MedlineCitation><PubmedData>{data}</PubmedData></PubmedArticle>"
    )


PUBMED = pubmed(
    record(
        "101",
        '<AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">Krampfanfälle 😀 are rare.</AbstractText>'
        '<AbstractText Label="RESULTS">Fever fell in 12 of 40 rats (p &lt; 0.05).</AbstractText>',
        '<ELocationID EIdType="doi" ValidYN="Y">10.1000/a.101</ELocationID>',
    ),
    record("102", f"<AbstractText>{TEXT_2}</AbstractText>"),
)

MEDLINE = """
PMID- 101
OWN - NLM
TI  - Title of 101.
LID - 10.1000/a.101 [doi]
AB  - BACKGROUND: Krampfanfälle 😀 are rare. RESULTS: Fever fell in 12 of
      40 rats (p < 0.05).
LA  - eng
DP  - 2005 Mar 6
TA  - J Alpha
JT  - Journal of alpha
SO  - J Alpha. 2005 Mar 6.

PMID- 102
TI  - Title of 102.
AB  - One part without a label,
      on β-cells.
LA  - eng
DP  - 2005 Mar 6
TA  - J Alpha
JT  - Journal of alpha
SO  - J Alpha. 2005 Mar 6.
"""

RESULTS = [
    {
        "id": "101",
        "source": "MED",
        "pmid": "101",
        "doi": "10.1000/a.101",
        "title": "Title of 101.",
        "pubYear": "2005",
        "firstPublicationDate": "2005-03-06",
        "language": "eng",
        "journalInfo": {"journal": {"title": "Journal of alpha", "isoabbreviation": "J Alpha"}},
        "abstractText": "<h4>BACKGROUND</h4>Krampfanfälle 😀 are rare."
        "<h4>RESULTS</h4>Fever fell in 12 of 40 rats (p &lt; 0.05).",
    },
    {
        "id": "102",
        "source": "MED",
        "pmid": "102",
        "title": "Title of 102.",
        "pubYear": "2005",
        "firstPublicationDate": "2005-03-06",
        "language": "eng",
        "journalInfo": {"journal": {"title": "Journal of alpha", "isoabbreviation": "J Alpha"}},
        "abstractText": TEXT_2,
    },
]
PAGE = {"version": "6.9", "hitCount": 2, "nextCursorMark": "x", "resultList": {"result": RESULTS}}
EUROPEPMC = json.dumps(PAGE, ensure_ascii=False, indent=1)

ROWS = [
    {
        "pmid": "101",
        "doi": "10.1000/a.101",
        "title": "Title of 101.",
        "year": 2005,
        "published": "2005-03-06",
        "journal": "Journal of alpha",
        "journal_abbreviation": "J Alpha",
        "language": "eng",
        "abstract_sections": [{"label": label, "text": text} for label, text in SECTIONS_1],
    },
    {
        "pmid": "102",
        "title": "Title of 102.",
        "year": 2005,
        "published": "2005-03-06",
        "journal": "Journal of alpha",
        "journal_abbreviation": "J Alpha",
        "language": "eng",
        "abstract": TEXT_2,
    },
]
JSONL = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
JSON = json.dumps({"documents": ROWS}, ensure_ascii=False, indent=1)
CSV = (
    "pmid,doi,title,year,published,journal,journal_abbreviation,language,abstract\n"
    f'101,10.1000/a.101,Title of 101.,2005,2005-03-06,Journal of alpha,J Alpha,eng,"{TEXT_1}"\n'
    f'102,,Title of 102.,2005,2005-03-06,Journal of alpha,J Alpha,eng,"{TEXT_2}"\n'
)

FILES: dict[str, tuple[str, str | None, str]] = {
    "pubmed": ("b.xml", None, PUBMED),
    "medline": ("b.nbib", None, MEDLINE),
    "europepmc": ("b.json", "europepmc", EUROPEPMC),
    "europepmc lines": (
        "b.jsonl",
        "europepmc",
        "".join(json.dumps(result, ensure_ascii=False) + "\n" for result in RESULTS),
    ),
    "rows of JSON": ("b.json", None, JSON),
    "rows of JSONL": ("b.jsonl", None, JSONL),
    "rows of CSV": ("b.csv", None, CSV),
}
"""Name to (file name, format to name, content)."""
