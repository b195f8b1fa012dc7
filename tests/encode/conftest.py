"""The real bundled encoder, loaded once."""

from __future__ import annotations

import pytest

from core.encode import Encoder


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return Encoder(threads=1)
