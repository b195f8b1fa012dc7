"""Two machine annotators on one corpus: where they agree. Neither of them is gold.

    compare_runs(workspace, "lexicon-1", "concepts-1")
    compare_prompts(workspace, "classify@3f2a91c04d5e", "classify@90ab12cd34ef")

Agreement and kappa need a universe of items that both rate. Here it is, for each passage, every concept that
either run took for a candidate or proposed; a run's label is the assertion it proposes, or absent. What
neither ever thought of is in no number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

from core.errors import InputError, NotFoundError
from core.kinds import KINDS
from core.metrics.agreement import Agreement, agreement, pairwise_f1
from core.records import Assertion, ConceptClass, Curie, ItemKind
from core.store import compared, corpora, ontologies, runs
from core.store.compared import Key, Said
from core.store.workspace import Workspace

UNIVERSE = "for each passage, every concept that either run took for a candidate or proposed"
ABSENT = "absent"

Change = Literal["only_a", "only_b", "assertion", "class", "same"]
CHANGES: tuple[Change, ...] = ("only_a", "only_b", "assertion", "class", "same")
"""Disagreements first. `assertion`: both propose it with another one; `class`: with the same assertion and
another class."""


class ComparedItem(NamedTuple):
    """One concept of a document that at least one of the two proposes. Labels and ids come from outside."""

    change: Change
    doc_id: str
    concept: Curie
    label: str
    assertion_a: Assertion | None
    assertion_b: Assertion | None
    class_a: ConceptClass | None
    class_b: ConceptClass | None
    """None where the run does not propose it."""
    item: int
    """Under which it is reviewed."""


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Counts of (document, concept) over the corpus, statuses ignored except where said."""

    a: str
    b: str
    corpus: str
    documents: int
    both: int
    only_a: int
    only_b: int
    pairwise_f1: float | None
    """Micro F1 of one against the other, in [0, 1], the same either way round; both silent: 1 (rule V1);
    None where the corpus holds no document."""
    same_status: float | None
    """Share of the concepts proposed by both that carry the same assertion; None where there are none."""
    assertion_changed: int
    """Proposed by both, with another assertion."""
    class_changed: int
    """Proposed by both with the same assertion, and another class."""
    agreement: Agreement
    """Observed agreement and Cohen's kappa over `universe`. Items on passages that a run failed on are left
    out of it, and counted there as missing."""
    universe: str
    differing_settings: dict[str, tuple[Any, Any]]
    """Settings of the runs, and prompt versions they used, that are not the same: name -> (A's, B's)."""
    items: tuple[ComparedItem, ...]
    """Every concept that at least one proposes: by `CHANGES`, then document and concept."""

    def to_json(self) -> dict[str, Any]:
        """The counts, for a table of figures; the items are listed apart."""
        figures = {
            f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("items", "agreement")
        }
        return figures | {
            "observed_agreement": self.agreement.observed,
            "kappa": self.agreement.kappa,
            "kappa_reason": self.agreement.reason,
            "items_rated": self.agreement.n,
            "items_missing": self.agreement.missing,
        }


def alike(workspace: Workspace, a: str, b: str, kind: str) -> dict[str, runs.Run]:
    """Both runs by their names, which propose items of a kind on one corpus.

    Raises:
        NotFoundError: no such run.
        InputError: the runs are of different corpora, or one labels another kind.
    """
    found = {run: runs.find_run(workspace, run) for run in (a, b)}
    for run in found.values():
        if run.proposes != kind:
            is_one, other = (KINDS[name].plural for name in (run.proposes, kind))
            raise InputError(
                f"Run {run.id!r} labels {is_one}, and the other {other}. Compare like with like."
            )
    names = {run.corpus for run in found.values()}
    if len(names) > 1:
        raise InputError(
            f"Runs {a!r} and {b!r} label different corpora ({', '.join(sorted(names))}). "
            "Compare two runs of one corpus."
        )
    return found


def compare_runs(workspace: Workspace, a: str, b: str) -> RunComparison:
    """What both runs propose, what only one does, what they say differently.

    Raises:
        NotFoundError: no such run.
        InputError: the runs are of different corpora, or one labels claim pairs.
    """
    found = alike(workspace, a, b, ItemKind.CONCEPT)
    corpus = found[a].corpus
    ours, theirs = (_by_current_id(workspace, found[run], compared.said(workspace, run)) for run in (a, b))
    items = sorted(
        (_item(key, ours.get(key), theirs.get(key)) for key in ours.keys() | theirs.keys()),
        key=lambda item: (CHANGES.index(item.change), item.doc_id, item.concept),
    )
    n = Counter(item.change for item in items)
    both = n["assertion"] + n["class"] + n["same"]
    documents = corpora.passage_ids(workspace, corpus)
    return RunComparison(
        a=a,
        b=b,
        corpus=corpus,
        documents=len(documents),
        both=both,
        only_a=n["only_a"],
        only_b=n["only_b"],
        pairwise_f1=pairwise_f1(_sets(documents, ours), _sets(documents, theirs)),
        same_status=1 - n["assertion"] / both if both else None,
        assertion_changed=n["assertion"],
        class_changed=n["class"],
        agreement=_agreement(workspace, found[a], found[b], ours, theirs),
        universe=UNIVERSE,
        differing_settings=differing(workspace, found[a], found[b]),
        items=tuple(items),
    )


def compare_prompts(workspace: Workspace, a: str, b: str) -> RunComparison:
    """The newest runs that used one version of a prompt and the other, on a corpus that both have labelled.

    Args:
        a, b: such as `classify@3f2a91c04d5e`; `prompt_versions` lists them.

    Raises:
        NotFoundError: no run used this version.
        InputError: no corpus was labelled with both.
    """
    users = {}
    for prompt in (a, b):
        users[prompt] = [
            runs.find_run(workspace, run) for run in compared.runs_with_prompt(workspace, prompt)
        ]
        if not users[prompt]:
            raise NotFoundError("run with prompt", prompt, compared.prompt_versions(workspace))
    pairs = [
        (first, second)
        for first in users[a]
        for second in users[b]
        if first.corpus == second.corpus and first.id != second.id
    ]
    if not pairs:
        raise InputError(
            f"No corpus was labelled with both {a} and {b}. Run one of them on a corpus of the other."
        )
    newest_first = reversed(pairs)  # of several that began in one moment, max takes the first
    first, second = max(newest_first, key=lambda pair: sorted((run.started_at for run in pair), reverse=True))
    return compare_runs(workspace, first.id, second.id)


def _by_current_id(workspace: Workspace, run: runs.Run, labels: dict[Key, Said]) -> dict[Key, Said]:
    """Alternative ids read as the concept that now bears them; a proposal under the current id goes first."""
    alt_ids = ontologies.alt_id_map(workspace, run.ontology_id) if run.ontology_id else {}
    found = {key: value for key, value in labels.items() if key[1] not in alt_ids}
    for (doc_id, concept), value in labels.items():
        found.setdefault((doc_id, alt_ids.get(concept, concept)), value)
    return found


def _item(key: Key, a: Said | None, b: Said | None) -> ComparedItem:
    change: Change
    if a is None or b is None:
        change = "only_b" if a is None else "only_a"
    elif a.assertion is not b.assertion:
        change = "assertion"
    else:
        change = "same" if a.concept_class is b.concept_class else "class"
    said = [side for side in (a, b) if side]
    return ComparedItem(
        change,
        *key,
        said[0].label,
        a.assertion if a else None,
        b.assertion if b else None,
        a.concept_class if a else None,
        b.concept_class if b else None,
        said[0].item_id,
    )


def _sets(documents: dict[str, int], labels: dict[Key, Said]) -> dict[str, set[Curie]]:
    found: dict[str, set[Curie]] = {doc_id: set() for doc_id in documents}
    for doc_id, concept in labels:
        found[doc_id].add(concept)
    return found


def _agreement(
    workspace: Workspace, a: runs.Run, b: runs.Run, ours: dict[Key, Said], theirs: dict[Key, Said]
) -> Agreement:
    universe = ours.keys() | theirs.keys()
    universe |= compared.considered(workspace, a.id) | compared.considered(workspace, b.id)
    silent = [compared.failed(workspace, run.id) for run in (a, b)]

    def label(key: Key, labels: dict[Key, Said], failed: set[str]) -> str | None:
        if key[0] in failed:
            return None
        return labels[key].assertion if key in labels else ABSENT

    return agreement((label(k, ours, silent[0]), label(k, theirs, silent[1])) for k in universe)


def differing(workspace: Workspace, a: runs.Run, b: runs.Run) -> dict[str, tuple[Any, Any]]:
    """Settings of two runs, and prompt versions they used, that are not the same: name -> (A's, B's)."""
    ours, theirs = ({"source": run.source} | run.settings for run in (a, b))
    found = {
        name: (ours.get(name), theirs.get(name))
        for name in (ours | theirs)
        if name != "options" and ours.get(name) != theirs.get(name)  # options: how fast, not what
    }
    used = [compared.prompts(workspace, run.id) for run in (a, b)]
    if used[0] != used[1]:
        found["prompts_used"] = (
            [p for p in used[0] if p not in used[1]],
            [p for p in used[1] if p not in used[0]],
        )
    return found
