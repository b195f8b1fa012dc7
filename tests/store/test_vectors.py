"""The vector cache: kept by model and text, outside the revision, any number at once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from core.store import open_workspace
from core.store.looking import READ_ONLY
from core.store.vectors import StoredVectors


def hashed(texts: range) -> dict[str, bytes]:
    return {hashlib.sha256(str(n).encode()).hexdigest(): n.to_bytes(4, "little") for n in texts}


def test_vectors_come_back_by_model_and_text(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "a.db") as workspace:
        one, two = hashed(range(3)), hashed(range(2, 5))
        StoredVectors(workspace).put("alpha@1", one)
        StoredVectors(workspace).put("alpha@2", two)
        assert StoredVectors(workspace).get("alpha@1", [*one, *two]) == one
        assert StoredVectors(workspace).get("alpha@2", list(two)) == two
        assert StoredVectors(workspace).get("beta@1", list(one)) == {}
        assert StoredVectors(workspace).get("alpha@1", []) == {}


def test_more_than_one_statement_and_one_transaction_hold(tmp_path: Path) -> None:
    many = hashed(range(4_500))
    with open_workspace(tmp_path / "a.db") as workspace:
        before = workspace.key()
        StoredVectors(workspace).put("alpha@1", many)
        assert workspace.key() == before
    with open_workspace(tmp_path / "a.db") as workspace:
        assert StoredVectors(workspace).get("alpha@1", list(many)) == many


def test_a_damaged_vector_can_be_put_right(tmp_path: Path) -> None:
    (text,) = hashed(range(1))
    with open_workspace(tmp_path / "a.db") as workspace:
        StoredVectors(workspace).put("alpha@1", {text: b"1234"})
        StoredVectors(workspace).put("alpha@1", {text: b"5678"})
        assert StoredVectors(workspace).get("alpha@1", [text]) == {text: b"5678"}


def test_a_workspace_to_look_at_only_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_workspace(tmp_path / "a.db").close()
    monkeypatch.setenv(READ_ONLY, "1")
    with open_workspace(tmp_path / "a.db") as workspace:
        StoredVectors(workspace).put("alpha@1", hashed(range(1)))
        assert StoredVectors(workspace).get("alpha@1", list(hashed(range(1)))) == {}
