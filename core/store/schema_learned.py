"""What was learned from gold or decisions: sets, never changed, and words that people silenced in them."""

LEARNED = """
CREATE TABLE learned_sets (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CHECK (name <> ''),
    version INTEGER NOT NULL CHECK (version > 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    body TEXT NOT NULL CHECK (json_valid(body)),           -- core.records.LearnedSet
    source TEXT NOT NULL CHECK (source IN ('learned', 'added')),
    created_at TEXT NOT NULL,
    UNIQUE (name, version)
) STRICT;

CREATE TABLE learned_mutes (          -- the last row of a set's words for a concept says what holds
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CHECK (name <> ''),                 -- of a set, in all its versions
    concept TEXT,                                          -- NULL: these words name nothing at all
    words TEXT NOT NULL CHECK (words <> ''),               -- as they are counted
    muted INTEGER NOT NULL CHECK (muted IN (0, 1)),
    curator_id TEXT REFERENCES curators,                   -- NULL: by the command line
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX mutes_of_set ON learned_mutes (name, words);
"""

APPEND_ONLY = ("learned_sets", "learned_mutes")

MUTES = """
ALTER TABLE learned_mutes ADD COLUMN client_id TEXT;       -- made by a browser, so that a repeat is none
CREATE UNIQUE INDEX mutes_by_client ON learned_mutes (client_id) WHERE client_id IS NOT NULL;
"""
