"""What a record holds, part by part. Only what people script against is used: verbs, files and pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import inputs
from inputs import BACKUP, COPY, MINED, ONTOLOGY, PAIRS, RUN, STAGED
from opened import kept_results, opened
from screens import screens
from verbs import contents, verb

Record = dict[str, Any]

FORMATS = ("json", "jsonl", "csv", "paper003")
GOLDS = ("imported:demo@1", "reviewed@now:curator=ada", "reviewed@now:agreed", "reviewed@40:curator=ada")
ALL = ("--families", "all", "--by", "all", "--training", "training.json", "--index", "tree.json")
SOME = ("--bootstrap", "200")
EVALUATIONS: dict[str, tuple[str, ...]] = {
    "run": (RUN, "--gold", "imported:demo", *ALL, *SOME),
    "run, curator": (RUN, "--gold", "reviewed@now:curator=ada", *ALL, *SOME),
    "run, agreed": (RUN, "--gold", "reviewed@now:agreed", "--families", "all", *SOME),
    "run, adjudicated": (RUN, "--gold", "reviewed@now:adjudicated", "--families", "all", *SOME),
    "stages": (STAGED, "--gold", "imported:demo", "--families", "all", "--by", "all", *SOME),
    "files": (
        *("silver.jsonl", "--gold", "passages.json", *ALL, *SOME, "--ontology", "hpo-demo.obo"),
        *("--similarity", "jiang_conrath", "--information", "corpus", "--vacuous", "skip"),
        *("--assertions", "affirmed,negated", "--alike", "0.6", "--sure", "0.9", "--seed", "5"),
    ),
    "files, bare": ("silver.jsonl", "--gold", "passages.json", "--families", "all", *SOME),
    "files, part": (
        *("silver.jsonl", "--gold", "passages.json", "--ontology", "hpo-demo.obo", "--root", "HP:0000707"),
        *("--families", "relaxed,corpus", "--similarity", "lineage", "--vacuous", "zero", "--bootstrap", "0"),
    ),
    "file, stored gold": ("silver.jsonl", "--gold", "imported:demo", "--families", "all", *SOME),
    "tags": (
        *("tags_said.txt", "--gold", "tags_gold.txt", "--gold-ids", "tags_ids.txt", *SOME),
        *("--training", "known_names.txt", "--training-ids", "known_ids.txt", "--families", "all"),
    ),
    "tags, bare": ("tags_said.txt", "--gold", "tags_gold.txt", *SOME),
    "pairs": ("pairs_said.jsonl", "--gold", "pairs.jsonl", *SOME),
    "pairs, domain": (
        *("pairs_said.jsonl", "--gold", "pairs.jsonl", "--domain", "oncology", "--encoder", "none", *SOME),
    ),
    "pairs, run": (PAIRS, "--gold", "pairs_said.jsonl", "--encoder", "none", *SOME),
    "pairs, curator": (PAIRS, "--gold", "reviewed@now:curator=ada", "--encoder", "none", *SOME),
    "pairs, agreed": (PAIRS, "--gold", "reviewed@now:agreed", "--encoder", "none", *SOME),
    "mentions": ("links_said.jsonl", "--gold", "links_gold.jsonl", *SOME),
    "mentions, older": (
        "links_said.jsonl",
        "--gold",
        "links_gold.jsonl",
        "--ontology",
        "hpo-demo.obo",
        *SOME,
    ),
    "edges": ("edges_said.jsonl", "--gold", "edges_gold.jsonl", *SOME),
    "indices": ("indices.jsonl", "--gold", "passages.json", *ALL[4:], *SOME),
}
ON_PAGES = ("run, curator", "files, bare", "pairs, domain", "tags, bare")
"""Evaluations whose report is HTML; that of the others is Markdown."""
NCBI = (
    *("predictions.txt.gz", "--gold", "test.txt.gz", "--gold-ids", "test_cuis.txt.gz", "--bootstrap", "100"),
    *("--training", "mention_dictionary.txt.gz", "--training-ids", "cui_dictionary.txt.gz"),
    *("--families", "all"),
)
"""With `--data` alone: tags of a published corpus, whose files lie in the inputs."""


def restored(given: Path, work: Path) -> Path:
    """The stored workspace, which the first checkout made, as this one restores it; one for all parts."""
    path = work / "stored.db"
    if not path.exists():
        verb(path, "restore", given / BACKUP)
    return path


def listings(given: Path, work: Path) -> Record:
    """Every verb that lists, shows or compares."""
    path = restored(given, work)
    asked = [
        *(("runs", "list"), ("corpus", "list"), ("ontology", "list"), ("metrics",)),
        *(("runs", "show", run) for run in (RUN, COPY, STAGED, PAIRS, MINED)),
        *(("corpus", "show", corpus) for corpus in ("demo", "abstracts", "train")),
        ("runs", "compare", RUN, STAGED),
        ("runs", "compare", RUN, STAGED, "--gold", "imported:demo", "--families", "all", *SOME),
        ("runs", "compare", RUN, STAGED, COPY, "--gold", "reviewed@now:curator=ada", *SOME),
        ("ontology", "show", ONTOLOGY),
        ("ontology", "show", ONTOLOGY, "HP:0001250"),
        ("ontology", "search", ONTOLOGY, "epileptic fit"),
        ("ontology", "diff", ONTOLOGY, ONTOLOGY),
        ("guideline", "show", "--profile", "hpa"),
        ("calibrate", given / "similar.csv", "--ontology", ONTOLOGY),
        *(
            ("calibrate", given / "similar.csv", "--ontology", ONTOLOGY, "--similarity", name)
            for name in ("jiang_conrath", "lineage")
        ),
        ("decisions", "add", given / "decisions.jsonl"),
    ]
    found: Record = {" ".join(map(str, words)): verb(path, *words, "--json") for words in asked}
    return found | {"metrics spans": verb(path, "metrics", "spans")}


def evaluations(given: Path, work: Path) -> Record:
    """Every estimate, interval, table, report and opened item of every family."""
    path, found = restored(given, work), {}
    cases = EVALUATIONS | ({"tags, published": NCBI} if (given / NCBI[0]).exists() else {})
    for name, words in cases.items():
        report = work / f"report.{'html' if name in ON_PAGES else 'md'}"
        report.unlink(missing_ok=True)
        chosen = [given / word if (given / word).is_file() else word for word in words]
        with kept_results() as results:
            said = verb(path, "evaluate", *chosen, "--report", report, "--json")
        held = [opened(result) for result in results]
        found[name] = {
            **said,
            "opened": held,
            "report": report.read_text("utf-8").splitlines() if report.exists() else None,
        }
    return found


def exports(given: Path, work: Path) -> Record:
    """Proposals, gold and decisions in every format, byte for byte, with their manifests."""
    path = restored(given, work)
    return _exported(path, work / "exports", (RUN, COPY, STAGED, PAIRS, MINED), GOLDS, (PAIRS, MINED))


def _exported(
    path: Path, folder: Path, runs: tuple[str, ...], golds: tuple[str, ...], of_pairs: tuple[str, ...]
) -> Record:
    folder.mkdir()
    asked = {
        **{f"proposals {run}": ("proposals", "--run", run) for run in runs},
        **{f"gold {gold}": ("gold", "--gold", gold, "--corpus", "demo") for gold in golds},
        **{f"pairs {run}": ("gold", "--run", run) for run in of_pairs},
        **{
            f"pairs {run} ada": ("gold", "--run", run, "--gold", "reviewed@now:curator=ada")
            for run in of_pairs
        },
        "decisions": ("decisions",),
    }
    found: Record = {}
    for number, (name, words) in enumerate(asked.items()):
        for form in FORMATS:
            out = folder / f"{number}-{form}.{'json' if form == 'paper003' else form}"
            said = verb(path, "export", *words, "--out", out, "--format", form, "--json")
            found[f"{name} {form}"] = said
    return found | {"files": contents(folder)}


def releases(given: Path, work: Path) -> Record:
    """Each way to package a run of pairs: splits, audit, statistics, card."""
    path, found = restored(given, work), {}
    ways = {
        "by hand": ("--run", PAIRS),
        "curator": ("--run", PAIRS, "--gold", "reviewed@now:curator=ada"),
        "pair-level": ("--run", PAIRS, "--split", "pair-level", "--seed", "5", "--per-domain", "2"),
        "mined": ("--run", MINED),
        "mined, by rules": ("--run", MINED, "--allow-heuristic"),
    }
    for name, words in ways.items():
        folder = work / "releases" / name.replace(" ", "-")
        said = verb(path, "release", *words, "--out", folder, "--json")
        found[name] = {**said, "files": contents(folder)}
    return found


def verified(given: Path, work: Path) -> Record:
    """The chain, the digests, and a backup that comes back."""
    path, copy = restored(given, work), work / "copy.db"
    again = work / "again.db"
    return {
        "verify": verb(path, "verify", "--json"),
        "said": verb(path, "verify"),
        "backup": verb(path, "backup", copy, "--json"),
        "restore": verb(again, "restore", copy, "--json"),
        "verify again": verb(again, "verify", "--json"),
    }


def built(given: Path, work: Path) -> Record:
    """A workspace that each checkout builds itself, from the same files."""
    path = work / "built.db"
    whole = verb(restored(given, work), "runs", "show", STAGED)["status"] == 0
    words = [*inputs.fill_from_files(given), inputs.bring_in_again(given)]
    words += inputs.label_by_stages() if whole else ()
    words.append(("decisions", "add", given / "decisions.jsonl"))
    said = {" ".join(map(str, one)): verb(path, *one, "--json") for one in words}
    asked = ("run", "concepts", "--corpus", "demo", "--ontology", ONTOLOGY, "--profile", "hpa", "--offline")
    ablations = {
        name: verb(path, *asked, *words, "--gold", "imported:demo", "--json")
        for name, words in {"ablation": ("--ablation",), "oracle": ("--oracle", "candidates")}.items()
        if whole
    }
    runs = (RUN, COPY, PAIRS, *((STAGED, MINED) if whole else ()))
    shown = {run: verb(path, "runs", "show", run, "--json") for run in runs}
    files = _exported(path, work / "built", runs, GOLDS[:2], (PAIRS,))
    return {
        "made": said,
        "ablations": ablations,
        "runs": shown,
        "exports": files,
        "verify": verb(path, "verify", "--json"),
    }


def pages(given: Path, work: Path) -> Record:
    """The first screen of every page, as somebody unnamed and as a curator."""
    return screens(Path.cwd(), restored(given, work), "ada")


PARTS: dict[str, Callable[[Path, Path], Record]] = {
    "listings": listings,
    "evaluations": evaluations,
    "exports": exports,
    "releases": releases,
    "verify": verified,
    "built": built,
    "pages": pages,
}
