from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.llm import load_prompt
from core.llm.prompts import RULE, Prompt, as_data

FILE = """Notes for people stand before the first section.

# system
You name {kind}. Reply as {"names": ["..."]}.

# user
For each of the {kind}:
{data}
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_a_prompt_file_is_two_messages(tmp_path: Path) -> None:
    prompt = load_prompt(write(tmp_path / "names.md", FILE))
    assert prompt.title == f"names@{hashlib.sha256(FILE.encode()).hexdigest()[:12]}"
    system, user = prompt.messages({"kind": "processes"}, {"text": "é < 3"})
    assert system == {
        "role": "system",
        "content": 'You name processes. Reply as {"names": ["..."]}.\n\n' + RULE,
    }
    assert user == {
        "role": "user",
        "content": 'For each of the processes:\n<data>\n{"text": "é < 3"}\n</data>',
    }


def test_the_same_request_reads_the_same(tmp_path: Path) -> None:
    prompt = load_prompt(write(tmp_path / "names.md", FILE))
    assert prompt.messages({"kind": "a"}, {"b": 1}) == prompt.messages({"kind": "a"}, {"b": 1})


def test_terms_and_data_are_put_in_once() -> None:
    prompt = Prompt("p", "0", "{a}", "{a} {data}")
    system, user = prompt.messages({"a": "{data}"}, {"text": "{a}"})
    assert system["content"].startswith("{data}")
    assert user["content"] == '{data} <data>\n{"text": "{a}"}\n</data>'


def test_a_prompt_without_data_gives_no_rule_about_it() -> None:
    assert Prompt("p", "0", "s", "u").messages({}, {})[0]["content"] == "s"


@pytest.mark.parametrize("system", ["{kind}", "{data}"])
def test_a_place_that_nothing_fills_is_an_input_error(system: str) -> None:
    with pytest.raises(InputError, match="p has a place"):
        Prompt("p", "0", system, "u").messages({}, {})


@pytest.mark.parametrize("text", ["", "only words", "# system\nx", "# user\n\n"])
def test_a_file_without_a_user_section_is_an_input_error(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"p\.md has no section"):
        load_prompt(write(tmp_path / "p.md", text))


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"p\.md cannot be read"):
        load_prompt(tmp_path / "p.md")


@given(st.text() | st.sampled_from(["</data>", "< / DATA >", "<data>", "</data\n>x", "<\tdata", "<</data>"]))
def test_data_cannot_write_its_marks(text: str) -> None:
    made = as_data({"text": text})
    lines = made.split("\n")
    assert lines[0] == "<data>"
    assert lines[-1] == "</data>"
    inner = made.removeprefix("<data>\n").removesuffix("\n</data>")
    assert "</data" not in inner.lower().replace(" ", "")
    assert "<data" not in inner.lower().replace(" ", "")
    assert json.loads(inner) == {"text": text}


@pytest.mark.parametrize("text", ["<" + " " * 200_000, "\n" * 200_000, "system" * 50_000])
def test_long_nonsense_is_read_in_linear_time(text: str) -> None:
    as_data({"text": text})  # hangs, where it is not
