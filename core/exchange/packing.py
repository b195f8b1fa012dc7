"""The files of a release, written into a folder that takes its name when all of them are there."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core import __version__
from core.conflicts.package import (
    LEAST_CONFIDENCE,
    LEAST_OF_CONFLICTS,
    SPLITS,
    Pool,
    Resolved,
    Split,
    legacy_split,
    split,
    violations,
)
from core.conflicts.package.card import LEGACY, Card, card
from core.conflicts.package.citation import citation
from core.conflicts.package.croissant import metadata
from core.conflicts.package.fit import SHARES
from core.conflicts.package.licences import one_licence
from core.conflicts.package.split import LEGACY_SHARES
from core.conflicts.package.statistics import Construction, Tally
from core.errors import InputError, IntegrityError
from core.exchange.artifacts import write_artifacts
from core.exchange.pair_rows import pair_rows
from core.formats.json import dumps
from core.metrics.leakage import audit
from core.records import ClaimType
from core.store import Workspace, claims, corpora, digest, pair_imports, pairs
from core.store.runs import Run
from core.store.settled import Settled

Mode = Literal["article-disjoint", "pair-level"]
ARTIFACTS = "run"
LEFT_OUT = "left_out"
AUDITS = (("test", "train"), ("dev", "train"), ("test", "dev"))


@dataclass(frozen=True, slots=True)
class Packed:
    """What was written."""

    split: Split
    statistics: dict[str, Any]
    leakage: dict[str, dict[str, Any]]
    tally: Tally
    files: dict[str, str]
    """Name -> sha256."""


@dataclass(slots=True)
class Packing:
    """A release on its way into a folder."""

    workspace: Workspace
    run: Run
    verdicts: Settled
    gold: str
    pool: Pool
    unique: Resolved
    mode: Mode
    allow_heuristic: bool
    allow_single_class: bool
    per_domain: int
    seed: int
    rejected: int
    """Pairs that people found unusable."""
    licences: tuple[str, ...] = ()
    """Only pairs whose texts both have one of these; empty: all."""
    unlicensed: int = 0
    """Pairs left out for that."""

    def write(self, folder: Path) -> Packed:
        legacy = legacy_split(self.unique.entries, seed=self.seed, allow_heuristic=self.allow_heuristic)
        variants: dict[str, Split] = {"": legacy}
        if self.mode == "article-disjoint":
            found = split(self.unique.entries, allow_heuristic=self.allow_heuristic)
            wrong = violations(found, self.unique.entries, allow_heuristic=self.allow_heuristic)
            if wrong:
                raise IntegrityError("The release would leak, so it was not written. " + ". ".join(wrong))
            variants = {"": found, LEGACY: legacy}
        self._refuse_one_class(variants[""])
        tallies = self._rows(folder, variants)
        construction, claim_types = self._construction()
        told: dict[str, dict[str, Any]] = {}
        for variant, found in variants.items():
            told[variant] = {
                "statistics": tallies[variant].to_json(construction, claim_types),
                "leakage": {
                    f"{held} against {other}": audit(found.of(held), found.of(other)).to_json()
                    for held, other in AUDITS
                },
            }
            for part, value in told[variant].items():
                _write_json(folder / variant / f"{part}.json", value)
        manifests = {variant: self._manifest(variant, found) for variant, found in variants.items()}
        (folder / "README.md").write_bytes(self._card(manifests[""], told, tallies).encode())
        self._described(folder)
        # the manifest of the folder comes last: it has the sha256 of all the others
        for variant in sorted(variants, reverse=True):
            files = {
                path.relative_to(folder / variant).as_posix(): path
                for path in sorted((folder / variant).rglob("*"))
                if path.is_file()
            }
            manifests[variant]["files"] = {
                file: {"sha256": digest.of_file(path), "bytes": path.stat().st_size}
                for file, path in files.items()
            }
            _write_json(folder / variant / "split_manifest.json", manifests[variant])
        (folder / ARTIFACTS).mkdir()
        write_artifacts(self.workspace, self.run.id, folder / ARTIFACTS)
        sums = {
            path.relative_to(folder).as_posix(): digest.of_file(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        lines = "".join(f"{made}  {file}\n" for file, made in sums.items())
        (folder / "SHA256SUMS").write_bytes(lines.encode())
        return Packed(variants[""], told[""]["statistics"], told[""]["leakage"], tallies[""], sums)

    def _refuse_one_class(self, found: Split) -> None:
        types = {entry.conflict_type for name in SPLITS for entry in found.of(name)}
        if len(types) == 1 and not self.allow_single_class:
            count = sum(len(found.of(name)) for name in SPLITS)
            raise InputError(
                f"All {count:,} pairs that could be released of run {self.run.id!r} are labelled "
                f"{types.pop()}: who trains on them learns one answer. Review pairs that may be of "
                "another type, label the run with a model, or say --allow-single-class."
            )

    def _rows(self, folder: Path, variants: dict[str, Split]) -> dict[str, Tally]:
        """Write the records of every variant in one pass over the store."""
        places = {
            variant: {e.pair_id: name for name in (*SPLITS, LEFT_OUT) for e in found.of(name)}
            for variant, found in variants.items()
        }
        tallies = {variant: Tally() for variant in variants}
        with ExitStack() as stack:
            files = {}
            for variant in variants:
                (folder / variant).mkdir(exist_ok=True)
                for name in SPLITS if variant or self.mode == "pair-level" else (*SPLITS, LEFT_OUT):
                    path = folder / variant / f"{name}.jsonl"
                    files[variant, name] = stack.enter_context(path.open("wb"))
            wanted = places[""].keys()
            for row in pair_rows(self.workspace, self.run.id, verdicts=self.verdicts, only=wanted):
                line = dumps(row.value()) + b"\n"
                for variant, place in places.items():
                    files[variant, place[row.pair_id]].write(line)
                    if place[row.pair_id] != LEFT_OUT:
                        tallies[variant].add(place[row.pair_id], row)
        return tallies

    def _construction(self) -> tuple[dict[str, Construction], dict[tuple[str, ClaimType], int]]:
        counted = claims.claim_counts(self.workspace, self.run.id)
        sources: dict[str, dict[str, int]] = {}
        for (domain, source), count in pair_imports.sources(self.workspace, self.run.id).items():
            sources.setdefault(domain, {})[source] = count
        candidates: dict[str, int] = {}
        for (domain, _), count in pairs.pair_counts(self.workspace, self.run.id).items():
            candidates[domain] = candidates.get(domain, 0) + count
        domains = {*sources, *candidates, *(domain for domain, _ in counted)}
        return {
            domain: Construction(
                sources=sources.get(domain, {}),
                abstracts=sum(sources.get(domain, {}).values()),
                claims=sum(n for (of, _), n in counted.items() if of == domain),
                candidate_pairs=candidates.get(domain, 0),
            )
            for domain in sorted(domains)
        }, counted

    def _manifest(self, variant: str, found: Split) -> dict[str, Any]:
        mode = "pair-level" if variant else self.mode
        corpus = corpora.corpus(self.workspace, self.run.corpus)
        return {
            "leakage_mode": mode,
            "shares": dict(SHARES if mode == "article-disjoint" else LEGACY_SHARES),
            "allow_heuristic": self.allow_heuristic,
            "heuristic_confidence_threshold": LEAST_CONFIDENCE,
            "heuristic_confidence_threshold_of_conflicts": LEAST_OF_CONFLICTS,
            "per_domain": self.per_domain,
            "seed": self.seed,
            "source": {
                "run": self.run.id,
                "made_by": self.run.source,
                "imported": bool(self.run.settings.get("imported")),
                "complete": self.run.status == "done",
                "fingerprint": self.run.fingerprint,
                "corpus": corpus.name,
                "corpus_sha256": corpus.sha256,
                "articles": corpus.passages,
            },
            "gold": self.gold,
            "pool": {
                "labelled": dict(self.pool.candidates),
                "rejected_by_people": self.rejected,
                "licences_wanted": list(self.licences),
                "of_other_licences": self.unlicensed,
                "heuristic_below_threshold": dict(self.pool.unsure),
                "beyond_per_domain": dict(self.pool.surplus),
            },
            "duplicates": {
                "duplicated_ids": self.unique.duplicated,
                "surplus_rows": self.unique.surplus,
                "with_differing_types": self.unique.conflicting,
            },
            "components": {
                "count": len(found.components),
                "largest": [len(one.pairs) for one in found.components[:10]],
                "train_only": sum(one.provisional for one in found.components),
            },
            "left_out": {
                "pairs": len(found.left_out),
                "reviewed": sum(entry.reviewed for entry in found.left_out),
                "by_domain": dict(sorted(Counter(entry.domain for entry in found.left_out).items())),
            },
            "domains": by_domain(found),
            "splits": {name: len(found.of(name)) for name in SPLITS},
            "touchstone": __version__,
        }

    def _card(
        self, manifest: dict[str, Any], told: dict[str, dict[str, Any]], tallies: dict[str, Tally]
    ) -> str:
        annotators = sorted(
            {one.label.annotator for one in pairs.labels(self.workspace, self.run.id) if one.label.annotator}
        )
        released = {entry.pair_id for entry in self.unique.entries}
        people = {who for pair, of in self.verdicts.curators.items() if pair in released for who in of}
        return card(
            Card(
                title=self._title(),
                manifest=manifest,
                statistics=told[""]["statistics"],
                leakage=told[""]["leakage"],
                legacy=told[LEGACY]["leakage"] if LEGACY in told else None,
                legacy_sizes=tallies[LEGACY].sizes() if LEGACY in tallies else None,
                annotators=annotators,
                curators=len(people),
                confidential=corpora.confidential(self.workspace, self.run.corpus),
                licences=self._licences(),
            )
        )

    def _described(self, folder: Path) -> None:
        """`croissant.json` and `CITATION.cff`: the release for other loaders, and for whoever cites it."""
        title, version = self._title(), f"{__version__}+{self.gold}"
        about = "Pairs of claims from abstracts of different articles, and how they disagree."
        cited = f"{title}, version {version}. Packaged by Touchstone."
        (folder / "CITATION.cff").write_bytes(citation(title, version=version, abstract=about).encode())
        files = {name: folder / f"{name}.jsonl" for name in SPLITS}
        _write_json(
            folder / "croissant.json",
            metadata(
                title,
                about,
                version=__version__,
                licence=one_licence(self._licences()),
                files={name: (digest.of_file(path), path.stat().st_size) for name, path in files.items()},
                cited=cited,
            ),
        )

    def _title(self) -> str:
        return f"Claim pairs of {self.run.corpus}"

    def _licences(self) -> dict[str, int]:
        """Licence, or nothing -> articles of this release."""
        named = pair_imports.licences(self.workspace, self.run.corpus_id)
        articles = {uid for entry in self.unique.entries for uid in (entry.article_a, entry.article_b)}
        return dict(sorted(Counter(named.get(uid, "") for uid in articles).items()))


def by_domain(found: Split) -> dict[str, dict[str, int]]:
    domains: dict[str, dict[str, int]] = {}
    for name in SPLITS:
        for entry in found.of(name):
            domains.setdefault(entry.domain, dict.fromkeys(SPLITS, 0))[name] += 1
    return dict(sorted(domains.items()))


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_bytes(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False).encode() + b"\n")
