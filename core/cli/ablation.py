"""touchstone run concepts --ablation: what each stage is worth, as HI-ALD, tables 2 and 5"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.cli.output import bar, finish_with, print_json, print_scores, say
from core.errors import InputError
from core.store.gold import gold_set, list_references
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.pipeline import ConceptsSettings


def run_ablation(
    workspace: Workspace,
    settings: ConceptsSettings,
    *,
    gold: str | None = None,
    bootstrap: int = 1000,
    seed: int = 13,
    as_json: bool = False,
) -> None:
    """Run every row, score it and print the tables.

    Args:
        gold: `imported:NAME@VERSION`; default the only imported gold of the corpus.
    """
    from core.evaluate import Settings, ablation_tables, score_ablation
    from core.pipeline.ablation import ablate

    gold = gold or only_gold(workspace, settings.corpus)
    gold_set(workspace, gold, settings.corpus)  # without gold it is worth nothing: said before the first row
    with bar("Ablation") as shown:

        def progress(row: str, done: int, total: int) -> None:
            shown.message(row)
            shown(done, total)

        made = ablate(workspace, settings, progress=progress, announce=say)
    if made.unfinished is not None:
        say(f"Run {made.unfinished.run} is not done: {made.unfinished.message or made.unfinished.status}")
        if settings.ceiling is not None:
            say(f"All rows together may cost ${settings.ceiling:.2f}.")
        if settings.ceiling_tokens is not None:
            say(f"All rows together may use {settings.ceiling_tokens:,} tokens.")
    failed = 0
    if made.rows:
        scoring = Settings(bootstrap=bootstrap, seed=seed)
        found = score_ablation(workspace, made.rows, gold, scoring, worked=made.worked)
        if as_json:
            print_json(found.to_json() | {"complete": made.unfinished is None})
        else:
            print_scores(ablation_tables(found))
        failed = sum(line.failed for line in found.lines)
    finish_with(failed + (made.unfinished is not None))


def only_gold(workspace: Workspace, corpus: str) -> str:
    """The imported gold of a corpus.

    Raises:
        InputError: it has none, or several.
    """
    imported = [r for r in list_references(workspace, corpus) if r.startswith("imported:")]
    if len(imported) == 1:
        return imported[0]
    known = ", ".join(imported) or "none; import one with the corpus"
    raise InputError(f"Which gold of {corpus!r} is meant must be said with --gold: {known}.")
