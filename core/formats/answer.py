"""What the answers of every kind share in a file. A kind's own part lies in the file of its name."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
