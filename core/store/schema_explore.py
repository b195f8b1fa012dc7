"""What exploring reads: titles by their words, and where a concept occurs.

The words of texts are indexed since the beginning (`texts_fts`). A text may stand in several passages, each
with a title of its own, so titles have an index of theirs. Whoever adds passages fills it, a chunk at a time:
by a trigger, adding 54,000 of them would take a quarter longer.
"""

EXPLORE = """
CREATE VIEW titled AS SELECT id, title FROM passages WHERE title IS NOT NULL;
CREATE VIRTUAL TABLE titles_fts USING fts5 (
    title, content = 'titled', content_rowid = 'id', tokenize = 'porter unicode61'
);
INSERT INTO titles_fts (titles_fts) VALUES ('rebuild');
CREATE INDEX items_of_subject ON items (subject);
CREATE INDEX annotations_of_concept ON annotations (concept);
"""
