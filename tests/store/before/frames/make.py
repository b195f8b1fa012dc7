"""Makes the stored workspace with frames of schema `m006_audit`, and writes down what each frame says.

    cd CHECKOUT && PYTHONPATH=$PWD python NEWER/tests/store/before/frames/make.py

CHECKOUT is one that still has that schema (e05f223), whose code and test builders run; the files go beside
this one. All labels and decisions in them are made up.
"""

from __future__ import annotations

import json
import lzma
import tempfile
from pathlib import Path
from typing import Any

from core.evaluate.estimated import estimated
from core.records import Action
from core.review.audit import Audit, draw_audit
from core.review.frames import Wanted, open_frame
from core.store import Workspace, decisions, frames, open_workspace
from tests.evaluate.test_estimated import answer, say
from tests.review.auditing import GOLD, with_gold

HERE = Path(__file__).parent


def fill(workspace: Workspace) -> None:
    """One frame by each policy, an audit set, and decisions on the front of the first."""
    with_gold(workspace)
    open_frame(workspace, Wanted("alpha", "pilot", seed="7", blind=0.5))
    open_frame(workspace, Wanted("alpha", "doubt", policy="active", counts="adjudicated"))
    open_frame(workspace, Wanted("alpha", "notes", unit="passage", policy="size"))
    draw_audit(workspace, Audit("alpha", GOLD, 2, by="branch", name="audit"))
    first, second, *_ = frames.units(workspace, "pilot")
    say(workspace, "alpha", Action.ACCEPT, first.item_id or 0, answer=answer(first.id.split("/")[-1]))
    say(workspace, "alpha", Action.REJECT, second.item_id or 0)


def said(workspace: Workspace) -> dict[str, Any]:
    """Of each frame its sha256 and units; of those of proposals also what they estimate."""
    listed = frames.list_frames(workspace)
    found: dict[str, Any] = {
        frame.name: {"sha256": frame.sha256, "units": [list(x) for x in frames.units(workspace, frame.name)]}
        for frame in (*listed, *frames.list_frames(workspace, audits=True))
    }
    for frame in listed:
        found[frame.name]["precision"] = estimated(workspace, frame.name).to_json()["metrics"]["precision"]
    return found | {"head": decisions.chain_head(workspace)[1]}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "framed.db"
        with open_workspace(path) as workspace:
            fill(workspace)
            told = said(workspace)
            workspace.db.execute("VACUUM")
            workspace.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (HERE / "framed.db.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))
    (HERE / "said.json").write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
