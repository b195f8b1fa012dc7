"""The stages against a real HTTP server with answers that were written by hand: no model made any of them.

Tools stand on the demonstration ontology, the real dictionary matcher and the real encoder.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from core.concepts.lexicon import Lexicon
from core.concepts.profile import Profile, load_profile
from core.concepts.tools import Tools
from core.encode import Encoder, Match, NameIndex
from core.llm import Asker, Endpoint
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Call, Candidate, Labelling, Ontology, Passage, StageRecord, StoredCall, Verdict
from tests.llm.server import Server, scripted_server

ROOT = "HP:0000118"
SEIZURE, FEBRILE, FOCAL = "HP:0001250", "HP:0002373", "HP:0007359"
HEARING, SENSORINEURAL = "HP:0000365", "HP:0000407"
MICROCEPHALY, ATAXIA, CATARACT = "HP:0000252", "HP:0001251", "HP:0000518"

Script = Callable[["Data"], Any]
"""From the data of a request to what the server says, an object or the words themselves."""
Stage = Callable[[Labelling, Tools], Awaitable[Labelling]]


class Data(dict[str, Any]):
    """The data of a request, with the words around it."""

    def __init__(self, data: dict[str, Any], prompt: str) -> None:
        super().__init__(data)
        self.prompt = prompt


@dataclass
class Shelf:
    """Calls by number, for as long as a test takes."""

    calls: list[Call] = field(default_factory=list)

    def find(self, key: str) -> StoredCall | None:
        for number, call in enumerate(self.calls, 1):
            if call.key == key and call.failure is None:
                return StoredCall(number, call)
        return None

    async def add(self, call: Call) -> int:
        self.calls.append(call)
        return len(self.calls)


@dataclass
class Scene:
    """One server, its tools, and what became of it all."""

    tools: Tools
    server: Server
    shelf: Shelf

    def ask(self, stage: Stage, labelling: Labelling, **changes: Any) -> Labelling:
        async def one() -> Labelling:
            asker = self.tools.asker
            assert asker is not None
            try:
                return await stage(labelling, replace(self.tools, **changes))
            finally:
                await asker.close()

        return asyncio.run(one())

    def data(self, number: int = 0) -> dict[str, Any]:
        """What stood as data in a request."""
        return data_of(self.server.requests[number].body)


@cache
def ontology() -> Ontology:
    return load(Path(__file__).parents[2] / "data/demo/hpo-demo.obo", name="hpo-demo", root=ROOT)


@cache
def index() -> NameIndex:
    return NameIndex.build(below(), Encoder(), "exact")


class Names:
    """The real index of names, built when the first name is looked up: most stages never do."""

    def nearest(self, names: Sequence[str], k: int = 1) -> list[list[Match]]:
        return list(index().nearest(names, k))


@cache
def below() -> tuple[Any, ...]:
    inside = Lineage.of(ontology()).descendants(ROOT)
    return tuple(concept for concept in ontology().concepts if concept.curie in inside)


@cache
def lexicon() -> Lexicon:
    return Lexicon.build(ontology().concepts, root=ROOT)


def profile(**changes: Any) -> Profile:
    """One claim in a call, unless a test says more: its answers are written claim by claim."""
    return load_profile("hpa").model_copy(update={"claims_per_call": 1} | changes)


@contextmanager
def scene(script: Script, **changes: Any) -> Iterator[Scene]:
    """Serve `script` and build the tools on it; `changes` go to `Tools`."""

    def answer(body: dict[str, Any]) -> Any:
        said = script(Data(data_of(body), body["messages"][1]["content"]))
        return json.dumps(said) if isinstance(said, dict) else said

    shelf = Shelf()
    with scripted_server(answer) as server:
        asker = Asker(Endpoint(server.url, "scripted"), shelf)
        tools = Tools(
            **{
                "profile": profile(),
                "concepts": below(),
                "lineage": Lineage.of(ontology()),
                "matcher": Names(),
                "lexicon": lexicon(),
                "threshold": 0.6,
                "asker": asker,
                **changes,
            }
        )
        yield Scene(tools, server, shelf)


def data_of(body: dict[str, Any]) -> dict[str, Any]:
    """The JSON object between the marks of the request."""
    for message in body["messages"]:
        found = re.search(r"<data>\n(.*)\n</data>", message["content"])
        if found and message["role"] == "user":
            return dict(json.loads(found.group(1)))
    raise AssertionError("the request holds no data")


def passage(text: str) -> Passage:
    return Passage(7, "demo", "demo-007", 70, text)


def labelled(text: str, *concepts: str, **changes: Any) -> Labelling:
    """A passage with candidates, as the first stage leaves them."""
    names = {concept.curie: concept.name for concept in below()}
    found = (
        Candidate(curie, names[curie], name=names[curie].lower(), score=1.0, **changes) for curie in concepts
    )
    return Labelling(passage(text), candidates=tuple(found))


def kept(labelling: Labelling) -> list[str]:
    return [candidate.concept for candidate in labelling.candidates]


def one(labelling: Labelling, concept: str) -> Candidate:
    return next(candidate for candidate in labelling.candidates if candidate.concept == concept)


def records(labelling: Labelling, verdict: Verdict) -> list[StageRecord]:
    return [record for record in labelling.records if record.verdict == verdict]
