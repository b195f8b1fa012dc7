"""What a terminal would obey, or nobody can see, is written out wherever text is shown."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from core.text.visible import HIDDEN, in_json, visible

ROOT = Path(__file__).parents[2]
TRICKS = "\x1b[31m\x07\x00\x9b\u202egnp.exe\u2066x\u2069\u200e\u061c\u200b\u2028\ufeff\xad\U000e0041"


def hidden(text: str) -> list[str]:
    return [c for c in text if re.match(f"[{HIDDEN}]", c)]


def test_every_trick_is_written_out() -> None:
    assert visible("a\u202eb\x1b[2Jc") == "a[U+202E]b[U+001B][2Jc"
    assert visible("\U000e0041") == "[U+E0041]"
    assert hidden(visible(TRICKS)) == []
    assert visible(visible(TRICKS)) == visible(TRICKS)


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("one\n\ttwo", "Zoë, 李明, עברית, العربية", "5 µg·kg⁻¹ ± 3 °C", "🧠 ❤️", "naïve", "a\u00a0b"):
        assert visible(text) == text


def test_no_control_and_no_direction_is_left_out() -> None:
    """By Unicode's own categories: controls (Cc) but tab and line feed, and all that sets a direction."""
    directions = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for code in range(0x110000):
        char = chr(code)
        if unicodedata.bidirectional(char) in directions or (
            unicodedata.category(char) in ("Cc", "Zl", "Zp") and char not in "\t\n"
        ):
            assert hidden(char), f"U+{code:04X}"


def test_json_says_the_same_without_them() -> None:
    said = json.dumps({"text": TRICKS, "name": "Zoë"}, ensure_ascii=False)
    safe = in_json(said)
    assert json.loads(safe) == {"text": TRICKS, "name": "Zoë"}
    assert hidden(safe) == []
    assert "Zoë" in safe


def test_the_browser_knows_the_same_characters() -> None:
    script = (ROOT / "pages" / "widgets" / "desk" / "dom.js").read_text("utf-8")
    found = re.search(r"const HIDDEN = /\[(.*)\]/u", script)
    assert found is not None
    theirs = re.sub(r"\\u\{(\w+)\}", lambda m: "\\U" + m[1].zfill(8), found[1])
    there, here = re.compile(f"[{theirs}]"), re.compile(f"[{HIDDEN}]")
    everything = "".join(map(chr, range(0x110000)))
    assert there.findall(everything) == here.findall(everything)


@pytest.mark.parametrize(
    ("folder", "calls", "only"),
    [
        ("pages", r"\bst\.(text|code|dataframe|table|json)\(", {"pages/widgets/plain.py"}),
        (
            "core/cli",
            r"\bprint\(|typer\.echo|sys\.std(out|err)\.write|Console\(",
            {"core/cli/output.py", "core/cli/reference.py"},
        ),
    ],
)
def test_text_is_shown_in_one_place(folder: str, calls: str, only: set[str]) -> None:
    """Which is where the filter stands."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*.py")
        if re.search(calls, re.sub(r"console\.print|\.print\(", "", path.read_text("utf-8")))
    }
    assert found <= only
