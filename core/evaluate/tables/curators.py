"""Agreement of curators as tables, and the items that their cells open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.charts import Cell, Chart, Key, Table
from core.evaluate.curators import Ratings, Unit
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.near_agreement import ABSENT
from core.metrics.proportion import share

_NOTE = "n: documents that both have looked at; items: rated by both; missing: rated by one of the two only."


class Pair(NamedTuple):
    a: str
    b: str
    units: list[Unit]
    """Of the universe, those with a missing label included."""
    documents: list[str]

    @property
    def rated(self) -> list[Unit]:
        return [unit for unit in self.units if None not in unit[2]]

    @property
    def named(self) -> list[Unit]:
        """Rated by both, and named by one of them at least."""
        return [unit for unit in self.rated if unit[2] != (ABSENT, ABSENT)]

    @property
    def differing(self) -> list[Unit]:
        return [unit for unit in self.rated if unit[2][0] != unit[2][1]]


_TITLES = {
    "alpha": "Krippendorff's alpha",
    "fleiss": "Fleiss' kappa",
    "hierarchy_alpha": "hierarchy-aware alpha",
    "overlap_alpha": "alpha by overlap of axes",
}


def together(found: Mapping[str, Estimate], units: Sequence[Unit]) -> Table:
    complete = sum(None not in unit[2] for unit in units)
    several = sum(len(unit[2]) - unit[2].count(None) > 1 for unit in units)
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for name, estimate in found.items():
        items = complete if name == "fleiss" else several
        rows.append((_TITLES[name], estimate, items, len(units) - items))
        opens.append((None, name, "rated:all" if name == "fleiss" else "rated", None))
    return Table(
        "All curators together",
        ("coefficient", "value", "items", "left out"),
        rows,
        name="together",
        opens=opens,
        note="Alpha takes every item that two or more have rated; Fleiss' kappa only those that all have.",
        help={"value": "agreement.alpha"},
    )


def pairs(rows: Sequence[dict[str, Cell]], ratings: Ratings) -> Table:
    columns = tuple(rows[0])
    opens = []
    for i, j in _places(ratings):
        keys: dict[str, Key | None] = dict.fromkeys(columns, f"differ:{i}:{j}")
        keys |= {"curators": None, "n": None, "items": f"rated:{i}:{j}", "missing": f"missing:{i}:{j}"}
        opens.append(tuple(keys[name] for name in columns))
    names = {name: name.replace("_", " ").replace("f1", "F1") for name in columns}
    return Table(
        "Every two curators",
        tuple(names.values()),
        [tuple(row[name] for name in columns) for row in rows],
        name="pairs",
        opens=opens,
        chart=Chart("intervals", x="curators", y=("kappa", "alpha")),
        note=_NOTE + " Every coefficient opens the items on which the two differ.",
        help={
            names[name]: f"agreement.{name}"
            for name in columns
            if name not in ("curators", "n", "items", "missing", "differ")
        },
    )


def _places(ratings: Ratings) -> list[tuple[int, int]]:
    at = ratings.curators.index
    return [(at(a), at(b)) for a, b in ratings.pairs()]


def curators(ratings: Ratings, level: float) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for curator in ratings.curators:
        said = Counter(
            label == ABSENT for held in ratings.labels.get(curator, {}).values() for label in held.values()
        )
        unsure = ratings.unsure.get(curator, 0)
        judged = said.total() + unsure
        rows.append(
            (
                ratings.people[curator],
                len(ratings.closed.get(curator, ())),
                said[False],
                said[True],
                unsure,
                share(unsure, judged, level, documents=len(ratings.labels.get(curator, {}))),
            )
        )
    concepts = ratings.kind == "concepts"
    return Table(
        "Each curator",
        ("curator", "closed", "named" if concepts else "labelled", "rejected", "unsure", "share unsure"),
        rows,
        name="curators",
        opens=[(None, None, f"named:{i}", f"absent:{i}", None, None) for i in range(len(ratings.curators))],
        note="closed: documents in which nothing is missing any more.",
        help={"share unsure": "proportion.share"},
    )


def labels(ratings: Ratings, pair: Pair) -> Table:
    i, j = ratings.curators.index(pair.a), ratings.curators.index(pair.b)
    said = _labels(pair)
    counts = Counter(unit[2] for unit in pair.rated)
    ours, theirs = ratings.people[pair.a], ratings.people[pair.b]
    return Table(
        f"What {ours} says (rows) against what {theirs} says (columns)",
        (ours, *said),
        [(a, *(counts[a, b] for b in said)) for a in said],
        name=f"labels:{i}:{j}",
        opens=[(None, *(f"cell:{i}:{j}:{p}:{q}" for q in range(len(said)))) for p in range(len(said))],
        chart=Chart("heatmap", x=ours, y=tuple(said)),
    )


def _labels(pair: Pair) -> list[str]:
    return sorted({label for unit in pair.rated for label in unit[2] if label is not None})


# --- what cells open ----------------------------------------------------------------------------------------


def opener(
    ratings: Ratings, of_two: Sequence[Pair], everyone: Sequence[Unit], names: Mapping[str, Pair]
) -> Callable[[Key], list[Item]]:
    """
    Args:
        names: estimates of two curators -> the two.
    """
    of_places = dict(zip(_places(ratings), of_two, strict=True))

    def items(units: Sequence[Unit], curators: Sequence[str]) -> list[Item]:
        return [
            Item(
                doc_id,
                item,
                "agree" if len({label for label in labels if label is not None}) < 2 else "differ",
                "; ".join(
                    f"{ratings.people[c]}: {label or '–'}" for c, label in zip(curators, labels, strict=True)
                ),
            )
            for doc_id, item, labels in units
        ]

    def differing() -> list[Unit]:
        return [u for u in everyone if len({label for label in u[2] if label is not None}) > 1]

    def alone(curator: str, absent_ones: bool) -> list[Item]:
        said = ratings.labels.get(curator, {})
        return [
            Item(doc_id, item, label)
            for doc_id in sorted(said)
            for item, label in sorted(said[doc_id].items(), key=lambda one: str(one[0]))
            if (label == ABSENT) == absent_ones
        ]

    def opened(key: Key) -> list[Item]:
        what, *rest = key.split(":")
        if key in _TITLES:
            return items(differing(), ratings.curators)
        if key in names:
            pair = names[key]
            return items(pair.differing, (pair.a, pair.b))
        if what == "rated" and rest in ([], ["all"]):
            least = len(ratings.curators) if rest else 2
            return items(
                [u for u in everyone if sum(label is not None for label in u[2]) >= least], ratings.curators
            )
        if what in ("named", "absent"):
            return alone(ratings.curators[int(rest[0])], what == "absent")
        if what in ("differ", "rated", "missing", "cell"):
            pair = of_places[int(rest[0]), int(rest[1])]
            chosen = {"differ": pair.differing, "rated": pair.rated}.get(what)
            if what == "missing":
                chosen = [unit for unit in pair.units if None in unit[2]]
            elif what == "cell":
                labels = _labels(pair)
                wanted = tuple(labels[int(at)] for at in rest[2:])
                chosen = [unit for unit in pair.rated if unit[2] == wanted]
            return items(chosen or [], (pair.a, pair.b))
        raise KeyError(key)

    return opened
