"""Tables of a workspace, as numbered migrations: lists of statements, never edited once released.

Rules that hold for every table: STRICT, foreign keys on, values checked. What a machine or a person said
(texts, imported gold, stage records, proposals, evidence, decisions) cannot be changed or deleted:
triggers refuse it, also for INSERT OR REPLACE since `connect` turns `recursive_triggers` on.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.store.connect import sqlite3
from core.store.schema_audit import AUDIT
from core.store.schema_conflicts import APPEND_ONLY as CONFLICTS_APPEND_ONLY
from core.store.schema_conflicts import CONFLICTS, LIKELIHOOD
from core.store.schema_explore import EXPLORE
from core.store.schema_frames import APPEND_ONLY as FRAMES_APPEND_ONLY
from core.store.schema_frames import DECOYS, FRAMES, STRATA
from core.store.schema_labelling import APPEND_ONLY as LABELLING_APPEND_ONLY
from core.store.schema_labelling import LABELLING
from core.store.schema_learned import APPEND_ONLY as LEARNED_APPEND_ONLY
from core.store.schema_learned import LEARNED, MUTES
from core.store.schema_proposals import GONE, MOVED, PROPOSALS
from core.store.schema_statuses import APPEND_ONLY as STATUSES_APPEND_ONLY
from core.store.schema_statuses import STATUSES
from core.store.schema_trees import APPEND_ONLY as TREES_APPEND_ONLY
from core.store.schema_trees import TREES

APPLICATION_ID = 0x546F7563
"""In the header of every workspace file (bytes 68 to 71), so that a foreign file is known unopened."""

_HOUSE_APPEND_ONLY = (
    "texts",
    "annotation_sets",
    "annotations",
    "items",
    "stage_records",
    "proposals",
    "evidence",
    "decisions",
    "acknowledgements",
)
APPEND_ONLY = tuple(
    table
    for table in (
        *_HOUSE_APPEND_ONLY,
        *LABELLING_APPEND_ONLY,
        *CONFLICTS_APPEND_ONLY,
        *FRAMES_APPEND_ONLY,
        "frame_decoys",
        *LEARNED_APPEND_ONLY,
    )
    if table not in GONE
)

_HOUSE = """
CREATE TABLE workspace (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    uuid TEXT NOT NULL,
    restore_nonce TEXT NOT NULL,      -- new after every restore, so that no cache outlives one
    revision INTEGER NOT NULL DEFAULT 0,
    stamp TEXT NOT NULL DEFAULT '',   -- random with every write: two copies that went apart never look alike
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE ontologies (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CHECK (name <> ''),
    version TEXT NOT NULL CHECK (version <> ''),
    title TEXT,
    root TEXT,
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    added_at TEXT NOT NULL,
    UNIQUE (name, version)
) STRICT;

CREATE TABLE concepts (
    id INTEGER PRIMARY KEY,
    ontology_id INTEGER NOT NULL REFERENCES ontologies,
    curie TEXT NOT NULL,
    name TEXT NOT NULL,
    definition TEXT,
    namespace TEXT,
    obsolete INTEGER NOT NULL DEFAULT 0 CHECK (obsolete IN (0, 1)),
    replaced_by TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(replaced_by)),
    UNIQUE (ontology_id, curie)
) STRICT;

CREATE TABLE names (                  -- primary names and synonyms, one row each: what search reads
    id INTEGER PRIMARY KEY,
    concept_id INTEGER NOT NULL REFERENCES concepts,
    text TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('NAME', 'EXACT', 'BROAD', 'NARROW', 'RELATED')),
    type TEXT
) STRICT;
CREATE INDEX names_of_concept ON names (concept_id);
CREATE VIRTUAL TABLE names_fts USING fts5 (
    text, content = 'names', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
);

CREATE TABLE edges (                  -- is_a and other relationships, child to parent
    ontology_id INTEGER NOT NULL REFERENCES ontologies,
    child TEXT NOT NULL,
    relation TEXT NOT NULL,
    parent TEXT NOT NULL,
    PRIMARY KEY (ontology_id, relation, child, parent)
) STRICT, WITHOUT ROWID;

CREATE TABLE alt_ids (
    ontology_id INTEGER NOT NULL REFERENCES ontologies,
    alt TEXT NOT NULL,
    curie TEXT NOT NULL,
    PRIMARY KEY (ontology_id, alt, curie)
) STRICT, WITHOUT ROWID;

CREATE TABLE logical_definitions (    -- intersection_of; the genus has relation NULL
    ontology_id INTEGER NOT NULL REFERENCES ontologies,
    curie TEXT NOT NULL,
    position INTEGER NOT NULL,
    relation TEXT,
    filler TEXT NOT NULL,
    PRIMARY KEY (ontology_id, curie, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE ontology_findings (      -- what the pre-scan and the repair pass reported
    ontology_id INTEGER NOT NULL REFERENCES ontologies,
    line INTEGER,
    kind TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;

CREATE TABLE corpora (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (name <> ''),
    domain TEXT,
    confidential INTEGER NOT NULL DEFAULT 0 CHECK (confidential IN (0, 1)),
    source TEXT,                      -- file name as given: shown, never used as a path
    sha256 TEXT,
    meta TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(meta)),
    added_at TEXT NOT NULL
) STRICT;

CREATE TABLE texts (                  -- the frame of every offset
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
    body TEXT NOT NULL,
    original_id INTEGER REFERENCES texts,          -- a normalised text names what it came from
    offset_map TEXT CHECK (offset_map IS NULL OR json_valid(offset_map)),
    CHECK ((original_id IS NULL) = (offset_map IS NULL))
) STRICT;
CREATE VIRTUAL TABLE texts_fts USING fts5 (
    body, content = 'texts', content_rowid = 'id', tokenize = 'porter unicode61'
);
CREATE TRIGGER texts_indexed AFTER INSERT ON texts BEGIN
    INSERT INTO texts_fts (rowid, body) VALUES (new.id, new.body);
END;

CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    corpus_id INTEGER NOT NULL REFERENCES corpora,
    doc_id TEXT NOT NULL CHECK (doc_id <> ''),
    article TEXT NOT NULL,
    text_id INTEGER NOT NULL REFERENCES texts,
    title TEXT,
    meta TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(meta)),
    UNIQUE (corpus_id, doc_id)
) STRICT;
CREATE INDEX passages_of_text ON passages (text_id);

CREATE TABLE annotation_sets (        -- imported gold
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    corpus_id INTEGER NOT NULL REFERENCES corpora,
    exhaustive INTEGER NOT NULL DEFAULT 0 CHECK (exhaustive IN (0, 1)),
    sha256 TEXT NOT NULL,             -- of the file it came from
    digest TEXT NOT NULL CHECK (length(digest) = 64),      -- of the annotations as stored
    meta TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(meta)),
    added_at TEXT NOT NULL,
    UNIQUE (name, version)
) STRICT;

CREATE TABLE annotations (
    id INTEGER PRIMARY KEY,
    set_id INTEGER NOT NULL REFERENCES annotation_sets,
    passage_id INTEGER NOT NULL REFERENCES passages,
    concept TEXT NOT NULL,
    label TEXT,
    assertion TEXT NOT NULL CHECK (assertion IN ('affirmed', 'negated', 'uncertain')),
    start INTEGER,
    "end" INTEGER,
    quote TEXT,
    class TEXT CHECK (class IN ('explicit', 'logically_implicit', 'pragmatically_implicit', 'not_relevant')),
    reason TEXT,
    CHECK ((start IS NULL AND "end" IS NULL) OR (start >= 0 AND "end" > start))
) STRICT;
CREATE INDEX annotations_of_set ON annotations (set_id, passage_id);
CREATE INDEX annotations_of_passage ON annotations (passage_id);

CREATE TABLE item_kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO item_kinds VALUES ('concept'), ('passage');

CREATE TABLE items (                  -- what is judged; one decision serves every run that proposes it
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL REFERENCES item_kinds,
    passage_id INTEGER NOT NULL REFERENCES passages,
    concept TEXT,
    CHECK ((kind = 'passage') = (concept IS NULL)),
    CHECK (concept <> '')
) STRICT;
CREATE UNIQUE INDEX items_identity ON items (passage_id, kind, ifnull(concept, ''));

CREATE TABLE runs (
    id TEXT PRIMARY KEY CHECK (id <> ''),
    kind TEXT NOT NULL CHECK (kind IN ('concepts', 'conflicts', 'imported')),
    source TEXT NOT NULL,             -- what made the labels: annotator name or model
    corpus_id INTEGER NOT NULL REFERENCES corpora,
    ontology_id INTEGER REFERENCES ontologies,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
    fingerprint TEXT NOT NULL,        -- of inputs, settings, prompts, model
    digest TEXT,                      -- of the run, its proposals and stage records, set when it is done
    started_at TEXT NOT NULL,
    finished_at TEXT
) STRICT;

CREATE TABLE stage_records (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs,
    stage TEXT NOT NULL,
    passage_id INTEGER NOT NULL REFERENCES passages,
    concept TEXT,
    verdict TEXT NOT NULL,
    reason TEXT,
    call_id INTEGER,
    payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload))
) STRICT;
CREATE INDEX stage_records_of_passage ON stage_records (run_id, passage_id);

CREATE TABLE proposals (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs,
    item_id INTEGER NOT NULL REFERENCES items,
    label TEXT NOT NULL,
    assertion TEXT NOT NULL CHECK (assertion IN ('affirmed', 'negated', 'uncertain')),
    class TEXT NOT NULL
        CHECK (class IN ('explicit', 'logically_implicit', 'pragmatically_implicit', 'not_relevant')),
    confidence REAL CHECK (confidence BETWEEN 0 AND 1),
    reason TEXT,
    stage TEXT NOT NULL,
    repaired INTEGER NOT NULL DEFAULT 0 CHECK (repaired IN (0, 1)),
    grounded INTEGER NOT NULL CHECK (grounded IN (0, 1)),   -- 0: some quote is not in the text; queued first
    after_decision INTEGER NOT NULL,  -- the last decision before it: earlier ones cannot have seen it
    UNIQUE (run_id, item_id)
) STRICT;
CREATE INDEX proposals_of_item ON proposals (item_id);

CREATE TABLE evidence (
    proposal_id INTEGER NOT NULL REFERENCES proposals,
    position INTEGER NOT NULL,
    text_id INTEGER NOT NULL REFERENCES texts,
    quote TEXT NOT NULL,
    start INTEGER,
    "end" INTEGER,
    grounded INTEGER NOT NULL CHECK (grounded IN (0, 1)),
    assertion TEXT CHECK (assertion IN ('affirmed', 'negated', 'uncertain')),
    PRIMARY KEY (proposal_id, position),
    CHECK ((start IS NULL AND "end" IS NULL) OR (start >= 0 AND "end" > start)),
    CHECK (grounded = 0 OR start IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE curators (
    id TEXT PRIMARY KEY CHECK (id <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    subject TEXT UNIQUE,              -- identity from the login provider, where login is on
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE actions (action TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO actions VALUES ('accept'), ('fix'), ('reject'), ('add'), ('unsure'), ('note'),
    ('close'), ('reopen'), ('undo'), ('adjudicate');

CREATE TABLE decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id TEXT NOT NULL UNIQUE CHECK (client_id <> ''),
    item_id INTEGER NOT NULL REFERENCES items,
    curator_id TEXT NOT NULL REFERENCES curators,
    base TEXT NOT NULL CHECK (base <> ''),
    action TEXT NOT NULL REFERENCES actions,
    payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
    undoes INTEGER UNIQUE REFERENCES decisions,
    blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
    milliseconds INTEGER CHECK (milliseconds >= 0),
    decided_at TEXT NOT NULL,
    guideline_revision TEXT,
    link TEXT NOT NULL CHECK (length(link) = 64),
    CHECK ((action = 'undo') = (undoes IS NOT NULL)),
    UNIQUE (item_id, curator_id, base)
) STRICT;
CREATE INDEX decisions_of_curator ON decisions (curator_id, number);

CREATE TABLE acknowledgements (       -- every client id ever answered, also those that repeated a decision
    client_id TEXT PRIMARY KEY,
    number INTEGER NOT NULL REFERENCES decisions
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (                 -- who is looking at what; lives outside revision()
    item_id INTEGER NOT NULL REFERENCES items,
    slot INTEGER NOT NULL DEFAULT 0,
    session TEXT NOT NULL,
    curator_id TEXT NOT NULL REFERENCES curators,
    expires_at REAL NOT NULL,         -- Unix seconds
    PRIMARY KEY (item_id, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX leases_of_session ON leases (session);
"""


def _statements(script: str) -> Iterator[str]:
    """One by one, since `executescript` would commit the migration's transaction."""
    current = ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            yield current
            current = ""


def _append_only(table: str) -> Iterator[str]:
    for verb in ("UPDATE", "DELETE"):
        yield (
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only: {verb} refused'); END"
        )


MIGRATIONS: dict[str, tuple[str, ...]] = {
    "m001_house": (
        f"PRAGMA application_id = {APPLICATION_ID}",
        *_statements(_HOUSE),
        *(trigger for table in _HOUSE_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m002_labelling": (
        *_statements(LABELLING),
        *(trigger for table in LABELLING_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m003_conflicts": (
        *_statements(CONFLICTS),
        *(trigger for table in CONFLICTS_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m004_proposals": (
        *_statements(PROPOSALS),
        *(trigger for table in MOVED for trigger in _append_only(table)),
    ),
    "m005_frames": (
        *_statements(FRAMES),
        *(trigger for table in FRAMES_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m006_audit": tuple(_statements(AUDIT)),
    "m007_strata": (
        *_statements(STRATA),
        *(trigger for table in FRAMES_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m008_decoys": (*_statements(DECOYS), *_append_only("frame_decoys")),
    "m009_explore": tuple(_statements(EXPLORE)),
    "m010_learned": (
        *_statements(LEARNED),
        *(trigger for table in LEARNED_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m011_statuses": (
        *_statements(STATUSES),
        *(trigger for table in STATUSES_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m012_likelihood": tuple(_statements(LIKELIHOOD)),
    "m013_trees": (
        *_statements(TREES),
        *(trigger for table in TREES_APPEND_ONLY for trigger in _append_only(table)),
    ),
    "m014_mutes": tuple(_statements(MUTES)),
}
"""Name -> statements, in the order in which they are applied."""
