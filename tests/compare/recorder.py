"""Run by `checkouts.py` in a checkout, whose code it finds: make the inputs, or record what comes of them.

python recorder.py make FOLDER [--whole]
python recorder.py record FOLDER OUT.json [PART...]
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

import inputs
from parts import PARTS

import core

CHECKOUT = Path.cwd()


def record(folder: Path, out: Path, names: list[str]) -> None:
    """Write what these parts recorded, or all, as JSON: part -> values. Folders of this machine get names."""
    if unknown := set(names) - PARTS.keys():
        raise SystemExit(f"There is no part {', '.join(sorted(unknown))}. Known: {', '.join(PARTS)}.")
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        given = work / "given"  # of its own: the reading of a file may leave something beside it
        shutil.copytree(folder, given)
        found = {name: PARTS[name](given, work) for name in names or PARTS}
        text = json.dumps(found, ensure_ascii=False)
        for place, name in ((given, "<inputs>"), (work, "<work>"), (CHECKOUT, "<checkout>")):
            text = text.replace(json.dumps(str(place))[1:-1], name)
    out.write_text(text, "utf-8")


def main() -> None:
    if not Path(core.__file__).is_relative_to(CHECKOUT):
        raise SystemExit(f"This would record {core.__file__}, which is not of {CHECKOUT}.")
    what, folder, *rest = sys.argv[1:]
    if what == "make":
        inputs.make(Path(folder), CHECKOUT, whole="--whole" in rest)
    else:
        record(Path(folder), Path(rest[0]), rest[1:])


if __name__ == "__main__":
    main()
