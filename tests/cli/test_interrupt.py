"""Ctrl-C in a long verb: said in a sentence, exit status 130, and what was finished is stored."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from core.store import open_workspace
from core.store.chain import verify
from tests.interrupts import HEEDED
from tests.patience import SECONDS
from tests.pipeline.conflicts import lab


def test_ctrl_c_says_what_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        lab.fill(workspace, 400)
    words = ["--workspace", str(path), "run", "conflicts", "--corpus", "c", "--offline", "--run", "r"]
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", *words], stderr=subprocess.PIPE, text=True, preexec_fn=HEEDED
    )
    with open_workspace(path) as workspace:
        records = "SELECT count(*) FROM stage_records"
        while process.poll() is None and workspace.db.execute(records).fetchone()[0] == 0:
            time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=SECONDS)[1]
    assert process.returncode == 130, said
    assert "Stopped. What was finished is stored" in said
    assert "Traceback" not in said
    with open_workspace(path) as workspace:
        assert verify(workspace).problems == ()
        assert workspace.db.execute(records).fetchone()[0] > 0
