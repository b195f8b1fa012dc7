"""Tables of machine labelling: model calls, guideline summaries, the vector cache, who runs what just now."""

LABELLING = """
CREATE TABLE calls (                  -- every answer of a model, stored before it is used
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL CHECK (length(key) = 64),
    run_id TEXT REFERENCES runs,      -- the run that paid for it; other runs may use it, too
    stage TEXT NOT NULL,
    passage_id INTEGER REFERENCES passages,
    prompt TEXT NOT NULL,
    model TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    request TEXT NOT NULL CHECK (json_valid(request)),
    answer TEXT,
    raw TEXT NOT NULL,
    failure TEXT,
    finish_reason TEXT,
    prompt_tokens INTEGER CHECK (prompt_tokens >= 0),
    completion_tokens INTEGER CHECK (completion_tokens >= 0),
    seconds REAL NOT NULL CHECK (seconds >= 0),
    price REAL CHECK (price >= 0),    -- US dollars; NULL: the price table does not know the model
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    transport TEXT NOT NULL CHECK (transport IN ('live', 'batch')),
    asked_at TEXT NOT NULL,
    CHECK (failure IS NOT NULL OR answer IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX calls_answered ON calls (key) WHERE failure IS NULL;
CREATE INDEX calls_of_run ON calls (run_id, stage, price, seconds, prompt_tokens, completion_tokens, failure);

CREATE INDEX stage_records_counted ON stage_records (run_id, stage, verdict);

CREATE TABLE guidelines (             -- versions of a guideline summary; an edit is a new version
    id INTEGER PRIMARY KEY,
    profile TEXT NOT NULL CHECK (profile <> ''),
    version INTEGER NOT NULL CHECK (version > 0),
    summary TEXT NOT NULL CHECK (summary <> ''),
    origin TEXT NOT NULL CHECK (origin IN ('model', 'person', 'profile')),
    source_sha256 TEXT CHECK (length(source_sha256) = 64),   -- of the guideline file it sums up
    call_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(call_ids)),
    curator_id TEXT REFERENCES curators,
    created_at TEXT NOT NULL,
    UNIQUE (profile, version)
) STRICT;

CREATE TABLE vectors (                -- a cache: may be emptied at any time
    model TEXT NOT NULL,
    text_sha256 TEXT NOT NULL CHECK (length(text_sha256) = 64),
    vector BLOB NOT NULL,             -- little-endian float32
    PRIMARY KEY (model, text_sha256)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_sessions (           -- the process at work on a run; overwritten, outside revision()
    run_id TEXT PRIMARY KEY REFERENCES runs,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    started_at REAL NOT NULL,         -- Unix seconds
    beat_at REAL NOT NULL,
    done INTEGER NOT NULL,            -- passages, earlier sessions included
    resumed INTEGER NOT NULL,         -- of these, from earlier sessions
    total INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    spent REAL NOT NULL DEFAULT 0,    -- US dollars in this run so far
    message TEXT,                     -- such as "waiting until 14:05", or why it stopped
    pause INTEGER NOT NULL DEFAULT 0 CHECK (pause IN (0, 1))   -- 1: stop after what is in hand
) STRICT, WITHOUT ROWID;
"""

APPEND_ONLY = ("calls", "guidelines")
