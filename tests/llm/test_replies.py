"""What is repaired, what goes back to the model: rows 31 and 49 of the fault catalogue."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from core.llm.replies import Checked, Unusable, read_reply, reply_schema
from tests.llm.asking import Things

GOOD = '{"things": ["alpha"], "confidence": 0.5}'


class Kind(StrEnum):
    NEAR = "near"
    FAR = "far"


class Item(BaseModel):
    name: str
    kind: Kind
    number: int


class Items(BaseModel):
    items: list[Item]


class Rated(BaseModel):
    quality: Kind
    why: str


CLEAN = [GOOD, f"\n {GOOD}\n", json.dumps(json.loads(GOOD), indent=2)]
REPAIRED = {
    "fence": f"```json\n{GOOD}\n```",
    "bare fence": f"```\n{GOOD}\n```",
    "open fence": f"```json\n{GOOD}",
    "words and fence": f"Here it is:\n```json\n{GOOD}\n```\nAnything else?",
    "words before": f"Sure! {GOOD}",
    "words after": f"{GOOD}\nI hope this helps.",
    "thought": f"<think>They want {{things}}.</think>{GOOD}",
    "trailing comma": '{"things": ["alpha",], "confidence": 0.5,}',
    "same key, same value": '{"things": ["alpha"], "things": ["alpha"], "confidence": 0.5}',
    "said twice": f"{GOOD}\n{GOOD}",
    "list of one": f"[{GOOD}]",
    "raw line break": '{"things": ["alpha"], "confidence": 0.5, "note": "a\nb"}',
}
UNUSABLE = {
    "nothing": "",
    "words": "There are none.",
    "a number": "42",
    "cut in two": GOOD[:-8],
    "two values for a key": '{"things": ["alpha"], "things": ["beta"]}',
    "nested deep": '{"things": ' + "[" * 100_000,
    "nested and closed": '{"things": ' + "[" * 200 + "]" * 200 + "}",
    "5,000 digits": '{"things": [], "confidence": ' + "9" * 5000 + "}",
    "two different objects": '{"things": ["alpha"], "confidence": 1}{"confidence": 2, "things": []}',
    "single quotes": "{'things': ['alpha']}",
}


@pytest.mark.parametrize("answer", CLEAN)
def test_a_clean_reply_is_read_without_notes(answer: str) -> None:
    assert read_reply(answer, Things) == Checked(Things(things=["alpha"], confidence=0.5))


@pytest.mark.parametrize("answer", REPAIRED.values(), ids=REPAIRED)
def test_what_has_one_meaning_is_repaired(answer: str) -> None:
    checked = read_reply(answer, Things)
    assert "alpha" in checked.value.things
    assert checked.value.confidence == 0.5


@pytest.mark.parametrize(
    "answer",
    [value for name, value in REPAIRED.items() if name not in ("thought", "raw line break")],
)
def test_every_repair_is_noted(answer: str) -> None:
    assert read_reply(answer, Things).notes


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_what_is_no_number_is_null(number: str) -> None:
    checked = read_reply(f'{{"things": [], "confidence": {number}}}', Things)
    assert checked.value.confidence is None
    assert len(checked.notes) == 1


@pytest.mark.parametrize("answer", UNUSABLE.values(), ids=UNUSABLE)
def test_what_would_need_a_guess_is_a_problem(answer: str) -> None:
    with pytest.raises(Unusable) as caught:
        read_reply(answer, Rated if "different" in answer else Things)
    assert caught.value.problems
    assert all(len(problem) <= 400 for problem in caught.value.problems)


A = {"name": "alpha", "kind": "near", "number": 1}
B = {"name": "beta", "kind": "far", "number": 2}


@pytest.mark.parametrize(
    "answer",
    [
        f"{json.dumps(A)}\n{json.dumps(B)}\n",
        f"```jsonl\n{json.dumps(A)}\n{json.dumps(B)}\n```",
        json.dumps([A, B]),
        f"{json.dumps({'items': [A]})}\n{json.dumps({'items': [B]})}",
        f"{json.dumps(A)},\n{json.dumps(B)}",
    ],
)
def test_objects_one_per_line_are_the_list_asked_for(answer: str) -> None:
    checked = read_reply(answer, Items)
    assert [item.name for item in checked.value.items] == ["alpha", "beta"]
    assert "as 'items'" in " ".join(checked.notes)


def test_half_a_character_does_not_get_through() -> None:
    (thing,) = read_reply('{"things": ["a\\ud800b"]}', Things).value.things
    assert thing == "a\ufffdb"


@pytest.mark.parametrize("tail", ['"' + '\\"' * 500_000, "{" * 70 + '"' + '\\"' * 500_000, ",]" * 500_000])
def test_long_nonsense_is_read_in_linear_time(tail: str) -> None:
    with pytest.raises(Unusable):  # hangs, where it is not
        read_reply('{"things": [,' + tail, Things)


def test_a_problem_names_the_place() -> None:
    wrong = {"items": [A, {**B, "kind": "sideways"}]}
    with pytest.raises(Unusable, match=r"items\.1\.kind: .*'near' or 'far'.*, not 'sideways'"):
        read_reply(json.dumps(wrong), Items)


def test_problems_are_few() -> None:
    with pytest.raises(Unusable) as caught:
        read_reply(json.dumps({"items": [{}] * 50}), Items)
    assert len(caught.value.problems) == 6


def test_the_schema_is_strict_and_keeps_names_that_look_like_its_words() -> None:
    class Titled(BaseModel):
        title: str = "none"
        default: int | None = None
        properties: list[Item] = []

    schema = reply_schema(Titled)
    assert schema["required"] == ["title", "default", "properties"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["$defs"]["Item"]["required"] == ["name", "kind", "number"]
    assert schema["$defs"]["Kind"]["enum"] == ["near", "far"]


CANDIDATES = {1: "alpha", 2: "beta"}


def known(reply: Items) -> Checked[Items]:
    unknown = [str(item.number) for item in reply.items if item.number not in CANDIDATES]
    return Checked(reply, problems=(f"no candidate has the number {', '.join(unknown)}",) if unknown else ())


ODD = [
    None,
    True,
    -1,
    3,
    10**30,
    0.5,
    float("nan"),
    float("inf"),
    "",
    "1",
    "near",
    "NEAR",
    "other",
    "\ud800",
    [],
    {},
]


def mangled(draw: random.Random) -> str:
    """A reply as a model may write it: some good, most broken in one or several ways."""
    reply: Any = {
        "items": [
            {"name": draw.choice("abc"), "kind": draw.choice(["near", "far"]), "number": draw.randint(1, 2)}
            for _ in range(draw.randint(0, 3))
        ]
    }
    for item in reply["items"]:
        if draw.random() < 0.3:
            item[draw.choice(["name", "kind", "number", "more"])] = draw.choice(ODD)
        if draw.random() < 0.1:
            del item[draw.choice(list(item))]
    reply = draw.choice(
        [reply] * 6 + [reply["items"], draw.choice(ODD), {"items": draw.choice(ODD)}, [reply]]
    )
    text = json.dumps(reply, indent=draw.choice([None, None, 2]))
    text = draw.choice(["{}"] * 4 + ["```json\n{}\n```", "So: {} That is all.", "{}\n{}"]).replace("{}", text)
    if draw.random() < 0.2:
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice(["", '"', ",", "}", "\\"]) + text[at + draw.randint(0, 1) :]
    return text[: draw.randrange(len(text))] if draw.random() < 0.1 else text


def test_of_2000_fuzzed_replies_none_gets_through_that_is_invalid() -> None:
    draw = random.Random(7)
    read = 0
    for _ in range(2000):
        with suppress(Unusable):
            checked = read_reply(mangled(draw), Items, known)
            Items.model_validate(checked.value.model_dump(), strict=True)
            assert all(item.number in CANDIDATES for item in checked.value.items)
            read += 1
    assert 200 < read < 1800


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_a_reply_or_a_problem(text: str) -> None:
    with suppress(Unusable):
        read_reply(text, Things)
