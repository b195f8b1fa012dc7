"""What was learned from gold or decisions: names with their counts, and a head that says keep or drop.

Numbers and text only, so that a set from elsewhere can run no code.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.records.vocabulary import Curie

Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Known(_Record):
    """What became of words that say a concept, in the documents that were learned from."""

    concept: Curie
    words: str
    """In the singular and in lower case, as `core.concepts.learned.form` makes them."""
    kept: int = Field(ge=0)
    """Documents with these words where gold holds the concept."""
    seen: int = Field(ge=1)
    """Documents with these words where gold speaks of the concept, as present or as absent."""
    name: str | None = None
    """The words as a text writes them, where the ontology does not have them: they join the dictionary."""
    by: tuple[str, ...] = ()
    """Curators whose answers bore the name; for imported gold the set."""

    @model_validator(mode="after")
    def _kept_were_seen(self) -> Known:
        if self.kept > self.seen:
            raise ValueError(f"kept ({self.kept}) is more than seen ({self.seen})")
        return self


class Tree(_Record):
    """One tree of a boosted head, as arrays over its nodes; node 0 is the root."""

    feature: tuple[int, ...]
    """Column that a node asks; -1 for a leaf."""
    threshold: tuple[Number, ...]
    """Go left where the value is at most this."""
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[Number, ...]
    """What a leaf adds to the log-odds."""

    @model_validator(mode="after")
    def _is_a_tree(self) -> Tree:
        size = len(self.feature)
        rows = (self.threshold, self.left, self.right, self.value)
        if not size or any(len(row) != size for row in rows):
            raise ValueError("the arrays of a tree are of different lengths")
        for node, feature in enumerate(self.feature):
            children = (self.left[node], self.right[node])
            if feature >= 0 and not all(node < child < size for child in children):
                raise ValueError(f"node {node} of a tree has a child that does not follow it")
        return self


class Head(_Record):
    """Keep or drop, from readable features."""

    kind: Literal["logistic", "boosting"]
    features: tuple[str, ...]
    weights: tuple[Number, ...] = ()
    """Of a logistic head, per unit of each feature."""
    intercept: Number = 0.0
    """Log-odds to which weights or trees are added."""
    trees: tuple[Tree, ...] = ()
    slope: Number = 1.0
    shift: Number = 0.0
    """Calibration: log-odds times slope plus shift, fitted on documents that were held out."""
    least: Share
    """Confidence from which a proposal is kept."""

    @model_validator(mode="after")
    def _columns_exist(self) -> Head:
        if self.kind == "logistic" and len(self.weights) != len(self.features):
            raise ValueError("a logistic head has as many weights as features")
        if any(feature >= len(self.features) for tree in self.trees for feature in tree.feature):
            raise ValueError("a tree asks for a feature that is not there")
        return self


class Gain(_Record):
    """F1 on documents that were held out, by cross-validation over the documents learned from."""

    documents: int = Field(ge=0)
    folds: int = Field(ge=0)
    plain: Share | None = None
    """Micro F1 of the dictionary as it was; None where nothing could be scored."""
    names: Share | None = None
    """With learned names."""
    head: Share | None = None
    """With names and head, also where the head is not kept because it brings nothing."""
    gain: Annotated[float, Field(ge=-1, le=1)] | None = None
    """Of what the set does, over plain."""
    low: Annotated[float, Field(ge=-1, le=1)] | None = None
    high: Annotated[float, Field(ge=-1, le=1)] | None = None
    """Paired percentile bootstrap over documents, 95 %."""


class LearnedSet(_Record):
    """All that was learned at once, from one gold standard. Never changed: learning anew makes a version."""

    form: Literal[1] = 1
    ontology: str
    """`NAME@VERSION`"""
    ontology_sha256: Sha256
    root: Curie | None
    gold: str
    """Reference, pinned to a version or a decision number."""
    corpus: str
    documents: tuple[Sha256, ...]
    """Of the texts that were learned from, ascending."""
    known: tuple[Known, ...]
    head: Head | None = None
    hypernyms: Literal["keep_named_apart", "drop"] | None = None
    """What becomes of a concept that is more general than another one of its text; None: nothing was
    learned about that."""
    gain: Gain
