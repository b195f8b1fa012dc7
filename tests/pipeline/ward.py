"""A small world for runs: three concepts, short passages, an index of exact names, and a scripted model.

The scripted model is no model: it answers every stage from the words of its data, always the same way.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.concepts import STAGES
from core.llm import Endpoint
from core.pipeline import ConceptsSettings, RunReport, run_concepts
from core.records import Concept, Document, Ontology, Synonym
from core.store import Workspace, corpora, guidelines, ontologies

ROOT = Path(__file__).parents[2]
CONCEPTS = (
    Concept("X:1", "Phenotype"),
    Concept("X:2", "Seizure", synonyms=(Synonym("Epileptic fit", "EXACT"),), parents=("X:1",)),
    Concept("X:3", "Ataxia", parents=("X:1",)),
    Concept("X:4", "Headache", parents=("X:1",)),
)
NAMES = {"seizure": "X:2", "ataxia": "X:3", "headache": "X:4"}
TEXTS = (
    "A seizure was seen on day {n}. There was no ataxia on day {n}.",
    "Ataxia was noted at visit {n}. Headache is known since visit {n}.",
    "Nothing of note at visit {n}.",
    "Hearsay in note {n}: a seizure.",
)
EXPECTED = ({"X:2": "affirmed", "X:3": "negated"}, {"X:3": "affirmed"}, {}, {})
"""What a run of all stages proposes on passage n, by n % 4: headache is never relevant to this model, and
hearsay is rated poor."""


def fill(workspace: Workspace, passages: int, *, confidential: bool = False) -> None:
    """Ontology `toy`, corpus `c` with documents d0, d1..., and a guideline for `hpa`."""
    ontologies.add_ontology(workspace, Ontology("toy", "1", "X:1", "0" * 64, CONCEPTS))
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "c", confidential=confidential)
        documents = (Document(f"d{n}", TEXTS[n % 4].format(n=n)) for n in range(passages))
        for _ in corpora.insert_passages(db, corpus, documents):
            pass
        guidelines.add_guideline(db, "hpa", "1. Keep what the passage names.", origin="person")


def expected(passages: int) -> dict[str, dict[str, str]]:
    return {f"d{n}": EXPECTED[n % 4] for n in range(passages)}


@dataclass(frozen=True)
class Hit:
    concept: str
    name: str
    score: float


class ExactNames:
    """In place of the encoder's index, which takes seconds to load: s is 1 for the very name, else 0.2."""

    def nearest(self, names: Sequence[str], k: int = 1) -> list[list[Hit]]:
        return [[Hit(NAMES.get(n.lower(), "X:2"), n, 1.0 if n.lower() in NAMES else 0.2)][:k] for n in names]


def endpoint(url: str, **settings: Any) -> Endpoint:
    return Endpoint(url, "scripted", **{"concurrency": 8, "backoff": 0.05, **settings})


def label(workspace: Workspace, url: str, **options: Any) -> RunReport:
    """A run `r` of all stages that asks the scripted model at `url`."""
    chosen: dict[str, Any] = {
        "endpoint": endpoint(url) if url else None,
        "run": "r",
        "stages": STAGES,
        "profile": "hpa",
        "root": "X:1",
        **options,
    }
    chosen.setdefault("corpus", "c")
    told = {name: chosen.pop(name) for name in ("progress", "announce") if name in chosen}
    settings = ConceptsSettings(ontology="toy", **chosen)
    return run_concepts(workspace, settings, matcher=ExactNames(), **told)


def data_of(body: dict[str, Any]) -> Any:
    """The data of a request, as every prompt puts it between its marks."""
    content = body["messages"][1]["content"]
    return json.loads(content.rsplit("<data>", 1)[1].split("</data>")[0])


def asked_for(body: dict[str, Any]) -> str:
    """The reply that a request asks for, such as `Claims`."""
    return str(body["response_format"]["json_schema"]["name"])


def scripted(body: dict[str, Any]) -> str:
    """What the scripted model writes."""
    data = data_of(body)
    return json.dumps(_ANSWERS[asked_for(body).rstrip("234")](data))


def _sentences(text: str) -> list[str]:
    return [f"{part.strip()}." for part in text.split(".") if part.strip()]


def _claims(data: Any) -> Any:
    return {"claims": [{"claim": s, "confidence": 0.9} for s in _sentences(data["passage"])]}


def _named(text: str) -> list[dict[str, str]]:
    status = "negated" if " no " in text else "affirmed"
    return [{"name": name, "status": status} for name in NAMES if name in text.lower()]


def _names(data: Any) -> Any:
    rows = [(s["number"], found) for s in data["statements"] for found in _named(s["statement"])]
    return {"concepts": [{"claim": number, **found} for number, found in rows]}


def _direct(data: Any) -> Any:
    return {"concepts": [found for s in _sentences(data["passage"]) for found in _named(s)]}


def _ids(data: Any) -> list[str]:
    return [row["id"] for row in data["concepts"]]


def _classes(data: Any) -> Any:
    return {
        "concepts": [
            {
                "id": concept,
                "class": "not_relevant" if concept == "X:4" else "explicit",
                "assertion": "negated" if concept == "X:3" and "no ataxia" in data["passage"] else "affirmed",
                "quote": "",
                "reason": "scripted",
            }
            for concept in _ids(data)
        ]
    }


def _relabelled(data: Any) -> Any:
    said = {"explicit": [{"id": concept, "quote": ""} for concept in _ids(data)]}
    empty: dict[str, Any] = {"implicit": [], "missing": [], "additional": []}
    return {"explanation": "scripted", **said, **empty, "quality": "good"}


def _decided(data: Any) -> Any:
    return {"concepts": [{"id": c, "decision": "keep", "reason": "scripted"} for c in _ids(data)]}


def _rated(data: Any) -> Any:
    return {"explanation": "scripted", "quality": "poor" if "Hearsay" in data["passage"] else "good"}


_ANSWERS = {
    "Claims": _claims,
    "Names": _names,
    "DirectNames": _direct,
    "Classification": _classes,
    "Relabelled": _relabelled,
    "Decisions": _decided,
    "Rating": _rated,
}
