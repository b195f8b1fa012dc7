"""A workspace with frames of a schema that is no more: brought up to date, each frame says what it said.

`before/frames/make.py` made it, with the code of that time, and wrote down what each said then.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from core.evaluate.estimated import estimated
from core.review.frames import Wanted, open_frame
from core.store import Workspace, decisions, frames, open_workspace
from core.store.chain import verify
from core.store.connect import connect, sqlite3
from core.store.migrate import pending
from core.store.schema import MIGRATIONS

FOLDER = Path(__file__).parent / "before" / "frames"
SAID: dict[str, Any] = json.loads((FOLDER / "said.json").read_text("utf-8"))
HEAD = SAID.pop("head")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "framed.db"
    made.write_bytes(lzma.decompress((FOLDER / "framed.db.xz").read_bytes()))
    return made


def every_frame(workspace: Workspace) -> list[frames.Frame]:
    return [*frames.list_frames(workspace), *frames.list_frames(workspace, audits=True)]


def test_frames_keep_their_units_and_digests_and_are_proven(path: Path) -> None:
    db = connect(path, "ro")
    assert pending(db, path) == list(MIGRATIONS)[6:]
    db.close()
    with open_workspace(path) as workspace:
        assert verify(workspace).problems == ()
        assert decisions.chain_head(workspace)[1] == HEAD
        assert {frame.name for frame in every_frame(workspace)} == SAID.keys()
        for frame in every_frame(workspace):
            units = list(frames.units(workspace, frame.name))
            assert [list(unit) for unit in units] == SAID[frame.name]["units"]
            assert frame.sha256 == frames.digest(frame, units) == SAID[frame.name]["sha256"]


def test_they_estimate_what_they_estimated(path: Path) -> None:
    with open_workspace(path) as workspace:
        found = {
            frame.name: estimated(workspace, frame.name).to_json()["metrics"]["precision"]
            for frame in frames.list_frames(workspace)
        }
    assert found.pop("notes")["value"] is None is SAID["notes"]["precision"]["value"]
    assert found == {name: SAID[name]["precision"] for name in found}


def test_they_stay_append_only_and_a_new_policy_stands_beside_them(path: Path) -> None:
    with open_workspace(path) as workspace:
        open_frame(workspace, Wanted("alpha", "cut", policy="strata", by="class"))
        for statement in (
            "UPDATE frames SET seed = 'x'",
            "DELETE FROM frames",
            "UPDATE frame_units SET q = 2",
            "DELETE FROM frame_units",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"), workspace.write() as db:
                db.execute(statement)
        assert verify(workspace).problems == ()
        with workspace.write() as db:
            db.execute("DROP TRIGGER frame_units_no_update")
            db.execute("UPDATE frame_units SET f = 0.5 WHERE frame_id = 1 AND position = 2")
        assert "Frame pilot was altered: its units do not fit its sha256." in verify(workspace).problems
