"""A small world for runs of claim pairs: made-up abstracts of two domains, word vectors, a scripted model.

The abstracts speak of drugs that do not exist. The scripted model is no model: it answers from the words of
its data, always the same way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.conflicts.mine import Mining
from core.llm import Endpoint
from core.pipeline.conflicts import ConflictsReport, ConflictsSettings, run_conflicts
from core.records import Document
from core.store import Workspace, corpora

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROOT = Path(__file__).parents[3]
DRUGS = ("aldorine", "bexamol", "cortivane", "delpurin", "estavol")
OUTCOMES = ("mortality", "relapse", "pain")
DOMAINS = ("infection", "oncology")
FINDINGS = (
    "{drug} significantly reduced {outcome} compared with placebo (hazard ratio 0.6{n}, p<0.001)",
    "{drug} did not reduce {outcome} compared with placebo (hazard ratio 1.0{n}, p=0.7)",
    "Treatment with {drug} increased {outcome} compared with placebo (hazard ratio 1.4{n}, p=0.01)",
)
TEXT = (
    "BACKGROUND: The role of {drug} is debated in this setting. METHODS: We randomised {size} {who} in "
    "{place} to {drug} or placebo. RESULTS: After {weeks} weeks, {finding}. CONCLUSIONS: {drug} {verdict} "
    "{outcome} in {who}."
)
WHO = ("adults", "children", "elderly women", "men")
PLACES = ("Norway", "Kenya", "Japan")
VERDICTS = ("reduces", "does not reduce", "increases")
HEARSAY = "aldorine"
"""The scripted model has no usable answer about pairs of this drug, where it is told to fail."""
DIMENSIONS = 64
MINING = Mining(per_article=6)
"""So that a few articles give enough pairs for three queues."""


def document(n: int) -> Document:
    which = n % len(FINDINGS)
    words = {
        "drug": DRUGS[(n // 3) % len(DRUGS)],
        "outcome": OUTCOMES[(n // 15) % len(OUTCOMES)],
        "n": n % 10,
        "size": 100 + 7 * n,
        "who": WHO[n % len(WHO)],
        "place": PLACES[(n // 2) % len(PLACES)],
        "weeks": 4 + n % 9,
    }
    finding = FINDINGS[which].format(**words)
    text = TEXT.format(**words, finding=finding, verdict=VERDICTS[which])
    meta: dict[str, Any] = {
        "domain": DOMAINS[n % len(DOMAINS)],
        "year": 2000 + n % 20,
        "journal": f"Journal {n % 4}",
        "doi": f"10.1234/lab.{n}",
    }
    return Document(f"art{n:04}", text, title=f"{words['drug']} in {words['who']}", meta=meta)


def fill(workspace: Workspace, articles: int, *, confidential: bool = False) -> None:
    """Corpus `c` with so many articles, and three more that leave: one too short, one of a DOI that came, one
    of a text that came."""
    again = document(0)
    others = [
        Document("short", "Too short."),
        Document("same-doi", f"{again.text} A second version.", meta=dict(again.meta)),
        Document("same-text", again.text, meta={"domain": DOMAINS[0]}),
    ]
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "c", confidential=confidential)
        for _ in corpora.insert_passages(db, corpus, [*map(document, range(articles)), *others]):
            pass


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """In place of the encoder, which takes seconds to load: a bag of words, hashed, as unit rows."""
    import numpy as np

    rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().split():
            row[int(hashlib.sha256(word.encode()).hexdigest()[:8], 16) % DIMENSIONS] += 1
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def endpoint(url: str, **settings: Any) -> Endpoint:
    return Endpoint(url, "scripted", **{"concurrency": 8, "backoff": 0.05, **settings})


def label(workspace: Workspace, url: str = "", **options: Any) -> ConflictsReport:
    """A run `r` of all stages that asks the scripted model at `url`, offline without one."""
    chosen: dict[str, Any] = {
        "corpus": "c",
        "run": "r",
        "endpoint": endpoint(url) if url else None,
        "offline": not url,
        "mining": MINING,
        **options,
    }
    told = {name: chosen.pop(name) for name in ("embed", "progress", "announce") if name in chosen}
    return run_conflicts(workspace, ConflictsSettings(**chosen), **{"embed": embed, **told})


def data_of(body: dict[str, Any]) -> Any:
    """The data of a request, as every prompt puts it between its marks."""
    content = body["messages"][1]["content"]
    return json.loads(content.rsplit("<data>", 1)[1].split("</data>")[0])


def scripted(body: dict[str, Any]) -> str:
    """What the scripted model writes: a contextual contradiction where one claim denies what the other says,
    for which it names the people; of claims that speak of relapse an axis off the schema."""
    data = data_of(body)
    a, b = data["a"]["claim"], data["b"]["claim"]
    opposed = any(("not" in x) != ("not" in y) for x, y in ((a.split(), b.split()),))
    odd = "relapse" in a or "relapse" in b
    axes = ["population_cohort", *(["phase of the moon"] if odd else [])]
    return json.dumps(
        {
            "comparable": True,
            "evidence_a": [{"quote": a[:40], "role": "finding"}],
            "evidence_b": [{"quote": b[:40], "role": "finding"}],
            "conflict_type": "contextual_contradiction" if opposed else "no_conflict",
            "divergence_axes": axes if opposed else [],
            "dominant_confounder": "population_cohort" if opposed else None,
            "reconciliation": "Scripted: the people differ.",
            "confidence": 0.75,
            "notes": "",
        }
    )


def fails_about(drug: str) -> Any:
    """The scripted model, without a usable answer about this drug."""

    def answer(body: dict[str, Any]) -> str:
        data = data_of(body)
        return "I would rather not say." if drug in json.dumps(data).lower() else scripted(body)

    return answer


def said(workspace: Workspace, run: str = "r") -> list[list[tuple[Any, ...]]]:
    """All that a run says, in words that outlive row numbers: claims, pairs, labels, evidence."""
    queries = (
        "SELECT c.claim_id, p.doc_id, t.sha256, c.domain, c.start, c.end, c.type, c.confidence, c.section,"
        " c.direction, c.negated, c.entities, c.slots, c.cues FROM claims c JOIN passages p"
        " ON p.id = c.passage_id JOIN texts t ON t.id = c.text_id WHERE c.run_id = ? ORDER BY c.id",
        "SELECT i.subject, p.domain, p.sim, p.dis, p.ent, p.type, p.year, p.score, p.signals, p.tier"
        " FROM pairs p JOIN items i ON i.id = p.item_id WHERE p.run_id = ? ORDER BY p.id",
        "SELECT i.subject, l.origin, l.annotator, l.answer, l.confidence, l.reason, l.repaired, l.repairs,"
        " l.grounded FROM proposals l JOIN items i ON i.id = l.item_id WHERE l.run_id = ?"
        " ORDER BY i.subject, l.origin",
        "SELECT i.subject, l.origin, e.position, e.side, e.level, e.role, e.quote, e.start, e.end"
        " FROM evidence e JOIN proposals l ON l.id = e.proposal_id JOIN items i ON i.id = l.item_id"
        " WHERE l.run_id = ? ORDER BY i.subject, l.origin, e.position",
    )
    return [[tuple(row) for row in workspace.db.execute(query, (run,))] for query in queries]
