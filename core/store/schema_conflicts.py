"""Tables of claim pairs: claims of articles, pairs of them, their labels; how far collections have come."""

CONFLICTS = """
INSERT INTO item_kinds VALUES ('pair');
-- of an item of this kind, `passage_id` is the passage of side A and `concept` the pair id, which names both
-- claims by article, text and place: the same two claims are one item, whichever run pairs them

CREATE TABLE claims (                 -- spans of normalised texts that state a finding, as one run found them
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs,
    claim_id TEXT NOT NULL CHECK (claim_id <> ''),
    passage_id INTEGER NOT NULL REFERENCES passages,
    text_id INTEGER NOT NULL REFERENCES texts,
    domain TEXT NOT NULL,
    start INTEGER NOT NULL CHECK (start >= 0),
    "end" INTEGER NOT NULL CHECK ("end" > start),
    sentence_start INTEGER NOT NULL CHECK (sentence_start >= 0),
    sentence_end INTEGER NOT NULL CHECK (sentence_end > sentence_start),
    type TEXT NOT NULL CHECK (type IN ('factual', 'efficacy', 'prognostic', 'correlational', 'prevalence',
        'causal', 'mechanistic', 'recommendation')),
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    section TEXT,
    direction TEXT NOT NULL CHECK (direction IN ('increased', 'decreased', 'unchanged', 'unclear')),
    negated INTEGER NOT NULL CHECK (negated IN (0, 1)),
    entities TEXT NOT NULL CHECK (json_valid(entities)),
    slots TEXT NOT NULL CHECK (json_valid(slots)),
    cues TEXT NOT NULL CHECK (json_valid(cues)),
    UNIQUE (run_id, claim_id)
) STRICT;
CREATE INDEX claims_of_domain ON claims (run_id, domain);
CREATE INDEX claims_of_passage ON claims (passage_id);

CREATE TABLE pairs (                  -- candidates of one run, with the parts of their score
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs,
    item_id INTEGER NOT NULL REFERENCES items,
    domain TEXT NOT NULL,
    claim_a INTEGER NOT NULL REFERENCES claims,
    claim_b INTEGER NOT NULL REFERENCES claims,
    sim REAL NOT NULL, dis REAL NOT NULL, ent REAL NOT NULL, type REAL NOT NULL, year REAL NOT NULL,
    score REAL NOT NULL,
    signals TEXT NOT NULL CHECK (json_valid(signals)),
    tier TEXT NOT NULL CHECK (tier IN ('pilot', 'development', 'full')),
    CHECK (claim_a <> claim_b),
    UNIQUE (run_id, item_id)
) STRICT;
CREATE INDEX pairs_of_item ON pairs (item_id);
CREATE INDEX pairs_of_claims ON pairs (claim_a);
CREATE INDEX pairs_of_claims_b ON pairs (claim_b);

CREATE TABLE pair_labels (            -- proposals for pairs: at most one by a model and one by the heuristic
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs,
    item_id INTEGER NOT NULL REFERENCES items,
    pair_id INTEGER NOT NULL REFERENCES pairs,
    origin TEXT NOT NULL CHECK (origin IN ('model', 'heuristic')),
    annotator TEXT NOT NULL,
    comparable INTEGER NOT NULL CHECK (comparable IN (0, 1)),
    conflict_type TEXT NOT NULL CHECK (conflict_type IN ('no_conflict', 'direct_contradiction',
        'contextual_contradiction', 'underspecified_apparent_contradiction', 'evidence_insufficiency',
        'unresolved_scientific_controversy')),
    axes TEXT NOT NULL CHECK (json_valid(axes)),
    confounder TEXT,
    reconciliation TEXT NOT NULL,
    confidence REAL CHECK (confidence BETWEEN 0 AND 1),
    notes TEXT NOT NULL,
    repaired INTEGER NOT NULL CHECK (repaired IN (0, 1)),
    repairs TEXT NOT NULL CHECK (json_valid(repairs)),
    grounded INTEGER NOT NULL CHECK (grounded IN (0, 1)),
    call_id INTEGER,
    after_decision INTEGER NOT NULL,
    CHECK (conflict_type <> 'no_conflict' OR (axes = '[]' AND confounder IS NULL)),
    UNIQUE (pair_id, origin)
) STRICT;
CREATE INDEX pair_labels_of_item ON pair_labels (item_id);
CREATE INDEX pair_labels_of_run ON pair_labels (run_id, origin);

CREATE TABLE pair_evidence (
    label_id INTEGER NOT NULL REFERENCES pair_labels,
    position INTEGER NOT NULL,
    side TEXT NOT NULL CHECK (side IN ('a', 'b')),
    level TEXT NOT NULL CHECK (level IN ('claim', 'abstract')),
    role TEXT,
    text_id INTEGER NOT NULL REFERENCES texts,
    quote TEXT NOT NULL,
    start INTEGER,
    "end" INTEGER,
    PRIMARY KEY (label_id, position),
    CHECK ((start IS NULL AND "end" IS NULL) OR (start >= 0 AND "end" > start))
) STRICT, WITHOUT ROWID;

CREATE TABLE collections (            -- how far each query of a collection has come; overwritten
    corpus_id INTEGER NOT NULL REFERENCES corpora,
    source TEXT NOT NULL,
    query TEXT NOT NULL,
    position TEXT,                    -- where the next page begins, in the source's own words
    found INTEGER,                    -- hits the source told of
    fetched INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
    message TEXT,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (corpus_id, source, query)
) STRICT, WITHOUT ROWID;
"""

LIKELIHOOD = """
ALTER TABLE pairs ADD COLUMN likelihood REAL CHECK (likelihood BETWEEN 0 AND 1);
-- of a conflict, a probability; null in runs that were mined before it was told

ALTER TABLE pairs ADD COLUMN likelihood_parts TEXT CHECK (json_valid(likelihood_parts));
-- what it was made of: [[name, value], ...]
"""

APPEND_ONLY = ("claims", "pairs", "pair_labels", "pair_evidence")
