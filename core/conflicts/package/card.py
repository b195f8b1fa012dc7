"""The card of a release: the README of its folder, what it holds and what it is good for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.conflicts.package.card_tables import audit, counts
from core.conflicts.package.features import front_matter
from core.conflicts.package.fields import families
from core.conflicts.package.fit import SPLITS
from core.conflicts.package.licences import about_licences, one_licence
from core.conflicts.package.markdown import table, words
from core.formats.pairs import PairRow
from core.records import ConflictType

LEGACY = "pair-level"
"""Name of the folder and of the configuration of the legacy variant."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a card tells."""

    title: str
    manifest: Mapping[str, Any]
    """As in `split_manifest.json`."""
    statistics: Mapping[str, Any]
    """As in `statistics.json`."""
    leakage: Mapping[str, Any]
    """As in `leakage.json`."""
    legacy: Mapping[str, Any] | None = None
    """The same of the legacy variant in its folder."""
    legacy_sizes: Mapping[str, int] | None = None
    annotators: Sequence[str] = ()
    """Models and tools that made silver labels."""
    curators: int = 0
    """People who judged pairs of this release."""
    confidential: bool = False
    licences: Mapping[str, int] = field(default_factory=dict)
    """Licence as the articles' files name it, or nothing -> articles."""


def card(given: Card) -> str:
    """The card as Markdown."""
    parts = [
        _front(given),
        f"# {words(given.title)}\n",
        _about(given),
        _made(given),
        _looked(given),
        _sizes(given),
        counts(given.statistics),
        audit(given.leakage, {LEGACY: given.legacy}),
        _enough(given),
        _limits(given),
        _fields(),
        _loading(given),
    ]
    return "\n".join(parts)


def _front(given: Card) -> str:
    sizes = {split: given.statistics["examples"][split] for split in SPLITS}
    origins = {origin for origin, by in given.statistics["label_origins"].items() if sum(by.values())}
    kinds = {"person": "expert-generated", "model": "machine-generated", "heuristic": "machine-generated"}
    return front_matter(
        given.title,
        {"": sizes, LEGACY: given.legacy_sizes},
        licence=one_licence(given.licences),
        annotators=sorted({kinds[origin] for origin in origins}),
    )


def _fields() -> str:
    rows = [
        (", ".join(f"`{name}`" for name in names), said)
        for said, names in families(list(PairRow.model_fields))
    ]
    lines = [f"| {names} | {said} |" for names, said in rows]
    return "\n".join(["## Fields\n", "| field | what it is |", "|---|---|", *lines, ""])


def _about(given: Card) -> str:
    disjoint = given.manifest["leakage_mode"] == "article-disjoint"
    how = (
        "No article, claim or pair stands in two of the splits."
        if disjoint
        else "The splits are made by pairs: articles and claims stand in several of them. Use them to "
        "compare with older figures only; a model can score by knowing the abstracts."
    )
    warning = ""
    if given.manifest["allow_heuristic"]:
        warning = (
            "\n> **Made with `--allow-heuristic`:** dev and test may hold labels that a rule made, or that "
            "had to be repaired, and that nobody reviewed. Scores on them measure agreement with a rule, and "
            "are not to be reported as more.\n"
        )
    return (
        "Pairs of claims from abstracts of different articles that seem to disagree. Each says how (one of "
        "six conflict types), along which of thirteen axes the two studies differ, which of these explains "
        f"most, how both can be reconciled, and on which words that rests. {how}\n{warning}"
    )


def _made(given: Card) -> str:
    m, s = given.manifest, given.statistics
    lines = [
        "## How it was made\n",
        f"Run `{m['source']['run']}` ({words(m['source']['made_by'])}) on the corpus "
        f"`{m['source']['corpus']}` of {m['source']['articles']:,} articles, packaged by Touchstone "
        f"{m['touchstone']}. Of every domain at most {m['per_domain']:,} pairs were taken, reviewed labels "
        "first, then those of models, then heuristic ones, the conflict types by turns, with a confidence of "
        f"at least {m['heuristic_confidence_threshold']} where they say no_conflict and "
        f"{m['heuristic_confidence_threshold_of_conflicts']} where they say another type "
        f"(seed {m['seed']}).\n",
        table(
            ["domain", "articles by source", "abstracts", "claims", "candidate pairs", "released"],
            [
                (
                    domain,
                    ", ".join(f"{source} {n:,}" for source, n in d["sources"].items()) or None,
                    *(d[name] for name in ("abstracts", "claims", "candidate_pairs", "final_pairs")),
                )
                for domain, d in s["domains"].items()
            ],
        ),
    ]
    d = m["duplicates"]
    if d["surplus_rows"]:
        lines.append(
            f"{d['duplicated_ids']:,} pair ids occurred more than once; {d['surplus_rows']:,} rows were "
            f"removed, and {d['with_differing_types']:,} of these ids had differing conflict types.\n"
        )
    return "\n".join(lines)


def _looked(given: Card) -> str:
    s = given.statistics
    seen, total = sum(s["seen_by_person"].values()), s["examples"]["total"]
    people = f"{given.curators} {'person' if given.curators == 1 else 'people'}"
    by = ", ".join(words(name) for name in given.annotators) or "none"
    if not seen:
        intro = f"**Nobody has reviewed these labels**: all {total:,} are silver."
    elif not given.curators:
        intro = (
            f"Of {total:,} pairs, {seen:,} came in as judged by a person, in the words of the file that they "
            "came in; nobody has reviewed them since."
        )
    else:
        intro = (
            f"People judged {seen:,} of {total:,} pairs ({people} in all; reference "
            f"`{given.manifest['gold']}`). Where they settled a pair, their label stands; what they found "
            "unusable is left out; where they differ or are unsure, the silver label stands and counts as "
            "unreviewed."
        )
    return "\n".join(
        [
            "## Who looked at it\n",
            f"{intro} Every record says so in `seen_by_person` and `label_origin`. Silver labels by: {by}.\n",
            table(
                ["label by", *SPLITS],
                [
                    *((origin, *n.values()) for origin, n in s["label_origins"].items()),
                    ("of these repaired", *s["repaired"].values()),
                    ("seen by a person", *s["seen_by_person"].values()),
                ],
            ),
            "How sure the machines say they are, on average. A heuristic's confidence is the share of such "
            "labels that is expected to be right; a model's is its own word.\n",
            table(
                ["conflict type", "model", "heuristic"],
                [
                    (
                        t.value,
                        *(
                            None if (mean := s["mean_confidence"][origin][t.value]) is None else f"{mean:.2f}"
                            for origin in ("model", "heuristic")
                        ),
                    )
                    for t in ConflictType
                ],
            ),
        ]
    )


def _sizes(given: Card) -> str:
    s, gone = given.statistics, given.manifest["left_out"]
    left_out = (
        f"{gone['pairs']:,} pairs that join articles of two splits were left out and stand in "
        f"`left_out.jsonl`, among them {gone['reviewed']:,} that people settled. The fewest that a greedy "
        "search finds are left out, the least likely conflicts first, reviewed ones last.\n"
        if gone["pairs"]
        else "No pair had to be left out.\n"
    )
    return "\n".join(
        [
            "## Splits\n",
            left_out,
            table(
                ["domain", *SPLITS],
                [(domain, *(d[split] for split in SPLITS)) for domain, d in s["domains"].items()]
                + [("all", *(s["examples"][split] for split in SPLITS))],
            ),
        ]
    )


def _enough(given: Card) -> str:
    e = given.statistics["evaluable"]
    types = given.statistics["conflict_types"]

    def listed(names: Sequence[str]) -> str:
        return ", ".join(f"`{name}`" for name in names) or "none"

    counted = [f"{t.value} {types[t.value]['test']:,}" for t in ConflictType]
    return "\n".join(
        [
            "## What it is enough for\n",
            f"A class with at least {e['least_test_examples']} test examples can be scored; the others are "
            f"exploratory. Evaluable classes: {listed(e['classes'])}. Exploratory: "
            f"{listed(e['exploratory'])}. (Test: {', '.join(counted)}.)\n",
            f"Scores over axes are reported on the nine primary ones: {listed(e['primary_axes'])}. Of all "
            f"thirteen, these occur at least {e['least_test_axis_occurrences']} times in test: "
            f"{listed(e['axes_reached'])}. Primary ones that do not: "
            f"{listed(e['primary_axes_not_reached'])}.\n",
        ]
    )


def _limits(given: Card) -> str:
    lines = [
        "## Limits\n",
        "- Labels of machines are silver: what they say is a proposal, and how often it is right is not "
        "known where nobody looked.",
        "- Pairs were mined for seeming to disagree; counts say nothing about how often studies do.",
        "- Claims are sentences that rules took for findings; an abstract may say more than its claims.",
        f"- {about_licences(given.licences, words)}",
    ]
    if given.confidential:
        lines.append("- The corpus is marked confidential: its texts must not leave the machine they are on.")
    if not given.statistics["examples"]["dev"] or not given.statistics["examples"]["test"]:
        lines.append("- Dev or test is empty: too few pairs are labelled well enough to stand there.")
    return "\n".join([*lines, ""])


def _loading(given: Card) -> str:
    lines = ["import datasets", "", 'pairs = datasets.load_dataset("FOLDER")']
    if given.legacy_sizes is not None:
        lines.append(f'legacy = datasets.load_dataset("FOLDER", "{LEGACY}")  # articles leak')
    code = "\n".join(lines)
    return (
        f"## Loading\n\n```python\n{code}\n```\n\n"
        "`split_manifest.json` says how the splits were made and gives the sha256 of every file; "
        "`statistics.json` and `leakage.json` hold the tables above; `croissant.json` describes the files to "
        "other loaders; `CITATION.cff` says how to cite this.\n"
    )
