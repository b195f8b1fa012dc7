"""The inputs of a comparison, made once: a workspace of the first checkout, and small files.

The files are written by hand here, or are the demo's with labels changed by rule; none is for measuring.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from verbs import done

ONTOLOGY = "hpo-demo"
RUN, COPY, STAGED, PAIRS, MINED = "lexicon", "copy", "staged", "demo-pairs", "mined"
"""Runs: of the annotator, the same brought in again, of five stages, of pairs by hand, of pairs mined."""
BACKUP = "workspace.backup.db"
TRAINING_DOCUMENTS, REVIEWED_DOCUMENTS = 12, 24
TOKENS = "skin tumour is not rickets . lupus here now\nold rickets and skin tumour"
GOLD_TAGS = "B-Disease I-Disease O O B-Disease O B-Disease O O\nO B-Disease O B-Disease I-Disease"
SAID_TAGS = "B-Disease I-Disease O O B-Disease O O O B-Disease\nB-Disease I-Disease O B-Disease O"
CONCEPTS = "D1 - - - D2 - D3 - -\n- D2 - D1 -"
SIMILAR = """first,second,same
HP:0001250,HP:0007359,yes
HP:0001250,HP:0002373,yes
HP:0001252,HP:0001257,no
HP:0000750,HP:0001263,yes
HP:0001250,HP:0001263,no
HP:0001257,HP:0000750,no
"""
LINKS = [  # mention, document, gold, prediction
    ("m1", "d1", "NIL", "NIL"),
    ("m2", "d1", "NIL", "HP:0001250"),
    ("m3", "d2", "HP:0001250", "HP:0001250"),
    ("m4", "d2", "HP:0001252", "HP:0001257"),
    ("m5", "d3", "HP:0001257", None),
    ("m6", "d3", "HP:9999999", "NIL"),
]
GOLD_EDGES = [
    {"metadata": {"edges": 40}},
    {"mention_id": "m1", "doc_id": "d1", "edges": [{"parent": "X:1", "child": "X:2"}]},
    {"mention_id": "m1", "doc_id": "d1", "edges": [{"parent": "X:1", "child": None}]},
    {"mention_id": "m2", "doc_id": "d2", "edges": [{"parent": "X:1", "child": "X:2"}]},
    {"mention_id": "m3", "doc_id": "d2", "edges": []},
]
SAID_EDGES = [
    {
        "mention_id": "m1",
        "edges": [
            {"parent": "X:1", "child": "X:3", "score": 0.9},
            {"parent": "X:1", "child": "X:2", "score": 0.5},
            {"parent": "X:1", "child": None, "score": 0.5},
        ],
    },
    {"mention_id": "m2", "edges": [{"parent": "X:2", "child": "X:3", "score": 0.2}]},
]
TYPES = ("no_conflict", "direct_contradiction", "contextual_contradiction")


def make(folder: Path, checkout: Path, *, whole: bool) -> None:
    """Write all inputs into a folder.

    Args:
        checkout: whose demo data and verbs are used.
        whole: with the two runs that need the sentence encoder, which takes ten seconds more.
    """
    demo = checkout / "data" / "demo"
    for name in ("passages.json", "abstracts.json", "abstract_pairs.jsonl", "hpo-demo.obo"):
        shutil.copyfile(demo / name, folder / name)
    workspace = folder / "made.db"
    _fill(workspace, folder, whole=whole)
    _write_files(folder)
    done(workspace, "decisions", "add", folder / "decisions.jsonl")
    done(workspace, "backup", folder / BACKUP)


def fill_from_files(folder: Path) -> Iterator[tuple[object, ...]]:
    """The words of the verbs that build a workspace from the demo's files, one after the other."""
    training = folder / "training.json"
    yield "ontology", "add", folder / "hpo-demo.obo", "--name", ONTOLOGY
    yield "corpus", "add", folder / "passages.json", "--name", "demo", "--domain", "clinical passages"
    yield "corpus", "add", folder / "abstracts.json", "--name", "abstracts"
    yield "corpus", "add", training, "--name", "train"
    yield "annotate", "--corpus", "demo", "--ontology", ONTOLOGY, "--run", RUN
    yield (
        *("proposals", "add", folder / "abstract_pairs.jsonl", "--run", PAIRS),
        *("--source", "by hand", "--corpus", "abstracts"),
    )


def bring_in_again(folder: Path) -> tuple[object, ...]:
    """The words of the verb that takes what one run proposed for labels made elsewhere."""
    return (
        *("proposals", "add", folder / "silver.jsonl", "--run", COPY, "--source", "a copy"),
        *("--corpus", "demo", "--ontology", ONTOLOGY),
    )


def label_by_stages() -> Iterator[tuple[object, ...]]:
    """The words of the verbs that label by all stages, offline; they need the sentence encoder."""
    profile = ("--ontology", ONTOLOGY, "--profile", "hpa")
    yield "run", "concepts", "--corpus", "demo", *profile, "--offline", "--run", STAGED
    yield "run", "conflicts", "--corpus", "abstracts", "--offline", "--run", MINED


def _fill(workspace: Path, folder: Path, *, whole: bool) -> None:
    document = json.loads((folder / "passages.json").read_text("utf-8"))
    document["documents"] = document["documents"][:TRAINING_DOCUMENTS]
    for row in document["documents"]:
        row["doc_id"] = f"train-{row['doc_id']}"
    (folder / "training.json").write_text(json.dumps(document), "utf-8")
    for words in fill_from_files(folder):
        done(workspace, *words)
    done(workspace, "export", "proposals", "--run", RUN, "--out", folder / "silver.jsonl")
    done(workspace, "export", "proposals", "--run", PAIRS, "--out", folder / "pairs.jsonl")
    for words in (bring_in_again(folder), *(label_by_stages() if whole else ())):
        done(workspace, *words)


def _write_files(folder: Path) -> None:
    silver = [row for row in _read(folder / "silver.jsonl") if "doc_id" in row]
    pairs = _read(folder / "pairs.jsonl")
    gold = json.loads((folder / "passages.json").read_text("utf-8"))["documents"]
    _write(folder / "decisions.jsonl", _decisions(silver, gold, pairs))
    _write(folder / "pairs_said.jsonl", map(_changed, range(len(pairs)), pairs))
    tokens = [line.split() for line in TOKENS.splitlines()]
    columns = {"tags_gold": GOLD_TAGS, "tags_said": SAID_TAGS, "tags_ids": CONCEPTS}
    for name, text in columns.items():
        values = [line.split() for line in text.splitlines()]
        sentences = [
            "".join(f"{token} {value}\n" for token, value in zip(*both, strict=True))
            for both in zip(tokens, values, strict=True)
        ]
        (folder / f"{name}.txt").write_text("\n".join(sentences), "utf-8")
    (folder / "known_names.txt").write_text("Skin-Tumour\nsomething\n", "utf-8")
    (folder / "known_ids.txt").write_text("D1\nD2|D9\n", "utf-8")
    (folder / "similar.csv").write_text(SIMILAR, "utf-8")
    _write(
        folder / "links_gold.jsonl", ({"mention_id": m, "doc_id": d, "concept_id": g} for m, d, g, _ in LINKS)
    )
    _write(folder / "links_said.jsonl", ({"mention_id": m, "concept_id": p} for m, _, _, p in LINKS))
    _write(folder / "edges_gold.jsonl", GOLD_EDGES)
    _write(folder / "edges_said.jsonl", SAID_EDGES)
    concepts = sorted({a["concept_id"] for row in (*silver, *gold) for a in row["annotations"]})
    tree = {concept: [i % 3, i % 5, i] for i, concept in enumerate(concepts)}
    (folder / "tree.json").write_text(json.dumps(tree), "utf-8")
    _write(folder / "indices.jsonl", _indices(silver, tree))


def _indices(silver: list[dict[str, Any]], tree: dict[str, list[int]]) -> Iterator[dict[str, Any]]:
    """What a recogniser of label trees might generate: the silver's leaves, every fourth cut off above it."""
    for row in silver:
        said = sorted({a["concept_id"] for a in row["annotations"]})
        yield {
            "doc_id": row["doc_id"],
            "indices": [tree[c][: 2 if i % 4 == 3 else 3] for i, c in enumerate(said)],
        }


def _changed(number: int, pair: dict[str, Any]) -> dict[str, Any]:
    """A pair with another label, by rule: every third type, every second list of axes, and words."""
    said = dict(pair)
    if number % 3 == 0:
        said["conflict_type"] = TYPES[number % len(TYPES)]
    if number % 2 == 0:
        said["divergence_axes"] = pair["divergence_axes"][:1]
        said["evidence_spans"] = pair["evidence_spans"][:1]
    if said["conflict_type"] == "no_conflict":
        said["divergence_axes"] = []
    if said["dominant_confounder"] not in said["divergence_axes"]:
        said["dominant_confounder"] = None
    said["reconciliation"] = pair["reconciliation"].rpartition(",")[0] or pair["reconciliation"]
    return said


def _decisions(
    silver: list[dict[str, Any]], gold: list[dict[str, Any]], pairs: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """A log of two curators who decide by rule, differently, on concepts and on pairs."""
    found = [*_on_concepts(silver, gold), *_on_pairs(pairs)]
    for number, row in enumerate(found, 1):
        yield {
            "number": number,
            "answer": None,
            "note": None,
            "undoes": number - 1 if row["action"] == "undo" else None,
            "blind": number % 5 == 0,
            "milliseconds": 1000 + number,
            "decided_at": f"2001-02-03T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}+00:00",
            "guideline_revision": None,
            "base": f"item:{number}",
            "client_id": f"{row['curator']}-{number}",
            "link": "",
            **row,
        }


def _on_concepts(silver: list[dict[str, Any]], gold: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    right = {row["doc_id"]: row["annotations"] for row in gold}
    for curator, documents in (("ada", REVIEWED_DOCUMENTS), ("ben", REVIEWED_DOCUMENTS * 2 // 3)):
        for place, row in enumerate(silver[:documents]):
            held = {a["concept_id"]: a for a in row["annotations"]}
            of = {"corpus": "demo", "doc_id": row["doc_id"], "curator": curator}
            for i, (concept, said) in enumerate(held.items()):
                yield from _judged({**of, "concept": concept}, said, place + i + (curator == "ben") * (i % 2))
            for said in {a["concept_id"]: a for a in right[row["doc_id"]]}.values():
                if said["concept_id"] not in held and curator == "ada":
                    added = {**of, "concept": said["concept_id"]}
                    yield {**added, "action": "add", "answer": _answer(said, said["assertion_status"])}
            if place % 4:
                yield {**of, "concept": None, "action": "close"}
            if place % 8 == 7:
                yield {**of, "concept": None, "action": "reopen"}


def _judged(of: dict[str, Any], said: dict[str, Any], turn: int) -> Iterator[dict[str, Any]]:
    action = ("accept", "reject", "accept", "fix", "unsure", "accept", "accept")[turn % 7]
    status = "negated" if action == "fix" else said["assertion_status"]
    yield {**of, "action": action, "answer": _answer(said, status) if action in ("accept", "fix") else None}
    if turn % 7 == 5:
        yield {**of, "action": "undo"}
    if turn % 7 == 6:
        yield {**of, "action": "note", "note": "Seen twice."}


def _answer(said: dict[str, Any], status: str) -> dict[str, Any]:
    start, end, quote = (said.get(k) for k in ("start_offset", "end_offset", "text_span"))
    return {
        "concept": said["concept_id"],
        "label": said["label"],
        "assertion": status,
        "class": said.get("class") or "explicit",
        "spans": [] if start is None else [[start, end, quote]],
    }


def _on_pairs(pairs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for curator, most in (("ada", 10), ("ben", 8)):
        for place, pair in enumerate(pairs[:most]):
            turn = place + (curator == "ben" and place % 4 == 1)
            plain = turn % 3 > 0 or pair["conflict_type"] == "no_conflict"
            of = {
                "corpus": "abstracts",
                "doc_id": pair["claim_a_article_uid"],
                "concept": pair["pair_id"],
                "curator": curator,
            }
            answer = {
                "pair": pair["pair_id"],
                "comparable": pair["comparable"],
                "conflict_type": pair["conflict_type"] if plain else "direct_contradiction",
                "axes": pair["divergence_axes"] if plain else [],
                "confounder": pair["dominant_confounder"] if plain else None,
                "reconciliation": pair["reconciliation"],
                "spans_a": [],
                "spans_b": [],
            }
            action = ("fix", "accept", "accept", "reject", "accept", "unsure")[turn % 6]
            yield {**of, "action": action, "answer": answer if action in ("accept", "fix") else None}


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
