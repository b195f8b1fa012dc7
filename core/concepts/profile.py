"""Task profiles: what kind of concept a run asks for, by which guideline, through which stages."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import InputError
from core.records import ConceptClass

FOLDER = Path(__file__).parents[2] / "data" / "profiles"
StageName = Literal["generate", "classify", "relabel", "guideline", "select"]


class Hypernyms(StrEnum):
    """What becomes of a candidate that is an ancestor of another candidate of the passage."""

    KEEP = "keep"
    """Keep it wherever the text names it, also inside the longer name."""
    KEEP_NAMED_APART = "keep_named_apart"
    """Keep it only where some mention of it stands outside the more specific one."""
    DROP = "drop"


POLICIES = {"all": Hypernyms.KEEP, "named_apart": Hypernyms.KEEP_NAMED_APART, "none": Hypernyms.DROP}
"""What the command line calls them."""


class Profile(BaseModel):
    """One kind of labelling task, from a YAML file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: str
    kind: str
    """Plural noun for what is asked for, such as `phenotypic abnormalities`."""
    kind_singular: str
    description: str
    """What counts, in a few sentences; goes into the prompts."""
    root: str | None = None
    """Default root concept; a run may name another."""
    examples: tuple[str, ...]
    """Names of concepts of this kind."""
    counter_examples: tuple[str, ...] = ()
    """Names that look like this kind and are not."""
    class_examples: dict[ConceptClass, str] = {}
    """What each class looks like for this kind of concept; goes into the prompts of the classify stage."""
    guideline: str = ""
    """Rules of the guideline stage; empty: the profile has none."""
    drop_names: tuple[str, ...] = ()
    """Concept names (or synonyms) that the offline guideline drops wherever they come up: too general to tell
    anything."""
    default_stages: tuple[StageName, ...]
    hypernyms: Hypernyms = Hypernyms.KEEP
    classes: tuple[ConceptClass, ...] = (
        ConceptClass.EXPLICIT,
        ConceptClass.LOGICALLY_IMPLICIT,
        ConceptClass.PRAGMATICALLY_IMPLICIT,
    )
    """Classes that leave the classify stage; `not_relevant` never does."""
    claims_per_call: int = Field(default=8, ge=1, le=64)
    """Claims that are asked for names in one call: one in HI-ALD; more are cheaper and see each other."""
    threshold: float | None = Field(default=None, ge=0, le=1)
    """Least similarity s of a generated name to a concept's name (metric-definitions R48); None: what was
    calibrated for the encoder."""


def profiles() -> dict[str, Path]:
    """Profiles that ship with Touchstone, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}


def load_profile(name_or_path: str | Path) -> Profile:
    """Read a shipped profile by name, or a YAML file. One with `like: NAME` says only what differs from that.

    Raises:
        InputError: there is none, or it does not follow the form; names the file and the field.
    """
    known = profiles()
    path = known.get(str(name_or_path), Path(name_or_path))
    if not path.is_file():
        raise InputError(
            f"There is no task profile {str(name_or_path)!r}. Name one of {', '.join(known)}, or a YAML file."
        )
    try:
        stated = yaml.safe_load(path.read_text("utf-8"))
        if isinstance(stated, dict) and "like" in stated:
            base = load_profile(str(stated.pop("like"))).model_dump(exclude_unset=True)
            stated = base | stated
        return Profile.model_validate(stated)
    except (yaml.YAMLError, ValidationError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path.name} is no task profile: {error}. Compare it with those in data/profiles."
        ) from error
