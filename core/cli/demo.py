"""The demo workspace: a small review that two curators and an adjudicator have begun, built from `data/demo`.

Everything in it was written by hand but the runs of the offline annotator; `data/README.md` tells what. It
comes in as any data of a user's do, through the same functions, so its history is proven like any other's.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from core.cli.output import bar, say
from core.store import Workspace, corpora, decisions, ontologies, open_workspace, runs, trees
from core.store.looking import refuse_writing

CHECKOUT = Path(__file__).parents[2]
DATA = CHECKOUT / "data" / "demo"
WORKSPACE = CHECKOUT / "data" / "workspaces" / "demo.db"
PASSAGES, ABSTRACTS, ONTOLOGY = "demo", "demo-abstracts", "hpo-demo"
RELEASES = ("hpo-demo-older.obo", "hpo-demo.obo")
"""Of the ontology; the last one is in force."""
TREE = f"{ONTOLOGY}-osi"
SILVER, PAIRS, SILVER_PAIRS = "demo-silver", "demo-pairs", "demo-silver-pairs"
FRAME, AUDIT = "demo-frame", "demo-audit"
LEXICON = tuple(f"lexicon-{corpus}-{ONTOLOGY}" for corpus in (PASSAGES, ABSTRACTS))
"""Runs of the offline annotator."""
FILES = (
    *RELEASES,
    *("passages.json", "abstracts.json"),
    *("abstract_pairs.jsonl", "silver_pairs.jsonl", "silver.json"),
)
DECISIONS = "decisions.jsonl"
"""Files of `DATA` that the workspace is built from."""
OLDER = (
    "This demonstration is of an older version. `touchstone demo --fresh` builds the one of today, and"
    " forgets what was decided in this one."
)
SEED = "7"
"""Of the frame and the audit set: the first number that leaves the opening item of the desk to whoever comes
and puts both concepts that gold lacks among the audited ones."""
AUDITED = 48
"""Errors of the audit set; 40 of them are classified."""
BY_HAND = "written by hand for the demonstration"
CARELESS = f"{BY_HAND}, in the manner of a careless model"
CURATORS = {"curator-a": "Curator A", "curator-b": "Curator B", "curator-c": "Curator C"}
"""Id -> name; the last one adjudicates."""


def build_demo(path: Path, *, fresh: bool = False, replace: bool = True) -> None:
    """Build the demo workspace if it is not there, in seconds. Built aside and moved into place whole.

    Args:
        replace: whether one of an older version gives way, where nobody did anything in it.
    """
    if path.exists() and not fresh:
        with open_workspace(path, create=False) as workspace:
            if not is_older(workspace):
                return
            if not replace or is_used(workspace):
                return say(OLDER)
        say("The demo workspace is of an older version, and nobody did anything in it.")
    refuse_writing()
    part = path.with_name(path.name + ".part")
    _clear(part)
    say("Building the demo workspace")
    with open_workspace(part) as workspace:
        _label(workspace)
        _review(workspace)
        workspace.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
        part.with_name(part.name + suffix).unlink(missing_ok=True)
    part.replace(path)
    _clear(part)


def is_older(workspace: Workspace) -> bool:
    """Whether this is the demonstration, but was built from other files than those in `data/demo` now. Its
    version is what it holds of them: their hashes, and the decisions."""
    made = runs.list_runs(workspace)
    if not any(one.source.startswith(BY_HAND) for one in made):
        return False
    held = {one.settings.get("sha256") for one in made}
    held |= {one.sha256 for one in ontologies.list_ontologies(workspace)}
    held |= {one.sha256 for one in corpora.list_corpora(workspace)}
    files = {hashlib.sha256((DATA / name).read_bytes()).hexdigest() for name in FILES}
    lines = (DATA / DECISIONS).read_text("utf-8").splitlines()
    wanted = {(row["client_id"], row["action"], row["concept"]) for row in map(json.loads, lines)}
    said = {(one.client_id, one.action.value, one.subject) for one in decisions.decisions(workspace)}
    return not (files <= held and wanted <= said)


def is_used(workspace: Workspace) -> bool:
    """Whether anybody decided anything in a demonstration after it was built, or brought something in."""
    built = workspace.db.execute("SELECT created_at FROM workspace").fetchone()[0]
    return (
        any(one.decided_at > built for one in decisions.decisions(workspace))
        or any(one.name not in (PASSAGES, ABSTRACTS) for one in corpora.list_corpora(workspace))
        or any(one.name != ONTOLOGY for one in ontologies.list_ontologies(workspace))
        or any(one.name != TREE for one in trees.newest_first(workspace))
        or any(
            one.id not in LEXICON and not one.source.startswith(BY_HAND) for one in runs.list_runs(workspace)
        )
    )


def _clear(part: Path) -> None:
    """Nothing of an unfinished workspace, nor of its locks, is left."""
    for left in part.parent.glob(f"{part.name}*"):
        left.unlink()


def _label(workspace: Workspace) -> None:
    """Ontology and texts, then what was proposed on them. What people review comes last: the app tells of the
    newest run first."""
    from core.exchange import add_corpus, add_ontology, add_pairs, add_proposals
    from core.pipeline import annotate
    from core.pipeline.trees import TreeSettings, build_tree, keep_tree

    for release in RELEASES:
        add_ontology(workspace, str(DATA / release), name=ONTOLOGY)
    keep_tree(workspace, TREE, build_tree(TreeSettings((ONTOLOGY,)), workspace))
    add_corpus(workspace, DATA / "passages.json", name=PASSAGES, domain="clinical passages")
    add_corpus(workspace, DATA / "abstracts.json", name=ABSTRACTS)
    with bar("Demo") as progress:
        for corpus in (PASSAGES, ABSTRACTS):
            annotate(workspace, corpus=corpus, ontology=ONTOLOGY, progress=progress)
    for run, file, source in (
        (PAIRS, "abstract_pairs.jsonl", BY_HAND),
        (SILVER_PAIRS, "silver_pairs.jsonl", CARELESS),
    ):
        add_pairs(workspace, DATA / file, run=run, source=source, corpus=ABSTRACTS)
    silver = DATA / "silver.json"
    add_proposals(workspace, silver, run=SILVER, source=CARELESS, corpus=PASSAGES, ontology=ONTOLOGY)


def _review(workspace: Workspace) -> None:
    """What is to be decided, drawn before anybody decides; then what the curators decided."""
    from core.exchange import add_decisions
    from core.review.audit import Audit, draw_audit
    from core.review.frames import Wanted, open_frame
    from core.store.curators import add_curator

    open_frame(workspace, Wanted(SILVER, FRAME, seed=SEED))
    draw_audit(workspace, Audit(SILVER, f"imported:{PASSAGES}", AUDITED, SEED, name=AUDIT))
    for curator, name in CURATORS.items():
        add_curator(workspace, curator, name)
    add_decisions(workspace, DATA / DECISIONS)
