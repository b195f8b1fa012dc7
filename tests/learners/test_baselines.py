"""Dictionary baselines: what they match by hand, and the row of NCBI-disease."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from core.formats.conll import mentions_of, read_tokens, text_of
from core.learners.baselines import Dictionary, Name
from core.metrics.mem_syn_con import Training, partition, score
from core.metrics.mentions import Occurrence

NAMES = [
    Name("ataxia", "X:1"),
    Name("ataxia telangiectasia", "X:2"),
    Name("A-T", "X:2"),
    Name("tumour", "X:3"),
]


def said(text: str, *, exact: bool = False, names: list[Name] = NAMES) -> list[tuple[str, str | None]]:
    return [(text[f.start : f.end], f.concept) for f in Dictionary(names, exact=exact).find(text)]


def test_the_longest_match_from_left_to_right() -> None:
    assert said("An ataxia telangiectasia, ataxia and Tumour (A-T).") == [
        ("ataxia telangiectasia", "X:2"),
        ("ataxia", "X:1"),
        ("Tumour", "X:3"),
        ("A-T", "X:2"),
    ]


def test_case_counts_where_it_is_asked_for() -> None:
    assert said("Tumour, tumour, a-t", exact=True) == [("tumour", "X:3")]


def test_whole_words_alone() -> None:
    assert said("tumours of subataxia") == []


def test_no_match_begins_or_ends_in_punctuation() -> None:
    assert said("of (ataxia)", names=[Name("(ataxia)", "X:1"), Name("-")]) == [("ataxia", "X:1")]


def test_a_name_of_several_concepts_says_the_one_that_bears_it_most_often() -> None:
    names = [
        Name("cold", "X:9"),
        Name("Cold", "X:1"),
        Name("cold", "X:1"),
        Name("flu", "X:2"),
        Name("flu", "X:1"),
    ]
    assert said("cold flu", names=names) == [("cold", "X:1"), ("flu", "X:1")]


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("exact", "expected"),
    [(False, (56.1, 62.1, 58.9, 99.5, 0, 0)), (True, (78.8, 61.4, 69.0, 98.3, 0, 0))],
)
def test_dict_train_on_ncbi_disease(shared_data: Path, exact: bool, expected: tuple[float, ...]) -> None:
    """Both rows as they were measured when the corpus came in; paper 002 prints 52.7, 55.4, 54.0 and 88.8."""
    folder = shared_data / "bioner" / "NCBI-disease"
    train, test, cells = (read_tokens(folder / f"{name}.txt.gz") for name in ("train", "test", "test_cuis"))
    learned = [Name(m.text) for d in train.documents.values() for m in mentions_of(train.name, d)]
    dictionary = Dictionary(learned, exact=exact)
    gold, found = [], []
    for name, document in test.documents.items():
        ids = [row.value for sentence in cells.documents[name] for row in sentence]
        marked = mentions_of(test.name, document)
        gold += [Occurrence(name, m.start, m.end, "", m.text, (ids[m.first],)) for m in marked]
        text = text_of(document)
        found += [Occurrence(name, f.start, f.end, "", text[f.start : f.end]) for f in dictionary.find(text)]
    lists = (folder / f"{name}_dictionary.txt.gz" for name in ("mention", "cui"))
    seen = Training.of(*(gzip.decompress(path.read_bytes()).decode().split("\n") for path in lists))
    values = score(partition(gold, found, seen)).estimates
    names = ("precision", "recall", "f1", "recall:MEM", "recall:SYN", "recall:CON")
    assert tuple(round(100 * values[name].value, 1) for name in names) == expected
