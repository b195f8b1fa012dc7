"""Audit sets for tests: a corpus, its gold, a run that proposes more than gold holds, and a set of it.

| passage | gold     | run                 | apparent false positives                        |
| a1      | focal    | seizure, hypotonia  | seizure (above focal), hypotonia (same branch)  |
| a2      | seizure  | cataract            | cataract (another branch)                       |
| a3      | cataract | cataract, seizure   | seizure (another branch)                        |
"""

from __future__ import annotations

from core.records import Annotation, Assertion
from core.review.audit import Audit, draw_audit
from core.store import Workspace, corpora, ontologies
from core.store.frames import units
from tests.review.clinic import (
    CATARACT,
    FOCAL,
    HYPOTONIA,
    SEIZURE,
    add_corpus,
    add_run,
    draft,
    ontology,
)

TEXTS = {
    "a1": "A boy had focal seizures since he was two years old. Marked hypotonia was seen at birth.",
    "a2": "Her seizures began at six. She was seen in the cataract clinic.",
    "a3": "He has a cataract of the left eye. Her sister had a seizure.",
}
PROPOSED = {"a1": [(SEIZURE, "seizures"), (HYPOTONIA, "hypotonia")], "a2": [(CATARACT, "cataract")]}
PROPOSED["a3"] = [(CATARACT, "cataract"), (SEIZURE, "seizure")]
GOLD = {"a1": FOCAL, "a2": SEIZURE, "a3": CATARACT}


def furnish(
    workspace: Workspace,
    name: str = "ward",
    *,
    texts: dict[str, str] | None = None,
    copies: int = 1,
    draw: bool = True,
) -> list[int]:
    """A corpus, a gold set, a run and an audit set, all of this name; its items in the order of the draw.

    Args:
        copies: how often each text is in the corpus.
    """
    of_copy = {f"{doc}-{n}" if n else doc: doc for n in range(copies) for doc in TEXTS}
    said = {doc: (texts or TEXTS)[first] for doc, first in of_copy.items()}
    if not ontologies.list_ontologies(workspace):
        ontologies.add_ontology(workspace, ontology())
    at = add_corpus(workspace, said, name)
    rows = [(at[d], Annotation(GOLD[first], "", Assertion.AFFIRMED)) for d, first in of_copy.items()]
    with workspace.write() as db:
        of = corpora.corpus(workspace, name).id
        corpora.add_annotation_set(db, name, "1", of, rows, exhaustive=True, sha256="1" * 64)
    drafts = {at[d]: [draft(c, said[d], w) for c, w in PROPOSED[first]] for d, first in of_copy.items()}
    add_run(workspace, drafts, f"run-{name}", corpus=name)
    return drawn(workspace, name, size=4 * copies) if draw else []


def drawn(workspace: Workspace, name: str, audit: str = "", size: int = 4, seed: str = "13") -> list[int]:
    """Another set over the same run; its items in the order of the draw."""
    audit = audit or name
    draw_audit(workspace, Audit(f"run-{name}", f"imported:{name}@1", size, seed, name=audit))
    return [unit.item_id or 0 for unit in units(workspace, audit, upto=size)]
