"""The demo workspace: a small review that two curators and an adjudicator have begun, built from `data/demo`.

Everything in it was written by hand but the runs of the offline annotator; `data/README.md` tells what. It
comes in as any data of a user's do, through the same functions, so its history is proven like any other's.
"""

from __future__ import annotations

from pathlib import Path

from core.cli.output import bar, say
from core.store import Workspace, open_workspace
from core.store.looking import refuse_writing

CHECKOUT = Path(__file__).parents[2]
DATA = CHECKOUT / "data" / "demo"
WORKSPACE = CHECKOUT / "data" / "workspaces" / "demo.db"
PASSAGES, ABSTRACTS, ONTOLOGY = "demo", "demo-abstracts", "hpo-demo"
SILVER, PAIRS, SILVER_PAIRS = "demo-silver", "demo-pairs", "demo-silver-pairs"
FRAME, AUDIT = "demo-frame", "demo-audit"
SEED = "7"
"""Of the frame and the audit set: the first number that leaves the opening item of the desk to whoever comes
and puts both concepts that gold lacks among the audited ones."""
AUDITED = 48
"""Errors of the audit set; 40 of them are classified."""
BY_HAND = "written by hand for the demonstration"
CARELESS = f"{BY_HAND}, in the manner of a careless model"
CURATORS = {"curator-a": "Curator A", "curator-b": "Curator B", "curator-c": "Curator C"}
"""Id -> name; the last one adjudicates."""


def build_demo(path: Path, *, fresh: bool = False) -> None:
    """Build the demo workspace if it is not there, in seconds. Built aside and moved into place whole."""
    if path.exists() and not fresh:
        return
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


def _clear(part: Path) -> None:
    """Nothing of an unfinished workspace, nor of its locks, is left."""
    for left in part.parent.glob(f"{part.name}*"):
        left.unlink()


def _label(workspace: Workspace) -> None:
    """Ontology and texts, then what was proposed on them. What people review comes last: the app tells of the
    newest run first."""
    from core.exchange import add_corpus, add_ontology, add_pairs, add_proposals
    from core.pipeline import annotate

    add_ontology(workspace, str(DATA / "hpo-demo.obo"), name=ONTOLOGY)
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
    add_decisions(workspace, DATA / "decisions.jsonl")
