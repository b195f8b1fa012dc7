"""A fourth status of a mention: said of another person. The same tables with one word more: SQLite changes no
condition in place. No row changes, and so no digest does."""

from __future__ import annotations

_STATUSES = "'affirmed', 'negated', 'uncertain', 'other_person'"

STATUSES = f"""
DROP INDEX annotations_of_set;
DROP INDEX annotations_of_passage;
DROP INDEX annotations_of_concept;
ALTER TABLE annotations RENAME TO annotations_before;
ALTER TABLE evidence RENAME TO evidence_before;

CREATE TABLE annotations (
    id INTEGER PRIMARY KEY,
    set_id INTEGER NOT NULL REFERENCES annotation_sets,
    passage_id INTEGER NOT NULL REFERENCES passages,
    concept TEXT NOT NULL,
    label TEXT,
    assertion TEXT NOT NULL CHECK (assertion IN ({_STATUSES})),
    start INTEGER,
    "end" INTEGER,
    quote TEXT,
    class TEXT CHECK (class IN ('explicit', 'logically_implicit', 'pragmatically_implicit', 'not_relevant')),
    reason TEXT,
    CHECK ((start IS NULL AND "end" IS NULL) OR (start >= 0 AND "end" > start))
) STRICT;

CREATE TABLE evidence (
    proposal_id INTEGER NOT NULL REFERENCES proposals,
    position INTEGER NOT NULL,
    text_id INTEGER NOT NULL REFERENCES texts,
    quote TEXT NOT NULL,
    start INTEGER,
    "end" INTEGER,
    grounded INTEGER NOT NULL CHECK (grounded IN (0, 1)),
    assertion TEXT CHECK (assertion IN ({_STATUSES})),
    side TEXT,                        -- of an item with several texts: which one
    level TEXT,
    role TEXT,
    PRIMARY KEY (proposal_id, position),
    CHECK ((start IS NULL AND "end" IS NULL) OR (start >= 0 AND "end" > start)),
    CHECK (grounded = 0 OR start IS NOT NULL)
) STRICT, WITHOUT ROWID;

INSERT INTO annotations SELECT * FROM annotations_before ORDER BY id;
INSERT INTO evidence SELECT * FROM evidence_before ORDER BY proposal_id, position;
DROP TABLE annotations_before;
DROP TABLE evidence_before;
CREATE INDEX annotations_of_set ON annotations (set_id, passage_id);
CREATE INDEX annotations_of_passage ON annotations (passage_id);
CREATE INDEX annotations_of_concept ON annotations (concept);
"""

APPEND_ONLY = ("annotations", "evidence")
