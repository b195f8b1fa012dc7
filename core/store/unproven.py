"""What `verify` cannot notice: no digest covers it, so whoever can write the file can change it unseen.

A test changes every column named here, and every one that is not, so that text and truth stay one.
"""

from __future__ import annotations

UNPROVEN: dict[str, dict[str, tuple[str, ...]]] = {
    "who a curator is: the name and login behind an id": {"curators": ("name", "subject", "created_at")},
    "which corpora are confidential, and where they came from": {
        "corpora": ("domain", "confidential", "source", "sha256", "meta", "added_at"),
    },
    "articles and other fields of passages": {"passages": ("article", "meta")},
    "how a normalised text maps to its original": {"texts": ("original_id", "offset_map")},
    "what an ontology holds besides its names: ids, definitions, relations, what is obsolete": {
        "ontologies": ("title", "root", "added_at"),
        "concepts": ("curie", "definition", "namespace", "obsolete", "replaced_by"),
        "names": ("type",),
        "edges": ("child", "relation", "parent"),
        "alt_ids": ("alt", "curie"),
        "logical_definitions": ("position", "relation", "filler"),
        "ontology_findings": ("line", "kind", "message"),
    },
    "the name, version and completeness of imported gold": {
        "annotation_sets": ("name", "version", "exhaustive", "sha256", "meta", "added_at"),
    },
    "the names of learned sets, and which of their words are silenced": {
        "learned_sets": ("version", "source", "created_at"),
        "learned_mutes": ("concept", "words", "muted", "created_at", "client_id"),
    },
    "the names of label trees, and what they were built from": {
        "label_trees": ("version", "recipe", "created_at"),
    },
    "guideline summaries": {"guidelines": ("profile", "version", "summary", "origin", "created_at")},
    "when a run ended, and when a frame was opened": {"runs": ("finished_at",), "frames": ("opened_at",)},
    "how far collections and runs have come, leases and caches": {
        "collections": ("position", "found", "fetched", "added", "done", "message", "updated_at"),
        "leases": ("slot", "session", "expires_at"),
        "run_sessions": ("pid", "host", "started_at", "beat_at", "done", "total", "spent", "message"),
        "vectors": ("vector",),
        "workspace": ("uuid", "restore_nonce", "revision", "stamp", "created_at"),
    },
}
"""In words -> table -> columns."""

UNFINISHED = "runs that are not finished, and answers of models that no finished run used"
"""Their records get a digest when the run ends; decided proposals are in the chain at once."""
ANCHOR = "that the end of the log was not cut off, or all of it written anew (give --head to prove it)"
TRUST = "that the curator named in a decision made it: a name is no password, and logs are taken on trust"

NOT_PROVEN = (*UNPROVEN, UNFINISHED, ANCHOR, TRUST)
"""All that `verify` says nothing about, in words."""
