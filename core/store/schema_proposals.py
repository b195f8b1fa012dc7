"""One table of proposals and one of evidence, for every kind of item; an item has a subject.

What lay in `pair_labels` and `pair_evidence` moves to `proposals` and `evidence`. Nothing that a digest or a
link covers gets lost: rows keep their ids, those from `pair_labels` keep the old one in `old_id`, and `form`
says of runs and decisions which columns theirs were made of (`core.store.form`).
"""

PROPOSALS = """
ALTER TABLE items RENAME COLUMN concept TO subject;
-- what of its passage is judged: a concept's CURIE; a pair id, which names two claims, the passage being that
-- of side A; nothing where it is the passage as a whole
ALTER TABLE runs ADD COLUMN form INTEGER NOT NULL DEFAULT 1 CHECK (form IN (1, 2));
ALTER TABLE decisions ADD COLUMN form INTEGER NOT NULL DEFAULT 1 CHECK (form IN (1, 2));

ALTER TABLE evidence RENAME TO evidence_before;
ALTER TABLE proposals RENAME TO proposals_before;

CREATE TABLE proposals (              -- what a machine, or a file of people's labels, says of an item
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs,
    item_id INTEGER NOT NULL REFERENCES items,
    origin TEXT NOT NULL CHECK (origin IN ('model', 'rule', 'person')),
    annotator TEXT,                   -- who or what of its run said it; NULL: the source of the run
    answer TEXT NOT NULL,             -- JSON: fields as the item's kind names them, checked by it
    assertion TEXT GENERATED ALWAYS AS (answer ->> 'assertion') STORED,     -- refuses what is no JSON
    class TEXT GENERATED ALWAYS AS (answer ->> 'class') STORED,
    confidence REAL CHECK (confidence BETWEEN 0 AND 1),
    reason TEXT,
    stage TEXT NOT NULL,
    repaired INTEGER NOT NULL DEFAULT 0 CHECK (repaired IN (0, 1)),
    repairs TEXT CHECK (json_valid(repairs)),               -- what was repaired, in words; NULL: nothing
    grounded INTEGER NOT NULL CHECK (grounded IN (0, 1)),   -- 0: some quote is not in the text; queued first
    call_id INTEGER,
    after_decision INTEGER NOT NULL,  -- the last decision before it: earlier ones cannot have seen it
    old_table TEXT,
    old_id INTEGER,                   -- where it lay before, and as what: bases `labels:` name it so
    CHECK ((old_table IS NULL) = (old_id IS NULL)),
    UNIQUE (run_id, item_id, origin)
) STRICT;

CREATE TABLE evidence (
    proposal_id INTEGER NOT NULL REFERENCES proposals,
    position INTEGER NOT NULL,
    text_id INTEGER NOT NULL REFERENCES texts,
    quote TEXT NOT NULL,
    start INTEGER,
    "end" INTEGER,
    grounded INTEGER NOT NULL CHECK (grounded IN (0, 1)),
    assertion TEXT CHECK (assertion IN ('affirmed', 'negated', 'uncertain')),
    side TEXT,                        -- of an item with several texts: which one
    level TEXT,
    role TEXT,
    PRIMARY KEY (proposal_id, position),
    CHECK ((start IS NULL AND "end" IS NULL) OR (start >= 0 AND "end" > start)),
    CHECK (grounded = 0 OR start IS NOT NULL)
) STRICT, WITHOUT ROWID;

INSERT INTO proposals (id, run_id, item_id, origin, answer, confidence, reason, stage, repaired, grounded,
    after_decision)
SELECT p.id, p.run_id, p.item_id,
    CASE WHEN r.kind = 'imported' OR r.settings ->> 'form' = 'asked' THEN 'model' ELSE 'rule' END,
    json_object('label', p.label, 'assertion', p.assertion, 'class', p.class),
    p.confidence, p.reason, p.stage, p.repaired, p.grounded, p.after_decision
FROM proposals_before p JOIN runs r ON r.id = p.run_id ORDER BY p.id;

INSERT INTO proposals (id, run_id, item_id, origin, annotator, answer, confidence, reason, stage, repaired,
    repairs, grounded, call_id, after_decision, old_table, old_id)
SELECT l.id + (SELECT ifnull(max(id), 0) FROM proposals_before), l.run_id, l.item_id,
    CASE WHEN l.id IN (
        SELECT said.id FROM runs u CROSS JOIN stage_records s ON s.run_id = u.id AND s.stage = 'imported'
        JOIN items i ON i.kind = 'pair' AND i.passage_id = s.passage_id AND i.subject = s.concept
        JOIN pairs p ON p.run_id = u.id AND p.item_id = i.id
        JOIN pair_labels said ON said.pair_id = p.id AND said.origin = s.payload ->> 'origin'
        WHERE u.kind = 'conflicts' AND s.payload ->> 'label_origin' = 'person'
    ) THEN 'person' WHEN l.origin = 'heuristic' THEN 'rule' ELSE 'model' END,
    l.annotator,
    json_object('comparable', json(CASE l.comparable WHEN 1 THEN 'true' ELSE 'false' END),
        'conflict_type', l.conflict_type, 'axes', json(l.axes), 'confounder', l.confounder,
        'reconciliation', l.reconciliation),
    l.confidence, l.notes, CASE WHEN r.settings ->> 'imported' THEN 'imported' ELSE 'annotate' END,
    l.repaired, nullif(l.repairs, '[]'), l.grounded, l.call_id, l.after_decision, 'pair_labels', l.id
FROM pair_labels l JOIN runs r ON r.id = l.run_id ORDER BY l.id;

CREATE UNIQUE INDEX proposals_as_before ON proposals (old_table, old_id) WHERE old_id IS NOT NULL;

INSERT INTO evidence (proposal_id, position, text_id, quote, start, "end", grounded, assertion)
SELECT proposal_id, position, text_id, quote, start, "end", grounded, assertion FROM evidence_before
ORDER BY proposal_id, position;

INSERT INTO evidence (proposal_id, position, text_id, quote, start, "end", grounded, side, level, role)
SELECT p.id, e.position, e.text_id, e.quote, e.start, e."end", e.start IS NOT NULL, e.side, e.level, e.role
FROM pair_evidence e JOIN proposals p ON p.old_table = 'pair_labels' AND p.old_id = e.label_id
ORDER BY p.id, e.position;

DROP TABLE evidence_before;
DROP TABLE pair_evidence;
DROP TABLE proposals_before;
DROP TABLE pair_labels;
DROP TABLE names_fts;
CREATE INDEX proposals_of_item ON proposals (item_id);
"""

MOVED = ("proposals", "evidence")
"""Tables made anew: their triggers went with the old ones."""
GONE = ("pair_labels", "pair_evidence")
