"""Frames: lists of units in the order of their draw, from which a whole run is estimated."""

FRAMES = """
CREATE TABLE frames (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (name <> ''),
    run_id TEXT NOT NULL REFERENCES runs,
    unit TEXT NOT NULL CHECK (unit IN ('item', 'passage')),
    scope TEXT NOT NULL CHECK (json_valid(scope)),        -- which of the run's proposals: root, statuses
    policy TEXT NOT NULL CHECK (policy IN ('random', 'active', 'size')), -- of chances
    counts TEXT NOT NULL CHECK (counts IN ('first', 'adjudicated')),       -- of several answers, which one
    seed TEXT NOT NULL,
    blind REAL NOT NULL CHECK (blind BETWEEN 0 AND 1),    -- share answered before any machine answer is seen
    size INTEGER NOT NULL CHECK (size > 0),
    after_decision INTEGER NOT NULL,                      -- the last decision before it
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),     -- over all above and every unit
    opened_at TEXT NOT NULL
) STRICT;

CREATE TABLE frame_units (
    frame_id INTEGER NOT NULL REFERENCES frames,
    position INTEGER NOT NULL CHECK (position > 0),       -- in the order of the draw
    passage_id INTEGER NOT NULL REFERENCES passages,
    item_id INTEGER REFERENCES items,                     -- NULL: the passage as a whole
    u REAL NOT NULL CHECK (u > 0 AND u < 1),
    q REAL NOT NULL CHECK (q > 0),
    f REAL CHECK (f BETWEEN 0 AND 1),                     -- the machine's probability that it is right
    blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
    PRIMARY KEY (frame_id, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX frame_of_unit ON frame_units (frame_id, passage_id, ifnull(item_id, 0));
"""

_POLICIES = "'random', 'active', 'size'"
STRATA = f"""
DROP INDEX frame_of_unit;
ALTER TABLE frame_units RENAME TO frame_units_before;
ALTER TABLE frames RENAME TO frames_before;
{FRAMES.replace(_POLICIES, f"{_POLICIES}, 'strata'")}
INSERT INTO frames SELECT * FROM frames_before ORDER BY id;
INSERT INTO frame_units SELECT * FROM frame_units_before ORDER BY frame_id, position;
DROP TABLE frame_units_before;
DROP TABLE frames_before;
"""
"""The same tables, with one policy more; SQLite changes no condition in place."""

APPEND_ONLY = ("frames", "frame_units")

DECOYS = """
CREATE TABLE frame_decoys (                               -- asked about among the blind units of a frame
    frame_id INTEGER NOT NULL REFERENCES frames,
    item_id INTEGER NOT NULL REFERENCES items,            -- a concept that nobody proposed in the passage
    beside INTEGER NOT NULL REFERENCES items,             -- the blind unit that it goes with
    PRIMARY KEY (frame_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX frame_of_decoy ON frame_decoys (item_id);
"""
