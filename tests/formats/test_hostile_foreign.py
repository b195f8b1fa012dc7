"""Files of other annotators, damaged or made to harm: each fault is a sentence, none a traceback."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import suppress
from typing import Any

import pytest

from core.errors import InputError
from core.formats import Reading
from tests.formats.test_hostile_files import DAMAGES
from tests.formats.test_hostile_xml import DECLARED

TEXT = "Krampfanf\u00e4lle \U0001f600 und Fieber."
READING = Reading(texts={"a": TEXT, "1": TEXT}.get, named=lambda text: ["1"], keep_ungrounded=True)


def bioc(**passage: Any) -> dict[str, Any]:
    """A document of one passage with what PubTator 3 adds: keys of its own, relations without nodes."""
    found = {
        "id": "1",
        "infons": {"identifier": "HP:0001945", "type": "Phenotype", "valid": True},
        "text": "Fieber",
        "locations": [{"offset": 20, "length": 6}],
    }
    return {
        "_id": "1|None",
        "id": "1",
        "infons": {},
        "passages": [{"infons": {}, "offset": 0, "text": TEXT, "annotations": [found], **passage}],
        "relations": [{"id": "R1", "infons": {"score": "0.5", "type": "Cotreatment"}}],
        "pmid": 1,
    }


def xml(annotation: str = "", head: str = "", offset: str = "0") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<collection><source>s</source><date/><key/>'
        f"<document><id>1</id><passage><offset>{offset}</offset><text>{TEXT}</text>{annotation}</passage>"
        "</document></collection>"
    )


FILES = {
    "bioc": [json.dumps(bioc(), ensure_ascii=False), xml()],
    "phenopackets": [json.dumps({"id": "1", "phenotypicFeatures": [], "x": TEXT}, ensure_ascii=False)],
    "phentrieve": [
        json.dumps({"doc_id": "1", "document": {"hpo_terms": []}, "x": TEXT}, ensure_ascii=False),
        f"hpo_id,name,confidence,status\nHP:0001945,{TEXT} Fieber,0.5,affirmed\n",
    ],
    "fasthpocr": [f"[0:5]\tHP:1\t{TEXT} Fieber\tKramp"],
    "hi-ald": [json.dumps({"passage": TEXT, "HPA concepts": []}, ensure_ascii=False)],
}


@pytest.mark.parametrize("form", FILES)
def test_a_damaged_file_is_refused_in_a_sentence(write, read, form: str) -> None:
    for content in FILES[form]:
        assert read(write("a", content), form, READING).errors == []
        for damage, apply in DAMAGES.items():
            if form == "fasthpocr" and damage in ("empty", "white space"):
                continue  # a text in which nothing was found
            path = write("a", apply(content.encode()))
            with pytest.raises(InputError) as caught:
                read(path, form, READING)
            message = str(caught.value)
            assert message.startswith("a"), damage
            assert message.endswith("."), damage
            assert "\x00" not in message


VALUES: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x",
    [],
    {},
    [None],
    "\ud83d",
    float("nan"),
    {"a": {"b": 1}},
]


@pytest.mark.parametrize("one_by_one", [False, True])
def test_any_value_in_any_place_is_an_answer_or_a_fault(write, read, one_by_one: bool) -> None:
    """Every value of a small file in turn is something else."""
    reading = Reading(texts=READING.texts, named=READING.named, keep_ungrounded=True, one_by_one=one_by_one)
    term = {
        "hpo_id": "HP:1",
        "confidence": 0.5,
        "status": "affirmed",
        "source_chunk_ids": [1],
        "text_attributions": [{"chunk_id": 1, "start_char": 0, "matched_text_in_chunk": "Kramp"}],
    }
    chunk = {"chunk_id": 1, "text": TEXT, "start_char": 0}
    reference = {"id": "phentrieve", "reference": "#char=0,5", "description": "Kramp"}
    feature = {
        "type": {"id": "HP:1", "label": "x"},
        "excluded": False,
        "evidence": [{"reference": reference}],
    }
    files: dict[str, Any] = {
        "bioc": bioc(),
        "phenopackets": {"members": [{"id": "1", "subject": {"id": "1"}, "phenotypicFeatures": [feature]}]},
        "phentrieve": {"doc_id": "1", "processed_chunks": [chunk], "aggregated_hpo_terms": [term]},
        "hi-ald": {
            "passage": TEXT,
            "HPA concepts": [{"id": "HP_1", "name": "x", "classification": "explicit"}],
        },
    }
    tried = 0
    for form, value in files.items():
        assert read(write("a", json.dumps(value)), form, reading).errors == []
        for path in places(value):
            for other in VALUES:
                with suppress(InputError):
                    found = read(write("a", json.dumps(put(value, path, other))), form, reading)
                    assert all(error.cause for error in found.errors)
                tried += 1
    assert tried > 500


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, inner in items for found in places(inner, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], other)
    return copy


# --- BioC -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrapped", [lambda d: {"PubTator3": [d]}, lambda d: [{"documents": [d]}], lambda d: d]
)
def test_bioc_as_services_export_it(write, read, wrapped) -> None:
    found = read(write("a.bioc", json.dumps(wrapped(bioc()))))
    assert found.errors == []
    assert [(a.concept, a.span.quote) for a in found.documents[0].annotations] == [("HP:0001945", "Fieber")]
    assert found.notes.relations == 1
    assert found.notes.left_out == {"Infon 'valid'": 1}


@pytest.mark.parametrize("name", DECLARED)
def test_unsafe_declarations_are_refused(write, read, name: str) -> None:
    head = f"<!DOCTYPE collection [{DECLARED[name]}]>"
    with pytest.raises(InputError, match="unsafe XML"):
        read(write("a.bioc", xml("&x;", head)))


def test_the_document_type_alone_is_fine(write, read) -> None:
    found = read(write("a.bioc", xml(head='<!DOCTYPE collection SYSTEM "BioC.dtd">')))
    assert [d.text for d in found.documents] == [TEXT]


def test_a_bad_mention_is_one_of_its_document(write, read) -> None:
    good = (
        '<annotation id="1"><infon key="identifier">HP:1</infon>'
        '<location offset="20" length="6"/></annotation>'
    )
    for bad, cause in (
        (good.replace('"20"', '"19999999999"'), "locations[0].offset"),
        (good.replace('"20"', '"x"'), "locations[0].offset"),
        (good.replace('"6"', '"0"'), "locations[0].length"),
        (good.replace('length="6"', ""), "locations[0].length"),
        (good.replace("HP:1", "HP 1"), "no prefix"),
        (good.replace('"20"', '"90"'), "mark no part"),
    ):
        path = write("a.bioc", xml(bad + good))
        assert cause in str(read(path).errors[0])
        found = read(path, None, Reading(one_by_one=True))
        assert cause in str(found.errors[0])
        assert [[a.span.quote for a in d.annotations] for d in found.documents] == [["Fieber"]]


def test_passages_must_follow_each_other(write, read) -> None:
    document = bioc()
    document["passages"].append({"offset": 10, "text": "More."})
    (error,) = read(write("a.bioc", json.dumps(document))).errors
    assert str(error) == (
        "a.bioc, line 1, document '1', passages[1].offset: the offset is 10, and the text before it "
        "ends at 27. Its --offsets may count another unit"
    )
    document["passages"][1]["offset"] = 2**31 - 1  # would be two thousand million line feeds
    tracemalloc.start()
    (error,) = read(write("a.bioc", json.dumps(document))).errors
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("unit", "first", "second"), [("code-points", 20, 37), ("utf-16", 21, 38), ("utf-8", 24, 41)]
)
def test_passages_and_mentions_may_count_other_units(write, read, unit: str, first: int, second: int) -> None:
    """Counted by hand: before the first mention there are a letter of two bytes and a face of two units."""
    document = bioc()
    mention = document["passages"][0]["annotations"][0]
    mention["locations"][0]["offset"] = first
    later = {**mention, "text": "fever", "locations": [{"offset": second, "length": 5}]}
    document["passages"].append({"offset": first + 8, "text": "Perhaps: fever.", "annotations": [later]})
    found = read(write("a.bioc", json.dumps(document)), None, Reading(offsets=unit))
    assert found.errors == []
    assert found.documents[0].text == f"{TEXT}\nPerhaps: fever."
    assert [a.span.quote for a in found.documents[0].annotations] == ["Fieber", "fever"]


def test_a_long_file_is_read_in_the_memory_of_a_document(write, read) -> None:
    from core.formats import read_documents

    document = xml().partition("<document>")[2].partition("</collection>")[0]
    body = "".join("<document>" + document.replace("<id>1<", f"<id>{i}<") for i in range(2_000))
    path = write("a.bioc", f"<collection>{body}</collection>")
    tracemalloc.start()
    assert sum(1 for _ in read_documents(path).documents()) == 2_000
    assert tracemalloc.get_traced_memory()[1] < 4e6
    tracemalloc.stop()
