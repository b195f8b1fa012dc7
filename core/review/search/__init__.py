"""Search among the concepts of one ontology version, by what people type.

One search, one order: the desk's Fix and Add panels and `touchstone ontology search` show the same rows.

folding          queries and names as the same words          names       all names by their words, in memory
lexical          the rows found by words, best first           spelling    words that a mistyped word may mean
abbreviations    what an abbreviation stands for               meaning     rows found by the encoder
"""

from core.review.search.rows import LIKENESS, Found, Row, Why
from core.review.search.search import LIMIT, Search

__all__ = ["LIKENESS", "LIMIT", "Found", "Row", "Search", "Why"]
