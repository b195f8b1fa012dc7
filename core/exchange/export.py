"""Out: proposals, gold or decisions as one file, with a manifest that proves where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import get_args

from core.errors import InputError
from core.exchange.atomic import replacing
from core.exchange.claim_rows import LINES, lines
from core.exchange.gold import Selection, about_texts, gold_documents
from core.exchange.manifests import write_manifest
from core.exchange.pair_export import not_ordered, of_pairs, select_pairs
from core.formats import FORMATS, Metadata, Writer, format_of
from core.formats.claim_rows import write_lines
from core.formats.decisions import ANSWERS, DecisionRow, write_decisions
from core.formats.manifest import HistoryPart, Kind, Manifest
from core.formats.pairs import write_pairs
from core.formats.rows import shown
from core.records import (
    Annotation,
    Assertion,
    Decision,
    Document,
    Evidence,
    PairSort,
    Proposal,
    Span,
)
from core.store import Workspace, corpora, ontologies, proposals, runs
from core.store.changes import IMPORTED
from core.store.decisions import chain_head, decisions
from core.store.gold import strongest
from core.store.runs import Run


def export(
    workspace: Workspace,
    what: Kind,
    out: Path | str,
    *,
    run: str | None = None,
    gold: str | None = None,
    corpus: str | None = None,
    format: str | None = None,
    oracle: bool = False,
    order: PairSort | None = None,
) -> Manifest:
    """Write a file and `OUT.manifest.json` beside it, each whole or not at all.

    Args:
        what: see `Kind`; the last four are of a run of claim pairs.
        out: an existing file is replaced; `.gz` is compressed.
        run: whose proposals, or whose claim pairs; may be left out where there is only one run.
        gold: gold reference; may be left out where only one gold set was imported, and of claim pairs.
        corpus: of reviewed gold; may be left out where there is only one corpus.
        format: name in `FORMATS`; None: told by the extension of `out`.
        order: of proposals of claim pairs; None: the likeliest conflict first.
        oracle: also proposals of a run that took a part of them from gold; the file names it as its source.

    Raises:
        InputError: an oracle's run needs `oracle`, a choice is missing, or the format cannot hold it.
        NotFoundError: no such run, gold or corpus.
    """
    out = Path(out)
    name = format_of(out, format)
    number, link = chain_head(workspace)
    counts, left_out = dict[str, int](), dict[str, int]()
    chosen: Selection | None = None
    made: Run | None = None
    pinned: str | None = None
    if what == "decisions":
        not_ordered(order)
        with replacing(out) as file:
            write_decisions(name, _decision_rows(workspace, number, counts), file)
    elif what in get_args(Kind) and (made := of_pairs(workspace, what, run, gold, corpus)):
        pinned = _write_pairs(workspace, made, what, out, name, gold, order, counts)
    else:
        not_ordered(order)
        write = _writer(what, name)
        made = _run(workspace, run, oracle) if what == "proposals" else None
        chosen = proposal_documents(workspace, made) if made else _gold(workspace, gold, corpus)
        with replacing(out) as file:
            left_out = write(chosen.metadata, _counted(chosen.documents, counts), file)
    return write_manifest(
        workspace,
        out,
        format=name,
        what=what,
        run=made,
        corpus=chosen.corpus if chosen else made.corpus if made else None,
        gold=chosen.gold if chosen else pinned,
        history=HistoryPart(number=number, link=link),
        counts=counts,
        left_out=left_out,
    )


def _write_pairs(
    workspace: Workspace,
    run: Run,
    what: Kind,
    out: Path,
    format: str,
    gold: str | None,
    order: PairSort | None,
    counts: dict[str, int],
) -> str | None:
    """Write what is asked for of a run of claim pairs; returns the gold reference that it rests on."""
    if what in LINES:
        not_ordered(order)
        rows = lines(workspace, run, what, gold)
        with replacing(out) as file:
            write_lines(format, rows.rows, file, counts)
        return rows.gold
    chosen = select_pairs(workspace, run, what, gold, order)
    with replacing(out) as file:
        write_pairs(format, chosen.counted(counts), file)
    return chosen.gold


def _writer(what: Kind, name: str) -> Writer:
    """What writes documents in a format."""
    if what not in get_args(Kind):
        raise InputError(f"{shown(what)} cannot be exported. Choose one of {', '.join(get_args(Kind))}.")
    if what in LINES:
        raise InputError(f"{shown(what)} are of a run of claim pairs: name one with --run.")
    write = FORMATS[name].write
    if write is None:
        writable = ", ".join(known for known, form in FORMATS.items() if form.write)
        raise InputError(f"{name} can be read, not written. Choose --format {writable}.")
    return write


def _gold(workspace: Workspace, gold: str | None, corpus: str | None) -> Selection:
    return gold_documents(workspace, gold or _only_gold(workspace), corpus)


# --- proposals --------------------------------------------------------------------------------------------


def _run(workspace: Workspace, run: str | None, oracle: bool) -> Run:
    """The run to export; an oracle's only if that was said."""
    made = runs.find_run(workspace, run or _only_run(workspace))
    if "oracle" in made.settings and not oracle:
        raise InputError(
            f"Run {made.id!r} is no labelling: it took a part of its answers from gold "
            f"({made.source}). Export another run, or say --oracle."
        )
    return made


def _only_run(workspace: Workspace) -> str:
    known = [r.id for r in runs.list_runs(workspace)]
    if len(known) != 1:
        raise InputError(f"Name the run with --run. Known: {', '.join(known) or 'none'}.")
    return known[0]


def proposal_documents(workspace: Workspace, run: Run) -> Selection:
    """Every document of the run's corpus: that a run proposes nothing there is part of what it says."""
    known = corpora.corpus(workspace, run.corpus)
    metadata = {
        "dataset_id": run.corpus,
        **about_texts(known.meta),
        "run": run.id,
        "source": run.source,
        **({"ontology": reference} if (reference := _ontology(workspace, run)) else {}),
    }

    def documents() -> Iterator[Document]:
        grouped = groupby(proposals.of_run(workspace, run.id), key=lambda one: one.passage_id)
        group = next(grouped, None)
        for passage in corpora.passages(workspace, run.corpus):
            found: list[Annotation] = []
            if group is not None and group[0] == passage.id:
                found = [a for proposal in group[1] for a in proposal_annotations(proposal)]
                group = next(grouped, None)
            yield Document(
                passage.doc_id, passage.text, tuple(found), passage.title, passage.article, passage.meta
            )

    return Selection(Metadata.model_validate(metadata), documents(), run.corpus)


def _ontology(workspace: Workspace, run: Run) -> str | None:
    if run.ontology_id is None:
        return None
    return ontologies.ontology_by_id(workspace, run.ontology_id).reference


def proposal_annotations(proposal: Proposal) -> Iterator[Annotation]:
    """One annotation for each piece of evidence, or one for the document where there is none.

    The mentions' own statuses are written only where together they make the proposal's (affirmed beats
    uncertain beats negated beats another person's), so that a reader of the file arrives at what the run
    proposes.
    """
    places: list[Evidence | None] = list(proposal.evidence) or [None]
    statuses = [e.assertion if e and e.assertion else proposal.assertion for e in places]
    together: Assertion | None = None
    for status in statuses:
        together = strongest(together, status)
    if together is not proposal.assertion:
        statuses = [proposal.assertion] * len(places)
    for place, status in zip(places, statuses, strict=True):
        yield Annotation(
            concept=proposal.concept,
            label=proposal.label,
            assertion=status,
            span=_span(place),
            concept_class=proposal.concept_class,
            confidence=proposal.confidence,
            reason=proposal.reason or None,
            run=proposal.run,
            ungrounded=place if place and not place.grounded else None,
        )


def _span(place: Evidence | None) -> Span | None:
    if place is None or not place.grounded or place.start is None or place.end is None:
        return None
    return Span(place.start, place.end, place.quote)


def _counted(documents: Iterator[Document], counts: dict[str, int]) -> Iterator[Document]:
    counts |= {"documents": 0, "annotations": 0, "concepts": 0, "ungrounded": 0}
    for document in documents:
        counts["documents"] += 1
        counts["annotations"] += len(document.annotations)
        counts["concepts"] += len({a.concept for a in document.annotations})
        counts["ungrounded"] += sum(a.ungrounded is not None for a in document.annotations)
        yield document


# --- gold and decisions -----------------------------------------------------------------------------------


def _only_gold(workspace: Workspace) -> str:
    known = [IMPORTED + s.reference for s in corpora.list_annotation_sets(workspace)]
    if len(known) != 1:
        raise InputError(
            f"Name the gold with --gold: imported:NAME@VERSION ({', '.join(known) or 'none is imported'}), "
            "corrected@NUMBER:NAME@VERSION or reviewed@NUMBER:POLICY, POLICY one of curator=ID, agreed, "
            "adjudicated."
        )
    return known[0]


def _decision_rows(workspace: Workspace, upto: int, counts: dict[str, int]) -> Iterator[DecisionRow]:
    place = lru_cache(maxsize=1024)(partial(corpora.passage, workspace))
    counts["decisions"] = 0
    for d in decisions(workspace, upto=upto):
        counts["decisions"] += 1
        passage = place(d.passage_id)
        yield _decision_row(d, passage.corpus, passage.doc_id)


def _decision_row(d: Decision, corpus: str, doc_id: str) -> DecisionRow:
    return DecisionRow(
        number=d.number,
        corpus=corpus,
        doc_id=doc_id,
        concept=d.subject,
        kind=d.kind,
        curator=d.curator,
        action=d.action.value,
        answer=ANSWERS[d.kind].model_validate(d.answer.to_json(), strict=False) if d.answer else None,
        note=d.note,
        undoes=d.undoes,
        blind=d.blind,
        milliseconds=d.milliseconds,
        decided_at=d.decided_at,
        guideline_revision=d.guideline_revision or None,
        cause=d.cause,
        update_guideline=d.update_guideline,
        base=d.base,
        client_id=d.client_id,
        link=d.link,
    )


# --- the manifest -----------------------------------------------------------------------------------------
