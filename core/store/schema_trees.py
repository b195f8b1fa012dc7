"""Label trees: built or imported, with a name and versions, never changed."""

TREES = """
CREATE TABLE label_trees (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CHECK (name <> ''),
    version INTEGER NOT NULL CHECK (version > 0),
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),      -- of the index file
    concepts INTEGER NOT NULL CHECK (concepts > 0),
    recipe TEXT NOT NULL CHECK (json_valid(recipe)),       -- core.records.trees.Recipe
    body TEXT NOT NULL CHECK (json_valid(body)),           -- the index file
    created_at TEXT NOT NULL,
    UNIQUE (name, version)
) STRICT;
"""

APPEND_ONLY = ("label_trees",)
