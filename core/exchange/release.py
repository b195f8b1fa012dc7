"""The release of a run of claim pairs: one folder, whole or not at all, the same for the same input.

    train.jsonl, dev.jsonl, test.jsonl      the splits, records as `claim-pairs-line.schema.json`
    left_out.jsonl                          pairs that had to go for no split to share an article with another
    split_manifest.json                     how they were made, and the sha256 of every file
    statistics.json, leakage.json           the tables behind the card
    README.md, CITATION.cff                 the card; how to cite it
    croissant.json                          the files and their columns, for other loaders
    pair-level/                             the legacy variant, split by pairs
    run/                                    artifacts of the run: what was asked, answered, and failed
    SHA256SUMS                              of all files, for `sha256sum -c`

No file outside `run/` holds a time, and those in it are the run's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from core.conflicts.package import LEAST_CONFIDENCE, LEAST_OF_CONFLICTS, PER_DOMAIN, Entry, resolve, select
from core.conflicts.package.licences import allowed
from core.errors import InputError
from core.exchange.atomic import appearing
from core.exchange.packing import Mode, Packed, Packing, by_domain
from core.exchange.pair_rows import entries
from core.formats.rows import shown
from core.records import ItemKind
from core.store import Workspace, pair_imports, runs
from core.store.settled import by_reference

_ALL_UNSURE = (
    "No pair of run {!r} is labelled well enough: all labels are heuristic, with a confidence below "
    f"{LEAST_CONFIDENCE} ({LEAST_OF_CONFLICTS} of those that say how claims conflict). Review some, or label "
    "them with a model."
)


@dataclass(frozen=True, slots=True)
class ReleaseReport:
    """What a release holds."""

    run: str
    folder: str
    split: Mode
    sizes: dict[str, int]
    """Split -> pairs."""
    domains: dict[str, dict[str, int]]
    """Domain -> split -> pairs."""
    labels: dict[str, int]
    """person, model, heuristic -> pairs."""
    seen_by_person: int
    gold: str
    rejected: int
    """Pairs that people found unusable, left out."""
    too_unsure: int
    """Heuristic labels left out for too little confidence."""
    unlicensed: int
    """Pairs left out because a text has none of the licences asked for."""
    surplus: int
    """Pairs left out because their domain had enough."""
    left_out: int
    """Pairs left out because the articles they join go into two splits."""
    components: int
    """Connected components of articles; 0 for a split by pairs."""
    largest: int
    """Pairs in the largest of them."""
    leaks: dict[str, int]
    """Audit -> rows of the held-out split with either article in the other."""
    evaluable: tuple[str, ...]
    files: dict[str, str]
    """Name -> sha256."""

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {n:,}" for name, n in self.sizes.items())
        by = ", ".join(f"{n:,} by {origin}" for origin, n in self.labels.items() if n)
        lines = [f"Released {self.run} to {self.folder}: {parts}; labels {by}."]
        if self.components:
            lines.append(
                f"Articles form {self.components:,} components, the largest of {self.largest:,} pairs."
            )
        said = {
            "Pairs that people found unusable, left out": self.rejected,
            f"Heuristic labels of a confidence below {LEAST_CONFIDENCE} ({LEAST_OF_CONFLICTS} of those that "
            "say how claims conflict), left out": self.too_unsure,
            "Pairs with a text of another licence, left out": self.unlicensed,
            "Pairs beyond what a domain gives, left out": self.surplus,
            "Pairs between articles of two splits, in left_out.jsonl": self.left_out,
        }
        lines += [f"{what}: {count:,}." for what, count in said.items() if count]
        if empty := [name for name, n in self.sizes.items() if not n]:
            lines.append(
                f"Empty: {' and '.join(empty)}. Dev and test take labels that a model made or a person "
                "reviewed, of components that are small enough; --allow-heuristic lets others in."
            )
        return "\n".join(lines)


def release(
    workspace: Workspace,
    run: str,
    out: Path | str,
    *,
    split: Mode = "article-disjoint",
    allow_heuristic: bool = False,
    allow_single_class: bool = False,
    gold: str | None = None,
    per_domain: int = PER_DOMAIN,
    seed: int = 13,
    licences: Sequence[str] = (),
) -> ReleaseReport:
    """Package a run of claim pairs.

    Reviewed labels take precedence over silver ones, and pairs that people rejected leave.

    Args:
        out: folder, which must not be there, or be empty.
        split: `article-disjoint`, with the legacy variant in a folder of its own, or `pair-level` alone.
        allow_heuristic: let unreviewed heuristic and repaired labels into dev and test.
        allow_single_class: write it even if all its labels say the same type.
        gold: `reviewed@NUMBER:POLICY`; None: all decisions until now, where those who answered agree.
        per_domain: most pairs of a domain.
        licences: take only pairs whose texts both have one of these; empty: all.

    Raises:
        NotFoundError: no such run, decision or curator.
        InputError: the run has no labelled pairs, or all of one type; a setting cannot be used; the folder
            cannot be written.
        IntegrityError: a split leaks. Nothing was written.
    """
    made = _checked(workspace, run, split, per_domain)
    verdicts = by_reference(workspace, made.corpus, ItemKind.PAIR, gold)
    held = list(entries(workspace, run, verdicts))
    if not held:
        raise InputError(f"Run {run!r} has no labelled pairs to release. Run it to its last stage first.")
    free = _free(workspace, made, held, licences)
    pool = select(free, per_domain=per_domain, seed=seed)
    if not pool.entries:
        raise InputError(_ALL_UNSURE.format(run))
    packing = Packing(
        workspace=workspace,
        run=made,
        verdicts=verdicts,
        gold=verdicts.reference,
        pool=pool,
        unique=resolve(pool.entries),
        mode=split,
        allow_heuristic=allow_heuristic,
        allow_single_class=allow_single_class,
        per_domain=per_domain,
        seed=seed,
        licences=tuple(licences),
        unlicensed=len(held) - len(free),
        rejected=len(verdicts.rejected & pair_imports.pair_ids(workspace, run)),
    )
    with appearing(Path(out)) as folder:
        packed = packing.write(folder)
    return _report(out, packing, packed)


def _free(workspace: Workspace, run: runs.Run, held: list[Entry], licences: Sequence[str]) -> list[Entry]:
    """Pairs whose texts both have one of these licences; all where none is asked for."""
    if not licences:
        return held
    known = pair_imports.licences(workspace, run.corpus_id)
    found = [e for e in held if all(allowed(known.get(u), licences) for u in (e.article_a, e.article_b))]
    if not found:
        named = ", ".join(sorted({*known.values()})) or "none"
        raise InputError(
            f"No pair of run {run.id!r} has two texts of the licence {' or '.join(licences)}. The corpus "
            f"names: {named}."
        )
    return found


def _checked(workspace: Workspace, run: str, split: str, per_domain: int) -> runs.Run:
    """The run, if it and the settings can be used."""
    if split not in get_args(Mode):
        raise InputError(f"There is no split {shown(split)}. Known: {', '.join(get_args(Mode))}.")
    if per_domain < 1:
        raise InputError("A release takes at least one pair of a domain: --per-domain 1 or more.")
    made = runs.find_run(workspace, run)
    if made.proposes != ItemKind.PAIR:
        raise InputError(f"Run {run!r} labels concepts. Only runs of claim pairs are released.")
    return made


def _report(out: Path | str, packing: Packing, packed: Packed) -> ReleaseReport:
    labels, pool = packed.statistics["label_origins"], packing.pool
    return ReleaseReport(
        run=packing.run.id,
        folder=str(out),
        split=packing.mode,
        sizes=packed.tally.sizes(),
        domains=by_domain(packed.split),
        labels={origin: sum(by.values()) for origin, by in labels.items()},
        seen_by_person=sum(packed.tally.seen.values()),
        gold=packing.gold,
        rejected=packing.rejected,
        too_unsure=sum(pool.unsure.values()),
        unlicensed=packing.unlicensed,
        surplus=sum(pool.surplus.values()),
        left_out=len(packed.split.left_out),
        components=len(packed.split.components),
        largest=max((len(one.pairs) for one in packed.split.components), default=0),
        leaks={audited: rows["either_article"]["count"] for audited, rows in packed.leakage.items()},
        evaluable=tuple(one.value for one in packed.tally.evaluable()),
        files=packed.files,
    )
