"""The offline annotator in one pass: the dictionary matcher over a corpus, in chunks.

Each chunk is one write, so curators can decide while a run goes on, and a killed run loses at most the chunk
in hand. The same run id goes on where it stopped; a run whose inputs have changed is refused with the
difference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core import __version__
from core.concepts import lexicon
from core.concepts.hypernyms import left
from core.concepts.profile import Hypernyms, load_profile
from core.pipeline import start
from core.pipeline.prepare import root_of
from core.pipeline.report import RunReport
from core.pipeline.taught import Taught
from core.records import Draft, StageRecord
from core.store import corpora, ontologies, proposals, runs
from core.store.corpora import Corpus
from core.store.ontologies import OntologyRow
from core.store.rows import chunks
from core.store.workspace import Workspace

STAGE = "lexicon"


def annotate(
    workspace: Workspace,
    *,
    corpus: str,
    ontology: str,
    root: str | None = None,
    run: str | None = None,
    learned: str | None = None,
    profile: str | Path | None = None,
    hypernyms: Hypernyms | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RunReport:
    """Propose concepts for every passage of a corpus with the offline dictionary annotator.

    Args:
        ontology: `NAME` or `NAME@VERSION`.
        root: only concepts below this one; default the ontology's own root.
        run: run id; default `lexicon-CORPUS-ONTOLOGY`, with the learned set behind it.
        learned: what was learned (`core.pipeline.learn`), `NAME` or `NAME@VERSION`.
        profile: task profile, for its root and for what becomes of hypernyms.
        hypernyms: what becomes of a concept that is more general than another one of the passage; default as
            was learned, else as the profile says; without either all are kept.
        progress: called with (passages done, passages in all) after every chunk.

    Raises:
        NotFoundError: no such corpus, ontology, root or learned set.
        InputError: the run exists with other inputs, or somebody else is running it now.
    """
    target = corpora.corpus(workspace, corpus)
    row = ontologies.find_ontology(workspace, ontology)
    chosen = load_profile(profile) if profile is not None else None
    root = root_of(workspace, row, root, chosen.root if chosen else None)
    taught = Taught.find(workspace, learned)
    policy = hypernyms or (taught and taught.hypernyms) or (chosen.hypernyms if chosen else Hypernyms.KEEP)
    made = f"lexicon-{corpus}-{row.name}" + (f"-{taught.row.name}" if taught else "")
    run = runs.checked_name(workspace, run or made)
    inputs = _inputs(target, row, root)
    inputs |= {"learned": taught.inputs} if taught else {}
    inputs |= {"profile": chosen.name} if chosen else {}
    inputs |= {"hypernyms": policy.value} if policy is not Hypernyms.KEEP else {}
    with start.only_runner(workspace, run):
        source = inputs["annotator"]
        start.begin(workspace, run, source=source, corpus_id=target.id, ontology_id=row.id, inputs=inputs)
        done = runs.passages_done(workspace, run, STAGE)
        stored = ontologies.read_ontology(workspace, row.name, row.version)
        matcher = lexicon.Lexicon.build(stored.concepts, root=root)
        matcher = taught.lexicon(matcher) if taught else matcher
        waiting = (p for p in corpora.passages(workspace, corpus) if p.id not in done)
        finished = len(done)
        for chunk in chunks(waiting, start.CHUNK):
            drafted = lexicon.run(chunk, matcher)
            _store(workspace, run, [(p, left(made, policy, matcher.lineage)) for p, made in drafted])
            finished += len(chunk)
            if progress:
                progress(finished, target.passages)
        with workspace.write() as db:
            digest = runs.finish_run(db, run)
    found = runs.find_run(workspace, run)
    count = runs.proposals(workspace, found)
    return RunReport(run, corpus, row.reference, target.passages, len(done), count, digest)


def _inputs(corpus: Corpus, ontology: OntologyRow, root: str | None) -> dict[str, Any]:
    """What the labels of every run depend on."""
    return {
        "annotator": f"lexicon {__version__}",
        "rules": lexicon.RULES,
        "corpus": corpus.name,
        "corpus_passages": corpus.passages,
        "ontology": ontology.reference,
        "ontology_sha256": ontology.sha256,
        "root": root,
    }


def _store(workspace: Workspace, run: str, drafts: Sequence[tuple[int, list[Draft]]]) -> None:
    """The proposals of a chunk, and that its passages are done."""
    done = (StageRecord(STAGE, p, None, "done", payload={"proposals": len(d)}) for p, d in drafts)
    with workspace.write() as db:
        proposals.add(db, run, drafts)
        runs.add_stage_records(db, run, done)
    time.sleep(start.PAUSE)
