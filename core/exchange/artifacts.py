"""The artifacts of a run of claim pairs: what was asked and answered, what failed, where it comes from (paper
004, Table 29 and appendix I.3). `split_manifest.json`, the fifth, belongs to the release.

    annotation_manifest.json    queue, provider, model, prompt version, counts
    provenance.json             corpus, settings of run and endpoint, fingerprint and digest
    raw_responses.jsonl         every attempt: what was sent, what came back, and the label made of it
    failures.jsonl              every pair that failed, with the history of its retries

No file ever holds the API key: no setting and no stored call does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from core import __version__
from core.errors import InputError
from core.exchange.atomic import replacing
from core.records import ItemKind, Origin, PairLabel, StoredPairLabel
from core.store import Workspace, corpora, pair_tally, pair_trail, pairs, runs
from core.store.calls import AskedCall
from core.store.pair_trail import PairRecord
from core.store.runs import Run

MANIFEST, PROVENANCE = "annotation_manifest.json", "provenance.json"
RESPONSES, FAILURES = "raw_responses.jsonl", "failures.jsonl"


def write_artifacts(workspace: Workspace, run: str, folder: Path | str) -> list[Path]:
    """Write the four artifacts of annotation into a folder that is there, each whole or not at all; an older
    file of the name is replaced.

    Raises:
        NotFoundError: no such run.
        InputError: the run is of another kind, or a file cannot be written.
    """
    found = runs.find_run(workspace, run)
    if found.proposes != ItemKind.PAIR:
        raise InputError(f"Run {run!r} labels concepts: only runs of claim pairs have these artifacts.")
    folder = Path(folder)
    contents: dict[str, Iterable[Any] | dict[str, Any]] = {
        MANIFEST: _manifest(workspace, found),
        PROVENANCE: _provenance(workspace, found),
        RESPONSES: _responses(workspace, run),
        FAILURES: _failures(workspace, run),
    }
    for name, content in contents.items():
        with replacing(folder / name) as file:
            if isinstance(content, dict):
                file.write(_json(content, indent=2))
            else:
                for row in content:
                    file.write(_json(row))
    return [folder / name for name in contents]


def task_id(run: str, pair_id: str) -> str:
    """A pair as one run puts it to an annotator."""
    return f"{run}:{pair_id}"


def _json(value: Any, indent: int | None = None) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=False, indent=indent, allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"


# --- what the run was ---------------------------------------------------------------------------------------


def _manifest(workspace: Workspace, run: Run) -> dict[str, Any]:
    counts = pair_tally.pair_tally(workspace, run.id)
    settings = run.settings
    annotators: dict[str, Counter[str]] = {origin.value: Counter() for origin in Origin}
    for stored in pairs.labels(workspace, run.id):
        annotators[stored.label.origin.value][stored.label.annotator] += 1
    return {
        "queue": run.id,
        "provider": settings.get("endpoint", {}).get("base_url"),
        "model": settings.get("models", {}).get(pair_tally.ANNOTATE),
        "prompt_version": settings.get("prompts", {}).get(pair_tally.ANNOTATE, []),
        "samples": sum(counts.pairs.values()),
        "samples_by_queue": counts.pairs,
        "annotators": {origin: dict(by) for origin, by in annotators.items()},
        "counts": {
            "articles": counts.articles,
            "articles_left_out": counts.left,
            "claims": counts.claims,
            "labels": {origin.value: counts.labels(origin) for origin in Origin},
            "axes": counts.axes,
            "repaired": counts.repaired,
            "failed": counts.failed,
            "calls": [cost._asdict() for cost in counts.costs],
        },
        "touchstone": __version__,
    }


def _provenance(workspace: Workspace, run: Run) -> dict[str, Any]:
    corpus = corpora.corpus(workspace, run.corpus)
    return {
        "run": run.id,
        "source": run.source,
        "status": run.status,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "fingerprint": run.fingerprint,
        "digest": run.digest,
        "workspace": workspace.uuid,
        "corpus": {
            "name": corpus.name,
            "domain": corpus.domain,
            "source": corpus.source,
            "sha256": corpus.sha256,
            "articles": corpus.passages,
        },
        "settings": run.settings,
        "touchstone": __version__,
    }


# --- what was asked -----------------------------------------------------------------------------------------


def _responses(workspace: Workspace, run: str) -> Iterator[dict[str, Any]]:
    """One row for every call, in the order of the calls."""
    labels = {
        stored.call_id: stored
        for stored in pairs.labels(workspace, run)
        if stored.call_id is not None and stored.label.origin is Origin.MODEL
    }
    asked = {r.call: r for r in pair_trail.annotation_records(workspace, run) if r.call is not None}
    about = {
        pair_trail.question(call): record.pair_id
        for call in pair_trail.annotation_calls(workspace, run)
        if (record := asked.get(call.id))
    }
    attempts: Counter[str] = Counter()
    for call in pair_trail.annotation_calls(workspace, run):
        key = pair_trail.question(call)
        pair = about.get(key)
        attempts[key] += 1
        yield {
            "task_id": task_id(run, pair) if pair else None,
            "pair_id": pair,
            "attempt": attempts[key],
            **_call(call),
            "response": _response(run, pair, call, labels[call.id]) if pair and call.id in labels else None,
        }


def _call(asked: AskedCall) -> dict[str, Any]:
    call = asked.call
    return {
        "call": asked.id,
        "paid_by": asked.run,
        "timestamp": asked.asked_at,
        "prompt_version": call.prompt,
        "provider": call.endpoint,
        "model": call.model,
        "request": call.request,
        "raw_response": call.raw,
        "answer": call.answer,
        "failure": call.failure,
        "finish_reason": call.finish_reason,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "seconds": call.seconds,
        "price": call.price,
        "requests_sent": call.attempts,
        "transport": call.transport,
    }


def _response(run: str, pair: str, asked: AskedCall, stored: StoredPairLabel) -> dict[str, Any]:
    """The label that a call led to, with the fields of Table 29, AnnotatorResponse."""
    label = stored.label
    return {
        "task_id": task_id(run, pair),
        "pair_id": pair,
        "annotator_id": label.annotator,
        "comparable": label.comparable,
        "conflict_type": label.conflict_type.value,
        "divergence_axes": [axis.value for axis in label.axes],
        "dominant_confounder": label.confounder.value if label.confounder else None,
        "reconciliation": label.reconciliation,
        "evidence_spans_a": _spans(label, "a"),
        "evidence_spans_b": _spans(label, "b"),
        "confidence": label.confidence,
        "notes": label.notes,
        "timestamp": asked.asked_at,
        "repaired": label.repaired,
        "repairs": list(label.repairs),
    }


def _spans(label: PairLabel, side: str) -> list[dict[str, Any]]:
    return [
        {"text": s.quote, "start": s.start, "end": s.end, "level": s.level.value, "role": s.role}
        for s in label.evidence
        if s.side == side
    ]


# --- what failed --------------------------------------------------------------------------------------------


def _failures(workspace: Workspace, run: str) -> Iterator[dict[str, Any]]:
    """One row for every pair that failed at least once, with all that befell it since."""
    history: dict[str, list[PairRecord]] = {}
    for record in pair_trail.annotation_records(workspace, run):
        if record.pair_id is not None and record.payload.get("origin") == Origin.MODEL:
            history.setdefault(record.pair_id, []).append(record)
    for pair, records in history.items():
        if all(record.verdict != "failed" for record in records):
            continue
        solved = records[-1].verdict != "failed"
        yield {
            "task_id": task_id(run, pair),
            "pair_id": pair,
            "resolved": solved,
            "label_by": (Origin.MODEL if solved else Origin.HEURISTIC).value,
            "attempts": [
                {
                    "outcome": record.verdict,
                    "kind": record.payload.get("kind"),
                    "message": record.reason,
                    "call": record.call,
                }
                for record in records
            ],
        }
