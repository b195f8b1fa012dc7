"""Agreement of curators as tables, and the items that their cells open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from core.charts import Cell, Chart, Items, Table, Value
from core.evaluate.curators import Ratings, Unit
from core.kinds.names import Values, called
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.kappa_words import NAMED, in_words
from core.metrics.near_agreement import ABSENT
from core.metrics.proportion import share

ABOVE_CHANCE = "agreement above chance"
_NOTE = "n: documents that both have looked at; items: rated by both; missing: rated by one of the two only."


@dataclass(frozen=True)
class Pair:
    a: str
    b: str
    units: list[Unit]
    """Of the universe, those with a missing label included."""
    documents: list[str]

    @cached_property
    def rated(self) -> list[Unit]:
        return [unit for unit in self.units if None not in unit[2]]

    @cached_property
    def named(self) -> list[Unit]:
        """Rated by both, and named by one of them at least."""
        return [unit for unit in self.rated if unit[2] != (ABSENT, ABSENT)]

    @cached_property
    def differing(self) -> list[Unit]:
        return [unit for unit in self.rated if unit[2][0] != unit[2][1]]


def differ(unit: Unit) -> bool:
    """Whether two labels of a unit are not the same."""
    return len({*unit[2]} - {None}) > 1


_TITLES = {
    "alpha": "Krippendorff's alpha",
    "fleiss": "Fleiss' kappa",
    "hierarchy_alpha": "hierarchy-aware alpha",
    "overlap_alpha": "alpha by overlap of axes",
}


def together(found: Mapping[str, Estimate], units: Sequence[Unit], ratings: Ratings) -> Table:
    def rated(least: int) -> list[Unit]:
        return [unit for unit in units if len(unit[2]) - unit[2].count(None) >= least]

    differing = [unit for unit in units if differ(unit)]
    rows = []
    for name, estimate in found.items():
        complete = name == "fleiss"
        items = rated(len(ratings.curators) if complete else 2)
        rows.append(
            (
                _TITLES[name],
                Cell(estimate, name, listed(ratings, differing)),
                in_words(estimate.value) if complete else None,
                Cell(len(items), "rated:all" if complete else "rated", listed(ratings, items)),
                len(units) - len(items),
            )
        )
    return Table.of(
        "All curators together",
        ("coefficient", "value", "in words", "items", "left out"),
        rows,
        "together",
        note="Alpha takes every item that two or more have rated; Fleiss' kappa only those that all have. "
        + NAMED,
        help={"value": "agreement.alpha"},
    )


def pairs(rows: Sequence[dict[str, Value]], of_two: Sequence[Pair], ratings: Ratings) -> Table:
    columns, opening = tuple(rows[0]), []
    for row, pair in zip(rows, of_two, strict=True):
        place = _place(ratings, pair)
        both = (pair.a, pair.b)
        differ = listed(ratings, pair.differing, both)
        known: dict[str, tuple[str, Items]] = {
            "items": ("rated", listed(ratings, pair.rated, both)),
            "missing": ("missing", listed(ratings, [u for u in pair.units if None in u[2]], both)),
        }
        opening.append(
            [
                value if name in ("curators", "n", "in_words") else Cell(value, f"{what}:{place}", items)
                for name, value in row.items()
                for what, items in [known.get(name, ("differ", differ))]
            ]
        )
    names = {name: name.replace("_", " ").replace("f1", "F1") for name in columns}
    return Table.of(
        "Every two curators",
        tuple(names.values()),
        opening,
        "pairs",
        chart=Chart("intervals", x="curators", y=("kappa", "alpha"), y_title=ABOVE_CHANCE),
        note=f"{_NOTE} Every coefficient opens the items on which the two differ. {NAMED}",
        help={
            names[name]: f"agreement.{name}"
            for name in columns
            if name not in ("curators", "n", "items", "missing", "differ", "in_words")
        },
    )


def _place(ratings: Ratings, pair: Pair) -> str:
    at = ratings.curators.index
    return f"{at(pair.a)}:{at(pair.b)}"


def curators(ratings: Ratings, level: float) -> Table:
    rows: list[tuple[Value | Cell, ...]] = []
    for i, curator in enumerate(ratings.curators):
        said = Counter(
            label == ABSENT for held in ratings.labels.get(curator, {}).values() for label in held.values()
        )
        unsure = ratings.unsure.get(curator, 0)
        judged = said.total() + unsure
        rows.append(
            (
                ratings.people[curator],
                len(ratings.closed.get(curator, ())),
                Cell(said[False], f"named:{i}", partial(_alone, ratings, curator, False)),
                Cell(said[True], f"absent:{i}", partial(_alone, ratings, curator, True)),
                unsure,
                share(unsure, judged, level, documents=len(ratings.labels.get(curator, {}))),
            )
        )
    concepts = ratings.kind == "concepts"
    return Table.of(
        "Each curator",
        ("curator", "closed", "named" if concepts else "labelled", "rejected", "unsure", "share unsure"),
        rows,
        "curators",
        note="closed: documents in which nothing is missing any more.",
        help={"share unsure": "proportion.share"},
    )


def labels(ratings: Ratings, pair: Pair) -> Table:
    place, said = _place(ratings, pair), [Values(label) for label in _labels(pair)]
    counts = Counter(unit[2] for unit in pair.rated)
    ours, theirs = ratings.people[pair.a], ratings.people[pair.b]

    def cell(p: int, q: int) -> Cell:
        wanted = (said[p], said[q])
        both = [unit for unit in pair.rated if unit[2] == wanted] if counts[wanted] else []
        return Cell(counts[wanted], f"cell:{place}:{p}:{q}", listed(ratings, both, (pair.a, pair.b)))

    return Table.of(
        f"What {ours} says (rows) against what {theirs} says (columns)",
        (ours, *said),
        [(a, *(cell(p, q) for q in range(len(said)))) for p, a in enumerate(said)],
        f"labels:{place}",
        chart=Chart("heatmap", x=ours, y=tuple(said)),
    )


def _labels(pair: Pair) -> list[str]:
    return sorted({label for unit in pair.rated for label in unit[2] if label is not None})


# --- what cells open ----------------------------------------------------------------------------------------


def listed(ratings: Ratings, units: Sequence[Unit], curators: Sequence[str] | None = None) -> Items:
    """Items with what each of these curators says; None: all of them."""
    people = [ratings.people[c] for c in curators or ratings.curators]
    return lambda: [
        Item(
            doc_id,
            item,
            "agree" if len({*labels} - {None}) < 2 else "differ",
            "; ".join(f"{who}: {_worded(ratings, x)}" for who, x in zip(people, labels, strict=True)),
        )
        for doc_id, item, labels in units
    ]


def _worded(ratings: Ratings, label: str | None) -> str:
    """A label; a concept with its name."""
    if label is None:
        return "–"
    return f"{label} ({ratings.names[label]})" if label in ratings.names else called(Values(label))


def _alone(ratings: Ratings, curator: str, absent_ones: bool) -> list[Item]:
    """What one curator names, or rejects."""
    said = ratings.labels.get(curator, {})
    return [
        Item(doc_id, item, label)
        for doc_id in sorted(said)
        for item, label in sorted(said[doc_id].items(), key=lambda one: str(one[0]))
        if (label == ABSENT) == absent_ones
    ]
