"""The ablation with a model: a real HTTP server on this machine whose answers were written by hand. No model
made any of them."""

import json
import re

import pytest

from core.concepts.ablation import rows
from core.evaluate import score_ablation
from core.exchange import add_corpus, add_ontology
from core.llm import Endpoint
from core.pipeline import ConceptsSettings
from core.pipeline.ablation import ablate
from core.store import open_workspace
from tests.concepts.scripted import index
from tests.llm.server import scripted_server
from tests.pipeline.test_ablation import DEMO

S, A, C, H, M = "HP:0001250", "HP:0001251", "HP:0000518", "HP:0000365", "HP:0000252"
NAMES = {S: "Seizure", A: "Ataxia", C: "Cataract", H: "Hearing impairment", M: "Microcephaly"}
TEXTS = {
    "p1": ("He had seizures and ataxia.", [S, A]),
    "p2": ("She had a cataract.", [C]),
    "p3": ("Her hearing was impaired.", [H]),
    "p4": ("Both parents were well.", []),
}
FOUND = {"p1": [S, M], "p2": [C], "p3": [S], "p4": []}
"""What the script makes of a claim; of the passage itself it makes the same, but of p3 what is right."""
MODEL = "gpt-4o-mini"
PROMPT_TOKENS = 100
"""As the server counts them, whatever was asked; of the answer it counts words."""


class Script:
    """Answers by the form that is asked for: `failing` names a form and a passage that get no JSON."""

    def __init__(self, failing=()):
        self.failing = failing
        self.asked = []
        """(form, passage, words of the answer)"""

    def __call__(self, body):
        form = body["response_format"]["json_schema"]["name"]
        data = json.loads(re.search(r"<data>\n(.*)\n</data>", body["messages"][-1]["content"]).group(1))
        text = data.get("passage") or data["statements"][0]["statement"]
        passage = next(name for name, (known, _) in TEXTS.items() if known == text)
        concepts = [one["id"] for one in data.get("concepts", ())]
        said = "Sorry." if (form, passage) == self.failing else json.dumps(self.say(form, passage, concepts))
        self.asked.append((form, passage, len(said.split())))
        return said

    def say(self, form, passage, concepts):
        match form:
            case "Claims":
                return {"claims": [{"claim": TEXTS[passage][0], "confidence": 0.9}]}
            case "Names":
                return {"concepts": [{"claim": 1, "name": NAMES[c], "status": ""} for c in FOUND[passage]]}
            case "DirectNames":
                found = [H] if passage == "p3" else FOUND[passage]
                return {"concepts": [{"name": NAMES[c], "status": ""} for c in found]}
            case "Classification4":
                return {"concepts": [self.classified(c) for c in concepts]}
            case "Relabelled":
                wrong = [c for c in concepts if c == S and passage != "p1"]
                new = [{"name": "Ataxia", "quote": "ataxia", "status": "affirmed"}] if passage == "p1" else []
                return {
                    "explanation": "",
                    "explicit": [{"id": c, "quote": ""} for c in concepts if c not in wrong],
                    "implicit": [],
                    "missing": [{"id": c, "reason": ""} for c in wrong],
                    "additional": new,
                    "quality": "good",
                }
            case "Rating":
                return {"explanation": "", "quality": "poor" if passage == "p3" else "good"}
        raise AssertionError(form)

    def classified(self, concept):
        kind = "not_relevant" if concept == M else "explicit"
        return {"id": concept, "class": kind, "assertion": "affirmed", "quote": "", "reason": ""}

    def calls(self, form):
        return [passage for asked, passage, _ in self.asked if asked == form]

    def price(self, *forms):
        """US dollars by the list price of the model: 0.15 and 0.60 per million tokens."""
        words = [n for form, _, n in self.asked if form in forms]
        return (0.15 * PROMPT_TOKENS * len(words) + 0.6 * sum(words)) / 1e6


def fill(workspace, folder):
    documents = [
        {
            "doc_id": doc_id,
            "text": text,
            "annotations": [
                {
                    "concept_id": c,
                    "label": NAMES[c],
                    "assertion_status": "affirmed",
                    "text_span": None,
                    "start_offset": None,
                    "end_offset": None,
                }
                for c in concepts
            ],
        }
        for doc_id, (text, concepts) in TEXTS.items()
    ]
    metadata = {
        "dataset_id": "four",
        "version": "1",
        "language": "en",
        "document_type": "passage",
        "is_exhaustively_annotated": True,
    }
    path = folder / "four.json"
    path.write_text(json.dumps({"metadata": metadata, "documents": documents}), "utf-8")
    add_ontology(workspace, str(DEMO / "hpo-demo.obo"), name="hpo-demo")
    add_corpus(workspace, path, name="four")


def ask(workspace, url, **options):
    endpoint = Endpoint(url, MODEL, retries=0)
    told = {name: options.pop(name) for name in ("announce", "progress") if name in options}
    settings = ConceptsSettings(
        corpus="four", ontology="hpo-demo", profile="hpa", endpoint=endpoint, **options
    )
    return ablate(workspace, settings, matcher=index(), **told)


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A finished ablation: (workspace, script, server, what was made, what was announced)"""
    folder = tmp_path_factory.mktemp("asked")
    script = Script()
    with scripted_server(script) as server, open_workspace(folder / "four.db") as workspace:
        fill(workspace, folder)
        told = []
        yield workspace, script, server, ask(workspace, server.url, announce=told.append), told


@pytest.fixture(scope="module")
def scored(scene):
    workspace, _, _, made, _ = scene
    return score_ablation(workspace, made.rows, "imported:four@1")


def counts(scored):
    return {
        (line.row.key, line.passages): (t.documents, t.tp, t.fp, t.fn)
        for line in scored.lines
        for t in (line.evaluation.families["corpus"].totals,)
    }


def test_every_row_has_the_labels_that_the_script_leads_to(scene, scored):
    assert [row for row, _ in scene[3].rows] == list(rows(guideline=False))
    assert counts(scored) == {
        ("generate", "all"): (4, 2, 2, 2),  # p1 S M, p2 C, p3 S
        ("generate-classify", "all"): (4, 2, 1, 2),  # p1 S, p2 C, p3 S
        ("generate-relabel", "all"): (4, 3, 1, 1),  # p1 S M A, p2 C
        ("generate-select", "retained"): (3, 2, 1, 1),  # p3 is rated poor
        ("generate-select", "all"): (4, 2, 1, 2),
        ("generate-classify-relabel", "all"): (4, 3, 0, 1),  # p1 S A, p2 C
        ("generate-classify-relabel-select", "retained"): (4, 3, 0, 1),  # nothing is left of p3 to be rated
        ("generate-classify-relabel-select", "all"): (4, 3, 0, 1),
        ("generate-direct", "all"): (4, 3, 1, 1),  # p1 S M, p2 C, p3 H
    }


def test_the_cost_of_all_rows_is_told_once_before_they_start(scene):
    (told,) = scene[4]
    assert told.startswith("All 7 rows together, on 4 passages: about ")


def test_no_question_is_asked_twice(scene):
    bodies = [json.dumps(request.body, sort_keys=True) for request in scene[2].requests]
    assert len(bodies) == len(set(bodies))
    assert sorted(scene[1].calls("Claims")) == ["p1", "p2", "p3", "p4"]
    assert sorted(scene[1].calls("Classification4")) == ["p1", "p2", "p3"]


def test_the_same_call_again_asks_nothing(scene):
    workspace, _, server, made, _ = scene
    before = len(server.requests)
    told = []
    assert ask(workspace, server.url, announce=told.append).rows == made.rows
    assert (len(server.requests), told) == (before, [])


def test_every_stage_has_its_price_and_time_per_passage(scene, scored):
    script = scene[1]
    costs = {cost.stage: cost for cost in scored.costs}
    assert list(costs) == ["generate", "classify", "relabel", "select"]
    assert costs["generate"][2:4] == (4, 2.0)
    assert costs["generate"].price == pytest.approx(script.price("Claims", "Names") / 4)
    assert costs["classify"][2:4] == (3, 1.0)
    assert costs["classify"].price == pytest.approx(script.price("Classification4") / 3)
    assert all(cost.seconds > 0 for cost in costs.values())
    everything = {form for form, _, _ in script.asked}
    assert scored.paid == pytest.approx(script.price(*everything))


def test_a_failed_passage_is_an_empty_prediction(workspace, tmp_path):
    fill(workspace, tmp_path)
    with scripted_server(Script(failing=("Classification4", "p2"))) as server:
        made = ask(workspace, server.url)
    found = score_ablation(workspace, made.rows, "imported:four@1")
    failed = {(line.row.key, line.passages): line.failed for line in found.lines}
    assert failed["generate", "all"] == 0
    assert failed["generate-classify", "all"] == 1
    assert failed["generate-classify-relabel-select", "retained"] == 0
    assert counts(found)["generate-classify", "all"] == (4, 1, 1, 3)
    assert counts(found)["generate-classify-relabel-select", "retained"][0] == 3


def test_the_ceiling_is_for_all_rows_together(workspace, tmp_path):
    fill(workspace, tmp_path)
    script = Script()
    with scripted_server(script) as server:
        with pytest.raises(KeyboardInterrupt):
            ask(workspace, server.url, progress=stop_at_the_end_of_a_row)
        assert {form for form, _, _ in script.asked} == {"Claims", "Names"}
        stopped = ask(workspace, server.url, ceiling=script.price("Claims", "Names"))
        assert [row.key for row, _ in stopped.rows] == ["generate"]
        assert stopped.unfinished.run.endswith("generate-classify")
        assert stopped.unfinished.spent == 0
        assert {form for form, _, _ in script.asked} == {"Claims", "Names"}
        assert ask(workspace, server.url).unfinished is None
        assert len(script.calls("Claims")) == 4


def stop_at_the_end_of_a_row(row, done, total):
    if done == total:
        raise KeyboardInterrupt
