"""A passage of a corpus as an article: which of its fields say what."""

from __future__ import annotations

from core.records import Article, Passage, Section

UNNAMED = "general"
"""Domain of an article that names none, in a corpus that names none."""


def article_of(passage: Passage, domain: str | None) -> Article:
    """The article a passage holds.

    Its `meta` may give `domain`, `doi`, `pmid`, `year` (a whole number), `journal`, `source` and `sections`,
    a list of {label, start, end}. What is of another form is taken as not given.

    Args:
        domain: of the corpus, for articles that name none.
    """
    meta = passage.meta

    def words(name: str) -> str | None:
        value = meta.get(name)
        return value.strip() or None if isinstance(value, str) else None

    year = meta.get("year")
    pmid = meta.get("pmid")
    return Article(
        uid=passage.article or passage.doc_id,
        text=passage.text,
        domain=words("domain") or domain or UNNAMED,
        passage_id=passage.id,
        title=passage.title,
        doi=words("doi"),
        pmid=str(pmid) if isinstance(pmid, int) else words("pmid"),
        year=year if isinstance(year, int) and not isinstance(year, bool) else None,
        journal=words("journal"),
        source=words("source"),
        sections=tuple(_sections(meta.get("sections"), len(passage.text))),
    )


def _sections(value: object, length: int) -> list[Section]:
    found = []
    for row in value if isinstance(value, list) else ():
        if not isinstance(row, dict):
            continue
        match row.get("label"), row.get("start"), row.get("end"):
            case str(label), int(start), int(end) if 0 <= start < end <= length:
                found.append(Section(label, start, end))
    return found
