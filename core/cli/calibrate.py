"""touchstone calibrate"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.output import JsonFlag, print_json, print_scores
from core.store import open_workspace


def register(cli: typer.Typer) -> None:
    cli.command()(calibrate)


def calibrate(
    context: typer.Context,
    pairs: Annotated[Path, typer.Argument(help="CSV file with the columns first, second, same (yes or no).")],
    ontology: Annotated[str, typer.Option(help="NAME[@VERSION] of the workspace, or an ontology file.")],
    similarity: Annotated[str, typer.Option(help="lin, jiang_conrath or lineage.")] = "lin",
    as_json: JsonFlag = False,
) -> None:
    """Find the similarity from which on two concepts should count as the same, from labelled pairs."""
    from core.evaluate import calibrate as calibration
    from core.evaluate.given import ONTOLOGIES, is_file
    from core.evaluate.settings import Settings, scope, scope_of_file

    chosen = Settings.parse(similarity=similarity).similarity
    if is_file(ontology, ONTOLOGIES):
        held = scope_of_file(Path(ontology))
        result = calibration.calibrate(calibration.read_pairs(pairs), held, chosen)
    else:
        with open_workspace(context.obj, create=False) as workspace:
            held = scope(workspace, ontology)
            result = calibration.calibrate(calibration.read_pairs(pairs), held, chosen)
    if as_json:
        return print_json(result.to_json())
    print_scores(calibration.tables(result))
